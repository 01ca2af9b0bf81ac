import { dayFromIso, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { snakeCase } from '../columns/fields.ts';
import type { KeyedContent } from './fingerprint.ts';

/** A stored line, as far as its key says it. */
type StoredContent = Omit<KeyedContent, 'formerDates'> & {
  /** Days since 1970-01-01. */
  readonly valueDay: number | null;
};

/**
 * What the key of a stored line may be made of: the line as it stands, and with its value day where that stood before it had a field of its own. The hash tells which it is.
 * `header`: that of the column of value dates, where the line is from a table with one.
 */
export function* possibleContents(stored: StoredContent, header: string | null): Generator<KeyedContent> {
  for (const line of [stored, asFileSaid(stored)]) {
    if (line === null) continue;
    yield line;
    const { day, valueDay } = line;
    if (valueDay === null) continue;
    yield { ...line, formerDates: { metadata: { value_date: isoFromDay(valueDay) } } };
    yield { ...line, formerDates: { day: valueDay, metadata: { booking_date: isoFromDay(day) } } };
    const key = header === null ? '' : snakeCase(header);
    if (key !== '') for (const text of writtenForms(valueDay)) yield { ...line, formerDates: { metadata: { [key]: text } } };
  }
}

/** The line of a stream that is read by value date, with its booking date as its day again; null for any other. */
function asFileSaid(stored: StoredContent): StoredContent | null {
  const { booking_date: booked, ...metadata } = stored.metadata;
  const day = booked === undefined || stored.day !== stored.valueDay ? null : dayFromIso(booked);
  return day === null ? null : { ...stored, day, metadata };
}

/** How files write a day in digits. */
function* writtenForms(day: number): Generator<string> {
  const iso = isoFromDay(day);
  const [year = '', month = '', date = ''] = iso.split('-');
  yield iso;
  yield `${year}${month}${date}`;
  const short = (text: string): string => text.replace(/^0/, '');
  for (const separator of ['.', '/', '-']) {
    for (const [one, two] of [
      [date, month],
      [month, date],
    ] as const) {
      for (const last of [year, year.slice(2)]) {
        yield [one, two, last].join(separator);
        yield [short(one), short(two), last].join(separator);
      }
    }
    yield [year, month, date].join(separator);
    yield [year, short(month), short(date)].join(separator);
  }
}
