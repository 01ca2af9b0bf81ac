import { sql } from 'kysely';
import { query, type ReadHandle, type Row, type WriteHandle } from './database.ts';

export type BankAccountRow = Row<'bank_accounts'>;

/** By name without regard to case, then by id. */
export function listBankAccounts(read: ReadHandle, environmentId: number): BankAccountRow[] {
  return read.all(
    query
      .selectFrom('bank_accounts')
      .selectAll()
      .where('environment_id', '=', environmentId)
      .orderBy(sql`name COLLATE NOCASE`)
      .orderBy('id'),
  );
}

export function findBankAccount(read: ReadHandle, environmentId: number, id: number): BankAccountRow | undefined {
  return read.first(query.selectFrom('bank_accounts').selectAll().where('environment_id', '=', environmentId).where('id', '=', id));
}

/** The first account of exactly this name. */
export function findBankAccountByName(read: ReadHandle, environmentId: number, name: string): BankAccountRow | undefined {
  return read.first(
    query
      .selectFrom('bank_accounts')
      .selectAll()
      .where('environment_id', '=', environmentId)
      .where('name', '=', name)
      .orderBy('id')
      .limit(1),
  );
}

export type NewBankAccount = Omit<BankAccountRow, 'id' | 'deleted_at' | 'deleted_links'>;

export function insertBankAccount(write: WriteHandle, account: NewBankAccount): number {
  return write.run(query.insertInto('bank_accounts').values(account)).lastInsertId;
}

export type BankAccountChange = Partial<Pick<BankAccountRow, 'name' | 'currency'>>;

export function updateBankAccount(write: WriteHandle, id: number, change: BankAccountChange, updatedAtMs: number): void {
  write.run(
    query
      .updateTable('bank_accounts')
      .set({ ...change, updated_at: updatedAtMs })
      .where('id', '=', id),
  );
}

/** The data streams that are linked to an account, in the order they were made. */
export function streamsOfBankAccount(read: ReadHandle, id: number): Row<'streams'>[] {
  return read.all(query.selectFrom('streams').selectAll().where('bank_account_id', '=', id).orderBy('id'));
}

/** Its balances go with it; answers how many they were. */
export function deleteBankAccount(write: WriteHandle, id: number): number {
  const { changes } = write.run(query.deleteFrom('bank_account_balances').where('bank_account_id', '=', id));
  write.run(query.deleteFrom('bank_accounts').where('id', '=', id));
  return changes;
}
