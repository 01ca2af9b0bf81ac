import { expect, test } from 'vitest';
import { contentOf, expectEmpty, expectEqual, fill, recordsOf, twoBooks } from './two-books.ts';

const LINES = {
  ledger: [
    ['L1', '2026-06-01', 1250, 'Invoice 1'],
    ['L2', '2026-06-02', 700, 'Invoice 2'],
    [null, '2026-06-03', -300, 'Charge'],
    ['L4', '2026-06-04', 80, 'Invoice 4'],
  ],
  bank: [
    ['B1', '2026-06-03', 1250, 'Transfer 1'],
    ['B2', '2026-06-03', 700, 'Transfer 2'],
  ],
} as const;

async function synced() {
  const books = await twoBooks();
  const own = await fill(books.here, LINES);
  expect(await books.sync()).toMatchObject({ ok: true, error: null });
  const there = new Map((await recordsOf(books.there)).map(({ description, id }) => [description ?? '', id]));
  const [reconciliation] = (await books.there.client.get('reconciliations.list', {})).data;
  return { ...books, own, ids: { here: own.ids, there }, reconciliations: { here: own.id, there: reconciliation?.id ?? 0 } };
}

test('edits, deletes, matches and names of both sides travel', async () => {
  const books = await synced();
  const { here, there, ids, sync, reconciliations } = books;
  await here.client.get('records.update', { id: ids.here.get('Charge') ?? 0, description: 'Bank charge' });
  await there.client.get('records.update', { id: ids.there.get('Invoice 2') ?? 0, amount: -710 });
  await there.client.get('records.remove', { id: ids.there.get('Invoice 4') ?? 0 });
  await here.client.get('streams.update', { key: 'bank', name: 'Current account' });
  await there.client.get('matches.create', {
    reconciliation_id: reconciliations.there,
    record_ids: [ids.there.get('Invoice 1') ?? 0, ids.there.get('Transfer 1') ?? 0],
  });
  await here.client.get('matches.create', {
    reconciliation_id: reconciliations.here,
    record_ids: [ids.here.get('Charge') ?? 0, ids.here.get('Transfer 2') ?? 0],
    create_adjustment: true,
    difference_reason: { code: 'bank_charge', note: null },
  });
  await here.client.get('records.mark_overdue', {
    id: ids.here.get('Invoice 2') ?? 0,
    reconciliation_id: reconciliations.here,
    overdue_at: '2026-06-30T12:00:00Z',
  });

  expect(await sync()).toMatchObject({
    ok: true,
    error: null,
    sent: { changes: 2, matches: 1, overdue: 1 },
    received: { changes: 2, matches: 1 },
  });

  expect((await contentOf(here)).streams).toContain('bank Current account');
  expect(await contentOf(here)).toEqual(await contentOf(there));
  expectEmpty(await sync());
  await expectEqual(books);
});

test('a match that is taken apart, whose record is changed, and that is made again, is so on the other side', async () => {
  const books = await synced();
  const { here, there, ids, sync, reconciliations } = books;
  const members = {
    reconciliation_id: reconciliations.here,
    record_ids: [ids.here.get('Invoice 1') ?? 0, ids.here.get('Transfer 1') ?? 0],
  };
  const match = await here.client.get('matches.create', members);
  await sync();

  await here.client.get('matches.remove', { id: match.id });
  await here.client.get('records.update', { id: ids.here.get('Invoice 1') ?? 0, description: 'Invoice 1, corrected' });
  await here.client.get('matches.create', members);

  expect(await sync()).toMatchObject({ ok: true, error: null, sent: { changes: 1, unmatched: 0, matches: 0 } });
  expect(await contentOf(there)).toEqual(await contentOf(here));
  expectEmpty(await sync());

  const [own] = (await here.client.get('matches.list', { reconciliation_id: reconciliations.here })).data;
  await here.client.get('matches.remove', { id: own?.id ?? 0 });
  expect(await sync()).toMatchObject({ ok: true, sent: { unmatched: 1 } });
  await expectEqual(books);
});

test('rules, stories, reconciliations and streams are made, changed and deleted', async () => {
  const books = await synced();
  const { here, there, sync, reconciliations } = books;
  const filters = { operand: 'and' as const, rules: [{ key: 'signed_amount', value: 'signed_amount' }] };
  const rule = await here.client.get('rules.create', { reconciliation_id: reconciliations.here, filters, description: 'By amount' });
  const story = await there.client.get('stories.create', { name: 'Month end', links: [{ reconciliation_id: reconciliations.there }] });
  await here.client.get('property_definitions.create', { data_stream_key: 'bank', key: 'branch', name: 'Branch', type: 'string' });
  expect(await sync()).toMatchObject({ ok: true, sent: { rules: 1, streams: 1 }, received: { stories: 1 } });
  expectEmpty(await sync());

  await here.client.get('rules.update', { id: rule.id, description: 'By amount alone', paused: true });
  await there.client.get('stories.remove', { id: story.id });
  expect(await sync()).toMatchObject({ ok: true, sent: { changes: 1 }, received: { changes: 1 } });
  const [theirs] = await there.client.get('rules.list', { reconciliation_id: reconciliations.there });
  expect(theirs).toMatchObject({ description: 'By amount alone', paused: true });

  await here.client.get('reconciliations.remove', { id: reconciliations.here });
  expect(await sync()).toMatchObject({ ok: true, sent: { changes: 1 } });
  expect((await there.client.get('reconciliations.list', {})).data).toEqual([]);
  await there.client.get('streams.remove', { key: 'bank', async: false });
  expect(await sync()).toMatchObject({ ok: true, received: { changes: 1 } });
  expectEmpty(await sync());
  expect((await here.client.get('streams.list', {})).map(({ key }) => key)).toEqual(['ledger']);
  await expectEqual(books);
});

test('a preview counts what a sync moves, sends no writing request and changes nothing here', async () => {
  const { here, there, asked, sync } = await synced();
  await here.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-20', amount: 5, currency: 'EUR' });
  await there.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-21', amount: 6, currency: 'EUR' });
  const before = [await contentOf(here), await contentOf(there)];
  asked.length = 0;

  const preview = await sync({ preview: true });

  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect([await contentOf(here), await contentOf(there)]).toEqual(before);
  expect(preview).toMatchObject({ ok: true, preview: true, sent: { records: 1 }, received: { records: 1 } });
  const { sent, received } = await sync();
  expect({ sent, received }).toEqual({ sent: preview.sent, received: preview.received });
});
