import { normaliseHeader } from '../statement/index.ts';
import { CHARGE, CHARGE_SIGNS, INTEREST, INTEREST_KIND, INTEREST_SIGNS, WEAK } from './charge-expressions.ts';
import type { LedgerRecord } from './input.ts';

const MOST_WORDS = 3;

interface Told {
  readonly kind: 'bank_charge' | 'interest';
  readonly isSure: boolean;
}

/** Whether the words of a bank line, or what the bank calls its kind, say that it is interest or a charge. */
export function toldByWords({
  reference,
  description,
  kindText,
}: Pick<LedgerRecord, 'reference' | 'description' | 'kindText'>): Told | null {
  const text = [kindText, reference, description].map((part) => normaliseHeader((part ?? '').slice(0, 200))).filter((part) => part !== '');
  const words = text.join(' ');
  if (words === '') return null;
  if (INTEREST_KIND.test(text[0] ?? '') || INTEREST.test(words) || INTEREST_SIGNS.test(words)) return { kind: 'interest', isSure: true };
  if (CHARGE.test(words) || CHARGE_SIGNS.test(words)) return { kind: 'bank_charge', isSure: true };
  const count = words.split(' ').filter((word) => /\p{L}/u.test(word)).length;
  return count <= MOST_WORDS && WEAK.test(words) ? { kind: 'bank_charge', isSure: false } : null;
}
