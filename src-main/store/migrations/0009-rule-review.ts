/**
 * What reviewing rules needs: how sure a cold start was of a rule, the shapes of rules that a person dismissed, rules that were
 * taken away (for undo), and the first matches that a dry run would have made.
 */
export const ruleReview = {
  version: 9,
  name: 'rule review',
  sql: `
ALTER TABLE rules ADD COLUMN confidence TEXT CHECK (confidence IN ('high', 'medium', 'low'));
ALTER TABLE rules ADD COLUMN sample_match_rate TEXT;

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

CREATE TABLE would_be_matches(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY(run_id, position)
) STRICT, WITHOUT ROWID;
`,
} as const;
