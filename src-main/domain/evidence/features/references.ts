import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { isDigit, isLetter, type TextScanner } from './scan-text.ts';

/** Shorter codes and numbers occur with too many meanings. */
const LEAST_CODE = 4;
const LEAST_DIGITS = 2;
/** Least digits of a number between letters. */
const LEAST_HIDDEN = 6;
/** A four-digit number that may be a year is not a reference. */
const YEAR = /^(19|20)\d\d$/;

/** A number of at least this many digits may be several numbers written without separators. */
export const LONG_NUMBER = 12;

export interface LongNumber {
  readonly row: number;
  /** Index of the field in the side's fields. */
  readonly field: number;
  readonly digits: string;
}

/** Called for each reference in a piece, with its 64-bit key and its origin. */
type ReferenceSink = (high: number, low: number, origin: number) => void;

/** The line's own day and amount, which are compared separately and must not be read as references. */
export interface OwnNumbers {
  readonly day: number;
  /** Unsigned amount in minor units, with its decimal places. */
  readonly amountMinor: number;
  readonly decimalPlaces: number;
}

/** Reads references from the pieces of a scanner. */
export class ReferenceReader {
  readonly #scanner: TextScanner;
  readonly #origins: Origins;
  readonly #sink: ReferenceSink;
  #dayKnown = Number.NaN;
  #dayTexts: ReadonlySet<string> = new Set();

  constructor(scanner: TextScanner, origins: Origins, sink: ReferenceSink) {
    this.#scanner = scanner;
    this.#origins = origins;
    this.#sink = sink;
  }

  /** Reads the current piece, which is a code. `isWhole` says that the piece fills its field. */
  read(field: number, isWhole: boolean, own: OwnNumbers): void {
    const { digits, letters } = this.#scanner;
    if (digits === 0) {
      if (isWhole && letters >= LEAST_CODE) this.#add(field, SHAPE.joined, '*', this.#joined());
      return;
    }
    const full = this.#joined();
    const prefix = prefixOf(full);
    // A field of its own may hold a short reference: R-1.
    if (isWhole && prefix !== '' && full.length < LEAST_CODE) this.#add(field, SHAPE.lettered, prefix, full);
    if (digits < LEAST_DIGITS) return;
    const isMixed = !/^[^0-9]*[0-9]+$/.test(full);
    if (isMixed) {
      if (full.length > LEAST_CODE) this.#add(field, SHAPE.mixed, '*', full);
      // Letters that follow without a space hide a number: 6015618551NO.
      this.#cores(field, '', '', own, LEAST_HIDDEN);
      return;
    }
    if (prefix === '') this.#addNumber(field, SHAPE.digits, '', full, own);
    else if (full.length >= LEAST_CODE) this.#add(field, SHAPE.lettered, prefix, full);
    this.#cores(field, prefix, prefix === '' ? withoutZeros(full) : '', own);
  }

  /** Adds the runs of digits within the piece. */
  #cores(field: number, prefix: string, known: string, own: OwnNumbers, least = 0): void {
    const { characters, from, to } = this.#scanner;
    for (let at = from; at < to; at += 1) {
      if (!isDigit(characters[at] as number)) continue;
      let end = at;
      while (end < to && isDigit(characters[end] as number)) end += 1;
      const core = withoutZeros(this.#scanner.text(at, end));
      if (core !== known && end - at >= least) this.#addNumber(field, SHAPE.core, prefix, core, own);
      at = end;
    }
  }

  #addNumber(field: number, shape: number, prefix: string, text: string, own: OwnNumbers): void {
    const number = withoutZeros(text);
    if (number.length < LEAST_CODE || YEAR.test(number)) return;
    if (number.length <= 8 && this.#textsOfDay(own.day).has(number)) return;
    if (number === String(own.amountMinor) || number === String(Math.trunc(own.amountMinor / 10 ** own.decimalPlaces))) return;
    this.#add(field, shape, prefix, number);
  }

  #add(field: number, shape: number, prefix: string, text: string): void {
    const [high, low] = hashOfReference(text);
    this.#sink(high, low, this.#origins.codeOf(field, shape, prefix));
  }

  /** Returns the piece without separators. */
  #joined(): string {
    const { characters, from, to } = this.#scanner;
    let text = '';
    for (let at = from; at < to; at += 1) {
      const unit = characters[at] as number;
      if (isDigit(unit) || isLetter(unit)) text += String.fromCharCode(unit);
    }
    return text;
  }

  /** Returns the ways to write a day without separators. */
  #textsOfDay(day: number): ReadonlySet<string> {
    if (this.#dayKnown === day) return this.#dayTexts;
    this.#dayKnown = day;
    const [year = '', month = '', date = ''] = isoFromDay(day).split('-');
    const short = year.slice(2);
    const ways = [
      year + month + date,
      date + month + year,
      month + date + year,
      date + month + short,
      short + month + date,
      month + date + short,
    ];
    this.#dayTexts = new Set(ways.map(withoutZeros));
    return this.#dayTexts;
  }
}

/** Returns the 64-bit key of a reference. */
export function hashOfReference(text: string): [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x2c1b3c6d;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
  }
  return [high ^ (high >>> 15), low];
}

function prefixOf(text: string): string {
  let at = 0;
  while (at < text.length && !isDigit(text.charCodeAt(at))) at += 1;
  return text.slice(0, at);
}

export function withoutZeros(text: string): string {
  let at = 0;
  while (at < text.length - 1 && text.charCodeAt(at) === 48) at += 1;
  return at === 0 ? text : text.slice(at);
}

/** How a reference is written: digits alone, letters before digits, mixed, letters joined by a sign, or the digits inside one of these. */
export const SHAPE = { digits: 0, lettered: 1, mixed: 2, joined: 3, core: 4 } as const;

const MOST_PREFIX = 4;
const MOST_ORIGINS = 1 << 12;

interface Origin {
  /** Index of the field in the side's fields. */
  readonly field: number;
  readonly shape: number;
  /** Letters before the digits; `*` if they vary too much to identify a kind. */
  readonly prefix: string;
}

/** A table of the places references come from (field, shape and letters before the digits), numbered by first appearance. */
export class Origins {
  readonly list: Origin[] = [];
  readonly #known = new Map<string, number>();

  codeOf(field: number, shape: number, prefix: string): number {
    const kept = prefix.length > MOST_PREFIX || this.list.length >= MOST_ORIGINS ? '*' : prefix;
    const key = `${field} ${shape} ${kept}`;
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const code = this.list.length;
    this.#known.set(key, code);
    this.list.push({ field, shape, prefix: kept });
    return code;
  }
}
