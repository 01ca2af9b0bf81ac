import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { itemAt } from '../../collections/typed-arrays.ts';
import type { EngineRecord } from '../../records/record.ts';
import { decimalValueText } from '../../records/values.ts';
import { trueBranch } from '../comparison/predicate.ts';
import type { GroupFacts } from '../many-to-one/group-facts.ts';
import type { RolledView, Totals } from '../many-to-one/groups.ts';
import { grouped } from '../rules/value-text.ts';
import { conditionSentence } from './explain.ts';

/** A group, stood for by a member and its total in the first rows, and tied to the first single record. */
interface TiedGroup {
  readonly given: RolledView;
  readonly totals: Totals;
  readonly facts: GroupFacts;
  /** What a person reads as its name. */
  readonly key: string;
  /** All members, for a rule that lists them; else it may be the one that stands for them. */
  readonly members: readonly EngineRecord[];
}

/** Why it was tied: what was summed, then a sentence for each condition of the true branch. */
export function groupReason(tied: TiedGroup): string[] {
  const { given, totals, facts, members } = tied;
  const { rolled, convention } = given;
  const total = itemAt(totals.records, 0);
  const sign = total.direction === 'debit' && total.amountMinor > 0 && convention !== 'any' ? '-' : '';
  const sum = grouped(decimalValueText({ units: total.amountMinor, scale: total.decimalPlaces }, total.decimalPlaces));
  const records = facts.records === 1 ? '1 record' : `${facts.records} records`;
  const of = named(tied);
  const parts = rolled.kind === 'subset' ? `: ${partsText(members, total, sign !== '')}` : '';
  const explanation = [
    `${records}${of === '' ? '' : ` of ${of}`} sum${facts.records === 1 ? 's' : ''} to ${sign}${sum} ${total.currency}${parts}.`,
  ];
  if (rolled.lookbackDays !== null) explanation.push(windowSentence(given, facts));
  for (const columns of trueBranch(totals.view, 0, 0) ?? []) {
    const { index } = columns.leaf;
    const sentence = conditionSentence(totals.view, columns, 0, 0, convention);
    const isSame = rolled.isOfTotal[index] === true || !facts.differing.includes(index);
    explanation.push(isSame ? sentence : `${sentence.slice(0, -1)}; ${othersFit(facts.records - 1)}.`);
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
function named({ given: { rolled }, key, facts: { firstDay, lastDay } }: TiedGroup): string {
  const labels = rolled.groups.map((leaf) => leaf.key.field.label);
  if (rolled.kind !== 'date') return key === '' ? '' : `${labels.join(', ')} ${key.replaceAll('|', ', ')}`;
  const days = firstDay === lastDay ? isoFromDay(firstDay) : `${isoFromDay(firstDay)} to ${isoFromDay(lastDay)}`;
  const segment = key.split('|').slice(1).join(', ');
  return segment === '' ? days : `${days}, ${labels.slice(1).join(', ')} ${segment}`;
}

/** `They lie 1 to 3 days before 2026-06-08, the date on side B (allowed: 3).` */
function windowSentence({ rolled, single }: RolledView, { records, firstDay, lastDay }: GroupFacts): string {
  const { day } = itemAt(single, 0);
  const subject = records === 1 ? 'It lies' : 'They lie';
  const date = `${isoFromDay(day)}, the date on side ${rolled.manySide === 'a' ? 'B' : 'A'}`;
  const [least, most] = [day - lastDay, day - firstDay];
  if (most === 0) return `${subject} on ${date}.`;
  const from = least === most ? '' : least === 0 ? 'up to ' : `${least} to `;
  return `${subject} ${from}${most} day${most === 1 ? '' : 's'} before ${date} (allowed: ${String(rolled.lookbackDays)}).`;
}

/** Of the members that hold something else than the one that is quoted. */
function othersFit(count: number): string {
  return count === 1 ? 'the other one fits as well' : `the other ${count} fit as well`;
}
