import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Match, WouldBeMatch } from '../../../src-shared/contract/index.ts';
import { WOULD_BE_MATCHES } from '../../../src-shared/contract/matches/would-be-matches.ts';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

async function dryRun(book: QuietBook, reconciliationId: number) {
  const run = await book.client.get('runs.start', { id: reconciliationId, mode: 'dry_run' });
  book.work();
  return run;
}

/** What a match and a would-be match say in common. */
const said = ({ status, group_key, reconciliation_rule_id, record_count, difference, certainty, explanation }: Match | WouldBeMatch) => ({
  status,
  group_key,
  reconciliation_rule_id,
  record_count,
  difference,
  certainty,
  explanation,
});

test('a dry run keeps what a run then makes: the same matches, for the same reasons', async () => {
  const book = openQuietBook();
  const other = numbered(6, (index) => (index < 3 ? {} : { external_id: `y${index}` }));
  const { reconciliation } = await setUpPair(book.client, { a: numbered(6), b: other }, [BY_EXTERNAL_ID, BY_AMOUNT_PROPOSED]);
  const { id } = reconciliation;
  const run = await dryRun(book, id);
  expect((await book.client.get('matches.list', {})).total_count).toBe(0);
  const { data, has_more: hasMore } = await book.client.get('runs.would_be_matches', { id, run_id: run.id });
  expect([data.length, hasMore, new Set(data.map((match) => match.status)).size]).toEqual([6, false, 2]);
  await book.run(id);
  const made = (await book.client.get('matches.list', {})).data.toReversed();
  expect(data.map(said)).toEqual(made.map(said));
  for (const [position, match] of made.entries()) {
    const { data: records } = await book.client.get('matches.window', { reconciliation_id: id, status: match.status });
    const sided = records.find((group) => group.match.id === match.id)?.records ?? [];
    const idsOf = (side: 'a' | 'b') => sided.filter((record) => record.side === side).map((record) => record.id);
    expect(data[position]).toMatchObject({ side_a_record_ids: idsOf('a'), side_b_record_ids: idsOf('b') });
  }
  // What a dry run found stays what it was, whatever was made since.
  expect((await book.client.get('runs.would_be_matches', { id, run_id: run.id })).data).toEqual(data);
});

test('pages hold every would-be match once, in order', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(9), b: numbered(9) });
  const { id } = reconciliation;
  const { id: runId } = await dryRun(book, id);
  const whole = (await book.client.get('runs.would_be_matches', { id, run_id: runId, limit: 100 })).data;
  expect(whole).toHaveLength(9);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 10 }), async (limit) => {
      const seen: WouldBeMatch[] = [];
      let cursor: string | null | undefined;
      while (cursor !== null) {
        const page = await book.client.get('runs.would_be_matches', {
          id,
          run_id: runId,
          limit,
          ...(cursor === undefined ? {} : { cursor }),
        });
        const same = await book.client.get('runs.would_be_matches', { id, run_id: runId, limit, offset: seen.length });
        expect(same.data).toEqual(page.data);
        seen.push(...page.data);
        cursor = page.next_cursor;
      }
      expect(seen).toEqual(whole);
    }),
    { numRuns: 10 },
  );
});

test('a dry run keeps the first thousand and counts all', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: [], b: [] });
  const { id } = reconciliation;
  const count = WOULD_BE_MATCHES + 3;
  const items = Array.from({ length: count }, (_, index) => bulkItem({ external_id: `x${index}` }));
  for (const key of ['ledger', 'bank']) {
    const records = items.map((item) => ({ ...item, data_stream_key: key }));
    for (const part of [records.slice(0, 1_000), records.slice(1_000)]) await sendBulk(book, { records: part });
  }
  const { id: runId } = await dryRun(book, id);
  expect(await book.client.get('runs.get', { id, run_id: runId })).toMatchObject({ matches: count, mode: 'dry_run', status: 'completed' });
  const last = await book.client.get('runs.would_be_matches', { id, run_id: runId, limit: 100, offset: WOULD_BE_MATCHES - 1 });
  expect([last.data.length, last.has_more]).toEqual([1, false]);
});

test('only a dry run of this reconciliation has would-be matches', async () => {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, { a: numbered(1), b: numbered(1) });
  const { id } = reconciliation;
  const run = await book.run(id);
  expect(await book.client.refusal('runs.would_be_matches', { id, run_id: run.id })).toEqual({
    code: 'conflict',
    message: `Run ${run.id} is no dry run: what it matched stands among the matches of the reconciliation.`,
  });
  expect(await book.client.refusal('runs.would_be_matches', { id, run_id: 9 })).toMatchObject({ code: 'not_found' });
  expect(await book.client.refusal('runs.would_be_matches', { id: 9, run_id: run.id })).toMatchObject({ code: 'not_found' });
  expect(await book.testEnvironment.refusal('runs.would_be_matches', { id, run_id: run.id })).toMatchObject({ code: 'not_found' });
  const { id: other } = await book.client.get('runs.start', { id, mode: 'dry_run' });
  expect((await book.client.get('runs.would_be_matches', { id, run_id: other })).data).toEqual([]);
});
