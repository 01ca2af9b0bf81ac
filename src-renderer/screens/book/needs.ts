import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { withMinus } from '../../format/close-words.ts';
import { counted, listText } from '../../format/counts.ts';
import { dateText } from '../../format/dates.ts';
import type { Place } from '../../state/places.ts';

/** A task that a person has to do in a reconciliation. */
export interface Need {
  readonly kind: 'break' | 'run' | 'decide' | 'stale' | 'balance' | 'comment' | 'prepare' | 'review' | 'close';
  /** The sentence in the list of tasks. */
  readonly sentence: string;
  /** The label of its button. */
  readonly verb: string;
  /** The label as the next step of its row. */
  readonly next: string;
  readonly place: Place;
}

type Period = NonNullable<HomeRow['period']>;

/** Returns `June` for `June 2026`, and any other name unchanged. */
export function shortPeriod(name: string): string {
  return /^(\p{L}+) \d{4}$/u.exec(name)?.[1] ?? name;
}

/** Returns `The balances of the statements break between 15 Jun 2026 and 20 Jun 2026`. The balances still agree on the first of these days. */
export function breakSentence({ from, to }: HomeRow['balance'], locale?: string): string {
  if (from === null || to === null) return 'The balances of a statement break';
  const days = from === to ? `on ${dateText(from, locale)}` : `between ${dateText(from, locale)} and ${dateText(to, locale)}`;
  return `The balances of the statements break ${days}`;
}

function onBalance({ balance, reconciliation_id: id }: HomeRow): Need[] {
  const { state, data_stream_key: key } = balance;
  if (state !== 'breaks') return [];
  const place: Place = key === null ? { screen: 'reconciliation', id } : { screen: 'stream', key };
  const sentence = breakSentence(balance);
  return [{ kind: 'break', sentence, verb: 'Look', next: 'Look at the break', place }];
}

function onMatching({ reconciliation_id: id, proposed_matches: proposed, last_run_at: ran, is_running: isRunning }: HomeRow): Need[] {
  const needs: Need[] = [];
  if (ran === null && !isRunning) {
    const place: Place = { screen: 'reconciliation', id };
    needs.push({ kind: 'run', sentence: 'Nothing is matched yet', verb: 'Run', next: 'Run it', place });
  }
  if (proposed > 0) {
    const words = counted(proposed, 'proposal');
    const place: Place = { screen: 'reconciliation', id, tab: 'proposed' };
    needs.push({ kind: 'decide', sentence: `${words} to decide`, verb: 'Decide', next: `Decide ${words}`, place });
  }
  return needs;
}

function onOpenPeriod({ balance, uncommented }: HomeRow, { name, to }: Period, place: Place): Need[] {
  const needs: Need[] = [];
  if (balance.state === 'differs') {
    const sentence = withMinus(`The figures of ${shortPeriod(name)} do not agree: ${listText(balance.doubts)}`);
    needs.push({ kind: 'balance', sentence, verb: 'Look', next: 'Look at the difference', place });
  }
  if (balance.state === 'books_not_stated' || balance.state === 'not_stated') {
    const which = balance.state === 'not_stated' ? 'bank' : 'book';
    const known = balance.computed ? 'computed, not stated' : balance.earlier ? 'not stated, only that of an earlier day' : 'missing';
    const sentence = `The ${which} balance of ${dateText(to)} is ${known}`;
    needs.push({ kind: 'balance', sentence, verb: 'Enter', next: `Enter the ${which} balance`, place });
  }
  if (uncommented !== null) {
    const { count, oldest } = uncommented;
    const days = counted(oldest.age_days, 'day');
    const sentence =
      count === 1
        ? `${oldest.label} has no comment, ${days} old`
        : `${counted(count, 'open item')} have no comment, the oldest ${days} old`;
    needs.push({ kind: 'comment', sentence, verb: 'Comment', next: `Comment on ${oldest.label}`, place });
  }
  const month = shortPeriod(name);
  if (needs.length === 0)
    needs.push({ kind: 'prepare', sentence: `${month} can be prepared`, verb: 'Prepare', next: `Prepare ${month}`, place });
  return needs;
}

function onPeriod(row: HomeRow, isStale: boolean): Need[] {
  const { period } = row;
  if (period === null) return [];
  const place: Place = { screen: 'close', key: row.reconciliation_id, periodId: period.id };
  const month = shortPeriod(period.name);
  if (isStale) {
    return [{ kind: 'stale', sentence: `${month} changed after it was signed`, verb: 'Look', next: 'Prepare again', place }];
  }
  const { doubts } = row.balance;
  const against = withMinus(listText(doubts));
  if (period.state === 'prepared') {
    const sentence = `${month} is prepared${doubts.length === 0 ? '' : `, although ${against}`}`;
    return [{ kind: 'review', sentence, verb: 'Review', next: `Review ${month}`, place }];
  }
  if (period.state === 'reviewed') {
    if (doubts.length === 0)
      return [{ kind: 'close', sentence: `${month} is reviewed and can be closed`, verb: 'Close', next: `Close ${month}`, place }];
    const sentence = `${month} is reviewed, and closing it wants a reason: ${against}`;
    return [{ kind: 'close', sentence, verb: 'Look', next: `Give a reason to close ${month}`, place }];
  }
  return period.state === 'open' ? onOpenPeriod(row, period, place) : [];
}

/** Returns the tasks in a reconciliation, the most urgent first. `isStale` says that data under the latest signature changed. */
export function needsOf(row: HomeRow, isStale: boolean): Need[] {
  return [...onBalance(row), ...onMatching(row), ...onPeriod(row, isStale)];
}

/** Returns the next step of a row: its most urgent task, or where to look. Null when there is nothing to do. */
export function nextStep(row: HomeRow, needs: readonly Need[]): Pick<Need, 'next' | 'place'> | null {
  const [first] = needs;
  if (first !== undefined) return first;
  const { reconciliation_id: id, open, period } = row;
  if (period !== null) return null;
  if (open > 0) return { next: `Look at ${counted(open, 'open line')}`, place: { screen: 'reconciliation', id } };
  return { next: 'Begin the close', place: { screen: 'close', key: id, periodId: null } };
}
