import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { dueRuns } from '../../../src-main/runs/store/due-runs.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { continuousBook } from '../../support/books/continuous-book.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps } from '../../support/books/wipes.ts';

/** `count` matches of two lines each, of which the first `apart` are taken apart, a second after one another. */
async function takenApart(count: number, apart = count, rule = BY_EXTERNAL_ID) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(count), b: numbered(count) }, [rule]);
  const { id } = pair.reconciliation;
  await book.run(id);
  const made = (await book.client.get('matches.list', { reconciliation_id: id, limit: 100 })).data.toReversed();
  for (const match of made.slice(0, apart)) {
    book.clock.advance(1_000);
    await book.client.get('matches.remove', { id: match.id });
  }
  const list = async (input: object = {}) => book.client.get('separations.list', { reconciliation_id: id, ...input });
  const newest = async () => present((await list()).data[0], 'separation');
  return { book, pair, id, list, newest, client: book.client };
}

const matchCount = async ({ client }: Pick<QuietBook, 'client'>) => (await client.get('matches.list', {})).total_count;

test('separations are listed newest first, with records and time', async () => {
  const { list, pair } = await takenApart(3, 2);
  const { data, ...page } = await list();
  expect(page).toEqual({ has_more: false, offset: 0, next_cursor: null, total_count: 2 });
  expect(data).toMatchObject([
    { separated_at: '2026-07-01T09:00:02.000Z', record_count: 2, gone_count: 0, match_id: null, reconciliation_id: pair.reconciliation.id },
    { separated_at: '2026-07-01T09:00:01.000Z', record_count: 2, gone_count: 0 },
  ]);
  expect(data.map(({ records }) => records.map(({ side, external_id, status }) => [side, external_id, status]))).toEqual([
    [
      ['a', 'x2', 'unreconciled'],
      ['b', 'x2', 'unreconciled'],
    ],
    [
      ['a', 'x1', 'unreconciled'],
      ['b', 'x1', 'unreconciled'],
    ],
  ]);
});

test('pages by cursor and by offset are complete, also where several were separated in the same millisecond', async () => {
  const { book, list } = await takenApart(5);
  book.database.connection.exec('UPDATE separations SET created_at = 7 WHERE id > 1');
  const whole = (await list()).data.map(({ id }) => id);
  expect(whole).toHaveLength(5);
  const followed: number[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({ limit: 2, ...(cursor === null ? {} : { cursor }) });
    followed.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(followed).toEqual(whole);
  expect((await list({ limit: 2, offset: 3 })).data.map(({ id }) => id)).toEqual(whole.slice(3));
});

test('a cleared separation is matched by the next run again, and is no longer listed', async () => {
  const { book, id, list, newest } = await takenApart(2);
  await book.run(id);
  expect(await matchCount(book)).toBe(0);
  const cleared = await newest();
  expect(await book.client.get('separations.clear', { id: cleared.id })).toEqual(cleared);
  expect((await list()).total_count).toBe(1);
  await book.run(id);
  expect(await matchCount(book)).toBe(1);
  const again = await book.client.refusal('separations.clear', { id: cleared.id });
  expect(again).toMatchObject({ code: 'conflict', message: expect.stringContaining('may be matched again already') });
});

test('the undo of a clear keeps the records apart again, where it was in the list', async () => {
  const { book, id, list, newest } = await takenApart(2);
  const before = await list();
  const { id: separationId } = await newest();
  await book.client.get('separations.clear', { id: separationId });
  await book.client.get('separations.restore', { id: separationId });
  expect(await list()).toEqual(before);
  await book.run(id);
  expect(await matchCount(book)).toBe(0);
  expect((await book.client.refusal('separations.restore', { id: separationId })).message).toContain('kept apart already');
});

test.each([
  ['matched', BY_EXTERNAL_ID, 'take that apart'],
  ['proposed', BY_AMOUNT_PROPOSED, 'reject that'],
] as const)('records that a run has %s since are not separated by the undo of a clear, which says so', async (status, rule, words) => {
  const { book, id, newest } = await takenApart(1, 1, rule);
  const separation = await newest();
  await book.client.get('separations.clear', { id: separation.id });
  await book.run(id);
  const [match] = (await book.client.get('matches.list', { status })).data;
  const refused = await book.client.refusal('separations.restore', { id: separation.id });
  expect(refused.code).toBe('conflict');
  expect(refused.message).toContain(`${status} again, in match ${match?.id ?? ''}: ${words}`);
  // As it says: then they are apart as before.
  await book.client.get('matches.remove', { id: match?.id ?? 0 });
  expect(await newest()).toMatchObject({ id: separation.id });
});

test('a separation and its clearing are undone in either order', async () => {
  const { book, list } = await takenApart(1, 0);
  const matchId = present((await book.client.get('matches.list', {})).data[0], 'match').id;
  await book.client.get('matches.remove', { id: matchId });
  const separationId = present((await list()).data[0], 'separation').id;
  await book.client.get('separations.clear', { id: separationId });
  await book.client.get('separations.restore', { id: separationId });
  await book.client.get('matches.restore', { id: matchId });
  expect([await matchCount(book), (await list()).total_count]).toEqual([1, 0]);
  await book.client.get('matches.remove', { id: matchId });
  await book.client.get('separations.clear', { id: separationId });
  await book.client.get('matches.restore', { id: matchId });
  expect((await book.client.refusal('separations.restore', { id: separationId })).code).toBe('conflict');
  expect([await matchCount(book), (await list()).total_count]).toEqual([1, 0]);
});

test('records that were matched by hand nevertheless are listed with their match; an adjustment is none of them', async () => {
  const { book, pair, id, newest } = await takenApart(1, 0);
  const matchId = present((await book.client.get('matches.list', {})).data[0], 'match').id;
  await book.client.get('matches.remove', { id: matchId });
  await book.client.get('records.update', { id: pair.bIds[0] ?? 0, amount: 90 });
  const made = await book.client.get('matches.create', {
    reconciliation_id: id,
    record_ids: [...pair.aIds, ...pair.bIds],
    create_adjustment: true,
  });
  expect(made.record_count).toBe(3);
  expect(await newest()).toMatchObject({
    match_id: made.id,
    record_count: 2,
    records: [{ status: 'reconciled' }, { status: 'reconciled' }],
  });
});

test('records that are deleted or wiped are counted as gone, whatever is left to clear; clearing works all the same', async () => {
  const { book, pair, list, newest } = await takenApart(2);
  await book.client.get('records.remove', { id: pair.aIds[1] ?? 0 });
  expect(await newest()).toMatchObject({ record_count: 2, gone_count: 1, records: [{ side: 'b', external_id: 'x2' }] });
  const goneBy = { preparing: [0, 1], published: [1, 2], clearing: [1, 2], cleared: [1, 2] };
  for (const step of operationSteps(book, 'bank', 'reset')) {
    expect((await list()).data.map((entry) => entry.gone_count).toSorted()).toEqual(goneBy[step]);
  }
  const all = await newest();
  expect(all).toMatchObject({ record_count: 2, gone_count: 2, records: [] });
  await book.client.get('separations.clear', { id: all.id });
  await book.client.get('separations.restore', { id: all.id });
  await book.client.get('separations.clear', { id: all.id });
  expect((await list()).total_count).toBe(1);
});

test('a record whose stream has left the reconciliation is on no side', async () => {
  const { book, id, newest } = await takenApart(1);
  const other = await book.client.get('streams.create', { key: 'other', name: 'Other' });
  await book.client.get('reconciliations.update', { id, side_b_stream_ids: [other.id] });
  expect(await newest()).toMatchObject({ gone_count: 0, records: [{ side: 'a' }, { side: null, data_stream_key: 'bank' }] });
});

test('each change has its audit entry, and what is refused has none', async () => {
  const { book, id, pair, newest } = await takenApart(1);
  const separation = await newest();
  await book.client.get('separations.clear', { id: separation.id });
  await book.client.refusal('separations.clear', { id: separation.id });
  await book.client.get('separations.restore', { id: separation.id });
  const detail = { separation_id: separation.id, reconciliation_id: id, record_ids: [...pair.aIds, ...pair.bIds] };
  expect(auditEntries(book.database, 'separation.')).toEqual([
    { action: 'separation.cleared', actor: 'app', environment_id: 1, detail },
    { action: 'separation.restored', actor: 'app', environment_id: 1, detail },
  ]);
  expect(firstBrokenAuditEntry(book.database)).toBeNull();
});

test('a separation of another environment does not exist', async () => {
  const { book, id, newest } = await takenApart(1);
  const separation = await newest();
  for (const operation of ['separations.clear', 'separations.restore'] as const) {
    expect((await book.testEnvironment.refusal(operation, { id: separation.id })).code).toBe('not_found');
    expect((await book.client.refusal(operation, { id: 999 })).code).toBe('not_found');
  }
  expect((await book.testEnvironment.refusal('separations.list', { reconciliation_id: id })).code).toBe('not_found');
});

test('separations go with their reconciliation', async () => {
  const { book, id, newest } = await takenApart(1);
  const separation = await newest();
  await book.client.get('reconciliations.remove', { id });
  expect((await book.client.refusal('separations.clear', { id: separation.id })).code).toBe('not_found');
});

test('a continuous reconciliation runs by itself once one is cleared, and matches the records again', async () => {
  const lines = numbered(1);
  const on = await continuousBook({ a: lines, b: lines });
  const [match] = (await on.client.get('matches.list', {})).data;
  await on.client.get('matches.remove', { id: match?.id ?? 0 });
  expect(dueRuns(on.book.database)).toEqual([]);
  const [separation] = (await on.client.get('separations.list', { reconciliation_id: on.id })).data;
  await on.client.get('separations.clear', { id: separation?.id ?? 0 });
  expect(dueRuns(on.book.database)).toMatchObject([{ reconciliation_id: on.id, cause: 'record_created' }]);
  on.wait();
  expect(on.started()).toBe(1);
  on.work();
  expect(await on.matched()).toBe(1);
});

test('records that are separated again during a run are not matched by it', async () => {
  const { book, id, newest } = await takenApart(1);
  const separation = await newest();
  await book.client.get('separations.clear', { id: separation.id });
  let isRestored = false;
  await book.run(id, {
    onStep: (phase) => {
      if (phase !== 'writing' || isRestored) return;
      isRestored = true;
      void book.client.get('separations.restore', { id: separation.id });
    },
  });
  expect([isRestored, await matchCount(book)]).toEqual([true, 0]);
});

describe('found once: undo forgets separation', () => {
  test('undoing a manual match of records that were apart before leaves them apart', async () => {
    const book = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(1), b: numbered(1) });
    await book.run(reconciliation.id);
    const made = (await book.client.get('matches.list', {})).data[0];
    await book.client.get('matches.remove', { id: made?.id ?? 0 });
    const manual = await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [...aIds, ...bIds] });
    await book.client.get('matches.undo_create', { id: manual.id });
    await book.run(reconciliation.id);
    expect((await book.client.get('matches.list', {})).total_count).toBe(0);
  });
});
