/** A share of a count with its 95 % Wilson score interval; each rounded exactly to four decimals, halves up. */
export interface Share {
  readonly count: number;
  readonly of: number;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const TEN_THOUSANDTHS = 10_000n;
/** Scale of the fixed-point arithmetic, with many more digits than are kept. */
const ONE = 10n ** 40n;
/**
 * The square of the 97.5 % quantile of the normal distribution, 1.959963984540054235..., between whose negative and positive value 95 % of it lie.
 */
const Z_SQUARED = 3_841_458_820_694_125_958_361n * 10n ** 19n;

/** Returns the greatest integer whose square is at most `value`. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** Returns `numerator/denominator` as a decimal with four fraction digits. */
function rounded(numerator: bigint, denominator: bigint): number {
  return Number((2n * TEN_THOUSANDTHS * numerator + denominator) / (2n * denominator)) / Number(TEN_THOUSANDTHS);
}

/** Returns the share of `count` in `of`, or null if `of` is 0. Both are integers, and `count` is at most `of`. */
export function shareOf(count: number, of: number): Share | null {
  if (of === 0) return null;
  const [k, n] = [BigInt(count), BigInt(of)];
  // (2k + z² ± z √(z² + 4k(n-k)/n)) / (2 (n + z²)), with every term multiplied by ONE.
  const middle = 2n * k * ONE + Z_SQUARED;
  const reach = squareRoot(Z_SQUARED * (Z_SQUARED + (4n * k * (n - k) * ONE) / n));
  const whole = 2n * (n * ONE + Z_SQUARED);
  return { count, of, value: rounded(k, n), low: rounded(middle - reach, whole), high: rounded(middle + reach, whole) };
}
