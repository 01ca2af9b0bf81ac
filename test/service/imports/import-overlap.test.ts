import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../../src-shared/contract/index.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';

const CSV = `Date,Description,Amount,Currency
2026-06-01,RENT OFFICE MARKET STREET,-950.00,EUR
2026-06-03,CARD PAYMENT TO STATIONERY LTD,-45.20,EUR
2026-06-04,TRANSFER FROM ACME GMBH INVOICE 2214,1200.00,EUR
2026-06-10,FEE,-2.50,EUR
2026-06-12,TRANSFER FROM BETA LLC,310.75,EUR
`;
const QIF = `!Type:Bank
D06/01/2026
T-950.00
PRENT
^
D06/03/2026
T-45.20
PSTATIONERY
^
D06/04/2026
T1200.00
PACME
^
D06/14/2026
T-77.10
PPHONE
^
`;

async function imported(book: TestBook, name: string, text: string, input: Partial<Call<'imports.start'>> = {}) {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  const token = chosen.ok ? chosen.value.token : '';
  const given = { ...input, answers: { ...(name.endsWith('.qif') ? { date_order: 'mdy' as const } : {}), ...input.answers } };
  const job = await book.ended(await book.client.get('imports.start', { file_token: token, stream_key: 'bank', ...given }));
  return job.import_result;
}

async function linesOf(book: TestBook): Promise<number> {
  return (await book.client.get('records.list', { limit: 100 })).data.length;
}

test('the same lines in another format raise a question, and each answer is followed', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const held = await imported(book, 'june.qif', QIF, { currency: 'EUR' });
  expect(held).toMatchObject({
    kept: 0,
    batch_id: null,
    misfits: [],
    questions: [{ about: 'overlap', choices: [{ value: 'same' }, { value: 'new' }] }],
    overlap: [
      { row: 2, record_id: 1 },
      { row: 6, record_id: 2 },
      { row: 10, record_id: 3 },
    ],
  });
  expect(held?.questions[0]?.message).toBe(
    '3 of 4 new lines have the day and amount of lines already here, with other texts. The same lines, or new ones?',
  );
  expect(held?.overlap.every(({ chance }) => chance > 0 && chance < 0.1)).toBe(true);
  expect(await linesOf(book)).toBe(5);
  const same = await imported(book, 'june.qif', QIF, { currency: 'EUR', answers: { overlap: 'same' } });
  expect(same).toMatchObject({ kept: 1, skipped: 3, questions: [], skipped_rows: [{ row: 2, code: 'same_line', record_id: 1 }, {}, {}] });
  expect(same?.problems.map(({ code }) => code)).toContain('overlap_same');
  expect(await linesOf(book)).toBe(6);
});

test('lines that a person calls new are imported beside the existing ones', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const accepted = { currency: 'EUR', accept_target: true, answers: { overlap: 'new' as const } };
  expect(await imported(book, 'june.qif', QIF, accepted)).toMatchObject({ kept: 4, skipped: 0 });
  expect(await linesOf(book)).toBe(9);
});

test('an export with two reworded descriptions raises a question, unless it is decided row by row', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const reworded = CSV.replace('FEE', 'Account fee').replace('CARD PAYMENT TO STATIONERY LTD', 'Stationery Ltd');
  expect(await imported(book, 'again.csv', reworded)).toMatchObject({ kept: 0, overlap: [{ row: 3 }, { row: 5 }] });
  const one = await imported(book, 'again.csv', reworded, {
    overrules: [
      { row: 3, occurrence: 1, action: 'leave_out' },
      { row: 5, occurrence: 1, action: 'import' },
    ],
  });
  expect(one).toMatchObject({ kept: 1, questions: [], overlap: [] });
});

test('new lines, equal lines of one file, and other ids of one format raise no question', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const july = CSV.replaceAll('2026-06', '2026-07');
  expect(await imported(book, 'july.csv', july)).toMatchObject({ kept: 5, questions: [], overlap: [] });
  const twins = 'Date,Description,Amount,Currency\n2026-08-01,COFFEE,-3.00,EUR\n2026-08-01,COFFEE,-3.00,EUR\n';
  expect(await imported(book, 'twins.csv', twins)).toMatchObject({ kept: 2, questions: [] });
  const more = twins + '2026-08-01,COFFEE,-3.00,EUR\n';
  expect(await imported(book, 'more.csv', more)).toMatchObject({ kept: 1, skipped: 2, questions: [] });
  const identified = (id: string) => `Date,Description,Amount,Currency,Transaction ID\n2026-09-01,Refund ${id},-71.20,EUR,${id}\n`;
  expect(await imported(book, 'one.csv', identified('t1'), { accept_target: true })).toMatchObject({ kept: 1 });
  expect(await imported(book, 'two.csv', identified('t2'), { accept_target: true })).toMatchObject({ kept: 1, questions: [] });
});

test('where nothing decides which of two lines is new, nothing is stored and the rows are named', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const two = 'Date,Description,Amount,Currency\n2026-06-03,Ink,-45.20,EUR\n2026-06-03,Pens,-45.20,EUR\n';
  const held = await imported(book, 'two.csv', two, { answers: { overlap: 'same' } });
  expect(held).toMatchObject({ kept: 0, batch_id: null, questions: [{ about: 'overlap' }] });
  expect(held?.problems.map(({ code }) => code)).toContain('overlap_contested');
  expect(await linesOf(book)).toBe(5);
});

test('a large file is asked about as well, and nothing of it stays', () => {
  const book = openQuietBook();
  const rows = (text: string) => {
    const lines = Array.from({ length: 600 }, (_, at) => {
      const day = String((at % 28) + 1).padStart(2, '0');
      return `2026-06-${day},${text} ${at},${(100 + at * 1.37).toFixed(2)},EUR`;
    });
    return `Date,Description,Amount,Currency\n${lines.join('\n')}\n`;
  };
  const [first, second] = [path.join(book.folder, 'first.csv'), path.join(book.folder, 'second.csv')];
  writeFileSync(first, rows('Payment'));
  writeFileSync(second, rows('Zahlung'));
  const streamed = { wholeBytes: 10_000 };
  const count = () => book.database.connection.prepare('SELECT count(*) FROM records').pluck().get();
  expect(importHere(book, { path: first }, streamed).result).toMatchObject({ kept: 600, questions: [] });
  const held = importHere(book, { path: second }, streamed).result;
  expect(held).toMatchObject({ kept: 0, batch_id: null, questions: [{ about: 'overlap' }] });
  expect(count()).toBe(600);
  const same = importHere(book, { path: second, answers: { overlap: 'same' } }, streamed).result;
  expect(same?.problems.map(({ code }) => code)).toContain('overlap_too_large');
  expect(count()).toBe(600);
  expect(importHere(book, { path: second, answers: { overlap: 'new' } }, streamed).result).toMatchObject({ kept: 600 });
  expect(count()).toBe(1200);
});

test.each([
  ['another line of the same day and amount', '2026-06-03,CARD PAYMENT TO THE CANTEEN,-45.20,EUR'],
  ['the amount on many other days', Array.from({ length: 12 }, (_, at) => `2026-06-${String(at + 11)},CANTEEN,-45.20,EUR`).join('\n')],
])('found once: a line in other words beside %s doubled a file of the same days', async (_, more) => {
  const book = await openTestBook();
  const first = `${CSV}2026-06-03,FLOWERS,-12.00,EUR\n${more}\n`;
  await imported(book, 'june.csv', first);
  const before = await linesOf(book);
  const held = await imported(book, 'june-again.csv', first.replace('CARD PAYMENT TO STATIONERY LTD', 'CARD STATIONERY'));
  expect(held).toMatchObject({ kept: 0, questions: [{ about: 'overlap' }], overlap: [{ row: 3 }] });
  expect(await linesOf(book)).toBe(before);
});

test('found once: a question about an OFX file without line breaks names each transaction, not the one row of all', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const entry = (id: string, day: string, amount: string, name: string): string =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
  const entries = [
    entry('1', '20260601', '-950.00', 'RENT'),
    entry('2', '20260603', '-45.20', 'STATIONERY'),
    entry('3', '20260614', '-77.10', 'PHONE'),
    entry('4', '20260604', '1200.00', 'ACME'),
  ];
  const text = `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST>${entries.join('')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
  const held = await imported(book, 'june.ofx', text);
  const written = held?.questions[0]?.choices[0]?.examples.map((example) => example.written) ?? [];
  expect(written).toEqual([
    expect.stringMatching(/^transaction 1 in row 3: 2026-06-01, -950\.00/),
    expect.stringMatching(/^transaction 2 in row 3: 2026-06-03, -45\.20/),
    expect.stringMatching(/^transaction 4 in row 3: 2026-06-04, 1200\.00/),
  ]);
});

const MARCH = `Date,Description,Amount,Currency
2026-03-15,Rent ACME,-900.00,EUR
2026-03-19,Sale A,100.00,EUR
2026-03-20,Hotel Ritz,-210.00,EUR
2026-03-21,Taxi,-21.00,EUR
`;
const MOVED = MARCH.replace('03-20', '03-22').replace('03-21', '03-23');

test('found once: a line that the source moved to another day was doubled; each answer is followed, and the file asks no more', async () => {
  for (const [overlap, lines, kept] of [
    ['same', 4, 0],
    ['new', 6, 2],
  ] as const) {
    const book = await openTestBook();
    await imported(book, 'march.csv', MARCH);
    const held = await imported(book, 'moved.csv', MOVED);
    expect(held).toMatchObject({ kept: 0, batch_id: null, questions: [{ about: 'overlap' }], overlap: [{ row: 4 }, { row: 5 }] });
    expect(held?.questions[0]?.message).toContain('with another day, amount or reference');
    expect(await imported(book, 'moved.csv', MOVED, { answers: { overlap } })).toMatchObject({ kept, questions: [] });
    expect(await linesOf(book)).toBe(lines);
    expect(await imported(book, 'moved.csv', MOVED)).toMatchObject({ kept: 0, questions: [] });
  }
});

test.each([
  ['a file that has all lines of its days', MARCH, []],
  ['a file that lacks a line', MARCH.replace('2026-03-20,Hotel Ritz,-210.00,EUR\n', '') + '2026-03-24,Bar,-7.00,EUR\n', ['Hotel Ritz']],
  ['a file that begins within a day', MARCH.replace('2026-03-15,Rent ACME,-900.00,EUR', '2026-03-15,Cards,-9.00,EUR'), []],
  ['a file of other payments', 'Date,Description,Amount,Currency\n2026-03-14,Card,-3.00,EUR\n2026-03-25,Card,-4.00,EUR\n', []],
])('%s says what it lacks, in memory and streamed', (_, text, texts) => {
  for (const wholeBytes of [10_000, 10]) {
    const book = openQuietBook();
    const [first, second] = [path.join(book.folder, 'first.csv'), path.join(book.folder, 'second.csv')];
    writeFileSync(first, MARCH);
    writeFileSync(second, text);
    expect(importHere(book, { path: first }, { wholeBytes }).result?.problems.map(({ code }) => code)).not.toContain('lines_missing');
    const { result } = importHere(book, { path: second }, { wholeBytes });
    expect(result).toMatchObject({ questions: [] });
    const said = result?.problems.filter(({ code }) => code === 'lines_missing').map(({ message }) => message) ?? [];
    expect(said).toHaveLength(texts.length);
    if (texts.length === 0) continue;
    expect(said[0]).toMatch(/^1 line of the account between 2026-03-15 and 2026-03-24 is not in this file/);
    expect(said[0]).toContain(wholeBytes === 10 ? '2026-03-20' : '2026-03-20, “Hotel Ritz”, -210.00');
  }
});

test('found once: a large file in which the source moved a line doubled it', () => {
  const book = openQuietBook();
  const [first, second] = [path.join(book.folder, 'first.csv'), path.join(book.folder, 'second.csv')];
  writeFileSync(first, MARCH);
  writeFileSync(second, MOVED);
  const streamed = { wholeBytes: 10 };
  importHere(book, { path: first }, streamed);
  expect(importHere(book, { path: second }, streamed).result).toMatchObject({ batch_id: null, questions: [{ about: 'overlap' }] });
  expect(importHere(book, { path: second, answers: { overlap: 'new' } }, streamed).result).toMatchObject({ kept: 2, questions: [] });
});

test('a corrected amount that is the same line stays until the new one is taken', async () => {
  const book = await openTestBook();
  const text = (amount: string) =>
    `Date,Reference,Description,Amount,Currency\n2026-03-15,100001,Rent,${amount},EUR\n2026-03-19,100002,Sale,100.00,EUR\n`;
  await imported(book, 'march.csv', text('-900.00'));
  expect(await imported(book, 'again.csv', text('-905.00'))).toMatchObject({ questions: [{ about: 'overlap' }] });
  const same = await imported(book, 'again.csv', text('-905.00'), { answers: { overlap: 'same' } });
  expect(same).toMatchObject({ kept: 0, skipped_rows: [{ row: 2, code: 'same_id_other_content', record_id: 1 }, {}] });
  expect(await imported(book, 'again.csv', text('-905.00'))).toMatchObject({
    questions: [],
    skipped_rows: [{ code: 'same_id_other_content' }, {}],
  });
});
