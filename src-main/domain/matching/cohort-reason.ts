import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { CohortFits } from './cohort-fits.ts';
import type { Cohort, RolledView } from './cohorts.ts';
import { conditionSentence } from './explain.ts';
import { trueBranch } from './predicate.ts';
import { grouped } from './quoted.ts';
import { intAt, itemAt } from './typed.ts';
import type { EngineRecord } from './types.ts';
import { decimalValueText } from './values.ts';

/** A cohort and what a person reads as its name. */
export interface NamedCohort extends Cohort {
  readonly key: string;
}

interface Formed extends Pick<CohortFits, 'given' | 'totals'> {
  readonly cohorts: readonly NamedCohort[];
}

/** Why a cohort, whose rows are given, was tied to a single record: what was summed, then a sentence for each condition of the true branch. */
export function cohortReason({ given, totals, cohorts }: Formed, place: number, rows: readonly number[], row: number): string[] {
  const { rolled, view, convention } = given;
  const cohort = itemAt(cohorts, place);
  const total = itemAt(totals.records, place);
  const sign = total.direction === 'debit' && total.amountMinor > 0 && convention !== 'any' ? '-' : '';
  const sum = grouped(decimalValueText({ units: total.amountMinor, scale: total.decimalPlaces }, total.decimalPlaces));
  const records = rows.length === 1 ? '1 record' : `${rows.length} records`;
  const of = named(given, cohort);
  const parts =
    rolled.kind === 'subset'
      ? `: ${partsText(
          rows.map((member) => itemAt(given.many, member)),
          total,
          sign !== '',
        )}`
      : '';
  const explanation = [
    `${records}${of === '' ? '' : ` of ${of}`} sum${rows.length === 1 ? 's' : ''} to ${sign}${sum} ${total.currency}${parts}.`,
  ];
  if (rolled.lookbackDays !== null) explanation.push(windowSentence(given, cohort, row));
  const [rowA, rowB] = rolled.manySide === 'a' ? [place, row] : [row, place];
  for (const columns of trueBranch(totals.view, rowA, rowB) ?? []) {
    const { index } = columns.leaf;
    const sentence = conditionSentence(totals.view, columns, rowA, rowB, convention);
    if (rolled.isOfTotal[index] === true) {
      explanation.push(sentence);
      continue;
    }
    const { codes } = itemAt(view.columns.leaves, index)[rolled.manySide];
    const isSame = rows.every((member) => intAt(codes, member) === intAt(codes, cohort.first));
    explanation.push(isSame ? sentence : `${sentence.slice(0, -1)}; the other ${rows.length - 1} fit as well.`);
  }
  return explanation;
}

/** `500.00 + 450.00 - 20.00`; where the sum stands with a minus, debits do. */
function partsText(members: readonly EngineRecord[], total: EngineRecord, isNegative: boolean): string {
  return members
    .map((record, place) => {
      const isMinus = isNegative ? record.direction === 'debit' : record.direction !== total.direction;
      const sign = place === 0 ? (isMinus ? '-' : '') : isMinus ? ' - ' : ' + ';
      return `${sign}${grouped(decimalValueText({ units: record.amountMinor, scale: record.decimalPlaces }, record.decimalPlaces))}`;
    })
    .join('');
}

/** `batch id BATCH-7`, `2026-06-01 to 2026-06-03, store S1`. */
function named({ rolled }: RolledView, { key, firstDay, lastDay }: NamedCohort): string {
  const labels = rolled.groups.map((leaf) => leaf.key.field.label);
  if (rolled.kind !== 'date') return key === '' ? '' : `${labels.join(', ')} ${key.replaceAll('|', ', ')}`;
  const days = firstDay === lastDay ? isoFromDay(firstDay) : `${isoFromDay(firstDay)} to ${isoFromDay(lastDay)}`;
  const segment = key.split('|').slice(1).join(', ');
  return segment === '' ? days : `${days}, ${labels.slice(1).join(', ')} ${segment}`;
}

function windowSentence({ rolled, single }: RolledView, { firstDay, lastDay }: Cohort, row: number): string {
  const { day } = itemAt(single, row);
  const days = (count: number): string => `${count} day${count === 1 ? '' : 's'}`;
  const span = firstDay === lastDay ? days(day - firstDay) : `${day - lastDay} to ${days(day - firstDay)}`;
  const side = rolled.manySide === 'a' ? 'B' : 'A';
  return `${firstDay === lastDay ? 'It lies' : 'They lie'} ${span} before ${isoFromDay(day)}, the date on side ${side} (allowed: ${String(rolled.lookbackDays)}).`;
}
