import type { Problem } from '../../../../src-shared/contract/index.ts';
import { dayFromIso, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { type DecidedOrder, exchangedDay, OrderFacts } from '../cells/date-order.ts';
import { type DateOrder, type DateShape, dayOfShape, fits } from '../cells/dates.ts';
import { counted, note, quoted } from '../model/problems.ts';
import type { StatementLine } from '../model/statement.ts';

/** What is found of one order of day and month. */
interface Fit {
  fitting: number;
  /** Days between the value dates and the dates beside them, in all. */
  apart: number;
}

/** In which order value dates are written where the dates beside them do not say it: those are year first, or name their months. */
export class ValueOrderFacts {
  readonly #found: Record<'dmy' | 'mdy', Fit> = { dmy: { fitting: 0, apart: 0 }, mdy: { fitting: 0, apart: 0 } };

  readonly #notations = new OrderFacts();
  /** Days between true value dates and the dates beside them, in all: as they are written, and turned back. */
  #apart = 0;
  #apartTurned = 0;

  /** A value date and the date beside it. */
  add(valueDate: DateShape, date: DateShape | null): void {
    this.#notations.add(valueDate);
    if (valueDate.kind === 'settled' && valueDate.day !== null && date !== null) {
      const day = dayOfShape(date, fits(date, 'dmy') ? 'dmy' : 'mdy');
      if (day !== null) {
        this.#apart += Math.abs(valueDate.day - day);
        this.#apartTurned += Math.abs(exchangedDay(valueDate.day) - day);
      }
    }
    if (valueDate.kind === 'settled' || date?.kind !== 'settled' || date.day === null) return;
    for (const order of ['dmy', 'mdy'] as const) {
      if (!fits(valueDate, order)) continue;
      const day = dayOfShape(valueDate, order);
      if (day === null) continue;
      const found = this.#found[order];
      found.fitting += 1;
      found.apart += Math.abs(day - date.day);
    }
  }

  /** Whether a spreadsheet exchanged day and month of these: as it did of the dates beside them, else where that brings both together. */
  areTurned({ exchanged }: DecidedOrder, said: DateOrder | null): boolean {
    const own = this.#notations.exchanged(said);
    if (exchanged !== undefined) return exchanged.isTurned && (own !== null || this.#notations.mayBeExchanged);
    return own !== null && (said === null ? this.#apartTurned < this.#apart : own.isTurned);
  }

  /** The order of the dates where they have one, else that which fits most value dates, and of two the one that brings both days together. */
  decided({ order }: DecidedOrder): DateOrder | null {
    if (order === 'dmy' || order === 'mdy') return order;
    const { dmy, mdy } = this.#found;
    if (dmy.fitting + mdy.fitting === 0) return order;
    if (dmy.fitting !== mdy.fitting) return dmy.fitting > mdy.fitting ? 'dmy' : 'mdy';
    return mdy.apart < dmy.apart ? 'mdy' : 'dmy';
  }
}

/** Of so many value dates one is enough to be told of. */
const FEW_OF = 10;

/** Counts value dates that cannot be read: their rows are lines nevertheless. */
export class UnreadValueDates {
  #filled = 0;
  #unread = 0;
  #firstRow: number | null = null;

  /** A cell that is filled. */
  add(row: number, isRead: boolean): void {
    this.#filled += 1;
    if (isRead) return;
    this.#unread += 1;
    this.#firstRow ??= row;
  }

  notes(column: string): readonly Problem[] {
    if (this.#unread === 0 || this.#unread * FEW_OF < this.#filled) return [];
    const message = `${counted(this.#unread, 'value date')} in column ${column} cannot be read as a day; these lines have none, and what stands there is kept as text.`;
    return [note('value_dates_unreadable', message, this.#firstRow, column)];
  }
}

/** Where the booking date of a line stands whose day is its value day. */
const BOOKING_DATE = 'booking_date';

/**
 * A line as a stream takes it that is read by value date: its day is the value day, and the booking day stands in the metadata. Only what is stored: keys and proofs are
 * those of the line as the file says it. Lines without a value day stay as they are.
 */
export function byValueDate(line: StatementLine): StatementLine {
  const { day, valueDay, metadata } = line;
  return valueDay === null || valueDay === day
    ? line
    : { ...line, day: valueDay, metadata: { ...metadata, [BOOKING_DATE]: isoFromDay(day) } };
}

/** A stored line as its file said it, where `byValueDate` had put its value day in the place of its booking date; null for any other. */
export function asFileSaid<T extends Pick<StatementLine, 'day' | 'valueDay' | 'metadata'>>(stored: T): T | null {
  const { [BOOKING_DATE]: booked, ...metadata } = stored.metadata;
  const day = booked === undefined || stored.day !== stored.valueDay ? null : dayFromIso(booked);
  return day === null ? null : { ...stored, day, metadata };
}

/** That a stream is read by value date. */
export function byValueDateNote(stream: string): Problem {
  const message = `The stream ${quoted(stream)} is read by value date: the date of each line is its value date where it has one, and the booking date stands in the field ${BOOKING_DATE}. The balances were proved by booking dates.`;
  return note('read_by_value_date', message);
}
