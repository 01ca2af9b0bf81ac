import { listed } from '../../../src-shared/values/english.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { grouped } from '../matching/index.ts';
import type { AccountOff, LedgerInput, LedgerRecord, LedgerSide } from './input.ts';

type Named = Pick<LedgerInput, 'isNeutral' | 'bankSide'>;

const LONGEST_LABEL = 40;

/** `30/06/2026` */
export function dayText(day: number): string {
  const [year, month, date] = isoFromDay(day).split('-');
  return `${date}/${month}/${year}`;
}

/** `-1,275.00` of -127500 minor units at two places. */
export function amountText(amount: number, decimalPlaces: number): string {
  // A difference may be -0, which is 0.
  return grouped(decimalText(amount + 0, decimalPlaces));
}

/** `the bank`, `the books`, `side A`. */
export function sideName({ isNeutral, bankSide }: Named, side: LedgerSide): string {
  if (!isNeutral) return side === 'bank' ? 'the bank' : 'the books';
  const letter = side === 'bank' ? bankSide : bankSide === 'a' ? 'b' : 'a';
  return `side ${letter.toUpperCase()}`;
}

/** What is missing of a side, or too many, of each account where it has several: `2.00 (Current) and -2.00 (Savings), which cancel each other in their sum`. */
export function missingText(linesMissing: number, offByAccount: readonly AccountOff[], decimalPlaces: number): string {
  const each = listed(offByAccount.map(({ name, amount }) => `${amountText(amount, decimalPlaces)} (${name})`));
  if (linesMissing === 0 && offByAccount.length > 0) return `${each}, which cancel each other in their sum`;
  const all = amountText(linesMissing, decimalPlaces);
  return offByAccount.length === 0 ? all : `${all}, of which ${each}`;
}

/** Of what a side's stated balance has beyond its opening balance and lines: `Lines missing from the bank’s file, or too many`. */
export function missingTitle(named: Named, side: LedgerSide): string {
  const where = !named.isNeutral && side === 'bank' ? 'the bank’s file' : sideName(named, side);
  return `Lines missing from ${where}, or too many`;
}

/** With the verb that goes with it: `the books have`, `side A has`. */
export function sideHas(input: Named, side: LedgerSide): string {
  return `${sideName(input, side)} ${!input.isNeutral && side === 'books' ? 'have' : 'has'}`;
}

/** As a sentence begins: `The books have`. */
export function begun(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What people know a line by: its reference, else its description, cut where it is long; null when it has neither. */
export function labelOf({ reference, description }: Pick<LedgerRecord, 'reference' | 'description'>): string | null {
  const text = (reference ?? '').trim() || (description ?? '').trim();
  if (text === '') return null;
  return text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL - 1)}…`;
}

export function counted(count: number, one: string, several: string): string {
  return `${grouped(String(count))} ${count === 1 ? one : several}`;
}

/** `, of which 60 proposed` behind a number of open items; nothing where none is. */
export function ofWhich(proposed: number): string {
  return proposed === 0 ? '' : `, of which ${grouped(String(proposed))} proposed`;
}
