/**
 * The lines of statements and ledgers. `day` is the booking date and `value_day` the value date, null if unknown.
 *
 * The indices contain the columns of filters, so that rows that do not pass are skipped without being read. Each index is paid for by every imported
 * row. An external id is found through the dedupe key, which contains it for nearly every record; records with another key (edited since, or the key
 * belongs to another record) have a small index of their own.
 *
 * No trigger watches inserts of records: a statement with a trigger may have to be undone halfway, so SQLite would first copy every page that it
 * touches, row by row, and with ten indices that took longer than everything else.
 */
export const RECORDS = `
CREATE TABLE records(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL,
  stream_id INTEGER NOT NULL REFERENCES streams(id),
  batch_id INTEGER REFERENCES import_batches(id),
  day INTEGER NOT NULL,
  value_day INTEGER,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  direction INTEGER NOT NULL CHECK (direction IN (0, 1)),
  currency TEXT NOT NULL,
  decimal_places INTEGER NOT NULL,
  description TEXT,
  external_id TEXT,
  metadata TEXT NOT NULL,
  dedupe_key TEXT,
  key_print INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX records_loose ON records(stream_id, id) WHERE batch_id IS NULL;
CREATE INDEX records_day ON records(stream_id, day, id, batch_id, direction, currency, amount, created_at);
CREATE INDEX records_stream_created ON records(stream_id, created_at, id, batch_id, direction, currency, amount, day);
CREATE INDEX records_batch_created ON records(batch_id, created_at, id);
CREATE INDEX records_all_created ON records(environment_id, currency, direction, created_at, id, stream_id, batch_id, amount, day);
CREATE INDEX records_all_day ON records(environment_id, currency, direction, day, id, stream_id, batch_id, amount, created_at);
CREATE INDEX records_batch_day ON records(batch_id, day) WHERE batch_id IS NOT NULL;
CREATE INDEX records_other_external ON records(stream_id, external_id)
  WHERE external_id IS NOT NULL AND dedupe_key IS NOT 'x:' || external_id;
CREATE UNIQUE INDEX records_dedupe ON records(stream_id, dedupe_key) WHERE key_print IS NULL;
CREATE INDEX records_all_amount ON records(environment_id, currency, direction, amount, id, stream_id, batch_id, day, created_at)
  WHERE key_print IS NULL;

CREATE TRIGGER records_held BEFORE DELETE ON records WHEN EXISTS (SELECT 1 FROM match_records WHERE record_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'a match holds this record'); END;
`;

/**
 * Keys and amounts of imported records are in lists of their own, which an import fills in sorted order. The rows of a file come in the order of days
 * and would enter an index of keys or amounts all over it: each row touched two pages of its own, and writing those pages again and again took three
 * quarters of a large import. A list is filled in sorted ranges while the batch is invisible.
 *
 * `records.key_print` is the fingerprint of `dedupe_key` (`fingerprintOf`) for listed records, and null for all others, which are in the two partial
 * indices. A fingerprint is listed at most once in a stream: a record with the same fingerprint and another key is in the indices. A batch that is
 * being written may not be listed yet. The writer of a record lists it (`records/store/listed-records.ts`); triggers maintain the entry from then on.
 */
export const LISTED_RECORDS = `
CREATE TABLE listed_keys(
  stream_id INTEGER NOT NULL,
  key_print INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  PRIMARY KEY(stream_id, key_print)
) STRICT, WITHOUT ROWID;

CREATE TABLE listed_amounts(
  environment_id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  direction INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  id INTEGER NOT NULL,
  stream_id INTEGER NOT NULL,
  batch_id INTEGER,
  day INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(environment_id, currency, direction, amount, id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER records_listed_edited AFTER UPDATE OF environment_id, stream_id, batch_id, day, amount, direction, currency, created_at ON records
WHEN OLD.key_print IS NOT NULL BEGIN
  UPDATE listed_amounts SET environment_id = NEW.environment_id, currency = NEW.currency, direction = NEW.direction, amount = NEW.amount,
      stream_id = NEW.stream_id, batch_id = NEW.batch_id, day = NEW.day, created_at = NEW.created_at
    WHERE environment_id = OLD.environment_id AND currency = OLD.currency AND direction = OLD.direction AND amount = OLD.amount AND id = OLD.id;
END;
CREATE TRIGGER records_listed_key_edited AFTER UPDATE OF stream_id, dedupe_key ON records
WHEN OLD.key_print IS NOT NULL AND (NEW.dedupe_key IS NOT OLD.dedupe_key OR NEW.stream_id <> OLD.stream_id) BEGIN
  DELETE FROM listed_keys WHERE stream_id = OLD.stream_id AND key_print = OLD.key_print AND record_id = OLD.id;
  UPDATE records SET key_print = NULL WHERE id = NEW.id;
END;
CREATE TRIGGER records_unlisted AFTER UPDATE OF key_print ON records WHEN OLD.key_print IS NOT NULL AND NEW.key_print IS NULL BEGIN
  DELETE FROM listed_keys WHERE stream_id = NEW.stream_id AND key_print = OLD.key_print AND record_id = NEW.id;
  DELETE FROM listed_amounts WHERE environment_id = NEW.environment_id AND currency = NEW.currency AND direction = NEW.direction
    AND amount = NEW.amount AND id = NEW.id;
END;
CREATE TRIGGER records_listed_gone AFTER DELETE ON records WHEN OLD.key_print IS NOT NULL BEGIN
  DELETE FROM listed_keys WHERE stream_id = OLD.stream_id AND key_print = OLD.key_print AND record_id = OLD.id;
  DELETE FROM listed_amounts WHERE environment_id = OLD.environment_id AND currency = OLD.currency AND direction = OLD.direction
    AND amount = OLD.amount AND id = OLD.id;
END;
`;

/**
 * Imported lines that state that they return or reverse another line. `mark` (JSON) is the statement. `reverses_record_id` is the reversed line, null
 * while unknown. It counts only while that line is visible and both are equal except for their direction, so edits and wipes need not update it.
 */
export const REVERSALS = `
CREATE TABLE reversals(
  record_id INTEGER PRIMARY KEY REFERENCES records(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL,
  mark TEXT NOT NULL,
  reverses_record_id INTEGER UNIQUE REFERENCES records(id) ON DELETE SET NULL
) STRICT;
CREATE INDEX reversals_stream ON reversals(stream_id, record_id);
`;

/**
 * Alternative descriptions of lines from later files. `dedupe_key` is the key by which the line is recognised when that file comes again; `batch_id`
 * is the import that brought it. `added` (JSON) is what the record took over from it; see `domain/statement/duplicates/duplicates.ts`.
 */
export const WORDINGS = `
CREATE TABLE wordings(
  id INTEGER PRIMARY KEY,
  stream_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL REFERENCES records(id) ON DELETE CASCADE,
  batch_id INTEGER NOT NULL REFERENCES import_batches(id) ON DELETE CASCADE,
  dedupe_key TEXT NOT NULL,
  day INTEGER NOT NULL,
  value_day INTEGER,
  description TEXT,
  external_id TEXT,
  metadata TEXT NOT NULL,
  added TEXT NOT NULL
) STRICT;
CREATE INDEX wordings_key ON wordings(stream_id, dedupe_key);
CREATE INDEX wordings_record ON wordings(record_id);
CREATE INDEX wordings_batch ON wordings(batch_id);
`;

/**
 * The word index of records. It covers records up to `search_state.through`, except those in `search_changes`, which were edited or restored (`gone`
 * 0) or deleted (`gone` 1) since. `recipe` is the version of the word extraction, 0 before the first. A record that returns under its old id is noted
 * by the code that restores it.
 */
export const RECORD_WORDS = `
CREATE TABLE search_state(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  recipe INTEGER NOT NULL,
  through INTEGER NOT NULL
) STRICT;
INSERT INTO search_state(id, recipe, through) VALUES (1, 0, 0);

CREATE TABLE search_changes(
  gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
  record_id INTEGER NOT NULL,
  PRIMARY KEY(gone, record_id)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE record_words USING fts5(words, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');

CREATE TRIGGER records_words_edited AFTER UPDATE OF description, external_id, metadata ON records
WHEN NEW.id <= (SELECT through FROM search_state)
BEGIN INSERT INTO search_changes(gone, record_id) VALUES (0, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER records_words_gone AFTER DELETE ON records
WHEN OLD.id <= (SELECT through FROM search_state)
BEGIN INSERT INTO search_changes(gone, record_id) VALUES (1, OLD.id) ON CONFLICT DO NOTHING; END;
`;

/**
 * The records of a stream packed as columns, for runs to read.
 *
 * A ready pack holds every record of its stream with an id from `first_id` to `last_id`, visible or not, except for those in `column_changes`, which
 * must be read from `records`. `column_parts` has the column segments, each with a chunk of rows and a CRC-32. Packs are written only in the
 * background, and affect only speed. Triggers note edited and deleted records, and drop a pack with many changes. Ids are ascending, so a new record
 * lies behind every pack; a record that returns under an old id is noted by the code that restores it. Segments and changes of a dropped pack are
 * cleared in the background.
 *
 * `column_state`: ids up to `through` were examined; `is_stale` says that a pack was dropped since.
 */
export const COLUMN_PACKS = `
CREATE TABLE column_packs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  ready INTEGER NOT NULL,
  format INTEGER NOT NULL,
  records INTEGER NOT NULL,
  changes INTEGER NOT NULL,
  reference_field TEXT,
  body TEXT NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE INDEX column_packs_stream ON column_packs(stream_id, first_id);

CREATE TABLE column_parts(
  pack_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  chunk INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY(pack_id, name, chunk)
) STRICT;

CREATE TABLE column_changes(
  pack_id INTEGER NOT NULL,
  record_id INTEGER NOT NULL,
  PRIMARY KEY(pack_id, record_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE column_state(id INTEGER PRIMARY KEY CHECK (id = 1), through INTEGER NOT NULL, is_stale INTEGER NOT NULL) STRICT;
INSERT INTO column_state(id, through, is_stale) VALUES (1, 0, 0);

CREATE TRIGGER column_packs_edited AFTER UPDATE OF stream_id, day, value_day, amount, direction, currency, decimal_places, description, external_id, metadata
ON records BEGIN
  INSERT INTO column_changes(pack_id, record_id) SELECT id, OLD.id FROM column_packs
    WHERE stream_id IN (OLD.stream_id, NEW.stream_id) AND OLD.id BETWEEN first_id AND last_id ON CONFLICT DO NOTHING;
  UPDATE column_packs SET changes = changes + 1 WHERE stream_id IN (OLD.stream_id, NEW.stream_id) AND OLD.id BETWEEN first_id AND last_id;
END;
CREATE TRIGGER column_packs_left AFTER DELETE ON records BEGIN
  INSERT INTO column_changes(pack_id, record_id) SELECT id, OLD.id FROM column_packs
    WHERE stream_id = OLD.stream_id AND OLD.id BETWEEN first_id AND last_id ON CONFLICT DO NOTHING;
  UPDATE column_packs SET changes = changes + 1 WHERE stream_id = OLD.stream_id AND OLD.id BETWEEN first_id AND last_id;
END;
CREATE TRIGGER column_packs_outdated AFTER UPDATE OF changes ON column_packs
WHEN NEW.ready = 1 AND NEW.changes > 1000 AND NEW.changes * 8 > NEW.records
BEGIN DELETE FROM column_packs WHERE id = NEW.id; END;
CREATE TRIGGER column_packs_dropped AFTER DELETE ON column_packs WHEN OLD.ready = 1
BEGIN UPDATE column_state SET is_stale = 1; END;
`;

/**
 * Batches of records. `writing = 1` marks a batch whose rows are not visible; `wiped_by` names the wipe that hid it. A batch with an id below 0
 * gathers the records of a wipe that had no batch.
 *
 * For a batch from a file: `recipe` is the recipe with which it was read, even if the kept recipe changes later. `whose` (JSON) has `accounts`, the
 * account numbers as the file writes them, and `holders`; null if the file states neither. `periods` is a JSON list of {account, firstDay, lastDay,
 * openingMinor, closingMinor}, one for each statement, also for a file without new lines; null for a batch without a file, whose period is that of
 * its records. `currency` is that of all of its balances; for a bulk request, that of its first record.
 */
export const IMPORT_BATCHES = `
CREATE TABLE import_batches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL REFERENCES streams(id),
  writing INTEGER NOT NULL,
  wiped_by INTEGER,
  source TEXT NOT NULL,
  filename TEXT,
  format TEXT NOT NULL,
  recipe TEXT,
  whose TEXT,
  sha256 TEXT NOT NULL,
  byte_length INTEGER NOT NULL,
  kept INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  totals TEXT NOT NULL,
  date_start INTEGER,
  date_end INTEGER,
  periods TEXT,
  currency TEXT,
  opening_balance INTEGER,
  closing_balance INTEGER,
  proof TEXT NOT NULL,
  problems TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX import_batches_stream ON import_batches(stream_id, created_at, id);
CREATE INDEX import_batches_writing ON import_batches(id) WHERE writing = 1;
CREATE INDEX import_batches_wiped ON import_batches(wiped_by) WHERE wiped_by IS NOT NULL;
CREATE INDEX import_batches_source ON import_batches(environment_id, source, id);
CREATE INDEX import_batches_sha256 ON import_batches(environment_id, sha256) WHERE source <> 'bulk_api';
`;

/**
 * Recipes with which tables are read. `body` is the recipe as in its file; `fingerprint` is that of the header, and several recipes may share it.
 * `former_recipes` keeps the body of a kept recipe until `replaced_at`.
 */
export const IMPORT_RECIPES = `
CREATE TABLE import_recipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL COLLATE NOCASE,
  fingerprint TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE(environment_id, name)
) STRICT;

CREATE TABLE former_recipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  recipe_id INTEGER NOT NULL REFERENCES import_recipes(id),
  fingerprint TEXT NOT NULL,
  body TEXT NOT NULL,
  replaced_at INTEGER NOT NULL
) STRICT;
CREATE INDEX former_recipes_of ON former_recipes(recipe_id);
`;

/**
 * The rows of a file that an import (or its preview) did not take, in the order of the file, some hundred rows in each body (deflated JSON). `first`
 * counts from 0 among the rows of the same kind.
 */
export const IMPORT_ROWS = `
CREATE TABLE import_rows(
  job_id INTEGER NOT NULL REFERENCES jobs(id),
  kind TEXT NOT NULL CHECK (kind IN ('skipped', 'rejected')),
  first INTEGER NOT NULL,
  count INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY(job_id, kind, first)
) STRICT, WITHOUT ROWID;
`;

/**
 * Bulk requests. `bulk_items` holds the items as sent until the request is completed, in pieces: JSON arrays of the items from the place `first` on.
 * The pieces are stored before their request, which names them by `body_id`; pieces without a request are those of a killed process. `bulk_results`
 * has the result of `items` consecutive items from the place `item` on, from 0 without a gap, written in the transaction that inserted their records.
 * A row with several items means that all were inserted, with consecutive record ids from `record_id` on. `bulk_request_streams` has the streams that
 * a request names and, after its first item there, the import batch that it fills in each.
 */
export const BULK_REQUESTS = `
CREATE TABLE bulk_requests(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  status TEXT NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  on_conflict TEXT NOT NULL CHECK (on_conflict IN ('skip', 'error')),
  actor TEXT NOT NULL,
  idempotency_key TEXT,
  total INTEGER NOT NULL,
  processed INTEGER NOT NULL DEFAULT 0,
  successful INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  skipped INTEGER NOT NULL DEFAULT 0,
  body_id INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  byte_length INTEGER NOT NULL,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  CHECK (processed = successful + failed + skipped AND processed <= total),
  CHECK (status <> 'completed' OR processed = total)
) STRICT;
CREATE INDEX bulk_requests_open ON bulk_requests(id) WHERE status IN ('pending', 'processing');
CREATE INDEX bulk_requests_newest ON bulk_requests(environment_id, created_at, id);
CREATE UNIQUE INDEX bulk_requests_idempotency ON bulk_requests(environment_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX bulk_requests_body ON bulk_requests(body_id);

CREATE TABLE bulk_items(
  body_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(body_id, first)
) STRICT;

CREATE TABLE bulk_results(
  bulk_request_id INTEGER NOT NULL REFERENCES bulk_requests(id),
  item INTEGER NOT NULL,
  items INTEGER NOT NULL CHECK (items = 1 OR status = 'successful'),
  status TEXT NOT NULL CHECK (status IN ('successful', 'failed', 'skipped')),
  record_id INTEGER,
  error TEXT,
  PRIMARY KEY(bulk_request_id, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE bulk_request_streams(
  bulk_request_id INTEGER NOT NULL REFERENCES bulk_requests(id),
  stream_id INTEGER NOT NULL,
  batch_id INTEGER,
  PRIMARY KEY(bulk_request_id, stream_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bulk_request_streams_stream ON bulk_request_streams(stream_id);
`;

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
