import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { packBook } from '../../../src-main/records/work/pack-stream.ts';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { addLines, setUpPair } from '../../support/books/lines.ts';
import { importHere, importOnThreads, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const FILE = `Booking date,Value date,Description,Amount,Balance
2026-06-01,2026-06-03,Rent,-10.00,90.00
2026-06-02,2026-06-01,Sale,5.00,95.00
2026-06-02,,Sale,5.00,100.00
`;

function fileOf(book: Pick<QuietBook, 'folder'>, text: string, name = 'june.csv'): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return file;
}

async function previewed(book: TestBook, text: string): Promise<ImportPreview> {
  const chosen = book.backend.registerFile(fileOf(book, text));
  const file_token = chosen.ok ? chosen.value.token : '';
  const input = { file_token, stream_key: 'bank', currency: 'USD' };
  return present((await book.ended(await book.client.get('imports.preview', input))).preview, 'preview');
}

function bring(book: QuietBook, text: string, steps: Parameters<typeof importHere>[2] = {}) {
  return present(importHere(book, { path: fileOf(book, text) }, steps).result, 'result');
}

/** `2026-06-01 / 2026-06-03` for each record, in the order they were made. */
async function daysOf(book: QuietBook, input: Parameters<typeof book.client.get<'records.list'>>[1] = {}): Promise<string[]> {
  const { data } = await book.client.get('records.list', { sort: 'created_at', ...input });
  return data.toSorted((one, other) => one.id - other.id).map(({ date, value_date: value }) => `${date} / ${value ?? '-'}`);
}

const sound = (book: QuietBook) =>
  expect(verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings }) => findings)).toEqual([]);
const AS_IN_FILE = ['2026-06-01 / 2026-06-03', '2026-06-02 / 2026-06-01', '2026-06-02 / -'];
const BY_VALUE = ['2026-06-03 / 2026-06-03', '2026-06-01 / 2026-06-01', '2026-06-02 / -'];
/** Whole, and in stretches. */
const WAYS = [
  ['whole', {}],
  ['in stretches', { wholeBytes: 10, stagedLines: 2 }],
] as const;

describe('an import', () => {
  test.each(WAYS)('stores both days, %s, and adds nothing when the file is imported again', (_way, steps) => {
    const book = openQuietBook();
    expect(bring(book, FILE, steps)).toMatchObject({
      kept: 3,
      proof: 'proved',
      date_range_start: '2026-06-01',
      date_range_end: '2026-06-02',
    });
    expect(bring(book, FILE, steps)).toMatchObject({ kept: 0, skipped: 3 });
    sound(book);
    return expect(daysOf(book)).resolves.toEqual(AS_IN_FILE);
  });

  test('shows both days in the preview, of rejected rows as well', async () => {
    const book = await openTestBook();
    const text = `${FILE}soon,2026-06-05,Sale,5.00,105.00\n`;
    const preview = await previewed(book, text);
    expect(preview.rows.map(({ date, value_date: value }) => `${date ?? '-'} / ${value ?? '-'}`)).toEqual([
      ...AS_IN_FILE,
      '- / 2026-06-05',
    ]);
    expect(preview.columns.map(({ role }) => role)).toEqual(['date', 'value_date', 'description', 'amount', 'balance']);
  });

  test('follows a recipe that calls a column value dates, or a field', async () => {
    const book = openQuietBook();
    const text = 'Day,Other,Amount\n2026-06-01,2026-06-03,5.00\n';
    const { recipe } = bring(book, text);
    const columns = present(recipe, 'recipe').recipe.columns;
    expect(columns.map(({ role }) => role)).toEqual(['date', 'metadata', 'amount']);
    const other = 'Day,Other,Amount\n2026-06-01,2026-06-03,6.00\n';
    const told = {
      ...present(recipe, 'recipe').recipe,
      columns: columns.map((one, at) => (at === 1 ? { ...one, role: 'value_date' as const } : one)),
    };
    expect(importHere(book, { path: fileOf(book, other), recipe: told }).result).toMatchObject({ kept: 1 });
    expect(await daysOf(book)).toEqual(['2026-06-01 / -', '2026-06-01 / 2026-06-03']);
  });
});

describe('a stream that is read by value date', () => {
  test.each(WAYS)('uses the value date as the date, %s, with a note, and proves by booking dates', async (_way, steps) => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank', read_by: 'value_date' });
    const result = bring(book, FILE, steps);
    expect(result).toMatchObject({ kept: 3, proof: 'proved', date_range_start: '2026-06-01', date_range_end: '2026-06-03' });
    expect(result.problems.map(({ code }) => code)).toContain('read_by_value_date');
    expect(await daysOf(book)).toEqual(BY_VALUE);
    const { data } = await book.client.get('records.list', { sort: 'created_at' });
    expect(data.toSorted((one, other) => one.id - other.id).map(({ metadata }) => metadata)).toEqual([
      { booking_date: '2026-06-01' },
      { booking_date: '2026-06-02' },
      {},
    ]);
    sound(book);
  });

  test('is the same where another thread reads the file', async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank', read_by: 'value_date' });
    const rows = Array.from({ length: 500 }, (_, index) => `2026-06-01,2026-06-03,Line ${index},5.00`).join('\n');
    const { result } = await importOnThreads(
      book,
      { path: fileOf(book, `Booking date,Value date,Description,Amount\n${rows}\n`) },
      { wholeBytes: 1_000 },
    );
    expect(result).toMatchObject({ kept: 500, date_range_start: '2026-06-03', date_range_end: '2026-06-03' });
  });

  test('recognises a file that was imported before the setting, and after it was unset', async () => {
    const book = openQuietBook();
    bring(book, FILE);
    expect(await book.client.get('streams.update', { key: 'bank', read_by: 'value_date' })).toMatchObject({ read_by: 'value_date' });
    expect(bring(book, FILE)).toMatchObject({ kept: 0, skipped: 3 });
    expect(await daysOf(book)).toEqual(AS_IN_FILE);
    await book.client.get('streams.update', { key: 'bank', read_by: 'booking_date' });
    expect(bring(book, FILE)).toMatchObject({ kept: 0, skipped: 3 });
  });

  test('shows in the preview what would be stored', async () => {
    const book = await openTestBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank', read_by: 'value_date' });
    const preview = await previewed(book, FILE);
    expect(preview.rows.map(({ date, value_date: value }) => `${date ?? '-'} / ${value ?? '-'}`)).toEqual(BY_VALUE);
  });
});

describe('records', () => {
  test('take a value date, change it and lose it', async () => {
    const { client } = openQuietBook();
    await client.get('streams.create', { key: 'bank', name: 'Bank' });
    const [one] = await addLines(client, 'bank', [{ amount: 5, value_date: '2026-06-12' }]);
    const id = present(one, 'record').id;
    expect(one).toMatchObject({ date: '2026-06-10', value_date: '2026-06-12' });
    expect(await client.get('records.update', { id, value_date: '2026-06-13' })).toMatchObject({ value_date: '2026-06-13' });
    expect(await client.get('records.update', { id, amount: 6 })).toMatchObject({ amount: 6, value_date: '2026-06-13' });
    expect(await client.get('records.update', { id, value_date: null })).toMatchObject({ value_date: null });
    expect(await client.refusal('records.update', { id, value_date: '2026-02-30' })).toMatchObject({ code: 'validation_failed' });
  });

  test('are filtered and sorted by it; those without come before all others and are in no range', async () => {
    const { client } = openQuietBook();
    await client.get('streams.create', { key: 'bank', name: 'Bank' });
    await addLines(client, 'bank', [
      { amount: 1, value_date: '2026-06-12' },
      { amount: 2 },
      { amount: 3, value_date: '2026-06-11' },
      { amount: 4, value_date: '2026-06-12' },
    ]);
    const amounts = async (input: Parameters<typeof client.get<'records.list'>>[1]) =>
      (await client.get('records.list', input)).data.map(({ amount }) => amount);
    expect(await amounts({ sort: 'value_date' })).toEqual([2, 3, 4, 1]);
    expect(await amounts({ sort: '-value_date' })).toEqual([4, 1, 3, 2]);
    expect(await amounts({ sort: 'value_date', value_date_from: '2026-06-12' })).toEqual([4, 1]);
    expect(await amounts({ sort: 'amount', value_date_to: '2026-06-11' })).toEqual([3]);
  });

  test('are stored in bulk with it, and are distinguished by it', async () => {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const item = bulkItem({ data_stream_key: 'bank', external_id: 'x', date: '2026-06-10', amount: 5 });
    await sendBulk(book, { records: [{ ...item, value_date: '2026-06-12' }] });
    expect(await daysOf(book)).toEqual(['2026-06-10 / 2026-06-12']);
    const again = await sendBulk(book, { records: [{ ...item, value_date: '2026-06-13' }] });
    expect(again.results.data).toMatchObject([
      { error: { code: 'same_id_other_content', differences: [{ field: 'value_date', existing: '2026-06-12', given: '2026-06-13' }] } },
    ]);
  });
});

describe('a rule', () => {
  const RULE = {
    filters: {
      rules: [
        { key: 'signed_amount', value: 'signed_amount' },
        { key: 'value_date', value: 'date', tolerance_amount: 1 },
      ],
    },
  };
  const lines = {
    a: [{ amount: 5, value_date: '2026-06-20' }, { amount: 6, value_date: '2026-06-20' }, { amount: 7 }],
    b: [
      { amount: 5, date: '2026-06-21' },
      { amount: 6, date: '2026-06-23' },
      { amount: 7, date: '2026-06-10' },
    ],
  };

  test.each([false, true])('compares value dates, and none never matches; packed: %s', async (isPacked) => {
    const book = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(book.client, lines, [RULE]);
    if (isPacked) packBook(book.database, { isStopped: () => false, onProgress: () => undefined }, { fewest: 1, most: 100 });
    await book.run(reconciliation.id);
    const { data } = await book.client.get('matches.list', {});
    expect(data).toMatchObject([{ record_count: 2, explanation: expect.arrayContaining([expect.stringContaining('alue date')]) }]);
    expect((await book.client.get('records.list', { status: 'reconciled' })).data.map(({ id }) => id).toSorted((x, y) => x - y)).toEqual([
      aIds[0],
      bIds[0],
    ]);
    sound(book);
  });

  test('sees a value date that was given later', async () => {
    const book = openQuietBook();
    const { reconciliation, aIds } = await setUpPair(book.client, lines, [RULE]);
    packBook(book.database, { isStopped: () => false, onProgress: () => undefined }, { fewest: 1, most: 100 });
    await book.client.get('records.update', { id: present(aIds[2], 'id'), value_date: '2026-06-11' });
    await book.run(reconciliation.id);
    expect((await book.client.get('matches.list', {})).data).toHaveLength(2);
  });
});

test('the currency of an import with value dates is corrected, and its file is known again', async () => {
  for (const readBy of ['booking_date', 'value_date'] as const) {
    for (const [text, name] of [
      [FILE, 'june.csv'],
      [FILE.replaceAll(/2026-06-0(\d)/g, '$1.6.26'), 'june.csv'],
      [':20:X\n:25:DE1\n:60F:C260601USD10,00\n:61:2606030602C5,00NTRFA\n:62F:C260602USD15,00\n-\n', 'june.sta'],
    ] as const) {
      const book = openQuietBook();
      await book.client.get('streams.create', { key: 'bank', name: 'Bank', read_by: readBy });
      const { batch_id: id } = present(importHere(book, { path: fileOf(book, text, name), currency: 'USD' }).result, 'result');
      await book.client.get('import_batches.correct_currency', { id: present(id, 'batch'), currency: 'GBP' });
      const again = fileOf(book, text.replaceAll('USD', 'GBP'), name);
      expect(importHere(book, { path: again, currency: 'GBP' }).result).toMatchObject({ kept: 0 });
    }
  }
});
