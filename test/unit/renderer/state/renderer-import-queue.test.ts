import { describe, expect, it, test } from 'vitest';
import type { ImportPreview, ImportResult, Misfit } from '../../../../src-shared/contract/index.ts';
import {
  advanceImport,
  cancelled,
  hindranceOf,
  type ImportAction,
  type ImportFlow,
  isWorking,
  queueOf,
  reasonToLook,
  shareOfQueue,
  startOfImport,
  streamOf,
  unpacked,
  withLine,
} from '../../../../src-renderer/state/import-flow.ts';

const FILES = ['a.csv', 'b.csv', 'c.csv'].map((name) => ({ token: name, name, byteLength: 1 }));

const notesOf = (code: string) => [{ row: null, column: null, code, message: 'A note.', severity: 'note' as const }];
const LEFT_OUT = notesOf('sheets_left_out');
const SHEET = { name: 'June', rows: 0, is_hidden: false, is_read: false };

/** Returns a file that needs no person when its stream is known. */
function preview(change: Partial<ImportPreview['result']> = {}, rest: Partial<ImportPreview> = {}): ImportPreview {
  const result = {
    rows: 2,
    skipped: 0,
    rejected: 0,
    proof: 'unproved',
    problems: [],
    questions: [],
    misfits: [],
    recipe: null,
    ...change,
  } as unknown as ImportPreview['result'];
  const suggestion = {
    stream_key: 'a',
    stream_name: 'A',
    is_known: false,
    bank_account_id: null,
    bank_account_name: null,
    keep_file: false,
  };
  return { result, sheets: [], head: [], accounts: [], suggestion, ...rest } as unknown as ImportPreview;
}

test.each([
  [preview(), 'bank', null],
  [preview(), null, { state: 'look', words: 'Choose the account that its lines go into.' }],
  [
    preview(
      {},
      {
        suggestion: {
          stream_key: 'card',
          stream_name: 'Card',
          is_known: true,
          bank_account_id: null,
          bank_account_name: null,
          keep_file: false,
        },
      },
    ),
    null,
    null,
  ],
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
  [preview({ problems: notesOf('currency_differs') }), 'bank', { state: 'look', words: 'It is in another currency than its account.' }],
  [preview({ problems: notesOf('same_file'), recipe: { state: 'guessed' } } as never), 'bank', null],
  [
    preview(
      { rows: 0, problems: [{ row: null, column: null, code: 'empty_file', message: 'The sheet is empty.', severity: 'fatal' }] },
      { sheets: [SHEET, SHEET] },
    ),
    'bank',
    { state: 'look', words: 'The sheet is empty.' },
  ],
  ...['needs_password', 'wrong_password'].map((code): [ImportPreview, string, object] => [
    preview({ rows: 0, problems: [{ row: null, column: null, code, message: 'It is locked.', severity: 'fatal' }] }),
    'bank',
    { state: 'look', words: 'It needs a password: open it to enter it.' },
  ]),
  [preview({ format: 'pdf' }), 'bank', { state: 'look', words: 'No balance proves its lines: open it to look at them.' }],
  [preview({ format: 'pdf', proof: 'proved' }), 'bank', null],
])('a file waits for a person, with a reason (%#)', (found, key, reason) => {
  expect(reasonToLook(found, key)).toEqual(reason);
});

it('the chosen stream takes precedence over that of the recipe', () => {
  const known = preview(
    {},
    {
      suggestion: {
        stream_key: 'card',
        stream_name: 'Card',
        is_known: true,
        bank_account_id: null,
        bank_account_name: null,
        keep_file: false,
      },
    },
  );
  expect([streamOf(known, 'bank'), streamOf(known, null), streamOf(preview(), null)]).toEqual(['bank', 'card', null]);
});

it('cancelling affects only the waiting files', () => {
  const lines = withLine(withLine(queueOf(FILES), 0, { state: 'done' }), 1, { state: 'importing' });
  expect(isWorking(lines)).toBe(true);
  expect(cancelled(lines).map(({ state }) => state)).toEqual(['done', 'importing', 'cancelled']);
  expect(isWorking(withLine(cancelled(lines), 1, { state: 'cancelled' }))).toBe(false);
});

test('the bar of several files counts preview and import of each file by its size', () => {
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

it('files of an archive replace it; a failure is reported, and a workbook is not opened', async () => {
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

describe('found once: second file takes first target', () => {
  const result = {
    rows: 2,
    kept: 2,
    rejected: 0,
    proof: 'unproved',
    recipe: null,
    questions: [],
    misfits: [],
    problems: [],
  } as unknown as ImportResult;

  function previewOf(key: string, misfits: readonly Misfit[] = []): ImportPreview {
    const suggestion = {
      stream_key: key,
      stream_name: key,
      is_known: false,
      bank_account_id: null,
      bank_account_name: null,
      keep_file: false,
    };
    return { result: { ...result, misfits }, head: [], sheets: [], accounts: [], suggestion } as unknown as ImportPreview;
  }

  const fileOf = (name: string) => ({ token: name, name, byteLength: 1 });
  const advance = (flow: ImportFlow, ...actions: readonly ImportAction[]): ImportFlow => actions.reduce(advanceImport, flow);
  const open = (flow: ImportFlow, name: string): ImportFlow =>
    advance(flow, { type: 'file', file: fileOf(name) }, { type: 'previewed', preview: previewOf(name) });

  /** When two files were dropped together, the second one opened with the stream that was chosen for the first. */
  test('a second file has its own target, whatever was chosen for the first, imported or not', () => {
    const first = open(startOfImport(null), 'bank');
    const chosen = advance(first, {
      type: 'target',
      target: { ...first.target, mode: 'existing', key: 'current', name: '', currency: 'GBP', bankAccount: '7' },
    });
    for (const before of [chosen, advance(chosen, { type: 'import' }, { type: 'imported', result })]) {
      expect(open(before, 'cash').target).toEqual(open(startOfImport(null), 'cash').target);
      expect(open(before, 'cash').target).toMatchObject({ mode: 'new', key: 'cash', currency: '' });
      expect(advance(before, { type: 'again' })).toEqual(startOfImport(null));
    }
  });

  test('files that are chosen on the page of a stream all have that stream as target', () => {
    const first = advance(open(startOfImport('bank'), 'june'), { type: 'import' }, { type: 'imported', result });
    expect(open(first, 'july').target).toEqual(startOfImport('bank').target);
  });

  test('a file that does not fit its stream waits for consent, which does not hold for another stream or file', () => {
    const mismatch: Misfit = { about: 'account_number', file: '2', stream: '1', message: 'The file is of account 2.' };
    const seen = (flow: ImportFlow) => advance(flow, { type: 'previewed', preview: previewOf('bank', [mismatch]) });
    const held = seen(advance(startOfImport('bank'), { type: 'file', file: fileOf('cash') }));
    expect(hindranceOf(held)).toBe('mismatch');
    const agreed = advance(held, { type: 'consent', consent: { ...held.consent, target: true } });
    expect(hindranceOf(agreed)).toBeNull();
    expect(hindranceOf(seen(advance(agreed, { type: 'reread' })))).toBe('mismatch');
    expect(open(agreed, 'other').consent.target).toBe(false);
    expect(reasonToLook(previewOf('bank', [mismatch]), 'bank')).toEqual({ state: 'look', words: mismatch.message });
  });
});
