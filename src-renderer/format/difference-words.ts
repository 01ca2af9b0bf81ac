import type { DifferenceCode } from '../../src-shared/contract/index.ts';
import { REASON_WORDS } from '../../src-shared/contract/matches/difference-reasons.ts';

/** What an adjustment can be for, in the order in which it is asked. What the bank got wrong is for the bank to put right, so it is never one. */
export const ADJUSTED_CODES = ['book_error', 'bank_charge', 'interest', 'fx', 'rounding', 'write_off'] as const satisfies DifferenceCode[];
/** What a difference that stays can be. */
export const OPEN_CODES = ['left_open', 'bank_error'] as const satisfies DifferenceCode[];

/** The same of a difference that stays, as a choice. */
export const OPEN_LABELS: Readonly<Record<(typeof OPEN_CODES)[number], string>> = {
  left_open: 'Not explained yet',
  bank_error: REASON_WORDS.bank_error,
};

/** What an adjustment is for; null where nobody said it. */
export function adjustmentLabel({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): string | null {
  const code = metadata['difference_code'];
  return typeof code === 'string' && Object.hasOwn(REASON_WORDS, code) ? REASON_WORDS[code as DifferenceCode] : null;
}
