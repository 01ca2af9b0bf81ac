import type { Problem } from '../../../../src-shared/contract/index.ts';
import { counted } from '../../../../src-shared/values/english.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { Layout } from '../columns/table-columns.ts';
import { note, placed, PlaceSet, quoted, RowNumbers } from '../model/problems.ts';
import { type Booking, bookingInFront, bookingOf, isAuthorisation, saysBookedByBank, saysByHeader } from '../vocabulary/booking.ts';
import { headerWords, meaningsOf } from '../vocabulary/header-words.ts';
import { normaliseHeader } from '../vocabulary/meaning.ts';
import type { RowValue } from './signs.ts';
import { cellOf, type WrittenRow } from './sort-rows.ts';

/** The facts of a row that show whether it, or a row beside it, was booked. */
interface PendingRow {
  readonly isPending: boolean;
  readonly value: RowValue;
  readonly day: number | null;
}

const OF_INVOICES =
  /invoice|rechnung|faktur|factur|fattura|\b(?:bill|due|fallig|customer(?! (?:ref|reference|number|no|id)\b)|kunde|vendor|supplier|voucher|order)\b/;
/** A transaction id is that of a bank or a wallet, which may name an invoice beside it. */
const OF_WALLETS = /^(?:transaction|balance) (?:id|impact)$/;

/** Most different unknown texts for which a status column counts as meaningful. */
const MAX_UNKNOWN = 5;

/** The booking state of a row: `pending` is a bank's word, `waits` is used for invoices as well. */
interface Said {
  readonly booking: Booking | null;
  /** Such as `Status "Pending"`. */
  readonly words: string;
}

const SAYS_NOTHING: Said = { booking: null, words: '' };

/** Reads the booking state of the rows of a table. */
class Teller {
  readonly #layout: Layout;
  readonly #kinds: readonly number[];
  readonly #statusHeader: string;

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#statusHeader = layout.status === null ? '' : headerWords(layout.headers[layout.status] ?? '');
    this.#kinds = layout.headers.flatMap((header, index) =>
      index !== layout.status && meaningsOf(header).some(({ meaning, rank }) => meaning === 'direction' && rank === 5) ? [index] : [],
    );
  }

  of(row: WrittenRow): Said {
    const { status, names } = this.#layout;
    if (row.waitsUnder !== null) return { booking: 'pending', words: `under ${quoted(row.waitsUnder)}` };
    const text = cellOf(row, status);
    const named = (column: number | null): string => `${names[column ?? -1] ?? ''} ${quoted(cellOf(row, column))}`;
    const booking = text === '' ? null : (saysByHeader(this.#statusHeader, text) ?? bookingOf(text));
    if (booking === 'pending' || booking === 'waits') return { booking, words: named(status) };
    const kind = this.#kinds.find((column) => isAuthorisation(cellOf(row, column)));
    if (kind !== undefined && booking !== 'never') return { booking: 'pending', words: named(kind) };
    const inFront = booking === null ? bookingInFront(cellOf(row, this.#layout.description)) : null;
    if (inFront !== null) return { booking: inFront, words: named(this.#layout.description) };
    if (booking === null && row.unbooked === 'pending') return { booking: 'pending', words: named(this.#layout.date) };
    return booking === null ? SAYS_NOTHING : { booking, words: '' };
  }
}

/** Decides which rows of a table the bank has not booked. */
export interface WaitingRule {
  /** Returns the reason, such as `Status "Pending"`, for a row that is left out; null for one that is read. */
  readonly leavesOut: (row: WrittenRow) => string | null;
  /** Whether a row is marked as waiting, left out or not. */
  readonly isPending: (row: WrittenRow) => boolean;
  /** Marked rows that are read as lines nevertheless, since invoices have the same marks. */
  readonly kept: RowNumbers;
  /** Notes on status texts whose meaning is unknown. */
  readonly unknown: readonly Problem[];
}

/**
 * Decides over all rows of a table which of them the bank has not booked. A status, a title above the rows, or the authorisation of a payment shows
 * it. Words that an unpaid invoice has as well (`offen`, `Pendiente`) count only beside rows of another status, and never in a list of invoices.
 */
export class WaitingFacts {
  readonly #layout: Layout;
  readonly #teller: Teller;
  readonly #hasInvoices: boolean;
  readonly #isOfWallet: boolean;
  /** Lines of the file. */
  readonly rows = new RowNumbers();
  readonly #marked = new RowNumbers();
  readonly #waits = new RowNumbers();
  #count = 0;
  #underTitles = 0;
  #paid = 0;
  #byBank = 0;
  #hasUndated = false;
  #known = 0;
  /** Texts of the status that say nothing, with the rows that have them. */
  readonly #unknown = new Map<string, RowNumbers>();

  constructor(layout: Layout) {
    this.#layout = layout;
    this.#teller = new Teller(layout);
    const headers = layout.headers.map(normaliseHeader);
    this.#hasInvoices = headers.some((header) => OF_INVOICES.test(header));
    this.#isOfWallet = layout.balance !== null || headers.some((header) => OF_WALLETS.test(header));
  }

  /** Adds a row; returns whether its own words say that it is pending. */
  add(row: WrittenRow): boolean {
    this.#count += 1;
    const { booking } = this.#teller.of(row);
    const isMarked = booking === 'pending' || booking === 'waits';
    if (isMarked || row.unbooked === 'pending') this.rows.add(row.row);
    if (row.unbooked === 'pending') this.#hasUndated = true;
    this.#addStatus(cellOf(row, this.#layout.status), row.row, booking);
    if (booking === 'paid') this.#paid += 1;
    if (booking === 'booked' && saysBookedByBank(cellOf(row, this.#layout.status))) this.#byBank += 1;
    if (row.waitsUnder !== null) this.#underTitles += 1;
    else if (isMarked && row.unbooked === null) {
      this.#marked.add(row.row);
      if (booking === 'waits') this.#waits.add(row.row);
    }
    return isMarked || row.unbooked === 'pending';
  }

  #addStatus(text: string, row: number, booking: Booking | null): void {
    if (booking !== null || text === '') {
      this.#known += 1;
      return;
    }
    const rows = this.#unknown.get(text);
    if (rows !== undefined) rows.add(row);
    else if (this.#unknown.size <= MAX_UNKNOWN) this.#unknown.set(text, new RowNumbers([row]));
  }

  /** Returns a note on status texts that may mean pending, where rows differ in them. */
  get #unknownNotes(): readonly Problem[] {
    const { status, names } = this.#layout;
    const kinds = this.#unknown.size + (this.#known > 0 ? 1 : 0);
    if (status === null || this.#hasInvoices || kinds < 2 || this.#unknown.size > MAX_UNKNOWN || this.#unknown.size === 0) return [];
    const name = names[status] ?? null;
    const said = [...this.#unknown].map(([text, rows]) => `${quoted(text)} (${placed(rows)})`).join(', ');
    const message = phrase('statement.pending.whatTheColumnSays', { name: name ?? '', said });
    return [note('status_unknown', message, [...this.#unknown.values()][0]?.first[0] ?? null, name)];
  }

  /** Whether no row is booked; then they are all in `rows`. */
  get allWait(): boolean {
    const isNoneKept = this.#marked.count === 0 || (this.#takesPending && (this.#takesWaits || this.#waits.count === 0));
    return this.rows.count === this.#count && isNoneKept;
  }

  get hasPending(): boolean {
    return this.#marked.count + this.#underTitles > 0 || this.#hasUndated;
  }

  get #takesPending(): boolean {
    return !this.#hasInvoices || this.#isOfWallet || this.#byBank > 0;
  }

  /** A table in which every row only waits may be a list of invoices. */
  get #takesWaits(): boolean {
    return this.#takesPending && this.#paid === 0 && (this.#waits.count < this.#count || this.#layout.balance !== null);
  }

  decided(): WaitingRule {
    const [takesPending, takesWaits] = [this.#takesPending, this.#takesWaits];
    const isLeftOut = (row: WrittenRow, booking: Booking | null): boolean =>
      row.waitsUnder !== null || (booking === 'pending' ? takesPending : booking === 'waits' && takesWaits);
    return {
      leavesOut: (row) => {
        if (row.unbooked === 'never') return null;
        const { booking, words } = this.#teller.of(row);
        // An invoice without a day cannot be read.
        if (row.unbooked === 'pending') return takesPending ? words : null;
        return isLeftOut(row, booking) ? words : null;
      },
      isPending: (row) => saysItWaits(this.#teller.of(row)),
      kept: !takesPending ? this.#marked : takesWaits ? new RowNumbers() : this.#waits,
      unknown: this.#unknownNotes,
    };
  }
}

function saysItWaits({ booking }: Said): boolean {
  return booking === 'pending' || booking === 'waits';
}

/** Returns the note that the bank has booked none of a file's transactions. `row`: the first of them. */
export function nothingBooked(count: number, row: number | null): Problem {
  const what = count === 1 ? phrase('statement.pending.itsOneLineIs') : `all ${counted(count, 'line')} are`;
  const message = phrase('statement.pending.nothingIsBookedYetPending', { what, count });
  return note('nothing_booked', message, row);
}

/** Whether a booked row has the same amount on the same day in the other direction. */
function mirror(row: PendingRow, other: PendingRow | undefined): boolean {
  if (other === undefined || other.isPending || row.day !== other.day) return false;
  const [first, second] = [row.value, other.value];
  return 'minor' in first && 'minor' in second && first.minor === second.minor && first.direction !== second.direction;
}

/** A row with its place among the transactions, from 0, and its row in the file. `why`: the words that mark it as unbooked. */
interface PlacedRow extends PendingRow {
  readonly place: number;
  readonly row: number;
  readonly why: string | null;
}

/** Reasons that a sentence names. */
const SHOWN_REASONS = 3;

/**
 * Collects unbooked rows: those that the rule leaves out, and pending rows directly beside a booked row of the same day with the same amount in the
 * other direction, as wallets show the funding of a payment.
 */
export class UnbookedRows {
  readonly places = new PlaceSet();
  /** Lines of the file. */
  readonly rows = new RowNumbers();
  readonly #mirrors = new RowNumbers();
  readonly #reasons = new Set<string>();
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
    if (row === undefined) return;
    const isMirror = row.why === null && row.isPending && (mirror(row, this.#before) || mirror(row, after));
    if (row.why === null && !isMirror) return;
    this.places.add(row.place);
    this.rows.add(row.row);
    if (isMirror) this.#mirrors.add(row.row);
    else if (row.why !== null && this.#reasons.size < SHOWN_REASONS) this.#reasons.add(row.why);
  }

  get hasMirrors(): boolean {
    return this.#mirrors.count > 0;
  }

  notes(): readonly Problem[] {
    const notes: Problem[] = [];
    if (this.rows.count > this.#mirrors.count) {
      const count = this.rows.count;
      const message = phrase('statement.pending.linesThatTheBank', {
        count,
        reasons: [...this.#reasons].join(', '),
        rows: placed(this.rows),
      });
      notes.push(note('pending_rows_left_out', message, this.rows.first[0] ?? null));
    } else if (this.#mirrors.count > 0) {
      const message = phrase('statement.pending.rowsMarkedAsPendingThatMirror', { mirrors: placed(this.#mirrors) });
      notes.push(note('pending_rows_left_out', message, this.#mirrors.first[0] ?? null));
    }
    return notes;
  }
}
