import { sql } from 'kysely';
import { present } from '../../../src-shared/values/assert.ts';
import { storedJson } from '../../database/json-columns.ts';
import { type Change, query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type BankAccountRow = Row<'bank_accounts'>;

/** Selects accounts that are not deleted. */
const there = (environmentId: number) =>
  query.selectFrom('bank_accounts').selectAll().where('environment_id', '=', environmentId).where('deleted_at', 'is', null);

/** Returns accounts by name, ignoring case, then by id. */
export function listBankAccounts(read: ReadHandle, environmentId: number): BankAccountRow[] {
  return read.all(
    there(environmentId)
      .orderBy(sql`name COLLATE NOCASE`)
      .orderBy('id'),
  );
}

export function findBankAccount(read: ReadHandle, environmentId: number, id: number): BankAccountRow | undefined {
  return read.first(there(environmentId).where('id', '=', id));
}

/** Returns the first account with exactly this name. */
export function findBankAccountByName(read: ReadHandle, environmentId: number, name: string): BankAccountRow | undefined {
  return read.first(there(environmentId).where('name', '=', name).orderBy('id').limit(1));
}

type NewBankAccount = Omit<BankAccountRow, 'id' | 'deleted_at' | 'deleted_links'>;

export function insertBankAccount(write: WriteHandle, account: NewBankAccount): number {
  return write.run(query.insertInto('bank_accounts').values(account)).lastInsertId;
}

type BankAccountChange = Change<Pick<BankAccountRow, 'name' | 'currency'>>;

export function updateBankAccount(write: WriteHandle, id: number, change: BankAccountChange, updatedAtMs: number): void {
  write.run(
    query
      .updateTable('bank_accounts')
      .set({ ...change, updated_at: updatedAtMs })
      .where('id', '=', id),
  );
}

/** Returns the streams that are linked to an account, in the order of their creation. */
export function streamsOfBankAccount(read: ReadHandle, id: number): Row<'streams'>[] {
  return read.all(query.selectFrom('streams').selectAll().where('bank_account_id', '=', id).orderBy('id'));
}

/** The streams that were linked to an account when it was deleted, and the account to which they were then linked; null for none. */
interface DeletedLinks {
  readonly streams: readonly number[];
  readonly to: number | null;
}

/**
 * Marks an account as deleted, which hides it and its balances until it is restored, and links its streams to another account. Returns the number of
 * its balances.
 */
export function deleteBankAccount(write: WriteHandle, id: number, to: number | null, atMs: number): number {
  const links: DeletedLinks = { streams: streamsOfBankAccount(write, id).map((stream) => stream.id), to };
  write.run(query.updateTable('streams').set({ bank_account_id: to }).where('bank_account_id', '=', id));
  write.run(
    query
      .updateTable('bank_accounts')
      .set({ deleted_at: atMs, deleted_links: JSON.stringify(links) })
      .where('id', '=', id),
  );
  const counted = query
    .selectFrom('bank_account_balances')
    .select((fields) => fields.fn.countAll<number>().as('count'))
    .where('bank_account_id', '=', id);
  return present(write.first(counted), 'count of balances').count;
}

export function findDeletedBankAccount(read: ReadHandle, environmentId: number, id: number): BankAccountRow | undefined {
  return read.first(
    query
      .selectFrom('bank_accounts')
      .selectAll()
      .where('environment_id', '=', environmentId)
      .where('id', '=', id)
      .where('deleted_at', 'is not', null),
  );
}

/** Restores a deleted account, and links those of its former streams that are still linked as the deletion left them. Returns their keys. */
export function restoreBankAccount(
  write: WriteHandle,
  { id, environment_id: environmentId, deleted_links: links }: BankAccountRow,
): string[] {
  const { streams, to } = storedJson('bank_accounts.deleted_links', links, id) ?? { streams: [], to: null };
  const asLeft = write.all(
    query
      .selectFrom('streams')
      .select(['id', 'key'])
      .where('environment_id', '=', environmentId)
      .where('id', 'in', streams)
      .where('bank_account_id', 'is', to),
  );
  for (const stream of asLeft) write.run(query.updateTable('streams').set({ bank_account_id: id }).where('id', '=', stream.id));
  write.run(query.updateTable('bank_accounts').set({ deleted_at: null, deleted_links: null }).where('id', '=', id));
  return asLeft.map(({ key }) => key);
}
