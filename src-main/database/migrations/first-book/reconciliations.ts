/**
 * `proposals_since` is the last run that computed all proposals: those of that run and later ones are valid. `bank_side` is null until a person says
 * which side is the bank or a period is closed; `none` means that a period was closed without one.
 */
export const RECONCILIATIONS = `
CREATE TABLE reconciliations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  run_type TEXT NOT NULL,
  sign_convention TEXT NOT NULL,
  published_run_id INTEGER,
  proposals_since INTEGER,
  bank_side TEXT CHECK (bank_side IN ('a', 'b', 'none')),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reconciliations_environment ON reconciliations(environment_id, created_at, id);

CREATE TABLE reconciliation_streams(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  stream_id INTEGER NOT NULL REFERENCES streams(id),
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  PRIMARY KEY(reconciliation_id, stream_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reconciliation_streams_stream ON reconciliation_streams(stream_id);
`;

/**
 * Rules, and what their review needs: how certain a proposed rule was, whether a person `edited` it, the shapes of rules that a person dismissed, and
 * removed rules (for undo). A rule with the method `evidence` weighs evidence; `removed_aliases` are pairs of names that a person removed from what
 * it learned. A paused rule is kept but not used.
 */
export const RULES = `
CREATE TABLE rules(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  priority INTEGER NOT NULL,
  method TEXT NOT NULL DEFAULT 'conditions' CHECK (method IN ('conditions', 'evidence')),
  filters TEXT NOT NULL,
  description TEXT,
  source TEXT NOT NULL,
  confidence TEXT CHECK (confidence IN ('high', 'medium', 'low')),
  sample_match_rate TEXT,
  edited INTEGER NOT NULL DEFAULT 0 CHECK (edited IN (0, 1)),
  status TEXT NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  paused_reason TEXT,
  outcome TEXT NOT NULL,
  commit_certainty TEXT NOT NULL,
  cardinality TEXT NOT NULL,
  group_by TEXT NOT NULL,
  rollup TEXT,
  budget INTEGER,
  max_difference TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX rules_reconciliation ON rules(reconciliation_id, priority, id);

CREATE TABLE dismissed_shapes(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  shape TEXT NOT NULL,
  dismissed_at INTEGER NOT NULL,
  PRIMARY KEY(reconciliation_id, shape)
) STRICT, WITHOUT ROWID;

CREATE TABLE removed_rules(
  rule_id INTEGER PRIMARY KEY,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_rules_reconciliation ON removed_rules(reconciliation_id);

CREATE TABLE removed_aliases(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  PRIMARY KEY(reconciliation_id, a, b)
) STRICT, WITHOUT ROWID;
`;

/**
 * Groups of records that a person took apart, keyed by the record ids as text. When a person allows them to match again they stay, as cleared, so
 * that this can be undone. `changed_separations` are those that were added or cleared since the last run of a continuous reconciliation.
 */
export const SEPARATIONS = `
CREATE TABLE separations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  record_key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  cleared_at INTEGER
) STRICT;
CREATE UNIQUE INDEX separations_key ON separations(reconciliation_id, record_key);
CREATE INDEX separations_newest ON separations(reconciliation_id, created_at, id) WHERE cleared_at IS NULL;

CREATE TABLE changed_separations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  record_key TEXT NOT NULL
) STRICT;
CREATE INDEX changed_separations_reconciliation ON changed_separations(reconciliation_id);

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
`;

/**
 * Overdue records, and exceptions about them. A mark is a fact about a record in a reconciliation; whether the record is matched there is derived. At
 * most one exception of a stream and a reconciliation is open or investigated.
 */
export const OVERDUE = `
CREATE TABLE overdue_records(
  record_id INTEGER NOT NULL REFERENCES records(id) ON DELETE CASCADE,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  overdue_at INTEGER NOT NULL,
  PRIMARY KEY(record_id, reconciliation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX overdue_records_reconciliation ON overdue_records(reconciliation_id, record_id);

CREATE TABLE exceptions(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL CHECK (status IN ('open', 'investigating', 'dismissed', 'resolved')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER
) STRICT;
CREATE INDEX exceptions_environment ON exceptions(environment_id, created_at, id);
CREATE INDEX exceptions_reconciliation ON exceptions(reconciliation_id);
CREATE INDEX exceptions_stream ON exceptions(stream_id);
CREATE UNIQUE INDEX exceptions_one_open ON exceptions(stream_id, reconciliation_id) WHERE status IN ('open', 'investigating');
`;

/**
 * Changes since the last run of a continuous reconciliation: one row, with a count that shows further changes. Triggers write it in the transaction
 * of the change itself, so that no writer can forget it. They are on rows that a change touches once, however many records it has; changes of records
 * without a batch are noted by the code that writes them.
 */
export const DUE_RUNS = `
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
  OR new.cardinality <> old.cardinality OR new.group_by <> old.group_by OR new.rollup IS NOT old.rollup
  OR new.budget IS NOT old.budget OR new.max_difference IS NOT old.max_difference OR new.paused <> old.paused) BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT id, 'rule_activated', 1 FROM reconciliations WHERE id = new.reconciliation_id AND run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET cause = 'rule_activated', changes = changes + 1;
END;
CREATE TRIGGER due_runs_removed_rule AFTER DELETE ON rules WHEN old.status = 'active' BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT id, 'rule_activated', 1 FROM reconciliations WHERE id = old.reconciliation_id AND run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET cause = 'rule_activated', changes = changes + 1;
END;
`;
