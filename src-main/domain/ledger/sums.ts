import { counted } from '../../../src-shared/values/english.ts';
import { itemAt } from '../collections/typed-arrays.ts';
import { greatestDivisor, sumsByChance } from '../evidence/groups/attempts.ts';
import { findSums } from '../groups/sums.ts';
import { type Found, idsOf } from './cause.ts';
import { type LedgerRecord, otherSide } from './input.ts';
import { amountText, partsText, sideName } from './ledger-words.ts';
import { CAUSE_LIMITS } from './limits.ts';
import { type Ground, keysOf, nearest } from './open-lines.ts';

/** Expected number of sums by chance: below the first figure hardly any; above the second a sum proves nothing, even if it is the only one. */
const RARE = 0.05;
const USUAL = 2;

/** Returns the causes that a sum gives for its total and for each of its parts. */
function ofSum(ground: Ground, total: LedgerRecord, parts: readonly LedgerRecord[], weight: number): [LedgerRecord, Found][] {
  const { input } = ground;
  const amount = (): string => amountText(total.amount, input.decimalPlaces);
  const whole = (): string =>
    `${counted(parts.length, 'line')} of ${sideName(input, otherSide(total.side))} add up to ${amount()}: ${partsText(input, parts)}.`;
  const found: [LedgerRecord, Found][] = [
    [total, { kind: 'adds_up', weight, amount: total.amount, recordIds: idsOf(parts), sentence: whole }],
  ];
  for (const part of parts) {
    const others = parts.filter((other) => other !== part);
    const sentence = (): string =>
      `With ${partsText(input, others)} it adds up to ${partsText(input, [total])} of ${sideName(input, total.side)}.`;
    found.push([part, { kind: 'adds_up', weight, amount: part.amount, recordIds: idsOf([total, ...others]), sentence }]);
  }
  return found;
}

/**
 * Finds lines of the other side near the item that add up to it. Returns nothing if there are none. A sum that may be due to chance gets a low
 * weight.
 */
export function sumsOf(ground: Ground, item: LedgerRecord): [LedgerRecord, Found][] {
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
  const weight = chance > USUAL || (isOpen && chance > RARE) ? 0.35 : chance > RARE || isOpen ? 0.62 : 0.84;
  return ofSum(ground, item, parts, weight);
}

const totalOf = (lines: readonly LedgerRecord[]): bigint => lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** Returns the causes for open lines of both sides that share a reference and add up to the same amount, once for each line. */
export function sumsOfReferences(ground: Ground): [LedgerRecord, Found][] {
  const found: [LedgerRecord, Found][] = [];
  const seen = new Set<string>();
  for (const { record } of ground.items) {
    for (const key of record.side === 'bank' ? keysOf(ground, record) : []) {
      if (seen.has(key)) continue;
      seen.add(key);
      const [bank, books] = [ground.open.bank.ofKey(key), ground.open.books.ofKey(key)];
      const isFew = bank.length <= CAUSE_LIMITS.linesOfReference && books.length <= CAUSE_LIMITS.linesOfReference;
      if (!isFew || books.length === 0 || bank.length + books.length < 3 || totalOf(bank) !== totalOf(books)) continue;
      found.push(...ofReference(ground, bank, books));
    }
  }
  return found;
}

function ofReference(ground: Ground, bank: readonly LedgerRecord[], books: readonly LedgerRecord[]): [LedgerRecord, Found][] {
  const [one, several] = bank.length === 1 ? [bank[0], books] : [books[0], bank];
  if (one !== undefined && (bank.length === 1 || books.length === 1)) return ofSum(ground, one, several, 0.98);
  const { input } = ground;
  const total = amountText(Number(totalOf(bank)), input.decimalPlaces);
  const sentence = (): string =>
    `The ${bank.length} lines of ${sideName(input, 'bank')} and the ${books.length} of ${sideName(input, 'books')} with this reference both add up to ${total}.`;
  return [...bank, ...books].map((line) => {
    const others = [...bank, ...books].filter((other) => other !== line);
    return [line, { kind: 'adds_up', weight: 0.9, amount: line.amount, recordIds: idsOf(others), sentence }];
  });
}
