import type { TransformInput } from '../../../src-shared/contract/rules/rule-language.ts';
import { totalOf } from '../matching/index.ts';
import type { EngineRecord } from '../records/record.ts';
import type { Pair } from './amount-evidence.ts';
import { type Reading, transformed } from './readings.ts';

/** Transforms of the texts of both sides before comparison, the least first. */
export interface NormalForm {
  readonly name: 'exact' | 'letters' | 'digits' | 'words';
  readonly transforms: readonly TransformInput[];
  /** Least length of a value in characters. */
  readonly least: number;
}

export const EXACT: NormalForm = { name: 'exact', transforms: [], least: 1 };
const LETTERS: NormalForm = { name: 'letters', transforms: ['alphanumeric_only', 'uppercase'], least: 3 };
const DIGITS: NormalForm = { name: 'digits', transforms: ['digits_only', 'strip_leading_zeros'], least: 3 };
export const WORDS: NormalForm = { name: 'words', transforms: ['remove_accents', 'words'], least: 4 };
/** Forms that need only the data. Equal words also need matches of people as support. */
export const NORMAL_FORMS: readonly NormalForm[] = [EXACT, LETTERS, DIGITS];

/** Rows of both sides that hold one value. */
interface Block {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Values that a reading of side A and one of side B have in common under a form. */
export interface Link {
  readonly a: Reading;
  readonly b: Reading;
  readonly form: NormalForm;
  /** Values that occur once on each side. */
  readonly singles: readonly Block[];
  /** Values that occur several times on side A and once on side B; and vice versa. */
  readonly manyA: readonly Block[];
  readonly manyB: readonly Block[];
  /** Values that occur several times on both sides, so that other conditions must distinguish their records. */
  readonly repeated: readonly Block[];
}

type Rows = Map<string, number[]>;

/** Rows by value of a reading, computed once for each form. */
export class ValueIndex {
  readonly #known = new Map<Reading, Map<NormalForm['name'], Rows>>();

  rowsOf(reading: Reading, form: NormalForm): Rows {
    const forms = this.#known.get(reading) ?? new Map<NormalForm['name'], Rows>();
    this.#known.set(reading, forms);
    const there = forms.get(form.name);
    if (there !== undefined) return there;
    const rows: Rows = new Map();
    for (const [row, text] of transformed(reading.texts, form.transforms).entries()) {
      if (text === null || text.length < form.least) continue;
      const list = rows.get(text);
      if (list === undefined) rows.set(text, [row]);
      else list.push(row);
    }
    forms.set(form.name, rows);
    return rows;
  }
}

/** Number of values of the smaller side that are looked up first. If none of them occurs on the other side, the readings have nothing in common. */
const PROBES = 500;

function haveSomethingInCommon(small: Rows, large: Rows): boolean {
  if (small.size <= PROBES) return true;
  const step = Math.floor(small.size / PROBES);
  let index = 0;
  for (const value of small.keys()) {
    if (index % step === 0 && large.has(value)) return true;
    index += 1;
  }
  return false;
}

/** Returns the values that two readings have in common, or null if there are none. */
export function linkOf(index: ValueIndex, a: Reading, b: Reading, form: NormalForm): Link | null {
  const rowsA = index.rowsOf(a, form);
  const rowsB = index.rowsOf(b, form);
  const [small, large] = rowsA.size <= rowsB.size ? [rowsA, rowsB] : [rowsB, rowsA];
  if (!haveSomethingInCommon(small, large)) return null;
  const singles: Block[] = [];
  const manyA: Block[] = [];
  const manyB: Block[] = [];
  const repeated: Block[] = [];
  for (const value of small.keys()) {
    const block: Block = { a: rowsA.get(value) ?? [], b: rowsB.get(value) ?? [] };
    if (block.a.length === 0 || block.b.length === 0) continue;
    if (block.a.length === 1 && block.b.length === 1) singles.push(block);
    else if (block.b.length === 1) manyA.push(block);
    else if (block.a.length === 1) manyB.push(block);
    else repeated.push(block);
  }
  if (singles.length + manyA.length + manyB.length + repeated.length === 0) return null;
  return { a, b, form, singles, manyA, manyB, repeated };
}

interface Records {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
}

/** Most rows of a block that are compared one by one. A larger block does not show which records belong together. */
const MAX_BLOCK_ROWS = 200;

/** Returns each group as a pair: the net of its many records, and the single record with the same value. */
export function pseudoPairs(blocks: readonly Block[], records: Records, manySide: 'a' | 'b'): Pair[] {
  return blocks.flatMap((block) => {
    const rowsOf = (side: 'a' | 'b'): EngineRecord[] => block[side].flatMap((row) => records[side][row] ?? []);
    const [many, [single]] = manySide === 'a' ? [rowsOf('a'), rowsOf('b')] : [rowsOf('b'), rowsOf('a')];
    if (many.length === 0 || single === undefined) return [];
    const net = totalOf(many);
    if (net === null) return [];
    return [manySide === 'a' ? { a: net, b: single } : { a: single, b: net }];
  });
}

const amountKey = ({ amountMinor, decimalPlaces, currency }: EngineRecord): string => `${amountMinor} ${decimalPlaces} ${currency}`;

/** Groups of one side that share a value, each as a pair of its net and the nearest single record of that amount. */
interface CarriedPairs {
  readonly pairs: readonly Pair[];
  /** Number of values that several records share. */
  readonly groups: number;
  /** The most days between a record of a group and the single one. */
  readonly days: number;
}

/** More records of one value are a kind of records, not a batch. */
const MOST_OF_VALUE = 200;

/** Returns the groups that a reading of one side makes, whatever the other side says about their value. */
export function carriedPairs(rows: Rows, records: Records, manySide: 'a' | 'b', mostDays: number): CarriedPairs {
  const singles = Map.groupBy(manySide === 'a' ? records.b : records.a, amountKey);
  const pairs: Pair[] = [];
  let [groups, days] = [0, 0];
  for (const place of rows.values()) {
    const many = place.flatMap((row) => records[manySide][row] ?? []);
    const [first] = many;
    if (first === undefined || many.length < 2 || many.length > MOST_OF_VALUE) continue;
    groups += 1;
    const net = many.every(({ currency }) => currency === first.currency) ? totalOf(many) : null;
    if (net === null || net.amountMinor === 0) continue;
    const away = ({ day }: EngineRecord): number => Math.max(...many.map((each) => Math.abs(each.day - day)));
    const near = (singles.get(amountKey(net)) ?? []).filter((single) => away(single) <= mostDays);
    const [single] = near.toSorted((left, right) => away(left) - away(right));
    if (single === undefined) continue;
    days = Math.max(days, away(single));
    pairs.push(manySide === 'a' ? { a: net, b: single } : { a: single, b: net });
  }
  return { pairs, groups, days };
}

/** Returns the records whose amount occurs only once. */
function onlyOnes(records: readonly EngineRecord[]): Map<string, EngineRecord> {
  const seen = new Set<string>();
  const only = new Map<string, EngineRecord>();
  for (const record of records) {
    const key = amountKey(record);
    if (seen.has(key)) only.delete(key);
    else only.set(key, record);
    seen.add(key);
  }
  return only;
}

/** Returns pairs of records whose amount occurs once on each side. */
export function pairsByAmount(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): Pair[] {
  const onlyB = onlyOnes(sideB);
  return [...onlyOnes(sideA)].flatMap(([key, a]) => {
    const b = onlyB.get(key);
    return b === undefined ? [] : [{ a, b }];
  });
}

/** Returns, within values that recur on both sides, the pairs whose amount occurs once on each side. */
export function pairsInBlocks(blocks: readonly Block[], records: Records): Pair[] {
  return blocks.flatMap(({ a, b }) => {
    if (a.length > MAX_BLOCK_ROWS || b.length > MAX_BLOCK_ROWS) return [];
    return pairsByAmount(
      a.flatMap((row) => records.a[row] ?? []),
      b.flatMap((row) => records.b[row] ?? []),
    );
  });
}
