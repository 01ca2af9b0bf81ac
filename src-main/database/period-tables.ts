import type { Generated } from 'kysely';

interface ReconciliationPeriodRow {
  id: Generated<number>;
  reconciliation_id: number;
  first_day: number;
  last_day: number;
  state: 'open' | 'prepared' | 'reviewed' | 'closed';
  prepared_by: string | null;
  prepared_at: number | null;
  reviewed_by: string | null;
  reviewed_at: number | null;
  closed_by: string | null;
  closed_at: number | null;
  created_at: number;
}

/** Signed minor units. */
interface PeriodBalanceRow {
  period_id: number;
  currency: string;
  side: 'a' | 'b';
  decimal_places: number;
  opening: number | null;
  stated_closing: number | null;
}

interface SignOffRow {
  id: Generated<number>;
  period_id: number;
  kind: 'prepare' | 'review' | 'close' | 'reopen';
  signed_by: string;
  signed_at: number;
  reason: string | null;
  /** JSON. */
  figures: string;
  covering_hash: string;
  /** Of the audit log just before. */
  audit_entries: number;
  audit_head: string;
}

interface OpenItemNoteRow {
  reconciliation_id: number;
  record_id: number;
  status: 'open' | 'in_transit' | 'outstanding' | 'to_be_booked' | 'bank_error' | 'book_error' | 'timing' | 'disputed';
  owner: string | null;
  comment: string | null;
  expected_on: number | null;
  updated_at: number;
  updated_by: string;
}

/** Rows of the close as SQLite holds them; see migrations/first-book/periods.ts for units. */
export interface PeriodTables {
  reconciliation_periods: ReconciliationPeriodRow;
  period_balances: PeriodBalanceRow;
  coverings: { id: Generated<number>; period_id: number; hash: string; body: Buffer };
  sign_offs: SignOffRow;
  open_item_notes: OpenItemNoteRow;
}
