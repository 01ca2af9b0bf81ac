/**
 * Runs that propose rules, and rules that people changed. Frozen: a change of the schema is a new migration.
 * `runs.proposals` is null for a run that matches; else JSON: how many rules wait since, and why none does.
 */
export const proposals = {
  version: 18,
  name: 'proposed rules',
  sql: `
ALTER TABLE runs ADD COLUMN proposals TEXT;
ALTER TABLE rules ADD COLUMN edited INTEGER NOT NULL DEFAULT 0 CHECK (edited IN (0, 1));
`,
} as const;
