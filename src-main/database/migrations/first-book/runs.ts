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
