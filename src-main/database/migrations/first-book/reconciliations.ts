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

/**
 * Runs. `writing = 1` marks a run whose matches are not yet visible. A run keeps the first and last id of its matches; matches of people and of other
 * runs may lie in between. `examined_records` is the number of records that it compared. `proposals` is null for a run that matches; otherwise JSON
 * with the number of proposed rules, or why there are none. `no_shared_currency` (JSON) has the currencies of `side_a` and `side_b` if no rule could
 * match any of their records for that reason; otherwise null.
 *
 * `run_facts` has the rules and everything else that a run used besides records, as JSON; `run_separations` the sets of records that people took
 * apart during the run; `would_be_matches` the first matches that a dry run would have made.
 */
export const RUNS = `
CREATE TABLE runs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  writing INTEGER NOT NULL DEFAULT 0,
  kind TEXT NOT NULL,
  mode TEXT NOT NULL,
  cause TEXT NOT NULL,
  status TEXT NOT NULL,
  total_records INTEGER NOT NULL DEFAULT 0,
  processed_records INTEGER NOT NULL DEFAULT 0,
  examined_records INTEGER,
  matched_records INTEGER NOT NULL DEFAULT 0,
  matches INTEGER NOT NULL DEFAULT 0,
  matched_side_a INTEGER NOT NULL DEFAULT 0,
  matched_side_b INTEGER NOT NULL DEFAULT 0,
  proposed_matches INTEGER NOT NULL DEFAULT 0,
  first_match_id INTEGER,
  last_match_id INTEGER,
  rule_summary TEXT NOT NULL DEFAULT '{}',
  no_shared_currency TEXT,
  proposals TEXT,
  undone_at INTEGER,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  completed_at INTEGER
) STRICT;
CREATE INDEX runs_reconciliation ON runs(reconciliation_id, id);
CREATE INDEX runs_writing ON runs(id) WHERE writing = 1;
CREATE UNIQUE INDEX runs_one_at_a_time ON runs(reconciliation_id) WHERE status IN ('pending', 'running');

CREATE TABLE run_exclusions(
  run_id INTEGER NOT NULL REFERENCES runs(id),
  record_id INTEGER NOT NULL,
  PRIMARY KEY(run_id, record_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_facts(
  run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE run_separations(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  record_key TEXT NOT NULL,
  PRIMARY KEY(run_id, record_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE would_be_matches(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(run_id, position)
) STRICT, WITHOUT ROWID;
`;

/**
 * The result of a continuous reconciliation's newest run: `records` are the records that were free when it began, by ascending id, each as a 64-bit
 * float (little-endian) of the id times 4, plus 1 if the run put it into a proposal or 2 if the run matched it. The next run examines what changed
 * since. Only the base of the published run counts. If a record itself is changed or deleted, a trigger drops the base, and the next run examines
 * everything.
 */
export const RUN_BASES = `
CREATE TABLE run_bases(
  run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  facts TEXT NOT NULL,
  records BLOB NOT NULL
) STRICT;
CREATE INDEX run_bases_reconciliation ON run_bases(reconciliation_id);

CREATE TRIGGER run_bases_edited AFTER UPDATE OF stream_id, day, value_day, amount, direction, currency, decimal_places, description, external_id, metadata ON records
BEGIN
  DELETE FROM run_bases WHERE reconciliation_id IN
    (SELECT reconciliation_id FROM reconciliation_streams WHERE stream_id IN (OLD.stream_id, NEW.stream_id));
END;
CREATE TRIGGER run_bases_gone AFTER DELETE ON records
BEGIN
  DELETE FROM run_bases WHERE reconciliation_id IN (SELECT reconciliation_id FROM reconciliation_streams WHERE stream_id = OLD.stream_id);
END;
CREATE TRIGGER run_bases_on_request AFTER UPDATE OF run_type ON reconciliations WHEN new.run_type <> 'continuous' BEGIN
  DELETE FROM run_bases WHERE reconciliation_id = new.id;
  DELETE FROM changed_separations WHERE reconciliation_id = new.id;
END;
`;

/**
 * `evidence_parameters` is what a run learned from the book for a rule of evidence, by version; kept while a match refers to its run.
 * `evidence_reviews` are committed matches whose evidence has changed since, for a person to review.
 */
export const EVIDENCE = `
CREATE TABLE evidence_parameters(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  rule_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  run_id INTEGER NOT NULL,
  format INTEGER NOT NULL,
  terms TEXT NOT NULL,
  body TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  lines INTEGER NOT NULL,
  decisions INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY(reconciliation_id, rule_id, version)
) STRICT;

CREATE TABLE evidence_reviews(
  match_id INTEGER PRIMARY KEY REFERENCES matches(id) ON DELETE CASCADE,
  reconciliation_id INTEGER NOT NULL,
  run_id INTEGER NOT NULL,
  likelihood_before INTEGER NOT NULL,
  likelihood_now INTEGER NOT NULL,
  other_record_ids TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_reviews_reconciliation ON evidence_reviews(reconciliation_id, match_id);
`;

/**
 * A match itself says which records it holds: a pair by `a_record_id` and `b_record_id`, any other by `members`, a JSON array of record ids, side A
 * first and those of side B negated.
 *
 * `explanation` is '' if the sentences and the group key follow from the match's records and `run_facts`. `cohort` explains a many-to-one match of a
 * run without all of its records; see `cohortText` of the engine. `margin` is how much more the best pairing without the match costs, if a run
 * computed it; see `marginText` of the engine. `likelihood` is log odds in 1/64 bit and `evidence` five signed bytes (see `evidenceOfParts`); both
 * are null for a match by conditions. `difference_code` and `difference_note` are a person's reason for a difference. `adjustment_id` names the
 * member that makes a manual match balance; it is deleted with the match.
 *
 * There is no index by run, because a run keeps the id range of its matches, and no foreign key to a run, which would search its matches when it is
 * deleted.
 */
export const MATCHES = `
CREATE TABLE matches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  run_id INTEGER,
  rule_id INTEGER,
  status TEXT NOT NULL CHECK (status IN ('matched', 'proposed')),
  origin TEXT NOT NULL,
  certainty TEXT,
  margin TEXT,
  likelihood INTEGER,
  evidence INTEGER,
  difference INTEGER NOT NULL,
  difference_code TEXT,
  difference_note TEXT,
  group_key TEXT,
  explanation TEXT NOT NULL,
  cohort TEXT,
  record_count INTEGER NOT NULL,
  side_a_count INTEGER NOT NULL DEFAULT 0,
  a_record_id INTEGER,
  b_record_id INTEGER,
  members TEXT,
  adjustment_id INTEGER,
  confirmed_at INTEGER,
  confirmed_by TEXT,
  confirmed_in_bulk INTEGER NOT NULL DEFAULT 0 CHECK (confirmed_in_bulk IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX matches_adjusted ON matches(reconciliation_id, id) WHERE adjustment_id IS NOT NULL;
CREATE INDEX matches_status ON matches(reconciliation_id, status, id, run_id, record_count, side_a_count);
CREATE INDEX matches_differing ON matches(reconciliation_id, status, id, run_id) WHERE difference <> 0;
CREATE INDEX matches_likelihood ON matches(reconciliation_id, likelihood, id) WHERE status = 'proposed' AND likelihood IS NOT NULL;
`;

/**
 * The members of matches by record, in one B-tree. The writer of a match inserts its rows (`insertMatch` and `runs/store/run-matches.ts`);
 * triggers maintain them from then on. `slot` is 0 for a match that counts and otherwise the id of the match, so that the primary key prevents a
 * record from being counted twice in a reconciliation. There are no foreign keys, which would look up a record for every member; a trigger on
 * `records` prevents the deletion of a record that a match holds.
 *
 * The deletion of a pair names its rows by their whole keys, including those that a wipe detached; the rows of larger matches are searched.
 */
export const MATCH_RECORDS = `
CREATE TABLE match_records(
  record_id INTEGER NOT NULL,
  reconciliation_id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  match_id INTEGER NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  PRIMARY KEY(record_id, reconciliation_id, slot),
  CHECK (slot IN (0, match_id))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER matches_counted AFTER UPDATE OF status ON matches WHEN NEW.status <> OLD.status BEGIN
  UPDATE match_records SET slot = iif(NEW.status = 'matched', 0, NEW.id) WHERE match_id = NEW.id AND reconciliation_id = NEW.reconciliation_id
    AND record_id IN (SELECT abs(value) FROM json_each(coalesce(NEW.members, json_array(NEW.a_record_id, NEW.b_record_id))));
END;
CREATE TRIGGER matches_gone AFTER DELETE ON matches BEGIN
  DELETE FROM match_records WHERE record_id = OLD.a_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = iif(OLD.status = 'matched', 0, OLD.id) AND match_id = OLD.id;
  DELETE FROM match_records WHERE record_id = OLD.b_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = iif(OLD.status = 'matched', 0, OLD.id) AND match_id = OLD.id;
  DELETE FROM match_records WHERE OLD.status = 'matched' AND record_id = OLD.a_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = OLD.id AND match_id = OLD.id;
  DELETE FROM match_records WHERE OLD.status = 'matched' AND record_id = OLD.b_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = OLD.id AND match_id = OLD.id;
END;
CREATE TRIGGER matches_gone_whole AFTER DELETE ON matches WHEN OLD.members IS NOT NULL OR OLD.adjustment_id IS NOT NULL BEGIN
  DELETE FROM match_records WHERE match_id = OLD.id AND reconciliation_id = OLD.reconciliation_id
    AND record_id IN (SELECT abs(value) FROM json_each(coalesce(OLD.members, json_array(OLD.a_record_id, OLD.b_record_id))));
  DELETE FROM records WHERE id = OLD.adjustment_id;
END;
`;

/** Matches that were taken apart, kept whole so that undo restores them under their own ids. */
export const DISSOLVED_MATCHES = `
CREATE TABLE dissolved_matches(
  match_id INTEGER PRIMARY KEY,
  reconciliation_id INTEGER NOT NULL,
  displaced_by INTEGER,
  body TEXT NOT NULL,
  dissolved_at INTEGER NOT NULL
) STRICT;
CREATE INDEX dissolved_matches_displaced ON dissolved_matches(displaced_by) WHERE displaced_by IS NOT NULL;
`;

/**
 * Days on which every record of a stream is reconciled. A row says that every record of the stream and day with an id up to `through` is matched in
 * the reconciliation, visible or not. The rows are written in the background. Everything that could make one wrong deletes it, except for newer
 * records, which readers check for.
 */
export const RECONCILED_DAYS = `
CREATE TABLE reconciled_days(
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  through INTEGER NOT NULL,
  PRIMARY KEY(stream_id, day, reconciliation_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER reconciled_days_lost AFTER DELETE ON match_records WHEN OLD.slot = 0
BEGIN
  DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
    AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
END;
CREATE TRIGGER reconciled_days_let_go AFTER UPDATE OF slot ON match_records WHEN OLD.slot = 0
BEGIN
  DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
    AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
END;
CREATE TRIGGER reconciled_days_moved AFTER UPDATE OF day, stream_id ON records WHEN NEW.day <> OLD.day OR NEW.stream_id <> OLD.stream_id
BEGIN DELETE FROM reconciled_days WHERE stream_id = NEW.stream_id AND day = NEW.day; END;
`;

/**
 * Records that are hidden at once, with the matches that hold any of them. A wipe of a stream or of one batch marks matches in `wiped_matches`
 * beforehand, in short transactions. The marks have no effect until `flipped_at` is set; from then on the matches are hidden.
 * `import_batches.wiped_by` names the wipe. Records of a wiped stream without a batch, and the adjustments of marked matches, are moved to the batch
 * -wipe. The counts are those of rows cleared so far.
 */
export const WIPES = `
CREATE TABLE wipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL,
  stream_key TEXT NOT NULL,
  batch_id INTEGER,
  operation_id INTEGER UNIQUE,
  actor TEXT NOT NULL,
  flipped_at INTEGER,
  records INTEGER NOT NULL DEFAULT 0,
  matches INTEGER NOT NULL DEFAULT 0,
  proposals INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX wipes_flipped ON wipes(id) WHERE flipped_at IS NOT NULL;

CREATE TABLE wiped_matches(
  match_id INTEGER NOT NULL REFERENCES matches(id) ON DELETE CASCADE,
  wipe_id INTEGER NOT NULL REFERENCES wipes(id),
  adjustment_id INTEGER,
  PRIMARY KEY(match_id, wipe_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX wiped_matches_wipe ON wiped_matches(wipe_id, match_id);
CREATE INDEX wiped_matches_adjusted ON wiped_matches(wipe_id, adjustment_id) WHERE adjustment_id IS NOT NULL;
`;

/**
 * The close of a reconciliation. Amounts are signed minor units, and money in is positive on both sides; days count from 1970-01-01, and both ends
 * belong to the period.
 *
 * `period_balances` are the balances that people entered, each for one side and currency; null if not entered. `decimal_places` is the scale in which
 * they were entered.
 */
export const PERIODS = `
CREATE TABLE reconciliation_periods(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'prepared', 'reviewed', 'closed')),
  prepared_by TEXT,
  prepared_at INTEGER,
  reviewed_by TEXT,
  reviewed_at INTEGER,
  closed_by TEXT,
  closed_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK (first_day <= last_day),
  UNIQUE(reconciliation_id, first_day)
) STRICT;
CREATE INDEX reconciliation_periods_closed ON reconciliation_periods(reconciliation_id, last_day) WHERE state = 'closed';

CREATE TABLE period_balances(
  period_id INTEGER NOT NULL REFERENCES reconciliation_periods(id) ON DELETE CASCADE,
  currency TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  decimal_places INTEGER NOT NULL,
  opening INTEGER,
  stated_closing INTEGER,
  PRIMARY KEY(period_id, currency, side)
) STRICT, WITHOUT ROWID;
`;

/**
 * The sign-offs of a period: who signed, when, and the figures then. `figures` (JSON) has them by currency. `covering_hash` is the hash of everything
 * that the sign-off covers; `coverings` has its rows, compressed, once for all sign-offs of a period that cover the same. `audit_entries` and
 * `audit_head` are the length of the audit log just before the sign-off and the hash of its last entry. A sign-off is never changed.
 */
export const SIGN_OFFS = `
CREATE TABLE coverings(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  period_id INTEGER NOT NULL REFERENCES reconciliation_periods(id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  body BLOB NOT NULL,
  UNIQUE(period_id, hash)
) STRICT;

CREATE TABLE sign_offs(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  period_id INTEGER NOT NULL REFERENCES reconciliation_periods(id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('prepare', 'review', 'close', 'reopen')),
  signed_by TEXT NOT NULL,
  signed_at INTEGER NOT NULL,
  reason TEXT,
  figures TEXT NOT NULL,
  covering_hash TEXT NOT NULL,
  audit_entries INTEGER NOT NULL,
  audit_head TEXT NOT NULL
) STRICT;
CREATE INDEX sign_offs_period ON sign_offs(period_id, id);
`;

/**
 * Notes of people on records that are open in a reconciliation; they continue from month to month. There is no foreign key to the record: undo
 * restores a deleted record under its id, and its note is still there.
 */
export const OPEN_ITEM_NOTES = `
CREATE TABLE open_item_notes(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  record_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('open', 'in_transit', 'outstanding', 'to_be_booked', 'bank_error', 'book_error', 'timing', 'disputed')),
  owner TEXT,
  comment TEXT,
  expected_on INTEGER,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL,
  PRIMARY KEY(reconciliation_id, record_id)
) STRICT, WITHOUT ROWID;
`;
