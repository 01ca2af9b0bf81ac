import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

async function pairOf(count: number) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(count), b: numbered(count) }, [BY_EXTERNAL_ID]);
  return { book, client: book.client, id: pair.reconciliation.id, a: pair.a, b: pair.b };
}

const matchCount = async ({ client }: Pick<QuietBook, 'client'>): Promise<number> => (await client.get('matches.list', {})).total_count;
const labels = async ({ client }: Pick<QuietBook, 'client'>) => {
  const { undo, redo } = await client.get('undo.list', {});
  return { undo: undo.map(({ label }) => label), redo: redo.map(({ label }) => label) };
};

test('a run is undone as one change, except what a person confirmed or separated since', async () => {
  const { book, client, id } = await pairOf(4);
  const run = await book.run(id);
  expect(await labels(book)).toEqual({ undo: [`Run ${run.id} matched 4 groups of lines`], redo: [] });
  const [first] = (await client.get('matches.list', {})).data;
  await client.get('matches.remove', { id: present(first, 'match').id });
  const { undo } = await client.get('undo.list', {});
  expect(await client.get('undo.take_back', { id: present(undo[1], 'run').id })).toMatchObject({ can_redo: false });
  expect(await matchCount(book)).toBe(0);
  expect(await client.get('runs.get', { id, run_id: run.id })).toMatchObject({ matches: 4, undone_at: expect.any(String) });
  expect(await labels(book)).toEqual({ undo: ['Unmatched 2 lines'], redo: [] });
  // The match that a person took apart comes back alone: its records are free.
  await client.get('undo.take_back', {});
  expect(await matchCount(book)).toBe(1);
  expect(await client.call('runs.undo', { id, run_id: run.id })).toMatchObject({ ok: false, error: { code: 'conflict' } });
});

test('a run is undone once, and not while another one is in progress', async () => {
  const { book, client, id } = await pairOf(2);
  const run = await book.run(id);
  const other = await client.get('runs.start', { id, mode: 'dry_run' });
  expect(await client.call('undo.take_back', {})).toMatchObject({ ok: false, error: { code: 'conflict' } });
  expect(await labels(book)).toMatchObject({ undo: [`Run ${run.id} matched 2 groups of lines`] });
  await client.get('runs.cancel', { id, run_id: other.id });
  await client.get('undo.take_back', {});
  expect(await matchCount(book)).toBe(0);
});

test('a run that was undone on its own screen is no longer on the list', async () => {
  const { book, client, id } = await pairOf(3);
  const run = await book.run(id);
  expect(await client.get('runs.undo', { id, run_id: run.id })).toEqual({ run_id: run.id, matches: 3, kept: 0 });
  expect(await labels(book)).toEqual({ undo: [], redo: [] });
});

test('an import is on the list until its lines are removed, by whichever way', async () => {
  const book = openQuietBook();
  const { client } = book;
  await client.get('streams.create', { key: 'bank', name: 'Bank' });
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, 'Date,Description,Amount,Currency\n2026-06-02,Rent,-5.00,GBP\n');
  const end = importHere(book, { path: file });
  const batchId = present(end.result?.batch_id, 'batch');
  expect((await client.get('undo.list', {})).undo[0]).toMatchObject({ import_batch_id: batchId, can_redo: false });
  await client.get('import_batches.remove', { id: batchId, preview: true });
  expect((await client.get('undo.list', {})).undo).toHaveLength(1);
  await client.get('import_batches.remove', { id: batchId, preview: false });
  expect((await client.get('undo.list', {})).undo).toEqual([]);
});

test('a match that is made again under another id can still be separated and restored', async () => {
  const { book, client, id, a, b } = await pairOf(1);
  const ids = [present(a[0], 'line').id, present(b[0], 'line').id];
  const match = await client.get('matches.create', { reconciliation_id: id, record_ids: ids });
  await client.get('matches.remove', { id: match.id });
  await client.get('undo.take_back', {});
  await client.get('undo.take_back', {});
  expect(await labels(book)).toEqual({ undo: [], redo: ['Matched 2 lines', 'Unmatched 2 lines'] });
  await client.get('undo.redo', {});
  expect(await matchCount(book)).toBe(1);
  await client.get('undo.redo', {});
  expect(await matchCount(book)).toBe(0);
  await client.get('undo.take_back', {});
  expect(await matchCount(book)).toBe(1);
});

test('a new change clears the list of changes to redo', async () => {
  const { book, client, id } = await pairOf(1);
  await client.get('reconciliations.update', { id, name: 'Current account' });
  await client.get('undo.take_back', {});
  await client.get('reconciliations.update', { id, name: 'July' });
  expect(await labels(book)).toEqual({ undo: [expect.stringMatching(/^Changed the name of “/)], redo: [] });
});

test('a change that can no longer be undone says why, and leaves the list', async () => {
  const { book, client, id, a, b } = await pairOf(2);
  const [first, second] = [present(a[0], 'line').id, present(b[0], 'line').id];
  const match = await client.get('matches.create', { reconciliation_id: id, record_ids: [first, second] });
  await client.get('matches.remove', { id: match.id });
  await client.get('matches.create', { reconciliation_id: id, record_ids: [first, present(b[1], 'line').id] });
  const entry = present((await client.get('undo.list', {})).undo[1], 'entry');
  expect(entry.label).toBe('Unmatched 2 lines');
  expect(await client.call('undo.take_back', { id: entry.id })).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('is in another match now') },
  });
  expect(await labels(book)).toMatchObject({
    undo: [expect.stringMatching(/^Matched 2 lines/), expect.stringMatching(/^Matched 2 lines/)],
  });
});

test('a signature ends the undo of changes in its period, and of no others', async () => {
  const { book, client, id } = await pairOf(1);
  const period = await client.get('periods.create', { reconciliation_id: id, from: '2026-06-01', to: '2026-06-30' });
  await client.get('reconciliations.update', { id, name: 'Current account' });
  await client.get('periods.prepare', { id: period.id, by: 'Amira Patel' });
  expect((await labels(book)).undo).toEqual([expect.stringMatching(/^Changed the name of “/)]);
});

test('found once: a period that is reopened gives back the undo of what was done before', async () => {
  const { book, client, id } = await pairOf(1);
  const before = (await labels(book)).undo;
  const period = await client.get('periods.create', { reconciliation_id: id, from: '2026-06-01', to: '2026-06-30' });
  const sign = async (): Promise<void> => {
    await client.get('periods.prepare', { id: period.id, by: 'Amira Patel' });
    await client.get('periods.review', { id: period.id, by: 'Ben Okafor' });
    await client.get('periods.close', { id: period.id, by: 'Ben Okafor', unexplained_reason: 'The statement comes later.' });
  };
  const reopen = () => client.get('periods.reopen', { id: period.id, by: 'Amira Patel', reason: 'A match is missing' });
  const all = (await labels(book)).undo;
  expect(all).toHaveLength(before.length + 1);
  await sign();
  expect((await labels(book)).undo).toEqual([]);
  await reopen();
  expect((await labels(book)).undo).toEqual(all);
  await sign();
  expect((await labels(book)).undo).toEqual([]);
});

test('a book keeps the newest 200 changes', async () => {
  const { client, id } = await pairOf(1);
  for (let index = 1; index <= 203; index += 1) await client.get('reconciliations.update', { id, name: `June ${index}` });
  const { undo } = await client.get('undo.list', { limit: 200 });
  expect(undo).toHaveLength(200);
  expect(undo.at(-1)?.label).toBe('Changed the name of “June 3”');
});

test('a rule that is made again under another id does not rename the reconciliation of that number', async () => {
  const { book, client } = await pairOf(1);
  const { data } = await client.get('reconciliations.list', {});
  const first = present(data[0], 'reconciliation');
  const sides = {
    side_a_stream_ids: first.side_a_streams.map(({ id }) => id),
    side_b_stream_ids: first.side_b_streams.map(({ id }) => id),
  };
  const { id } = await client.get('reconciliations.create', { name: 'Second', run_type: 'batch', ...sides });
  const rule = await client.get('rules.create', { reconciliation_id: id, ...BY_EXTERNAL_ID });
  expect(rule.id).toBe(id);
  await client.get('rules.take_preset', { id, preset: 'amount_and_date' });
  await client.get('undo.take_back', {});
  await client.get('undo.take_back', {});
  await client.get('undo.redo', {});
  await client.get('undo.redo', {});
  expect((await labels(book)).undo[0]).toBe('Took another set of rules');
  expect((await client.get('rules.list', { reconciliation_id: id })).length).toBeGreaterThan(1);
});

test('the notification of a change does not undo it once its period is signed', async () => {
  const { client, id } = await pairOf(1);
  const period = await client.get('periods.create', { reconciliation_id: id, from: '2026-06-01', to: '2026-06-30' });
  const entry = present((await client.get('undo.list', {})).undo[0], 'entry');
  await client.get('periods.prepare', { id: period.id, by: 'Amira Patel' });
  expect(await client.call('undo.take_back', { id: entry.id })).toMatchObject({
    ok: false,
    error: { code: 'conflict', message: expect.stringContaining('has been signed since') },
  });
});
