import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { isOwnDay, rawValue, type Side, signedUnits, textOf } from '../../records/fields.ts';
import type { EngineRecord } from '../../records/record.ts';
import { type Cell, type Decimal, INCOMPARABLE, parseDecimal } from '../../records/values.ts';
import type { Term } from './compile-leaf.ts';
import type { NumberStep } from './transforms.ts';

/** A date or an instant, of which the written calendar day counts, whatever its offset. */
const DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?(?:Z|[+-]\d{2}(?::?\d{2})?))?)?$/;

/** Returns a transformed text; null if nothing is left. */
function changedText(term: Term, text: string): string | null {
  let changed = text;
  for (const step of term.transforms.texts) changed = step(changed);
  return changed.trim() === '' ? null : changed;
}

function cellOfText(term: Term, raw: unknown): Cell<string> {
  const text = textOf(raw);
  if (typeof text !== 'string') return text;
  const changed = term.transforms.texts.length === 0 ? text : changedText(term, text);
  if (term.type !== 'boolean' || changed === null) return changed;
  const truth = changed.trim().toLowerCase();
  return truth === 'true' || truth === 'false' ? truth : INCOMPARABLE;
}

function dayOfText(text: Cell<string>): Cell<number> {
  if (typeof text !== 'string') return text;
  const date = DAY.exec(text.trim())?.[1];
  return date === undefined ? INCOMPARABLE : (dayFromIso(date) ?? INCOMPARABLE);
}

function numberOfText(term: Term, text: Cell<string>): Cell<Decimal> {
  if (typeof text !== 'string') return text;
  const decimal = parseDecimal(text);
  return decimal === null ? INCOMPARABLE : changedNumber(term.transforms.numbers, decimal);
}

/** Returns a number after its transforms. */
export function changedNumber(steps: readonly NumberStep[], decimal: Decimal): Decimal {
  let { units } = decimal;
  for (const step of steps) if ((step === 'negate' || units < 0) && units !== 0) units = -units;
  return units === decimal.units ? decimal : { units, scale: decimal.scale };
}

/** Returns the text to compare from a field's raw value. */
export function textOfRaw(term: Term, raw: unknown): Cell<string> {
  return cellOfText(term, raw);
}

/** Returns days since 1970-01-01. */
export function dayOfRaw(term: Term, raw: unknown): Cell<number> {
  return dayOfText(cellOfText(term, raw));
}

/** Returns an exact decimal in currency units. */
export function numberOfRaw(term: Term, raw: unknown): Cell<Decimal> {
  return numberOfText(term, cellOfText(term, raw));
}

/** Returns the text to compare. */
export function readText(term: Term, record: EngineRecord): Cell<string> {
  return textOfRaw(term, rawValue(term.field, record));
}

/** Returns days since 1970-01-01. */
export function readDay(term: Term, record: EngineRecord): Cell<number> {
  return isOwnDay(term.field) ? record.day : dayOfRaw(term, rawValue(term.field, record));
}

/** Returns an exact decimal in currency units. */
export function readNumber(term: Term, record: EngineRecord, side: Side, convention: SignConvention): Cell<Decimal> {
  if (term.field.kind !== 'number') return numberOfRaw(term, rawValue(term.field, record));
  const units = term.field.name === 'amount' ? record.amountMinor : signedUnits(record, side, convention);
  return changedNumber(term.transforms.numbers, { units, scale: record.decimalPlaces });
}

/** Returns the unchanged members of a list: of a JSON array (also one written as text), else of text split at commas. */
function membersOf(raw: unknown): unknown[] {
  if (Array.isArray(raw)) return raw;
  const text = textOf(raw);
  if (typeof text !== 'string') return text === null ? [] : [raw];
  if (!text.trimStart().startsWith('[')) return text.split(',').map((member) => member.trim());
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [text];
  } catch {
    return text.split(',').map((member) => member.trim());
  }
}

/** Returns the readable members of a list with transforms applied to each; null if it has none at all. */
function listOf<T>(term: Term, raw: unknown, read: (member: Cell<string>) => Cell<T>): Cell<readonly T[]> {
  const values: T[] = [];
  let isEmpty = true;
  for (const member of membersOf(raw)) {
    const cell = read(cellOfText(term, member));
    if (cell !== null) isEmpty = false;
    if (cell !== null && cell !== INCOMPARABLE) values.push(cell as T);
  }
  if (isEmpty) return null;
  return values.length === 0 ? INCOMPARABLE : values;
}

export function textsOfRaw(term: Term, raw: unknown): Cell<readonly string[]> {
  return listOf(term, raw, (member) => member);
}

export function daysOfRaw(term: Term, raw: unknown): Cell<readonly number[]> {
  return listOf(term, raw, dayOfText);
}

export function numbersOfRaw(term: Term, raw: unknown): Cell<readonly Decimal[]> {
  return listOf(term, raw, (member) => numberOfText(term, member));
}

export function readTexts(term: Term, record: EngineRecord): Cell<readonly string[]> {
  return textsOfRaw(term, rawValue(term.field, record));
}

export function readDays(term: Term, record: EngineRecord): Cell<readonly number[]> {
  return isOwnDay(term.field) ? [record.day] : daysOfRaw(term, rawValue(term.field, record));
}

export function readNumbers(term: Term, record: EngineRecord, side: Side, convention: SignConvention): Cell<readonly Decimal[]> {
  if (term.field.kind !== 'number') return numbersOfRaw(term, rawValue(term.field, record));
  const cell = readNumber(term, record, side, convention);
  return cell === null || cell === INCOMPARABLE ? cell : [cell];
}
