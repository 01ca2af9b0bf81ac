import type { BalanceType, BankAccount, BankAccountBalance } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { BANK_FEED } from '../../../src-shared/contract/streams/streams.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { renameAccountInRecipes } from '../../imports/store/import-recipes.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { changesAnything, type ReadHandle } from '../../database/database.ts';
import { answer, missing, refuse, refuseField, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { partOf } from '../../service/paging.ts';
import {
  type BankAccountRow,
  deleteBankAccount,
  findBankAccount,
  findDeletedBankAccount,
  insertBankAccount,
  listBankAccounts,
  restoreBankAccount,
  streamsOfBankAccount,
  updateBankAccount,
} from '../store/bank-accounts.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { refusedBalances } from '../../service/period-lock.ts';
import {
  deleteBalance,
  findBalance,
  listBankAccountBalances,
  putBankAccountBalance,
  type StandingBalance,
} from '../store/bank-account-balances.ts';

type Handled = `bank_accounts.${'create' | 'list' | 'get' | 'update' | 'remove' | 'restore'}`;

const STREAMS_IN_SENTENCE = 5;

function bankAccountView(row: BankAccountRow): BankAccount {
  return {
    id: row.id,
    name: row.name,
    currency: row.currency,
    created_at: timestampOf(row.created_at),
    updated_at: timestampOf(row.updated_at),
  };
}

/** Returns the refusal of a `bank_account_id` that names no account of the environment. */
export function unknownBankAccount(id: number) {
  const message = phrase('streams.bankAccounts.thereIsNoBankAccount', { id });
  return refuseField('unknown_reference', 'bank_account_id', message);
}

function createHandler(context: ServiceContext): Handlers['bank_accounts.create'] {
  return (caller, input) => {
    const nowMs = context.clock.nowMs();
    const fields = { name: input.name, currency: input.currency ?? null };
    const created = context.database.write((write) => {
      const id = insertBankAccount(write, { environment_id: caller.environmentId, ...fields, created_at: nowMs, updated_at: nowMs });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'bank_account.created',
        detail: { bank_account_id: id, ...fields },
      });
      return present(findBankAccount(write, caller.environmentId, id), 'bank account');
    });
    context.changed(['bank_accounts']);
    return answer(bankAccountView(created));
  };
}

/** Returns the handler of a change; one that names no field changes nothing, not even `updated_at`. */
function updateHandler(context: ServiceContext): Handlers['bank_accounts.update'] {
  return (caller, input) => {
    const { id, ...change } = input;
    const isChange = changesAnything(change);
    const nowMs = context.clock.nowMs();
    const changed = context.database.write((write) => {
      const found = findBankAccount(write, caller.environmentId, id);
      if (found === undefined || !isChange) return found;
      updateBankAccount(write, id, change, nowMs);
      const recipes = change.name === undefined ? [] : renameAccountInRecipes(write, caller.environmentId, found.name, change.name);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'bank_account.updated',
        detail: { bank_account_id: id, change, ...(recipes.length === 0 ? {} : { recipes }) },
      });
      return findBankAccount(write, caller.environmentId, id);
    });
    if (changed === undefined) return missing(phrase('streams.bankAccounts.bankAccount'), id);
    if (isChange) context.changed(['bank_accounts']);
    return answer(bankAccountView(changed));
  };
}

function inUse(id: number, keys: readonly string[]) {
  const more = keys.length - STREAMS_IN_SENTENCE;
  const shown = keys.slice(0, STREAMS_IN_SENTENCE).join(', ');
  const names = more > 0 ? phrase('streams.account.andMore', { names: shown, more }) : shown;
  return refuse('bank_account_in_use', phrase('streams.bankAccountInUse', { id: String(id), accounts: keys.length, names }));
}

/** Returns why the streams of an account cannot be linked to `to`; null if they can. */
function linkRefusal(read: ReadHandle, caller: Caller, id: number, to: number | 'none' | undefined) {
  if (to === id || (typeof to === 'number' && findBankAccount(read, caller.environmentId, to) === undefined)) {
    const message = phrase('streams.bankAccounts.thereIsNoOtherBank', { to });
    return refuseField('unknown_reference', 'streams_to', message);
  }
  const streams = streamsOfBankAccount(read, id);
  if (to === undefined) return streams.length === 0 ? null : inUse(id, keysOf(streams));
  const fed = to === 'none' ? streams.find(({ type }) => type === BANK_FEED) : undefined;
  if (fed === undefined) return null;
  const message = phrase('streams.fedByBank', { key: fed.key });
  return refuse('bank_account_in_use', message);
}

function keysOf(streams: readonly { readonly key: string }[]): string[] {
  return streams.map(({ key }) => key);
}

function removeHandler(context: ServiceContext): Handlers['bank_accounts.remove'] {
  return (caller, { id, streams_to: streamsTo }) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const found = findBankAccount(write, caller.environmentId, id);
      if (found === undefined) return missing(phrase('streams.bankAccounts.bankAccount'), id);
      const refusal = linkRefusal(write, caller, id, streamsTo);
      if (refusal !== null) return refusal;
      const to = typeof streamsTo === 'number' ? streamsTo : null;
      const streams = keysOf(streamsOfBankAccount(write, id));
      const balances = deleteBankAccount(write, id, to, atMs);
      const { name, currency } = found;
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs,
        actor: caller.actor,
        action: 'bank_account.deleted',
        detail: { bank_account_id: id, name, currency, balances, ...(streams.length === 0 ? {} : { streams, streams_to: to }) },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(streamsTo === undefined ? ['bank_accounts'] : ['bank_accounts', 'streams']);
    return outcome;
  };
}

function restoreHandler(context: ServiceContext): Handlers['bank_accounts.restore'] {
  return (caller, { id }) => {
    const outcome = context.database.write((write) => {
      const found = findDeletedBankAccount(write, caller.environmentId, id);
      if (found === undefined) return missing(phrase('streams.bankAccounts.deletedBankAccount'), id);
      const streams = restoreBankAccount(write, found);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'bank_account.restored',
        detail: { bank_account_id: id, name: found.name, streams },
      });
      return answer(bankAccountView(found));
    });
    if (outcome.ok) context.changed(['bank_accounts', 'streams']);
    return outcome;
  };
}

export function bankAccountHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'bank_accounts.create': createHandler(context),
    'bank_accounts.list': (caller, input) => answer(partOf(listBankAccounts(database, caller.environmentId), input).map(bankAccountView)),
    'bank_accounts.get': (caller, input) => {
      const found = findBankAccount(database, caller.environmentId, input.id);
      return found === undefined ? missing(phrase('streams.bankAccounts.bankAccount'), input.id) : answer(bankAccountView(found));
    },
    'bank_accounts.update': updateHandler(context),
    'bank_accounts.remove': removeHandler(context),
    'bank_accounts.restore': restoreHandler(context),
  };
}

type HandledBalances =
  | 'bank_account_balances.remove'
  | 'bank_account_balances.put'
  | 'bank_account_balances.put_many'
  | 'bank_account_balances.list';

interface Given {
  readonly date: string;
  readonly balance_type: BalanceType;
  readonly amount_cents: number;
}

/** The number of statements that are listed beside a balance with another amount. */
const SHOWN_CONFLICTS = 20;

function balanceView(bankAccountId: number, { row, currency, conflicts }: StandingBalance): BankAccountBalance {
  return {
    id: row.id,
    bank_account_id: bankAccountId,
    date: isoFromDay(row.day),
    balance_type: row.balance_type as BalanceType,
    amount_cents: row.amount,
    currency,
    import_batch_id: row.batch_id,
    conflicts: conflicts.slice(0, SHOWN_CONFLICTS).map(({ batchId, amount }) => ({ import_batch_id: batchId, amount_cents: amount })),
    created_at: timestampOf(row.created_at),
    updated_at: timestampOf(row.updated_at),
  };
}

/** Writes all balances in one transaction. Returns each as it is afterwards. */
function putAll(context: ServiceContext, caller: Caller, bankAccountId: number, given: readonly Given[]) {
  const atMs = context.clock.nowMs();
  return context.database.write((write) => {
    if (findBankAccount(write, caller.environmentId, bankAccountId) === undefined) return unknownBankAccount(bankAccountId);
    const days = given.map(({ date }) => present(dayFromIso(date), 'date'));
    const closed = refusedBalances(write, bankAccountId, days);
    if (closed !== null) return closed;
    const ids: number[] = [];
    const rows = new Map<number, StandingBalance>();
    for (const balance of given) {
      const day = present(dayFromIso(balance.date), 'date');
      const standing = putBankAccountBalance(write, {
        bankAccountId,
        day,
        balanceType: balance.balance_type,
        amount: balance.amount_cents,
        atMs,
      });
      ids.push(standing.row.id);
      rows.set(standing.row.id, standing);
    }
    appendAudit(write, {
      environmentId: caller.environmentId,
      atMs,
      actor: caller.actor,
      action: 'bank_account_balances.put',
      detail: { bank_account_id: bankAccountId, balances: given },
    });
    return answer(ids.map((id) => balanceView(bankAccountId, present(rows.get(id), 'balance'))));
  });
}

/** Deletes a balance that no statement says. */
function removeBalance(context: ServiceContext): Handlers['bank_account_balances.remove'] {
  return (caller, { id }) => {
    const outcome = context.database.write((write) => {
      const found = findBalance(write, id);
      const accountId = found?.account ?? null;
      if (found === undefined || accountId === null || findBankAccount(write, caller.environmentId, accountId) === undefined) {
        return missing('balance', id);
      }
      if (found.batch_id !== null) return refuse('conflict', phrase('streams.statedBalance'));
      const refused = refusedBalances(write, accountId, [found.day]);
      if (refused !== null) return refused;
      deleteBalance(write, id);
      const { balance_type: balanceType, amount } = found;
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'bank_account_balances.deleted',
        detail: {
          bank_account_id: accountId,
          balances: [{ date: isoFromDay(found.day), balance_type: balanceType, amount_cents: amount }],
        },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['bank_accounts']);
    return outcome;
  };
}

export function bankAccountBalanceHandlers(context: ServiceContext): Pick<Handlers, HandledBalances> {
  const { database } = context;
  return {
    'bank_account_balances.remove': removeBalance(context),
    'bank_account_balances.put': (caller, input) => {
      const { bank_account_id: bankAccountId, ...given } = input;
      const rows = putAll(context, caller, bankAccountId, [given]);
      if (!rows.ok) return rows;
      context.changed(['bank_accounts']);
      return answer(present(rows.value[0], 'balance'));
    },
    'bank_account_balances.put_many': (caller, input) => {
      const rows = putAll(context, caller, input.bank_account_id, input.balances);
      if (!rows.ok) return rows;
      context.changed(['bank_accounts']);
      return answer({ count: rows.value.length, balances: rows.value });
    },
    'bank_account_balances.list': (caller, input) => {
      if (findBankAccount(database, caller.environmentId, input.bank_account_id) === undefined) {
        return unknownBankAccount(input.bank_account_id);
      }
      return answer(
        partOf(listBankAccountBalances(database, input.bank_account_id), input).map((each) => balanceView(input.bank_account_id, each)),
      );
    },
  };
}
