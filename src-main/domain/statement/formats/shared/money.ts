import { decimalPlacesOf } from '../../../../../src-shared/values/money.ts';
import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { type AmountFault, minorOf } from '../../cells/amounts.ts';
import { quoted, rejection } from '../../model/problems.ts';

const FAULTS: Readonly<Record<AmountFault, string>> = {
  unreadable_amount: 'is no amount. Correct it in the file.',
  too_many_decimals: 'has more decimals than its currency. Check the currency.',
  amount_out_of_range: 'is larger than an amount can be. Check whether another column slipped in.',
};

/** Reads an amount with a decimal mark (`1500,00`) as minor units, never negative; null with a rejection where it is not one. */
export function writtenAmount(
  text: string,
  mark: '.' | ',',
  currency: string,
  place: { readonly row: number; readonly field: string },
): { readonly minor: number | null; readonly problems: readonly Problem[] } {
  return judged(minorOf(text, mark, decimalPlacesOf(currency)), text, place);
}

/** Reads an amount written as digits of minor units (`0000027000`). */
export function amountInMinor(
  text: string,
  place: { readonly row: number; readonly field: string },
): { readonly minor: number | null; readonly problems: readonly Problem[] } {
  return judged(/^\d+$/.test(text) ? minorOf(text, '.', 0) : 'unreadable_amount', text, place);
}

/** Returns the rejection of a text that could be several amounts. */
export function unclearAmount(text: string, place: { readonly row: number; readonly field: string }): ReturnType<typeof judged> {
  return judged('unreadable_amount', text, place);
}

function judged(
  value: number | AmountFault,
  text: string,
  { row, field }: { readonly row: number; readonly field: string },
): { readonly minor: number | null; readonly problems: readonly Problem[] } {
  if (typeof value === 'number') return { minor: value, problems: [] };
  const message = `The amount ${quoted(text)} in row ${row} ${FAULTS[value]}`;
  return { minor: null, problems: [rejection(row, field, value, message)] };
}
