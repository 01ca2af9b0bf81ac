/**
 * Whose transactions the file of a batch holds. Frozen: a change of the schema is a new migration.
 * `whose` (JSON): `accounts`, the numbers of accounts as the file writes them, and `holders`; null where it says neither, and for batches made before.
 */
export const whoseFiles = {
  version: 33,
  name: 'whose files',
  sql: `
ALTER TABLE import_batches ADD COLUMN whose TEXT;
`,
} as const;
