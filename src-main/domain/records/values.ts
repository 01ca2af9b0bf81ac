/**
 * The content of a record's field in a comparison: a value, `null` (absent, empty or blank), or `INCOMPARABLE` for a content without a value of the
 * required kind, such as the text `n/a` where a date is needed.
 */
export const INCOMPARABLE = Symbol('incomparable');
export type Cell<T> = T | null | typeof INCOMPARABLE;

/** An exact decimal: `units` / 10 ** `scale`. `units` is a bigint only if it is no safe integer. */
export interface Decimal {
  readonly units: number | bigint;
  readonly scale: number;
}

/** Longer decimals are not amounts. The limit keeps the arithmetic small. */
const DECIMAL_LIMITS = { wholeDigits: 24, fractionDigits: 20 } as const;

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Returns the exact decimal that a plain text spells (`14.99`, `-3`, `1e-7`), or null for any other text, including one with thousands separators.
 */
export function parseDecimal(text: string): Decimal | null {
  const parts = DECIMAL.exec(text.trim());
  if (parts === null) return null;
  const exponent = Number(parts[4] ?? 0);
  let digits = (parts[2] ?? '') + (parts[3] ?? '');
  let scale = (parts[3] ?? '').length - exponent;
  if (scale < 0) {
    digits += '0'.repeat(-scale);
    scale = 0;
  }
  while (scale > 0 && digits.endsWith('0')) {
    digits = digits.slice(0, -1);
    scale -= 1;
  }
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return { units: 0, scale: 0 };
  if (scale > DECIMAL_LIMITS.fractionDigits || significant.length - scale > DECIMAL_LIMITS.wholeDigits) return null;
  const units = parts[1] === '-' ? -BigInt(significant) : BigInt(significant);
  return { units: narrow(units), scale };
}

/** Returns an integer as a number if it is safe, otherwise the bigint itself. */
export function narrow(units: bigint): number | bigint {
  const small = Number(units);
  return Number.isSafeInteger(small) ? small : units;
}

/** Returns the units of a decimal at a scale that is at least its own. */
export function unitsAt(decimal: Decimal, scale: number): number | bigint {
  if (scale === decimal.scale) return decimal.units;
  if (typeof decimal.units === 'number') {
    const scaled = decimal.units * 10 ** (scale - decimal.scale);
    if (Number.isSafeInteger(scaled)) return scaled;
  }
  return narrow(BigInt(decimal.units) * 10n ** BigInt(scale - decimal.scale));
}

/** Returns `a - b` at the finer of two scales, or null if the result is no safe integer. */
export function differenceAtFinerScale(left: Decimal, right: Decimal): number | null {
  const scale = Math.max(left.scale, right.scale);
  const a = unitsAt(left, scale);
  const b = unitsAt(right, scale);
  const difference = typeof a === 'number' && typeof b === 'number' ? a - b : narrow(BigInt(a) - BigInt(b));
  // Adding zero turns a negative zero into zero.
  return typeof difference === 'number' && Number.isSafeInteger(difference) ? difference + 0 : null;
}

/** Returns the plain text of a decimal with at least `minimumScale` fraction digits. */
export function decimalValueText(decimal: Decimal, minimumScale: number): string {
  const scale = Math.max(decimal.scale, minimumScale);
  const units = BigInt(unitsAt(decimal, scale));
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : `.${digits.slice(digits.length - scale)}`;
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
}
