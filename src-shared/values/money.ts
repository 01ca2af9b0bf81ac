import { CURRENCY_PLACES } from './iso-4217.ts';

/**
 * Money is a safe integer of minor units with a currency and a scale; no float touches it.
 */
export type Direction = 'credit' | 'debit';

/** The largest magnitude of an amount, in minor units. */
export const MAX_AMOUNT_MINOR = Number.MAX_SAFE_INTEGER;
export const DEFAULT_CURRENCY = 'USD';
/** ISO 4217's code for no currency: that of a file whose currency is still unknown. Nothing is stored in it. */
export const NO_CURRENCY = 'XXX';

/** Returns the currency; null for none. */
export function namedCurrency(currency: string): string | null {
  return currency === NO_CURRENCY ? null : currency;
}

/** Returns the decimal places of a currency by ISO 4217; 2 for an unlisted code. */
export function decimalPlacesOf(currency: string): number {
  return CURRENCY_PLACES.get(currency.toUpperCase()) ?? 2;
}

/** Returns signed minor units: credits are positive, debits negative. */
export function signedMinor(amountMinor: number, direction: Direction): number {
  return direction === 'credit' ? amountMinor : -amountMinor;
}

/** Returns plain decimal text, such as `-1234.50` for -123450 at scale 2. Not for people: they see the renderer's formats. */
export function decimalText(amountMinor: number, decimalPlaces: number): string {
  const digits = String(Math.abs(amountMinor)).padStart(decimalPlaces + 1, '0');
  const whole = digits.slice(0, digits.length - decimalPlaces);
  const fraction = decimalPlaces === 0 ? '' : `.${digits.slice(digits.length - decimalPlaces)}`;
  return `${amountMinor < 0 ? '-' : ''}${whole}${fraction}`;
}
