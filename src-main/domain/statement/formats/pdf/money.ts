import { currencyCode } from '../../vocabulary/currencies.ts';
import type { PdfRow, PdfWord } from './rows.ts';

/** What stands beside the digits of an amount: a sign, or the word for one side of the account. */
export type MoneyMark = 'plus' | 'minus' | 'credit' | 'debit' | null;

/** An amount in a row. */
export interface PdfMoney {
  readonly text: string;
  /** Units of the last decimal, without a sign. */
  readonly minor: number;
  readonly mark: MoneyMark;
  /** The sign or code of a currency beside the digits. */
  readonly currency: string | null;
  readonly x0: number;
  readonly x1: number;
  /** Where the digits end; marks such as `CR` stand behind. */
  readonly digitsEnd: number;
  /** Words of the row that it consists of. */
  readonly from: number;
  readonly to: number;
  /** Whether a gap as wide as between two columns is before it. */
  readonly isApart: boolean;
}

/** Gaps within an amount that is written with spaces, and before its mark; and the least gap between two columns. Shares of the height of type. */
const DIGIT_GAP = 0.66;
const MARK_GAP = 0.85;
const BEGIN_GAP = 1.2;
export const COLUMN_GAP = 0.72;

const CURRENCY_SIGN = String.raw`(?:[A-Z]{1,3}\p{Sc}|\p{Sc}|[A-Z]{3}|R|Rs\.?|kr\.?|Fr\.?)`;
const BEFORE = new RegExp(String.raw`^[=+\-−–(]{0,3}${CURRENCY_SIGN}?[=+\-−–(]{0,3}$`, 'u');
const BEHIND = /^(?:CR|DR|Cr|Dr|cr|dr|Cr\.|Dr\.|OD|H|S|C|D|SOLL|HABEN|Soll|Haben|[-+−–]|\p{Sc}|kr|EUR|円|元)$/u;
const WHOLE = new RegExp(
  String.raw`^([=+\-−–(]{0,3})(${CURRENCY_SIGN})?([+\-−–(]{0,3})(\d[\d.,'’]{0,30})(\p{Sc}|EUR|kr|円|元)?([)\-+−–]{0,3})(\p{Sc}|EUR)?(CR|DR|Cr|Dr|cr|dr|Cr\.|Dr\.|OD|H|S|C|D|SOLL|HABEN|Soll|Haben)?(\p{Sc})?\)?$`,
  'u',
);
const GROUPED = String.raw`(?:\d+|\d{1,3}(?:[.,'’]\d{2,3}){0,8}[.,'’]\d{3})`;
const DIGITS: Readonly<Record<number, RegExp>> = {
  0: /^(?:\d{1,3}(?:[.,'’]\d{3})+|\d{1,9})$/,
  2: new RegExp(String.raw`^(?:${GROUPED}[.,]\d{2}|[.,]\d{2})$`),
  3: new RegExp(String.raw`^${GROUPED}[.,]\d{3}$`),
};

/** Whether a word may stand before the digits of an amount. */
function isBeginning(text: string): boolean {
  return BEFORE.test(text) && (!/^[A-Z]{3}$/.test(text) || currencyCode(text) !== null);
}

function markOf(signs: string, word: string | undefined): MoneyMark {
  if (word !== undefined && word !== '') return /^(?:CR|H|C|HABEN)\.?$/i.test(word) ? 'credit' : 'debit';
  if (/[-−–(]/.test(signs)) return 'minus';
  return signs.includes('+') ? 'plus' : null;
}

/** Returns the amount that a text is, with so many decimals; null for any other text. */
function moneyOf(text: string, places: number): Pick<PdfMoney, 'minor' | 'mark' | 'currency'> | null {
  const found = WHOLE.exec(text);
  const digits = found?.[4] ?? '';
  if (found === null || DIGITS[places]?.test(digits) !== true) return null;
  const minor = Number(digits.replaceAll(/\D/g, ''));
  if (!Number.isSafeInteger(minor)) return null;
  const currency = found[2] ?? found[5] ?? found[7] ?? found[9] ?? null;
  return { minor, mark: markOf(`${found[1] ?? ''}${found[3] ?? ''}${found[6] ?? ''}`, found[8]), currency };
}

/** Returns the amounts of a row, from left to right. */
export function moneyIn({ words, size }: PdfRow, places: number): PdfMoney[] {
  const found: PdfMoney[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const money = moneyAt(words, at, size, places);
    if (money === null) continue;
    found.push(money);
    at = money.to;
  }
  return found;
}

function gapBefore(words: readonly PdfWord[], at: number): number {
  const [before, word] = [words[at - 1], words[at]];
  return before === undefined || word === undefined ? Number.POSITIVE_INFINITY : word.x0 - before.x1;
}

/** Returns the longest amount that begins with a word. */
function moneyAt(words: readonly PdfWord[], from: number, size: number, places: number): PdfMoney | null {
  let text = '';
  let digitsEnd = 0;
  let best: PdfMoney | null = null;
  for (let to = from; to < Math.min(words.length, from + 7); to += 1) {
    const word = words[to];
    if (word === undefined) break;
    if (to > from) {
      const gap = gapBefore(words, to);
      const isMark = BEHIND.test(word.text) && /\d/.test(text);
      const isBegun = isBeginning(text);
      const isGroup = /(?:^|\D)\d{1,3}(?: \d{3}){0,5}$/.test(text) && /^\d{3}(?!\d)/.test(word.text);
      if (gap > size * (isBegun ? BEGIN_GAP : isMark ? MARK_GAP : DIGIT_GAP) || !(isMark || isBegun || isGroup)) break;
      text += isGroup ? ` ${word.text}` : word.text;
    } else {
      if (!isBeginning(word.text) && !/\d/.test(word.text)) return null;
      text = word.text;
    }
    if (/\d/.test(word.text)) digitsEnd = digitsEndOf(word);
    const read = moneyOf(text.replaceAll(' ', ''), places);
    if (read !== null && isOneNumber(text, places))
      best = {
        ...read,
        text,
        x0: words[from]?.x0 ?? 0,
        x1: word.x1,
        digitsEnd,
        from,
        to,
        isApart: gapBefore(words, from) > size * COLUMN_GAP,
      };
  }
  return best;
}

/** Whether digits with spaces are one number: `12 345,00`, not `12 345`, which may be two. */
function isOneNumber(text: string, places: number): boolean {
  return !/\d \d/.test(text) || places > 0;
}

function digitsEndOf({ text, x0, x1 }: PdfWord): number {
  const behind = /\D{0,12}$/.exec(text)?.[0].length ?? 0;
  return x1 - ((x1 - x0) * behind) / Math.max(1, text.length);
}
