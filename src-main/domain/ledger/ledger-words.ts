import { counted, listed } from '../../../src-shared/values/english.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { grouped } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { AccountOff, LedgerInput, LedgerRecord, LedgerSide } from './input.ts';

type Named = Pick<LedgerInput, 'isNeutral' | 'bankSide'>;

const LONGEST_LABEL = 40;

/** Returns an amount as text: `-1,275.00` for -127500 minor units with two places. */
export function amountText(amount: number, decimalPlaces: number): string {
  // Adding zero turns -0 into 0.
  return grouped(decimalText(amount + 0, decimalPlaces));
}

/** Returns `the bank`, `the books` or `side A`. */
export function sideName({ isNeutral, bankSide }: Named, side: LedgerSide): string {
  if (!isNeutral) return side === 'bank' ? phrase('ledger.ledgerWords.theBank') : phrase('ledger.ledgerWords.theBooks');
  const letter = side === 'bank' ? bankSide : bankSide === 'a' ? 'b' : 'a';
  return `side ${letter.toUpperCase()}`;
}

/**
 * Returns the missing or surplus amount of a side, with each account if it has several: `2.00 (Current) and -2.00 (Savings), which cancel each other
 * in their sum`.
 */
export function missingText(linesMissing: number, offByAccount: readonly AccountOff[], decimalPlaces: number): string {
  const each = listed(offByAccount.map(({ name, amount }) => `${amountText(amount, decimalPlaces)} (${name})`));
  if (linesMissing === 0 && offByAccount.length > 0) return phrase('ledger.ledgerWords.whichCancelEachOtherInTheirSum', { each });
  const all = amountText(linesMissing, decimalPlaces);
  return offByAccount.length === 0 ? all : phrase('ledger.ledgerWords.ofWhich', { all, each });
}

/**
 * Returns a title for the excess of a side's stated balance over its opening balance and lines: `Lines missing from the bank’s file, or too many`.
 */
export function missingTitle(named: Named, side: LedgerSide): string {
  const where = !named.isNeutral && side === 'bank' ? phrase('ledger.ledgerWords.theBanksFile') : sideName(named, side);
  return phrase('ledger.ledgerWords.linesMissingFromOrTooMany', { where });
}

/** Returns a side's name with its verb: `the books have`, `side A has`. */
export function sideHas(input: Named, side: LedgerSide): string {
  return `${sideName(input, side)} ${!input.isNeutral && side === 'books' ? 'have' : 'has'}`;
}

/** Returns the label of a line: its reference, or else its description, shortened if it is long; null if it has neither. */
export function labelOf({ reference, description }: Pick<LedgerRecord, 'reference' | 'description'>): string | null {
  const text = (reference ?? '').trim() || (description ?? '').trim();
  if (text === '') return null;
  return text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL - 1)}…`;
}

/** Returns `, of which 60 proposed` to follow a number of open items, or an empty text if none is proposed. */
export function ofWhich(proposed: number): string {
  return proposed === 0 ? '' : `, of which ${grouped(String(proposed))} proposed`;
}

/** Most lines that a sentence lists. */
const LISTED = 6;

/** Returns a line with its amount and label: `300.00 (RCT-W1)`. */
export function partText({ decimalPlaces }: Pick<LedgerInput, 'decimalPlaces'>, part: LedgerRecord): string {
  const label = labelOf(part);
  return `${amountText(part.amount, decimalPlaces)}${label === null ? '' : ` (${label})`}`;
}

/** Returns lines in words: `300.00 (RCT-W1) and 250.00 (RCT-W2)`. */
export function partsText(input: Pick<LedgerInput, 'decimalPlaces'>, parts: readonly LedgerRecord[]): string {
  const texts = parts.slice(0, LISTED).map((part) => partText(input, part));
  const rest = parts.length - texts.length;
  return listed(rest === 0 ? texts : [...texts, counted(rest, 'other')]);
}
