import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { IntList } from '../../collections/growable-array.ts';
import { PairCodes } from '../../collections/hash-table.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { Field, Side } from '../../records/fields.ts';
import { DESCRIPTION, type RecordColumns, weightAt } from '../../records/record-columns.ts';
import { endOf, startOf, VALUE, type ValueColumn } from '../../records/value-column.ts';
import { Names } from './names.ts';
import { LONG_NUMBER, type LongNumber, Origins, type OwnNumbers, ReferenceReader } from './references.ts';
import { isLetter, PIECE, TextScanner } from './scan-text.ts';

/** Most words and references of a line that are read. */
const MOST_WORDS = 16;
const MOST_REFERENCES = 40;
/** A million lines take six seconds, so cancellation is checked on the way. */
const ROWS_PER_LOOK = 1 << 14;
/** Codes shorter than this are read as words: `8`, `2B`. */
const SHORT_CODE = 3;

/** Features of the lines of one side, by which they are compared. Rows are those of the columns. */
export interface LineFeatures {
  readonly count: number;
  /** Class of each row, which combines currency and sign. Only lines of one class can be matched. */
  readonly classes: Int32Array;
  /** Unsigned amounts in units of the finest scale of the currency. */
  readonly values: Float64Array;
  readonly days: Int32Array;
  /** Number of the name, by row; -1 for a line without words. */
  readonly names: Int32Array;
  /** References of each row: number and origin, with the start of each row. */
  readonly starts: Int32Array;
  readonly references: Int32Array;
  readonly originOf: Uint16Array;
  readonly origins: Origins;
  /** Running number of each row in the order of entry, NaN for none; null if the side has no such numbers. */
  readonly entered: Float64Array | null;
}

/** Lines, with their long numbers, which may consist of several references. */
export interface ReadLines {
  readonly lines: LineFeatures;
  readonly long: readonly LongNumber[];
}

/** Tables of codes that both sides share. */
interface SharedCodes {
  readonly names: Names;
  readonly references: PairCodes;
  readonly classes: Map<string, number>;
  /** By currency: decimal places at which amounts are compared. */
  readonly scales: ReadonlyMap<string, number>;
}

export function sharedCodes(sides: readonly RecordColumns[]): SharedCodes {
  const scales = new Map<string, number>();
  for (const { count, currencies, decimalPlaces, names } of sides) {
    for (let row = 0; row < count; row += 1) {
      const currency = itemAt(names, currencies[row] as number);
      const places = decimalPlaces[row] as number;
      if ((scales.get(currency) ?? -1) < places) scales.set(currency, places);
    }
  }
  return { names: new Names(), references: new PairCodes(), classes: new Map(), scales };
}

/** Returns the features of the lines of a side, or null when cancelled. */
export function lineFeatures(
  columns: RecordColumns,
  fields: readonly Field[],
  side: Side,
  convention: SignConvention,
  shared: SharedCodes,
  isCancelled: () => boolean,
): ReadLines | null {
  const { count } = columns;
  const reader = readerOf(columns, fields, shared);
  const features = {
    count,
    classes: new Int32Array(count),
    values: new Float64Array(count),
    days: columns.days,
    names: new Int32Array(count),
    starts: new Int32Array(count + 1),
  };
  for (let row = 0; row < count; row += 1) {
    if (row % ROWS_PER_LOOK === 0 && isCancelled()) return null;
    const currency = itemAt(columns.names, columns.currencies[row] as number);
    const weight = weightAt(columns, row, side, convention);
    features.values[row] =
      (columns.amounts[row] as number) * 10 ** ((shared.scales.get(currency) ?? 0) - (columns.decimalPlaces[row] as number));
    features.classes[row] = classOf(shared.classes, `${weight < 0 ? '-' : '+'}${currency}`);
    features.names[row] = reader.read(row);
    features.starts[row + 1] = reader.references.length;
  }
  const lines = {
    ...features,
    references: reader.references.items.slice(0, reader.references.length),
    originOf: Uint16Array.from(reader.originOf.items.subarray(0, reader.references.length)),
    origins: reader.origins,
    entered: reader.running.numbers(),
  };
  return { lines, long: reader.long };
}

/** Returns the names of some rows of a side as they are written, by row; empty for a row without words. */
export function namesOfRows(columns: RecordColumns, fields: readonly Field[], rows: Iterable<number>): Map<number, string> {
  const shared = sharedCodes([]);
  const reader = readerOf(columns, fields, shared);
  const found = new Map<number, string>();
  for (const row of rows) {
    const name = reader.read(row);
    found.set(row, name < 0 ? '' : shared.names.textOf(name));
  }
  return found;
}

function classOf(classes: Map<string, number>, key: string): number {
  const found = classes.get(key) ?? classes.size;
  if (found === classes.size) classes.set(key, found);
  return found;
}

function readerOf(columns: RecordColumns, fields: readonly Field[], shared: SharedCodes): LineReader {
  return new LineReader(columns, fields.length === 0 ? [DESCRIPTION] : fields, shared);
}

/** Least share of a side's lines that have a running number, and of these numbers that are on one line only. */
const MOSTLY = 0.9;
const DISTINCT = 0.98;
/** Most digits of a running number. */
const MOST_DIGITS = 15;
/** Most fields that may hold running numbers. */
const MOST_FIELDS = 3;

/** Finds the field that numbers the lines in the order in which they were entered, such as the number of a journal entry. */
class RunningNumbers {
  readonly #count: number;
  readonly #fields: (Float64Array | undefined)[] = [];

  constructor(count: number, fields: number) {
    this.#count = count;
    this.#fields.length = Math.min(fields, MOST_FIELDS + 1);
  }

  add(field: number, row: number, text: string): void {
    if (field >= this.#fields.length) return;
    let from = text.length;
    while (from > 0 && text.length - from < MOST_DIGITS && isDigit(text.charCodeAt(from - 1))) from -= 1;
    if (from === text.length) return;
    const numbers = (this.#fields[field] ??= new Float64Array(this.#count).fill(Number.NaN));
    numbers[row] = Number(text.slice(from));
  }

  /** Returns the numbers of the first field that nearly all lines hold and that nearly no two share, or null. */
  numbers(): Float64Array | null {
    return this.#fields.find((numbers) => numbers !== undefined && isRunning(numbers)) ?? null;
  }
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isRunning(numbers: Float64Array): boolean {
  const sorted = numbers.filter((number) => !Number.isNaN(number)).toSorted();
  if (sorted.length < MOSTLY * numbers.length) return false;
  let distinct = 1;
  for (let place = 1; place < sorted.length; place += 1) if (sorted[place] !== sorted[place - 1]) distinct += 1;
  return distinct >= DISTINCT * sorted.length;
}

/** Reads words and references, one line at a time. */
class LineReader {
  readonly references = new IntList();
  readonly originOf = new IntList();
  readonly origins = new Origins();
  readonly long: LongNumber[] = [];
  readonly running: RunningNumbers;
  readonly #columns: RecordColumns;
  readonly #values: readonly ValueColumn[];
  readonly #shared: SharedCodes;
  readonly #scanner = new TextScanner();
  readonly #reader: ReferenceReader;
  #words: number[] = [];
  #from = 0;
  #row = 0;

  constructor(columns: RecordColumns, fields: readonly Field[], shared: SharedCodes) {
    this.#columns = columns;
    this.#values = fields.map((field) => columns.source.column(field));
    this.#shared = shared;
    this.running = new RunningNumbers(columns.count, fields.length);
    this.#reader = new ReferenceReader(this.#scanner, this.origins, (high, low, origin) => this.#addReference(high, low, origin));
  }

  /** Reads a row: appends its references and returns the number of its name. */
  read(row: number): number {
    const columns = this.#columns;
    const values = this.#values;
    const place = intAt(columns.places, row);
    const own: OwnNumbers = {
      day: intAt(columns.days, row),
      amountMinor: columns.amounts[row] as number,
      decimalPlaces: columns.decimalPlaces[row] as number,
    };
    this.#words = [];
    this.#from = this.references.length;
    this.#row = row;
    for (let field = 0; field < values.length; field += 1) {
      const column = values[field] as ValueColumn;
      const kind = column.kinds[place];
      if (kind !== VALUE.text && kind !== VALUE.number) continue;
      this.#scanner.begin(column.bytes, startOf(column, place), endOf(column, place));
      while (this.#scanner.next()) this.#readPiece(field, own);
    }
    return this.#shared.names.codeOf(this.#words);
  }

  #readPiece(field: number, own: OwnNumbers): void {
    const scanner = this.#scanner;
    if (scanner.kind === PIECE.word || scanner.to - scanner.from < SHORT_CODE) this.#addWord(scanner.from, scanner.to);
    else {
      const isWhole = scanner.from === 0 && scanner.to === scanner.length;
      this.#reader.read(field, isWhole, own);
      if (isWhole) this.running.add(field, this.#row, scanner.text(scanner.from, scanner.to));
      if (scanner.letters + scanner.joints === 0 && scanner.digits >= LONG_NUMBER)
        this.long.push({ row: this.#row, field, digits: scanner.text(scanner.from, scanner.to) });
      if (scanner.digits === 0) this.#addJoinedWords();
    }
  }

  /** Adds the words of a joined code: `DD-RENT` holds two. */
  #addJoinedWords(): void {
    const { characters, from, to } = this.#scanner;
    for (let at = from; at < to; at += 1) {
      let end = at;
      while (end < to && isLetter(characters[end] as number)) end += 1;
      if (end > at) this.#addWord(at, end);
      at = end;
    }
  }

  #addWord(from: number, to: number): void {
    if (this.#words.length >= MOST_WORDS) return;
    const text = this.#scanner.text(from, to);
    const words = this.#shared.names.words;
    let word = words.codeOf(text);
    // Initials may repeat: `J J` is another name than `J`, and a rarer one.
    if (text.length === 1 && this.#words.includes(word)) word = words.codeOf(text + text);
    if (!this.#words.includes(word)) this.#words.push(word);
  }

  #addReference(high: number, low: number, origin: number): void {
    const { references, originOf } = this;
    const from = this.#from;
    if (references.length - from >= MOST_REFERENCES) return;
    const code = this.#shared.references.codeOf(high, low);
    for (let at = from; at < references.length; at += 1) {
      if (intAt(references.items, at) === code && intAt(originOf.items, at) === origin) return;
    }
    references.push(code);
    originOf.push(origin);
  }
}
