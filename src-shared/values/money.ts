import { CURRENCY_PLACES } from './iso-4217.ts';

/**
 * Money is a safe integer of minor units with a currency and a scale; no float touches it.
 */
export type Direction = 'credit' | 'debit';

/** Largest magnitude of an amount in minor units. */
export const MAX_AMOUNT_MINOR = Number.MAX_SAFE_INTEGER;
export const DEFAULT_CURRENCY = 'USD';
/** What ISO 4217 calls no currency: that of a file while nobody has said which it is. Nothing is stored in it. */
export const NO_CURRENCY = 'XXX';

/** The currency; null for none. */
export function namedCurrency(currency: string): string | null {
  return currency === NO_CURRENCY ? null : currency;
}

/** Decimal places of a currency by ISO 4217; 2 for a code the list does not name. */
export function decimalPlacesOf(currency: string): number {
  return CURRENCY_PLACES.get(currency.toUpperCase()) ?? 2;
}

/** Credits count up, debits count down. Minor units. */
export function signedMinor(amountMinor: number, direction: Direction): number {
  return direction === 'credit' ? amountMinor : -amountMinor;
}

/** Plain decimal text, `-1234.50` for -123450 at scale 2. For people, use the renderer's formats. */
export function decimalText(amountMinor: number, decimalPlaces: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(decimalPlaces + 1, '0');
  const whole = digits.slice(0, digits.length - decimalPlaces);
  const fraction = decimalPlaces === 0 ? '' : `.${digits.slice(digits.length - decimalPlaces)}`;
  return `${amountMinor < 0 ? '-' : ''}${whole}${fraction}`;
}
