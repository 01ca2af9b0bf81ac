import { useEffect } from 'react';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { selection } from '../../state/selection.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { LinePanel } from './line-panel.tsx';
import { MatchBar } from './match-bar.tsx';

interface OpenLinesProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
  readonly isShown: boolean;
}

/** What is left on both sides, to be matched by hand. */
export function OpenLines({ reconciliation, summary, isShown }: OpenLinesProps) {
  useEffect(() => () => selection.getState().clear(), []);
  return (
    <div className={styles.open}>
      <div className={styles.sides}>
        <LinePanel reconciliation={reconciliation} side="a" summary={summary?.side_a} />
        <LinePanel reconciliation={reconciliation} side="b" summary={summary?.side_b} />
      </div>
      <MatchBar reconciliation={reconciliation} isShown={isShown} />
    </div>
  );
}
