import { expect, test } from 'vitest';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';

const compare = (book: QuietBook, id: number, runId: number, withRunId: number, part: 'only_run' | 'only_with' | 'both' = 'only_run') =>
  book.client.get('runs.compare', { id, run_id: runId, with_run_id: withRunId, part });

/** Five lines a side, of which the first run matches five pairs, and a person takes one apart. */
async function openTwoRuns() {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(5), b: numbered(5) });
  const first = await book.run(reconciliation.id);
  expect(first.matches).toBe(5);
  return { book, id: reconciliation.id, aIds, bIds, first };
}

test('two runs of the same lines agree in all of them, and an undone run is still compared', async () => {
  const { book, id, first, aIds, bIds } = await openTwoRuns();
  expect(await book.client.get('runs.undo', { id, run_id: first.id })).toMatchObject({ matches: 5 });
  const second = await book.run(id);
  const both = await compare(book, id, first.id, second.id, 'both');
  expect(both).toMatchObject({ both: 5, only_run: 0, only_with: 0, not_compared_run: 0, not_compared_with: 0, total_count: 5 });
  expect(both.data[0]).toMatchObject({ fate: 'same', record_count: 2 });
  expect(both.data[0]?.records.map((record) => [record.side, record.id])).toEqual([
    ['a', aIds[0]],
    ['b', bIds[0]],
  ]);
});

test('says what one run matched that the other did not, by rule, and why', async () => {
  const { book, id, first, aIds, bIds } = await openTwoRuns();
  const [rule] = await book.client.get('rules.list', { reconciliation_id: id });
  await book.client.get('runs.undo', { id, run_id: first.id });
  // A person's match holds a line of each of two pairs, so that these two cannot be made again.
  await book.client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[0] ?? 0, bIds[1] ?? 0] });
  const second = await book.run(id);
  const gone = await compare(book, id, first.id, second.id);
  expect(gone).toMatchObject({ both: 3, only_run: 2, only_with: 0, total_count: 2 });
  expect(gone.rules).toEqual([{ rule_id: rule?.id, both: 3, only_run: 2, only_with: 0 }]);
  expect(gone.data.map(({ fate }) => fate)).toEqual(['open', 'open']);
  const back = await compare(book, id, second.id, first.id, 'only_with');
  expect(back.data.map(({ records }) => records.map((record) => record.id))).toEqual(
    gone.data.map(({ records }) => records.map((record) => record.id)),
  );
  expect(await book.client.get('runs.compare', { id, run_id: first.id, with_run_id: second.id, rule_id: 99 })).toMatchObject({
    total_count: 0,
    only_run: 2,
  });
});

test('a run that matched nothing new left alone what was matched or not imported yet', async () => {
  const { book, id, first } = await openTwoRuns();
  const second = await book.run(id);
  const { data, only_run: only } = await compare(book, id, first.id, second.id);
  expect([only, ...new Set(data.map(({ fate }) => fate))]).toEqual([5, 'held']);
});

test('a dry run is compared by what it kept, and what a person took apart still counts for the run', async () => {
  const { book, id, first } = await openTwoRuns();
  const [match] = (await book.client.get('matches.list', { reconciliation_id: id })).data;
  await book.client.get('matches.remove', { id: match?.id ?? 0 });
  expect(await book.client.get('runs.undo_plan', { id, run_id: first.id })).toEqual({
    matches: 4,
    records: 8,
    closed: 0,
    confirmed: 0,
    proposals: 0,
    gone: 1,
  });
  await book.client.get('runs.undo', { id, run_id: first.id });
  const dry = await book.client.get('runs.start', { id, mode: 'dry_run' });
  book.work();
  const { both, only_run: only, not_compared_run: unknown } = await compare(book, id, first.id, dry.id);
  expect({ both, only, unknown }).toEqual({ both: 4, only: 1, unknown: 0 });
});

test('a line that was deleted since is missing from its match', async () => {
  const { book, id, first, aIds } = await openTwoRuns();
  await book.client.get('runs.undo', { id, run_id: first.id });
  await book.client.get('records.remove', { id: aIds[4] ?? 0 });
  const second = await book.run(id);
  const { data } = await compare(book, id, first.id, second.id);
  expect(data.map(({ record_count: count, records }) => [count, records.map(({ side }) => side)])).toEqual([[2, ['b']]]);
});

test('refuses runs that are not there or matched nothing', async () => {
  const { book, id, first } = await openTwoRuns();
  expect(await book.client.refusal('runs.compare', { id, run_id: 99, with_run_id: first.id })).toMatchObject({ code: 'not_found' });
  expect(await book.client.refusal('runs.compare', { id, run_id: first.id, with_run_id: 99 })).toMatchObject({ code: 'unknown_reference' });
  expect(await book.client.refusal('runs.undo_plan', { id, run_id: 99 })).toMatchObject({ code: 'not_found' });
  await book.client.get('runs.undo', { id, run_id: first.id });
  expect(await book.client.refusal('runs.undo_plan', { id, run_id: first.id })).toMatchObject({ code: 'conflict' });
});
