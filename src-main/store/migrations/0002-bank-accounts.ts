/**
 * Bank accounts with their dated balances. Frozen: a change of the schema is a new migration.
 * Amounts of balances are minor units with their sign (an account may be overdrawn); days count from 1970-01-01; instants are
 * milliseconds UTC. `streams.bank_account_id` of the first book now says which account a stream is linked to; SQLite cannot add a
 * foreign key to a column that is there, so the service looks before it links or deletes.
 */
export const bankAccounts = {
  version: 2,
  name: 'bank accounts',
  sql: `
CREATE TABLE bank_accounts(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  name TEXT NOT NULL,
  currency TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bank_accounts_name ON bank_accounts(environment_id, name COLLATE NOCASE, id);

CREATE TABLE bank_account_balances(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  bank_account_id INTEGER NOT NULL REFERENCES bank_accounts(id),
  day INTEGER NOT NULL,
  balance_type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE(bank_account_id, day, balance_type)
) STRICT;
CREATE INDEX bank_account_balances_newest ON bank_account_balances(bank_account_id, day, id);

CREATE INDEX streams_bank_account ON streams(bank_account_id, id) WHERE bank_account_id IS NOT NULL;
`,
} as const;
