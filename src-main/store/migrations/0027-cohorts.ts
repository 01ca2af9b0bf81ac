/**
 * `cohort` of a match: of several records that a run tied to one, what says why without a look at all of them, so that the run need not say it; see
 * `cohortText` of the engine. As of a pair, `explanation` is '' then. Frozen: a change of the schema is a new migration.
 */
export const cohorts = {
  version: 27,
  name: 'cohorts',
  sql: `
ALTER TABLE matches ADD COLUMN cohort TEXT;
`,
} as const;
