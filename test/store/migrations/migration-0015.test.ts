import { expect, test } from 'vitest';
import { addedBy, folderWithBookOf } from '../../support/book-versions.ts';
import { openTestDatabase } from '../../support/quiet-book.ts';

test('migration 15 lets a balance be of an import batch instead of an account', () => {
  expect(addedBy(15).join('\n')).toMatchInlineSnapshot(`
    "bank_account_balances: bank_account_id INTEGER
    bank_account_balances: batch_id INTEGER
    bank_account_balances: currency TEXT
    bank_account_balances: batch_id -> import_batches on delete cascade
    CREATE INDEX bank_account_balances_stated ON bank_account_balances(day, balance_type, batch_id) WHERE batch_id IS NOT NULL"
  `);
});

test('a book of version 14 keeps its balances with their ids, and does not give an id twice', () => {
  const folder = folderWithBookOf(14, (connection) => {
    connection.exec(`
      INSERT INTO bank_accounts(environment_id, name, created_at, updated_at) VALUES (1, 'Current', 1, 1);
      INSERT INTO bank_account_balances(bank_account_id, day, balance_type, amount, created_at, updated_at)
        VALUES (1, 20600, 'other', 5, 6, 7), (1, 20601, 'other', -8, 9, 9), (1, 20602, 'other', 1, 1, 1);
      DELETE FROM bank_account_balances WHERE day = 20602;`);
  });
  const { connection } = openTestDatabase(folder);
  expect(connection.prepare('SELECT * FROM bank_account_balances').all()).toEqual([
    {
      id: 1,
      bank_account_id: 1,
      batch_id: null,
      day: 20_600,
      balance_type: 'other',
      amount: 5,
      currency: null,
      created_at: 6,
      updated_at: 7,
    },
    {
      id: 2,
      bank_account_id: 1,
      batch_id: null,
      day: 20_601,
      balance_type: 'other',
      amount: -8,
      currency: null,
      created_at: 9,
      updated_at: 9,
    },
  ]);
  const insert = `INSERT INTO bank_account_balances(bank_account_id, batch_id, day, balance_type, amount, created_at, updated_at)
    VALUES (?, ?, 20600, ?, 1, 1, 1)`;
  expect(connection.prepare(insert).run(1, null, 'closing_ledger').lastInsertRowid).toBe(4);
  expect(() => connection.prepare(insert).run(null, null, 'other')).toThrow('CHECK');
  expect(() => connection.prepare(insert).run(1, null, 'other')).toThrow('UNIQUE');
});
