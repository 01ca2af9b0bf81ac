import { z } from 'zod';
import * as common from '../common.ts';

/** Reasons for the difference of a match. One list for matches, their adjustments and the close of a month. */
export const DIFFERENCE_CODES = [
  'bank_charge',
  'interest',
  'fx',
  'rounding',
  'book_error',
  'bank_error',
  'write_off',
  'left_open',
] as const;
export const differenceCode = z.enum(DIFFERENCE_CODES);
export type DifferenceCode = z.output<typeof differenceCode>;

/** The reasons in words, wherever they are shown. */
export const REASON_WORDS: Readonly<Record<DifferenceCode, string>> = {
  bank_charge: 'Bank charge',
  interest: 'Interest',
  fx: 'Exchange difference',
  rounding: 'Rounding',
  book_error: 'Book error',
  bank_error: 'Bank error',
  write_off: 'Write-off',
  left_open: 'Left open',
};

/** Returns a reason in words: `Bank charge: fee of June`. */
export function reasonText({ code, note }: DifferenceReason): string {
  return note === null ? REASON_WORDS[code] : `${REASON_WORDS[code]}: ${note}`;
}

export const differenceReason = z.object({ code: differenceCode, note: z.string().nullable() }).meta({ id: 'DifferenceReason' });
export type DifferenceReason = z.output<typeof differenceReason>;

/** The input about a difference when a match is made or confirmed. */
export const differenceInput = {
  create_adjustment: z
    .boolean()
    .default(false)
    .meta({ description: 'Add one record, in the stream `adjustments`, that makes `difference` 0; none when it is 0 already' }),
  adjustment_reason: common.description
    .nullable()
    .optional()
    .meta({ description: 'Description of the adjustment, else the note; only with create_adjustment' }),
  difference_reason: z.strictObject({ code: differenceCode, note: common.description.nullable().optional() }).nullable().optional().meta({
    description:
      'Why the sides differ; only where they do. `left_open` says that nobody knows yet, so it goes with no adjustment; an adjustment carries the same code',
  }),
};
