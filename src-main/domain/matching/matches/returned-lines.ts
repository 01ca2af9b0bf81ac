import { IdSet } from '../../collections/id-set.ts';
import { idAt, pickRows, type RecordColumns, rowsWhere, withoutIds } from '../../records/record-columns.ts';
import { type ReturnedLine, separationKey } from '../model/input.ts';
import type { EngineRule } from '../model/rule.ts';
import type { MatchCollector } from './match-columns.ts';

interface Sides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

/**
 * Lines that are taken back by another one of their side, both free, and not taken apart by a person. Rules that Tieout began with tie neither of the two to the other side: in the end
 * they are proposed together, unless a person's own rule took one of them.
 */
export class ReturnedLines {
  readonly #pairs: readonly (ReturnedLine & { readonly isOfA: boolean })[];
  readonly #held: IdSet;
  readonly #ruleId: number | null;

  constructor(lines: readonly ReturnedLine[], { a, b }: Sides, separations: ReadonlySet<string>, rules: readonly EngineRule[]) {
    const own = rules.filter(({ isDefault }) => isDefault === true);
    this.#ruleId = (own.findLast(({ evidence }) => evidence !== undefined) ?? own.at(-1))?.id ?? null;
    const together = this.#ruleId === null ? [] : lines.filter((line) => !separations.has(keyOf(line)));
    const concerned = IdSet.of(together.flatMap(({ originalId, returnId }) => [originalId, returnId]));
    const [ofA, ofB] = [idsAmong(a, concerned), idsAmong(b, concerned)];
    this.#pairs = together.flatMap((line) => {
      const isOf = (ids: ReadonlySet<number>): boolean => ids.has(line.originalId) && ids.has(line.returnId);
      const isOfA = isOf(ofA);
      return isOfA || isOf(ofB) ? [{ ...line, isOfA }] : [];
    });
    this.#held = IdSet.of(this.#pairs.flatMap(({ originalId, returnId }) => [originalId, returnId]));
  }

  /** What a rule is given of the free records. */
  givenTo({ isDefault }: EngineRule, free: Sides): Sides {
    return isDefault !== true || this.#held.isEmpty ? free : { a: withoutIds(free.a, this.#held), b: withoutIds(free.b, this.#held) };
  }

  /** What is free after a rule: what it left of what it was given, and what was held back from it. */
  leftBy({ isDefault }: EngineRule, free: Sides, left: () => Sides): () => Sides {
    if (isDefault !== true || this.#held.isEmpty) return left;
    return () => {
      const after = left();
      return { a: this.#again(free.a, after.a), b: this.#again(free.b, after.b) };
    };
  }

  /** Records of `free` that are held back, and those that are left, which stand in the same order. */
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

  /** Proposes each line with what takes it back, as far as both are still free. Answers the rule that does so, and how many it proposed. */
  propose(free: () => Sides, found: MatchCollector): { readonly ruleId: number; readonly proposed: number } | null {
    if (this.#held.isEmpty || this.#ruleId === null) return null;
    const { a, b } = free();
    const [ofA, ofB] = [idsAmong(a, this.#held), idsAmong(b, this.#held)];
    const ruleId = this.#ruleId;
    const before = found.length;
    for (const { originalId, returnId, isOfA } of this.#pairs) {
      const ids = isOfA ? ofA : ofB;
      if (!ids.has(originalId) || !ids.has(returnId)) continue;
      const both = [originalId, returnId];
      const [aIds, bIds] = isOfA ? [both, []] : [[], both];
      found.add({ ruleId, aIds, bIds, status: 'proposed', certainty: 'unique', differenceMinor: 0 });
    }
    return { ruleId, proposed: found.length - before };
  }
}

function keyOf({ originalId, returnId }: ReturnedLine): string {
  return separationKey([originalId, returnId]);
}

/** Which of some ids a side holds; they are few beside its records. */
function idsAmong(columns: RecordColumns, ids: IdSet): Set<number> {
  const found = new Set<number>();
  if (ids.isEmpty) return found;
  for (let row = 0; row < columns.count; row += 1) {
    const id = idAt(columns, row);
    if (ids.has(id)) found.add(id);
  }
  return found;
}
