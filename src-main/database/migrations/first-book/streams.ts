/**
 * `read_by` is the date by which a stream's records are read; `batch_lines` says whether an entry with several transactions is one line.
 * `bank_account_id` is the linked account; it has no foreign key, and the service checks it before it links or deletes. Property definitions are the
 * names and types of metadata fields; they belong to their stream and are deleted with it.
 */
export const STREAMS = `
CREATE TABLE streams(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  type TEXT NOT NULL,
  bank_account_id INTEGER,
  currency TEXT,
  reference_field TEXT,
  read_by TEXT NOT NULL DEFAULT 'booking_date' CHECK (read_by IN ('booking_date', 'value_date')),
  batch_lines TEXT NOT NULL DEFAULT 'entry' CHECK (batch_lines IN ('entry', 'parts')),
  literal_debit_credit INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE(environment_id, key)
) STRICT;
CREATE INDEX streams_bank_account ON streams(bank_account_id, id) WHERE bank_account_id IS NOT NULL;

CREATE TABLE property_definitions(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  optional INTEGER NOT NULL CHECK (optional IN (0, 1)),
  created_at INTEGER NOT NULL,
  UNIQUE(stream_id, key)
) STRICT;
`;

/** Deletes and resets of streams; at most one per stream at a time. */
export const STREAM_OPERATIONS = `
CREATE TABLE stream_operations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL,
  stream_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('delete', 'reset')),
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed')),
  actor TEXT NOT NULL,
  processed INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  error_message TEXT,
  wiped_at INTEGER,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER
) STRICT;
CREATE INDEX stream_operations_stream ON stream_operations(environment_id, stream_key, id);
CREATE UNIQUE INDEX stream_operations_open ON stream_operations(stream_id) WHERE status IN ('pending', 'running');
`;

/**
 * Bank accounts with their dated balances. Balances are signed minor units, because an account may be overdrawn.
 *
 * A deleted bank account keeps its row and balances until it is restored: `deleted_links` (JSON) has the ids of the `streams` that were linked to it,
 * and the account that they were moved `to`, or null.
 *
 * A balance belongs either to an account (a person or client entered it) or to an import batch, whose statement states it. A batch's balance is that
 * of the account to which its stream is linked at the moment: it appears and disappears with the batch's visibility and with the link, and is deleted
 * with the batch. Its currency is the statement's; an account of another currency does not show it.
 */
export const BANK_ACCOUNTS = `
CREATE TABLE bank_accounts(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  currency TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  deleted_links TEXT
) STRICT;
CREATE INDEX bank_accounts_name ON bank_accounts(environment_id, name COLLATE NOCASE, id);

CREATE TABLE bank_account_balances(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bank_account_id INTEGER REFERENCES bank_accounts(id),
  batch_id INTEGER REFERENCES import_batches(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  balance_type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((bank_account_id IS NULL) <> (batch_id IS NULL)),
  UNIQUE(bank_account_id, day, balance_type),
  UNIQUE(batch_id, day, balance_type)
) STRICT;
CREATE INDEX bank_account_balances_newest ON bank_account_balances(bank_account_id, day, id);
CREATE INDEX bank_account_balances_stated ON bank_account_balances(day, balance_type, batch_id) WHERE batch_id IS NOT NULL;
`;

/**
 * Ordered chains of reconciliations. Positions count from 1 without gaps; `shared_stream_id` is the stream that connects a link to the previous one,
 * null for the first. Whether both still use the stream is checked when a story is read.
 */
export const STORIES = `
CREATE TABLE stories(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stories_environment ON stories(environment_id, created_at, id);

CREATE TABLE story_links(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  story_id INTEGER NOT NULL REFERENCES stories(id),
  position INTEGER NOT NULL CHECK (position >= 1),
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  shared_stream_id INTEGER REFERENCES streams(id) ON DELETE SET NULL,
  UNIQUE(story_id, position)
) STRICT;
CREATE INDEX story_links_reconciliation ON story_links(reconciliation_id);
CREATE INDEX story_links_shared_stream ON story_links(shared_stream_id) WHERE shared_stream_id IS NOT NULL;
`;
