import { expect } from 'vitest';
import { matchRecords } from '../../../src-main/domain/matching/engine.ts';
import type { EngineRule } from '../../../src-main/domain/matching/index.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import type { Engine } from '../../../src-main/warehouse/engine.ts';
import { STREAM } from '../../../src-main/warehouse/lines.ts';
import type { RunLimits } from '../../../src-main/warehouse/run.ts';
import type { Certainty, SignConvention } from '../../../src-shared/contract/index.ts';
import { UNWATCHED } from '../inputs/matching-records.ts';
import { type Brought, broughtBy, makeSides } from './tables.ts';

export interface Book {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
}

/** Returns records as a table can hold them: texts, and the decimal places of the currency. Lines are numbered in the order of the tables. */
export function asLines(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): Book {
  const filled = (text: unknown): string | null => (typeof text === 'string' && text.trim() !== '' ? text : null);
  const lines = (records: readonly EngineRecord[], side: 'a' | 'b', first: number): EngineRecord[] =>
    records.map((record, index) => ({
      ...record,
      id: first + index,
      currency: record.decimalPlaces === 3 ? 'BHD' : record.currency,
      streamKey: STREAM[side],
      direction: record.amountMinor === 0 ? 'credit' : record.direction,
      description: filled(record.description),
      reference: filled(record.reference),
      externalId: filled(record.externalId),
      metadata: Object.fromEntries(
        Object.entries(record.metadata).flatMap(([name, value]) => (filled(value) === null ? [] : [[name, value]])),
      ),
    }));
  return { a: lines(sideA, 'a', 1), b: lines(sideB, 'b', 1 + sideA.length) };
}

/** Returns records for an engine that has no order of rows: it numbers lines in the order of their ids, which begin with the number here. */
export function inOrder(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): Book {
  const numbered = (record: EngineRecord): EngineRecord => ({
    ...record,
    externalId: `${String(record.id).padStart(6, '0')}${record.externalId ?? ''}`,
  });
  const { a, b } = asLines(sideA, sideB);
  return { a: a.map(numbered), b: b.map(numbered) };
}

function sorted(texts: readonly string[]): string[] {
  return [...texts].toSorted();
}

/** Returns what the engine at home finds, or why it refuses the rules. */
function atHome(
  book: Book,
  rules: readonly EngineRule[],
  signConvention: SignConvention,
  status?: 'matched' | 'proposed',
): string[] | string {
  const input = { sideA: book.a, sideB: book.b, rules, signConvention, types: UNDECLARED, separations: new Set<string>() };
  const found = matchRecords(input, UNWATCHED);
  if (!found.ok) return found.error.message;
  const wanted = found.value.matches.filter((match) => status === undefined || match.status === status);
  return sorted(wanted.map((match) => wordsOf(match.ruleId, match.aIds, match.bIds, match.certainty, match.differenceMinor)));
}

function wordsOf(rule: number, a: readonly number[], b: readonly number[], certainty: Certainty, difference: number): string {
  const ids = (of: readonly number[]): string => [...of].toSorted((left, right) => left - right).join('+');
  return `${rule}: ${ids(a)} = ${ids(b)} ${certainty} ${difference}`;
}

function there({ matches }: Brought, isHome?: boolean): string[] {
  const wanted = matches.filter((match) => isHome === undefined || match.isHome === isHome);
  return sorted(wanted.map((match) => wordsOf(match.ruleId, match.aLines, match.bLines, match.certainty, match.difference)));
}

/** Every block is compared there, some are, or none is. */
export const WAYS: readonly RunLimits[] = [
  { pairsOfBlock: 1_000, linesAtOnce: 10, linesOfBlock: 1_000 },
  { pairsOfBlock: 4, linesAtOnce: 3, linesOfBlock: 1_000 },
  { pairsOfBlock: 1, linesAtOnce: 1, linesOfBlock: 1_000 },
];

export interface Opened {
  /** Runs work on an engine without tables. */
  readonly use: <T>(work: (engine: Engine) => Promise<T>) => Promise<T>;
  readonly stop: () => Promise<void> | void;
  /** Whether the tables of both sides are there already, empty, and what is written to them is taken back after the work. */
  readonly hasTables?: boolean;
}

export async function expectSame(
  { use, hasTables = false }: Opened,
  book: Book,
  rules: readonly EngineRule[],
  convention: SignConvention,
  limits: RunLimits,
): Promise<Brought | null> {
  const wanted = atHome(book, rules, convention);
  // A rule that the engine at home refuses is refused in each way.
  if (typeof wanted === 'string') return null;
  return use(async (engine) => {
    await makeSides(engine, book, hasTables);
    const brought = await broughtBy(engine, rules, convention, limits);
    expect(there(brought)).toEqual(wanted);
    // What is settled there, and what the book then finds in the lines that came home, are all matches.
    const again = atHome(brought.open, rules, convention);
    expect(sorted([...there(brought, false), ...again])).toEqual(wanted);
    return brought;
  });
}
