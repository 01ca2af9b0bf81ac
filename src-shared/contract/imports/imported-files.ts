import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { balanceType } from '../streams/bank-account-balances.ts';
import { importRecipe } from './import-recipes.ts';
import { problem } from './imports.ts';

const IMPORTED_FILE_LIMITS = {
  /** The most balances and periods of one file. */
  stated: 10_000,
  /** The most line ids in one request or answer. */
  lines: 5_000,
  /** The most notes of one import. */
  problems: 10_000,
} as const;

const money = z.int().nullable();

/** Everything that a file states, except its lines. */
const stated = {
  currency: common.moneyCurrency.nullable().meta({ description: 'Of its balances' }),
  opening_balance: money,
  closing_balance: money,
  proof: z.enum(['proved', 'unproved', 'broken']),
  totals: z.array(z.object({ currency: z.string(), decimal_places: z.int(), credits: z.int(), debits: z.int() })).max(200),
  date_range_start: common.date.nullable(),
  date_range_end: common.date.nullable(),
  periods: z
    .array(
      z
        .object({
          account: z.string().nullable(),
          date_start: common.date,
          date_end: common.date,
          opening_balance: money,
          closing_balance: money,
        })
        .refine(({ date_start: start, date_end: end }) => start <= end, { path: ['date_end'], error: 'must not be before date_start' }),
    )
    .max(IMPORTED_FILE_LIMITS.stated)
    .nullable()
    .meta({ description: 'The days that it speaks of, one for each statement in it' }),
  balances: z
    .array(z.object({ date: common.date, balance_type: balanceType, amount: z.int(), currency: common.moneyCurrency }))
    .max(IMPORTED_FILE_LIMITS.stated),
};

const made = {
  data_stream_key: z.string(),
  source: z.enum(['csv_upload', 'nacha_upload']),
  filename: z.string().max(1_000).nullable(),
  format: z.string().min(1).max(100),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 as 64 hexadecimal digits'),
  byte_length: z.int().min(0),
  kept: z.int().min(0),
  skipped: z.int().min(0),
  rejected: z.int().min(0),
  recipe: importRecipe.nullable(),
  accounts: z.array(z.string().max(1_000)).max(1_000).meta({ description: 'Numbers of accounts, as the file writes them' }),
  holders: z.array(z.string().max(1_000)).max(1_000),
  created_at: common.timestampInput,
};

const problems = z.array(problem).max(IMPORTED_FILE_LIMITS.problems).meta({ description: 'Notes of its import, such as what was assumed' });

const importedFile = z
  .object({
    id: common.id,
    ...made,
    problems,
    created_at: common.timestamp,
    ...stated,
    currency: z.string().nullable().meta({ description: 'Of its balances' }),
    balances: z.array(z.object({ date: common.date, balance_type: balanceType, amount: z.int(), currency: z.string() })),
  })
  .meta({ id: 'ImportedFile' });
export type ImportedFile = z.output<typeof importedFile>;

export const importedFiles = {
  'imported_files.list': operation({
    id: 'imported_files.list',
    method: 'GET',
    path: '/data_streams/{key}/imported_files',
    summary: 'Files that were imported into a stream, with all that they state apart from their lines, oldest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ key: z.string(), limit: common.limit, offset: common.offset, cursor: common.cursor }),
    output: common.pageOf(importedFile),
    example: { key: 'bank' },
  }),
  'imported_files.create': operation({
    id: 'imported_files.create',
    method: 'POST',
    path: '/imported_files',
    summary: 'Take over a file that another Tieout imported: what it states, without its lines',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({ ...made, ...stated, problems: problems.default([]) }),
    output: importedFile,
    errors: ['unknown_reference', 'period_closed'],
    example: {
      data_stream_key: 'bank',
      source: 'csv_upload',
      filename: 'june.csv',
      format: 'csv',
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      byte_length: 0,
      kept: 0,
      skipped: 0,
      rejected: 0,
      recipe: null,
      accounts: [],
      holders: [],
      created_at: '2026-07-01T09:00:00.000Z',
      currency: 'EUR',
      opening_balance: 0,
      closing_balance: 125_000,
      proof: 'unproved',
      totals: [],
      date_range_start: null,
      date_range_end: null,
      periods: [{ account: null, date_start: '2026-06-01', date_end: '2026-06-30', opening_balance: 0, closing_balance: 125_000 }],
      balances: [{ date: '2026-06-30', balance_type: 'closing_ledger', amount: 125_000, currency: 'EUR' }],
    },
  }),
  'imported_files.update': operation({
    id: 'imported_files.update',
    method: 'PATCH',
    path: '/imported_files/{id}',
    summary: 'Say otherwise what an imported file states',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, ...z.object(stated).partial().shape }),
    output: importedFile,
    errors: ['period_closed'],
    example: { id: '1', closing_balance: 125_000 },
  }),
  'imported_files.lines': operation({
    id: 'imported_files.lines',
    method: 'GET',
    path: '/imported_files/{id}/lines',
    summary: 'Ids of the records that an imported file brought, in ascending order',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      after: z.int().min(0).default(0).meta({ description: 'The last id that was answered before' }),
      limit: z.int().min(1).max(IMPORTED_FILE_LIMITS.lines).default(IMPORTED_FILE_LIMITS.lines),
    }),
    output: z.object({ record_ids: z.array(common.id), has_more: z.boolean() }),
    example: { id: '1' },
  }),
  'imported_files.add_lines': operation({
    id: 'imported_files.add_lines',
    method: 'POST',
    path: '/imported_files/{id}/lines',
    summary: 'Say that records of its stream came by an imported file; those of another file stay with that one',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, record_ids: z.array(common.idInput).min(1).max(IMPORTED_FILE_LIMITS.lines) }),
    output: z.object({ added: z.int() }),
    errors: ['period_closed'],
    example: { id: '1', record_ids: ['1'] },
  }),
  'imported_files.remove': operation({
    id: 'imported_files.remove',
    method: 'DELETE',
    path: '/imported_files/{id}',
    summary: 'Forget an imported file with the balances that it states; its records stay',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    errors: ['conflict', 'period_closed'],
    example: { id: '1' },
  }),
} as const;
