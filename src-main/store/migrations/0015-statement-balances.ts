/**
 * Balances that statements say. Frozen: a change of the schema is a new migration.
 * A balance is either of an account (a person or a client gave it) or of an import batch, whose statement says it. One of a batch is that
 * of the account to which the batch's stream is linked at the moment; so it goes and comes with the batch's flip and with the link, and
 * goes for good with the batch. Its currency is the statement's; an account of another currency does not have it.
 */
export const statementBalances = {
  version: 15,
  name: 'statement balances',
  sql: `
CREATE TABLE balances(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bank_account_id INTEGER REFERENCES bank_accounts(id),
  batch_id INTEGER REFERENCES import_batches(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  balance_type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((bank_account_id IS NULL) <> (batch_id IS NULL)),
  UNIQUE(bank_account_id, day, balance_type),
  UNIQUE(batch_id, day, balance_type)
) STRICT;
INSERT INTO balances(id, bank_account_id, day, balance_type, amount, created_at, updated_at)
  SELECT id, bank_account_id, day, balance_type, amount, created_at, updated_at FROM bank_account_balances;
DELETE FROM sqlite_sequence WHERE name = 'balances';
INSERT INTO sqlite_sequence(name, seq) SELECT 'balances', seq FROM sqlite_sequence WHERE name = 'bank_account_balances';
DROP TABLE bank_account_balances;
ALTER TABLE balances RENAME TO bank_account_balances;
CREATE INDEX bank_account_balances_newest ON bank_account_balances(bank_account_id, day, id);
CREATE INDEX bank_account_balances_stated ON bank_account_balances(day, balance_type, batch_id) WHERE batch_id IS NOT NULL;
`,
} as const;
