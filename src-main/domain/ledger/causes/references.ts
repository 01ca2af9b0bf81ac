import type { LedgerRecord } from '../model/input.ts';

const PIECES = /[\p{L}\p{N}]+(?:[-/._#][\p{L}\p{N}]+)*/gu;
const DIGIT = /\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const LEAST = 4;
const LONGEST_WHOLE = 30;
const MOST_KEYS = 6;
const MOST_CHARACTERS = 300;

function compact(text: string): string {
  return text.toUpperCase().replaceAll(SEPARATORS, '');
}

function isKey(key: string): boolean {
  return key.length >= LEAST && DIGIT.test(key) && !YEAR.test(key);
}

/**
 * What a line is known by on both sides, without separators and in capitals: its reference as a whole (`DDRENT`), a description of one word, and the codes with a
 * digit in either (`INV2214`). No years, nothing shorter than four characters.
 */
export function referenceKeys({ reference, description }: Pick<LedgerRecord, 'reference' | 'description'>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const [text, isReference] of [
    [reference ?? '', true],
    [description ?? '', false],
  ] as const) {
    const whole = text.trim();
    if (whole === '') continue;
    const key = whole.length <= LONGEST_WHOLE ? compact(whole) : '';
    if (isKey(key) || (key.length >= LEAST && (isReference || !/\s/.test(whole)))) keys.add(key);
    for (const [piece] of whole.slice(0, MOST_CHARACTERS).matchAll(PIECES)) {
      if (keys.size >= MOST_KEYS) break;
      const code = compact(piece);
      if (isKey(code)) keys.add(code);
    }
  }
  return keys;
}
