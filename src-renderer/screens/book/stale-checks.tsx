import { useEffect } from 'react';
import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';

interface StaleChecksProps {
  readonly rows: readonly HomeRow[];
  readonly onFound: (reconciliationId: number, stalePeriods: readonly number[]) => void;
}

/** How many of the latest periods have to be asked: as far back as one that is signed and not closed. */
function periodsToAsk({ months }: HomeRow): number {
  const periods = months.flatMap(({ period }) => (period === null ? [] : [period])).toReversed();
  return periods.findLastIndex(({ state }) => state === 'prepared' || state === 'reviewed') + 1;
}

/** Asks which signed periods are stale, once the rows are there: a large one takes seconds. */
export function StaleChecks({ rows, onFound }: StaleChecksProps) {
  return rows.map((row) => {
    const limit = periodsToAsk(row);
    return limit === 0 ? null : <StaleCheck key={row.reconciliation_id} id={row.reconciliation_id} limit={limit} onFound={onFound} />;
  });
}

interface StaleCheckProps {
  readonly id: number;
  readonly limit: number;
  readonly onFound: StaleChecksProps['onFound'];
}

function StaleCheck({ id, limit, onFound }: StaleCheckProps) {
  const { value } = useQuery('periods.list', { reconciliation_id: id, limit });
  useEffect(() => {
    if (value !== undefined)
      onFound(
        id,
        value.data.filter(({ stale }) => stale).map((period) => period.id),
      );
  }, [id, value, onFound]);
  return null;
}
