import type { AgentStatus } from '../../src-shared/contract/rules/proposals.ts';
import { agoText } from './dates.ts';
import { say } from '../../src-shared/words/say.ts';

type Shown = Pick<AgentStatus, 'status' | 'progress' | 'last_run_at'>;

/** Returns the state of the search for rules in one line; null before the first search. `nowMs` is in milliseconds since 1970. */
export function searchLine({ status, progress, last_run_at: endedAt }: Shown, nowMs: number, locale?: string): string | null {
  const last = progress.at(-1);
  if (last === undefined) return null;
  if (status === 'running') return last.step === 'asked' ? say('records.search.theSearchForRules') : last.message;
  const ago = endedAt === null ? '' : ` ${agoText(endedAt, nowMs, locale)}`;
  if (status === 'failed') return say('records.search.theLastSearchForRulesFailed', { ago, message: last.message });
  if (last.step === 'cancelled') return say('records.search.theLastSearchForRules', { ago });
  return say('records.search.lastSearchForRules', { ago, message: last.message });
}
