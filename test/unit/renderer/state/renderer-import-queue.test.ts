import { expect, it, test } from 'vitest';
import {
  cancelled,
  isWorking,
  queueOf,
  reasonToLook,
  shareOfQueue,
  streamOf,
  unpacked,
  withLine,
} from '../../../../src-renderer/state/import-queue.ts';
import type { ImportPreview } from '../../../../src-shared/contract/index.ts';

const FILES = ['a.csv', 'b.csv', 'c.csv'].map((name) => ({ token: name, name, byteLength: 1 }));

const notesOf = (code: string) => [{ row: null, column: null, code, message: 'A note.', severity: 'note' as const }];
const LEFT_OUT = notesOf('sheets_left_out');
const SHEET = { name: 'June', rows: 0, is_hidden: false, is_read: false };

/** A file that goes in by itself where its stream is known. */
function preview(change: Partial<ImportPreview['result']> = {}, rest: Partial<ImportPreview> = {}): ImportPreview {
  const result = {
    rows: 2,
    rejected: 0,
    proof: 'unproved',
    problems: [],
    questions: [],
    misfits: [],
    recipe: null,
    ...change,
  } as unknown as ImportPreview['result'];
  const suggestion = { stream_key: 'a', stream_name: 'A', is_known: false, bank_account_id: null };
  return { result, sheets: [], head: [], accounts: [], suggestion, ...rest } as unknown as ImportPreview;
}

test.each([
  [preview(), 'bank', null],
  [preview(), null, { state: 'look', words: 'Choose the stream that its lines go into.' }],
  [preview({}, { suggestion: { stream_key: 'card', stream_name: 'Card', is_known: true, bank_account_id: null } }), null, null],
  [preview({ rejected: 2 }), 'bank', { state: 'look', words: '2 of its rows cannot be read.' }],
  [preview({ proof: 'broken' }), 'bank', { state: 'look', words: 'Its balances do not agree.' }],
  [
    preview({ problems: [{ row: null, column: null, code: 'empty_file', message: 'The file is empty.', severity: 'fatal' }] }),
    'bank',
    { state: 'failed', words: 'The file is empty.' },
  ],
  [
    preview(
      { problems: [{ row: null, column: null, code: 'not_csv', message: 'No rows of data.', severity: 'fatal' }] },
      { head: [{ row: 1, cells: ['a^b'] }] },
    ),
    'bank',
    { state: 'look', words: 'No rows of data.' },
  ],
  [
    preview({ problems: LEFT_OUT, recipe: { state: 'guessed' } } as never),
    'bank',
    { state: 'look', words: 'Several of its sheets hold transactions: choose one.' },
  ],
  [preview({ problems: LEFT_OUT, recipe: { state: 'remembered' } } as never), 'bank', null],
  [
    preview({ problems: notesOf('date_order_assumed'), recipe: { state: 'guessed' } } as never),
    'bank',
    { state: 'look', words: expect.stringContaining('day first or month first') },
  ],
  [
    preview({ problems: notesOf('decimal_mark_assumed'), recipe: { state: 'guessed' } } as never),
    'bank',
    { state: 'look', words: expect.stringContaining('thousands or as decimals') },
  ],
  [
    preview({ questions: [{ about: 'date_order', message: 'Which order?', choices: [] }] } as never),
    'bank',
    { state: 'look', words: 'Which order?' },
  ],
  [preview({ problems: notesOf('columns_assumed'), recipe: { state: 'remembered' } } as never), 'bank', null],
  [preview({ problems: notesOf('currency_differs') }), 'bank', { state: 'look', words: 'It is in another currency than its stream.' }],
  [preview({ problems: notesOf('same_file'), recipe: { state: 'guessed' } } as never), 'bank', null],
  [
    preview(
      { rows: 0, problems: [{ row: null, column: null, code: 'empty_file', message: 'The sheet is empty.', severity: 'fatal' }] },
      { sheets: [SHEET, SHEET] },
    ),
    'bank',
    { state: 'look', words: 'The sheet is empty.' },
  ],
])('what waits for somebody, and why (%#)', (found, key, reason) => {
  expect(reasonToLook(found, key)).toEqual(reason);
});

it('goes to the chosen stream before that of the recipe', () => {
  const known = preview({}, { suggestion: { stream_key: 'card', stream_name: 'Card', is_known: true, bank_account_id: null } });
  expect([streamOf(known, 'bank'), streamOf(known, null), streamOf(preview(), null)]).toEqual(['bank', 'card', null]);
});

it('lets go of what waits when it is cancelled, and of nothing else', () => {
  const lines = withLine(withLine(queueOf(FILES), 0, { state: 'done' }), 1, { state: 'importing' });
  expect(isWorking(lines)).toBe(true);
  expect(cancelled(lines).map(({ state }) => state)).toEqual(['done', 'importing', 'cancelled']);
  expect(isWorking(withLine(cancelled(lines), 1, { state: 'cancelled' }))).toBe(false);
});

test('the bar of several files goes on from the look at a file to its import and to the next file, by their sizes', () => {
  const files = [1, 3].map((byteLength) => ({ token: `${byteLength}`, name: `${byteLength}.csv`, byteLength }));
  const at = (first: 'reading' | 'importing' | 'done' | 'failed', second: 'waiting' | 'reading' | 'importing' | 'look', percent: number) =>
    shareOfQueue(withLine(withLine(queueOf(files), 0, { state: first }), 1, { state: second }), percent);
  const shares = [
    at('reading', 'waiting', 0),
    at('reading', 'waiting', 100),
    at('importing', 'waiting', 0),
    at('importing', 'waiting', 100),
    at('failed', 'reading', 0),
    at('done', 'reading', 100),
    at('done', 'importing', 50),
    at('done', 'look', 0),
  ];
  expect(shares).toEqual([0, 12.5, 12.5, 25, 25, 62.5, 81.25, 100]);
  expect(shareOfQueue([], 50)).toBe(0);
});

it('files of an archive stand in its place; what cannot be asked is told, and a workbook is not asked about', async () => {
  const file = (name: string) => ({ token: name, name, byteLength: 7 });
  const { files, failures } = await unpacked([file('a.csv'), file('b.zip'), file('c.zip'), file('d.xlsx')], (token) => {
    if (token === 'd.xlsx') throw new Error('not asked');
    if (token === 'c.zip') return Promise.resolve({ ok: false, error: { code: 'file_unreadable', message: 'No' } } as never);
    const inside = token === 'b.zip' ? ['one.csv', 'two.csv'] : [];
    return Promise.resolve({
      ok: true,
      value: { files: inside.map((name) => ({ file_token: `${token} ${name}`, name: `${token} › ${name}`, byte_length: 7 })) },
    } as never);
  });
  expect(files.map(({ name }) => name)).toEqual(['a.csv', 'b.zip › one.csv', 'b.zip › two.csv', 'd.xlsx']);
  expect(failures.map(({ name }) => name)).toEqual(['c.zip']);
});
