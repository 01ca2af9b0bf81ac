import { CURRENCY_PLACES } from '../../../../src-shared/values/money.ts';

/** Codes that files still use although ISO 4217 does not list them, or no longer does. */
const FORMER_AND_UNOFFICIAL = ['CNH', 'EEK', 'HRK', 'LTL', 'LVL', 'RUR', 'SKK', 'ZWL'];
const CODES: ReadonlySet<string> = new Set([...CURRENCY_PLACES.keys(), ...FORMER_AND_UNOFFICIAL]);

/** Codes that are also ordinary words of headers and texts. */
const ALSO_WORDS = new Set([
  'ALL',
  'TOP',
  'TRY',
  'CUP',
  'GEL',
  'MOP',
  'PEN',
  'SOS',
  'SLE',
  'BAM',
  'LAK',
  'BOB',
  'COP',
  'MAD',
  'RON',
  'ANG',
  'CHE',
  'COU',
]);

/** Placeholder for yen or yuan, which share one sign, until the file shows which of them it is. */
export const YEN_SIGN = '¥';
const YEN_OR_YUAN: readonly string[] = ['JPY', 'CNY'];

/** Currencies that each sign may mean, the usual one first. */
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    '$',
    ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'CLP', 'COP', 'ARS', 'TWD', 'BBD', 'BSD', 'JMD', 'TTD', 'UYU', 'FJD', 'NAD', 'XCD'],
  ],
  ['us$', ['USD']],
  ['ca$', ['CAD']],
  ['c$', ['CAD']],
  ['a$', ['AUD']],
  ['au$', ['AUD']],
  ['nz$', ['NZD']],
  ['s$', ['SGD']],
  ['hk$', ['HKD']],
  ['mx$', ['MXN']],
  ['nt$', ['TWD']],
  ['r$', ['BRL']],
  ['£', ['GBP', 'EGP', 'GIP', 'FKP', 'SHP']],
  ['€', ['EUR']],
  ['euro', ['EUR']],
  ['euros', ['EUR']],
  ['¥', YEN_OR_YUAN],
  ['￥', YEN_OR_YUAN],
  ['元', ['CNY']],
  ['人民币', ['CNY']],
  ['人民幣', ['CNY']],
  ['美元', ['USD']],
  ['港币', ['HKD']],
  ['港幣', ['HKD']],
  ['欧元', ['EUR']],
  ['円', ['JPY']],
  ['원', ['KRW']],
  ['₹', ['INR']],
  ['rs', ['INR', 'PKR', 'LKR', 'NPR', 'MUR']],
  ['rp', ['IDR']],
  ['rm', ['MYR']],
  ['₽', ['RUB']],
  ['руб', ['RUB']],
  ['р', ['RUB']],
  ['₸', ['KZT']],
  ['₾', ['GEL']],
  ['₼', ['AZN']],
  ['₲', ['PYG']],
  ['₵', ['GHS']],
  ['₡', ['CRC']],
  ['rd$', ['DOP']],
  ['ksh', ['KES']],
  ['kn', ['HRK']],
  ['₺', ['TRY']],
  ['tl', ['TRY']],
  ['₴', ['UAH']],
  ['грн', ['UAH']],
  ['₪', ['ILS']],
  ['₩', ['KRW']],
  ['₫', ['VND']],
  ['฿', ['THB']],
  ['₱', ['PHP']],
  ['₦', ['NGN']],
  ['zł', ['PLN']],
  ['zl', ['PLN']],
  ['kč', ['CZK']],
  ['kc', ['CZK']],
  ['ft', ['HUF']],
  ['лв', ['BGN']],
  ['lei', ['RON']],
  ['kr', ['SEK', 'NOK', 'DKK', 'ISK']],
  ['fr', ['CHF']],
  ['sfr', ['CHF']],
  ['r', ['ZAR']],
  ['د.ا', ['JOD']],
  ['د.إ', ['AED']],
  ['د.ك', ['KWD']],
  ['د.ب', ['BHD']],
  ['د.ت', ['TND']],
  ['د.م', ['MAD']],
  ['د.ج', ['DZD']],
  ['ر.س', ['SAR']],
  ['ر.ع', ['OMR']],
  ['ر.ق', ['QAR']],
  ['ج.م', ['EGP']],
  ['ل.ل', ['LBP']],
  ['ع.د', ['IQD']],
]);
const SEVERAL_AND_NONE_USUAL = new Set(['kr', 'rs', 'r', 'fr']);

/** Returns the code in upper case; null for a text that is no code. */
export function currencyCode(text: string): string | null {
  if (text.length !== 3) return null;
  if (CODES.has(text)) return text;
  const code = text.toUpperCase();
  return CODES.has(code) ? code : null;
}

/** Returns the currencies that a sign or code beside an amount may mean; empty where it is neither. */
export function currenciesOf(sign: string): readonly string[] {
  const code = currencyCode(sign) ?? (/^[A-Z]{3}\p{Sc}$/u.test(sign) ? currencyCode(sign.slice(0, 3)) : null);
  if (code !== null) return [code];
  return SIGNS.get(sign.toLowerCase().replace(/\.$/, '')) ?? [];
}

/** Whether a cell of a currency column names a currency: by a sign, or by any three letters. */
export function isCurrencyCell(cell: string): boolean {
  return /^[A-Za-z]{3}$/.test(cell) || currenciesOf(cell).length > 0;
}

/**
 * Returns the currency that a sign means: the wished one where possible, else the usual one. `YEN_SIGN` where only the file can decide, null where
 * none is usual.
 */
export function settleSign(sign: string, wished: string | null): string | null {
  const possible = currenciesOf(sign);
  if (wished !== null && possible.includes(wished)) return wished;
  if (possible === YEN_OR_YUAN) return YEN_SIGN;
  return SEVERAL_AND_NONE_USUAL.has(sign.toLowerCase().replace(/\.$/, '')) ? null : (possible[0] ?? null);
}

/** Returns the code or sign of a currency in a header such as `Withdrawals (SGD)`, `Amount CZK` or `Price ($)`; else null. */
export function signInHeader(header: string): string | null {
  const bracketed = /[([（]\s*([^\s()[\]（）]{1,4})\s*[)\]）]/u.exec(header)?.[1];
  const mayBeWord = /^[a-z]{1,2}$/i.test(bracketed ?? '') && !/^(?:tl|ft|rp|rm)$/i.test(bracketed ?? '');
  if (bracketed !== undefined && currenciesOf(bracketed).length > 0 && !mayBeWord) return bracketed;
  const edge =
    /(?:^|[\s_-])([A-Z]{3})$/.exec(header.trim())?.[1] ??
    /_([a-z]{3})$/.exec(header)?.[1]?.toUpperCase() ??
    /^([A-Z]{3})[\s_-]/.exec(header.trim())?.[1];
  if (edge !== undefined && edge !== header.trim() && CODES.has(edge) && !ALSO_WORDS.has(edge)) return edge;
  if (/(?<!\p{L})euro[sa]?(?!\p{L})/iu.test(header)) return '€';
  const signed = /(?<!\p{L})\p{L}{1,3}\$/u.exec(header)?.[0];
  return signed !== undefined && currenciesOf(signed).length > 0 ? signed : (/[$€£¥]/.exec(header)?.[0] ?? null);
}

/** Returns the only currency that the lines above the table name (`Currency: GBP`, a cell `: EUR`, `支出：28.16元`), else null. */
export function currencyOfPreamble(cells: readonly string[]): string | null {
  const found = new Set<string>();
  for (const cell of cells) {
    const bare = cell.replaceAll(/[^\p{L}\p{N}\s]/gu, ' ').trim();
    const named = /(?:currency|ccy|w[aä]e?hrung|devise|divisa|moneda|moeda|valuta|waluta|munt|m[eě]na|devizanem)\W{1,4}([A-Z]{3})\b/iu.exec(
      cell,
    )?.[1];
    const bracketed = currencyCode(/[([]([A-Z]{3})[)\]]/.exec(cell)?.[1] ?? '');
    if (bracketed !== null && !ALSO_WORDS.has(bracketed)) found.add(bracketed);
    const beside = /\d\s?(元|円|원)/.exec(cell)?.[1] ?? /人民[币幣]/.exec(cell)?.[0];
    if (beside !== undefined) for (const one of currenciesOf(beside)) found.add(one);
    const code = currencyCode(named ?? '') ?? (/^[A-Z]{3}$/.test(bare) && !ALSO_WORDS.has(bare) ? currencyCode(bare) : null);
    if (code !== null) found.add(code);
  }
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : null;
}
