import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../../../src-shared/values/civil-date.ts';
import { counted, note, rejection } from '../../model/problems.ts';
import { at, childrenOf, textAt, type XmlElement } from '../../workbook/xml.ts';
import { impossibleDate } from '../shared/dates.ts';
import type { StatedSection } from '../shared/stated-file.ts';

/** Dates that a transaction inside an entry may have, the surest first. */
const RELATED = ['IntrBkSttlmDt', 'AccptncDtTm', 'TxDtTm'] as const;

/** The day of a date or of a date and time, as the bank wrote it: zones do not move it. */
export function dayAt(element: XmlElement | undefined): number | null {
  return dayOf(textAt(element, 'Dt') ?? textAt(element, 'DtTm'));
}

function dayOf(text: string | null): number | null {
  return text === null ? null : dayFromIso(text.slice(0, 10));
}

/** The time of the statement; one that ends before it begins is none. */
export function periodOf(element: XmlElement | undefined): StatedSection['period'] {
  const firstDay = dayOf(textAt(element, 'FrDtTm') ?? textAt(element, 'FrDt'));
  const lastDay = dayOf(textAt(element, 'ToDtTm') ?? textAt(element, 'ToDt'));
  return firstDay === null || lastDay === null || lastDay < firstDay ? null : { firstDay, lastDay };
}

/** The one day that a statement speaks of: of its time, else of all its balances; null where there are several, or none. */
export function soleDayOf(section: XmlElement): number | null {
  const period = periodOf(at(section, 'FrToDt'));
  if (period) return period.firstDay === period.lastDay ? period.firstDay : null;
  const days = new Set(childrenOf(section, 'Bal').map((balance) => dayAt(at(balance, 'Dt'))));
  const [day = null] = days;
  return days.size === 1 ? day : null;
}

/** What entries without a date get. */
export interface UndatedEntries {
  /** The one day of their statement. */
  readonly day: number | null;
  /** Lines of the file of those that got it. */
  readonly rows: number[];
}

/** The booking date; where the bank names none, the value date, else that of its transactions, else the one day of the statement. */
export function daysOf(
  entry: XmlElement,
  undated: UndatedEntries,
  problems: Problem[],
): { readonly day: number | null; readonly valueDay: number | null } {
  const { row } = entry;
  const booked = at(entry, 'BookgDt');
  const used = booked ?? at(entry, 'ValDt');
  const valueDay = dayAt(at(entry, 'ValDt'));
  const text = textAt(used, 'Dt') ?? textAt(used, 'DtTm');
  if (text !== null) {
    const day = dayOf(text);
    if (day === null) problems.push(impossibleDate(row, booked === undefined ? 'ValDt' : 'BookgDt', text));
    return { day, valueDay };
  }
  const related = relatedDayOf(entry);
  if (related !== null) return { day: related, valueDay };
  if (undated.day === null) {
    const message = `The entry in row ${row} has no booking date (BookgDt) and no value date (ValDt). Ask the bank for the file again.`;
    problems.push(rejection(row, 'BookgDt', 'unreadable_date', message));
  } else undated.rows.push(row);
  return { day: undated.day, valueDay };
}

/** The date of the transactions of an entry, where all that have one have the same. */
function relatedDayOf(entry: XmlElement): number | null {
  const transactions = childrenOf(entry, 'NtryDtls').flatMap((details) => childrenOf(details, 'TxDtls'));
  const days = new Set(
    transactions.flatMap((one) => RELATED.map((name) => dayOf(textAt(one, 'RltdDts', name))).find((day) => day !== null) ?? []),
  );
  const [day = null] = days;
  return days.size === 1 ? day : null;
}

export function undatedNotes({ rows }: UndatedEntries): readonly Problem[] {
  const [first] = rows;
  if (first === undefined) return [];
  const message = `${counted(rows.length, 'transaction')} ${rows.length === 1 ? 'has' : 'have'} no date (BookgDt, ValDt); the day of the statement was taken.`;
  return [note('date_assumed', message, first)];
}
