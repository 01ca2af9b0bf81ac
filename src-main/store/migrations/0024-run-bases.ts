/**
 * What a continuous reconciliation's newest run left: `records` are the records that were free when it began, by id ascending, each as a 64-bit
 * float (little-endian): the id times 4, and 1 where the run left it in a proposal, 2 where it matched it. The next run looks at what changed
 * since. Only the base of the published run counts. Where a record itself changed or went, the base is dropped by trigger and the next run looks at everything.
 * `changed_separations` are the sets of records that people took apart or let be matched again.
 * `proposals_since` is the last run that worked out all proposals: those from it on are valid. `examined_records`: how many records a run compared.
 */
export const runBases = {
  version: 24,
  name: 'bases of runs',
  sql: `
CREATE TABLE run_bases(
  run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  facts TEXT NOT NULL,
  records BLOB NOT NULL
) STRICT;
CREATE INDEX run_bases_reconciliation ON run_bases(reconciliation_id);

CREATE TABLE changed_separations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  record_key TEXT NOT NULL
) STRICT;
CREATE INDEX changed_separations_reconciliation ON changed_separations(reconciliation_id);

ALTER TABLE reconciliations ADD COLUMN proposals_since INTEGER;
UPDATE reconciliations SET proposals_since = published_run_id;
ALTER TABLE runs ADD COLUMN examined_records INTEGER;
UPDATE runs SET examined_records = total_records WHERE status = 'completed';

CREATE TRIGGER run_bases_edited AFTER UPDATE OF stream_id, day, amount, direction, currency, decimal_places, description, external_id, metadata ON records
BEGIN
  DELETE FROM run_bases WHERE reconciliation_id IN
    (SELECT reconciliation_id FROM reconciliation_streams WHERE stream_id IN (OLD.stream_id, NEW.stream_id));
END;
CREATE TRIGGER run_bases_gone AFTER DELETE ON records
BEGIN
  DELETE FROM run_bases WHERE reconciliation_id IN (SELECT reconciliation_id FROM reconciliation_streams WHERE stream_id = OLD.stream_id);
END;

CREATE TRIGGER changed_separations_new AFTER INSERT ON separations
WHEN EXISTS (SELECT 1 FROM reconciliations WHERE id = NEW.reconciliation_id AND run_type = 'continuous') BEGIN
  INSERT INTO changed_separations(reconciliation_id, record_key) VALUES (NEW.reconciliation_id, NEW.record_key);
END;
CREATE TRIGGER changed_separations_cleared AFTER UPDATE OF cleared_at ON separations
WHEN EXISTS (SELECT 1 FROM reconciliations WHERE id = NEW.reconciliation_id AND run_type = 'continuous') BEGIN
  INSERT INTO changed_separations(reconciliation_id, record_key) VALUES (NEW.reconciliation_id, NEW.record_key);
END;
CREATE TRIGGER changed_separations_gone AFTER DELETE ON separations
WHEN EXISTS (SELECT 1 FROM reconciliations WHERE id = OLD.reconciliation_id AND run_type = 'continuous') BEGIN
  INSERT INTO changed_separations(reconciliation_id, record_key) VALUES (OLD.reconciliation_id, OLD.record_key);
END;

CREATE TRIGGER run_bases_on_request AFTER UPDATE OF run_type ON reconciliations WHEN new.run_type <> 'continuous' BEGIN
  DELETE FROM run_bases WHERE reconciliation_id = new.id;
  DELETE FROM changed_separations WHERE reconciliation_id = new.id;
END;
`,
} as const;
