import type { DifferenceCode, DifferenceReason } from '../../src-shared/contract/index.ts';

/** Why sides differ, as people say it. */
export const DIFFERENCE_LABELS: Readonly<Record<DifferenceCode, string>> = {
  bank_charge: 'Bank charge',
  interest: 'Interest',
  fx: 'FX',
  rounding: 'Rounding',
  book_error: 'Error in the books',
  bank_error: 'Error at the bank',
  write_off: 'Write-off',
  left_open: 'Left open',
};

/** What an adjustment can be for, in the order in which it is asked. What the bank got wrong is for the bank to put right, so it is never one. */
export const ADJUSTED_CODES = ['book_error', 'bank_charge', 'interest', 'fx', 'rounding', 'write_off'] as const satisfies DifferenceCode[];
/** What a difference that stays can be. */
export const OPEN_CODES = ['left_open', 'bank_error'] as const satisfies DifferenceCode[];

/** The same of a difference that stays, as a choice. */
export const OPEN_LABELS: Readonly<Record<(typeof OPEN_CODES)[number], string>> = {
  left_open: 'Not explained yet',
  bank_error: DIFFERENCE_LABELS.bank_error,
};

/** What an adjustment is for; null where nobody said it. */
export function adjustmentLabel({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): string | null {
  const code = metadata['difference_code'];
  return typeof code === 'string' && Object.hasOwn(DIFFERENCE_LABELS, code) ? DIFFERENCE_LABELS[code as DifferenceCode] : null;
}

/** `Bank charge: fee of June`. */
export function reasonText({ code, note }: DifferenceReason): string {
  return note === null ? DIFFERENCE_LABELS[code] : `${DIFFERENCE_LABELS[code]}: ${note}`;
}
