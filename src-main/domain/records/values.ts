/**
 * What a field of a record can hold for a comparison: a value, nothing (`null`: absent, empty or blank), or something
 * that has no value of the asked kind (`INCOMPARABLE`, e.g. the text `n/a` where a date is needed).
 */
export const INCOMPARABLE = Symbol('incomparable');
export type Cell<T> = T | null | typeof INCOMPARABLE;

/** An exact decimal: `units` / 10 ** `scale`. `units` is a bigint only where it is no safe integer. */
export interface Decimal {
  readonly units: number | bigint;
  readonly scale: number;
}

/** Decimals longer than this are no amounts; the bound keeps the arithmetic small. */
const DECIMAL_LIMITS = { wholeDigits: 24, fractionDigits: 20 } as const;

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The exact decimal that a plain text spells (`14.99`, `-3`, `1e-7`); null for anything else, thousands separators included. */
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

/** The number of an integer where it is safe, else the bigint itself. */
export function narrow(units: bigint): number | bigint {
  const small = Number(units);
  return Number.isSafeInteger(small) ? small : units;
}

/** Units of a decimal at a scale that is at least its own. */
export function unitsAt(decimal: Decimal, scale: number): number | bigint {
  if (scale === decimal.scale) return decimal.units;
  if (typeof decimal.units === 'number') {
    const scaled = decimal.units * 10 ** (scale - decimal.scale);
    if (Number.isSafeInteger(scaled)) return scaled;
  }
  return narrow(BigInt(decimal.units) * 10n ** BigInt(scale - decimal.scale));
}

/** `a - b` at the finer of two scales; null where the result is no safe integer. */
export function differenceAtFinerScale(left: Decimal, right: Decimal): number | null {
  const scale = Math.max(left.scale, right.scale);
  const a = unitsAt(left, scale);
  const b = unitsAt(right, scale);
  const difference = typeof a === 'number' && typeof b === 'number' ? a - b : narrow(BigInt(a) - BigInt(b));
  // Adding zero turns a negative zero into zero.
  return typeof difference === 'number' && Number.isSafeInteger(difference) ? difference + 0 : null;
}

/** Plain text of a decimal with at least `minimumScale` fraction digits. */
export function decimalValueText(decimal: Decimal, minimumScale: number): string {
  const scale = Math.max(decimal.scale, minimumScale);
  const units = BigInt(unitsAt(decimal, scale));
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : `.${digits.slice(digits.length - scale)}`;
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`;
}
