import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const BALANCE_LIMITS = { bulkBalances: 1_000 } as const;

export const BALANCE_TYPES = [
  'opening_ledger',
  'closing_ledger',
  'current_ledger',
  'opening_available',
  'opening_available_next_business_day',
  'closing_available',
  'current_available',
  'previously_closed_book',
  'other',
] as const;
export const balanceType = z.enum(BALANCE_TYPES);
export type BalanceType = z.output<typeof balanceType>;

const bankAccountBalance = z
  .object({
    id: common.id,
    bank_account_id: common.id,
    date: common.date,
    balance_type: balanceType,
    amount_cents: z.int().meta({ description: 'Minor units; negative when overdrawn' }),
    currency: z.string().nullable().meta({
      description: 'That of the statement, or of the account; null for an account that has none and whose statements are in several',
    }),
    import_batch_id: common.id
      .nullable()
      .meta({ description: 'The import whose statement says it; null for one that a person or a client gave' }),
    conflicts: z
      .array(z.object({ import_batch_id: common.id, amount_cents: z.int() }))
      .meta({ description: 'Imports whose statements say another amount for the same date and type, the first 20' }),
    created_at: common.timestamp,
    updated_at: common.timestamp,
  })
  .meta({ id: 'BankAccountBalance' });
export type BankAccountBalance = z.output<typeof bankAccountBalance>;

const amountCents = z.int().meta({ description: 'Minor units; negative when overdrawn' });
const writable = { date: common.date, balance_type: balanceType, amount_cents: amountCents };

export const bankAccountBalances = {
  'bank_account_balances.put': operation({
    id: 'bank_account_balances.put',
    method: 'POST',
    path: '/bank_account_balances',
    summary: 'Create a balance, or update the one of the same account, date and type',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    inverse: 'bank_account_balances.remove',
    input: z.strictObject({ bank_account_id: common.idInput, ...writable }),
    output: bankAccountBalance,
    errors: ['unknown_reference', 'period_closed'],
    example: { bank_account_id: '1', date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 125_000 },
  }),
  'bank_account_balances.put_many': operation({
    id: 'bank_account_balances.put_many',
    method: 'POST',
    path: '/bank_account_balances/bulk',
    summary:
      'Create or update up to 1,000 balances of an account; all or none. Answered in the order given; of a balance given twice the last one holds',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({
      bank_account_id: common.idInput,
      balances: z.array(z.strictObject(writable)).min(1).max(BALANCE_LIMITS.bulkBalances),
    }),
    output: z.object({ count: z.int(), balances: z.array(bankAccountBalance) }).meta({ id: 'BankAccountBalances' }),
    errors: ['unknown_reference', 'period_closed'],
    example: { bank_account_id: '1', balances: [{ date: '2026-06-30', balance_type: 'other', amount_cents: -5_000 }] },
  }),
  'bank_account_balances.remove': operation({
    id: 'bank_account_balances.remove',
    method: 'DELETE',
    path: '/bank_account_balances/{id}',
    summary: 'Delete a balance that was given by hand or by a program; what a statement says of that day and type counts again',
    surface: 'app',
    permission: 'read_write',
    status: 204,
    inverse: 'bank_account_balances.put',
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['conflict', 'period_closed'],
    example: { id: '1' },
  }),
  'bank_account_balances.list': operation({
    id: 'bank_account_balances.list',
    method: 'GET',
    path: '/bank_account_balances',
    summary: 'All balances of a bank account, newest date first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ bank_account_id: common.idInput, ...common.listPart }),
    output: z.array(bankAccountBalance),
    errors: ['unknown_reference'],
    example: { bank_account_id: '1' },
  }),
} as const;
