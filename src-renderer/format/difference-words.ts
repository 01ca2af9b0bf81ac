import type { DifferenceCode } from '../../src-shared/contract/index.ts';
import { REASON_WORDS } from '../../src-shared/contract/matches/difference-reasons.ts';
import { say } from '../../src-shared/words/say.ts';

/** The types of an adjustment, in the order of the form. An error of the bank is not among them: the bank corrects it. */
export const ADJUSTED_CODES = ['book_error', 'bank_charge', 'interest', 'fx', 'rounding', 'write_off'] as const satisfies DifferenceCode[];
/** The types of a difference that stays. */
export const OPEN_CODES = ['left_open', 'bank_error'] as const satisfies DifferenceCode[];

/** Labels of the types of a difference that stays. */
export const OPEN_LABELS: Readonly<Record<(typeof OPEN_CODES)[number], string>> = {
  left_open: say('matches.openLabels.leftOpen'),
  bank_error: REASON_WORDS.bank_error,
};

/** Returns the label of an adjustment's type; null when it has none. */
export function adjustmentLabel({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): string | null {
  const code = metadata['difference_code'];
  return typeof code === 'string' && Object.hasOwn(REASON_WORDS, code) ? REASON_WORDS[code as DifferenceCode] : null;
}
