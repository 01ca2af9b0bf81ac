import type { Output, ReconciliationSummary, SyncConflictLine } from '../../../src-shared/contract/index.ts';
import type { ConflictDetail, ConflictRecord } from '../store/conflict-detail.ts';
import { countWords, moneyOf, type SidesByStream } from './conflict-sides.ts';

type Effect = Output<'sync_conflicts.get'>['outcomes'][number]['effects'][number];
type Money = SyncConflictLine['money'];

/** Open lines of the reconciliation that a choice moves. */
export interface Figures {
  readonly summary: ReconciliationSummary;
  readonly sides: SidesByStream;
  /** -1 where both sides have the same sign, so that the difference is A less B. */
  readonly sign: 1 | -1;
}

/** Lines that are open after a choice and are not now, and the other way round. */
interface Change {
  readonly opened: readonly ConflictRecord[];
  readonly settled: readonly ConflictRecord[];
}

const without = (records: readonly ConflictRecord[], others: readonly ConflictRecord[]): ConflictRecord[] =>
  records.filter(({ local_id: id }) => id === null || !others.some((other) => other.local_id === id));

/** What a choice opens and settles in the book, all else as it is now. */
function changeOf(kind: string, { here, there }: ConflictDetail, choice: string): Change {
  const none: Change = { opened: [], settled: [] };
  if (kind === 'match') {
    if (choice === 'neither') return { opened: here.records, settled: [] };
    if (choice === 'keep_local') return none;
    return { opened: without(here.records, there.records), settled: without(there.records, here.records) };
  }
  if (kind === 'overlap') return choice === 'both' ? { opened: there.records, settled: [] } : none;
  if (choice !== 'take_remote') return none;
  if (kind === 'closed_period' && here.records.length + there.records.length > 1) {
    return here.gone ? { opened: [], settled: there.records } : { opened: here.records, settled: [] };
  }
  // A record: what stands there takes the place of what stands here.
  return { opened: there.records, settled: here.records };
}

interface Open {
  readonly count: number;
  readonly net: number;
}

function openNow(summary: ReconciliationSummary, side: 'a' | 'b', currency: string): Open {
  const total = summary[side === 'a' ? 'side_a' : 'side_b'].totals.find((each) => each.currency === currency);
  return { count: total?.unmatched ?? 0, net: total?.unmatched_net ?? 0 };
}

function movedBy(records: readonly ConflictRecord[], side: 'a' | 'b', sides: SidesByStream): Open {
  const own = records.filter(({ stream }) => sides.get(stream) === side);
  return { count: own.length, net: own.reduce((sum, { amount }) => sum + amount, 0) };
}

function names(records: readonly ConflictRecord[]): string {
  const shown = records.slice(0, 2).map(({ description, external_id: id }) => description ?? id ?? 'a line');
  return records.length > 2 ? `${shown.join(', ')} and ${records.length - 2} more` : shown.join(', ');
}

/** What a choice leads to in open lines and difference, in the currency of the lines. */
export function effectsOf(kind: string, detail: ConflictDetail, choice: string, { summary, sides, sign }: Figures): Effect[] {
  const [any] = [...detail.here.records, ...detail.there.records];
  if (any === undefined) return [];
  const change = changeOf(kind, detail, choice);
  const money = (amount: number): Money => ({ ...moneyOf(any), amount });
  const after = (side: 'a' | 'b'): Open => {
    const now = openNow(summary, side, any.currency);
    const [opened, settled] = [movedBy(change.opened, side, sides), movedBy(change.settled, side, sides)];
    return { count: now.count + opened.count - settled.count, net: now.net + opened.net - settled.net };
  };
  const now = { a: openNow(summary, 'a', any.currency), b: openNow(summary, 'b', any.currency) };
  const then = { a: after('a'), b: after('b') };
  const openRow = (side: 'a' | 'b'): Effect => ({
    label: `Open, side ${side.toUpperCase()}`,
    words: countWords(then[side].count),
    money: money(then[side].net),
    moves: then[side].count !== now[side].count || then[side].net !== now[side].net,
  });
  const difference = then.a.net + sign * then.b.net;
  const moves = difference !== now.a.net + sign * now.b.net;
  // Lines of a match open and are settled; a line by itself comes and goes.
  const isSet = kind === 'match' || (kind !== 'overlap' && (detail.here.records.length > 1 || detail.there.records.length > 1));
  const isMoved = kind === 'match' || kind === 'overlap' || detail.here.gone || detail.there.gone;
  const rows = [
    openRow('a'),
    openRow('b'),
    { label: sign === -1 ? 'Difference, A − B' : 'Difference, A + B', words: moves ? 'moves' : 'as now', money: money(difference), moves },
  ];
  // A line that is the same one on both sides neither opens nor is settled.
  if (!isMoved) return rows;
  return [
    ...rows,
    {
      label: isSet ? 'Opens again' : 'Comes',
      words: change.opened.length === 0 ? 'nothing' : names(change.opened),
      money: null,
      moves: change.opened.length > 0,
    },
    {
      label: isSet ? 'Is settled' : 'Goes',
      words: change.settled.length === 0 ? 'nothing' : names(change.settled),
      money: null,
      moves: change.settled.length > 0,
    },
  ];
}

/** Of fields: what would stand on both sides. */
export function fieldEffects(detail: ConflictDetail, choice: string): Effect[] {
  const { here, there } = detail;
  const [own, other] = choice === 'take_remote' ? [there, here] : [here, there];
  if (own.gone) return [{ label: 'On both sides', words: 'deleted', money: null, moves: choice === 'take_remote' }];
  const others = new Map(other.fields.map(({ name, words }) => [name, words]));
  const differing = own.fields.filter(({ name, words }) => others.get(name) !== words);
  return differing.map(({ name, words }) => ({
    label: name.replaceAll('_', ' '),
    words: words === 'null' ? 'none' : words,
    money: null,
    moves: choice === 'take_remote',
  }));
}

/** Of a balance, in the currency of its account. */
export function balanceEffects(detail: ConflictDetail, choice: string, moneyOfCents: (cents: number) => Money | null): Effect[] {
  const cents = ({ fields }: ConflictDetail['here']): number => Number(fields.find(({ name }) => name === 'amount_cents')?.words ?? 0);
  const [own, now] = [choice === 'take_remote' ? detail.there : detail.here, detail.here];
  if (own.gone) return [{ label: 'On both sides', words: 'deleted', money: null, moves: choice === 'take_remote' }];
  const moves = now.gone || cents(own) !== cents(now);
  return [
    { label: 'Balance', words: moves ? 'moves' : 'as now', money: moneyOfCents(cents(own)), moves },
    ...(now.gone ? [] : [{ label: 'Moves by', words: '', money: moneyOfCents(cents(own) - cents(now)), moves }]),
  ];
}
