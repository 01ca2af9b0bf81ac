import { itemAt } from '../collections/typed-arrays.ts';
import { CAUSE_LIMITS } from './cause.ts';
import type { LedgerInput, LedgerRecord, LedgerSide } from './input.ts';
import type { OpenItem } from './statement.ts';

const PIECES = /[\p{L}\p{N}]+(?:[-/._#][\p{L}\p{N}]+)*/gu;
const DIGIT = /\p{N}/u;
const YEAR = /^(?:19|20)\d\d$/;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const CODE = /^(\p{L}+)(\d{4,})$/u;
const DIGITS = /^\d+$/;
const LEAST = 4;
/** A number of one digit after letters, such as `AB-9`. As a separate piece it names a document. */
const SHORT = /^\p{L}{2,}[-/._#]\p{N}$/u;
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
 * Returns the keys of a line, by which both sides are compared, without separators and in upper case: its whole reference (`DDRENT`), a description
 * of one word, and codes with a digit in either (`INV2214`). Years are left out, and so is anything shorter than four characters except `AB-9`.
 */
function referenceKeys({ reference, description }: Pick<LedgerRecord, 'reference' | 'description'>): ReadonlySet<string> {
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
      if (isKey(code) || SHORT.test(piece)) keys.add(code);
      for (const part of piece.split('/')) {
        const named = inFull(compact(part), before);
        if (isKey(named) && keys.size < MOST_KEYS) keys.add(named);
        before = named;
      }
    }
  }
  return keys;
}

/** Returns a number that follows a code in a list in its full form: `300420` and `20` after `RG300419` are both `RG300420`. */
function inFull(part: string, before: string): string {
  const [, letters = '', digits = ''] = CODE.exec(before) ?? [];
  if (letters === '' || !DIGITS.test(part) || part.length > digits.length || part.length < 2) return part;
  return `${letters}${digits.slice(0, digits.length - part.length)}${part}`;
}

/** Lines ordered by day. */
type ByDay = readonly LedgerRecord[];

const NONE: ByDay = [];

function collect<K>(map: Map<K, LedgerRecord[]>, key: K, line: LedgerRecord): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [line]);
  else known.push(line);
}

function firstFrom(lines: ByDay, day: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(lines, middle).day < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the lines nearest to a day, at most `days` from it and at most `most`, the nearest first. */
export function nearest(lines: ByDay, day: number, days: number, most: number): LedgerRecord[] {
  const found: LedgerRecord[] = [];
  if (lines.length === 0) return found;
  let after = firstFrom(lines, day);
  let before = after - 1;
  while (found.length < most) {
    const [left, right] = [lines[before], lines[after]];
    const isLeft = left !== undefined && (right === undefined || day - left.day < right.day - day);
    const next = isLeft ? left : right;
    if (next === undefined || Math.abs(next.day - day) > days) break;
    found.push(next);
    if (isLeft) before -= 1;
    else after += 1;
  }
  return found;
}

/** Lines of one side, indexed for the finders. */
class SideLines {
  readonly #byAmount = new Map<number, LedgerRecord[]>();
  readonly #byKey = new Map<string, LedgerRecord[]>();
  readonly receipts: LedgerRecord[] = [];
  readonly payments: LedgerRecord[] = [];

  /** Adds a line; lines must be added in the order of their days. */
  add(line: LedgerRecord, keys: ReadonlySet<string>): void {
    collect(this.#byAmount, line.amount, line);
    for (const key of keys) collect(this.#byKey, key, line);
    (line.amount < 0 ? this.payments : this.receipts).push(line);
  }

  ofAmount(amount: number): ByDay {
    return this.#byAmount.get(amount) ?? NONE;
  }

  ofKey(key: string): ByDay {
    return this.#byKey.get(key) ?? NONE;
  }
}

const sides = (): Record<LedgerSide, SideLines> => ({ bank: new SideLines(), books: new SideLines() });

/** Data that the finders share. */
export interface Ground {
  readonly input: LedgerInput;
  readonly items: readonly OpenItem[];
  /** Open items that are examined. */
  readonly open: Readonly<Record<LedgerSide, SideLines>>;
  /** Lines dated after the last day that are in no match. */
  readonly later: Readonly<Record<LedgerSide, SideLines>>;
  /** All lines up to the last day with the amount of an open item, by side and amount. */
  readonly sameAmount: Readonly<Record<LedgerSide, ReadonlyMap<number, ByDay>>>;
  /** Keys of open items and later lines, by id. */
  readonly keys: ReadonlyMap<number, ReadonlySet<string>>;
}

const NO_KEYS: ReadonlySet<string> = new Set();

export function keysOf({ keys }: Ground, { id }: LedgerRecord): ReadonlySet<string> {
  return keys.get(id) ?? NO_KEYS;
}

export function sharesKey(ground: Ground, left: LedgerRecord, right: LedgerRecord): boolean {
  const others = keysOf(ground, right);
  for (const key of keysOf(ground, left)) if (others.has(key)) return true;
  return false;
}

/** Orders lines by day, then by id. */
export function byDay(left: LedgerRecord, right: LedgerRecord): number {
  return left.day - right.day || left.id - right.id;
}

/** Indexes the lines once, so that no finder has to scan them. `items` holds those to examine, by day. */
export function groundOf(input: LedgerInput, items: readonly OpenItem[]): Ground {
  const keys = new Map<number, ReadonlySet<string>>();
  const open = sides();
  const sameAmount = { bank: new Map<number, LedgerRecord[]>(), books: new Map<number, LedgerRecord[]>() };
  for (const { record } of items) {
    keys.set(record.id, referenceKeys(record));
    open[record.side].add(record, keysOfId(keys, record.id));
    sameAmount[record.side].set(record.amount, []);
  }
  const held = new Set<number>();
  for (const { status, recordIds } of input.matches) if (status === 'confirmed') for (const id of recordIds) held.add(id);
  const afterwards: LedgerRecord[] = [];
  for (const record of input.records) {
    if (record.isAdjustment) continue;
    if (record.day <= input.period.to) sameAmount[record.side].get(record.amount)?.push(record);
    else if (record.day <= input.period.to + CAUSE_LIMITS.cutOffDays && !held.has(record.id)) afterwards.push(record);
  }
  for (const side of [sameAmount.bank, sameAmount.books]) for (const [amount, lines] of side) side.set(amount, lines.toSorted(byDay));
  const later = sides();
  for (const record of afterwards.toSorted(byDay)) {
    keys.set(record.id, referenceKeys(record));
    later[record.side].add(record, keysOfId(keys, record.id));
  }
  return { input, items, open, later, sameAmount, keys };
}

function keysOfId(keys: ReadonlyMap<number, ReadonlySet<string>>, id: number): ReadonlySet<string> {
  return keys.get(id) ?? NO_KEYS;
}
