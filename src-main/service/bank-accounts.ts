import type { BankAccount } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { appendAudit } from '../store/audit.ts';
import {
  type BankAccountRow,
  deleteBankAccount,
  findBankAccount,
  insertBankAccount,
  listBankAccounts,
  streamsOfBankAccount,
  updateBankAccount,
} from '../store/bank-accounts.ts';
import { answer, missing, refuse, refuseField, timestampOf } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { Handlers } from './handler.ts';

type Handled = 'bank_accounts.create' | 'bank_accounts.list' | 'bank_accounts.get' | 'bank_accounts.update' | 'bank_accounts.remove';

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

/** For a `bank_account_id` in a body or query that names no account of the environment. */
export function unknownBankAccount(id: number) {
  const message = `There is no bank account ${id} in this environment: create it first, or check bank_account_id.`;
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

/** A change that names no field changes nothing, not even `updated_at`. */
function updateHandler(context: ServiceContext): Handlers['bank_accounts.update'] {
  return (caller, input) => {
    const { id, ...change } = input;
    const isChange = Object.keys(change).length > 0;
    const nowMs = context.clock.nowMs();
    const changed = context.database.write((write) => {
      const found = findBankAccount(write, caller.environmentId, id);
      if (found === undefined || !isChange) return found;
      updateBankAccount(write, id, change, nowMs);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'bank_account.updated',
        detail: { bank_account_id: id, change },
      });
      return findBankAccount(write, caller.environmentId, id);
    });
    if (changed === undefined) return missing('bank account', id);
    if (isChange) context.changed(['bank_accounts']);
    return answer(bankAccountView(changed));
  };
}

function inUse(id: number, keys: readonly string[]) {
  const more = keys.length - STREAMS_IN_SENTENCE;
  const named = `${keys.slice(0, STREAMS_IN_SENTENCE).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return refuse(
    'bank_account_in_use',
    `Bank account ${id} is linked to the data stream${keys.length > 1 ? 's' : ''} ${named}: link ${keys.length > 1 ? 'them' : 'it'} to another account first.`,
  );
}

function removeHandler(context: ServiceContext): Handlers['bank_accounts.remove'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findBankAccount(write, caller.environmentId, input.id);
      if (found === undefined) return missing('bank account', input.id);
      const keys = streamsOfBankAccount(write, found.id).map(({ key }) => key);
      if (keys.length > 0) return inUse(found.id, keys);
      const balances = deleteBankAccount(write, found.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'bank_account.deleted',
        detail: { bank_account_id: found.id, name: found.name, currency: found.currency, balances },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['bank_accounts']);
    return outcome;
  };
}

export function bankAccountHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'bank_accounts.create': createHandler(context),
    'bank_accounts.list': (caller) => answer(listBankAccounts(database, caller.environmentId).map(bankAccountView)),
    'bank_accounts.get': (caller, input) => {
      const found = findBankAccount(database, caller.environmentId, input.id);
      return found === undefined ? missing('bank account', input.id) : answer(bankAccountView(found));
    },
    'bank_accounts.update': updateHandler(context),
    'bank_accounts.remove': removeHandler(context),
  };
}
