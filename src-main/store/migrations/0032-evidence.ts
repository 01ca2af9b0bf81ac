/**
 * Rules that weigh evidence, and rules that are kept but not used. `matches.likelihood`: log odds in 1/64 bit; `matches.evidence`: five signed bytes, see
 * `evidenceOfParts` of the store; both null where conditions tied the match. `evidence_parameters`: what a run learned of the book, by version, kept
 * while a match refers to its run. `evidence_reviews`: committed matches whose evidence changed since, for a person to look at.
 * Frozen: a change of the schema is a new migration.
 */
export const evidence = {
  version: 32,
  name: 'evidence',
  sql: `
ALTER TABLE rules ADD COLUMN method TEXT NOT NULL DEFAULT 'conditions' CHECK (method IN ('conditions', 'evidence'));
ALTER TABLE rules ADD COLUMN budget INTEGER;
ALTER TABLE rules ADD COLUMN max_difference TEXT;
ALTER TABLE rules ADD COLUMN paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1));
ALTER TABLE rules ADD COLUMN paused_reason TEXT;

DROP TRIGGER due_runs_rule;
CREATE TRIGGER due_runs_rule AFTER UPDATE ON rules
WHEN (new.status = 'active' OR old.status = 'active') AND (new.status <> old.status OR new.filters <> old.filters
  OR new.priority <> old.priority OR new.outcome <> old.outcome OR new.commit_certainty <> old.commit_certainty
  OR new.cardinality <> old.cardinality OR new.group_by <> old.group_by OR new.rollup IS NOT old.rollup
  OR new.budget IS NOT old.budget OR new.max_difference IS NOT old.max_difference OR new.paused <> old.paused) BEGIN
  INSERT INTO due_runs(reconciliation_id, cause, changes)
  SELECT id, 'rule_activated', 1 FROM reconciliations WHERE id = new.reconciliation_id AND run_type = 'continuous'
  ON CONFLICT(reconciliation_id) DO UPDATE SET cause = 'rule_activated', changes = changes + 1;
END;

ALTER TABLE matches ADD COLUMN likelihood INTEGER;
ALTER TABLE matches ADD COLUMN evidence INTEGER;
ALTER TABLE matches ADD COLUMN confirmed_by TEXT;
ALTER TABLE matches ADD COLUMN confirmed_in_bulk INTEGER NOT NULL DEFAULT 0 CHECK (confirmed_in_bulk IN (0, 1));
CREATE INDEX matches_likelihood ON matches(reconciliation_id, likelihood, id) WHERE status = 'proposed' AND likelihood IS NOT NULL;

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

CREATE TABLE removed_aliases(
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  PRIMARY KEY(reconciliation_id, a, b)
) STRICT, WITHOUT ROWID;
`,
} as const;
