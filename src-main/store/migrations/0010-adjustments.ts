/**
 * The record that makes a manual match balance. Frozen: a change of the schema is a new migration.
 * `matches.adjustment_id` names it among the members of the match; whatever deletes the match, the record goes with it.
 */
export const adjustments = {
  version: 10,
  name: 'adjustments',
  sql: `
ALTER TABLE matches ADD COLUMN adjustment_id INTEGER;
CREATE INDEX matches_adjusted ON matches(reconciliation_id, id) WHERE adjustment_id IS NOT NULL;
CREATE TRIGGER matches_adjustment_goes AFTER DELETE ON matches WHEN OLD.adjustment_id IS NOT NULL
BEGIN DELETE FROM records WHERE id = OLD.adjustment_id; END;
`,
} as const;
