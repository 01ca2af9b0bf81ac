import type { AccountOff, BalanceBreak, LedgerInput, LedgerRecord, LedgerSide, SideBalances } from '../../domain/ledger/index.ts';
import { weekdaysIn } from '../../domain/statement/index.ts';
import type { SaidBalance } from '../store/close-reads.ts';
import type { EnteredBalance } from '../store/period-balances.ts';
import { type Anchor, type Holder, statedAnchors } from './anchors.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';

/** Where a balance comes from: a person entered it for the period, a file or the bank account states it, or it goes on from an earlier one. */
export type BalanceSource = 'entered' | 'stated' | 'carried_forward';

interface Found {
  readonly amount: number;
  readonly source: BalanceSource;
  /** The balance was stated for the beginning of this day; of several accounts the earliest. */
  readonly at: number;
}

/** Two balances for one day. Days since 1970-01-01; amounts in minor units, the first one counts. */
export interface Disagreement {
  readonly side: LedgerSide;
  /** The balance holds at the beginning of this day. */
  readonly at: number;
  readonly counted: Anchor;
  readonly other: Anchor;
}

interface SideFound {
  readonly opening: Found | null;
  readonly stated: Found | null;
  /** Between which days the balances that are stated within the period do not follow from each other. */
  readonly breaks: readonly BalanceBreak[];
  /** Of several accounts, those whose own balances do not hold. */
  readonly offByAccount: readonly AccountOff[];
  /** The day for which the closing balance was stated, where a working day lies between it and the end and no later balance says that nothing moved since. */
  readonly earlierDay: number | null;
}

/** A balance that is stated by now, but not the one that a closed period was signed with. Minor units. */
export interface SaidSince {
  readonly side: LedgerSide;
  readonly which: 'opening' | 'closing';
  readonly signed: number;
  readonly now: number;
}

export interface FoundBalances {
  readonly sides: Readonly<Record<LedgerSide, SideFound>>;
  readonly disagreements: readonly Disagreement[];
  /** Of a closed period. */
  readonly saidSince: readonly SaidSince[];
}

interface Moved {
  readonly count: number;
  readonly total: number;
}

/** Lines of some streams dated from a day on and before another one. */
function movedBetween(records: readonly LedgerRecord[], streamIds: ReadonlySet<number>, from: number, before: number): Moved {
  let [count, total] = [0, 0];
  for (const { streamId, day, amount, isAdjustment } of records) {
    if (day < from || day >= before || isAdjustment || !streamIds.has(streamId)) continue;
    count += 1;
    total += amount;
  }
  return { count, total };
}

/** The nearest stated balance without lines between it and a day: it holds on that day as well. */
function standingAt({ streamIds, anchors }: Holder, records: readonly LedgerRecord[], day: number): Anchor | null {
  const byDistance = anchors.toSorted((left, right) => Math.abs(left.at - day) - Math.abs(right.at - day));
  const [before, after] = [byDistance.find(({ at }) => at <= day), byDistance.find(({ at }) => at > day)];
  for (const near of byDistance.filter((anchor) => anchor === before || anchor === after)) {
    if (movedBetween(records, streamIds, Math.min(near.at, day), Math.max(near.at, day)).count === 0) return near;
  }
  return null;
}

/** A balance, and the day at whose beginning somebody stated it. */
type Dated = Pick<Found, 'amount' | 'at'>;

/** The last stated balance before a day, with all lines since. */
function broughtTo({ streamIds, anchors }: Holder, records: readonly LedgerRecord[], day: number): Dated | null {
  const last = anchors
    .filter(({ at }) => at <= day)
    .reduce<Anchor | null>((one, other) => (one === null || other.at > one.at ? other : one), null);
  return last === null ? null : { at: last.at, amount: last.amount + movedBetween(records, streamIds, last.at, day).total };
}

/** Holders that have anything: one without lines and balances is left out. */
function heldBy(holders: readonly Holder[], records: readonly LedgerRecord[]): Holder[] {
  return holders.filter(
    ({ anchors, streamIds }) =>
      anchors.length > 0 || records.some(({ streamId, isAdjustment }) => !isAdjustment && streamIds.has(streamId)),
  );
}

/** The sum over all holders; null if the balance of one is not known. */
function summed(holders: readonly Holder[], of: (holder: Holder) => Dated | null): Dated | null {
  if (holders.length === 0) return null;
  return holders.reduce<Dated | null>(
    (sum, holder) => {
      const found = of(holder);
      return sum === null || found === null ? null : { amount: sum.amount + found.amount, at: Math.min(sum.at, found.at) };
    },
    { amount: 0, at: Number.POSITIVE_INFINITY },
  );
}

/**
 * Between which days the balances from the first one to the last one do not follow from each other; nothing where none is stated between them. Where lines are
 * missing, or too many, the running balances of files say where.
 */
function breaksBetween(
  { streamIds, anchors, running }: Holder,
  records: readonly LedgerRecord[],
  opening: Dated,
  closing: Dated,
): BalanceBreak[] {
  const movedTo = (from: number, before: number): number => movedBetween(records, streamIds, from, before).total;
  const isWhole = opening.amount + movedTo(opening.at, closing.at) === closing.amount;
  const between = [...anchors, ...(isWhole ? [] : running)]
    .filter(({ at }) => at > opening.at && at < closing.at)
    .toSorted((left, right) => left.at - right.at);
  const chain = [opening, ...between, closing].filter(({ at }, place, all) => at !== all[place - 1]?.at);
  if (chain.length < 3) return [];
  return chain.flatMap((later, place) => {
    const earlier = chain[place - 1];
    if (earlier === undefined) return [];
    const amount = later.amount - earlier.amount - movedTo(earlier.at, later.at);
    if (amount === 0) return [];
    const from = running.find(({ at, breaksFrom }) => at === later.at && breaksFrom !== null)?.breaksFrom ?? earlier.at;
    return [{ from, to: later.at - 1, amount }];
  });
}

/** Returns by how much the balances of a holder at both ends of a period are apart beyond its lines, and between which days. Minor units. */
function spanOf(
  holder: Holder,
  records: readonly LedgerRecord[],
  { first_day: first, last_day: last }: CloseSource['period'],
  opening: number,
  closing: number,
): { readonly name: string; readonly off: number; readonly breaks: readonly BalanceBreak[] } {
  const off = closing - opening - movedBetween(records, holder.streamIds, first, last + 1).total;
  return {
    name: holder.name,
    off,
    breaks: breaksBetween(holder, records, { amount: opening, at: first }, { amount: closing, at: last + 1 }),
  };
}

/** What people entered for one side in one currency, in the scale of the close. */
function enteredOf(
  entered: readonly EnteredBalance[],
  side: 'a' | 'b',
  { currency, decimalPlaces }: CurrencyLines,
): readonly EnteredBalance[] {
  return entered
    .filter((balance) => balance.side === side && balance.currency === currency)
    .map((balance) => {
      const scaled = (amount: number | null): number | null =>
        amount === null ? null : Math.round(amount * 10 ** (decimalPlaces - balance.decimal_places));
      return { ...balance, opening: scaled(balance.opening), stated_closing: scaled(balance.stated_closing) };
    });
}

/** What was entered last before the period, for an earlier one, with all lines since. */
function carriedForward(
  earlier: readonly EnteredBalance[],
  records: readonly LedgerRecord[],
  streamIds: ReadonlySet<number>,
  day: number,
): Dated | null {
  const anchors = earlier.flatMap(({ first_day: first, last_day: last, opening, stated_closing: closing }) => [
    ...(closing === null ? [] : [{ at: last + 1, amount: closing }]),
    ...(opening === null ? [] : [{ at: first, amount: opening }]),
  ]);
  const [last] = anchors.toSorted((left, right) => right.at - left.at);
  return last === undefined ? null : { at: last.at, amount: last.amount + movedBetween(records, streamIds, last.at, day).total };
}

/** The first of several balances that is known, with its source. */
function firstFound(...tries: readonly (readonly [BalanceSource, () => Dated | null])[]): Found | null {
  for (const [source, attempt] of tries) {
    const found = attempt();
    if (found !== null) return { ...found, source };
  }
  return null;
}

/** Stated balances for the beginning of a day of which not all are the same. */
function disagreementsAt(holders: readonly Holder[], side: LedgerSide, day: number): Disagreement[] {
  return holders.flatMap(({ anchors }) => {
    const [counted, ...others] = anchors.filter(({ at }) => at === day);
    const other = others.find(({ amount }) => amount !== counted?.amount);
    return counted === undefined || other === undefined ? [] : [{ side, at: day, counted, other }];
  });
}

/** The balances of both sides at the beginning of the first day and at the end of the last one. */
export function balancesOf(
  source: CloseSource,
  lines: CurrencyLines,
  said: readonly SaidBalance[],
  entered: readonly EnteredBalance[],
): FoundBalances {
  const { first_day: first, last_day: last, id: periodId } = source.period;
  const disagreements: Disagreement[] = [];
  const sideFound = (side: LedgerSide): SideFound => {
    const letter = (side === 'bank') === (source.bankSide === 'a') ? 'a' : 'b';
    const records = lines.records.filter((record) => record.side === side);
    const holders = heldBy(statedAnchors(source, side, lines, said), records);
    const streamIds = new Set(source.streams[side].map(({ id }) => id));
    const ofSide = enteredOf(entered, letter, lines);
    const own = ofSide.find(({ period_id: id }) => id === periodId);
    const earlier = ofSide.filter(({ period_id: id }) => id !== periodId);
    const stands = (day: number, least: number) => (holder: Holder) => {
      const usable = { ...holder, anchors: holder.anchors.filter(({ at }) => at >= least) };
      return standingAt(usable, records, day);
    };
    const enteredAt = (amount: number | null | undefined, at: number): Dated | null =>
      amount === null || amount === undefined ? null : { amount, at };
    disagreements.push(...disagreementsAt(holders, side, first), ...disagreementsAt(holders, side, last + 1));
    const opening = firstFound(
      ['entered', () => enteredAt(own?.opening, first)],
      ['stated', () => summed(holders, stands(first, Number.NEGATIVE_INFINITY))],
      ['carried_forward', () => carriedForward(earlier, records, streamIds, first)],
      ['carried_forward', () => summed(holders, (holder) => broughtTo(holder, records, first))],
    );
    // A balance from before the period proves nothing of its end.
    const stated = firstFound(
      ['entered', () => enteredAt(own?.stated_closing, last + 1)],
      ['stated', () => summed(holders, stands(last + 1, first + 1))],
    );
    const spans = holders.flatMap((holder) => {
      if (opening === null || stated === null) return [];
      if (holders.length === 1) return [spanOf(holder, records, source.period, opening.amount, stated.amount)];
      // Nobody says what each of several accounts held where the balance of all together was entered.
      if (opening.source === 'entered' || stated.source === 'entered') return [];
      const begin = stands(first, Number.NEGATIVE_INFINITY)(holder) ?? broughtTo(holder, records, first);
      const end = stands(last + 1, first + 1)(holder);
      return begin === null || end === null ? [] : [spanOf(holder, records, source.period, begin.amount, end.amount)];
    });
    const breaks = spans.flatMap((span) => span.breaks).toSorted((left, right) => left.from - right.from);
    const offByAccount = holders.length > 1 ? spans.flatMap(({ name, off }) => (off === 0 ? [] : [{ name, amount: off }])) : [];
    const endsEarly =
      stated?.source === 'stated' &&
      weekdaysIn({ firstDay: stated.at, lastDay: last }) > 0 &&
      holders.some(({ anchors }) => anchors.every(({ at }) => at <= last));
    return { opening, stated, breaks, offByAccount, earlierDay: endsEarly ? stated.at - 1 : null };
  };
  return { sides: { bank: sideFound('bank'), books: sideFound('books') }, disagreements, saidSince: [] };
}

/** The balances of one side as they were signed. Minor units of the close. */
export interface SignedBalances {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly stated_closing: number | null;
  readonly breaks: readonly BalanceBreak[];
  readonly lines_missing_by_account: readonly AccountOff[];
}

/** The balances of a closed period are those that it was signed with, whatever files state since. */
export function asSigned(
  found: FoundBalances,
  signed: Readonly<Record<LedgerSide, SignedBalances>>,
  { from, to }: LedgerInput['period'],
): FoundBalances {
  const saidSince: SaidSince[] = [];
  const kept = (now: Found | null, amount: number | null, at: number): Found | null =>
    amount === null ? null : now?.amount === amount ? now : { amount, source: 'stated', at };
  const ofSide = (side: LedgerSide): SideFound => {
    const { opening, stated } = found.sides[side];
    const was = signed[side];
    const compare = (which: SaidSince['which'], now: Found | null, then: number | null): void => {
      if (now !== null && then !== null && now.amount !== then) saidSince.push({ side, which, signed: then, now: now.amount });
    };
    compare('opening', opening, was.opening);
    compare('closing', stated, was.stated_closing ?? was.closing);
    const closing = kept(stated, was.stated_closing, to + 1);
    const earlierDay = closing !== null && closing === stated ? found.sides[side].earlierDay : null;
    return {
      opening: kept(opening, was.opening, from),
      stated: closing,
      breaks: was.breaks,
      offByAccount: was.lines_missing_by_account,
      earlierDay,
    };
  };
  return { sides: { bank: ofSide('bank'), books: ofSide('books') }, disagreements: found.disagreements, saidSince };
}

/** As the domain takes them. */
export function ledgerBalances({ sides }: FoundBalances): LedgerInput['balances'] {
  const of = ({ opening, stated, breaks, offByAccount, earlierDay }: SideFound): SideBalances => ({
    opening: opening?.amount ?? null,
    stated: stated?.amount ?? null,
    breaks,
    offByAccount,
    earlierDay,
  });
  return { bank: of(sides.bank), books: of(sides.books) };
}
