import type { AccountOff, BalanceBreak, LedgerInput, LedgerRecord, LedgerSide, SideBalances } from '../../domain/ledger/index.ts';
import { weekdaysIn } from '../../domain/statement/index.ts';
import type { StatedBalance } from '../store/close-reads.ts';
import type { EnteredBalance } from '../store/period-balances.ts';
import { type Anchor, type Holder, statedAnchors } from './anchors.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';

/** The origin of a balance: a person entered it for the period, a file or bank account states it, or it continues from an earlier balance. */
type BalanceSource = 'entered' | 'stated' | 'carried_forward';

interface Found {
  readonly amount: number;
  readonly source: BalanceSource;
  /** The day at whose beginning the balance was stated. For several accounts the earliest one. */
  readonly at: number;
  /** Whether a person or a client gave it at the bank account. */
  readonly isOfAccount: boolean;
}

/** Two different balances for one day. `counted` is the one in use. */
export interface Disagreement {
  readonly side: LedgerSide;
  /** The balances hold at the beginning of this day, counted since 1970-01-01. */
  readonly at: number;
  readonly counted: Anchor;
  readonly other: Anchor;
  /** The balance that a person entered for the period; it counts before both. Null if there is none. */
  readonly entered: number | null;
}

/** A balance that was entered for a day within the period, and the one that the lines up to that day give. Minor units. */
export interface ContradictedBalance {
  readonly side: LedgerSide;
  /** The balances hold at the beginning of this day, counted since 1970-01-01. */
  readonly at: number;
  readonly entered: number;
  readonly computed: number;
}

interface SideFound {
  readonly opening: Found | null;
  readonly stated: Found | null;
  /** Days between which balances stated within the period do not follow from each other. */
  readonly breaks: readonly BalanceBreak[];
  /** If there are several accounts: those whose own balances do not hold. */
  readonly offByAccount: readonly AccountOff[];
  /**
   * The day of the closing balance, if a working day lies between it and the end of the period and no later balance shows that nothing moved since.
   * Else null.
   */
  readonly earlierDay: number | null;
}

/** A balance that is stated now and differs from the one with which a closed period was signed. Minor units. */
export interface RestatedBalance {
  readonly side: LedgerSide;
  readonly which: 'opening' | 'closing';
  readonly signed: number;
  readonly now: number;
}

export interface FoundBalances {
  readonly sides: Readonly<Record<LedgerSide, SideFound>>;
  readonly disagreements: readonly Disagreement[];
  readonly contradicted: readonly ContradictedBalance[];
  /** Empty unless the period is closed. */
  readonly restatedSince: readonly RestatedBalance[];
}

interface Moved {
  readonly count: number;
  readonly total: number;
}

/** Sums the lines of some streams that are dated from `from` until before `before`. */
function movedBetween(records: readonly LedgerRecord[], streamIds: ReadonlySet<number>, from: number, before: number): Moved {
  let [count, total] = [0, 0];
  for (const { streamId, day, amount, isAdjustment } of records) {
    if (day < from || day >= before || isAdjustment || !streamIds.has(streamId)) continue;
    count += 1;
    total += amount;
  }
  return { count, total };
}

/** Returns the nearest stated balance that has no lines between it and a day, so that it holds on that day too; null if there is none. */
function nearestHoldingAt({ streamIds, anchors }: Holder, records: readonly LedgerRecord[], day: number): Dated | null {
  const byDistance = anchors.toSorted((left, right) => Math.abs(left.at - day) - Math.abs(right.at - day));
  const [before, after] = [byDistance.find(({ at }) => at <= day), byDistance.find(({ at }) => at > day)];
  for (const near of byDistance.filter((anchor) => anchor === before || anchor === after)) {
    if (movedBetween(records, streamIds, Math.min(near.at, day), Math.max(near.at, day)).count === 0) {
      return { at: near.at, amount: near.amount, isGiven: near.importId === null };
    }
  }
  return null;
}

/** A balance and the day at whose beginning it was stated. */
interface Dated extends Pick<Found, 'amount' | 'at'> {
  /** Whether no file states it: a person or a client gave it. Of several accounts: gave all of them. */
  readonly isGiven: boolean;
}

/** Returns the last balance stated on or before a day plus all lines since; null if there is none. */
function broughtTo({ streamIds, anchors }: Holder, records: readonly LedgerRecord[], day: number): Dated | null {
  const last = anchors
    .filter(({ at }) => at <= day)
    .reduce<Anchor | null>((one, other) => (one === null || other.at > one.at ? other : one), null);
  if (last === null) return null;
  return { at: last.at, amount: last.amount + movedBetween(records, streamIds, last.at, day).total, isGiven: last.importId === null };
}

/** Leaves out owners without lines and balances. */
function heldBy(holders: readonly Holder[], records: readonly LedgerRecord[]): Holder[] {
  return holders.filter(
    ({ anchors, streamIds }) =>
      anchors.length > 0 || records.some(({ streamId, isAdjustment }) => !isAdjustment && streamIds.has(streamId)),
  );
}

/** Returns the sum over all owners; null if one balance is unknown. */
function summed(holders: readonly Holder[], of: (holder: Holder) => Dated | null): Dated | null {
  if (holders.length === 0) return null;
  return holders.reduce<Dated | null>(
    (sum, holder) => {
      const found = of(holder);
      if (sum === null || found === null) return null;
      return { amount: sum.amount + found.amount, at: Math.min(sum.at, found.at), isGiven: sum.isGiven && found.isGiven };
    },
    { amount: 0, at: Number.POSITIVE_INFINITY, isGiven: true },
  );
}

/**
 * Returns the days between which the balances from the opening to the closing one do not follow from each other. Empty if none is stated between
 * these. If lines are missing or surplus in total, running balances of files narrow the days down.
 */
function breaksBetween(
  { streamIds, anchors, running }: Holder,
  records: readonly LedgerRecord[],
  opening: Pick<Found, 'amount' | 'at'>,
  closing: Pick<Found, 'amount' | 'at'>,
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

/** Returns by how much the change of an owner's balance over a period differs from its lines, and between which days. Minor units. */
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

/** Returns the balances that people entered for one side and currency, in the scale of the close. */
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

/** Returns the last balance entered for an earlier period plus all lines since; null if there is none. */
function carriedForward(
  earlier: readonly EnteredBalance[],
  records: readonly LedgerRecord[],
  streamIds: ReadonlySet<number>,
  day: number,
): Dated | null {
  const anchors = earlier.flatMap(({ first_day: first, last_day: last, opening, stated_closing: closing }) => [
    ...(closing === null || last >= day ? [] : [{ at: last + 1, amount: closing }]),
    ...(opening === null ? [] : [{ at: first, amount: opening }]),
  ]);
  const [last] = anchors.toSorted((left, right) => right.at - left.at);
  if (last === undefined) return null;
  return { at: last.at, amount: last.amount + movedBetween(records, streamIds, last.at, day).total, isGiven: true };
}

/** Returns the first balance that is known, with its source. */
function firstFound(...tries: readonly (readonly [BalanceSource, () => Dated | null])[]): Found | null {
  for (const [source, attempt] of tries) {
    const found = attempt();
    if (found === null) continue;
    const isOfAccount = source === 'stated' && found.isGiven;
    return { amount: found.amount, at: found.at, source: isOfAccount ? 'entered' : source, isOfAccount };
  }
  return null;
}

/**
 * Returns the owners for which different balances are stated for the beginning of a day. `entered`: the balance of that day which a person entered for
 * the period.
 */
function disagreementsAt(holders: readonly Holder[], side: LedgerSide, day: number, entered: number | null): Disagreement[] {
  return holders.flatMap(({ anchors }) => {
    const [counted, ...others] = anchors.filter(({ at }) => at === day);
    const other = others.find(({ amount }) => amount !== counted?.amount);
    return counted === undefined || other === undefined ? [] : [{ side, at: day, counted, other, entered }];
  });
}

/** Returns the balances given for days within a period that the lines since its opening balance contradict. */
function contradictedOf(
  { anchors, streamIds }: Holder,
  records: readonly LedgerRecord[],
  { first_day: first, last_day: last }: CloseSource['period'],
  { side, opening }: { readonly side: LedgerSide; readonly opening: number },
): ContradictedBalance[] {
  return anchors.flatMap(({ at, amount, importId }) => {
    if (importId !== null || at <= first || at > last) return [];
    const computed = opening + movedBetween(records, streamIds, first, at).total;
    return computed === amount ? [] : [{ side, at, entered: amount, computed }];
  });
}

/** Returns the balances of both sides at the beginning of the first day and at the end of the last one. */
export function balancesOf(
  source: CloseSource,
  lines: CurrencyLines,
  said: readonly StatedBalance[],
  entered: readonly EnteredBalance[],
): FoundBalances {
  const { first_day: first, last_day: last, id: periodId } = source.period;
  const disagreements: Disagreement[] = [];
  const contradicted: ContradictedBalance[] = [];
  const sideFound = (side: LedgerSide): SideFound => {
    const letter = (side === 'bank') === (source.bankSide === 'a') ? 'a' : 'b';
    const records = lines.records.filter((record) => record.side === side);
    const holders = heldBy(statedAnchors(source, side, lines, said), records);
    const streamIds = new Set(source.streams[side].map(({ id }) => id));
    const ofSide = enteredOf(entered, letter, lines);
    const own = ofSide.find(({ period_id: id }) => id === periodId);
    const earlier = ofSide.filter(({ period_id: id }) => id !== periodId);
    const heldAt = (day: number, least: number) => (holder: Holder) => {
      const usable = { ...holder, anchors: holder.anchors.filter(({ at }) => at >= least) };
      return nearestHoldingAt(usable, records, day);
    };
    const enteredAt = (amount: number | null | undefined, at: number): Dated | null =>
      amount === null || amount === undefined ? null : { amount, at, isGiven: true };
    disagreements.push(
      ...disagreementsAt(holders, side, first, own?.opening ?? null),
      ...disagreementsAt(holders, side, last + 1, own?.stated_closing ?? null),
    );
    const opening = firstFound(
      ['entered', () => enteredAt(own?.opening, first)],
      ['stated', () => summed(holders, heldAt(first, Number.NEGATIVE_INFINITY))],
      ['carried_forward', () => carriedForward(earlier, records, streamIds, first)],
      ['carried_forward', () => summed(holders, (holder) => broughtTo(holder, records, first))],
    );
    // A balance from before the period does not prove the one at its end.
    const stated = firstFound(
      ['entered', () => enteredAt(own?.stated_closing, last + 1)],
      ['stated', () => summed(holders, heldAt(last + 1, first + 1))],
    );
    const spans = holders.flatMap((holder) => {
      if (opening === null || stated === null) return [];
      if (holders.length === 1) return [spanOf(holder, records, source.period, opening.amount, stated.amount)];
      // If the balance of several accounts was entered as one, the share of each is unknown.
      if ((own?.opening ?? own?.stated_closing ?? null) !== null) return [];
      const begin = heldAt(first, Number.NEGATIVE_INFINITY)(holder) ?? broughtTo(holder, records, first);
      const end = heldAt(last + 1, first + 1)(holder);
      return begin === null || end === null ? [] : [spanOf(holder, records, source.period, begin.amount, end.amount)];
    });
    const [only] = holders;
    // A difference over the whole period says already where the balances break.
    if (only !== undefined && holders.length === 1 && opening !== null && spans.every(({ off }) => off === 0))
      contradicted.push(...contradictedOf(only, records, source.period, { side, opening: opening.amount }));
    const breaks = spans.flatMap((span) => span.breaks).toSorted((left, right) => left.from - right.from);
    const offByAccount = holders.length > 1 ? spans.flatMap(({ name, off }) => (off === 0 ? [] : [{ name, amount: off }])) : [];
    const endsEarly =
      stated !== null &&
      (own?.stated_closing ?? null) === null &&
      weekdaysIn({ firstDay: stated.at, lastDay: last }) > 0 &&
      holders.some(({ anchors }) => anchors.every(({ at }) => at <= last));
    return { opening, stated, breaks, offByAccount, earlierDay: endsEarly ? stated.at - 1 : null };
  };
  return { sides: { bank: sideFound('bank'), books: sideFound('books') }, disagreements, contradicted, restatedSince: [] };
}

/** The balance of an account at the end of a day, in minor units of the close. Null if no stated balance leads to it. */
export interface AccountBalance {
  readonly side: LedgerSide;
  readonly name: string;
  readonly streamKeys: readonly string[];
  readonly balance: number | null;
  readonly source: 'entered' | 'stated' | 'computed' | null;
}

type SideBalance = Readonly<Record<LedgerSide, Pick<SideFound, 'stated'> & { readonly balance: number | null }>>;

/**
 * Returns the balance of each account at the end of the last day. The only account of a side has the balance of its side. Of several, each has its own,
 * unless they were entered or signed as one and do not add up to that: then the share of each is unknown.
 */
export function accountBalancesOf(
  source: CloseSource,
  lines: CurrencyLines,
  said: readonly StatedBalance[],
  bySide: SideBalance,
): AccountBalance[] {
  const isClosed = source.period.state === 'closed';
  const end = source.period.last_day + 1;
  return (['bank', 'books'] as const).flatMap((side) => {
    const records = lines.records.filter((record) => record.side === side);
    const holders = heldBy(statedAnchors(source, side, lines, said), records);
    const { balance, stated } = bySide[side];
    const own = holders.map((holder) => {
      const found = nearestHoldingAt(holder, records, end);
      return { holder, stated: found, brought: found ?? broughtTo(holder, records, end) };
    });
    const sum = summed(holders, (holder) => own.find((one) => one.holder === holder)?.brought ?? null);
    const isSum = sum !== null && balance !== null && sum.amount === balance;
    return own.map(({ holder: { name, streamIds }, stated: found, brought }): AccountBalance => {
      const keys = source.streams[side].filter(({ id }) => streamIds.has(id)).map(({ key }) => key);
      const named = { side, name, streamKeys: keys };
      if (own.length === 1) {
        const from = balance === null ? null : stated === null ? 'computed' : stated.source === 'entered' ? 'entered' : 'stated';
        return { ...named, balance, source: from };
      }
      if (brought === null || (balance !== null && !isSum)) return { ...named, balance: null, source: null };
      // Which of several accounts had its balance from a person is not signed, so a closed period keeps the word that it was closed with.
      const origin = found === null ? 'computed' : found.isGiven && (!isClosed || stated?.source === 'entered') ? 'entered' : 'stated';
      return { ...named, balance: brought.amount, source: origin };
    });
  });
}

/** The balances of one side as they were signed, in minor units of the close. */
export interface SignedBalances {
  readonly opening: number | null;
  readonly closing: number | null;
  readonly stated_closing: number | null;
  readonly breaks: readonly BalanceBreak[];
  readonly lines_missing_by_account: readonly AccountOff[];
  /** Where its balances came from. Undefined if the period was signed before that was kept, when a balance given at an account was called stated. */
  readonly sources: { readonly opening: BalanceSource | null; readonly stated_closing: BalanceSource | null } | undefined;
}

/** Replaces the balances of a closed period by the signed ones, and lists those that files state differently since. */
export function asSigned(
  found: FoundBalances,
  signed: Readonly<Record<LedgerSide, SignedBalances>>,
  { from, to }: LedgerInput['period'],
): FoundBalances {
  const restatedSince: RestatedBalance[] = [];
  const kept = (now: Found | null, amount: number | null, at: number, source: BalanceSource | null | undefined): Found | null => {
    if (amount === null) return null;
    const held = now?.amount === amount ? now : { amount, source: 'stated' as const, at, isOfAccount: false };
    return { ...held, source: source ?? (held.isOfAccount ? 'stated' : held.source) };
  };
  const ofSide = (side: LedgerSide): SideFound => {
    const { opening, stated } = found.sides[side];
    const was = signed[side];
    const compare = (which: RestatedBalance['which'], now: Found | null, then: number | null): void => {
      if (now !== null && then !== null && now.amount !== then) restatedSince.push({ side, which, signed: then, now: now.amount });
    };
    compare('opening', opening, was.opening);
    compare('closing', stated, was.stated_closing ?? was.closing);
    const closing = kept(stated, was.stated_closing, to + 1, was.sources?.stated_closing);
    const earlierDay = closing !== null && closing.amount === stated?.amount ? found.sides[side].earlierDay : null;
    return {
      opening: kept(opening, was.opening, from, was.sources?.opening),
      stated: closing,
      breaks: was.breaks,
      offByAccount: was.lines_missing_by_account,
      earlierDay,
    };
  };
  return {
    sides: { bank: ofSide('bank'), books: ofSide('books') },
    disagreements: found.disagreements,
    contradicted: found.contradicted,
    restatedSince,
  };
}

/** Returns the balances in the form that the domain takes. */
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
