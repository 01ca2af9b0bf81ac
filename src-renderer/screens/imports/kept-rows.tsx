import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { DataRows } from './record-rows.tsx';
import { Pager, ROWS_PER_PAGE } from './rows-pager.tsx';

interface KeptRowsProps {
  readonly batchId: number;
  readonly kept: number;
}

/** What an import brought, page by page; the records may have been edited since. */
export function KeptRows({ batchId, kept }: KeptRowsProps) {
  const [page, setPage] = useState(1);
  const records = useQuery('import_batches.records', { id: batchId, limit: ROWS_PER_PAGE, offset: (page - 1) * ROWS_PER_PAGE });
  if (records.failure !== undefined && records.value === undefined) {
    return <FailurePanel title="The records could not be read" failure={records.failure} onRetry={records.refetch} />;
  }
  if (records.value === undefined) return <Skeleton height={420} radius="lg" />;
  return (
    <div data-testid="rows-kept">
      <DataRows records={records.value.data} />
      <Pager listed={kept} page={page} onPage={setPage} />
    </div>
  );
}
