import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { Condition, TransformInput } from '../../../src-shared/contract/index.ts';
import type { MetadataTypes } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';

/**
 * A pair for which a condition is evaluated, literally as the specification says, slowly and without a line of the engine: values are read anew for
 * every pair, numbers are integers of 10^-20, days are counted one by one, and edits are searched for.
 */
export interface ReferencePair {
  readonly a: EngineRecord;
  readonly b: EngineRecord;
  readonly isOpposite: boolean;
  readonly types: MetadataTypes;
}

type Kind = 'text' | 'date' | 'number';
export interface Held {
  readonly kind: Kind;
  /** Days, thousandths of a currency unit, or edits; null where nothing is measured. */
  readonly distance: number | null;
}

const SCALE = 20n;
const UNIT = 10n ** SCALE;
const DATE_UNITS = new Set(['day', 'business_day', 'month']);

/** `missing`, `unreadable`, or a value; for `in` and `not_in` the value of side B is a list. */
type Value<T> = 'missing' | 'unreadable' | { readonly is: T };

function raw(name: string, record: EngineRecord): unknown {
  if (name.startsWith('metadata.')) {
    return name
      .slice('metadata.'.length)
      .split('.')
      .reduce<unknown>((holder, key) => (holder as Record<string, unknown> | undefined)?.[key], record.metadata);
  }
  const fields: Record<string, unknown> = {
    reference: record.reference,
    description: record.description,
    value_date: record.valueDay === null ? null : isoFromDay(record.valueDay),
    external_id: record.externalId,
    currency: record.currency,
    direction: record.direction,
    data_stream_key: record.streamKey,
  };
  return fields[name];
}

function listOf(transforms: TransformInput | TransformInput[] | null | undefined): TransformInput[] {
  if (transforms === null || transforms === undefined) return [];
  return Array.isArray(transforms) ? transforms : [transforms];
}

function nameOf(transform: TransformInput): string {
  return typeof transform === 'string' ? transform : transform.name;
}

const isNumeric = (transform: TransformInput) => ['absolute', 'negate'].includes(nameOf(transform));

function changed(text: string, transform: TransformInput): string {
  const args = typeof transform === 'string' ? {} : (transform.args ?? {});
  const letters = [...text];
  switch (nameOf(transform)) {
    case 'lowercase':
      return text.toLowerCase();
    case 'uppercase':
      return text.toUpperCase();
    case 'trim':
      return text.trim();
    case 'digits_only':
      return letters.filter((letter) => letter >= '0' && letter <= '9').join('');
    case 'alphanumeric_only':
      return letters.filter((letter) => /[\p{L}\p{N}]/u.test(letter)).join('');
    case 'strip_leading_zeros':
      return text.startsWith('0') ? changed(text.slice(1), transform) : text;
    case 'first_n_chars':
      return letters.filter((_, index) => index < (args.n ?? 0)).join('');
    case 'last_n_chars':
      return letters.filter((_, index) => index >= letters.length - (args.n ?? 0)).join('');
    case 'extract': {
      const found = new RegExp(args.pattern ?? '').exec(text);
      return found === null ? '' : found.length > 1 ? (found[1] ?? '') : found[0];
    }
    case 'remove_accents':
      return text
        .normalize('NFD')
        .replaceAll(/\p{Mn}/gu, '')
        .replaceAll('ø', 'o');
    case 'words':
      return [...new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u))]
        .filter((word) => word !== '')
        .toSorted()
        .join(' ');
    default:
      throw new Error(`no transform ${nameOf(transform)}`);
  }
}

type SideName = 'a' | 'b';
const member = { a: 'key', b: 'value' } as const;

function textOf(condition: Condition, side: SideName, value: unknown): Value<string> {
  if (value === null || value === undefined || (typeof value === 'string' && value.trim() === '')) return 'missing';
  if (typeof value === 'object') return 'unreadable';
  let text = String(value);
  for (const transform of listOf(condition.transforms?.[member[side]])) if (!isNumeric(transform)) text = changed(text, transform);
  return text.trim() === '' ? 'missing' : { is: text };
}

/** Returns a plain decimal in units of 10^-20; null for any other text. */
function decimalOf(text: string): bigint | null {
  const parts = /^([+-]?)(\d+)(?:\.(\d{1,20}))?$/.exec(text.trim());
  if (parts === null) return null;
  const units = BigInt(`${parts[2] ?? ''}${(parts[3] ?? '').padEnd(Number(SCALE), '0')}`);
  return parts[1] === '-' ? -units : units;
}

function numberOf(condition: Condition, side: SideName, text: Value<string>): Value<bigint> {
  if (text === 'missing' || text === 'unreadable') return text;
  const decimal = decimalOf(text.is);
  return decimal === null ? 'unreadable' : { is: changedNumber(condition, side, decimal) };
}

function changedNumber(condition: Condition, side: SideName, decimal: bigint): bigint {
  return listOf(condition.transforms?.[member[side]])
    .filter(isNumeric)
    .reduce((value, transform) => (nameOf(transform) === 'negate' || value < 0n ? -value : value), decimal);
}

function dayOf(text: Value<string>): Value<number> {
  if (text === 'missing' || text === 'unreadable') return text;
  const [date = '', time] = text.is.trim().split(/[T ]/);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || (time !== undefined && !/^\d{2}:\d{2}/.test(time))) return 'unreadable';
  const days = Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  return Number.isInteger(days) && new Date(days * 86_400_000).toISOString().startsWith(date) ? { is: days } : 'unreadable';
}

function recordNumber(pair: ReferencePair, condition: Condition, side: SideName): Value<bigint> | null {
  const name = condition[member[side]];
  const record = pair[side];
  const units = (BigInt(record.amountMinor) * UNIT) / 10n ** BigInt(record.decimalPlaces);
  const sign = (record.direction === 'credit' ? 1n : -1n) * (side === 'b' && pair.isOpposite ? -1n : 1n);
  if (name !== 'amount' && name !== 'signed_amount') return null;
  return { is: changedNumber(condition, side, name === 'amount' ? units : units * sign) };
}

function textIn(pair: ReferencePair, condition: Condition, side: SideName, value: unknown): Value<string> {
  const name = condition[member[side]];
  const text = textOf(condition, side, value);
  if (!name.startsWith('metadata.') || pair.types[side].get(name.slice('metadata.'.length)) !== 'boolean' || typeof text === 'string')
    return text;
  const truth = text.is.trim().toLowerCase();
  return truth === 'true' || truth === 'false' ? { is: truth } : 'unreadable';
}

/** Returns the compared value: texts and days as they are, numbers in units of 10^-20. */
function valueOf(pair: ReferencePair, condition: Condition, side: SideName, kind: Kind): Value<string | number | bigint> {
  const name = condition[member[side]];
  if (name === 'date') return { is: pair[side].day };
  const number = recordNumber(pair, condition, side);
  if (number !== null) return number;
  const text = textIn(pair, condition, side, raw(name, pair[side]));
  return kind === 'text' ? text : kind === 'date' ? dayOf(text) : numberOf(condition, side, text);
}

function listIn(pair: ReferencePair, condition: Condition, kind: Kind): Value<(string | number | bigint)[]> {
  const name = condition.value;
  if (name === 'date') return { is: [pair.b.day] };
  const number = recordNumber(pair, condition, 'b');
  if (number !== null) return typeof number === 'string' ? number : { is: [number.is] };
  const value = raw(name, pair.b);
  const isArrayText = typeof value === 'string' && value.startsWith('[');
  const members: unknown[] = Array.isArray(value) ? value : isArrayText ? (JSON.parse(value) as unknown[]) : String(value ?? '').split(',');
  const read = members.map((each) => {
    const text = textIn(pair, condition, 'b', typeof each === 'string' && !Array.isArray(value) && !isArrayText ? each.trim() : each);
    return kind === 'text' ? text : kind === 'date' ? dayOf(text) : numberOf(condition, 'b', text);
  });
  const values = read.flatMap((each) => (typeof each === 'string' ? [] : [each.is]));
  if (values.length > 0) return { is: values };
  return read.includes('unreadable') ? 'unreadable' : 'missing';
}

function ownKind(pair: ReferencePair, condition: Condition, side: SideName): Kind | null {
  const name = condition[member[side]];
  const transforms = listOf(condition.transforms?.[member[side]]);
  if (transforms.some(isNumeric) || name === 'amount' || name === 'signed_amount') return 'number';
  if (name === 'date' || name === 'value_date') return 'date';
  if (transforms.length > 0) return null;
  if (!name.startsWith('metadata.')) return 'text';
  const type = pair.types[side].get(name.slice('metadata.'.length));
  if (type === undefined) return null;
  return type === 'number' ? 'number' : type === 'date' || type === 'datetime' ? 'date' : 'text';
}

function kindOf(pair: ReferencePair, condition: Condition): Kind {
  const unit = condition.tolerance_unit;
  if (unit !== undefined) return unit === 'edit' ? 'text' : DATE_UNITS.has(unit) ? 'date' : 'number';
  const [a, b] = [ownKind(pair, condition, 'a'), ownKind(pair, condition, 'b')];
  if ((condition.operand === 'in' || condition.operand === 'not_in') && b === 'text') return a ?? 'text';
  return a ?? b ?? 'text';
}

/** Returns the day itself, or for a weekend the Monday after it. */
function working(day: number): number {
  const weekday = new Date(day * 86_400_000).getUTCDay();
  return weekday === 6 ? day + 2 : weekday === 0 ? day + 1 : day;
}

function businessDaysApart(left: number, right: number): number {
  const [from, to] = [Math.min(working(left), working(right)), Math.max(working(left), working(right))];
  let steps = 0;
  for (let day = from + 1; day <= to; day += 1) if (![0, 6].includes(new Date(day * 86_400_000).getUTCDay())) steps += 1;
  return steps;
}

/** Returns the edits between two short texts by breadth-first search over all texts one edit away; more than `most` gives `most + 1`. */
export function editsByBruteForce(left: string, right: string, most: number): number {
  const alphabet = [...new Set(right)];
  let reached = new Set([left]);
  for (let edits = 0; edits <= most; edits += 1) {
    if (reached.has(right)) return edits;
    if (edits < most) reached = new Set([...reached].flatMap((text) => oneEdit([...text], alphabet)));
  }
  return most + 1;
}

function oneEdit(letters: readonly string[], alphabet: readonly string[]): string[] {
  const made: string[] = [];
  for (let at = 0; at <= letters.length; at += 1) {
    for (const letter of alphabet) {
      made.push(letters.toSpliced(at, 0, letter).join(''));
      if (at < letters.length) made.push(letters.toSpliced(at, 1, letter).join(''));
    }
    if (at < letters.length) made.push(letters.toSpliced(at, 1).join(''));
    const [first, second] = [letters[at], letters[at + 1]];
    if (first !== undefined && second !== undefined) made.push(letters.toSpliced(at, 2, second, first).join(''));
  }
  return made;
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

const knownEdits = new Map<string, number>();

/**
 * Returns the edits by their definition: the last characters are deleted, inserted, replaced, or are a swapped pair with deletions and insertions
 * between. Tests check it against the search by brute force.
 */
export function editsByDefinition(left: string, right: string): number {
  const known = knownEdits.get(`${left}\n${right}`);
  if (known !== undefined) return known;
  const [a, b] = [[...left], [...right]];
  const cost: number[][] = [];
  for (let i = 0; i <= a.length; i += 1) {
    cost.push([]);
    for (let j = 0; j <= b.length; j += 1) {
      const ways = [i === 0 ? j : Infinity, j === 0 ? i : Infinity];
      const at = (row: number, column: number) => cost[row]?.[column] ?? Infinity;
      ways.push(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      for (let k = 1; k < i; k += 1) {
        for (let l = 1; l < j; l += 1) {
          if (a[k - 1] === b[j - 1] && a[i - 1] === b[l - 1]) ways.push(at(k - 1, l - 1) + (i - k - 1) + 1 + (j - l - 1));
        }
      }
      cost[i]?.push(Math.min(...ways));
    }
  }
  const edits = cost[a.length]?.[b.length] ?? Infinity;
  knownEdits.set(`${left}\n${right}`, edits);
  return edits;
}

/** Returns the allowed distance in units of 10^-20, from the decimal text of the amount. */
function allowedOf(condition: Condition, places: number): bigint {
  const amount = decimalOf(String(condition.tolerance_amount ?? 0)) ?? 0n;
  const minor = UNIT / 10n ** BigInt(places);
  if (condition.tolerance_unit === 'dollar') return amount - (amount % minor);
  return (amount * minor) / UNIT;
}

function isNear(pair: ReferencePair, condition: Condition, kind: Kind, a: string | number | bigint, b: string | number | bigint): boolean {
  if (typeof a === 'string' || typeof b === 'string')
    return a === b || editsByDefinition(String(a), String(b)) <= (condition.tolerance_amount ?? 0);
  if (typeof a === 'number' && typeof b === 'number' && kind === 'date') {
    if (condition.tolerance_unit === 'month')
      return new Date(a * 86_400_000).toISOString().slice(0, 7) === new Date(b * 86_400_000).toISOString().slice(0, 7);
    const apart = condition.tolerance_unit === 'business_day' ? businessDaysApart(a, b) : Math.abs(a - b);
    return apart <= (condition.tolerance_amount ?? 0);
  }
  const apart = magnitude(BigInt(a) - BigInt(b));
  if (condition.tolerance_unit === 'percent') {
    const percent = decimalOf(String(condition.tolerance_amount ?? 0)) ?? 0n;
    const larger = magnitude(BigInt(a)) > magnitude(BigInt(b)) ? magnitude(BigInt(a)) : magnitude(BigInt(b));
    return apart * 100n * UNIT <= percent * larger;
  }
  return apart <= allowedOf(condition, Math.max(pair.a.decimalPlaces, pair.b.decimalPlaces));
}

function measured(condition: Condition, kind: Kind, a: string | number | bigint, b: string | number | bigint): number | null {
  if (kind === 'date') return Math.abs(Number(a) - Number(b));
  if (kind === 'number') return Number(magnitude(BigInt(a) - BigInt(b)) / 10n ** (SCALE - 3n));
  const tolerance = condition.operand === undefined || condition.operand === 'eq' ? (condition.tolerance_amount ?? 0) : 0;
  return tolerance > 0 ? editsByDefinition(String(a), String(b)) : null;
}

/** Returns the measured distance of a condition; null where it does not hold. */
export function held(pair: ReferencePair, condition: Condition): Held | null {
  const kind = kindOf(pair, condition);
  const operand = condition.operand ?? 'eq';
  const a = valueOf(pair, condition, 'a', kind);
  if (operand === 'in' || operand === 'not_in') {
    const list = listIn(pair, condition, kind);
    if (typeof a === 'string' || typeof list === 'string') return null;
    return list.is.includes(a.is) === (operand === 'in') ? { kind, distance: null } : null;
  }
  const b = valueOf(pair, condition, 'b', kind);
  if (a === 'missing' || b === 'missing') return operand === 'eq_or_missing' ? { kind, distance: null } : null;
  if (a === 'unreadable' || b === 'unreadable') return null;
  const left = a.is;
  const right = b.is;
  const outcome: Readonly<Record<string, boolean>> = {
    eq: isNear(pair, condition, kind, left, right),
    eq_or_missing: left === right,
    neq: left !== right,
    gt: left > right,
    gte: left >= right,
    lt: left < right,
    lte: left <= right,
    contains: String(left).includes(String(right)),
  };
  return outcome[operand] === true ? { kind, distance: measured(condition, kind, left, right) } : null;
}
