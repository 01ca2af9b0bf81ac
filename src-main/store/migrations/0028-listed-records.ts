/**
 * Keys and amounts of imported records stand in lists of their own, which an import fills in their order. Frozen: a change of the schema is a new migration.
 * The rows of a file come in the order of days, so they enter an index of keys or of amounts all over it: each row touched two pages of its own, and writing
 * those pages again and again took three quarters of a large import. A list is filled in sorted stretches while nobody sees the batch.
 * `key_print` is a fingerprint of `dedupe_key` (`fingerprintOf`), of records that stand in the lists; it is null for all others, which stand in the two indices.
 * At most one record of a stream has a fingerprint in the list: one whose key only looks the same stands in the indices. A record of a batch that is
 * being written may not be in the lists yet. Who writes a record lists it (`records/listed-records.ts`); triggers follow it from then on.
 */
export const listedRecords = {
  version: 28,
  name: 'listed records',
  sql: `
ALTER TABLE records ADD COLUMN key_print INTEGER;
DROP INDEX records_dedupe;
DROP INDEX records_all_amount;
CREATE UNIQUE INDEX records_dedupe ON records(stream_id, dedupe_key) WHERE key_print IS NULL;
CREATE INDEX records_all_amount ON records(environment_id, currency, direction, amount, id, stream_id, batch_id, day, created_at)
  WHERE key_print IS NULL;

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
`,
} as const;
