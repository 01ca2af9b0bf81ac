import { present } from '../../src-shared/values/assert.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from './database.ts';

export type BankAccountBalanceRow = Row<'bank_account_balances'>;

/** Newest date first, of one date the one made last first. */
export function listBankAccountBalances(read: ReadHandle, bankAccountId: number): BankAccountBalanceRow[] {
  return read.all(
    query
      .selectFrom('bank_account_balances')
      .selectAll()
      .where('bank_account_id', '=', bankAccountId)
      .orderBy('day', 'desc')
      .orderBy('id', 'desc'),
  );
}

export interface BalanceInput {
  readonly bankAccountId: number;
  readonly day: number;
  readonly balanceType: string;
  readonly amount: number;
  readonly atMs: number;
}

/** Makes the balance, or gives the one of the same account, day and type its new amount; either way answers its row. */
export function putBankAccountBalance(write: WriteHandle, input: BalanceInput): BankAccountBalanceRow {
  write.run(
    query
      .insertInto('bank_account_balances')
      .values({
        bank_account_id: input.bankAccountId,
        day: input.day,
        balance_type: input.balanceType,
        amount: input.amount,
        created_at: input.atMs,
        updated_at: input.atMs,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['bank_account_id', 'day', 'balance_type'])
          .doUpdateSet((builder) => ({ amount: builder.ref('excluded.amount'), updated_at: builder.ref('excluded.updated_at') })),
      ),
  );
  const row = write.first(
    query
      .selectFrom('bank_account_balances')
      .selectAll()
      .where('bank_account_id', '=', input.bankAccountId)
      .where('day', '=', input.day)
      .where('balance_type', '=', input.balanceType),
  );
  return present(row, 'balance');
}
