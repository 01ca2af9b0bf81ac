import { describe, expect, test } from 'vitest';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { BY_AMOUNT, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const BATCHES: RuleBody = {
  filters: {
    rules: [
      { key: 'metadata.batch_id', value: 'metadata.batch_ref' },
      { key: 'amount', value: 'amount', tolerance_amount: 5 },
    ],
  },
  cardinality: 'many_to_one',
  group_by: ['metadata.batch_id'],
  rollup: { group_by_kind: 'identifier' },
};
const TAKINGS: RuleBody = {
  filters: { rules: [{ key: 'signed_amount', value: 'signed_amount' }] },
  cardinality: 'many_to_one',
  group_by: ['date', 'metadata.store'],
  rollup: { group_by_kind: 'date', lookback_days: 3, date_field: 'date' },
};

function batch(count: number, id: string): LineInput[] {
  return Array.from({ length: count }, (_, index) => ({ amount: 100 + index, direction: 'credit', metadata: { batch_id: id } }));
}

async function bookWith(lines: { a: readonly LineInput[]; b: readonly LineInput[] }, rules: readonly RuleBody[]) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, lines, rules);
  return { ...book, ...pair, id: pair.reconciliation.id };
}

describe('a run with a rule of many to one', () => {
  test('matches a batch of hundreds with its line, explains it, and counts every record', async () => {
    const sum = 250 * 100 + (249 * 250) / 2;
    const { client, run, id, aIds, bIds } = await bookWith(
      { a: [...batch(250, 'B-7'), { amount: 9 }], b: [{ amount: sum - 3, metadata: { batch_ref: 'B-7' } }, { amount: sum }] },
      [BATCHES],
    );
    const done = await run(id);
    expect(Object.values(done.rule_summary)).toEqual([{ matches: 1, records: 251, proposed: 0, elapsed_ms: expect.any(Number) as number }]);
    expect(done).toMatchObject({ matches: 1, matched_records: 251, matched_side_a: 250, matched_side_b: 1 });
    const { data } = await client.get('matches.list', { reconciliation_id: id });
    expect(data).toMatchObject([{ group_key: 'B-7', record_count: 251, difference: 3, certainty: 'unique', status: 'matched' }]);
    expect(data[0]?.explanation).toEqual([
      '250 records of batch id B-7 sum to 561.25 USD.',
      'Batch id B-7 on side A equals batch ref B-7 on side B.',
      'Amount 561.25 USD and 561.22 USD are 0.03 apart (allowed: 0.05).',
    ]);
    const first = await client.get('records.get', { id: aIds[0] ?? 0 });
    expect(first).toMatchObject({ status: 'reconciled', matched_records_total: 250 });
    expect(first.matched_records).toHaveLength(100);
    expect(await client.get('records.get', { id: bIds[1] ?? 0 })).toMatchObject({ status: 'unreconciled' });
  });

  test('does not repeat a group that a person separated', async () => {
    const { client, run, id } = await bookWith({ a: batch(3, 'B-1'), b: [{ amount: 303, metadata: { batch_ref: 'B-1' } }] }, [BATCHES]);
    await run(id);
    const { data } = await client.get('matches.list', { reconciliation_id: id });
    await client.get('matches.remove', { id: data[0]?.id ?? 0 });
    expect(await run(id)).toMatchObject({ matches: 0, proposed_matches: 0 });
  });

  test('adds up the days of a store, and leaves contested sums to a person', async () => {
    const line = (date: string, amount: number, store: string): LineInput => ({ date, amount, metadata: { store } });
    const { client, run, work, id } = await bookWith(
      {
        a: [
          line('2026-06-05', 100, 'north'),
          line('2026-06-06', 250, 'north'),
          line('2026-06-08', 50, 'north'),
          line('2026-06-06', 700, 'south'),
          line('2026-06-06', 33, ''),
        ],
        b: [line('2026-06-08', 400, 'north'), line('2026-06-08', 700, 'south'), line('2026-06-09', 700, 'south')],
      },
      [TAKINGS, BY_AMOUNT],
    );
    const dry = await client.get('runs.start', { id, mode: 'dry_run' });
    work();
    const wouldBe = await client.get('runs.would_be_matches', { id, run_id: dry.id });
    expect(wouldBe.data.map(({ record_count: count, group_key: key }) => [count, key])).toEqual([
      [4, '2026-06-05..2026-06-08|north'],
      [2, '2026-06-06|south'],
    ]);
    const done = await run(id);
    const [takings, amounts] = Object.values(done.rule_summary);
    expect(takings).toMatchObject({ matches: 1, records: 4, proposed: 1 });
    // What is proposed is held back from the next rule.
    expect(amounts).toMatchObject({ matches: 0, proposed: 0 });
    const { data } = await client.get('matches.list', { reconciliation_id: id });
    expect(data.map(({ group_key, certainty, status }) => [group_key, certainty, status]).toSorted()).toEqual([
      ['2026-06-05..2026-06-08|north', 'unique', 'matched'],
      ['2026-06-06|south', 'contested', 'proposed'],
    ]);
    const north = data.find((match) => match.certainty === 'unique');
    expect(north?.explanation).toEqual([
      '3 records of 2026-06-05 to 2026-06-08, store north sum to 4.00 USD.',
      'They lie up to 3 days before 2026-06-08, the date on side B (allowed: 3).',
      'Signed amount 4.00 USD equals 4.00 USD.',
      'Store north is equal on both sides.',
    ]);
  });
});

describe('a preview of a rule of many to one', () => {
  test('shows its plan and the number of groups that only the window excludes', async () => {
    const { client, id } = await bookWith(
      {
        a: [...batch(2, 'B-1'), ...batch(2, 'B-2')],
        b: [
          { amount: 201, metadata: { batch_ref: 'B-1' } },
          { amount: 201, date: '2026-07-30', metadata: { batch_ref: 'B-2' } },
        ],
      },
      [],
    );
    const rollup = { group_by_kind: 'identifier' as const, lookback_days: 30, date_field: 'date' };
    const found = await client.get('rules.preview', { reconciliation_id: id, ...BATCHES, rollup });
    expect(found).toMatchObject({ matches: 1, matched_a: 2, matched_b: 1, outside_window: 1 });
    expect(found.plan.slice(0, 2)).toEqual([
      "Sum side A's records with equal batch id.",
      'Test on each group: its date from the date on side B up to 30 days back.',
    ]);
    expect(found.sample[0]).toMatchObject({ record_count: 3, group_key: 'B-1' });
  });

  test('without a time bound, more than 366 days of a segment are refused', async () => {
    const days = (count: number): LineInput[] =>
      Array.from({ length: count }, (_, index) => ({
        amount: 100,
        date: new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
      }));
    const unbound = { ...TAKINGS, group_by: ['date'], rollup: { group_by_kind: 'date' as const } };
    const { client, id, run } = await bookWith({ a: days(367), b: [{ amount: 100 }] }, [unbound]);
    const refused = await client.refusal('rules.preview', { reconciliation_id: id, ...unbound, priority: 1 });
    expect(refused).toMatchObject({ code: 'invalid_rule', errors: [{ path: 'rollup.lookback_days' }] });
    expect(refused.message).toContain('367 different days (the limit is 366)');
    const done = await run(id);
    expect(done).toMatchObject({ status: 'failed', error_message: refused.message.replace('The rule', 'Rule 1') });
  });
});
