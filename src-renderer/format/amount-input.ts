/** An amount as a person types it, `1234.5` or `1234,5`, in minor units by text arithmetic; null when it is none that can be kept exactly. */
export function minorOfText(text: string, decimalPlaces: number): number | null {
  const found = /^(\d{1,16})(?:[.,](\d*))?$/.exec(text.trim());
  const fraction = found?.[2] ?? '';
  if (found === null || fraction.length > decimalPlaces) return null;
  const minor = Number(`${found[1]}${fraction.padEnd(decimalPlaces, '0')}`);
  return Number.isSafeInteger(minor) ? minor : null;
}

/** A balance as a person types or pastes it: with a sign, with groups of digits, as `-1,234.50` or `(1.234,50)`. */
export function signedMinorOfText(text: string, decimalPlaces: number): number | null {
  const bare = text.trim().replaceAll(/[\s\u00A0\u202F'’]/g, '');
  const isBracketed = bare.startsWith('(') && bare.endsWith(')');
  const isNegative = isBracketed || /^[-\u2212]/.test(bare);
  const digits = bare.replace(/^[-\u2212+(]/, '').replace(/\)$/, '');
  // The last mark is the decimal one, unless it parts three digits and stands there more than once or beside another one.
  const mark = /[.,](?=\d*$)/.exec(digits)?.[0];
  const isGrouped =
    mark !== undefined && /^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(digits) && (decimalPlaces < 3 || digits.split(mark).length > 2);
  const plain =
    isGrouped || mark === undefined
      ? digits.replaceAll(/[.,]/g, '')
      : `${digits.slice(0, digits.lastIndexOf(mark)).replaceAll(/[.,]/g, '')}.${digits.slice(digits.lastIndexOf(mark) + 1)}`;
  const minor = minorOfText(plain, decimalPlaces);
  return minor === null ? null : isNegative && minor !== 0 ? -minor : minor;
}
