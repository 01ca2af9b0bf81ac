import { Box, Drawer, Skeleton } from '@mantine/core';
import type { Failure, SyncLine } from '../../../src-shared/contract/index.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { Pager } from '../../components/primitives.tsx';
import { ThingLink } from '../../components/place-link.tsx';
import { countText } from '../../format/counts.ts';
import { ACT_WORDS, keyed } from '../../format/sync-resources.ts';
import { say } from '../../../src-shared/words/say.ts';

interface LinesFrameProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}

/** A drawer at the right above the screen. The focus returns to the figure when it closes. */
export function LinesFrame({ title, isOpen, onClose, children }: LinesFrameProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': say('sync.linesDrawer.close') }}
      styles={{ body: { paddingInline: 0 } }}
      data-testid="sync-lines"
    >
      {children}
    </Drawer>
  );
}

export const LINES_PAGE = 100;

interface LinesPageProps {
  readonly read: {
    readonly data: { readonly total: number; readonly kept?: number; readonly data: readonly SyncLine[] } | undefined;
    readonly error: Pick<Failure, 'message'> | null;
    readonly refetch: () => void;
  };
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** One page of lines, or why there are none. */
export function LinesPage({ read: { data: value, error: failure, refetch }, page, onPage }: LinesPageProps) {
  if (value === undefined && failure !== null)
    return <FailurePanel title={say('sync.linesDrawer.theLinesCouldNotBeRead')} failure={failure} onRetry={refetch} />;
  if (value === undefined) return <Skeleton height={200} />;
  const kept = value.kept ?? value.total;
  if (value.data.length === 0)
    return (
      <Box component="p" pt="sm" pb="md" px="var(--edge)">
        {say('sync.linesDrawer.nothingIsListedHere')}
      </Box>
    );
  return (
    <>
      <LinesTable lines={value.data} />
      {kept > LINES_PAGE && <Pager what={say('sync.linesDrawer.lines')} page={page} count={kept} size={LINES_PAGE} onPage={onPage} />}
      {kept < value.total && (
        <Box component="p" pt="sm" pb="md" px="var(--edge)">
          {say('sync.linesDrawer.theFirstOfAreListed', { kept: countText(kept), total: countText(value.total) })}
        </Box>
      )}
    </>
  );
}

/** Lines of a sync. The column of reasons appears when a line has one. */
function LinesTable({ lines }: { readonly lines: readonly SyncLine[] }) {
  const hasReasons = lines.some(({ reason }) => reason !== null);
  return (
    <FigureTable
      columns={[
        { head: say('sync.linesDrawer.what') },
        { head: say('sync.linesDrawer.how'), width: 92 },
        ...(hasReasons ? [{ head: say('sync.linesDrawer.why'), width: '42%' }] : []),
      ]}
      data-testid="lines-table"
    >
      <tbody>
        {keyed(lines, ({ resource, local_id: id, name }) => `${resource} ${id ?? name}`).map(({ item: line, key }) => (
          <tr key={key}>
            <th scope="row">
              <ThingLink thing={line} name={line.name} />
            </th>
            <td className="mid">{ACT_WORDS[line.act]}</td>
            {hasReasons && <td className="wrap">{line.reason}</td>}
          </tr>
        ))}
      </tbody>
    </FigureTable>
  );
}
