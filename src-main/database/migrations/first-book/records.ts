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
 * is the import that brought it. `added` (JSON) is what the record took over from it; see `domain/statement/duplicates/fingerprint.ts`.
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
