import { isSwapped } from '../evidence/comparison/compare-amounts.ts';
import { bankLessBooks, type CauseKind, type Found } from './cause.ts';
import { type LedgerRecord, otherSide } from './input.ts';
import { amountText, begun, counted, dayText, labelOf, sideHas, sideName } from './ledger-words.ts';
import { CAUSE_LIMITS } from './limits.ts';
import { type Ground, keysOf, nearest, sharesKey } from './open-lines.ts';

/** Lines of one reference or of one amount that are looked at. */
const FEW = 4;

/** `the books have -891.00, the bank -819.00` */
function bothAmounts({ input }: Ground, item: LedgerRecord, other: LedgerRecord): string {
  const [bank, books] = item.side === 'bank' ? [item, other] : [other, item];
  const text = ({ amount }: LedgerRecord): string => amountText(amount, input.decimalPlaces);
  return `${sideHas(input, 'books')} ${text(books)}, ${sideName(input, 'bank')} ${text(bank)}`;
}

/** `on the same day`, `3 days apart` */
function daysApart(left: LedgerRecord, right: LedgerRecord): string {
  const days = Math.abs(left.day - right.day);
  return days === 0 ? 'on the same day' : `${counted(days, 'day', 'days')} apart`;
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
    `${begun(bothAmounts(ground, item, other))}: two digits are exchanged ${differenceText(ground, item, other)}.`;
  return cause('transposed_digits', weight, item, other, sentence);
}

function reversed(ground: Ground, item: LedgerRecord, other: LedgerRecord, weight: number): Found {
  const sentence = (): string =>
    `${begun(bothAmounts(ground, item, other))} ${daysApart(item, other)}: the sign is reversed ${differenceText(ground, item, other)}.`;
  return cause('sign_reversed', weight, item, other, sentence);
}

/** A line of the other side that has the same reference. */
function ofReference(ground: Ground, item: LedgerRecord, other: LedgerRecord): Found | null {
  const label = (): string => labelOf(item.reference === null ? other : item) ?? '';
  if (item.amount === other.amount) {
    const sentence = (): string =>
      `${begun(sideHas(ground.input, other.side))} the same amount with the same reference (${label()}) ${daysApart(item, other)}: only the match is missing.`;
    return cause('reference_differs', 0.97, item, other, sentence);
  }
  if (item.amount === -other.amount) return reversed(ground, item, other, 0.95);
  if (item.amount < 0 !== other.amount < 0) return null;
  if (isSwapped(Math.abs(item.amount), Math.abs(other.amount))) return transposed(ground, item, other, 0.96);
  const [small, large] = [Math.abs(item.amount), Math.abs(other.amount)].toSorted((left, right) => left - right);
  const isNear = (small ?? 0) * 2 >= (large ?? 0) && Math.abs(item.day - other.day) <= CAUSE_LIMITS.amountDays;
  const sentence = (): string =>
    `${label()} stands on both sides: ${bothAmounts(ground, item, other)} ${differenceText(ground, item, other)}.`;
  return cause('amount_differs', isNear ? 0.93 : 0.55, item, other, sentence);
}

/** Open lines of the other side with the item's reference. */
export function byReference(ground: Ground, item: LedgerRecord): Found[] {
  const others = new Set<LedgerRecord>();
  for (const key of keysOf(ground, item)) {
    const lines = ground.open[otherSide(item.side)].ofKey(key);
    if (lines.length > CAUSE_LIMITS.linesOfReference) continue;
    for (const line of nearest(lines, item.day, CAUSE_LIMITS.referenceDays, FEW)) others.add(line);
  }
  return [...others].flatMap((other) => ofReference(ground, item, other) ?? []);
}

/** `the bank has TRF-998812, the books have TRF-5567` */
function bothLabels({ input }: Ground, item: LedgerRecord, other: LedgerRecord): string {
  const [bank, books] = item.side === 'bank' ? [item, other] : [other, item];
  const [bankLabel, booksLabel] = [labelOf(bank), labelOf(books)];
  if (bankLabel === null && booksLabel === null) return 'neither has a reference';
  return `${sideName(input, 'bank')}: ${bankLabel ?? 'no reference'}, ${sideName(input, 'books')}: ${booksLabel ?? 'no reference'}`;
}

/** Open lines of the other side with the item's amount and another reference. */
export function byAmount(ground: Ground, item: LedgerRecord): Found[] {
  if (item.amount === 0) return [];
  const others = nearest(ground.open[otherSide(item.side)].ofAmount(item.amount), item.day, CAUSE_LIMITS.amountDays, FEW);
  return others
    .filter((other) => !sharesKey(ground, item, other))
    .map((other) => {
      const days = Math.abs(item.day - other.day);
      const weight = Math.max(days > 10 ? 0.52 : 0.85 - 0.02 * days, 0.52) - (others.length > 1 ? 0.05 : 0);
      const sentence = (): string =>
        `The same amount stands on both sides ${daysApart(item, other)}, under other words (${bothLabels(ground, item, other)}).`;
      return cause('reference_differs', weight, item, other, sentence);
    });
}

/** Open lines of the other side with the item's amount and the other sign. */
export function bySign(ground: Ground, item: LedgerRecord): Found[] {
  if (item.amount === 0) return [];
  return nearest(ground.open[otherSide(item.side)].ofAmount(0 - item.amount), item.day, CAUSE_LIMITS.repeatDays, 1)
    .filter((other) => !sharesKey(ground, item, other))
    .map((other) => reversed(ground, item, other, 0.6));
}

/** All amounts that exchanging two neighbouring digits makes of one. */
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

/** Open lines of the other side, near by day, whose amount has two digits exchanged. */
export function byDigits(ground: Ground, item: LedgerRecord): Found[] {
  const lines = ground.open[otherSide(item.side)];
  return exchanged(item.amount).flatMap((amount) =>
    nearest(lines.ofAmount(amount), item.day, 10, 1)
      .filter((other) => !sharesKey(ground, item, other))
      .map((other) => transposed(ground, item, other, Math.abs(other.day - item.day) <= 3 ? 0.75 : 0.45)),
  );
}

/** Lines of the other side with the item's amount that are dated after the last day. */
export function afterCutOff(ground: Ground, item: LedgerRecord): Found[] {
  if (item.amount === 0) return [];
  const { input } = ground;
  const others = nearest(ground.later[otherSide(item.side)].ofAmount(item.amount), item.day, CAUSE_LIMITS.referenceDays, FEW);
  return others.map((other) => {
    const isSame = sharesKey(ground, item, other);
    const days = other.day - input.period.to;
    const wait = other.day - item.day;
    const weight = isSame ? 0.95 : (wait <= 7 ? 0.72 : 0.54) - (others.length > 1 ? 0.05 : 0);
    const what = (): string => (isSame ? 'it' : `the same amount (${labelOf(other) ?? 'no reference'})`);
    const sentence = (): string =>
      `${begun(sideHas(input, other.side))} ${what()} on ${dayText(other.day)}, ${counted(days, 'day', 'days')} after the last day of the period.`;
    return { kind: 'near_cut_off', weight, amount: item.amount, recordIds: [other.id], sentence };
  });
}
