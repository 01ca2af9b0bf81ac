/**
 * Returns the minor units of an amount that a person types, `1234.5` or `1234,5`. Returns null for text that is no amount or that has more decimal
 * places than `decimalPlaces`. It works on the text, so no float rounds it.
 */
export function minorOfText(text: string, decimalPlaces: number): number | null {
  const found = /^(\d{1,16})(?:[.,](\d*))?$/.exec(text.trim());
  const fraction = found?.[2] ?? '';
  if (found === null || fraction.length > decimalPlaces) return null;
  const minor = Number(`${found[1]}${fraction.padEnd(decimalPlaces, '0')}`);
  return Number.isSafeInteger(minor) ? minor : null;
}

/**
 * Returns the minor units of a balance that a person types or pastes, with a sign and digit groups: `-1,234.50` or `(1.234,50)`. Null for other text.
 */
export function signedMinorOfText(text: string, decimalPlaces: number): number | null {
  const bare = text.trim().replaceAll(/[\s\u00A0\u202F'’]/g, '');
  const isBracketed = bare.startsWith('(') && bare.endsWith(')');
  const isNegative = isBracketed || /^[-\u2212]/.test(bare);
  const digits = bare.replace(/^[-\u2212+(]/, '').replace(/\)$/, '');
  // The last mark is the decimal one. With groups of three digits between equal marks all of them separate groups, unless the currency has three decimal places or more
  // and the last mark occurs once.
  const mark = /[.,](?=\d*$)/.exec(digits)?.[0];
  const isGrouped =
    mark !== undefined && /^[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)$/.test(digits) && (decimalPlaces < 3 || digits.split(mark).length > 2);
  const plain =
    isGrouped || mark === undefined
      ? digits.replaceAll(/[.,]/g, '')
      : `${digits.slice(0, digits.lastIndexOf(mark)).replaceAll(/[.,]/g, '')}.${digits.slice(digits.lastIndexOf(mark) + 1)}`;
  const minor = minorOfText(plain, decimalPlaces);
  return minor === null ? null : isNegative && minor !== 0 ? -minor : minor;
}
