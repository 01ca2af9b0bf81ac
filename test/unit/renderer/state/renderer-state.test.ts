import * as fc from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';
import { readingOf } from '../../../../src-renderer/screens/imports/use-import.ts';
import {
  advanceImport,
  hindranceOf,
  type ImportFlow,
  startOfImport,
  targetToReadAgain,
  withAccountOfRecipe,
} from '../../../../src-renderer/state/import-flow.ts';
import { type Place, placeFrom, placeText } from '../../../../src-renderer/state/places.ts';
import { runProgress } from '../../../../src-renderer/state/run-progress.ts';
import { selection } from '../../../../src-renderer/state/selection.ts';
import type { ImportPreview, ImportResult, Line } from '../../../../src-shared/contract/index.ts';

const result: ImportResult = {
  stream: 'bank',
  format: 'csv',
  rows: 10,
  kept: 10,
  skipped: 0,
  rejected: 0,
  total_credits: 1,
  total_debits: 1,
  currency: 'GBP',
  decimal_places: 2,
  totals: [],
  date_range_start: null,
  date_range_end: null,
  opening_balance: null,
  closing_balance: null,
  balances: { bank_account: null, stated: 0, new: 0, same: 0, conflicts: 0, items: [] },
  recipe: null,
  skipped_rows: [],
  overlap: [],
  same_file: null,
  overruled: 0,
  remembered: null,
  proof: 'unproved',
  questions: [],
  misfits: [],
  problems: [],
  problems_total: 0,
  batches: null,
  batch_id: null,
};
const previewOf = (over: Partial<ImportResult>): ImportPreview => ({
  result: { ...result, ...over },
  file: { name: 'bank.csv', byte_length: 10 },
  dialect: { encoding: 'UTF-8', delimiter: ',', header_row: 1, date_order: null, decimal_mark: null, sign_model: 'signed' },
  sheets: [],
  head: [],
  columns: [],
  rows: [],
  accounts: [],
  suggestion: {
    stream_key: 'bank',
    stream_name: 'Bank',
    is_known: false,
    bank_account_id: null,
    bank_account_name: null,
    keep_file: false,
  },
  pages: null,
  can_import: true,
});
const file = { token: 't', name: 'bank.csv', byteLength: 10 };
const previewed = (over: Partial<ImportResult> = {}, key: string | null = null): ImportFlow =>
  advanceImport(advanceImport(startOfImport(key), { type: 'file', file }), { type: 'previewed', preview: previewOf(over) });

describe('a file with open questions', () => {
  const question = { about: 'date_order' as const, column: 'Date', message: 'Which order?', taken: 'dmy', choices: [] };

  it('waits for the answer, which is part of the next reading and is dropped by an edited recipe', () => {
    const asked = previewed({ questions: [question] }, 'bank');
    expect(hindranceOf(asked)).toBe('asked');
    const said = advanceImport(asked, { type: 'answer', answers: { date_order: 'mdy' } });
    expect(readingOf(said)).toMatchObject({ answers: { date_order: 'mdy' } });
    expect(hindranceOf(advanceImport(said, { type: 'previewed', preview: previewOf({}) }))).toBeNull();
    expect(advanceImport(said, { type: 'as_found' }).answers).toEqual({});
    expect(readingOf(advanceImport(said, { type: 'recipe', recipe: { name: 'Bank' } as never }))).not.toHaveProperty('answers');
    expect(advanceImport(said, { type: 'file', file }).answers).toEqual({});
  });
});

describe('a file in another currency than its stream', () => {
  const wrong = { row: null, column: null, code: 'wrong_currency', message: 'It is in EUR.', severity: 'note' as const };

  it('waits for consent, which holds for this stream only', () => {
    const held = previewed({ problems: [wrong] }, 'bank');
    expect(hindranceOf(held)).toBe('other_currency');
    expect(readingOf(held)).not.toHaveProperty('accept_currency');
    const agreed = advanceImport(held, { type: 'any_currency' });
    expect(readingOf(agreed)).toMatchObject({ accept_currency: true });
    const other = advanceImport(agreed, { type: 'target', target: { ...agreed.target, key: 'card' } });
    expect(readingOf(other)).not.toHaveProperty('accept_currency');
  });
});

describe('the bank account that a recipe names', () => {
  it('is proposed when none is chosen', () => {
    const { target } = previewed({}, 'bank');
    const preview = previewOf({});
    const named = { ...preview, suggestion: { ...preview.suggestion, bank_account_id: 7, bank_account_name: null, keep_file: false } };
    expect(withAccountOfRecipe(target, named)).toMatchObject({ bankAccount: '7' });
    expect(withAccountOfRecipe(target, preview)).toBe(target);
    const chosen = { ...target, bankAccount: '3' };
    expect(withAccountOfRecipe(chosen, named)).toBe(chosen);
  });
});

describe('a table that cannot be read', () => {
  const fatal = { row: null, column: null, code: 'not_csv', message: 'No rows here.', severity: 'fatal' as const };
  const unread = { ...previewOf({ rows: 0, problems: [fatal] }), head: [{ row: 1, cells: ['a^b'] }] };
  const reading = advanceImport(startOfImport(null), { type: 'file', file });

  it('stays visible with its first rows and cannot be imported; another kind of file is chosen again', () => {
    const flow = advanceImport(reading, { type: 'previewed', preview: unread });
    expect([flow.step, flow.failure, hindranceOf(flow)]).toEqual([
      'preview',
      { message: 'No rows here.', isOfReading: true },
      'nothing_to_import',
    ]);
    const other = advanceImport(reading, { type: 'previewed', preview: { ...unread, head: [] } });
    expect([other.step, other.preview, other.failure?.message]).toEqual(['choose', null, 'No rows here.']);
    const sheets = ['June', 'July'].map((name) => ({ name, rows: 0, is_hidden: false, is_read: false }));
    expect(advanceImport(reading, { type: 'previewed', preview: { ...unread, head: [], sheets } }).step).toBe('preview');
  });

  it('has its own name when another sheet is read, so that it does not replace the visible one', () => {
    const sheets = ['June', 'July'].map((name) => ({ name, rows: 3, is_hidden: false, is_read: name === 'June' }));
    const shown = { ...previewOf({ rows: 2, kept: 2 }), sheets };
    const read = advanceImport(reading, { type: 'previewed', preview: shown });
    const july = advanceImport(read, { type: 'table', table: { sheet: 'July' } });
    expect([july.remember, advanceImport(july, { type: 'table', table: { sheet: 'July', header_row: 2 } }).remember]).toEqual([
      'bank, July',
      'bank, July',
    ]);
    expect(advanceImport(july, { type: 'table', table: { sheet: 'June' } }).remember).toBe('bank, June');
    expect(advanceImport(read, { type: 'table', table: { sheet: 'June', header_row: 2 } }).remember).toBe('bank');
  });

  it('replaces an earlier preview when the table was changed; with an edited recipe the earlier preview stays', () => {
    const read = previewed({ rows: 2, kept: 2 });
    const byHand = advanceImport(advanceImport(read, { type: 'table', table: { delimiter: '^' } }), { type: 'previewed', preview: unread });
    expect([byHand.preview?.head.length, byHand.remember]).toEqual([1, 'bank']);
    const back = advanceImport(byHand, { type: 'previewed', preview: previewOf({ rows: 2, kept: 2 }) });
    expect([back.failure, back.preview?.result.rows]).toEqual([null, 2]);
  });
});

describe('the steps of an import', () => {
  it('offers the suggested stream, but keeps the requested one', () => {
    expect(previewed().target).toMatchObject({ mode: 'new', key: 'bank', name: 'Bank' });
    expect(previewed({}, 'card').target).toMatchObject({ mode: 'existing', key: 'card' });
  });

  it('returns to the preview when the import fails, with everything as it was', () => {
    const flow = previewed();
    const failed = advanceImport(advanceImport(flow, { type: 'import' }), { type: 'failed', failure: { message: 'The disk is full.' } });
    expect(failed).toEqual({ ...flow, failure: { message: 'The disk is full.' } });
  });

  it('returns to the choice of files when the file cannot be read', () => {
    const reading = advanceImport(startOfImport(null), { type: 'file', file });
    expect(reading.step).toBe('reading');
    expect(advanceImport(reading, { type: 'failed', failure: { message: 'It is empty.' } }).step).toBe('choose');
  });

  it('returns to the choice of files, with the reason, when nothing in the file makes sense', () => {
    const fatal = { row: null, column: null, code: 'binary', message: 'The file holds binary data.', severity: 'fatal' as const };
    const flow = previewed({ rows: 0, problems: [fatal], problems_total: 1 });
    expect(flow).toMatchObject({ step: 'choose', file: null, preview: null, failure: { message: 'The file holds binary data.' } });
    expect(flow.target.key).toBe('');
  });

  it('asks for consent again when the file is read again', () => {
    const agreed = advanceImport(previewed({ rejected: 1 }), {
      type: 'consent',
      consent: { rejected: true, broken: false, unproved: false, target: false },
    });
    expect(hindranceOf(agreed)).toBeNull();
    expect(hindranceOf(advanceImport(agreed, { type: 'reread' }))).toBe('rejected');
  });

  it('starts over with the stream from which it was opened', () => {
    expect(advanceImport(previewed({}, 'card'), { type: 'again' })).toEqual(startOfImport('card'));
    expect(advanceImport(previewed(), { type: 'again' })).toEqual(startOfImport(null));
  });
});

describe('a locked PDF', () => {
  const lockedBy = (code: string) => {
    const message = 'The PDF is locked.';
    return previewOf({ format: 'pdf', rows: 0, problems: [{ row: null, column: null, code, message, severity: 'fatal' }] });
  };
  const chosen = advanceImport(startOfImport('bank'), { type: 'file', file });
  const locked = advanceImport(chosen, { type: 'previewed', preview: lockedBy('needs_password') });
  const told = advanceImport(locked, { type: 'password', password: 'spec1991' });
  const opened = advanceImport(told, { type: 'previewed', preview: previewOf({ format: 'pdf', proof: 'proved' }) });

  it('asks for its password and is read with it', () => {
    expect(locked).toMatchObject({ step: 'locked', file, lock: 'needs_password', failure: null });
    expect(told).toMatchObject({ step: 'reading', file });
    expect(readingOf(told)).toMatchObject({ password: 'spec1991' });
    expect(opened).toMatchObject({ step: 'preview', lock: 'opened' });
    expect(hindranceOf(opened)).toBeNull();
    expect(readingOf(previewed())).not.toHaveProperty('password');
  });

  it('asks again after a wrong password, which is forgotten', () => {
    const wrong = advanceImport(told, { type: 'previewed', preview: lockedBy('wrong_password') });
    expect(wrong).toMatchObject({ step: 'locked', file, lock: 'wrong_password', password: null });
  });

  test.each<[string, (flow: ImportFlow) => ImportFlow]>([
    ['imported', (flow) => advanceImport(flow, { type: 'imported', result })],
    ['given up', (flow) => advanceImport(flow, { type: 'again' })],
    ['followed by another file', (flow) => advanceImport(flow, { type: 'file', file })],
  ])('its password is not kept when it is %s', (_end, end) => {
    expect(opened.password).toBe('spec1991');
    expect(end(opened).password).toBeNull();
  });

  it('is remembered as locked after the import, because single rows of it need the password again', () => {
    expect(advanceImport(opened, { type: 'imported', result }).lock).toBe('opened');
  });

  it('is given up with its password when reading it fails', () => {
    expect(advanceImport(told, { type: 'failed', failure: { message: 'Cancelled.' } })).toMatchObject({ step: 'choose', password: null });
  });
});

describe('a PDF that no balance proves', () => {
  const unproved = previewed({ format: 'pdf', proof: 'unproved' });
  const agreed = advanceImport(unproved, { type: 'consent', consent: { ...unproved.consent, unproved: true } });

  it('waits until the person agrees, and again after each reading', () => {
    expect(hindranceOf(unproved)).toBe('unproved');
    expect(hindranceOf(agreed)).toBeNull();
    expect(hindranceOf(advanceImport(agreed, { type: 'reread' }))).toBe('unproved');
  });
});

describe('the reason that prevents an import', () => {
  const agree = (flow: ImportFlow, rejected: boolean, broken: boolean) =>
    hindranceOf(advanceImport(flow, { type: 'consent', consent: { rejected, broken, unproved: false, target: false } }));

  it('is null for a good file', () => {
    expect(hindranceOf(previewed())).toBeNull();
    expect(hindranceOf(previewed({ proof: 'proved' }))).toBeNull();
  });

  it('is each fault until the user accepts it', () => {
    const flow = previewed({ rejected: 2, proof: 'broken' });
    expect(agree(flow, false, false)).toBe('rejected');
    expect(agree(flow, false, true)).toBe('rejected');
    expect(agree(flow, true, false)).toBe('broken');
    expect(agree(flow, true, true)).toBeNull();
  });

  it('is a file without a usable row, whatever the user accepts', () => {
    expect(agree(previewed({ rows: 0 }), true, true)).toBe('nothing_to_import');
    expect(agree(previewed({ rows: 2, rejected: 2 }), true, true)).toBe('nothing_to_import');
    const fatal = [{ row: null, column: null, code: 'no_date', message: 'No column of dates.', severity: 'fatal' as const }];
    expect(agree(previewed({ problems: fatal }), true, true)).toBe('nothing_to_import');
    expect(hindranceOf(startOfImport(null))).toBe('nothing_to_import');
  });

  it.each([
    ['Bank!', '', 'bad_key'],
    ['-bank', '', 'bad_key'],
    ['bank', 'GB', 'bad_currency'],
    ['bank', 'GBP', null],
  ] as const)('for the key %j and the currency %j is %s', (key, currency, hindrance) => {
    const flow = advanceImport(previewed(), {
      type: 'target',
      target: { mode: 'new', key, name: 'Bank', currency, account: '', bankAccount: '', bankAccountName: '' },
    });
    expect(hindranceOf(flow)).toBe(hindrance);
  });

  it('is a missing choice of account when the file holds several', () => {
    const account = (name: string) => ({
      account: name,
      currency: 'EUR',
      decimal_places: 2,
      rows: 1,
      opening_balance: null,
      closing_balance: null,
    });
    const preview = { ...previewOf({}), accounts: [account('1'), account('2')] };
    const flow = advanceImport(previewed(), { type: 'previewed', preview });
    expect(hindranceOf(flow)).toBe('no_account');
    const chosen = advanceImport(flow, { type: 'target', target: { ...flow.target, account: '2' } });
    expect(hindranceOf(chosen)).toBe(null);
    expect(advanceImport(chosen, { type: 'file', file }).target.account).toBe('');
  });

  it('is a missing stream', () => {
    const flow = advanceImport(previewed(), {
      type: 'target',
      target: { mode: 'new', key: '', name: '', currency: '', account: '', bankAccount: '', bankAccountName: '' },
    });
    expect(hindranceOf(flow)).toBe('no_stream');
  });
});

describe('places', () => {
  it('survive the address', () => {
    const place = fc.oneof(
      fc.constant<Place>({ screen: 'book' }),
      fc.constant<Place>({ screen: 'settings' }),
      fc.constant<Place>({ screen: 'import', streamKey: null }),
      fc.string({ minLength: 1 }).map<Place>((streamKey) => ({ screen: 'import', streamKey })),
      fc.integer({ min: 1 }).map<Place>((id) => ({ screen: 'reconciliation', id })),
      fc.integer({ min: 1 }).map<Place>((id) => ({ screen: 'reconciliation', id, tab: 'proposed' })),
      fc.tuple(fc.integer({ min: 1 }), fc.string({ minLength: 1 })).map<Place>(([id, find]) => ({ screen: 'reconciliation', id, find })),
      fc.tuple(fc.integer({ min: 1 }), fc.integer({ min: 1 })).map<Place>(([key, periodId]) => ({ screen: 'close', key, periodId })),
      fc.integer({ min: 1 }).map<Place>((key) => ({ screen: 'close', key, periodId: null })),
      fc.string({ minLength: 1 }).map<Place>((key) => ({ screen: 'stream', key })),
      fc.integer({ min: 1 }).map<Place>((id) => ({ screen: 'account', id })),
      fc.constant<Place>({ screen: 'accounts' }),
      fc.constant<Place>({ screen: 'history' }),
      fc.record({ screen: fc.constant('database' as const), id: fc.integer({ min: 1, max: 1_000_000 }) }),
      fc.constant<Place>({ screen: 'exceptions' }),
      fc.integer({ min: 1 }).map<Place>((recordId) => ({ screen: 'records', streamKey: null, recordId })),
      fc.integer({ min: 1 }).map<Place>((id) => ({ screen: 'reconciliation', id, tab: 'proposed' })),
      fc.integer({ min: 1 }).map<Place>((key) => ({ screen: 'close', key, periodId: null })),
      fc.tuple(fc.integer({ min: 1 }), fc.integer({ min: 1 })).map<Place>(([key, periodId]) => ({ screen: 'close', key, periodId })),
    );
    fc.assert(
      fc.property(place, (given) => {
        expect(placeFrom(placeText(given))).toEqual(given);
      }),
    );
  });

  it('name one line as a link of another program does', () => {
    expect(placeFrom('/record/123')).toEqual({ screen: 'records', streamKey: null, recordId: 123 });
    expect(placeFrom('/records/x')).toEqual({ screen: 'records', streamKey: null });
  });

  it.each(['', '/', '/nowhere', '/reconciliations/0', '/reconciliations/x', '/streams/', '/streams/%'])('opens the book at %j', (text) => {
    expect(placeFrom(text)).toEqual({ screen: 'book' });
  });
});

describe('live progress', () => {
  const event = {
    kind: 'job',
    revision: 1,
    job_id: 1,
    job_kind: 'run',
    status: 'running',
    phase: 'matching',
    progress: 40,
    processed: 4,
    total: 10,
    file: null,
    run_id: 3,
    reconciliation_id: 5,
  } as const;

  it('is kept during a run, for its own reconciliation', () => {
    runProgress.getState().receive(event);
    runProgress.getState().receive({ ...event, reconciliation_id: 6 });
    expect(runProgress.getState().running[5]?.progress).toBe(40);
    runProgress.getState().receive({ ...event, status: 'completed', progress: 100 });
    expect(runProgress.getState().running[5]).toBeUndefined();
    expect(runProgress.getState().running[6]).toBeDefined();
  });

  it('ignores imports', () => {
    runProgress.getState().receive({ ...event, job_kind: 'import', reconciliation_id: 9 });
    expect(runProgress.getState().running[9]).toBeUndefined();
  });
});

describe('the selection', () => {
  const line = (id: number): Line => ({ id }) as Line;
  const ids = () => ({ a: selection.getState().a.map(({ id }) => id), b: selection.getState().b.map(({ id }) => id) });

  afterEach(() => selection.getState().clear());

  it('starts empty on both sides and is cleared on both', () => {
    expect(selection.getState()).toMatchObject({ a: [], b: [] });
    selection.getState().choose('a', [line(1)]);
    selection.getState().add('b', [line(2)]);
    expect(ids()).toEqual({ a: [1], b: [2] });
    selection.getState().clear();
    expect(ids()).toEqual({ a: [], b: [] });
    expect(selection.getState().added).toEqual({ a: [], b: [] });
  });

  it('keeps lines from elsewhere beside those of the grid, each once', () => {
    const { choose, add } = selection.getState();
    choose('a', [line(1)]);
    add('a', [line(2), line(1)]);
    add('a', [line(2), line(3)]);
    expect(ids().a).toEqual([1, 2, 3]);
    choose('a', [line(1), line(4)]);
    expect(ids().a).toEqual([1, 4, 2, 3]);
  });

  it('drops a line from elsewhere once the grid has shown it and shows it no more', () => {
    const { choose, add } = selection.getState();
    add('a', [line(2), line(3)]);
    choose('a', [line(2)]);
    expect(ids().a).toEqual([2, 3]);
    choose('a', []);
    expect(ids().a).toEqual([3]);
  });
});

describe('found once: preview compared with no stream', () => {
  function previewFor(suggestion: ImportPreview['suggestion']): ImportPreview {
    const result = { rows: 4, rejected: 0, problems: [], questions: [], proof: 'proved', recipe: null };
    return { result, head: [], sheets: [], accounts: [], suggestion } as unknown as ImportPreview;
  }

  const KNOWN = {
    stream_key: 'giro',
    stream_name: 'Giro',
    is_known: true,
    bank_account_id: null,
    bank_account_name: null,
    keep_file: false,
  };
  const NEW = { ...KNOWN, is_known: false };
  const FILE = { token: 'a', name: 'june.csv', byteLength: 9 };
  const readingFor = (key: string | null) => advanceImport(startOfImport(key), { type: 'file', file: FILE });

  /**
   * A recipe chose the stream, but the preview had been made without it: it said "4 new" about rows that all existed, and did not mention its bank
   * account or currency.
   */
  test('a file whose recipe names an existing stream is compared with its lines', () => {
    expect(targetToReadAgain(readingFor(null), previewFor(KNOWN))).toMatchObject({ mode: 'existing', key: 'giro' });
    expect(targetToReadAgain(readingFor('giro'), previewFor(KNOWN))).toBeNull();
    expect(targetToReadAgain(readingFor(null), previewFor(NEW))).toBeNull();
    expect(
      targetToReadAgain(readingFor(null), previewFor({ ...NEW, bank_account_id: 7, bank_account_name: null, keep_file: false })),
    ).toMatchObject({
      key: 'giro',
      bankAccount: '7',
    });
  });
});

describe('found once: reading comes back after another file', () => {
  /** After "Choose another file" during another reading of a large one, its preview came back without a file, and the import button did nothing. */
  test('the reading of a file that was removed is not shown', () => {
    const preview = {
      result: { rows: 1, rejected: 0, problems: [], questions: [], proof: 'unproved', recipe: null },
      head: [],
      sheets: [],
      accounts: [],
      suggestion: {
        stream_key: 'bank',
        stream_name: 'Bank',
        is_known: false,
        bank_account_id: null,
        bank_account_name: null,
        keep_file: false,
      },
    } as unknown as ImportPreview;
    const reading = advanceImport(startOfImport(null), { type: 'file', file: { token: 'a', name: 'a.csv', byteLength: 9 } });
    expect(advanceImport(reading, { type: 'previewed', preview }).step).toBe('preview');
    const letGo = advanceImport(reading, { type: 'again' });
    expect(advanceImport(letGo, { type: 'previewed', preview })).toEqual(letGo);
  });
});
