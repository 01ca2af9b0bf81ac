import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { testFolder } from '../../support/books/backend.ts';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { addLines, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps, undoSteps } from '../../support/books/wipes.ts';

interface Found {
  readonly amounts: readonly number[];
  readonly notSearched: number | undefined;
}

async function found(book: QuietBook, q: string, more: object = {}): Promise<Found> {
  const page = await book.client.get('records.list', { q, sort: 'amount', limit: 100, ...more });
  return { amounts: page.data.map((record) => record.amount), notSearched: page.not_searched };
}

const all = (...amounts: readonly number[]): Found => ({ amounts, notSearched: 0 });
const noted = (book: QuietBook) => book.database.prepare<[], number>('SELECT count(*) FROM search_changes').pluck().get();
const indexed = (book: QuietBook) => book.database.prepare<[], number>('SELECT count(*) FROM record_words_docsize').pluck().get();

function importFile(book: QuietBook, name: string, lines: readonly string[]) {
  const file = path.join(book.folder, name);
  writeFileSync(file, `Date,Description,Amount\n${lines.join('\n')}\n`);
  return present(importHere(book, { path: file, currency: 'USD' }).result, 'result');
}

test('undoing an import takes its records out of every search, at the publish step and not before, and others stay', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const { batch_id: batch } = importFile(book, 'june.csv', ['2026-06-01,Coffee beans,1.00', '2026-06-02,Coffee machine,2.00']);
  await addLines(book.client, 'bank', [{ amount: 300, description: 'coffee by hand' }]);
  const before = await found(book, 'coffee');
  expect(before).toEqual(all(100, 200, 300));
  const steps: string[] = [];
  for (const step of undoSteps(book, present(batch, 'batch'))) {
    steps.push(step);
    expect(await found(book, 'coffee')).toEqual(step === 'preparing' ? before : all(300));
    expect(await found(book, 'coffee mach')).toEqual(step === 'preparing' ? all(200) : all());
  }
  expect(new Set(steps)).toEqual(new Set(['preparing', 'published', 'clearing', 'cleared']));
  while (book.search.step());
  expect([noted(book), indexed(book)]).toEqual([0, 1]);
  // The file goes in again, under other ids.
  importFile(book, 'again.csv', ['2026-06-01,Coffee beans,1.00']);
  expect(await found(book, 'coffee')).toEqual(all(100, 300));
});

test('an import that is undone before its words were indexed is found neither before nor after', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const { batch_id: batch } = importFile(book, 'june.csv', ['2026-06-01,Coffee beans,1.00', '2026-06-02,Coffee machine,2.00']);
  for (const step of undoSteps(book, present(batch, 'batch'))) expect(step).not.toBe('');
  expect(await found(book, 'coffee')).toEqual(all());
  expect([noted(book), indexed(book)]).toEqual([0, 0]);
});

test.each(['reset', 'delete'] as const)(
  'a %s of a stream removes its records from every search, and later records are found',
  async (kind) => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await book.client.get('streams.create', { key: 'till', name: 'Till' });
    await addLines(book.client, 'bank', [{ amount: 1, description: 'Coffee' }]);
    await addLines(book.client, 'till', [{ amount: 2, description: 'Coffee' }]);
    await sendBulk(book, { records: [bulkItem({ amount: 3, description: 'bulk coffee' })] });
    expect(await found(book, 'coffee')).toEqual(all(1, 2, 3));
    const steps: string[] = [];
    for (const step of operationSteps(book, 'bank', kind)) {
      steps.push(step);
      expect(await found(book, 'coffee')).toEqual(step === 'preparing' ? all(1, 2, 3) : all(2));
      expect(await found(book, 'bulk')).toEqual(step === 'preparing' ? all(3) : all());
    }
    expect(steps).toContain('published');
    if (kind === 'delete') await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    await addLines(book.client, 'bank', [{ amount: 4, description: 'New coffee' }]);
    expect(await found(book, 'coffee', { data_stream_key: 'bank' })).toEqual(all(4));
    expect(await found(book, 'coffee')).toEqual(all(2, 4));
    while (book.search.step());
    expect([noted(book), indexed(book)]).toEqual([0, 2]);
  },
);

test('a changed record is found by its new words and no longer by its old ones, also through the line grid', async () => {
  const book = openQuietBook();
  const { reconciliation, bIds } = await setUpPair(book.client, { a: numbered(2), b: numbered(3, () => ({ description: 'Coffee' })) }, [
    BY_EXTERNAL_ID,
  ]);
  const id = String(bIds[2]);
  expect(await found(book, 'coffee')).toEqual(all(100, 200, 300));
  const inGrid = async (search: string) => {
    const page = await book.client.get('lines.window', { reconciliation_id: reconciliation.id, side: 'b', status: 'open', search });
    return { amounts: page.data.map((line) => line.amount), notSearched: page.not_searched };
  };
  await book.client.get('records.update', { id, description: 'Zürcher Tee', metadata: { shop: { city: 'Genève' } } });
  expect([await found(book, 'coffee'), await found(book, 'zurcher'), await found(book, 'geneve')]).toEqual([
    all(100, 200),
    all(300),
    all(300),
  ]);
  expect([await inGrid('tee zurcher'), await inGrid('geneve')]).toEqual([all(300), all(300)]);
  await book.client.get('records.update', { id, metadata: {} });
  expect([await found(book, 'geneve'), await found(book, 'tee')]).toEqual([all(), all(300)]);
  // Twice between two looks at the index.
  await book.client.get('records.update', { id, external_id: 'ONE-1' });
  await book.client.get('records.update', { id, external_id: 'TWO-2' });
  expect([await found(book, 'ONE-1'), await found(book, 'TWO-2')]).toEqual([all(), all(300)]);
  expect((await inGrid('two 2')).amounts).toEqual([300]);
  expect(noted(book)).toBe(0);
});

const MANY = 5_000;
/** Lines by SQL, so that the index of words lags behind. */
function addMany(book: QuietBook, word: string): void {
  book.database.connection.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
      SELECT 1, 1, 20600, i, 1, 'USD', 2, '${word} ' || i || iif(i % 500 = 0, ' rare', ''), '{}', i FROM n`);
}

test('indexing goes on where it was after a restart in the middle, and misses nothing that was changed around it', async () => {
  const folder = testFolder();
  let book = openQuietBook(folder);
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  addMany(book, 'first');
  book.search.step();
  let restarts = 0;
  const lag = async () => (await book.client.get('records.list', { q: 'rare', limit: 1 })).not_searched ?? 0;
  for (let left = await lag(); left > 0; left = await lag()) {
    expect(restarts).toBeLessThan(50);
    // Behind and ahead of where the index is.
    await book.client.get('records.update', { id: String(1 + restarts), description: 'rare edit' });
    await book.client.get('records.remove', { id: String(MANY - restarts) });
    book.search.close();
    book.database.close();
    book.jobDatabase.close();
    book = openQuietBook(folder);
    book.recover();
    const { amounts, notSearched } = await found(book, 'rare');
    expect(amounts.length + (notSearched ?? 0)).toBeGreaterThanOrEqual(9 + restarts);
    restarts += 1;
  }
  expect(restarts).toBeGreaterThan(2);
  const expected = Array.from({ length: MANY - restarts }, (_, index) => index + 1).filter(
    (amount) => amount <= restarts || amount % 500 === 0,
  );
  expect(await found(book, 'rare')).toEqual(all(...expected));
  expect(noted(book)).toBe(0);
});

describe('found once: search finds metadata keys', () => {
  test('a search covers values of metadata, not their storage', async () => {
    const book = openQuietBook();
    const a = [
      { amount: 1, external_id: 'one', metadata: { order_id: 'A "quoted" \\ name' } },
      { amount: 2, external_id: 'two', metadata: { order_id: 'plain', inner: { deep: 'treasure' } } },
    ];
    const { reconciliation } = await setUpPair(book.client, { a, b: [{ amount: 1 }] });
    const found = async (search: string) => {
      const window = await book.client.get('lines.window', { reconciliation_id: reconciliation.id, side: 'a', search });
      expect(window.total_count).toBe(window.data.length);
      return window.data.map((line) => line.external_id);
    };
    expect(await found('order_id')).toEqual([]);
    expect(await found('":"')).toEqual([]);
    expect(await found('"quoted"')).toEqual(['one']);
    expect(await found('\\ name')).toEqual(['one']);
    expect(await found('TREASURE')).toEqual(['two']);
  });
});
