import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { Layout } from '../columns/table-columns.ts';
import { counted, note } from '../model/problems.ts';
import { PlaceSet, RowNumbers } from '../model/row-numbers.ts';
import { bookingOf } from '../vocabulary/booking.ts';
import { normaliseHeader } from '../vocabulary/plain-words.ts';
import type { RowValue } from './signs.ts';
import { cellOf } from './sort-rows.ts';
import type { WrittenRow } from './sort-rows.ts';

/** What of a row tells whether it, or one beside it, was booked. */
interface PendingRow {
  readonly isPending: boolean;
  readonly value: RowValue;
  readonly day: number | null;
}

/** Whether a row is marked as not booked yet. */
export function isPending(row: WrittenRow, layout: Layout): boolean {
  return layout.status !== null && bookingOf(cellOf(row, layout.status)) === 'pending';
}

/** Words that also stand beside an invoice that is not paid yet: alone they do not say that a bank booked nothing. */
const ALSO_OF_INVOICES =
  /^(?:in progress|processing|offen|ausstehend|en attente|en cours|pendiente|pendente|in sospeso|in attesa|in behandeling|afventer|venter|w toku|oczekujaca|ожидает|处理中|處理中)$/;
const OF_INVOICES = /invoice|rechnung|faktur|factur|fattura|\b(?:bill|due|fallig|customer|kunde|vendor|supplier|voucher|order)\b/;

/** Whether a table is none of a bank's as far as its headers say, or its words may mean something else. */
function mayBeOfInvoices(status: string, { headers }: Layout): boolean {
  return ALSO_OF_INVOICES.test(normaliseHeader(status)) || headers.some((header) => OF_INVOICES.test(normaliseHeader(header)));
}

/** Whether a row is surely one of a bank that has not booked it yet. */
export function surelyWaits(row: WrittenRow, layout: Layout): boolean {
  if (row.unbooked === 'pending') return true;
  return isPending(row, layout) && !mayBeOfInvoices(cellOf(row, layout.status), layout);
}

/** That a file has transactions, and the bank has booked none of them. `row`: the first of them. */
export function nothingBooked(count: number, row: number | null): Problem {
  const what = count === 1 ? 'its one line is' : `all ${counted(count, 'line')} are`;
  const message = `Nothing is booked yet: ${what} pending. Import the file again when the bank has booked ${count === 1 ? 'it' : 'them'}.`;
  return note('nothing_booked', message, row);
}

/** Whether a booked row has the same amount on the same day, the other way round. */
function mirror(row: PendingRow, other: PendingRow | undefined): boolean {
  if (other === undefined || other.isPending || row.day !== other.day) return false;
  const [first, second] = [row.value, other.value];
  return 'minor' in first && 'minor' in second && first.minor === second.minor && first.direction !== second.direction;
}

/** A pending row by its place among the transactions, from 0, and its line in the file. */
interface PlacedRow extends PendingRow {
  readonly place: number;
  readonly row: number;
}

/**
 * Rows that were obviously not booked: marked pending and standing right beside a booked row of the same day that they mirror (the
 * same amount the other way round), as wallets show the funding of a payment. Any other pending row stays in.
 */
export class UnbookedRows {
  readonly places = new PlaceSet();
  /** Lines of the file. */
  readonly rows = new RowNumbers();
  #before: PendingRow | undefined;
  #row: PlacedRow | undefined;

  /** All rows, in their order. */
  add(row: PlacedRow): void {
    this.#decide(row);
    this.#before = this.#row;
    this.#row = row;
  }

  /** After the last row. */
  end(): void {
    this.#decide(undefined);
  }

  #decide(after: PendingRow | undefined): void {
    const row = this.#row;
    if (row?.isPending !== true || !(mirror(row, this.#before) || mirror(row, after))) return;
    this.places.add(row.place);
    this.rows.add(row.row);
  }
}
