/**
 * Hashes a text into two halves of 32 bits. Similar texts have very different hashes. The result must be the same on every machine and in every
 * version, because some are stored. It does not resist deliberate collisions: callers compare the texts as well.
 */
export function hashText(text: string, into: { low: number; high: number }): void {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  into.low = low >>> 0;
  into.high = high >>> 0;
}

const HALVES = { low: 0, high: 0 };
const LOW_BITS = 2 ** 32;
const HIGH_MASK = 0x1f_ffff;

/** Returns a fingerprint of a text: an integer from 0 to 2^53 - 1. */
export function textPrint(text: string): number {
  hashText(text, HALVES);
  return (HALVES.high & HIGH_MASK) * LOW_BITS + HALVES.low;
}

/** The end of an error sentence, after the name of a member whose text contains half of a character. */
export const HALF_CHARACTER = 'holds half of a character (a lone surrogate), which cannot be kept as it is: send whole characters';

/** Whether all texts and member names of a JSON value consist of whole characters. Halves of different characters would be stored as the same. */
export function isWholeText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWholeText);
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWholeText(member));
}
