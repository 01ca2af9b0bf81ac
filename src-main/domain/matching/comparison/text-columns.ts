import { TextCodes } from '../../records/dictionary-encoding.ts';
import { CODED_FIELDS, codedField, rawReader, type RecordColumns, rowsWhere } from '../../records/record-columns.ts';
import { intAt } from '../../collections/typed-arrays.ts';
import { type Cell, INCOMPARABLE } from '../../records/values.ts';
import { endOf, startOf, textOfBytes, VALUE, type ValueColumn, valueColumnBuilder } from '../../records/value-column.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';
import { textOfRaw, textsOfRaw } from '../rules/terms.ts';
import {
  type Column,
  type ColumnSides,
  INCOMPARABLE_CODE,
  isListing,
  type LeafColumns,
  MISSING_CODE,
  NO_AXIS,
  noText,
} from './condition-columns.ts';

/** Codes of texts that several conditions share, so that each text is looked up once. */
export class KeptTexts {
  readonly known: TextCodes;
  /** Codes by place of the record. */
  readonly #codes = new Map<ValueColumn, Int32Array>();

  /** `expected` is an estimate of the number of different texts. */
  constructor(expected: number) {
    this.known = new TextCodes(Math.min(expected, MOST_EXPECTED));
  }

  /** Returns the codes of some rows' values. */
  codesOf(values: ValueColumn, { count, places }: RecordColumns): Int32Array {
    const ready = this.#codes.get(values);
    if (ready === undefined && count === values.kinds.length && places.length === count && isInPlaces(places)) {
      const codes = plainCodes(values, places, this.known);
      this.#codes.set(values, codes);
      return codes;
    }
    const known = ready ?? new Int32Array(values.kinds.length).fill(NOT_READ);
    this.#codes.set(values, known);
    const unread = new Int32Array(count);
    let unreadCount = 0;
    for (let row = 0; row < count; row += 1) {
      const place = intAt(places, row);
      if (intAt(known, place) !== NOT_READ) continue;
      unread[unreadCount] = place;
      unreadCount += 1;
    }
    const read = plainCodes(values, unread.subarray(0, unreadCount), this.known);
    for (let at = 0; at < unreadCount; at += 1) known[intAt(unread, at)] = intAt(read, at);
    const codes = new Int32Array(count);
    for (let row = 0; row < count; row += 1) codes[row] = intAt(known, intAt(places, row));
    return codes;
  }
}

/** Returns whether each row equals its place. */
function isInPlaces(places: Int32Array): boolean {
  for (let row = 0; row < places.length; row += 1) if (intAt(places, row) !== row) return false;
  return true;
}

/** Marks a place whose code has not been read; it is no valid code. */
const NOT_READ = -3;

/** Returns the rows with a value in a field, or null if the term does not read it unchanged. */
export function filledRows(term: Term, columns: RecordColumns): Int32Array | null {
  if (!isReadAsItStands(term)) return null;
  const { kinds } = columns.source.column(term.field);
  const { count, places } = columns;
  const rows = new Int32Array(count);
  let filled = 0;
  for (let row = 0; row < count; row += 1) {
    if (kinds[intAt(places, row)] === NOTHING) continue;
    rows[filled] = row;
    filled += 1;
  }
  return rows.subarray(0, filled);
}

/** Returns whether a term has a value exactly where the record has one in its field. */
export function isReadAsItStands(term: Term): boolean {
  return isPlain(term) && !CODED_FIELDS.has(term.field.name);
}

function isPlain({ transforms, type, field }: Term): boolean {
  return transforms.texts.length === 0 && type !== 'boolean' && field.kind !== 'number' && field.kind !== 'date';
}

/** `kept` shares text codes with other conditions over the same records. */
export function textColumns(leaf: Leaf, { a, b }: ColumnSides, kept: KeptTexts | null = null): LeafColumns {
  const known = kept?.known ?? new TextCodes(Math.min(expectedTexts(leaf.key, a), MOST_EXPECTED));
  // Texts of codes are retained only for conditions that read them.
  const textOf = isExactText(leaf) ? noText : (code: number): string => known.textOf(code);
  const ofA = textColumn(leaf.key, a, known, kept);
  if (!isListing(leaf)) {
    return { leaf, a: ofA, b: textColumn(leaf.value, b, known, kept), scale: 0, allowed: [], textOf, lists: [] };
  }
  const raw = rawReader(b, leaf.value.field);
  const { column, lists } = listColumn(
    (row) => textsOfRaw(leaf.value, raw(row)),
    b.count,
    (text) => known.codeOfText(text),
  );
  return { leaf, a: ofA, b: column, scale: 0, allowed: [], textOf, lists };
}

/** Initial capacity for texts; the table grows beyond it on demand. */
const MOST_EXPECTED = 1 << 20;

/** Returns an estimate of the different texts that a term reads. A field stored by codes has few. */
function expectedTexts(term: Term, columns: RecordColumns): number {
  return codedField(columns, term.field) === null ? columns.count : 0;
}

/** Returns whether a condition only asks whether two texts are equal. */
function isExactText({ operand, tolerance }: Leaf): boolean {
  return tolerance === null && (operand === 'eq' || operand === 'eq_or_missing' || operand === 'neq');
}

function textColumn(term: Term, columns: RecordColumns, known: TextCodes, kept: KeptTexts | null): Column {
  const coded = codedField(columns, term.field);
  if (coded !== null) {
    const ofName = coded.names.map((name) => codeOfCell(textOfRaw(term, name), known));
    const codes = new Int32Array(columns.count);
    for (let row = 0; row < columns.count; row += 1) codes[row] = ofName[coded.codes[row] as number] ?? MISSING_CODE;
    return columnOf(codes);
  }
  if (!isPlain(term)) return columnOf(changedCodes(term, columns, known));
  const values = columns.source.column(term.field);
  return columnOf(kept === null ? plainCodes(values, columns.places.subarray(0, columns.count), known) : kept.codesOf(values, columns));
}

function columnOf(codes: Int32Array): Column {
  return { codes, axis: NO_AXIS, days: NO_AXIS, wide: null };
}

function codeOfCell(cell: Cell<string>, known: TextCodes): number {
  if (cell === null) return MISSING_CODE;
  return cell === INCOMPARABLE ? INCOMPARABLE_CODE : known.codeOfText(cell);
}

const NOTHING = VALUE.none;
/** Number of texts that are looked up in one batch. */
const AT_ONCE = 4_096;

/** Returns the codes of values that are compared unchanged, at some places. Most records have no value in most fields. */
function plainCodes(values: ValueColumn, places: Int32Array, known: TextCodes): Int32Array {
  const codes = new Int32Array(places.length).fill(MISSING_CODE);
  const rows = new Int32Array(AT_ONCE);
  const ofRows = new Int32Array(AT_ONCE);
  const found = new Int32Array(AT_ONCE);
  let count = 0;
  const lookUp = (): void => {
    known.codesOf(values, ofRows, count, found);
    for (let at = 0; at < count; at += 1) codes[intAt(rows, at)] = intAt(found, at);
    count = 0;
  };
  const { kinds } = values;
  for (let row = 0; row < places.length; row += 1) {
    const place = intAt(places, row);
    const kind = kinds[place];
    if (kind === NOTHING) continue;
    if (kind === VALUE.json || kind === VALUE.incomparable) {
      codes[row] = INCOMPARABLE_CODE;
      continue;
    }
    if (isBlank(values, place)) continue;
    rows[count] = row;
    ofRows[count] = place;
    count += 1;
    if (count === AT_ONCE) lookUp();
  }
  lookUp();
  return codes;
}

/** Returns whether a text is empty without the white space at its ends. */
function isBlank(values: ValueColumn, place: number): boolean {
  const start = startOf(values, place);
  const end = endOf(values, place);
  const first = values.bytes[start];
  if (start === end || first === undefined) return true;
  if (first > 0x20 && first < 0x80) return false;
  return textOfBytes(values.bytes, start, end).trim() === '';
}

/** Returns the codes of values that are transformed first. Only texts not seen before are retained. */
function changedCodes(term: Term, columns: RecordColumns, known: TextCodes): Int32Array {
  const raw = rawReader(columns, term.field);
  const changed = valueColumnBuilder(columns.count);
  for (let row = 0; row < columns.count; row += 1) changed.add(textOfRaw(term, raw(row)));
  const values = changed.finished();
  const codes = new Int32Array(columns.count);
  const texts = rowsWhere(values.kinds, VALUE.text);
  const found = new Int32Array(texts.length);
  known.codesOf(values, texts, texts.length, found);
  for (let row = 0; row < columns.count; row += 1) codes[row] = values.kinds[row] === VALUE.none ? MISSING_CODE : INCOMPARABLE_CODE;
  for (const [at, row] of texts.entries()) codes[row] = intAt(found, at);
  return codes;
}

/** Returns lists as a column. Equal lists share a code, and members get codes of side A's values. */
export function listColumn<T>(
  read: (row: number) => Cell<readonly T[]>,
  count: number,
  codeOf: (value: T) => number,
): { readonly column: Column; readonly lists: Int32Array[] } {
  const known = new Map<string, number>();
  const lists: Int32Array[] = [];
  const codes = new Int32Array(count);
  for (let row = 0; row < count; row += 1) {
    const cell = read(row);
    if (cell === null || cell === INCOMPARABLE) {
      codes[row] = cell === null ? MISSING_CODE : INCOMPARABLE_CODE;
      continue;
    }
    const members = Int32Array.from(new Set((cell as readonly T[]).map(codeOf))).toSorted();
    const name = members.join(',');
    const code = known.get(name) ?? lists.length;
    if (code === lists.length) {
      known.set(name, code);
      lists.push(members);
    }
    codes[row] = code;
  }
  return { column: columnOf(codes), lists };
}
