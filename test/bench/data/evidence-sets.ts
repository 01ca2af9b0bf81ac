import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Papa from 'papaparse';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { readStatement } from '../../../src-main/domain/statement/read.ts';
import { seeded } from './data.ts';

/** A pair of files with the links that belong together. */
export interface EvidenceSet {
  readonly name: string;
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
  /** Ids of A and B that belong together, as `a,b`. */
  readonly truth: ReadonlySet<string>;
  /** Percentage of difference that is allowed besides; null: none. */
  readonly percent: number | null;
}

const UNWATCHED = { onProgress: () => undefined, isCancelled: () => false };

/** The lines of a file as the product reads them, with ids from a number on. */
function recordsOf(file: string, streamKey: string, firstId: number): { readonly records: EngineRecord[]; readonly rows: number[] } {
  const reading = readStatement(readFileSync(file), { filename: path.basename(file), currency: 'GBP' }, UNWATCHED);
  if (!reading.ok) throw new Error(reading.error.message);
  const { lines, referenceField } = reading.value;
  const records = lines.map((line, place): EngineRecord => {
    const key = referenceField?.startsWith('metadata.') === true ? referenceField.slice(9) : null;
    const reference = key === null ? (referenceField === 'external_id' ? line.externalId : null) : (line.metadata[key] ?? null);
    return {
      id: firstId + place,
      amountMinor: line.amountMinor,
      decimalPlaces: line.decimalPlaces,
      direction: line.direction,
      day: line.day,
      valueDay: line.valueDay,
      currency: line.currency,
      description: line.description,
      externalId: line.externalId,
      streamKey,
      reference,
      metadata: line.metadata,
    };
  });
  return { records, rows: lines.map(({ row }) => row) };
}

function csv(file: string): Readonly<Record<string, string>>[] {
  return Papa.parse<Readonly<Record<string, string>>>(readFileSync(file, 'utf8'), { header: true, skipEmptyLines: true }).data;
}

const FIRST_OF_B = 10_000_000;

/** A folder with `ledger.csv`, `bank.csv` and `truth.csv`, whose ids are external ids. */
export function folderSet(folder: string, name: string, percent: number | null = null): EvidenceSet | null {
  if (!existsSync(path.join(folder, 'truth.csv'))) return null;
  const a = recordsOf(path.join(folder, 'ledger.csv'), 'ledger', 1);
  const b = recordsOf(path.join(folder, 'bank.csv'), 'bank', FIRST_OF_B);
  const idOf = (records: readonly EngineRecord[]): Map<string, number> =>
    new Map(records.map((record) => [record.externalId ?? String(record.metadata['transaction_id'] ?? ''), record.id]));
  const [idsA, idsB] = [idOf(a.records), idOf(b.records)];
  const truth = new Set<string>();
  for (const row of csv(path.join(folder, 'truth.csv'))) {
    truth.add(`${idsA.get(row['a'] ?? row['a_external_id'] ?? '')},${idsB.get(row['b'] ?? row['b_external_id'] ?? '')}`);
  }
  return { name, a: a.records, b: b.records, truth, percent };
}

/** The records left when so much of each side is taken away at random. */
export function thinned(set: EvidenceSet, share: number, sides: 'both' | 'a' | 'b', seed = 1): EvidenceSet {
  const random = seeded(seed);
  const keep = <T>(records: readonly T[], isThinned: boolean): readonly T[] =>
    isThinned ? records.filter(() => random() >= share) : records;
  return { ...set, a: keep(set.a, sides !== 'b'), b: keep(set.b, sides !== 'a') };
}

/** Returns the same set with its sides exchanged, as a book whose side A is the bank. */
export function turned({ name, a, b, truth, percent }: EvidenceSet): EvidenceSet {
  return {
    name: `${name}, turned`,
    a: b.map((record) => ({ ...record, streamKey: 'a' })),
    b: a.map((record) => ({ ...record, streamKey: 'b' })),
    truth: new Set([...truth].map((link) => link.split(',').toReversed().join(','))),
    percent,
  };
}

/** Of each true link one side is gone, at random: whatever is tied is wrong. */
export function withoutPartners(set: EvidenceSet, seed = 1): EvidenceSet {
  const random = seeded(seed);
  const dropped = new Set<number>();
  for (const link of set.truth) {
    const [a = 0, b = 0] = link.split(',').map(Number);
    if (!dropped.has(a) && !dropped.has(b)) dropped.add(random() < 0.5 ? a : b);
  }
  return { ...set, a: set.a.filter(({ id }) => !dropped.has(id)), b: set.b.filter(({ id }) => !dropped.has(id)) };
}
