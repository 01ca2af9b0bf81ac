import { IdSet } from '../../collections/id-set.ts';
import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { intAt } from '../../collections/typed-arrays.ts';
import { logOddsOf, packWeight, weightOf } from '../../evidence/model/weight.ts';
import { idAt, pickRows, type RecordColumns, rowsWhere, weightAt, withoutIds } from '../../records/record-columns.ts';
import { type ReturnedLine, separationKey } from '../model/input.ts';
import type { EngineRule } from '../model/rule.ts';
import type { MatchCollector } from './match-columns.ts';

/** A line and its reversal, both of side A or both of side B. */
type ReturnedPair = ReturnedLine & { readonly isOfA: boolean };

interface Terms {
  readonly separations: ReadonlySet<string>;
  readonly rules: readonly EngineRule[];
  readonly signConvention: SignConvention;
}

interface Sides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

/** Most days between a line and its booking on the other side. */
const MOST_DAYS = 31;
/** Odds that a line whose text takes another line back means the one that was found, if no other line of the side has the amount. */
const ODDS = 19;
/** The line and its reversal. */
const PAIR = 2;

/**
 * Pairs of a line and its reversal on the same side, both free and not separated by a person. If the other side booked both as well, all rules see
 * them, and each is matched with its own counterpart. If it did not, the default rules see neither of them. Finally the two are proposed together,
 * unless another rule matched one of them.
 */
export class ReturnedLines {
  readonly #pairs: readonly ReturnedPair[];
  readonly #held: IdSet;
  readonly #ruleId: number | null;
  /** Whether that rule weighs evidence, so that its matches carry a likelihood. */
  readonly #isWeighed: boolean;

  constructor(lines: readonly ReturnedLine[], { a, b }: Sides, { separations, rules, signConvention }: Terms) {
    const own = rules.filter(({ isDefault }) => isDefault === true);
    const weighing = own.findLast(({ evidence }) => evidence !== undefined);
    this.#ruleId = (weighing ?? own.at(-1))?.id ?? null;
    this.#isWeighed = weighing !== undefined;
    const together = this.#ruleId === null ? [] : lines.filter((line) => !separations.has(keyOf(line)));
    const concerned = IdSet.of(together.flatMap(({ originalId, returnId }) => [originalId, returnId]));
    const [ofA, ofB] = [rowsAmong(a, concerned), rowsAmong(b, concerned)];
    this.#pairs = together.flatMap((line) => {
      const isOf = (rows: ReadonlyMap<number, number>): boolean => rows.has(line.originalId) && rows.has(line.returnId);
      const isOfA = isOf(ofA);
      return isOfA || isOf(ofB) ? [{ ...line, isOfA }] : [];
    });
    const across = clearedAcross(this.#pairs, { a: ofA, b: ofB }, { a, b }, signConvention);
    this.#held = IdSet.of(this.#pairs.flatMap((pair) => (across.has(pair) ? [] : [pair.originalId, pair.returnId])));
  }

  /** Returns the free records that a rule may match. */
  givenTo({ isDefault }: EngineRule, free: Sides): Sides {
    return isDefault !== true || this.#held.isEmpty ? free : { a: withoutIds(free.a, this.#held), b: withoutIds(free.b, this.#held) };
  }

  /** Returns the records that are free after a rule: those it left, and those withheld from it. */
  leftBy({ isDefault }: EngineRule, free: Sides, left: () => Sides): () => Sides {
    if (isDefault !== true || this.#held.isEmpty) return left;
    return () => {
      const after = left();
      return { a: this.#again(free.a, after.a), b: this.#again(free.b, after.b) };
    };
  }

  /** Returns the records of `free` that are withheld or left, in the order of `free`. `left` has the same order. */
  #again(free: RecordColumns, left: RecordColumns): RecordColumns {
    const stays = new Uint8Array(free.count);
    let next = 0;
    for (let row = 0; row < free.count; row += 1) {
      const id = idAt(free, row);
      const isLeft = next < left.count && idAt(left, next) === id;
      if (isLeft) next += 1;
      if (isLeft || this.#held.has(id)) stays[row] = 1;
    }
    return pickRows(free, rowsWhere(stays, 1));
  }

  /**
   * Proposes each line with its reversal if both are still free, the likelier the fewer lines of `all` have its amount. Returns the rule of these
   * proposals and their number, or null if there are no pairs.
   */
  propose(all: Sides, free: () => Sides, found: MatchCollector): { readonly ruleId: number; readonly proposed: number } | null {
    if (this.#pairs.length === 0 || this.#ruleId === null) return null;
    const { a, b } = free();
    const concerned = IdSet.of(this.#pairs.flatMap(({ originalId, returnId }) => [originalId, returnId]));
    const [ofA, ofB] = [rowsAmong(a, concerned), rowsAmong(b, concerned)];
    const ruleId = this.#ruleId;
    const before = found.length;
    const alike = this.#isWeighed ? { a: linesOfAmount(all.a, a), b: linesOfAmount(all.b, b) } : null;
    for (const { originalId, returnId, isOfA } of this.#pairs) {
      const ids = isOfA ? ofA : ofB;
      if (!ids.has(originalId) || !ids.has(returnId)) continue;
      const both = [originalId, returnId];
      const [aIds, bIds] = isOfA ? [both, []] : [[], both];
      const lines = alike?.[isOfA ? 'a' : 'b'](present(ids.get(originalId), 'row of a returned line'));
      const weight = lines === undefined ? {} : { weight: weightOfReturn(lines - PAIR) };
      found.add({ ruleId, aIds, bIds, status: 'proposed', certainty: 'unique', differenceMinor: 0, ...weight });
    }
    return { ruleId, proposed: found.length - before };
  }
}

/** Returns the packed weight of a line and its reversal. `others` is the number of other lines that have the amount. */
function weightOfReturn(others: number): number {
  const rivals = 1 / (1 + others);
  return packWeight(weightOf(logOddsOf(ODDS * rivals), [1, 1, 1, ODDS]));
}

/** Returns a function for the number of lines of a side that have the amount of a row of `free`, in either direction. */
function linesOfAmount(all: RecordColumns, free: RecordColumns): (row: number) => number {
  const keyAt = ({ names, currencies, decimalPlaces, amounts }: RecordColumns, row: number): string =>
    `${names[currencies[row] as number] ?? ''} ${decimalPlaces[row] as number} ${amounts[row] as number}`;
  const counts = new Map<string, number>();
  for (let row = 0; row < all.count; row += 1) counts.set(keyAt(all, row), (counts.get(keyAt(all, row)) ?? 0) + 1);
  return (row) => counts.get(keyAt(free, row)) ?? PAIR;
}

function keyOf({ originalId, returnId }: ReturnedLine): string {
  return separationKey([originalId, returnId]);
}

/** Returns rows of a side by id, for some ids. */
function rowsAmong(columns: RecordColumns, ids: IdSet): Map<number, number> {
  const found = new Map<number, number>();
  if (ids.isEmpty) return found;
  for (let row = 0; row < columns.count; row += 1) {
    const id = idAt(columns, row);
    if (ids.has(id)) found.set(id, row);
  }
  return found;
}

/** Returns the pairs whose line and reversal the other side booked as well. Each line of the other side counts for one pair. */
function clearedAcross(
  pairs: readonly ReturnedPair[],
  rows: { readonly a: ReadonlyMap<number, number>; readonly b: ReadonlyMap<number, number> },
  { a, b }: Sides,
  convention: SignConvention,
): Set<ReturnedPair> {
  const keyAt = (columns: RecordColumns, row: number, side: 'a' | 'b'): string =>
    `${columns.names[columns.currencies[row] as number] ?? ''} ${columns.decimalPlaces[row] as number} ${weightAt(columns, row, side, convention)}`;
  const wanted = { a: new Map<string, number[]>(), b: new Map<string, number[]>() };
  for (const { originalId, returnId, isOfA } of pairs) {
    const [own, columns, side] = isOfA ? ([rows.a, a, 'a'] as const) : ([rows.b, b, 'b'] as const);
    for (const id of [originalId, returnId])
      wanted[isOfA ? 'b' : 'a'].set(keyAt(columns, present(own.get(id), 'row of a returned line'), side), []);
  }
  for (const [columns, side] of [
    [a, 'a'],
    [b, 'b'],
  ] as const) {
    if (wanted[side].size === 0) continue;
    for (let row = 0; row < columns.count; row += 1) wanted[side].get(keyAt(columns, row, side))?.push(row);
  }
  const used = { a: new Set<number>(), b: new Set<number>() };
  const found = new Set<ReturnedPair>();
  for (const pair of pairs) {
    const [own, columns, side, others, other] = pair.isOfA ? ([rows.a, a, 'a', b, 'b'] as const) : ([rows.b, b, 'b', a, 'a'] as const);
    const [first, second] = [pair.originalId, pair.returnId].map((id) => {
      const row = present(own.get(id), 'row of a returned line');
      const near = (wanted[other].get(keyAt(columns, row, side)) ?? []).filter((each) => !used[other].has(each));
      const apart = (each: number): number => Math.abs(intAt(others.days, each) - intAt(columns.days, row));
      return near.filter((each) => apart(each) <= MOST_DAYS).toSorted((left, right) => apart(left) - apart(right) || left - right);
    });
    const original = first?.[0];
    const taken = second?.find((each) => each !== original);
    if (original === undefined || taken === undefined) continue;
    used[other].add(original).add(taken);
    found.add(pair);
  }
  return found;
}
