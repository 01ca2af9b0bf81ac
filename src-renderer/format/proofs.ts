import type { ImportResult } from '../../src-shared/contract/index.ts';
import { moneyText } from './money.ts';

export type Proof = ImportResult['proof'];

export const PROOF_LABELS: Readonly<Record<Proof, string>> = { proved: 'Proved', unproved: 'Unproved', broken: 'Broken' };

/** Explanations of the proofs, for the tooltip of a badge. */
export const PROOF_MEANINGS: Readonly<Record<Proof, string>> = {
  proved: 'The file’s own balances agree with its lines, and only one way of reading it makes them agree.',
  unproved: 'The file has no balances that could confirm its lines. Nothing is known to be wrong; compare the totals with the original.',
  broken: 'The file’s own figures do not agree with its lines, or its end is missing. A line may be missing, doubled or misread.',
};

type Figures = Pick<
  ImportResult,
  'proof' | 'opening_balance' | 'closing_balance' | 'total_credits' | 'total_debits' | 'currency' | 'decimal_places'
>;

/** Returns a sentence that explains the proof with its figures. */
export function proofSentence(figures: Figures, locale?: string): string {
  const { opening_balance: opening, closing_balance: closing, currency, decimal_places: scale } = figures;
  if (figures.proof === 'unproved' || opening === null || closing === null) return PROOF_MEANINGS[figures.proof];
  const money = (minor: number): string => moneyText(minor, currency ?? '', scale, locale);
  const reached = opening + figures.total_credits - figures.total_debits;
  const sum = `Opening balance ${money(opening)} plus ${money(figures.total_credits)} in minus ${money(figures.total_debits)} out`;
  if (reached === closing) {
    const end = `${sum} is the closing balance ${money(closing)}`;
    return figures.proof === 'proved' ? `${end}.` : `${end}, but the balances between do not follow from the lines.`;
  }
  return `${sum} is ${money(reached)}, but the file says ${money(closing)}: ${money(Math.abs(reached - closing))} apart.`;
}
