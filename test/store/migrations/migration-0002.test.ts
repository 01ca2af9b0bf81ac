import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 2 adds bank accounts, their balances and an index of the streams linked to them', () => {
  expect(addedBy(2).join('\n')).toMatchInlineSnapshot(`
    "bank_account_balances
    bank_account_balances: id INTEGER key 1
    bank_account_balances: bank_account_id INTEGER not null
    bank_account_balances: day INTEGER not null
    bank_account_balances: balance_type TEXT not null
    bank_account_balances: amount INTEGER not null
    bank_account_balances: created_at INTEGER not null
    bank_account_balances: updated_at INTEGER not null
    bank_account_balances: bank_account_id -> bank_accounts
    bank_accounts
    bank_accounts: id INTEGER key 1
    bank_accounts: environment_id INTEGER not null
    bank_accounts: name TEXT not null
    bank_accounts: currency TEXT
    bank_accounts: created_at INTEGER not null
    bank_accounts: updated_at INTEGER not null
    bank_accounts: environment_id -> environments
    CREATE INDEX bank_account_balances_newest ON bank_account_balances(bank_account_id, day, id)
    CREATE INDEX bank_accounts_name ON bank_accounts(environment_id, name COLLATE NOCASE, id)
    CREATE INDEX streams_bank_account ON streams(bank_account_id, id) WHERE bank_account_id IS NOT NULL"
  `);
});

test('a book of version 1 keeps its rows, and takes accounts, balances and links', () => {
  const folder = folderWithBookOf(1, (connection) => {
    connection.exec(`
      INSERT INTO streams(environment_id, key, name, type, bank_account_id, created_at) VALUES (1, 'bank', 'Bank', 'csv', NULL, 5);
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, created_at)
        VALUES (1, 1, 20600, 100, 1, 'EUR', 2, '{}', 6);`);
  });
  const { connection } = openTestDatabase(folder);
  expect(connection.prepare('SELECT key, bank_account_id, created_at FROM streams').all()).toEqual([
    { key: 'bank', bank_account_id: null, created_at: 5 },
  ]);
  expect(connection.prepare('SELECT id, day, amount FROM records').all()).toEqual([{ id: 1, day: 20600, amount: 100 }]);
  connection.exec(`
    INSERT INTO bank_accounts(environment_id, name, created_at, updated_at) VALUES (1, 'Current', 7, 7);
    INSERT INTO bank_account_balances(bank_account_id, day, balance_type, amount, created_at, updated_at) VALUES (1, 20600, 'other', -1, 8, 8);
    UPDATE streams SET bank_account_id = 1;`);
  expect(connection.pragma('foreign_key_check')).toEqual([]);
});

test('a balance is once per account, day and type, and of an account that is there', () => {
  const { connection } = openTestDatabase(folderWithBookOf(2));
  connection.exec("INSERT INTO bank_accounts(environment_id, name, created_at, updated_at) VALUES (1, 'Current', 7, 7)");
  const insert = connection.prepare(
    'INSERT INTO bank_account_balances(bank_account_id, day, balance_type, amount, created_at, updated_at) VALUES (?, 1, ?, 0, 0, 0)',
  );
  insert.run(1, 'other');
  insert.run(1, 'opening_ledger');
  expect(() => insert.run(1, 'other')).toThrow('UNIQUE constraint failed');
  expect(() => insert.run(9, 'other')).toThrow('FOREIGN KEY constraint failed');
});
