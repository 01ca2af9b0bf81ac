import { expect, test } from 'vitest';
import { packBook } from '../../../src-main/records/work/pack-stream.ts';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const BY_BATCH: RuleBody = {
  filters: {
    rules: [
      { key: 'metadata.batch', value: 'metadata.payout' },
      { key: 'amount', value: 'amount' },
    ],
  },
  cardinality: 'many_to_one',
  group_by: ['metadata.batch'],
  rollup: { group_by_kind: 'identifier' },
};

const SALES: LineInput[] = [
  { amount: 1_000, metadata: { batch: 'P1' } },
  { amount: 250 },
  { amount: 2_000, metadata: { batch: 'P1' } },
  { amount: 700, metadata: { batch: 'P2' } },
  { amount: 90, metadata: { batch: null } },
  { amount: 300, metadata: { batch: 'P2' } },
];
const PAYOUTS: LineInput[] = [{ amount: 3_000, metadata: { payout: 'P1' } }, { amount: 40 }, { amount: 999, metadata: { payout: 'P2' } }];

test('a run of batches reads only packed records with a batch, makes the same matches and counts all free records', async () => {
  const told: unknown[] = [];
  for (const isPacked of [false, true]) {
    const book = await openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: SALES, b: PAYOUTS }, [BY_BATCH]);
    if (isPacked) packBook(book.jobDatabase, { isStopped: () => false, onProgress: () => undefined }, { fewest: 1, most: 100 });
    const packs = book.database.prepare<[], { records: number }>('SELECT records FROM column_packs WHERE ready = 1').all();
    expect(packs.reduce((sum, { records }) => sum + records, 0)).toBe(isPacked ? SALES.length + PAYOUTS.length : 0);
    const run = await book.run(reconciliation.id);
    const { data } = await book.client.get('matches.list', { reconciliation_id: reconciliation.id });
    told.push(data.map(({ status, certainty, explanation }) => ({ status, certainty, explanation })));
    expect(run).toMatchObject({ status: 'completed', total_records: 9, examined_records: 9, matches: 1, matched_records: 3 });
    const held = book.database.prepare<[], { id: number }>('SELECT record_id AS id FROM match_records ORDER BY record_id').all();
    expect(held.map(({ id }) => id)).toEqual([aIds[0], aIds[2], bIds[0]]);
    const again = await book.run(reconciliation.id);
    expect(again).toMatchObject({ status: 'completed', total_records: 6, examined_records: 6, matches: 0 });
  }
  expect(told[1]).toEqual(told[0]);
});
