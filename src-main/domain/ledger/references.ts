import type { LedgerRecord } from './input.ts';

const PIECES = /[\p{L}\p{N}]+(?:[-/._#][\p{L}\p{N}]+)*/gu;
const DIGIT = /\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const CODE = /^(\p{L}+)(\d{4,})$/u;
const DIGITS = /^\d+$/;
const LEAST = 4;
const LONGEST_WHOLE = 30;
const MOST_KEYS = 24;
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
    let before = '';
    for (const [piece] of whole.slice(0, MOST_CHARACTERS).matchAll(PIECES)) {
      if (keys.size >= MOST_KEYS) break;
      const code = compact(piece);
      if (isKey(code)) keys.add(code);
      for (const part of piece.split('/')) {
        const named = inFull(compact(part), before);
        if (isKey(named) && keys.size < MOST_KEYS) keys.add(named);
        before = named;
      }
    }
  }
  return keys;
}

/** A number behind a code in a list, as it is in full: `300420` and `20` behind `RG300419` are both `RG300420`. */
function inFull(part: string, before: string): string {
  const [, letters = '', digits = ''] = CODE.exec(before) ?? [];
  if (letters === '' || !DIGITS.test(part) || part.length > digits.length || part.length < 2) return part;
  return `${letters}${digits.slice(0, digits.length - part.length)}${part}`;
}
