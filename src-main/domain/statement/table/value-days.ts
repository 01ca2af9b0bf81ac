import type { Problem } from '../../../../src-shared/contract/index.ts';
import { dayFromIso, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { type DecidedOrder, exchangedDay, OrderFacts } from '../cells/date-order.ts';
import { type DateOrder, type DateShape, dayOfShape, fits } from '../cells/dates.ts';
import { note, quoted } from '../model/problems.ts';
import type { StatementLine } from '../model/statement.ts';

/** Counts for one order of day and month. */
interface Fit {
  fitting: number;
  /** Sum of the days between each value date and the date of its row. */
  apart: number;
}

/**
 * Finds the order of day and month in value dates. It is needed where the booking dates do not show one, because they begin with the year or name
 * their months.
 */
export class ValueOrderFacts {
  readonly #found: Record<'dmy' | 'mdy', Fit> = { dmy: { fitting: 0, apart: 0 }, mdy: { fitting: 0, apart: 0 } };

  readonly #notations = new OrderFacts();
  /** Sum of the days between true value dates and the dates of their rows: as written, and with day and month exchanged. */
  #apart = 0;
  #apartTurned = 0;

  /** Adds a value date and the date of its row. */
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

  /**
   * Whether a spreadsheet exchanged day and month of the value dates: where it did so in the booking dates, else where that brings the two closer
   * together.
   */
  areTurned({ exchanged }: DecidedOrder, said: DateOrder | null): boolean {
    const own = this.#notations.exchanged(said);
    if (exchanged !== undefined) return exchanged.isTurned && (own !== null || this.#notations.mayBeExchanged);
    return own !== null && (said === null ? this.#apartTurned < this.#apart : own.isTurned);
  }

  /**
   * Returns the order of the booking dates where they have one, else the order that fits most value dates; of two equal ones the one that brings them
   * closer to the booking dates.
   */
  decided({ order }: DecidedOrder): DateOrder | null {
    if (order === 'dmy' || order === 'mdy') return order;
    const { dmy, mdy } = this.#found;
    if (dmy.fitting + mdy.fitting === 0) return order;
    if (dmy.fitting !== mdy.fitting) return dmy.fitting > mdy.fitting ? 'dmy' : 'mdy';
    return mdy.apart < dmy.apart ? 'mdy' : 'dmy';
  }
}

/** Unreadable value dates are reported when at least one in this many is. */
const REPORTED_ONE_IN = 10;

/** Counts value dates that cannot be read. Their rows are imported nevertheless. */
export class UnreadValueDates {
  #filled = 0;
  #unread = 0;
  #firstRow: number | null = null;

  /** Adds a filled cell. */
  add(row: number, isRead: boolean): void {
    this.#filled += 1;
    if (isRead) return;
    this.#unread += 1;
    this.#firstRow ??= row;
  }

  notes(column: string): readonly Problem[] {
    if (this.#unread === 0 || this.#unread * REPORTED_ONE_IN < this.#filled) return [];
    const message = phrase('statement.valueDays.valueDatesInColumn', { unread: this.#unread, column });
    return [note('value_dates_unreadable', message, this.#firstRow, column)];
  }
}

/** Field of the metadata that keeps the booking date of a line whose day is its value day. */
const BOOKING_DATE = 'booking_date';

/**
 * Returns the line as a stream that is read by value date stores it: its day is the value day, and the metadata keeps the booking day. Keys and
 * proofs use the line as the file states it. A line without a value day stays as it is.
 */
export function byValueDate(line: StatementLine): StatementLine {
  const { day, valueDay, metadata } = line;
  return valueDay === null || valueDay === day
    ? line
    : { ...line, day: valueDay, metadata: { ...metadata, [BOOKING_DATE]: isoFromDay(day) } };
}

/** Returns a stored line as its file stated it, where `byValueDate` had changed its day; null for any other line. */
export function asFileSaid<T extends Pick<StatementLine, 'day' | 'valueDay' | 'metadata'>>(stored: T): T | null {
  const { [BOOKING_DATE]: booked, ...metadata } = stored.metadata;
  const day = booked === undefined || stored.day !== stored.valueDay ? null : dayFromIso(booked);
  return day === null ? null : { ...stored, day, metadata };
}

/** Returns the note that a stream is read by value date. */
export function byValueDateNote(stream: string): Problem {
  return note('read_by_value_date', phrase('imports.statement.byValueDate', { account: quoted(stream), field: BOOKING_DATE }));
}
