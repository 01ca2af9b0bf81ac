import { failed, success } from '../../../src-shared/values/result.ts';
import { findCandidates } from './candidates.ts';
import { classesOfSide, eachAlone } from './classes.ts';
import { CANCELLED, type FitsFound } from './cohort-fits.ts';
import { numberCodes } from './codes.ts';
import type { CohortRun } from './cohort-types.ts';
import type { CompiledRule } from './compile.ts';
import { daysOfMany, isInWindow } from './cohort-window.ts';
import {
  balanceOf,
  type Cohort,
  cohortTest,
  oriented,
  type RolledSide,
  type RolledView,
  rolledView,
  totalOf,
  totalsOf,
} from './cohorts.ts';
import { MAX_CANDIDATE_PAIRS, planRule } from './plan.ts';
import { readColumns } from './read-columns.ts';
import { bareRecords, pickRows, type RecordColumns, rowsWhere } from './record-columns.ts';
import type { RolledRule } from './rolled-rule.ts';
import { tooManyPairs } from './too-many.ts';
import { floatAt, intAt, itemAt, layOut, rangeStarts } from './typed.ts';
import type { EngineRecord } from './types.ts';
import { wantedSingles } from './wanted-singles.ts';

/** Cohorts by the values of group_by: all records with the same ones, wherever they lie. */
export function fitsByIdentifier(run: CohortRun, rolled: RolledRule): FitsFound {
  const [many, single] = rolled.manySide === 'a' ? [run.sideA, run.sideB] : [run.sideB, run.sideA];
  const keyed = keyedRecords(rolled, many, run);
  const { cohorts, records } = cohortsOf(rolled, keyed);
  const wanted = pickRows(single, wantedSingles(rolled, keyed.many.columns, records, single, run.signConvention));
  const given = rolledView(rolled, keyed.many, bareSide(wanted), run.signConvention);
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
  readonly many: RolledSide;
  /** Rows of each key, keys in the order of their first rows. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** What the search looks at one by one is in the numbers alone. */
function bareSide(columns: RecordColumns): RolledSide {
  return { columns, records: bareRecords(columns) };
}

/** Only records with a key are looked at any further. */
function keyedRecords(rolled: RolledRule, many: RecordColumns, { watch, signConvention }: CohortRun): Keyed {
  const none = pickRows(many, new Int32Array(0));
  const [sideA, sideB] = rolled.manySide === 'a' ? [many, none] : [none, many];
  const groups: CompiledRule = { ...rolled.compiled, leaves: rolled.groups, namesCurrency: true };
  const columns = readColumns(groups, sideA, sideB, signConvention).leaves.map((leaf) => leaf[rolled.manySide].codes);
  const isKeyed = new Uint8Array(many.count);
  for (let row = 0; row < many.count; row += 1) isKeyed[row] = columns.every((codes) => intAt(codes, row) >= 0) ? 1 : 0;
  watch.advance(many.count);
  const kept = rowsWhere(isKeyed, 1);
  let keys = new Int32Array(kept.length);
  for (const codes of columns) {
    const known = numberCodes(kept.length);
    const stride = codes.reduce((most, code) => Math.max(most, code), 0) + 1;
    keys = keys.map((key, index) => known.codeOf(key * stride + intAt(codes, intAt(kept, index))));
  }
  const starts = rangeStarts(keys, keys.reduce((most, key) => Math.max(most, key), -1) + 1);
  return { many: bareSide(pickRows(many, kept)), starts, rows: layOut(keys, starts) };
}

function cohortsOf(
  rolled: RolledRule,
  { many, starts, rows: laidOut }: Keyed,
): { readonly cohorts: Cohort[]; readonly records: EngineRecord[] } {
  const days = daysOfMany(rolled, many.columns);
  const cohorts: Cohort[] = [];
  const records: EngineRecord[] = [];
  for (let key = 0; key + 1 < starts.length; key += 1) {
    const rows = Array.from(laidOut.subarray(intAt(starts, key), intAt(starts, key + 1)));
    const total = totalOf(rows.map((row) => itemAt(many.records, row)));
    if (total === null) continue;
    let firstDay = Infinity;
    let lastDay = -Infinity;
    for (const row of rows) {
      firstDay = Math.min(firstDay, floatAt(days, row));
      lastDay = Math.max(lastDay, floatAt(days, row));
    }
    const cells = [cohorts.length];
    cohorts.push({ first: itemAt(rows, 0), rows: () => rows, untested: () => rows, cells: () => cells, firstDay, lastDay });
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
