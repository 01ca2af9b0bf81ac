import { expect, test } from 'vitest';
import { continuousBook } from '../../support/books/continuous-book.ts';
import { undoSteps } from '../../support/books/wipes.ts';

/** One line of `ledger`, matched with one of `bank` that came in by a bulk request, import batch 1. */
async function matchedByBulk() {
  const on = await continuousBook();
  await on.add('ledger', 'x1');
  const records = [{ data_stream_key: 'bank', date: '2026-06-10', amount: 100, external_id: 'x1' }];
  await on.client.get('bulk_requests.create', { records });
  on.book.bulk.step();
  on.wait();
  on.work();
  expect(await on.matched()).toBe(1);
  return on;
}

test('a line whose match lost a record to an undo counts as free before the match is cleared away', async () => {
  const on = await matchedByBulk();
  for (const step of undoSteps(on.book, 1)) {
    if (step !== 'published') continue;
    await on.add('bank', 'x1');
    on.wait();
    expect(await on.current()).toMatchObject({ kind: 'continuous', trigger: 'record_created' });
    on.work();
    expect(await on.matched()).toBe(1);
  }
  expect([on.started(), await on.matched()]).toEqual([2, 1]);
});

test('a stream whose matches an undo took apart may leave before they are cleared away', async () => {
  const { book, client, id, matched } = await matchedByBulk();
  const other = await client.get('streams.create', { key: 'till', name: 'Till' });
  const change = { id, side_b_stream_ids: [other.id] };
  expect((await client.refusal('reconciliations.update', change)).code).toBe('stream_has_matches');
  for (const step of undoSteps(book, 1)) {
    if (step !== 'published') continue;
    const changed = await client.get('reconciliations.update', change);
    expect(changed.side_b_streams.map((stream) => stream.key)).toEqual(['till']);
  }
  expect(await matched()).toBe(0);
});
