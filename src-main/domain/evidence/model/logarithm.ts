/**
 * Logarithms and powers of two by addition, multiplication and division, which give the same bits on every machine. `Math.log` and `Math.exp` do not
 * guarantee that.
 */

const TERMS = 12;
/** Larger exponents are cut: the power is 0, or larger than any weight. */
const MOST_EXPONENT = 1_000;

const view = new DataView(new ArrayBuffer(8));

/** Returns the binary logarithm of a positive number with an error of about 1e-13, or -1,000 for zero and negative numbers. */
export function log2Of(value: number): number {
  if (!(value > 0)) return -MOST_EXPONENT;
  if (value === Infinity) return MOST_EXPONENT;
  if (value < Number.MIN_VALUE * 2 ** 60) return log2Of(value * 2 ** 60) - 60;
  view.setFloat64(0, value);
  const high = view.getUint32(0);
  let exponent = ((high >>> 20) & 0x7ff) - 1_022;
  view.setUint32(0, (high & 0x000f_ffff) | 0x3fe0_0000);
  let mantissa = view.getFloat64(0);
  if (mantissa < Math.SQRT1_2) {
    mantissa *= 2;
    exponent -= 1;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let sum = 0;
  for (let term = TERMS; term >= 0; term -= 1) sum = sum * square + 1 / (2 * term + 1);
  return exponent + (2 * ratio * sum) / Math.LN2;
}

/** Returns two to the power of a number, with a relative error of about 1e-14. */
export function exp2Of(power: number): number {
  if (power >= MOST_EXPONENT) return 2 ** MOST_EXPONENT;
  if (power <= -MOST_EXPONENT) return 0;
  const whole = Math.round(power);
  const rest = (power - whole) * Math.LN2;
  let sum = 1;
  for (let term = 16; term >= 1; term -= 1) sum = 1 + (sum * rest) / term;
  return wholePower(whole) * sum;
}

function wholePower(exponent: number): number {
  view.setUint32(0, (exponent + 1_023) << 20);
  view.setUint32(4, 0);
  return view.getFloat64(0);
}
