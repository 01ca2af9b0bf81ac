import { present } from '../../../src-shared/values/assert.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

type BankAccountBalanceRow = Row<'bank_account_balances'>;

/** The valid balance of an account, with the statements that state another amount. */
export interface StandingBalance {
  readonly row: BankAccountBalanceRow;
  /** Null if unknown. */
  readonly currency: string | null;
  readonly conflicts: readonly { readonly batchId: number; readonly amount: number }[];
}

/** The balances that visible batches of linked streams state, in the account's currency. */
const STATED = `FROM streams s JOIN import_batches b ON b.stream_id = s.id AND b.writing = 0
    JOIN bank_account_balances x ON x.batch_id = b.id JOIN bank_accounts a ON a.id = s.bank_account_id
  WHERE s.bank_account_id = @account AND (x.currency = a.currency OR a.currency IS NULL)`;

/** All balances of one day and type, including those entered for the account. */
const SAID_OF_DAY = `
  SELECT x.* FROM bank_account_balances x WHERE x.bank_account_id = @account AND x.day = @day AND x.balance_type = @type
  UNION ALL
  SELECT x.* FROM bank_account_balances x JOIN import_batches b ON b.id = x.batch_id AND b.writing = 0
    JOIN streams s ON s.id = b.stream_id JOIN bank_accounts a ON a.id = s.bank_account_id
  WHERE x.day = @day AND x.balance_type = @type AND x.batch_id IS NOT NULL AND s.bank_account_id = @account
    AND (x.currency = a.currency OR a.currency IS NULL)`;

/** Returns the currency of an account: its own, or else the one of all its statements; null if these have several or none. */
function currencyOfAccount(read: ReadHandle, bankAccountId: number): string | null {
  const account = { account: bankAccountId };
  const own = read.prepare<[typeof account], string | null>('SELECT currency FROM bank_accounts WHERE id = @account').pluck().get(account);
  if (own !== null && own !== undefined) return own;
  const stated = read.prepare<[typeof account], string | null>(`SELECT DISTINCT x.currency ${STATED} LIMIT 2`).pluck().all(account);
  return stated.length === 1 ? (stated[0] ?? null) : null;
}

/** Returns balances newest date first, and within a date the last created first. */
export function listBankAccountBalances(read: ReadHandle, bankAccountId: number): StandingBalance[] {
  const account = { account: bankAccountId };
  const own = read
    .prepare<[typeof account], BankAccountBalanceRow>('SELECT * FROM bank_account_balances WHERE bank_account_id = @account')
    .all(account);
  const stated = read.prepare<[typeof account], BankAccountBalanceRow>(`SELECT x.* ${STATED}`).all(account);
  const currency = currencyOfAccount(read, bankAccountId);
  const groups = Map.groupBy([...own, ...stated], (row) => `${row.day} ${row.balance_type} ${row.currency ?? currency ?? ''}`);
  return [...groups.values()]
    .map((said) => standing(said, currency))
    .toSorted((one, other) => other.row.day - one.row.day || other.row.id - one.row.id);
}

/** Returns the valid balance: one that a person or client entered, or else that of the first import. */
function standing(said: readonly BankAccountBalanceRow[], currency: string | null): StandingBalance {
  const rows = said.toSorted((one, other) => (one.batch_id ?? 0) - (other.batch_id ?? 0));
  const row = present(rows[0], 'balance');
  const conflicts = rows.flatMap((other) =>
    other.batch_id !== null && other.amount !== row.amount ? [{ batchId: other.batch_id, amount: other.amount }] : [],
  );
  return { row, currency: row.currency ?? currency, conflicts };
}

/** Returns the balance of an account for a day and type in a currency, by default the account's; undefined if there is none. */
export function balanceOfDay(
  read: ReadHandle,
  bankAccountId: number,
  day: number,
  type: string,
  currency?: string,
): StandingBalance | undefined {
  const own = currencyOfAccount(read, bankAccountId);
  const wanted = currency ?? own;
  const rows = read
    .prepare<[{ account: number; day: number; type: string }], BankAccountBalanceRow>(SAID_OF_DAY)
    .all({ account: bankAccountId, day, type })
    .filter((row) => (row.currency ?? own) === wanted);
  return rows.length === 0 ? undefined : standing(rows, own);
}

/** Returns a balance with its account: its own, or the one to which the stream of its statement is linked. */
export function findBalance(read: ReadHandle, id: number): (BankAccountBalanceRow & { readonly account: number | null }) | undefined {
  return read
    .prepare<[number], BankAccountBalanceRow & { account: number | null }>(
      `SELECT x.*, coalesce(x.bank_account_id, s.bank_account_id) AS account FROM bank_account_balances x
       LEFT JOIN import_batches b ON b.id = x.batch_id LEFT JOIN streams s ON s.id = b.stream_id WHERE x.id = ?`,
    )
    .get(id);
}

export function deleteBalance(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('bank_account_balances').where('id', '=', id));
}

interface BalanceInput {
  readonly bankAccountId: number;
  readonly day: number;
  readonly balanceType: string;
  readonly amount: number;
  readonly atMs: number;
}

/**
 * Inserts a balance, or changes the amount of the one with the same account, day and type. A stated balance keeps its id and becomes the account's
 * own; the statement's amount is kept beside it.
 */
export function putBankAccountBalance(write: WriteHandle, input: BalanceInput): StandingBalance {
  const { bankAccountId, day, balanceType, amount, atMs } = input;
  const found = balanceOfDay(write, bankAccountId, day, balanceType)?.row;
  if (found === undefined) {
    const own = { bank_account_id: bankAccountId, batch_id: null, currency: null };
    write.run(
      query
        .insertInto('bank_account_balances')
        .values({ ...own, day, balance_type: balanceType, amount, created_at: atMs, updated_at: atMs }),
    );
  } else {
    write.run(
      query
        .updateTable('bank_account_balances')
        .set({ bank_account_id: bankAccountId, batch_id: null, currency: null, amount, updated_at: atMs })
        .where('id', '=', found.id),
    );
    const { id: _, ...said } = found;
    if (found.batch_id !== null) write.run(query.insertInto('bank_account_balances').values(said));
  }
  return present(balanceOfDay(write, bankAccountId, day, balanceType), 'balance');
}

interface StatedBalanceInput {
  readonly day: number;
  readonly balanceType: string;
  readonly amount: number;
  readonly currency: string;
}

/** Inserts the balances that a batch's statement states; they are invisible until the batch is published. */
export function insertStatedBalances(write: WriteHandle, batchId: number, balances: readonly StatedBalanceInput[], atMs: number): void {
  write
    .prepare<[number, number, number, string], unknown>(
      `INSERT INTO bank_account_balances(batch_id, day, balance_type, amount, currency, created_at, updated_at)
       SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ?, ? FROM json_each(?)`,
    )
    .run(
      batchId,
      atMs,
      atMs,
      JSON.stringify(balances.map(({ day, balanceType, amount, currency }) => [day, balanceType, amount, currency])),
    );
}

/** Deletes up to `limit` balances of the batches of a wipe; returns how many. */
export function clearStatedBalances(write: WriteHandle, wipeId: number, limit: number): number {
  return write
    .prepare<[number, number], unknown>(
      `DELETE FROM bank_account_balances WHERE id IN (SELECT x.id FROM import_batches b JOIN bank_account_balances x ON x.batch_id = b.id
       WHERE b.wiped_by = ? LIMIT ?)`,
    )
    .run(wipeId, limit).changes;
}

/** Returns how many balances of a batch's statement have no other source and are deleted with it, and how many stay. */
export function balancesOfBatch(read: ReadHandle, batchId: number): { readonly removed: number; readonly kept: number } {
  const account = read
    .prepare<[number], { id: number | null }>(
      'SELECT s.bank_account_id AS id FROM import_batches b JOIN streams s ON s.id = b.stream_id WHERE b.id = ?',
    )
    .get(batchId)?.id;
  if (account === null || account === undefined) return { removed: 0, kept: 0 };
  const counted = read
    .prepare<[{ account: number; batch: number }], { n: number; others: number }>(
      `SELECT count(*) AS n, count(*) FILTER (WHERE others > 0) AS others FROM (
         SELECT (SELECT count(*) FROM (${SAID_OF_DAY.replaceAll('@day', 'own.day').replaceAll('@type', 'own.balance_type')}) said
           WHERE said.batch_id IS NOT @batch) AS others
         FROM bank_account_balances own JOIN bank_accounts a ON a.id = @account
         WHERE own.batch_id = @batch AND (own.currency = a.currency OR a.currency IS NULL))`,
    )
    .get({ account, batch: batchId });
  const { n, others } = present(counted, 'count of balances');
  return { removed: n - others, kept: others };
}
