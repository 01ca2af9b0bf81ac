/**
 * `margin` of a match: what the best pairing without it costs more, where a run worked that out; see `marginText` of the engine. Frozen: a change
 * of the schema is a new migration.
 */
export const margins = {
  version: 25,
  name: 'margins',
  sql: `
ALTER TABLE matches ADD COLUMN margin TEXT;
`,
} as const;
