/**
 * Whether the sides that a run looked at share a currency. Frozen: a change of the schema is a new migration.
 * `no_shared_currency` (JSON) lists the currencies of either side, `side_a` and `side_b`, where no rule could tie any of their records; null where one could.
 */
export const runsWithoutSharedCurrency = {
  version: 34,
  name: 'runs without a shared currency',
  sql: `
ALTER TABLE runs ADD COLUMN no_shared_currency TEXT;
`,
} as const;
