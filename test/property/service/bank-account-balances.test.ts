import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BALANCE_TYPES } from '../../../src-shared/contract/streams/bank-account-balances.ts';
import type { BankAccountBalance } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { runs } from '../../support/long.ts';

const ACCOUNTS = [1, 2];
// Few dates and types, so that the same balance comes again and again.
const balance = fc.record({
  date: fc.integer({ min: 20_600, max: 20_603 }).map(isoFromDay),
  balance_type: fc.constantFrom(...BALANCE_TYPES.slice(0, 3)),
  amount_cents: fc.maxSafeInteger(),
});
type Given = Pick<BankAccountBalance, 'date' | 'balance_type' | 'amount_cents'>;
const step = fc.record({
  bank_account_id: fc.constantFrom(...ACCOUNTS),
  balances: fc.array(balance, { minLength: 1, maxLength: 6 }),
  inBulk: fc.boolean(),
  isWrong: fc.boolean(),
});

test('whatever is put, one by one or in bulk, the book holds what a map by account, date and type holds', async () => {
  const { client, database } = openQuietBook();
  for (const name of ['Current', 'Deposit']) await client.get('bank_accounts.create', { name });
  const putMany = async (bank_account_id: number, balances: readonly Given[]) => {
    const answered = await client.get('bank_account_balances.put_many', { bank_account_id, balances: [...balances] });
    expect(answered.count).toBe(balances.length);
    return answered.balances;
  };
  const putEach = async (bank_account_id: number, balances: readonly Given[]) => {
    const answered: BankAccountBalance[] = [];
    for (const each of balances) answered.push(await client.get('bank_account_balances.put', { bank_account_id, ...each }));
    return answered;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      database.connection.exec('DELETE FROM bank_account_balances');
      const model = new Map<string, number>();
      for (const { bank_account_id, balances, inBulk, isWrong } of steps) {
        if (isWrong) {
          const wrong = [...balances, { ...balances[0], date: '2026-02-30' }];
          await client.refusal('bank_account_balances.put_many', { bank_account_id, balances: wrong });
          continue;
        }
        for (const each of balances) model.set(`${bank_account_id} ${each.date} ${each.balance_type}`, each.amount_cents);
        const answered = inBulk ? await putMany(bank_account_id, balances) : await putEach(bank_account_id, balances);
        // In bulk, of a balance given twice the last amount is answered for both.
        const amount = (each: Given) => (inBulk ? model.get(`${bank_account_id} ${each.date} ${each.balance_type}`) : each.amount_cents);
        expect(answered.map(({ date, balance_type, amount_cents }) => ({ date, balance_type, amount_cents }))).toEqual(
          balances.map((each) => ({ ...each, amount_cents: amount(each) })),
        );
      }
      const stored = await Promise.all(ACCOUNTS.map((id) => client.get('bank_account_balances.list', { bank_account_id: id })));
      for (const list of stored) {
        expect(list.map((each) => each.date)).toEqual(
          list
            .map((each) => each.date)
            .toSorted()
            .toReversed(),
        );
      }
      const entries = stored.flat().map((each) => [`${each.bank_account_id} ${each.date} ${each.balance_type}`, each.amount_cents]);
      expect(entries.toSorted()).toEqual([...model].toSorted());
    }),
    { numRuns: runs(60) },
  );
});
