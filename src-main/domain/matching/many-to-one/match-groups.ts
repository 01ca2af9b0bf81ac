import { present } from '../../../../src-shared/values/assert.ts';
import { success } from '../../../../src-shared/values/result.ts';
import { idAt } from '../../records/record-columns.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import { rolledRule } from '../rules/grouping-rule.ts';
import { separatedSets } from '../matches/separations.ts';
import { type Choice, chosen } from './group-choice.ts';
import type { GroupFits } from './group-candidates.ts';
import { factsOfGroup, standingRow } from './group-facts.ts';
import type { GroupMatcher, GroupRun, TiedMatch } from './group-matcher.ts';
import { daysOfMany } from './group-window.ts';
import { balanceOf, columnsOfMany } from './groups.ts';
import { fitsByDate } from './groups-by-days.ts';
import { fitsByIdentifier } from './groups-by-key.ts';

/** Ties groups by identifier or by runs of days to single records. */
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

/** `days` of the rows of the many side, where groups are runs of days. */
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
