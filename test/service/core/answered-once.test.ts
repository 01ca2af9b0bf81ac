import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../src-main/service/handler.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { dumpBook, withFailingStatement } from '../../support/faults/failing-statements.ts';

const caller = (idempotencyKey: string, environment: 'live' | 'test' = 'live'): Caller => ({
  environmentId: environment === 'live' ? 1 : 2,
  environment,
  permission: 'read_write',
  surface: 'public',
  actor: 'key:1',
  idempotencyKey,
});
const STREAM = { key: 'bank', name: 'Bank' };
const code = (outcome: Outcome<unknown>) => (outcome.ok ? 'ok' : outcome.error.code);
const streamsOf = (book: QuietBook) => book.client.get('streams.list', {});

describe('a repeated Idempotency-Key', () => {
  test('with the same input returns the same answer, and does nothing again', async () => {
    const book = openQuietBook();
    const first = await book.dispatch('streams.create', STREAM, caller('a'));
    const before = dumpBook(book.database);
    const second = await book.dispatch('streams.create', { name: 'Bank', key: 'bank' }, caller('a'));
    expect(first).toMatchObject({ ok: true, value: { key: 'bank' } });
    expect(second).toEqual({ ...first, meta: { location: '/v1/data_streams/bank', replayed: true } });
    expect(dumpBook(book.database)).toEqual(before);
  });

  test('with another input is refused, whatever stands in its path', async () => {
    const book = openQuietBook();
    await book.dispatch('streams.create', STREAM, caller('a'));
    const other = await book.dispatch('streams.create', { ...STREAM, name: 'Other' }, caller('a'));
    expect(other).toMatchObject({ ok: false, error: { code: 'idempotency_mismatch' } });
    await book.dispatch('streams.create', { key: 'ledger', name: 'Ledger' }, caller('b'));
    await book.dispatch('streams.reset', { key: 'bank' }, caller('c'));
    expect(code(await book.dispatch('streams.reset', { key: 'ledger' }, caller('c')))).toBe('idempotency_mismatch');
    expect((await streamsOf(book)).map((stream) => stream.name)).toEqual(['Bank', 'Ledger']);
  });

  test('is independent in another environment, and for another operation', async () => {
    const book = openQuietBook();
    for (const environment of ['live', 'test'] as const) {
      const answered = await book.dispatch('streams.create', STREAM, caller('a', environment));
      expect(answered).toMatchObject({ ok: true });
      expect(answered.meta?.replayed).toBeUndefined();
    }
    expect(code(await book.dispatch('bank_accounts.create', { name: 'Bank' }, caller('a')))).toBe('ok');
  });

  test('repeats a refusal too, although it would no longer be refused', async () => {
    const book = openQuietBook();
    const record = { data_stream_key: 'bank', date: '2026-06-30', amount: 1 };
    const refused = await book.dispatch('records.create', record, caller('a'));
    expect(code(refused)).toBe('unknown_reference');
    await book.dispatch('streams.create', STREAM, caller('b'));
    expect(await book.dispatch('records.create', record, caller('a'))).toEqual({ ...refused, meta: { replayed: true } });
    expect(code(await book.dispatch('records.create', record, caller('c')))).toBe('ok');
  });

  test('is free again after an input that does not fit, or a failure of Tieout itself', async () => {
    const book = openQuietBook();
    expect(code(await book.dispatch('streams.create', { key: 'bank' }, caller('a')))).toBe('validation_failed');
    let failures = 0;
    for (let nth = 1; ; nth += 1) {
      let outcome: Outcome<unknown> | undefined;
      const before = JSON.stringify(dumpBook(book.database));
      const { failed } = await withFailingStatement(nth, async () => {
        outcome = await book.dispatch('streams.create', STREAM, caller('a'));
      });
      expect(outcome?.meta?.replayed).toBeUndefined();
      if (!failed) break;
      failures += 1;
      expect(outcome).toMatchObject({ ok: false, error: { code: 'storage_full' } });
      expect(JSON.stringify(dumpBook(book.database))).toBe(before);
    }
    // The stream, its audit entry and the answer: each of them can fail, and takes the others along.
    expect(failures).toBeGreaterThanOrEqual(3);
    expect(await streamsOf(book)).toHaveLength(1);
  });

  test('sent twice at once does the work once', async () => {
    const book = openQuietBook();
    await book.dispatch('streams.create', STREAM, caller('a'));
    const record = { data_stream_key: 'bank', date: '2026-06-30', amount: 1 };
    const answers = await Promise.all(Array.from({ length: 5 }, () => book.dispatch('records.create', record, caller('r'))));
    expect(answers.map((answer) => answer.meta?.replayed ?? false)).toEqual([false, true, true, true, true]);
    expect((await book.client.get('records.list', {})).data).toHaveLength(1);
  });
});

test('a started run is committed before its worker looks for it, and is started once', async () => {
  const book = await openTestBook();
  for (const key of ['bank', 'ledger']) await book.client.get('streams.create', { key, name: key });
  const made = await book.client.get('reconciliations.create', {
    name: 'June',
    run_type: 'batch',
    side_a_stream_ids: [1],
    side_b_stream_ids: [2],
  });
  await book.client.get('rules.create', { reconciliation_id: made.id, filters: { rules: [{ key: 'date', value: 'date' }] } });
  const start = () => book.backend.dispatch('runs.start', { id: made.id }, caller('run'));
  const [first, second] = [await start(), await start()];
  expect(first).toMatchObject({ ok: true, meta: { location: '/v1/reconciliations/1/runs/1' } });
  expect(second).toEqual({ ...first, meta: { ...first.meta, replayed: true } });
  expect((await book.ended({ id: 1 })).status).toBe('completed');
  expect((await book.client.get('runs.list', { id: made.id })).data).toHaveLength(1);
});

test('an answer outlives the process', async () => {
  const book = await openTestBook();
  const first = await book.backend.dispatch('streams.create', STREAM, caller('a'));
  await book.close();
  const again = await openTestBook(book.folder);
  expect(await again.backend.dispatch('streams.create', STREAM, caller('a'))).toEqual({
    ...first,
    meta: { location: '/v1/data_streams/bank', replayed: true },
  });
});
