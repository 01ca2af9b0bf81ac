import { notation } from './notation.ts';

/** Returns the minor units of digits with at most one decimal mark. It works on the text, so no float rounds it. */
function minorOfDigits(text: string, decimalPlaces: number): number | null {
  const found = /^(\d{1,16})(?:\.(\d*))?$/.exec(text);
  const fraction = found?.[2] ?? '';
  if (found === null || fraction.length > decimalPlaces) return null;
  const minor = Number(`${found[1]}${fraction.padEnd(decimalPlaces, '0')}`);
  return Number.isSafeInteger(minor) ? minor : null;
}

/** Digits in groups: thousands, or the Indian lakh and crore. */
const GROUPED = /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$|^[1-9]\d?(?:(?:,\d{2})+,|(?:\.\d{2})+\.)\d{3}$/;

/** Returns the digits before and behind the decimal mark, without groups; null in front where marks stand between digits that are no groups. */
function partsOf(digits: string): readonly [whole: string | null, fraction: string | null] {
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits.charAt(at);
  if (at < 0) return [digits, null];
  if (GROUPED.test(digits) && (mark !== notation().decimal || digits.split(mark).length > 2)) return [digits.replaceAll(mark, ''), null];
  const whole = digits.slice(0, at);
  const isPlain = !/[.,]/.test(whole) || (GROUPED.test(whole) && !whole.includes(mark));
  return [isPlain ? whole.replaceAll(/[.,]/g, '') : null, digits.slice(at + 1)];
}

/** Returns the decimal text, `1234.50`, of digits without a sign that a person types, with a mark or groups as the book has them; null for other text. */
export function decimalOfText(text: string): string | null {
  const [whole, fraction] = partsOf(text.trim().replaceAll(/[\s\u00A0\u202F'’]/g, ''));
  const plain = fraction === null ? whole : `${whole ?? ''}.${fraction}`;
  return plain !== null && /^\d+(?:\.\d+)?$/.test(plain) ? plain : null;
}

/**
 * Returns the minor units of an amount that a person types or pastes, with a sign and digit groups: `-1,234.50` or `(1.234,50)`. Null for text that is
 * no amount or that has more decimal places than `decimalPlaces`. A mark that could be either, as in `1,234`, is what the notation of the book says.
 */
export function signedMinorOfText(text: string, decimalPlaces: number): number | null {
  const bare = text.trim().replaceAll(/[\s\u00A0\u202F'’]/g, '');
  const isBracketed = bare.startsWith('(') && bare.endsWith(')');
  const isNegative = isBracketed || /^[-\u2212]/.test(bare);
  const digits = bare.replace(/^[-\u2212+(]/, '').replace(/\)$/, '');
  const [whole, fraction] = partsOf(digits);
  if (whole === null) return null;
  const plain = fraction === null ? whole : `${whole}.${fraction}`;
  const minor = minorOfDigits(plain, decimalPlaces);
  return minor === null ? null : isNegative && minor !== 0 ? -minor : minor;
}

/** Returns the minor units of an amount without a sign that a person types. Null for other text. */
export function minorOfText(text: string, decimalPlaces: number): number | null {
  return /^\s*[-\u2212+(]/.test(text) ? null : signedMinorOfText(text, decimalPlaces);
}
