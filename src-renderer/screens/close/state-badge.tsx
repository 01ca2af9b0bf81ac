import type { PeriodStatement, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { StateBadge as Badge } from '../../components/primitives.tsx';
import { stateWords, type Tone } from '../../format/close-words.ts';

const TONES = { matched: 'done', open: 'open', bad: 'broken', quiet: 'none' } as const satisfies Readonly<Record<Tone, string>>;

/** Text with a coloured shape: a dot for a proved state, a ring for an open one. */
export function ToneBadge({ text, tone, testId }: { readonly text: string; readonly tone: Tone; readonly testId?: string }) {
  return (
    <Badge tone={TONES[tone]} testId={testId}>
      {text}
    </Badge>
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
