/**
 * Why the sides of a match differ, as a person said it. Frozen: a change of the schema is a new migration.
 * `difference_code` is one of the contract's codes, `difference_note` what was written beside it; a match of an older book has neither. Few matches differ,
 * so these have an index of their own.
 */
export const differenceReasons = {
  version: 31,
  name: 'difference reasons',
  sql: `
ALTER TABLE matches ADD COLUMN difference_code TEXT;
ALTER TABLE matches ADD COLUMN difference_note TEXT;
CREATE INDEX matches_differing ON matches(reconciliation_id, status, id, run_id) WHERE difference <> 0;
`,
} as const;
