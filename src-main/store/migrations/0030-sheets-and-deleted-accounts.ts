/**
 * The sheet that a recipe reads, and bank accounts that were deleted. Frozen: a change of the schema is a new migration.
 * A recipe written before names no sheet. A deleted bank account keeps its row and its balances until it is put back: `deleted_at` is milliseconds UTC;
 * `deleted_links` (JSON) the ids of the streams that were linked to it, `streams`, and of the account they went to, `to`, null for none.
 */
export const sheetsAndDeletedAccounts = {
  version: 30,
  name: 'sheets and deleted accounts',
  sql: `
UPDATE import_recipes SET body = json_set(body, '$.sheet', json('null'));
UPDATE former_recipes SET body = json_set(body, '$.sheet', json('null'));
UPDATE import_batches SET recipe = json_set(recipe, '$.sheet', json('null')) WHERE recipe IS NOT NULL;

ALTER TABLE bank_accounts ADD COLUMN deleted_at INTEGER;
ALTER TABLE bank_accounts ADD COLUMN deleted_links TEXT;
`,
} as const;
