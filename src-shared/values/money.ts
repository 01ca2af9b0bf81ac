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

/**
 * The active currencies of ISO 4217 by the decimal places of their minor unit. A test compares them with the package `currency-codes`. Metals and
 * test codes have no minor unit, so they are not money.
 */
const CODES_BY_PLACES: ReadonlyMap<number, string> = new Map([
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU ' +
      'CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS ' +
      'KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN ' +
      'PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH ' +
      'USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]);

/** Decimal places by currency code. */
export const CURRENCY_PLACES: ReadonlyMap<string, number> = new Map(
  [...CODES_BY_PLACES].flatMap(([places, codes]) => codes.split(' ').map((code) => [code, places] as const)),
);
