import { Group, Pagination, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ImportOverrule, ImportRow } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { countText } from '../../format/counts.ts';
import { listedRow } from '../../state/row-decisions.ts';
import type { RowDecisions } from './row-decision.tsx';
import { RowsTable } from './rows-table.tsx';
import { say } from '../../../src-shared/words/say.ts';

export const ROWS_PER_PAGE = 50;

interface PagerProps {
  /** The number of rows over all pages. */
  readonly listed: number;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Names the visible rows and moves between pages. */
export function Pager({ listed, page, onPage }: PagerProps) {
  if (listed <= ROWS_PER_PAGE) return null;
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  const labels = {
    first: say('imports.rowsPager.firstPage'),
    previous: say('imports.rowsPager.pageBefore'),
    next: say('imports.rowsPager.nextPage'),
    last: say('imports.rowsPager.lastPage'),
  } as const;
  return (
    <Group justify="space-between" gap="sm" mt="xs">
      <Text size="sm" c="dimmed" aria-live="polite" className="tabular" data-testid="rows-shown">
        {say('imports.rowsPager.rowsToOf', {
          first: countText(first),
          min: countText(Math.min(first + ROWS_PER_PAGE - 1, listed)),
          listed: countText(listed),
        })}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(listed / ROWS_PER_PAGE)}
        value={page}
        onChange={onPage}
        withEdges
        getControlProps={(control) => ({ 'aria-label': labels[control] })}
        getItemProps={(number) => ({ 'aria-label': say('imports.rowsPager.page', { number }) })}
        data-testid="rows-pages"
      />
    </Group>
  );
}

interface RowsPagerProps {
  readonly label: string;
  /** The job of the import or of the preview. */
  readonly jobId: number;
  readonly outcome: ImportRow['outcome'];
  readonly currency: string | null;
  /** Decisions about these rows that are not carried out yet. */
  readonly pending: readonly ImportOverrule[];
  readonly decisions: Pick<RowDecisions, 'onDecide' | 'onTakeBack' | 'takesNew'> | null;
}

/** All rows that are left out for one of the two reasons, page by page. */
export function RowsPager({ label, jobId, outcome, currency, pending, decisions }: RowsPagerProps) {
  const [page, setPage] = useState(1);
  const rows = useOperation('imports.rows', { id: jobId, outcome, limit: ROWS_PER_PAGE, offset: (page - 1) * ROWS_PER_PAGE });
  if (rows.isLoadingError) {
    return <FailurePanel title={say('imports.rowsPager.theRowsCouldNotBeRead')} failure={rows.error} onRetry={rows.refetch} />;
  }
  if (rows.data === undefined) return <Skeleton height={420} radius="lg" />;
  const { listed, total, data } = rows.data;
  const pages = Math.max(1, Math.ceil(listed / ROWS_PER_PAGE));
  // A decision can empty the last page.
  if (page > pages) setPage(pages);
  return (
    <div data-testid={`rows-${outcome}`}>
      {data.length > 0 ? (
        <RowsTable label={label} rows={data.map((row) => listedRow(row, pending))} currency={currency} decisions={decisions} />
      ) : (
        <Nothing>{total === 0 ? say('imports.rowsPager.thereIsNone') : say('imports.rowsPager.theyAreNotKept')}</Nothing>
      )}
      <Pager listed={listed} page={page} onPage={setPage} />
      {listed > 0 && total > listed && (
        <Text size="xs" c="dimmed" mt={4}>
          {say('imports.rowsPager.theFirstOfCanBeLookedThrough', { listed: countText(listed), total: countText(total) })}
        </Text>
      )}
    </div>
  );
}

function Nothing({ children }: { readonly children: ReactNode }) {
  return (
    <Stack className="card" p="md">
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}
