import { expect, test } from 'vitest';
import { expectEqual, fill, recordsOf, twoBooks } from './two-books.ts';

const LINES = { ledger: [['L1', '2026-06-01', 1250, 'Invoice 1']], bank: [['B1', '2026-06-03', 1250, 'Transfer 1']] } as const;

test('of a match here both records were deleted there: what was decided of one stands until the other is decided too', async () => {
  const books = await twoBooks();
  const { here, there, sync, resolve } = books;
  const { id, ids } = await fill(here, LINES);
  await sync();
  await here.client.get('matches.create', { reconciliation_id: id, record_ids: [...ids.values()] });
  for (const record of await recordsOf(there)) await there.client.get('records.remove', { id: record.id });

  const first = await sync();
  expect(first.conflicts.map(({ kind }) => kind)).toEqual(['record', 'record']);
  const [one, other] = first.conflicts;
  await resolve(one?.id ?? 0, 'keep_local');
  const second = await sync();
  expect(second.conflicts).toEqual([other]);
  await resolve(other?.id ?? 0, 'keep_local');
  expect(await sync()).toMatchObject({ ok: true, error: null, conflicts: [] });
  expect((await recordsOf(there)).map(({ status }) => status)).toEqual(['reconciled', 'reconciled']);
  await expectEqual(books);
});
