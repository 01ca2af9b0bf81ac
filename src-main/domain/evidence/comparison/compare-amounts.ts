import { AMOUNT, BANDS } from './levels.ts';

/** Returns the level of agreement of two amounts of one class, given in the same units. */
export function amountLevel(a: number, b: number): number {
  if (a === b) return AMOUNT.equal;
  const difference = Math.abs(a - b);
  if (isSwapped(a, b)) return AMOUNT.swapped;
  const share = difference / Math.max(a, b);
  for (let band = 1; band < BANDS.length; band += 1) if (share <= (BANDS[band] ?? 0)) return band;
  return AMOUNT.far;
}

/** Returns whether swapping two adjacent digits turns one number into the other. */
export function isSwapped(a: number, b: number): boolean {
  let difference = Math.abs(a - b);
  // A swap of adjacent digits changes a number by 9, 18, .. 81 times a power of ten.
  if (difference % 9 !== 0 || difference === 0) return false;
  let place = 1;
  for (; difference % 10 === 0; difference /= 10) place *= 10;
  for (let power = place; power >= 1 && power * 10 >= place; power /= 10) {
    if (swappedAt(a, power) === b) return true;
  }
  return false;
}

function swappedAt(value: number, place: number): number {
  const low = Math.floor(value / place) % 10;
  const high = Math.floor(value / (place * 10)) % 10;
  return value + (low - high) * place * 10 + (high - low) * place;
}
