import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { success } from '../../../../src-shared/values/result.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import { idAt } from '../../records/record-columns.ts';
import { rowsOf, sizeOf } from '../blocking/equivalence-classes.ts';
import { separatedSets } from '../matches/separations.ts';
import { rolledRule } from '../rules/grouping-rule.ts';
import type { GroupFits } from './group-candidates.ts';
import { factsOfGroup, standingRow } from './group-facts.ts';
import type { GroupMatcher, GroupRun, TiedMatch } from './group-matcher.ts';
import { daysOfMany } from './group-window.ts';
import { fitsByDate } from './groups-by-days.ts';
import { fitsByIdentifier } from './groups-by-key.ts';
import { balanceOf, columnsOfMany } from './groups.ts';

/** Matches groups by identifier or by runs of days with single records. */
export const matchGroups: GroupMatcher = (run) => {
  const { rule, watch } = run;
  const rolled = rolledRule(rule, run.compiled, run.types, run.signConvention);
  watch.beginStage(rule.id, run.sideA.count);
  const found = rolled.kind === 'identifier' ? fitsByIdentifier(run, rolled) : fitsByDate(run, rolled);
  if (!found.ok) return found;
  const fits = found.value;
  watch.finishStage();
  watch.beginStage(rule.id, run.sideB.count);
  const many = columnsOfMany(fits.given);
  const sets = separatedSets(run.separations);
  const choices = chosen(fits, (group, row) => {
    if (run.separations.size === 0) return false;
    const singleId = itemAt(fits.given.single, row).id;
    const rows = itemAt(fits.groups, group).rows();
    return sets.mayHold(singleId, rows.length + 1) && sets.holds([singleId, ...Array.from(rows, (member) => idAt(many, member))]);
  });
  const days = rolled.kind === 'date' ? daysOfMany(rolled, many) : NO_DAYS;
  const matches = choices.map((choice) => matchOf(run, fits, choice, days));
  watch.finishStage();
  return success({ matches, outsideWindow: fits.outsideWindow, gaveUp: null });
};

const NO_DAYS = new Float64Array(0);

/** `days` holds the days of the many side's rows if groups are runs of days. */
function matchOf({ rule }: GroupRun, fits: GroupFits, { group, row, certainty }: Choice, days: Float64Array): TiedMatch {
  const { given, totals, groups } = fits;
  const many = columnsOfMany(given);
  const taken = itemAt(groups, group);
  const single = itemAt(given.single, row);
  const total = itemAt(totals.records, group);
  const rows = taken.rows();
  const manyIds: number[] = [];
  for (let at = 0; at < rows.length; at += 1) manyIds.push(idAt(many, intAt(rows, at)));
  const [aIds, bIds] = given.rolled.manySide === 'a' ? [manyIds, [single.id]] : [[single.id], manyIds];
  const match = {
    ruleId: rule.id,
    aIds,
    bIds,
    status: rule.outcome === 'match' && rule.commitCertainty.includes(certainty) ? ('matched' as const) : ('proposed' as const),
    certainty,
    differenceMinor: present(balanceOf(given, total, single), 'balance of a group that fits'),
  };
  const { firstDay } = taken;
  const first = standingRow(given.rolled, rows, days, firstDay);
  const facts = factsOfGroup(given, taken, rows, total);
  return { match, group: { firstId: idAt(many, first), singleId: single.id, facts } };
}

/** A group and the single row that takes it. */
interface Choice {
  readonly group: number;
  readonly row: number;
  readonly certainty: Certainty;
}

/**
 * Lets single records choose in content order; each takes its first group of which nothing is used. A choice is contested if another single record
 * could take some of it, or if the record could take several groups by identifier, which have no order. One of several runs of days is `best`,
 * because the rule orders them. `isSeparated` says that a person separated exactly these records.
 */
function chosen(fits: GroupFits, isSeparated: (group: number, row: number) => boolean): Choice[] {
  const { groups, singles, byClass, cellCount, isOrdered } = fits;
  const wanting = claims(fits);
  const used = new Uint8Array(cellCount);
  const queue: { row: number; kind: number }[] = [];
  for (const kind of byClass.keys()) for (const row of rowsOf(singles, kind)) queue.push({ row, kind });
  queue.sort((left, right) => left.row - right.row);
  // Groups that one record of a class found used stay used for the next one.
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

/** Returns how many single records could take each cell. */
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
