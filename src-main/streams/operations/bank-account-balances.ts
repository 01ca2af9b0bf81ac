import type { BalanceType, BankAccountBalance } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { answer, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { refusedBalances } from '../../service/period-lock.ts';
import { listBankAccountBalances, putBankAccountBalance, type StandingBalance } from '../store/bank-account-balances.ts';
import { findBankAccount } from '../store/bank-accounts.ts';
import { unknownBankAccount } from './bank-accounts.ts';

type Handled = 'bank_account_balances.put' | 'bank_account_balances.put_many' | 'bank_account_balances.list';

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

export function bankAccountBalanceHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
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
      return answer(listBankAccountBalances(database, input.bank_account_id).map((each) => balanceView(input.bank_account_id, each)));
    },
  };
}
