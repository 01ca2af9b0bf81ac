import { present } from '../../../src-shared/values/assert.ts';
import { success } from '../../../src-shared/values/result.ts';
import { type Choice, chosen } from './cohort-choice.ts';
import type { CohortFits } from './cohort-fits.ts';
import type { CohortMatcher, CohortRun } from './cohort-types.ts';
import { balanceOf } from './cohorts.ts';
import { fitsByDate } from './date-cohorts.ts';
import { fitsByIdentifier } from './identifier-cohorts.ts';
import { rolledRule } from './rolled-rule.ts';
import { separatedSets } from './separations.ts';
import { itemAt } from './typed.ts';
import type { FoundMatch } from './types.ts';

/** Ties cohorts by identifier or by runs of days to single records. */
export const matchCohorts: CohortMatcher = (run) => {
  const { rule, watch } = run;
  const rolled = rolledRule(rule, run.compiled, run.types, run.signConvention);
  watch.beginStage(rule.id, run.sideA.count);
  const found = rolled.kind === 'identifier' ? fitsByIdentifier(run, rolled) : fitsByDate(run, rolled);
  if (!found.ok) return found;
  const fits = found.value;
  watch.finishStage();
  watch.beginStage(rule.id, run.sideB.count);
  const sets = separatedSets(run.separations);
  const choices = chosen(fits, (cohort, row) => {
    if (run.separations.size === 0) return false;
    const { many, single } = fits.given;
    const singleId = itemAt(single, row).id;
    const rows = itemAt(fits.cohorts, cohort).rows();
    return sets.mayHold(singleId, rows.length + 1) && sets.holds([singleId, ...rows.map((member) => itemAt(many, member).id)]);
  });
  const matches = choices.map((choice) => matchOf(run, fits, choice));
  watch.finishStage();
  return success({ matches, outsideWindow: fits.outsideWindow, gaveUp: null });
};

function matchOf({ rule }: CohortRun, fits: CohortFits, { cohort, row, certainty }: Choice): FoundMatch {
  const { given, totals, cohorts } = fits;
  const taken = itemAt(cohorts, cohort);
  const single = itemAt(given.single, row);
  const rows = taken.rows();
  const manyIds = rows.map((member) => itemAt(given.many, member).id);
  const [aIds, bIds] = given.rolled.manySide === 'a' ? [manyIds, [single.id]] : [[single.id], manyIds];
  return {
    ruleId: rule.id,
    aIds,
    bIds,
    status: rule.outcome === 'match' && rule.commitCertainty.includes(certainty) ? 'matched' : 'proposed',
    certainty,
    differenceMinor: present(balanceOf(given, itemAt(totals.records, cohort), single), 'balance of a cohort that fits'),
  };
}
