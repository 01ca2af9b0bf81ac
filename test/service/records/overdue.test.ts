import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

async function pairBook() {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a: numbered(2), b: numbered(2) });
  await book.client.get('streams.create', { key: 'other', name: 'Other' });
  const other = await book.client.get('reconciliations.create', {
    name: 'Other',
    run_type: 'batch',
    side_a_stream_ids: [pair.reconciliation.side_a_streams[0]?.id ?? 0],
    side_b_stream_ids: [3],
  });
  return { ...book, pair, id: pair.aIds[0] ?? 0, bId: pair.bIds[0] ?? 0, other };
}

test('a record is marked overdue in a reconciliation, now or at a given time, and marked again', async () => {
  const { client, database, id, pair, other } = await pairBook();
  expect((await client.get('records.get', { id })).overdue).toEqual([]);
  const marked = await client.get('records.mark_overdue', { id, reconciliation_id: 1 });
  const now = { reconciliation_id: 1, overdue_at: '2026-07-01T09:00:00.000Z' };
  expect(marked).toEqual({ ...pair.a[0], overdue: [now] });
  expect(await client.get('records.get', { id })).toEqual(marked);
  const second = await client.get('records.mark_overdue', {
    id,
    reconciliation_id: String(other.id),
    overdue_at: '2026-06-30T12:00:00+02:00',
  });
  const noon = { reconciliation_id: other.id, overdue_at: '2026-06-30T10:00:00.000Z' };
  expect(second.overdue).toEqual([now, noon]);
  const again = await client.get('records.mark_overdue', { id, reconciliation_id: 1, overdue_at: '2026-06-01T00:00:00Z' });
  expect(again.overdue).toEqual([{ reconciliation_id: 1, overdue_at: '2026-06-01T00:00:00.000Z' }, noon]);
  const entries = database.connection
    .prepare("SELECT detail FROM audit_log WHERE action = 'record.marked_overdue' ORDER BY id")
    .pluck()
    .all();
  expect(entries).toEqual([
    JSON.stringify({ record_id: id, ...now }),
    JSON.stringify({ record_id: id, ...noon }),
    JSON.stringify({ record_id: id, reconciliation_id: 1, overdue_at: '2026-06-01T00:00:00.000Z' }),
  ]);
  expect(firstBrokenAuditEntry(database)).toBeNull();
});

test('the same at the address of the reconciliation, where the body needs no reconciliation_id', async () => {
  const { client, id } = await pairBook();
  const marked = await client.get('reconciliations.mark_overdue', { rid: 1, id });
  expect(marked.overdue).toEqual([{ reconciliation_id: 1, overdue_at: '2026-07-01T09:00:00.000Z' }]);
  expect(await client.get('reconciliations.mark_overdue', { rid: '1', id, reconciliation_id: '1' })).toEqual(marked);
  expect(await client.refusal('reconciliations.mark_overdue', { rid: 1, id, reconciliation_id: 2 })).toMatchObject({
    code: 'validation_failed',
    message: 'reconciliation_id is 2, but the address names reconciliation 1: leave it out.',
    errors: [{ path: 'reconciliation_id', code: 'disagrees' }],
  });
  expect(await client.refusal('reconciliations.mark_overdue', { rid: 9, id })).toMatchObject({ code: 'not_found' });
  expect(await client.refusal('reconciliations.mark_overdue', { rid: 1, id: 99 })).toMatchObject({ code: 'not_found' });
});

test('refusals', async () => {
  const { client, testEnvironment, id, bId, other } = await pairBook();
  const refused = (input: object) => client.refusal('records.mark_overdue', { id, reconciliation_id: 1, ...input });
  expect(await refused({ id: 99 })).toEqual({ code: 'not_found', message: 'There is no record 99 in this environment.' });
  expect(await refused({ reconciliation_id: 9 })).toMatchObject({
    code: 'unknown_reference',
    message: 'There is no reconciliation 9 in this environment.',
    errors: [{ path: 'reconciliation_id' }],
  });
  expect(await client.refusal('records.mark_overdue', { id })).toMatchObject({ code: 'validation_failed' });
  for (const time of ['2026-06-30', 'soon', '2026-02-30T00:00:00Z', 5]) {
    expect(await refused({ overdue_at: time })).toMatchObject({ code: 'validation_failed', errors: [{ path: 'overdue_at' }] });
  }
  expect(await refused({ id: bId, reconciliation_id: other.id })).toEqual({
    code: 'stream_not_in_reconciliation',
    message: '“x1” of 10/06/2026, 1.00 USD, is in the account bank, which is on no side of this reconciliation.',
  });
  expect(await testEnvironment.refusal('records.mark_overdue', { id, reconciliation_id: 1 })).toMatchObject({ code: 'not_found' });
  await client.get('matches.create', { reconciliation_id: 1, record_ids: [id, bId] });
  expect(await refused({})).toEqual({
    code: 'record_reconciled',
    message: '“x1” of 10/06/2026, 1.00 USD, is matched in this reconciliation, so it is not overdue there.',
  });
  // Matched in one reconciliation, it may be overdue in another.
  expect((await client.get('records.mark_overdue', { id, reconciliation_id: other.id })).overdue).toHaveLength(1);
});

test('GET /records filters by overdue, in the named reconciliation or in any', async () => {
  const { client, id, bId, other } = await pairBook();
  await client.get('records.mark_overdue', { id, reconciliation_id: 1 });
  await client.get('records.mark_overdue', { id: id + 1, reconciliation_id: other.id });
  const ids = async (input: object) => (await client.get('records.list', { ...input })).data.map((row) => row.id).toReversed();
  expect(await ids({ overdue: true })).toEqual([id, id + 1]);
  expect(await ids({ overdue: false })).toEqual([bId, bId + 1]);
  expect(await ids({ overdue: true, reconciliation_id: 1 })).toEqual([id]);
  expect(await ids({ overdue: false, reconciliation_id: 1 })).toEqual([id + 1, bId, bId + 1]);
  expect(await client.refusal('records.list', { overdue: 'yes' })).toMatchObject({ code: 'validation_failed' });
});

test('a mark goes with its record, and with its reconciliation', async () => {
  const { client, database, id, other } = await pairBook();
  const marks = () => database.connection.prepare('SELECT count(*) FROM overdue_records').pluck().get();
  await client.get('records.mark_overdue', { id, reconciliation_id: 1 });
  await client.get('records.mark_overdue', { id: id + 1, reconciliation_id: other.id });
  await client.get('records.remove', { id });
  expect(marks()).toBe(1);
  await client.get('reconciliations.remove', { id: other.id });
  expect(marks()).toBe(0);
});
