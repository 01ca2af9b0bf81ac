import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SpillRoom } from '../../../src-main/domain/collections/spilled-counts.ts';
import { TextCounts } from '../../../src-main/domain/collections/text-counts.ts';
import { dedupeKeys, DedupeKeys } from '../../../src-main/domain/statement/duplicates/duplicates.ts';
import type { RejectedRow, StatementLine } from '../../../src-main/domain/statement/model/statement.ts';
import { readLarge } from '../../../src-main/domain/statement/read.ts';
import type { OpenStatement } from '../../../src-main/domain/statement/passes/read-table.ts';
import { runs } from '../../support/long.ts';

/** Room beside memory that is memory, and tells how much of it is open still. */
class MemorySpill implements SpillRoom {
  readonly heldTexts: number;
  opened = 0;
  closed = 0;

  constructor(heldTexts: number) {
    this.heldTexts = heldTexts;
  }

  readonly open = () => {
    let bytes = new Uint8Array(1_024);
    let length = 0;
    let isOpen = true;
    this.opened += 1;
    return {
      write: (written: Uint8Array, at: number) => {
        if (!isOpen || at !== length) throw new RangeError('written where there is no end');
        length += written.length;
        if (length > bytes.length) {
          const longer = new Uint8Array(2 * length);
          longer.set(bytes);
          bytes = longer;
        }
        bytes.set(written, at);
      },
      read: (into: Uint8Array, at: number) => {
        if (!isOpen || at + into.length > length) throw new RangeError('read what was never written');
        into.set(bytes.subarray(at, at + into.length));
      },
      close: () => {
        if (!isOpen) throw new Error('closed twice');
        isOpen = false;
        this.closed += 1;
      },
    };
  };
}

test('texts that are spilled are counted as a map counts them', () => {
  let mostOpened = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 400 }), fc.integer(), (held, words, seed) => {
      const spill = new MemorySpill(held);
      const counts = new TextCounts(spill);
      const expected = new Map<string, number>();
      const wrong: string[] = [];
      let state = seed;
      for (let index = 0; index < 800; index += 1) {
        state = (Math.imul(state, 1_103_515_245) + 12_345) | 0;
        // One word in three is one of few, which are there more often than a byte counts.
        const word = index % 3 === 0 ? `fee ${(state >>> 16) % 2}` : `id ${(state >>> 16) % words}`;
        expected.set(word, (expected.get(word) ?? 0) + 1);
        if (counts.add(word) !== expected.get(word)) wrong.push(word);
      }
      counts.close();
      mostOpened = Math.max(mostOpened, spill.opened);
      expect(wrong).toEqual([]);
      expect(spill.closed).toBe(spill.opened);
    }),
    { numRuns: runs(60, 15) },
  );
  // Tables were made into one, again and again.
  expect(mostOpened).toBeGreaterThan(100);
});

test('very many texts are counted where a few thousand are held', () => {
  const spill = new MemorySpill(3_000);
  const counts = new TextCounts(spill);
  const wrong: number[] = [];
  for (let index = 0; index < 90_000; index += 1) if (counts.add(`id ${index}`) !== 1) wrong.push(index);
  for (let index = 0; index < 90_000; index += 7) if (counts.add(`id ${index}`) !== 2) wrong.push(index);
  counts.close();
  expect(wrong).toEqual([]);
  expect(spill.opened).toBeGreaterThan(30);
});

const quiet = { onProgress: (): void => undefined, isCancelled: (): boolean => false };

/** What a file says that is read in stretches, with the keys of its lines. */
function readIn(bytes: Uint8Array, spill?: SpillRoom) {
  const source = { byteLength: bytes.length, head: bytes, stretches: () => [bytes] };
  const lines: StatementLine[] = [];
  const rejected: RejectedRow[] = [];
  const taken: string[] = [];
  let dropped = 0;
  const keys = { all: new DedupeKeys(spill) };
  const note = (built: Parameters<Parameters<OpenStatement['read']>[1]>[0]): void => {
    for (const { line, rejected: one } of built) {
      if (line !== null) taken.push(keys.all.next(line));
      if (line !== null) lines.push(line);
      else if (one !== null) rejected.push(one);
    }
  };
  const drop = (): void => {
    dropped += 1;
    keys.all.close();
    keys.all = new DedupeKeys(spill);
    for (const list of [lines, rejected, taken]) list.length = 0;
  };
  const large = readLarge(source, { filename: 'a.csv', currency: 'EUR', spill }, quiet, { take: note, drop });
  if (!large.ok || large.value === null) throw new Error('not a table');
  const { read, taken: early, ...facts } = large.value;
  const statement = early ?? read(quiet, note);
  keys.all.close();
  return { facts, dropped, wasEarly: early !== null, statement, lines, rejected, taken };
}

const FIRST = 4_000;

/** Rows of which some stand there again; those behind the first four thousand are read as these show. */
const rows = fc.record({
  hasIds: fc.boolean(),
  repeats: fc.array(fc.tuple(fc.nat(FIRST + 300), fc.nat(FIRST + 300)), { maxLength: 4 }),
  twins: fc.array(fc.tuple(fc.nat(FIRST + 300), fc.nat(FIRST + 300)), { maxLength: 40 }),
  bad: fc.array(fc.nat(FIRST + 300), { maxLength: 3 }),
  held: fc.integer({ min: 50, max: 1_000 }),
});

test('a table whose ids and rows are spilled is read and keyed as one whose are held', () => {
  fc.assert(
    fc.property(rows, ({ hasIds, repeats, twins, bad, held }) => {
      const ids = Array.from({ length: FIRST + 301 }, (_, at) => `id-${at}`);
      for (const [from, to] of repeats) ids[to] = ids[from] ?? '';
      const cells = Array.from({ length: FIRST + 301 }, (_, at) => `2026-06-${(at % 20) + 10},Line ${at},${at % 90}.50`);
      for (const [from, to] of twins) cells[to] = cells[from] ?? '';
      for (const at of bad) cells[at] = `2026-06-31,Line ${at},1.00`;
      const text = cells.map((cell, at) => (hasIds ? `${cell},${ids[at] ?? ''}` : cell)).join('\n');
      const bytes = new TextEncoder().encode(`Date,Description,Amount${hasIds ? ',ID' : ''}\n${text}\n`);
      const spill = new MemorySpill(held);
      const found = readIn(bytes, spill);
      expect(found).toEqual(readIn(bytes));
      expect(found.taken).toEqual(dedupeKeys(found.lines));
      expect(spill.opened).toBeGreaterThan(0);
      expect(spill.closed).toBe(spill.opened);
    }),
    { numRuns: runs(25) },
  );
});
