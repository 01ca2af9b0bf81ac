import type { BalanceOutcome, ImportedBalances } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';
import type { Statement, StatementBalance } from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import { CHUNK_ROWS } from '../../jobs/task.ts';
import { balanceOfDay, insertStatedBalances } from '../../streams/store/bank-account-balances.ts';
import { findBankAccount, findBankAccountByName, insertBankAccount } from '../../streams/store/bank-accounts.ts';
import { streamById, type StreamRow, updateStream } from '../../streams/store/streams.ts';

/** Balances listed in a result; all of them are counted. */
const SHOWN_BALANCES = 100;

/** The account whose balances a statement says; without an id while it is to be made. */
interface TargetAccount {
  readonly id: number | null;
  readonly name: string;
  readonly currency: string | null;
}

export const NO_BALANCES: ImportedBalances = { bank_account: null, stated: 0, new: 0, same: 0, conflicts: 0, items: [] };

/** The account that a stream without one is to be linked to. */
export type Wishes = Pick<ImportPayload, 'bankAccountId' | 'bankAccountName'>;

/** The account that a stream is linked to, else the one that the user names. */
export function targetAccount(
  read: ReadHandle,
  environmentId: number,
  stream: StreamRow | undefined,
  { bankAccountId, bankAccountName }: Wishes,
  currency: string,
): TargetAccount | null {
  const id = stream?.bank_account_id ?? bankAccountId ?? null;
  if (id !== null) return findBankAccount(read, environmentId, id) ?? null;
  if (bankAccountName === null || bankAccountName === undefined) return null;
  return findBankAccountByName(read, environmentId, bankAccountName) ?? { id: null, name: bankAccountName, currency };
}

/** What becomes, or will become, of the balances of a statement that is not visible yet. */
export function balancesFound(read: ReadHandle, account: TargetAccount | null, balances: readonly StatementBalance[]): ImportedBalances {
  const items = balances.map((balance) => ({ balance, ...outcomeOf(read, account, balance) }));
  const count = (outcome: BalanceOutcome): number => items.filter((item) => item.outcome === outcome).length;
  const ordered = items.toSorted((one, other) => Number(other.outcome === 'conflict') - Number(one.outcome === 'conflict'));
  return {
    bank_account: account === null ? null : { id: account.id, name: account.name },
    stated: items.length,
    new: count('new'),
    same: count('same'),
    conflicts: count('conflict'),
    items: ordered.slice(0, SHOWN_BALANCES).map(({ balance, outcome, existing }) => ({
      date: isoFromDay(balance.day),
      balance_type: balance.type,
      amount: balance.minor,
      currency: balance.currency,
      decimal_places: decimalPlacesOf(balance.currency),
      outcome,
      existing_amount: existing,
    })),
  };
}

function outcomeOf(
  read: ReadHandle,
  account: TargetAccount | null,
  { type, day, minor, currency }: StatementBalance,
): { readonly outcome: BalanceOutcome; readonly existing: number | null } {
  if (account === null) return { outcome: 'unlinked', existing: null };
  if (account.currency !== null && account.currency !== currency) return { outcome: 'other_currency', existing: null };
  const existing = account.id === null ? undefined : balanceOfDay(read, account.id, day, type, currency)?.row.amount;
  if (existing === undefined) return { outcome: 'new', existing: null };
  return { outcome: existing === minor ? 'same' : 'conflict', existing };
}

/** Keeps the balances of a statement with its batch, in short transactions; they become visible with it. */
export function storeBalances(database: Database, batchId: number, { balances }: Statement, atMs: number): void {
  for (let start = 0; start < balances.length; start += CHUNK_ROWS) {
    const chunk = balances.slice(start, start + CHUNK_ROWS);
    const stated = chunk.map(({ type, day, minor, currency }) => ({ balanceType: type, day, amount: minor, currency }));
    database.write((write) => insertStatedBalances(write, batchId, stated, atMs));
  }
}

/** Part of the publish step: links the stream to the account that the user names, if it is linked to none; answers the account's id. */
export function linkAccount(
  write: WriteHandle,
  by: { readonly environmentId: number; readonly actor: string; readonly atMs: number },
  streamId: number,
  wishes: Wishes,
  currency: string,
): number | null {
  const stream = streamById(write, streamId);
  if (stream === undefined || stream.bank_account_id !== null) return stream?.bank_account_id ?? null;
  const account = targetAccount(write, by.environmentId, stream, wishes, currency);
  if (account === null) return null;
  const audit = (action: string, detail: Record<string, unknown>): void =>
    appendAudit(write, { environmentId: by.environmentId, atMs: by.atMs, actor: by.actor, action, detail });
  let { id } = account;
  if (id === null) {
    const fields = { name: account.name, currency: account.currency };
    id = insertBankAccount(write, { environment_id: by.environmentId, ...fields, created_at: by.atMs, updated_at: by.atMs });
    audit('bank_account.created', { bank_account_id: id, ...fields });
  }
  updateStream(write, streamId, { bank_account_id: id });
  audit('stream.updated', { key: stream.key, change: { bank_account_id: id } });
  return id;
}
