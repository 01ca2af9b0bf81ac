import { capitalized, counted } from '../../../src-shared/values/english.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { itemAt } from '../collections/typed-arrays.ts';
import { isSwapped } from '../evidence/comparison/levels.ts';
import { greatestDivisor, sumsByChance } from '../evidence/groups/attempts.ts';
import { findSums } from '../groups/sums.ts';
import { clearingTimes, lateOf } from './ageing.ts';
import { bankLessBooks, type Cause, CAUSE_LIMITS, type CauseKind, type Causes, type Found, idsOf, type LookedAt, ranked } from './cause.ts';
import { type LedgerInput, type LedgerRecord, type LedgerSide, otherSide } from './input.ts';
import { amountText, labelOf, partsText, partText, sideHas, sideName } from './ledger-words.ts';
import { byImport, byWords, plainCause } from './plain-causes.ts';
import type { OpenItem, Statement } from './statement.ts';

const LOOKED_AT = 8;
const folded = (text: string | null): string => (text ?? '').trim().toUpperCase();

/** Returns how likely two lines of one side and amount are duplicates; 0 if only the amounts agree. */
function likeness(item: LedgerRecord, other: LedgerRecord): number {
  const [reference, otherReference] = [folded(item.reference), folded(other.reference)];
  if (reference !== otherReference) return 0;
  const isSameText = folded(item.description) === folded(other.description);
  const name = reference === '' && isSameText ? folded(item.description) : reference;
  if (name === '') return 0;
  // A number is used once, while `DD-RENT` is written each time.
  if (/\p{N}/u.test(name)) return item.day === other.day || reference !== '' ? 0.88 : 0.7;
  return isSameText && item.day === other.day ? 0.7 : 0.52;
}

/** Finds a duplicate on the item's own side, open or matched, within a few days. */
function repeats({ input, sameAmount }: Ground, item: LedgerRecord): Found[] {
  const lines = sameAmount[item.side].get(item.amount) ?? [];
  for (const other of lines.length < 2 ? [] : nearest(lines, item.day, CAUSE_LIMITS.repeatDays, LOOKED_AT)) {
    const weight = other.id === item.id ? 0 : likeness(item, other);
    if (weight === 0) continue;
    const [first, second] = [Math.min(item.day, other.day), Math.max(item.day, other.day)];
    const days =
      first === second
        ? phrase('ledger.causesOf.bothOn', { first: dayText(first) })
        : phrase('ledger.causesOf.onAndOn', { first: dayText(first), second: dayText(second) });
    const sentence = (): string =>
      `${capitalized(sideHas(input, item.side))} ${amountText(item.amount, input.decimalPlaces)} as ${labelOf(item) ?? phrase('ledger.causesOf.theSameLine')} twice: ${days}.`;
    return [{ kind: 'duplicate', weight, amount: item.amount, recordIds: [other.id], sentence }];
  }
  return [];
}

/** A difference of more than one part in this many of the larger amount is not a deduction. */
const MOST_APART = 4;

/** One line with the lines of the other side that share a reference with it. */
interface Documents {
  readonly one: LedgerRecord;
  readonly others: readonly LedgerRecord[];
}

/** Lines that name several lines of the other side, and the ids of all lines in such groups, which are not compared in pairs. */
interface DocumentsOfItems {
  readonly groups: readonly Documents[];
  readonly isGrouped: ReadonlySet<number>;
}

/** Returns the open lines of the other side that share a reference with a line, by day; null if there are too many. */
function namedBy(ground: Ground, line: LedgerRecord): LedgerRecord[] | null {
  const named = new Set<LedgerRecord>();
  for (const key of keysOf(ground, line)) {
    const lines = ground.open[otherSide(line.side)].ofKey(key);
    if (lines.length > CAUSE_LIMITS.documents) return null;
    for (const other of lines) named.add(other);
    if (named.size > CAUSE_LIMITS.documents) return null;
  }
  return [...named].toSorted(byDay);
}

/** Returns the groups of one line and several documents in which no other line names the documents. */
function documentsOf(ground: Ground): DocumentsOfItems {
  const groups: Documents[] = [];
  const isGrouped = new Set<number>();
  for (const { record: one } of ground.items) {
    const others = namedBy(ground, one);
    if (others === null || others.length < 2) continue;
    const isOwn = others.every((other) => {
      for (const key of keysOf(ground, other)) if (ground.open[one.side].ofKey(key).some(({ id }) => id !== one.id)) return false;
      return true;
    });
    if (!isOwn || !isNear(one.amount, totalOf(others))) continue;
    groups.push({ one, others });
    for (const { id } of [one, ...others]) isGrouped.add(id);
  }
  return { groups, isGrouped };
}

function totalOf(lines: readonly LedgerRecord[]): number {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** Returns whether one amount may be the other one after a deduction or a surcharge. */
function isNear(amount: number, total: number): boolean {
  if (amount < 0 !== total < 0 || !Number.isSafeInteger(total)) return false;
  return Math.abs(amount - total) * MOST_APART <= Math.max(Math.abs(amount), Math.abs(total));
}

/** Returns how far one line is from a total: `20.00 is missing`. */
function apartText(input: LedgerInput, one: LedgerRecord, total: number): string {
  const apart = Math.abs(one.amount) - Math.abs(total);
  return `${amountText(Math.abs(apart), input.decimalPlaces)} is ${apart < 0 ? 'missing' : phrase('ledger.causesOf.tooMuch')}`;
}

/** Returns the causes for one line and several lines of the other side that belong together, whether or not they add up. */
function ofTogether(
  { input }: Ground,
  { one, others }: Documents,
  weight: number,
  why: string,
): readonly (readonly [LedgerRecord, Found])[] {
  const total = totalOf(others);
  const written = (amount: number): string => amountText(amount, input.decimalPlaces);
  const isSum = total === one.amount;
  const amount = isSum ? one.amount : bankLessBooks(one, { ...one, side: otherSide(one.side), amount: total });
  const end = isSum ? '' : `; ${sideHas(input, one.side)} ${written(one.amount)}: ${apartText(input, one, total)}`;
  const kind = isSum ? 'adds_up' : 'amount_differs';
  const lines = `${counted(others.length, 'line')} of ${sideName(input, otherSide(one.side))}`;
  const whole = (): string =>
    phrase('ledger.causesOf.addUpTo', { lines: capitalized(lines), why, total: written(total), parts: partsText(input, others), end });
  const ofOne: Found = { kind, weight, amount, recordIds: idsOf(others), sentence: whole };
  return [
    [one, ofOne],
    ...others.map((part): readonly [LedgerRecord, Found] => {
      const rest = others.filter((other) => other !== part);
      const reaches = isSum
        ? phrase('ledger.causesOf.itAddsUpTo', { part: partText(input, one) })
        : phrase('ledger.causesOf.itComesTo', { total: written(total) });
      const sentence = (): string => {
        const label = labelOf(one);
        const ended = isSum ? ` of ${sideName(input, one.side)}` : `${end}${label === null ? '' : ` (${label})`}`;
        return `With ${partsText(input, rest)} ${reaches}${ended}.`;
      };
      return [part, { kind, weight, amount: isSum ? part.amount : amount, recordIds: idsOf([one, ...rest]), sentence }];
    }),
  ];
}

/** Returns the causes for payments that name several documents, for each of their lines. */
function ofDocuments(ground: Ground, { groups }: DocumentsOfItems): readonly (readonly [LedgerRecord, Found])[] {
  return groups.flatMap((group) =>
    ofTogether(ground, group, totalOf(group.others) === group.one.amount ? 0.98 : 0.94, phrase('ledger.causesOf.withItsReferences')),
  );
}

/** Requirements of a payout: least number of lines, their highest age in days, and the part (one in this many) that may be withheld. */
const PAYOUT = { lines: 3, days: 14, share: 20 } as const;

/**
 * Returns payouts: a receipt of the bank without another explanation, with all open receipts of the books since the receipt before it, if these sum
 * up to the same amount or slightly more, because a fee may be withheld.
 */
function payoutsOf({ open }: Ground, { isGrouped }: DocumentsOfItems, found: ReadonlyMap<number, readonly Found[]>): Documents[] {
  const isFree = ({ id }: LedgerRecord): boolean => !isGrouped.has(id) && (found.get(id) ?? []).every(({ weight }) => weight < SURE);
  return open.bank.receipts.flatMap((one, place, receipts) => {
    const before = receipts[place - 1]?.day ?? Number.NEGATIVE_INFINITY;
    if (before === one.day || receipts[place + 1]?.day === one.day || !isFree(one)) return [];
    const first = Math.max(before + 1, one.day - PAYOUT.days);
    const others = nearest(open.books.receipts, one.day, one.day - first, CAUSE_LIMITS.documents + 1).filter(({ day }) => day <= one.day);
    const total = totalOf(others);
    const kept = total - one.amount;
    const isPayout = others.length >= PAYOUT.lines && others.length <= CAUSE_LIMITS.documents && others.every(isFree);
    return isPayout && kept >= 0 && kept * PAYOUT.share <= total ? [{ one, others: others.toSorted(byDay) }] : [];
  });
}

/** Returns the lines of each undecided proposal, by side. */
function proposalsOf(
  input: LedgerInput,
  items: readonly OpenItem[],
): ReadonlyMap<number, Readonly<Record<'bank' | 'books', readonly LedgerRecord[]>>> {
  const wanted = new Set(items.flatMap(({ reason, matchId }) => (reason === 'proposed' && matchId !== null ? [matchId] : [])));
  if (wanted.size === 0) return new Map();
  const openById = new Map(items.map(({ record }) => [record.id, record]));
  return new Map(
    input.matches
      .filter(({ id, status }) => status === 'proposed' && wanted.has(id))
      .map(({ id, recordIds }) => {
        const lines = recordIds.flatMap((recordId) => openById.get(recordId) ?? []);
        const whole = lines.length === recordIds.length ? lines : [];
        return [id, { bank: whole.filter(({ side }) => side === 'bank'), books: whole.filter(({ side }) => side === 'books') }];
      }),
  );
}

/** Returns the causes for undecided proposals of one line of a side with several of the other. */
function ofProposals(ground: Ground, proposals: ReturnType<typeof proposalsOf>): readonly (readonly [LedgerRecord, Found])[] {
  return [...proposals.values()].flatMap(({ bank, books }) => {
    const [one, others] = bank.length === 1 ? [bank[0], books] : [books[0], bank];
    if (one === undefined || (bank.length !== 1 && books.length !== 1) || others.length < 2 || others.length > CAUSE_LIMITS.documents)
      return [];
    return ofTogether(ground, { one, others }, 0.985, phrase('ledger.causesOf.inAProposalThatWaits'));
  });
}

/** Most lines of one reference or of one amount that are examined. */
const MOST_CANDIDATES = 4;

/** Returns both amounts in words: `the books have -891.00, the bank -819.00`. */
function bothAmounts({ input }: Ground, item: LedgerRecord, other: LedgerRecord): string {
  const [bank, books] = item.side === 'bank' ? [item, other] : [other, item];
  const text = ({ amount }: LedgerRecord): string => amountText(amount, input.decimalPlaces);
  return `${sideHas(input, 'books')} ${text(books)}, ${sideName(input, 'bank')} ${text(bank)}`;
}

/** Returns a distance in words: `on the same day`, `3 days apart`. */
function daysApart(left: LedgerRecord, right: LedgerRecord): string {
  const days = Math.abs(left.day - right.day);
  return days === 0 ? phrase('ledger.causesOf.onTheSameDay') : `${counted(days, 'day')} apart`;
}

function cause(kind: CauseKind, weight: number, item: LedgerRecord, other: LedgerRecord, sentence: () => string): Found {
  const amount = item.amount === other.amount ? item.amount : bankLessBooks(item, other);
  return { kind, weight, amount, recordIds: [other.id], sentence };
}

function differenceText({ input }: Ground, item: LedgerRecord, other: LedgerRecord): string {
  return `(difference ${amountText(Math.abs(bankLessBooks(item, other)), input.decimalPlaces)})`;
}

function transposed(ground: Ground, item: LedgerRecord, other: LedgerRecord, weight: number): Found {
  const sentence = (): string =>
    phrase('ledger.causesOf.twoDigitsAreExchanged', {
      bothAmounts: capitalized(bothAmounts(ground, item, other)),
      difference: differenceText(ground, item, other),
    });
  return cause('transposed_digits', weight, item, other, sentence);
}

function reversed(ground: Ground, item: LedgerRecord, other: LedgerRecord, weight: number): Found {
  const sentence = (): string =>
    phrase('ledger.causesOf.theSignIsReversed', {
      bothAmounts: capitalized(bothAmounts(ground, item, other)),
      daysApart: daysApart(item, other),
      difference: differenceText(ground, item, other),
    });
  return cause('sign_reversed', weight, item, other, sentence);
}

/** Returns the cause for a line of the other side that has the same reference. */
function ofReference(ground: Ground, item: LedgerRecord, other: LedgerRecord): Found | null {
  const label = (): string => labelOf(item.reference === null ? other : item) ?? '';
  if (item.amount === other.amount) {
    const sentence = (): string =>
      phrase('ledger.causesOf.sameAmountWithTheSameReference', {
        sideHas: capitalized(sideHas(ground.input, other.side)),
        label: label(),
        daysApart: daysApart(item, other),
      });
    return cause('reference_differs', 0.97, item, other, sentence);
  }
  if (item.amount === -other.amount) return reversed(ground, item, other, 0.95);
  if (item.amount < 0 !== other.amount < 0) return null;
  if (isSwapped(Math.abs(item.amount), Math.abs(other.amount))) return transposed(ground, item, other, 0.96);
  const [small, large] = [Math.abs(item.amount), Math.abs(other.amount)].toSorted((left, right) => left - right);
  const isNear = (small ?? 0) * 2 >= (large ?? 0) && Math.abs(item.day - other.day) <= CAUSE_LIMITS.amountDays;
  const sentence = (): string =>
    phrase('ledger.causesOf.standsOnBothSides', {
      label: label(),
      bothAmounts: bothAmounts(ground, item, other),
      difference: differenceText(ground, item, other),
    });
  return cause('amount_differs', isNear ? 0.93 : 0.55, item, other, sentence);
}

/** Finds open lines of the other side with the item's reference. */
function byReference(ground: Ground, item: LedgerRecord): Found[] {
  const others = new Set<LedgerRecord>();
  for (const key of keysOf(ground, item)) {
    const lines = ground.open[otherSide(item.side)].ofKey(key);
    if (lines.length > CAUSE_LIMITS.linesOfReference) continue;
    for (const line of nearest(lines, item.day, CAUSE_LIMITS.referenceDays, MOST_CANDIDATES)) others.add(line);
  }
  return [...others].flatMap((other) => ofReference(ground, item, other) ?? []);
}

/** Returns both references in words: `the bank: TRF-998812, the books: TRF-5567`. */
function bothLabels({ input }: Ground, item: LedgerRecord, other: LedgerRecord): string {
  const [bank, books] = item.side === 'bank' ? [item, other] : [other, item];
  const [bankLabel, booksLabel] = [labelOf(bank), labelOf(books)];
  if (bankLabel === null && booksLabel === null) return phrase('ledger.causesOf.neitherHasAReference');
  return `${sideName(input, 'bank')}: ${bankLabel ?? phrase('ledger.causesOf.noReference')}, ${sideName(input, 'books')}: ${booksLabel ?? phrase('ledger.causesOf.noReference')}`;
}

/** Returns the sentence about two open lines of one amount. */
function sameAmountSentence(ground: Ground, item: LedgerRecord, other: LedgerRecord): string {
  const label = labelOf(item);
  const days = daysApart(item, other);
  if (label !== null && label.toLowerCase() === labelOf(other)?.toLowerCase())
    return phrase('ledger.causesOf.sameLineStandsOnBothSides', { daysApart: days, label });
  return phrase('ledger.causesOf.sameAmountStandsOnBothSides', { daysApart: days, bothLabels: bothLabels(ground, item, other) });
}

/** Finds open lines of the other side with the item's amount and another reference. */
function byAmount(ground: Ground, item: LedgerRecord): Found[] {
  if (item.amount === 0) return [];
  const others = nearest(ground.open[otherSide(item.side)].ofAmount(item.amount), item.day, CAUSE_LIMITS.amountDays, MOST_CANDIDATES);
  return others
    .filter((other) => !sharesKey(ground, item, other))
    .map((other) => {
      const days = Math.abs(item.day - other.day);
      const weight = Math.max(days > 10 ? 0.52 : 0.85 - 0.02 * days, 0.52) - (others.length > 1 ? 0.05 : 0);
      return cause('reference_differs', weight, item, other, () => sameAmountSentence(ground, item, other));
    });
}

/** Finds open lines of the other side with the item's amount and the opposite sign. */
function bySign(ground: Ground, item: LedgerRecord): Found[] {
  if (item.amount === 0) return [];
  return nearest(ground.open[otherSide(item.side)].ofAmount(0 - item.amount), item.day, CAUSE_LIMITS.repeatDays, 1)
    .filter((other) => !sharesKey(ground, item, other))
    .map((other) => reversed(ground, item, other, 0.6));
}

/** Returns all amounts that differ from one by a swap of two adjacent digits. */
function exchanged(amount: number): number[] {
  const digits = String(Math.abs(amount));
  const made = new Set<number>();
  for (let at = 0; at + 1 < digits.length; at += 1) {
    const swapped = `${digits.slice(0, at)}${digits.charAt(at + 1)}${digits.charAt(at)}${digits.slice(at + 2)}`;
    const value = Number(swapped) * Math.sign(amount);
    if (value !== amount && Number.isSafeInteger(value)) made.add(value);
  }
  return [...made];
}

/** Finds open lines of the other side, near by day, whose amount has two digits swapped. */
function byDigits(ground: Ground, item: LedgerRecord): Found[] {
  const lines = ground.open[otherSide(item.side)];
  return exchanged(item.amount).flatMap((amount) =>
    nearest(lines.ofAmount(amount), item.day, 10, 1)
      .filter((other) => !sharesKey(ground, item, other))
      .map((other) => transposed(ground, item, other, Math.abs(other.day - item.day) <= 3 ? 0.75 : 0.45)),
  );
}

/** Finds lines of the other side with the item's amount that are dated after the last day. */
function afterCutOff(ground: Ground, item: LedgerRecord): Found[] {
  if (item.amount === 0) return [];
  const { input } = ground;
  const others = nearest(ground.later[otherSide(item.side)].ofAmount(item.amount), item.day, CAUSE_LIMITS.referenceDays, MOST_CANDIDATES);
  return others.map((other) => {
    const isSame = sharesKey(ground, item, other);
    const days = other.day - input.period.to;
    const wait = other.day - item.day;
    const weight = isSame ? 0.95 : (wait <= 7 ? 0.72 : 0.54) - (others.length > 1 ? 0.05 : 0);
    const what = (): string =>
      isSame ? 'it' : phrase('ledger.causesOf.theSameAmount', { labelOf: labelOf(other) ?? phrase('ledger.causesOf.noReference') });
    const sentence = (): string =>
      phrase('ledger.causesOf.onDaysAfterTheLast', {
        sideHas: capitalized(sideHas(input, other.side)),
        what: what(),
        day: dayText(other.day),
        days,
      });
    return { kind: 'near_cut_off', weight, amount: item.amount, recordIds: [other.id], sentence };
  });
}

const FINDERS = [byReference, byAmount, byDigits, bySign, afterCutOff, repeats] as const;
/** Finders for a line that names several documents, or is one of them. */
const BUT_PAIRS = FINDERS.filter((finder) => finder !== byReference && finder !== byAmount && finder !== byDigits);
/** Highest weight of a cause that refers to other lines than those that a rule proposes. */
const BEHIND_PROPOSAL = 0.45;
/** No sums are searched for an item with a cause of at least this weight. */
const SURE = 0.8;

/** Returns the items to examine, in their order: all of them, or the largest. */
function lookedAtOf(items: readonly OpenItem[]): readonly OpenItem[] {
  if (items.length <= CAUSE_LIMITS.items) return items;
  const magnitudes = Float64Array.from(items, ({ record }) => Math.abs(record.amount)).toSorted();
  const least = magnitudes[magnitudes.length - CAUSE_LIMITS.items] ?? 0;
  // Items larger than the least magnitude all fit; `room` counts the places that are left for items of exactly that magnitude.
  let room = CAUSE_LIMITS.items - items.filter(({ record }) => Math.abs(record.amount) > least).length;
  return items.filter(({ record }) => {
    const magnitude = Math.abs(record.amount);
    if (magnitude === least) room -= 1;
    return magnitude > least || (magnitude === least && room >= 0);
  });
}

/** Returns, by match id, the records that are dated after the last day. */
function laterMembers({ matches, records, period }: LedgerInput, items: readonly OpenItem[]): ReadonlyMap<number, readonly LedgerRecord[]> {
  const wanted = new Set(items.flatMap(({ reason, matchId }) => (reason === 'reaches_past' && matchId !== null ? [matchId] : [])));
  if (wanted.size === 0) return new Map();
  const later = new Map(records.filter(({ day, isAdjustment }) => day > period.to && !isAdjustment).map((record) => [record.id, record]));
  return new Map(
    matches.filter(({ id }) => wanted.has(id)).map(({ id, recordIds }) => [id, recordIds.flatMap((recordId) => later.get(recordId) ?? [])]),
  );
}

/** Returns the cause for an item whose match reaches past the last day, which is the most certain cause. */
function byLateMatch(input: LedgerInput, { record }: OpenItem, later: readonly LedgerRecord[]): Found {
  const { to } = input.period;
  const last = later.reduce<LedgerRecord | null>((latest, line) => (latest === null || line.day > latest.day ? line : latest), null);
  const rest =
    last === null
      ? phrase('ledger.causesOf.aLineDatedAfter', { to: dayText(to) })
      : phrase('ledger.causesOf.aLineOfOfDays', {
          input: sideName(input, last.side),
          labelOf: labelOf(last) ?? phrase('ledger.causesOf.noReference'),
          day: dayText(last.day),
          day2: last.day - to,
        });
  return {
    kind: 'near_cut_off',
    weight: 1,
    amount: record.amount,
    recordIds: idsOf(later),
    sentence: () => phrase('ledger.causesOf.itIsMatchedWith', { rest }),
  };
}

/** Lowers the weight of causes that refer to other lines than those of a proposal, so that the latter come first. */
function asProposed(
  causes: readonly Found[],
  { bank, books }: Readonly<Record<'bank' | 'books', readonly LedgerRecord[]>>,
  item: LedgerRecord,
): Found[] {
  const partners = item.side === 'bank' ? books : bank;
  if (partners.length === 0) return [...causes];
  const ids = new Set(idsOf(partners));
  return causes.map((cause) =>
    cause.recordIds.some((id) => ids.has(id)) || cause.recordIds.length === 0
      ? cause
      : { ...cause, weight: Math.min(cause.weight, BEHIND_PROPOSAL) },
  );
}

function searchSums(ground: Ground, found: ReadonlyMap<number, Found[]>): { readonly sums: number; readonly sumsOf: number } {
  const unsure = ground.items.filter(({ record }) => (found.get(record.id) ?? []).every(({ weight }) => weight < SURE));
  const searched = unsure
    .toSorted((left, right) => Math.abs(right.record.amount) - Math.abs(left.record.amount))
    .slice(0, CAUSE_LIMITS.sums);
  for (const { record } of searched) for (const [line, cause] of sumsOf(ground, record)) found.get(line.id)?.push(cause);
  return { sums: searched.length, sumsOf: unsure.length };
}

function lookedAt(items: number, itemsOf: number, sums: number, sumsOf: number): LookedAt {
  const isAll = items === itemsOf && sums === sumsOf;
  const compared =
    items === itemsOf
      ? `all ${counted(itemsOf, phrase('ledger.causesOf.openItem'))}`
      : `the ${counted(items, 'largest', 'largest')} of ${counted(itemsOf, phrase('ledger.causesOf.openItem'))}`;
  const searched =
    sums === sumsOf
      ? phrase('ledger.causesOf.andSearchedSumsForEach')
      : phrase('ledger.causesOf.andSearchedSumsForTheLargest', { sums, sumsOf });
  return {
    items,
    itemsOf,
    sums,
    sumsOf,
    isAll,
    sentence: itemsOf === 0 ? phrase('ledger.causesOf.thereAreNoOpenItems') : phrase('ledger.causesOf.compared', { compared, searched }),
  };
}

/** Returns the likely causes of each open item, the likeliest first. */
export function causesOf(input: LedgerInput, { openItems, clearedMatches }: Pick<Statement, 'openItems' | 'clearedMatches'>): Causes {
  const items = lookedAtOf(openItems);
  const ground = groundOf(input, items);
  const documents = documentsOf(ground);
  const proposals = proposalsOf(input, items);
  const times = clearingTimes(input, { clearedMatches });
  const imports = new Map(input.imports.map((brought) => [brought.id, brought]));
  const later = laterMembers(input, openItems);
  const found = new Map<number, Found[]>();
  for (const item of items) {
    const causes: Found[] = [];
    // A line that belongs to several lines is not compared with each of them.
    const finders = documents.isGrouped.has(item.record.id) ? BUT_PAIRS : FINDERS;
    for (const finder of finders) causes.push(...finder(ground, item.record));
    if (item.reason === 'reaches_past') causes.push(byLateMatch(input, item, later.get(item.matchId ?? -1) ?? []));
    // Words are irrelevant for a line whose counterpart is known.
    if (causes.every(({ weight }) => weight < SURE)) causes.push(...byWords(input, item.record));
    causes.push(...byImport(input, imports, item.record));
    const proposal = item.reason === 'proposed' ? proposals.get(item.matchId ?? -1) : undefined;
    found.set(item.record.id, proposal === undefined ? causes : asProposed(causes, proposal, item.record));
  }
  const payouts = payoutsOf(ground, documents, found).flatMap((payout) =>
    ofTogether(ground, payout, 0.66, phrase('ledger.causesOf.sinceTheReceiptBeforeIt')),
  );
  const together = [...ofProposals(ground, proposals), ...ofDocuments(ground, documents), ...sumsOfReferences(ground), ...payouts];
  for (const [line, cause] of together) found.get(line.id)?.push(cause);
  const { sums, sumsOf } = searchSums(ground, found);
  const of = (item: OpenItem): readonly Cause[] => {
    const { record } = item;
    const known = found.get(record.id);
    const isLonely = known !== undefined && ground.open[otherSide(record.side)].ofAmount(record.amount).length === 0;
    return ranked([...(known ?? []), plainCause({ input, isLonely, late: lateOf(times, record) }, item)], CAUSE_LIMITS.causes);
  };
  return { of, lookedAt: lookedAt(items.length, openItems.length, sums, sumsOf) };
}

/** Expected number of sums by chance: below the first figure hardly any; above the second a sum proves nothing, even if it is the only one. */
const RARE = 0.05;
const USUAL = 2;

/** Returns the causes that a sum gives for its total and for each of its parts. */
function ofSum(ground: Ground, total: LedgerRecord, parts: readonly LedgerRecord[], weight: number): [LedgerRecord, Found][] {
  const { input } = ground;
  const amount = (): string => amountText(total.amount, input.decimalPlaces);
  const whole = (): string =>
    phrase('ledger.causesOf.linesOfAddUpTo', {
      parts: parts.length,
      input: sideName(input, otherSide(total.side)),
      amount: amount(),
      parts2: partsText(input, parts),
    });
  const found: [LedgerRecord, Found][] = [
    [total, { kind: 'adds_up', weight, amount: total.amount, recordIds: idsOf(parts), sentence: whole }],
  ];
  for (const part of parts) {
    const others = parts.filter((other) => other !== part);
    const sentence = (): string =>
      phrase('ledger.causesOf.withItAddsUp', {
        parts: partsText(input, others),
        parts2: partsText(input, [total]),
        input: sideName(input, total.side),
      });
    found.push([part, { kind: 'adds_up', weight, amount: part.amount, recordIds: idsOf([total, ...others]), sentence }]);
  }
  return found;
}

/**
 * Finds lines of the other side near the item that add up to it. Returns nothing if there are none. A sum that may be due to chance gets a low
 * weight.
 */
function sumsOf(ground: Ground, item: LedgerRecord): [LedgerRecord, Found][] {
  const { sumDays, sumLines, sumMembers, sumWork } = CAUSE_LIMITS;
  if (item.amount === 0) return [];
  const side = ground.open[otherSide(item.side)];
  const magnitude = Math.abs(item.amount);
  const near = nearest(item.amount < 0 ? side.payments : side.receipts, item.day, sumDays, sumLines * 2);
  const lines = near.filter(({ amount }) => amount !== 0 && Math.abs(amount) < magnitude).slice(0, sumLines);
  if (lines.length < 2) return [];
  const found = findSums({
    candidates: lines.map((line) => ({
      units: line.amount,
      days: Math.abs(line.day - item.day),
      likeness: () => `${line.day} ${line.reference ?? ''} ${line.description ?? ''}`,
    })),
    ranges: [{ low: item.amount, high: item.amount }],
    least: 2,
    most: sumMembers,
    work: sumWork,
    wanted: 1,
  });
  const best = found.combinations[0];
  if (best === undefined) return [];
  const parts = best.members.map((index) => itemAt(lines, index)).toSorted((left, right) => left.day - right.day || left.id - right.id);
  const values = lines.map(({ amount }) => amount);
  const chance = sumsByChance(values, item.amount, greatestDivisor(values, item.amount), parts.length);
  const isOpen = found.count > 1 || best.choice === 'open';
  const isUnsure = chance > RARE || isOpen || isScattered(item, parts);
  const weight = chance > USUAL || (isOpen && chance > RARE) ? 0.35 : isUnsure ? 0.62 : 0.84;
  return ofSum(ground, item, parts, weight);
}

/** The parts of a sum that begin and end more than this many days before and after its line are hardly one payment. */
const SCATTERED_DAYS = 3;

function isScattered({ day }: LedgerRecord, parts: readonly LedgerRecord[]): boolean {
  return parts.some((part) => part.day < day - SCATTERED_DAYS) && parts.some((part) => part.day > day + SCATTERED_DAYS);
}

const exactTotalOf = (lines: readonly LedgerRecord[]): bigint => lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** Returns the causes for open lines of both sides that share a reference and add up to the same amount, once for each line. */
function sumsOfReferences(ground: Ground): [LedgerRecord, Found][] {
  const found: [LedgerRecord, Found][] = [];
  const seen = new Set<string>();
  for (const { record } of ground.items) {
    for (const key of record.side === 'bank' ? keysOf(ground, record) : []) {
      if (seen.has(key)) continue;
      seen.add(key);
      const [bank, books] = [ground.open.bank.ofKey(key), ground.open.books.ofKey(key)];
      const isFew = bank.length <= CAUSE_LIMITS.linesOfReference && books.length <= CAUSE_LIMITS.linesOfReference;
      if (!isFew || books.length === 0 || bank.length + books.length < 3 || exactTotalOf(bank) !== exactTotalOf(books)) continue;
      found.push(...ofSharedReference(ground, bank, books));
    }
  }
  return found;
}

function ofSharedReference(ground: Ground, bank: readonly LedgerRecord[], books: readonly LedgerRecord[]): [LedgerRecord, Found][] {
  const [one, several] = bank.length === 1 ? [bank[0], books] : [books[0], bank];
  if (one !== undefined && (bank.length === 1 || books.length === 1)) return ofSum(ground, one, several, 0.98);
  const { input } = ground;
  const total = amountText(Number(exactTotalOf(bank)), input.decimalPlaces);
  const sentence = (): string =>
    phrase('ledger.causesOf.linesOfAndTheOfWithThisReference', {
      bank: bank.length,
      input: sideName(input, 'bank'),
      books: books.length,
      input2: sideName(input, 'books'),
      total,
    });
  return [...bank, ...books].map((line) => {
    const others = [...bank, ...books].filter((other) => other !== line);
    return [line, { kind: 'adds_up', weight: 0.9, amount: line.amount, recordIds: idsOf(others), sentence }];
  });
}

const PIECES = /[\p{L}\p{N}]+(?:[-/._#][\p{L}\p{N}]+)*/gu;
const DIGIT = /\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const CODE = /^(\p{L}+)(\d{4,})$/u;
const DIGITS = /^\d+$/;
const LEAST = 4;
/** A number of one digit after letters, such as `AB-9`. As a separate piece it names a document. */
const SHORT = /^\p{L}{2,}[-/._#]\p{N}$/u;
const LONGEST_WHOLE = 30;
const MOST_KEYS = 24;
const MOST_CHARACTERS = 300;

function compact(text: string): string {
  return text.toUpperCase().replaceAll(SEPARATORS, '');
}

function isKey(key: string): boolean {
  return key.length >= LEAST && DIGIT.test(key) && !YEAR.test(key);
}

/**
 * Returns the keys of a line, by which both sides are compared, without separators and in upper case: its whole reference (`DDRENT`), a description
 * of one word, and codes with a digit in either (`INV2214`). Years are left out, and so is anything shorter than four characters except `AB-9`.
 */
function referenceKeys({ reference, description }: Pick<LedgerRecord, 'reference' | 'description'>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [text, isReference] of [
    [reference ?? '', true],
    [description ?? '', false],
  ] as const) {
    const whole = text.trim();
    if (whole === '') continue;
    const key = whole.length <= LONGEST_WHOLE ? compact(whole) : '';
    if (isKey(key) || (key.length >= LEAST && (isReference || !/\s/.test(whole)))) keys.add(key);
    let before = '';
    for (const [piece] of whole.slice(0, MOST_CHARACTERS).matchAll(PIECES)) {
      if (keys.size >= MOST_KEYS) break;
      const code = compact(piece);
      if (isKey(code) || SHORT.test(piece)) keys.add(code);
      for (const part of piece.split('/')) {
        const named = inFull(compact(part), before);
        if (isKey(named) && keys.size < MOST_KEYS) keys.add(named);
        before = named;
      }
    }
  }
  return keys;
}

/** Returns a number that follows a code in a list in its full form: `300420` and `20` after `RG300419` are both `RG300420`. */
function inFull(part: string, before: string): string {
  const [, letters = '', digits = ''] = CODE.exec(before) ?? [];
  if (letters === '' || !DIGITS.test(part) || part.length > digits.length || part.length < 2) return part;
  return `${letters}${digits.slice(0, digits.length - part.length)}${part}`;
}

/** Lines ordered by day. */
type ByDay = readonly LedgerRecord[];

const NONE: ByDay = [];

function collect<K>(map: Map<K, LedgerRecord[]>, key: K, line: LedgerRecord): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [line]);
  else known.push(line);
}

function firstFrom(lines: ByDay, day: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(lines, middle).day < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the lines nearest to a day, at most `days` from it and at most `most`, the nearest first. */
function nearest(lines: ByDay, day: number, days: number, most: number): LedgerRecord[] {
  const found: LedgerRecord[] = [];
  if (lines.length === 0) return found;
  let after = firstFrom(lines, day);
  let before = after - 1;
  while (found.length < most) {
    const [left, right] = [lines[before], lines[after]];
    const isLeft = left !== undefined && (right === undefined || day - left.day < right.day - day);
    const next = isLeft ? left : right;
    if (next === undefined || Math.abs(next.day - day) > days) break;
    found.push(next);
    if (isLeft) before -= 1;
    else after += 1;
  }
  return found;
}

/** Lines of one side, indexed for the finders. */
class SideLines {
  readonly #byAmount = new Map<number, LedgerRecord[]>();
  readonly #byKey = new Map<string, LedgerRecord[]>();
  readonly receipts: LedgerRecord[] = [];
  readonly payments: LedgerRecord[] = [];

  /** Adds a line; lines must be added in the order of their days. */
  add(line: LedgerRecord, keys: ReadonlySet<string>): void {
    collect(this.#byAmount, line.amount, line);
    for (const key of keys) collect(this.#byKey, key, line);
    (line.amount < 0 ? this.payments : this.receipts).push(line);
  }

  ofAmount(amount: number): ByDay {
    return this.#byAmount.get(amount) ?? NONE;
  }

  ofKey(key: string): ByDay {
    return this.#byKey.get(key) ?? NONE;
  }
}

const sides = (): Record<LedgerSide, SideLines> => ({ bank: new SideLines(), books: new SideLines() });

/** Data that the finders share. */
interface Ground {
  readonly input: LedgerInput;
  readonly items: readonly OpenItem[];
  /** Open items that are examined. */
  readonly open: Readonly<Record<LedgerSide, SideLines>>;
  /** Lines dated after the last day that are in no match. */
  readonly later: Readonly<Record<LedgerSide, SideLines>>;
  /** All lines up to the last day with the amount of an open item, by side and amount. */
  readonly sameAmount: Readonly<Record<LedgerSide, ReadonlyMap<number, ByDay>>>;
  /** Keys of open items and later lines, by id. */
  readonly keys: ReadonlyMap<number, ReadonlySet<string>>;
}

const NO_KEYS: ReadonlySet<string> = new Set();

function keysOf({ keys }: Ground, { id }: LedgerRecord): ReadonlySet<string> {
  return keys.get(id) ?? NO_KEYS;
}

function sharesKey(ground: Ground, left: LedgerRecord, right: LedgerRecord): boolean {
  const others = keysOf(ground, right);
  for (const key of keysOf(ground, left)) if (others.has(key)) return true;
  return false;
}

/** Orders lines by day, then by id. */
function byDay(left: LedgerRecord, right: LedgerRecord): number {
  return left.day - right.day || left.id - right.id;
}

/** Indexes the lines once, so that no finder has to scan them. `items` holds those to examine, by day. */
function groundOf(input: LedgerInput, items: readonly OpenItem[]): Ground {
  const keys = new Map<number, ReadonlySet<string>>();
  const open = sides();
  const sameAmount = { bank: new Map<number, LedgerRecord[]>(), books: new Map<number, LedgerRecord[]>() };
  for (const { record } of items) {
    keys.set(record.id, referenceKeys(record));
    open[record.side].add(record, keysOfId(keys, record.id));
    sameAmount[record.side].set(record.amount, []);
  }
  const held = new Set<number>();
  for (const { status, recordIds } of input.matches) if (status === 'confirmed') for (const id of recordIds) held.add(id);
  const afterwards: LedgerRecord[] = [];
  for (const record of input.records) {
    if (record.isAdjustment) continue;
    if (record.day <= input.period.to) sameAmount[record.side].get(record.amount)?.push(record);
    else if (record.day <= input.period.to + CAUSE_LIMITS.cutOffDays && !held.has(record.id)) afterwards.push(record);
  }
  for (const side of [sameAmount.bank, sameAmount.books]) for (const [amount, lines] of side) side.set(amount, lines.toSorted(byDay));
  const later = sides();
  for (const record of afterwards.toSorted(byDay)) {
    keys.set(record.id, referenceKeys(record));
    later[record.side].add(record, keysOfId(keys, record.id));
  }
  return { input, items, open, later, sameAmount, keys };
}

function keysOfId(keys: ReadonlyMap<number, ReadonlySet<string>>, id: number): ReadonlySet<string> {
  return keys.get(id) ?? NO_KEYS;
}
