/**
 * Pages of records by any filter and sort, and the index of their words. Frozen: a change of the schema is a new migration.
 * The indices carry what filters look at, so that rows which do not pass are left out without being read.
 * `record_words` knows records up to `search_state.through`, apart from those in `search_changes`, which were edited or restored
 * (`gone` 0) or deleted (`gone` 1) since; `recipe` is how their words were taken, 0 before the first.
 */
export const recordPages = {
  version: 13,
  name: 'pages and words of records',
  sql: `
DROP INDEX records_day;
DROP INDEX records_created;
CREATE INDEX records_day ON records(stream_id, day, id, batch_id, direction, currency, amount, created_at);
CREATE INDEX records_stream_created ON records(stream_id, created_at, id, batch_id, direction, currency, amount, day);
CREATE INDEX records_batch_created ON records(batch_id, created_at, id);
CREATE INDEX records_all_created ON records(environment_id, currency, direction, created_at, id, stream_id, batch_id, amount, day);
CREATE INDEX records_all_day ON records(environment_id, currency, direction, day, id, stream_id, batch_id, amount, created_at);
CREATE INDEX records_all_amount ON records(environment_id, currency, direction, amount, id, stream_id, batch_id, day, created_at);
CREATE INDEX import_batches_source ON import_batches(environment_id, source, id);

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
CREATE TRIGGER records_words_restored AFTER INSERT ON records
WHEN NEW.id <= (SELECT through FROM search_state)
BEGIN INSERT INTO search_changes(gone, record_id) VALUES (0, NEW.id) ON CONFLICT DO NOTHING; END;
`,
} as const;
