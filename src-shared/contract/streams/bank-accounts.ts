import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const bankAccount = z
  .object({
    id: common.id,
    name: z.string(),
    currency: z.string().nullable(),
    created_at: common.timestamp,
    updated_at: common.timestamp,
  })
  .meta({ id: 'BankAccount' });
export type BankAccount = z.output<typeof bankAccount>;

/** Unlike a record's currency it is not converted: lower case is refused. */
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a three-letter ISO 4217 code in upper case, such as EUR')
  .nullable()
  .optional();

const streamsTo = z
  .union([z.literal('none'), common.idInput])
  .optional()
  .meta({ description: 'Where the data streams go that are linked to it: `none`, or the id of another bank account' });

export const bankAccounts = {
  'bank_accounts.create': operation({
    id: 'bank_accounts.create',
    method: 'POST',
    path: '/bank_accounts',
    summary: 'Create a bank account',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    inverse: 'bank_accounts.remove',
    input: z.strictObject({ name: common.name, currency }),
    output: bankAccount,
    example: { name: 'Current account', currency: 'GBP' },
  }),
  'bank_accounts.list': operation({
    id: 'bank_accounts.list',
    method: 'GET',
    path: '/bank_accounts',
    summary: 'All bank accounts, by name without regard to case',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject(common.listPart),
    output: z.array(bankAccount),
    example: {},
  }),
  'bank_accounts.get': operation({
    id: 'bank_accounts.get',
    method: 'GET',
    path: '/bank_accounts/{id}',
    summary: 'One bank account',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: bankAccount,
    example: { id: '1' },
  }),
  'bank_accounts.update': operation({
    id: 'bank_accounts.update',
    method: 'PATCH',
    path: '/bank_accounts/{id}',
    summary: 'Change the name or the currency of a bank account',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    inverse: 'bank_accounts.update',
    input: z.strictObject({ id: common.idInput, name: common.name.optional(), currency }),
    output: bankAccount,
    example: { id: '1', name: 'Deposit account' },
  }),
  'bank_accounts.remove': operation({
    id: 'bank_accounts.remove',
    method: 'DELETE',
    path: '/bank_accounts/{id}',
    summary: 'Delete a bank account and its balances; while data streams are linked to it, only with streams_to',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    inverse: 'bank_accounts.restore',
    input: z.strictObject({ id: common.idInput, streams_to: streamsTo }),
    output: common.nothing,
    errors: ['bank_account_in_use', 'unknown_reference'],
    example: { id: '2', streams_to: 'none' },
  }),
  'bank_accounts.restore': operation({
    id: 'bank_accounts.restore',
    method: 'POST',
    path: '/bank_accounts/{id}/restore',
    summary:
      'Undo: bring back a bank account that was deleted, with its balances and the streams that went from it and went nowhere else since',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: bankAccount,
    example: { id: '2' },
  }),
} as const;
