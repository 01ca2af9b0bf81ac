import { z } from 'zod';
import { date, id, idInput } from '../common.ts';
import { operation } from '../operation.ts';

const days = { date_start: z.string(), date_end: z.string() };

/** Days that no statement covers. `difference` is the opening balance after them minus the closing balance before; null if one is not stated. */
const gap = z.object({
  ...days,
  days: z.int(),
  weekdays: z.int(),
  kind: z.enum(['missing', 'quiet', 'weekend', 'unknown']),
  difference: z.int().nullable(),
});

/** The coverage of one account in one currency by the statements of a stream. Balances and differences in minor units. */
const coverage = z
  .object({
    data_stream_key: z.string(),
    /** The account as the files write it; null unless a file has several. */
    account: z.string().nullable(),
    /** The currency of the statements, or that of the stream if they name none. */
    currency: z.string().nullable(),
    decimal_places: z.int(),
    statements: z.array(
      z.object({
        import_batch_id: id,
        filename: z.string().nullable(),
        ...days,
        opening_balance: z.int().nullable(),
        closing_balance: z.int().nullable(),
        proof: z.enum(['proved', 'unproved', 'broken']),
      }),
    ),
    covered: z.array(z.object(days)),
    gaps: z.array(gap),
    overlaps: z.array(z.object({ ...days, import_batch_ids: z.array(id) })),
    /** Consecutive statements whose balances differ. */
    breaks: z.array(
      z.object({
        date: z.string(),
        import_batch_ids: z.tuple([id, id]),
        closing_balance: z.int(),
        opening_balance: z.int(),
        difference: z.int(),
      }),
    ),
  })
  .meta({ id: 'Coverage' });
export type Coverage = z.output<typeof coverage>;

const list = z.object({ accounts: z.array(coverage) });
/** The window of days. Statements and gaps that reach beyond it are not cut. */
const window = { date_from: date.optional(), date_to: date.optional() };

export const coverages = {
  'coverage.of_stream': operation({
    id: 'coverage.of_stream',
    method: 'GET',
    path: '/data_streams/{key}/coverage',
    summary: 'The days that the statements imported into a stream cover, with gaps and overlaps',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ key: z.string(), ...window }),
    output: list,
    example: { key: 'bank', date_from: '2026-01-01' },
  }),
  'coverage.of_account': operation({
    id: 'coverage.of_account',
    method: 'GET',
    path: '/bank_accounts/{id}/coverage',
    summary: 'The days that the statements of a bank account cover, stream by stream, with gaps and overlaps',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: idInput, ...window }),
    output: list,
    example: { id: '1' },
  }),
} as const;
