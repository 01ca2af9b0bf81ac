import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import { rowsOf, sizeOf } from '../blocking/equivalence-classes.ts';
import type { GroupFits } from './group-candidates.ts';

/** A group that a single row takes. */
export interface Choice {
  readonly group: number;
  readonly row: number;
  readonly certainty: Certainty;
}

/**
 * Single records choose in the order of their content, each the first of its groups of which nothing is used yet. Whatever another
 * single record could have taken is contested; so is one of several identifiers, which nothing sets apart; one of several runs of days is
 * `best`, since the rule says which of them counts. `isSeparated`: a person took exactly these records apart.
 */
export function chosen(fits: GroupFits, isSeparated: (group: number, row: number) => boolean): Choice[] {
  const { groups, singles, byClass, cellCount, isOrdered } = fits;
  const wanting = claims(fits);
  const used = new Uint8Array(cellCount);
  const queue: { row: number; kind: number }[] = [];
  for (const kind of byClass.keys()) for (const row of rowsOf(singles, kind)) queue.push({ row, kind });
  queue.sort((left, right) => left.row - right.row);
  // What one record of a class found used stays used for the next one.
  const next = new Map<number, number>();
  const choices: Choice[] = [];
  for (const { row, kind } of queue) {
    const options = byClass.get(kind) ?? [];
    let isFirst = true;
    for (let place = next.get(kind) ?? 0; place < options.length; place += 1) {
      const group = itemAt(options, place);
      const cells = itemAt(groups, group).cells();
      const isUsed = cells.some((cell) => used[cell] === 1);
      if (isFirst && isUsed) next.set(kind, place + 1);
      if (isUsed) continue;
      isFirst = false;
      if (isSeparated(group, row)) continue;
      for (const cell of cells) used[cell] = 1;
      const isContested = cells.some((cell) => intAt(wanting, cell) > 1) || (options.length > 1 && !isOrdered);
      choices.push({ group, row, certainty: isContested ? 'contested' : options.length > 1 ? 'best' : 'unique' });
      break;
    }
  }
  return choices;
}

/** How many single records could take each cell. */
function claims({ groups, singles, byClass, cellCount }: GroupFits): Int32Array {
  const wanting = new Int32Array(cellCount);
  const latest = new Int32Array(cellCount).fill(-1);
  for (const [kind, options] of byClass) {
    const size = sizeOf(singles, kind);
    for (const option of options) {
      for (const cell of itemAt(groups, option).cells()) {
        if (intAt(latest, cell) === kind) continue;
        latest[cell] = kind;
        wanting[cell] = intAt(wanting, cell) + size;
      }
    }
  }
  return wanting;
}
