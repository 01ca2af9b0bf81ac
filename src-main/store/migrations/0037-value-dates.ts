/**
 * Value dates of records, and by which of both days a stream is read. Frozen: a change of the schema is a new migration.
 * `records.value_day`: days since 1970-01-01; null where it is not known, as for all records that there were before. `streams.read_by`: `booking_date` or
 * `value_date`. Packs of columns and bases of runs are outdated by an edit of a value date as by that of any other field.
 */
export const valueDates = {
  version: 37,
  name: 'value dates',
  sql: `
ALTER TABLE records ADD COLUMN value_day INTEGER;
ALTER TABLE streams ADD COLUMN read_by TEXT NOT NULL DEFAULT 'booking_date' CHECK (read_by IN ('booking_date', 'value_date'));

DROP TRIGGER column_packs_edited;
CREATE TRIGGER column_packs_edited AFTER UPDATE OF stream_id, day, value_day, amount, direction, currency, decimal_places, description, external_id, metadata
ON records BEGIN
  INSERT INTO column_changes(pack_id, record_id) SELECT id, OLD.id FROM column_packs
    WHERE stream_id IN (OLD.stream_id, NEW.stream_id) AND OLD.id BETWEEN first_id AND last_id ON CONFLICT DO NOTHING;
  UPDATE column_packs SET changes = changes + 1 WHERE stream_id IN (OLD.stream_id, NEW.stream_id) AND OLD.id BETWEEN first_id AND last_id;
END;

DROP TRIGGER run_bases_edited;
CREATE TRIGGER run_bases_edited AFTER UPDATE OF stream_id, day, value_day, amount, direction, currency, decimal_places, description, external_id, metadata ON records
BEGIN
  DELETE FROM run_bases WHERE reconciliation_id IN
    (SELECT reconciliation_id FROM reconciliation_streams WHERE stream_id IN (OLD.stream_id, NEW.stream_id));
END;
`,
} as const;
