import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordItem } from '../../../src-shared/contract/index.ts';
import { matchDifference } from '../../../src-shared/values/balancing.ts';
import { countAdjustments } from '../../support/books/adjusted.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';
import { type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { runs } from '../../support/long.ts';

const line: fc.Arbitrary<LineInput> = fc.record({
  amount: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 10_000_000_000 })),
  direction: fc.constantFrom('credit', 'debit'),
  decimal_places: fc.constantFrom(0, 2, 2, 2, 3),
  date: fc.constantFrom('2026-06-10', '2026-06-11', '2026-07-02'),
});
const sides = fc
  .record({
    a: fc.array(line, { maxLength: 4 }),
    b: fc.array(line, { maxLength: 4 }),
    convention: fc.constantFrom('any' as const, 'same' as const, 'opposite' as const),
  })
  .filter(({ a, b }) => a.length + b.length >= 2);

/** Every row but what only grows: the log, what undo remembers, and the stream that stays. */
function bodyOf(book: QuietBook): unknown {
  const { streams = [], ...tables } = dumpBook(book.database, ['audit_log', 'dissolved_matches', 'separations', 'undo_entries']);
  return { ...tables, streams: streams.filter((stream) => (stream as { key: string }).key !== 'adjustments') };
}

const members = (rows: readonly RecordItem[], side: 'a' | 'b') =>
  rows.map(({ amount, direction, decimal_places }) => ({ side, amount, direction: direction === 'credit' ? 1 : 0, decimal_places }));

test('with an adjustment every match balances, and without the match the book is what it was', async () => {
  await fc.assert(
    fc.asyncProperty(sides, fc.constantFrom('matches.remove' as const, 'matches.undo_create' as const), async (given, undo) => {
      const book = openQuietBook();
      const { client, database } = book;
      const { a, b, aIds, bIds, reconciliation } = await setUpPair(client, given, [], given.convention);
      const { id: reconciliation_id } = reconciliation;
      const before = bodyOf(book);
      const difference = matchDifference([...members(a, 'a'), ...members(b, 'b')], given.convention) ?? Number.NaN;
      const match = await client.get('matches.create', { reconciliation_id, record_ids: [...aIds, ...bIds], create_adjustment: true });
      const made = difference === 0 ? 0 : 1;
      expect(match).toMatchObject({ difference: 0, record_count: a.length + b.length + made });
      expect(countAdjustments(database)).toEqual({ all: made, loose: 0 });
      const { data: records } = await client.get('records.list', { reconciliation_match_id: match.id });
      const lines = [...a, ...b];
      const adjustment = { amount: Math.abs(difference), decimal_places: Math.max(...lines.map((row) => row.decimal_places)) };
      const latest = lines
        .map((row) => row.date)
        .toSorted()
        .at(-1);
      expect(records.filter((row) => row.data_stream_key === 'adjustments')).toMatchObject(
        made === 0 ? [] : [{ ...adjustment, date: latest }],
      );
      const { side_a: sideA, side_b: sideB } = await client.get('reconciliations.summary', { id: reconciliation_id });
      expect([sideA.matched, sideA.unmatched, sideB.matched, sideB.unmatched]).toEqual([a.length, 0, b.length, 0]);
      const matched = bodyOf(book);
      await client.get('matches.remove', { id: match.id });
      expect(bodyOf(book)).toEqual(before);
      await client.get('matches.restore', { id: match.id });
      expect(bodyOf(book)).toEqual(matched);
      await client.get(undo, { id: match.id });
      expect(bodyOf(book)).toEqual(before);
    }),
    { numRuns: runs(60) },
  );
});
