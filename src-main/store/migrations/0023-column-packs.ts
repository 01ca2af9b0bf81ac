/**
 * Records of a stream packed as columns, for runs to read. Frozen: a change of the schema is a new migration.
 * A pack that is ready says what every record of its stream with an id from `first_id` to `last_id` holds, whether it is visible or not, apart
 * from those in `column_changes`, which are to be read from `records`. `column_parts` has the columns, a chunk of rows each, with a CRC-32.
 * Only the background writes packs; nothing but speed depends on them. Of a record that is edited or deleted triggers note the change, and
 * drop a pack of which much has changed. Ids are given out in order, so a new record lies behind every pack; what comes back under an old id is
 * noted by who brings it back. Parts and changes of a pack that is gone are cleared in the background.
 * `column_state`: ids up to `through` were looked at; `is_stale` says that a pack was dropped since.
 */
export const columnPacks = {
  version: 23,
  name: 'column packs',
  sql: `
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

CREATE TRIGGER column_packs_edited AFTER UPDATE OF stream_id, day, amount, direction, currency, decimal_places, description, external_id, metadata
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
`,
} as const;
