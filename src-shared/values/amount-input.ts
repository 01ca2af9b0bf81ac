import { notation } from './notation.ts';

/** Returns the minor units of digits with at most one decimal mark. It works on the text, so no float rounds it. */
function minorOfDigits(text: string, decimalPlaces: number): number | null {
  const found = /^(\d{1,16})(?:\.(\d*))?$/.exec(text);
  const fraction = found?.[2] ?? '';
  if (found === null || fraction.length > decimalPlaces) return null;
  const minor = Number(`${found[1]}${fraction.padEnd(decimalPlaces, '0')}`);
  return Number.isSafeInteger(minor) ? minor : null;
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
  const mark = /[.,](?=\d*$)/.exec(digits)?.[0];
  const isGrouped =
    mark !== undefined &&
    /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$/.test(digits) &&
    (mark !== notation().decimal || digits.split(mark).length > 2);
  const plain =
    isGrouped || mark === undefined
      ? digits.replaceAll(/[.,]/g, '')
      : `${digits.slice(0, digits.lastIndexOf(mark)).replaceAll(/[.,]/g, '')}.${digits.slice(digits.lastIndexOf(mark) + 1)}`;
  const minor = minorOfDigits(plain, decimalPlaces);
  return minor === null ? null : isNegative && minor !== 0 ? -minor : minor;
}

/** Returns the minor units of an amount without a sign that a person types. Null for other text. */
export function minorOfText(text: string, decimalPlaces: number): number | null {
  return /^\s*[-\u2212+(]/.test(text) ? null : signedMinorOfText(text, decimalPlaces);
}
