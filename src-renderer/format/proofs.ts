import type { ImportResult } from '../../src-shared/contract/index.ts';
import { moneyText } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

export type Proof = ImportResult['proof'];

export const PROOF_LABELS: Readonly<Record<Proof, string>> = {
  proved: say('streams.proofLabels.proved'),
  unproved: say('streams.proofLabels.unproved'),
  broken: say('streams.proofLabels.broken'),
};

/** Explanations of the proofs, for the tooltip of a badge. */
export const PROOF_MEANINGS: Readonly<Record<Proof, string>> = {
  proved: say('streams.proofMeanings.proved'),
  unproved: say('streams.proofMeanings.unproved'),
  broken: say('streams.proofMeanings.broken'),
};

type Figures = Pick<
  ImportResult,
  'proof' | 'opening_balance' | 'closing_balance' | 'total_credits' | 'total_debits' | 'currency' | 'decimal_places'
>;

/** Returns a sentence that explains the proof with its figures. */
export function proofSentence(figures: Figures): string {
  const { opening_balance: opening, closing_balance: closing, currency, decimal_places: scale } = figures;
  if (figures.proof === 'unproved' || opening === null || closing === null) return PROOF_MEANINGS[figures.proof];
  const money = (minor: number): string => moneyText(minor, currency ?? '', scale);
  const reached = opening + figures.total_credits - figures.total_debits;
  const sum = say('streams.proofs.openingBalancePlusInMinusOut', {
    money: money(opening),
    money2: money(figures.total_credits),
    money3: money(figures.total_debits),
  });
  if (reached === closing) {
    const end = say('streams.proofs.isTheClosingBalance', { sum, money: money(closing) });
    return figures.proof === 'proved' ? `${end}.` : say('streams.proofs.butTheBalances', { end });
  }
  return say('streams.proofs.isButTheFile', {
    sum,
    money: money(reached),
    money2: money(closing),
    money3: money(Math.abs(reached - closing)),
  });
}
