import type { SyncConflictLine, SyncConflictSide } from '../../../src-shared/contract/index.ts';
import type { ConflictDetail, ConflictRecord, ConflictSide } from '../store/conflict-detail.ts';

type Money = SyncConflictLine['money'];

/** Which side of the reconciliation each stream is on, by key; empty where there is no reconciliation. */
export type SidesByStream = ReadonlyMap<string, 'a' | 'b'>;

export function moneyOf({ amount, currency, decimal_places }: Pick<ConflictRecord, 'amount' | 'currency' | 'decimal_places'>): Money {
  return { amount, currency, decimal_places };
}

const isSame = (one: ConflictRecord, other: ConflictRecord): boolean =>
  one.local_id !== null &&
  one.local_id === other.local_id &&
  one.amount === other.amount &&
  one.date === other.date &&
  one.description === other.description;

function lineOf(record: ConflictRecord, others: readonly ConflictRecord[], sides: SidesByStream): SyncConflictLine {
  return {
    side: sides.get(record.stream) ?? null,
    record_id: record.local_id,
    date: record.date,
    description: record.description,
    reference: record.external_id,
    money: moneyOf(record),
    differs: !others.some((other) => isSame(record, other)),
  };
}

/** Sum of the lines of a side; null where they have several currencies or scales. */
export function sumOf(records: readonly ConflictRecord[]): Money | null {
  const [first] = records;
  if (first === undefined) return null;
  const isAlike = records.every((each) => each.currency === first.currency && each.decimal_places === first.decimal_places);
  return isAlike ? { ...moneyOf(first), amount: records.reduce((sum, { amount }) => sum + amount, 0) } : null;
}

/** How the lines of a match add up; `sign` is -1 where the two sides have the same sign. */
function sumsOf(side: ConflictSide, sides: SidesByStream, sign: 1 | -1): SyncConflictSide['sums'] {
  const of = (name: 'a' | 'b') => side.records.filter(({ stream }) => sides.get(stream) === name);
  const [a, b] = [sumOf(of('a')), sumOf(of('b'))];
  if (a === null || b === null || a.currency !== b.currency || a.decimal_places !== b.decimal_places) return [];
  const rest = a.amount + sign * b.amount;
  const booked = side.adjustment === null ? [] : [{ label: bookedWords(side.adjustment), money: { ...a, amount: -rest } }];
  return [
    { label: `Side A, ${countWords(of('a').length)}`, money: a },
    ...booked,
    { label: `${sign === -1 ? 'Less' : 'With'} side B, ${countWords(of('b').length)}`, money: { ...b, amount: sign * b.amount } },
    { label: 'Left over', money: { ...a, amount: side.adjustment === null ? rest : 0 } },
  ];
}

const bookedWords = (words: string): string => (words === '' ? 'Booked as a difference' : `Booked as a difference: ${words}`);

export function countWords(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'}`;
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  amount_cents: 'amount',
  external_id: 'reference',
  decimal_places: 'decimals',
  side_a: 'side A',
  side_b: 'side B',
};

function fieldsOf(side: ConflictSide, other: ConflictSide): SyncConflictSide['fields'] {
  const words = new Map(other.fields.map((field) => [field.name, field.words]));
  return side.fields
    .filter((field) => field.words !== 'null' || (words.get(field.name) ?? 'null') !== 'null')
    .map((field) => ({
      name: FIELD_NAMES[field.name] ?? field.name.replaceAll('_', ' '),
      words: field.words === 'null' ? 'none' : field.words,
      differs: !other.gone && words.get(field.name) !== field.words,
    }));
}

interface Shown {
  readonly sides: SidesByStream;
  readonly sign: 1 | -1;
  /** Who did it in the book, and when. */
  readonly by: { readonly words: string; readonly at: string } | null;
}

/** Both sides, each with what the other has not, or otherwise. */
export function sidesOf({ here, there }: ConflictDetail, { sides, sign, by }: Shown): { here: SyncConflictSide; there: SyncConflictSide } {
  const view = (own: ConflictSide, other: ConflictSide): SyncConflictSide => ({
    by: null,
    at: null,
    is_gone: own.gone,
    // Of a record its fields tell what its line would.
    lines: own.fields.length > 0 ? [] : own.records.map((record) => lineOf(record, other.records, sides)),
    fields: fieldsOf(own, other),
    sums: own.fields.length > 0 ? [] : sumsOf(own, sides, sign),
  });
  return { here: { ...view(here, there), by: by?.words ?? null, at: by?.at ?? null }, there: view(there, here) };
}
