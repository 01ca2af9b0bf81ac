import { expect, test } from 'vitest';
import { contentOf, expectEqual } from '../two-books.ts';
import { syncedWindow } from './window-sync.ts';

test('a comparison names the lines that differ, and a repair moves exactly these', async () => {
  const window = await syncedWindow();
  const { here, there, work, idOf, remoteId } = window;
  const fresh = { date: '2026-06-20', amount: 5, currency: 'EUR' };
  await there.client.get('records.create', { data_stream_key: 'ledger', ...fresh, external_id: 'T', description: 'New there' });
  await here.client.get('records.create', { data_stream_key: 'ledger', ...fresh, external_id: 'H', description: 'New here' });
  await there.client.get('records.update', { id: String(idOf('there', 'Invoice 1')), description: 'Invoice one' });

  const { verified } = await work('verify');
  expect(verified?.equal).toBe(false);
  const ledger = verified?.rows.find(({ name }) => name === 'The ledger');
  expect(ledger?.differences.map(({ side, line }) => [side, line.name.split(' · ')[1]]).toSorted()).toEqual([
    ['both', 'Invoice 1'],
    ['here', 'New here'],
    ['there', 'New there'],
  ]);
  expect(verified?.rows.find(({ name }) => name === 'The bank')).toMatchObject({ equal: true, differences: [] });

  // Something in a stream that does not differ would be moved by a sync alone.
  await here.client.get('streams.update', { key: 'bank', name: 'Bank, renamed' });
  await work('repair');
  const { data } = await here.client.get('sync_runs.list', { id: String(remoteId) });
  expect(data[0]).toMatchObject({ what: 'repair', sent_total: 1, received_total: 1, to_decide: 1 });
  expect((await there.client.get('streams.get', { key: 'bank' })).name).toBe('The bank');

  const [conflict] = (await here.client.get('sync_conflicts.list', { id: String(remoteId) })).data;
  expect(conflict).toMatchObject({ kind: 'record', words: 'Changed on both sides' });
  await here.client.get('sync_conflicts.choose', { id: String(conflict?.id), choice: 'take_remote' });
  await work('sync');
  expect(await contentOf(here)).toEqual(await contentOf(there));
  await expectEqual(window);
});

test('a record that one side lost without a trace comes back', async () => {
  const window = await syncedWindow();
  const { here, there, work, idOf } = window;
  await there.client.get('records.remove', { id: String(idOf('there', 'Transfer 2')) });
  const { verified } = await work('verify');
  const bank = verified?.rows.find(({ name }) => name === 'The bank');
  expect(bank?.differences.map(({ side, line }) => [side, line.local_id])).toEqual([['here', idOf('here', 'Transfer 2')]]);
  await work('repair');
  expect(await contentOf(there)).toEqual(await contentOf(here));
  await expectEqual(window);
});
