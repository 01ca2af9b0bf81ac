import type { PeriodStatement, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { stateWords, type Tone } from '../../format/close-words.ts';
import styles from './close.module.css';

/** Text with a coloured shape: a dot for a proved state, a ring for an open one. */
export function ToneBadge({ text, tone, testId }: { readonly text: string; readonly tone: Tone; readonly testId?: string }) {
  return (
    <span className={styles.badge} data-tone={tone} data-testid={testId}>
      {text}
    </span>
  );
}

interface StateBadgeProps {
  readonly period: Pick<ReconciliationPeriod, 'state' | 'stale'>;
  /** The doubts of the statement, once it is loaded. */
  readonly doubts?: PeriodStatement['doubts'] | undefined;
}

/** The state of a period in words. */
export function StateBadge({ period, doubts }: StateBadgeProps) {
  return <ToneBadge {...stateWords(period, doubts)} testId="period-state" />;
}
