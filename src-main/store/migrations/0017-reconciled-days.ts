/**
 * Days on which each record of a stream is reconciled. Frozen: a change of the schema is a new migration.
 * A row says that every record of the stream and day with an id up to `through` is counted in the reconciliation, visible or not. It is
 * written in the background; whatever could make it wrong deletes it, apart from newer records, which a reader looks for.
 */
export const reconciledDays = {
  version: 17,
  name: 'reconciled days',
  sql: `
CREATE TABLE reconciled_days(
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  through INTEGER NOT NULL,
  PRIMARY KEY(stream_id, day, reconciliation_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER reconciled_days_lost AFTER DELETE ON match_records WHEN OLD.counted = 1
BEGIN
  DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
    AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
END;
CREATE TRIGGER reconciled_days_let_go AFTER UPDATE OF counted, record_id, reconciliation_id ON match_records WHEN OLD.counted = 1
BEGIN
  DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
    AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
END;
CREATE TRIGGER reconciled_days_moved AFTER UPDATE OF day, stream_id ON records WHEN NEW.day <> OLD.day OR NEW.stream_id <> OLD.stream_id
BEGIN DELETE FROM reconciled_days WHERE stream_id = NEW.stream_id AND day = NEW.day; END;
`,
} as const;
