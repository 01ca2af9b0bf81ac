import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { record } from '../records/records.ts';
import { importRecipe } from './import-recipes.ts';

const importBatch = z
  .object({
    id: common.id,
    data_stream_key: z.string(),
    source: z.enum(['csv_upload', 'nacha_upload', 'bulk_api']),
    filename: z.string().nullable(),
    record_count: z.int(),
    total_credits: z.int(),
    total_debits: z.int(),
    net_amount: z.int(),
    /** The currency of the three sums before, which never add several currencies up; `totals` has each. Null if no record names one. */
    currency: z.string().nullable(),
    decimal_places: z.int(),
    date_range_start: z.string().nullable(),
    date_range_end: z.string().nullable(),
    created_at: common.timestamp,
    records_url: z.string(),
    format: z.string(),
    sha256: z.string(),
    byte_length: z.int(),
    file_kept: z.boolean().meta({ description: 'Whether the file itself is in the book' }),
    kept: z.int(),
    skipped: z.int(),
    rejected: z.int(),
    opening_balance: z.int().nullable(),
    closing_balance: z.int().nullable(),
    proof: z.enum(['proved', 'unproved', 'broken']),
    recipe: importRecipe.nullable(),
    totals: z.array(z.object({ currency: z.string(), decimal_places: z.int(), credits: z.int(), debits: z.int() })),
  })
  .meta({ id: 'ImportBatch' });
export type ImportBatch = z.output<typeof importBatch>;

/** The result of undoing an import, or a preview of it. */
const undoneImport = z.object({
  import_batch_id: common.id,
  records: z.int(),
  records_kept: z.int().meta({ description: 'Lines of its file that stay, since another file has them as well' }),
  matches_dissolved: z.int(),
  balances_removed: z.int().meta({ description: 'Balances of the bank account that only this import says' }),
  balances_kept: z.int().meta({ description: 'Balances of its statement that stay: changed by a person, or said by another import too' }),
  file_removed: z.boolean().meta({ description: 'Whether the file that was kept with the import goes as well' }),
  shared_with: z
    .array(
      z
        .object({
          import_batch_id: common.id,
          filename: z.string().nullable(),
          imported_at: common.timestamp,
          at_most: z.int().meta({ description: 'The most of the removed lines that this file can have as well' }),
        })
        .meta({ id: 'ImportThatShares' }),
    )
    .meta({
      description:
        'Later imports of the account that left out lines as known which this import brought. Their lines go too; import their files again to have them back',
    }),
  preview: z.boolean(),
});

/** A file that was kept with its import. */
const keptFile = z
  .object({
    file_name: z.string(),
    content_type: z.enum(['application/pdf', 'application/octet-stream']),
    encoding: z.literal('base64'),
    content: z.string(),
  })
  .meta({ id: 'KeptFile' });

/** The most lines whose currency can be corrected at once; a larger import has to be undone and imported again. */
export const CORRECTED_LINES = 10_000;

/** The result of correcting a currency, or a preview of it. */
const correctedCurrency = z.object({
  import_batch_id: common.id,
  from: z.string(),
  to: z.string(),
  records: z.int(),
  proposals_dropped: z.int().meta({ description: 'Proposals that hold its lines; the next run works them out anew' }),
  balances: z.int().meta({ description: 'Balances of its statement' }),
  stream: z
    .boolean()
    .meta({ description: 'Whether the stream is in the other currency from then on, since none of its lines is left in this one' }),
  bank_account: z.boolean().meta({ description: 'Whether the bank account of the stream is' }),
  preview: z.boolean(),
});
export type CorrectedCurrency = z.output<typeof correctedCurrency>;

const batchLimit = z.int().min(1).max(common.LIMITS.pageSize).default(common.LIMITS.defaultBatchPageSize);

export const importBatches = {
  'import_batches.list': operation({
    id: 'import_batches.list',
    method: 'GET',
    path: '/data_streams/{key}/import_batches',
    summary: 'Import batches of a stream, newest first',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ key: z.string(), limit: batchLimit, offset: common.offset, cursor: common.cursor }),
    output: common.pageOf(importBatch),
    example: { key: 'bank' },
  }),
  'import_batches.get': operation({
    id: 'import_batches.get',
    method: 'GET',
    path: '/import_batches/{id}',
    summary: 'One import batch',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: importBatch,
    example: { id: '1' },
  }),
  'import_batches.records': operation({
    id: 'import_batches.records',
    method: 'GET',
    path: '/import_batches/{id}/records',
    summary: 'Records of an import batch',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, limit: common.limit, offset: common.offset, cursor: common.cursor }),
    output: common.pageOf(record),
    memberNames: { metadata: 'property_definitions.list' },
    example: { id: '1', limit: 5 },
  }),
  'import_batches.file': operation({
    id: 'import_batches.file',
    method: 'GET',
    path: '/import_batches/{id}/file',
    summary: 'The file that was kept with an import, as it was imported',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: keptFile,
    errors: ['conflict'],
    example: { id: '1' },
  }),
  'import_batches.correct_currency': operation({
    id: 'import_batches.correct_currency',
    method: 'POST',
    path: '/import_batches/{id}/currency',
    summary: 'Say that an import is in another currency than it was read in; the way back is the same. With preview=true nothing changes.',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'import_batches.correct_currency',
    input: z.strictObject({ id: common.idInput, currency: common.moneyCurrency, preview: z.boolean().default(false) }),
    output: correctedCurrency,
    errors: ['conflict', 'record_reconciled', 'total_out_of_range', 'period_closed'],
    example: { id: '1', currency: 'EUR', preview: true },
  }),
  'import_batches.remove': operation({
    id: 'import_batches.remove',
    method: 'DELETE',
    path: '/import_batches/{id}',
    summary: 'Undo an import: its records and the matches they are in go. With preview=true nothing changes.',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, preview: z.boolean().default(false) }),
    output: undoneImport,
    errors: ['conflict', 'period_closed'],
    example: { id: '1', preview: true },
  }),
} as const;
