/**
 * What changed since a continuous reconciliation had its last run: one row, and a count that says whether something changed
 * again. Triggers write it, so that no change of what a run reads can forget it, in the transaction of the change itself. They are
 * on rows that a change touches once however many records it is of; loose records are noted by the code that writes them.
 */
export const dueRuns = {
  version: 12,
  name: 'runs that are due',
  sql: `
CREATE TABLE due_runs(
  reconciliation_id INTEGER PRIMARY KEY REFERENCES reconciliations(id) ON DELETE CASCADE,
  cause TEXT NOT NULL CHECK (cause IN ('record_created', 'rule_activated')),
  changes INTEGER NOT NULL
) STRICT;

CREATE TRIGGER due_runs_batch AFTER UPDATE OF writing, kept ON import_batches
WHEN new.writing <> old.writing OR (new.writing = 0 AND new.kept <> old.kept) BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT c.id, 'record_created', 1 FROM reconciliation_streams s JOIN reconciliations c ON c.id = s.reconciliation_id
  WHERE s.stream_id = new.stream_id AND c.run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER due_runs_reference AFTER UPDATE OF reference_field ON streams WHEN new.reference_field IS NOT old.reference_field BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT c.id, 'record_created', 1 FROM reconciliation_streams s JOIN reconciliations c ON c.id = s.reconciliation_id
  WHERE s.stream_id = new.id AND c.run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER due_runs_property AFTER INSERT ON property_definitions BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT c.id, 'record_created', 1 FROM reconciliation_streams s JOIN reconciliations c ON c.id = s.reconciliation_id
  WHERE s.stream_id = new.stream_id AND c.run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER due_runs_removed_property AFTER DELETE ON property_definitions BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT c.id, 'record_created', 1 FROM reconciliation_streams s JOIN reconciliations c ON c.id = s.reconciliation_id
  WHERE s.stream_id = old.stream_id AND c.run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER due_runs_side AFTER INSERT ON reconciliation_streams BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT id, 'record_created', 1 FROM reconciliations WHERE id = new.reconciliation_id AND run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER due_runs_reconciliation AFTER UPDATE OF run_type, sign_convention ON reconciliations
WHEN new.run_type = 'continuous' AND (old.run_type <> 'continuous' OR new.sign_convention <> old.sign_convention) BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes) VALUES (new.id, 'record_created', 1)
  ON CONFLICT(reconciliation_id) DO UPDATE SET changes = changes + 1;
END;

CREATE TRIGGER due_runs_on_request AFTER UPDATE OF run_type ON reconciliations WHEN new.run_type <> 'continuous' BEGIN
  DELETE FROM due_runs WHERE reconciliation_id = new.id;
END;

CREATE TRIGGER due_runs_new_rule AFTER INSERT ON rules WHEN new.status = 'active' BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT id, 'rule_activated', 1 FROM reconciliations WHERE id = new.reconciliation_id AND run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET cause = 'rule_activated', changes = changes + 1;
END;

CREATE TRIGGER due_runs_rule AFTER UPDATE ON rules
WHEN (new.status = 'active' OR old.status = 'active') AND (new.status <> old.status OR new.filters <> old.filters
  OR new.priority <> old.priority OR new.outcome <> old.outcome OR new.commit_certainty <> old.commit_certainty
  OR new.cardinality <> old.cardinality OR new.group_by <> old.group_by OR new.rollup IS NOT old.rollup) BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT id, 'rule_activated', 1 FROM reconciliations WHERE id = new.reconciliation_id AND run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET cause = 'rule_activated', changes = changes + 1;
END;

CREATE TRIGGER due_runs_removed_rule AFTER DELETE ON rules WHEN old.status = 'active' BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT id, 'rule_activated', 1 FROM reconciliations WHERE id = old.reconciliation_id AND run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET cause = 'rule_activated', changes = changes + 1;
END;
`,
} as const;
