/**
 * The close of a reconciliation. Amounts are signed minor units, and money in is positive on both sides; days count from 1970-01-01, and both ends
 * belong to the period.
 *
 * `period_balances` are the balances that people entered, each for one side and currency; null if not entered. `decimal_places` is the scale in which
 * they were entered.
 */
export const PERIODS = `
CREATE TABLE reconciliation_periods(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'prepared', 'reviewed', 'closed')),
  prepared_by TEXT,
  prepared_at INTEGER,
  reviewed_by TEXT,
  reviewed_at INTEGER,
  closed_by TEXT,
  closed_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK (first_day <= last_day),
  UNIQUE(reconciliation_id, first_day)
) STRICT;
CREATE INDEX reconciliation_periods_closed ON reconciliation_periods(reconciliation_id, last_day) WHERE state = 'closed';

CREATE TABLE period_balances(
  period_id INTEGER NOT NULL REFERENCES reconciliation_periods(id) ON DELETE CASCADE,
  currency TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  decimal_places INTEGER NOT NULL,
  opening INTEGER,
  stated_closing INTEGER,
  PRIMARY KEY(period_id, currency, side)
) STRICT, WITHOUT ROWID;
`;

/**
 * The sign-offs of a period: who signed, when, and the figures then. `figures` (JSON) has them by currency. `covering_hash` is the hash of everything
 * that the sign-off covers; `coverings` has its rows, compressed, once for all sign-offs of a period that cover the same. `audit_entries` and
 * `audit_head` are the length of the audit log just before the sign-off and the hash of its last entry. A sign-off is never changed.
 */
export const SIGN_OFFS = `
CREATE TABLE coverings(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  period_id INTEGER NOT NULL REFERENCES reconciliation_periods(id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  body BLOB NOT NULL,
  UNIQUE(period_id, hash)
) STRICT;

CREATE TABLE sign_offs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  period_id INTEGER NOT NULL REFERENCES reconciliation_periods(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('prepare', 'review', 'close', 'reopen')),
  signed_by TEXT NOT NULL,
  signed_at INTEGER NOT NULL,
  reason TEXT,
  figures TEXT NOT NULL,
  covering_hash TEXT NOT NULL,
  audit_entries INTEGER NOT NULL,
  audit_head TEXT NOT NULL
) STRICT;
CREATE INDEX sign_offs_period ON sign_offs(period_id, id);
`;

/**
 * Notes of people on records that are open in a reconciliation; they continue from month to month. There is no foreign key to the record: undo
 * restores a deleted record under its id, and its note is still there.
 */
export const OPEN_ITEM_NOTES = `
CREATE TABLE open_item_notes(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  record_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('open', 'in_transit', 'outstanding', 'to_be_booked', 'bank_error', 'book_error', 'timing', 'disputed')),
  owner TEXT,
  comment TEXT,
  expected_on INTEGER,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  PRIMARY KEY(reconciliation_id, record_id)
) STRICT, WITHOUT ROWID;
`;
