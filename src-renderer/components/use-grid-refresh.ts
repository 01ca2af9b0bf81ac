import type { GridApi } from 'ag-grid-community';
import { useEffect, useRef } from 'react';
import { useEvents } from '../api/use-operation.ts';
import { areDecisionsWaiting } from '../state/decisions.ts';

const TOGETHER_MS = 120;

/**
 * Loads the visible rows again after a change of matches or records in the reconciliation, or in any when the id is null. The old rows stay until the
 * new ones arrive, so the scroll position is kept. Changes in quick succession cause one refresh.
 */
export function useGridRefresh<Row>(reconciliationId: number | null, api: () => GridApi<Row> | null): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents((event) => {
    if (event.kind === 'job' || event.kind === 'command') return;
    if (event.kind === 'changed') {
      const isOther = reconciliationId !== null && event.reconciliation_id !== null && event.reconciliation_id !== reconciliationId;
      const isTouching = event.areas.some((area) => area === 'matches' || area === 'records' || area === 'imports' || area === 'runs');
      if (isOther || !isTouching) return;
    }
    const refresh = (): void => {
      // Rows do not move while decisions about them wait for an answer.
      if (areDecisionsWaiting()) timer.current = setTimeout(refresh, TOGETHER_MS);
      else api()?.refreshInfiniteCache();
    };
    clearTimeout(timer.current);
    timer.current = setTimeout(refresh, TOGETHER_MS);
  });
}
