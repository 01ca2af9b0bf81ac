import { expect, test } from 'vitest';
import { insertWipe } from '../../../src-main/records/store/wipes.ts';
import { abandonWipe, prepareWipe, toEnd } from '../../../src-main/records/work/wiping.ts';
import { addLines, numbered } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps } from '../../support/books/wipes.ts';

async function filled() {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await addLines(book.client, 'bank', numbered(5));
  return book;
}
const left = async ({ client }: Awaited<ReturnType<typeof filled>>) => (await client.get('records.list', {})).data.length;

test('a preparation that is taken back leaves alone what another wipe took out of sight meanwhile', async () => {
  for (const kind of ['reset', 'delete'] as const) {
    const book = await filled();
    const { database, clock } = book;
    const first = database.write((write) =>
      insertWipe(write, { environment_id: 1, stream_id: 1, stream_key: 'bank', batch_id: null, operation_id: null, actor: 'app' }),
    );
    toEnd(prepareWipe(database, clock, first));
    for (const step of operationSteps(book, 'bank', kind)) {
      if (step !== 'published') continue;
      // A line that comes in after the publish step of a reset is nothing of it, nor does the other preparation make it that.
      if (kind === 'reset') await addLines(book.client, 'bank', numbered(1));
      toEnd(prepareWipe(database, clock, first));
      expect(await left(book)).toBe(kind === 'reset' ? 1 : 0);
      toEnd(abandonWipe(database, first));
      expect(await left(book)).toBe(kind === 'reset' ? 1 : 0);
    }
    const counts = ['records', 'import_batches', 'wipes'].map((table) =>
      database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    );
    expect(counts).toEqual([kind === 'reset' ? 1 : 0, 0, 0]);
  }
});

test('deleted twice at the same time, a stream is deleted once', async () => {
  const book = await filled();
  const answers = await Promise.all([1, 2].map(() => book.client.call('streams.remove', { key: 'bank' })));
  const codes = answers.map((answer) => (answer.ok ? 'deleted' : answer.error.code)).toSorted();
  expect(codes[0]).toBe('deleted');
  expect(['conflict', 'not_found']).toContain(codes[1]);
  expect(await left(book)).toBe(0);
  for (const table of ['records', 'streams', 'import_batches', 'wipes']) {
    expect(book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(0);
  }
});
