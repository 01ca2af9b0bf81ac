import { failed, success } from '../../../src-shared/values/result.ts';
import { findCandidates } from './candidates.ts';
import { classesOfSide, eachAlone } from './classes.ts';
import { CANCELLED, type FitsFound } from './cohort-fits.ts';
import type { CohortRun } from './cohort-types.ts';
import { daysOfMany, isInWindow } from './cohort-window.ts';
import { balanceOf, type Cohort, cohortTest, oriented, type RolledView, rolledView, totalOf, totalsOf } from './cohorts.ts';
import { MAX_CANDIDATE_PAIRS, planRule } from './plan.ts';
import { groupValues, type RolledRule } from './rolled-rule.ts';
import { tooManyPairs } from './too-many.ts';
import { floatAt, intAt, itemAt } from './typed.ts';
import type { EngineRecord } from './types.ts';
import { wantedSingles } from './wanted-singles.ts';

/** Cohorts by the values of group_by: all records with the same ones, wherever they lie. */
export function fitsByIdentifier(run: CohortRun, rolled: RolledRule): FitsFound {
  const [many, single] = rolled.manySide === 'a' ? [run.sideA, run.sideB] : [run.sideB, run.sideA];
  const keyed = keyedRecords(rolled, many, run);
  const { cohorts, records } = cohortsOf(rolled, keyed);
  const wanted = wantedSingles(rolled, keyed.records, records, single, run.signConvention);
  const given = rolledView(rolled, keyed.records, wanted, run.signConvention);
  const totals = totalsOf(given, cohorts, records);
  const fits = cohortTest(given, totals, cohorts);
  const outside = new Set<number>();
  const inside = new Set<number>();
  const test = oriented(rolled.manySide, (cohort: number, row: number) => {
    if (!fits(cohort, row)) return false;
    const isInside = isInWindow(given, itemAt(cohorts, cohort), row);
    (isInside ? inside : outside).add(cohort);
    return isInside;
  });
  const each = eachAlone(cohorts.length);
  const singles = classesOfSide(given.view, rolled.manySide === 'a' ? 'b' : 'a', () => false);
  const [classesA, classesB] = rolled.manySide === 'a' ? [each, singles] : [singles, each];
  const plan = planRule(totals.view, classesA, classesB);
  if (plan.pairs > MAX_CANDIDATE_PAIRS) return failed(tooManyPairs(run.rule.id, plan.pairs, totals.view));
  const candidates = findCandidates(plan, classesA, classesB, test, run.watch);
  if (candidates === null) return failed(CANCELLED);
  const byClass = new Map<number, number[]>();
  for (let a = 0; a < classesA.count; a += 1) {
    for (let edge = intAt(candidates.starts, a); edge < intAt(candidates.starts, a + 1); edge += 1) {
      const b = intAt(candidates.columns, edge);
      const [cohort, kind] = rolled.manySide === 'a' ? [a, b] : [b, a];
      const known = byClass.get(kind);
      if (known === undefined) byClass.set(kind, [cohort]);
      else known.push(cohort);
    }
  }
  for (const [kind, found] of byClass) if (found.length > 1) found.sort(nearestFirst(given, cohorts, records, intAt(singles.first, kind)));
  const outsideWindow = [...outside].filter((cohort) => !inside.has(cohort)).length;
  return success({ given, cohorts, totals, cellCount: cohorts.length, singles, byClass, isOrdered: false, outsideWindow });
}

interface Keyed {
  readonly records: readonly EngineRecord[];
  readonly rowsByKey: ReadonlyMap<string, readonly number[]>;
}

/** Only records with a key are looked at any further. */
function keyedRecords(rolled: RolledRule, many: readonly EngineRecord[], { watch }: CohortRun): Keyed {
  const records: EngineRecord[] = [];
  const rowsByKey = new Map<string, number[]>();
  for (const record of many) {
    const values = groupValues(rolled.groups, rolled.manySide, record);
    watch.advance(1);
    if (values === null) continue;
    // JSON keeps composite keys apart whatever stands in them.
    const key = values.length === 1 ? itemAt(values, 0) : JSON.stringify(values);
    const rows = rowsByKey.get(key);
    if (rows === undefined) rowsByKey.set(key, [records.length]);
    else rows.push(records.length);
    records.push(record);
  }
  return { records, rowsByKey };
}

function cohortsOf(
  rolled: RolledRule,
  { records: many, rowsByKey }: Keyed,
): { readonly cohorts: Cohort[]; readonly records: EngineRecord[] } {
  const days = daysOfMany({ rolled, many });
  const cohorts: Cohort[] = [];
  const records: EngineRecord[] = [];
  for (const rows of rowsByKey.values()) {
    const total = totalOf(rows.map((row) => itemAt(many, row)));
    if (total === null) continue;
    const first = itemAt(rows, 0);
    const key = (groupValues(rolled.groups, rolled.manySide, itemAt(many, first)) ?? []).join('|');
    let firstDay = Infinity;
    let lastDay = -Infinity;
    for (const row of rows) {
      firstDay = Math.min(firstDay, floatAt(days, row));
      lastDay = Math.max(lastDay, floatAt(days, row));
    }
    const cells = [cohorts.length];
    cohorts.push({ first, rows: () => rows, untested: () => rows, cells: () => cells, firstDay, lastDay, key });
    records.push(total);
  }
  return { cohorts, records };
}

/** Fewest days between the cohort's latest member and the single record, then the least difference, then the cohorts' content. */
function nearestFirst(given: RolledView, cohorts: readonly Cohort[], totals: readonly EngineRecord[], row: number) {
  const other = itemAt(given.single, row);
  // Rows are in content order, whose first word is the day.
  const apart = (cohort: number): number => Math.abs(itemAt(given.many, itemAt(cohorts, cohort).rows().at(-1) ?? 0).day - other.day);
  // Currency units, since the cohorts' scales may differ.
  const missing = (cohort: number): number => {
    const total = itemAt(totals, cohort);
    return Math.abs(balanceOf(given, total, other) ?? 0) / 10 ** Math.max(total.decimalPlaces, other.decimalPlaces);
  };
  return (left: number, right: number): number => apart(left) - apart(right) || missing(left) - missing(right) || left - right;
}
