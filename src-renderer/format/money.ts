import { type Direction, decimalText, signedMinor } from '../../src-shared/values/money.ts';
import { currencyText, grouped, notation } from '../../src-shared/values/notation.ts';

/** An amount as in the contract: a magnitude in minor units and a direction. */
interface AmountParts {
  readonly amount: number;
  readonly direction: Direction;
  readonly currency: string;
  readonly decimal_places: number;
}

/** A minus is the typographic one. */
export const withMinus = (text: string): string => text.replace('-', '\u2212');

/** Returns signed minor units as people read them, without the currency: `1,234.50`, `−0.05`. */
export function plainAmount(minor: number, decimalPlaces: number): string {
  return withMinus(grouped(decimalText(minor, decimalPlaces)));
}

/** Returns signed minor units as a person types them, without groups: `-1234.50`, or `-1234,50` in a book with a decimal comma. */
export function typedAmount(minor: number, decimalPlaces: number): string {
  return decimalText(minor, decimalPlaces).replace('.', notation().decimal);
}

/** Returns signed minor units with the currency's sign or code: `£1,234.50`, `−€0.05`. */
export function moneyText(minor: number, currency: string, decimalPlaces: number): string {
  return withMinus(currencyText(decimalText(minor, decimalPlaces), currency));
}

/** Returns signed minor units: credits positive, debits negative. */
export function signedOf(parts: AmountParts): number {
  return signedMinor(parts.amount, parts.direction);
}

/** Returns the amount of a line in a list, with its currency when the list has several. */
export function listedAmount(parts: AmountParts, isMixed: boolean): string {
  const signed = signedOf(parts);
  return isMixed ? moneyText(signed, parts.currency, parts.decimal_places) : plainAmount(signed, parts.decimal_places);
}

export interface CurrencySum {
  readonly currency: string;
  readonly decimal_places: number;
  /** Credits minus debits in minor units. */
  readonly net: number;
}

/** Returns minor units at the scale `to`; unchanged when that is coarser. */
export function rescaled(minor: number, from: number, to: number): number {
  return minor * 10 ** Math.max(0, to - from);
}

/** Returns one sum per currency at the finest scale of its lines, sorted by currency code. */
export function sumsOf(lines: Iterable<AmountParts>): CurrencySum[] {
  const sums = new Map<string, { net: number; decimal_places: number }>();
  for (const line of lines) {
    const sum = sums.get(line.currency) ?? { net: 0, decimal_places: line.decimal_places };
    const scale = Math.max(sum.decimal_places, line.decimal_places);
    const net = rescaled(sum.net, sum.decimal_places, scale) + rescaled(signedOf(line), line.decimal_places, scale);
    sums.set(line.currency, { net, decimal_places: scale });
  }
  return [...sums].map(([currency, sum]) => ({ currency, ...sum })).toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}

/** The comparison of the two sides' signs. `opposite` negates side B; `any` compares magnitudes. */
export type SignConvention = 'any' | 'same' | 'opposite';

/** Returns side A minus side B under the convention. Both are minor units at the same scale. */
export function netDifference(netA: number, netB: number, convention: SignConvention): number {
  if (convention === 'any') return Math.abs(netA) - Math.abs(netB);
  return convention === 'opposite' ? netA + netB : netA - netB;
}

/** Returns one difference per currency of either side, in the order of first occurrence. */
export function differencesOf(sideA: readonly CurrencySum[], sideB: readonly CurrencySum[], convention: SignConvention): CurrencySum[] {
  const currencies = [...new Set([...sideA, ...sideB].map((sum) => sum.currency))];
  return currencies.map((currency) => {
    const ofA = sideA.find((sum) => sum.currency === currency);
    const ofB = sideB.find((sum) => sum.currency === currency);
    const scale = Math.max(ofA?.decimal_places ?? 0, ofB?.decimal_places ?? 0);
    const netA = ofA === undefined ? 0 : rescaled(ofA.net, ofA.decimal_places, scale);
    const netB = ofB === undefined ? 0 : rescaled(ofB.net, ofB.decimal_places, scale);
    return { currency, decimal_places: scale, net: netDifference(netA, netB, convention) };
  });
}
