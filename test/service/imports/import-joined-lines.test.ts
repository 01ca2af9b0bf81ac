import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Call, ImportAnswers } from '../../../src-shared/contract/index.ts';
import { CHECKS, verifyBook } from '../../../src-main/book/work/verify-book.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { undoHere } from '../../support/books/wipes.ts';
import { quickDescribe, quickTest, some } from '../../support/long.ts';

const CSV = `Date,Description,Amount,Currency
2026-06-01,RENT OFFICE MARKET STREET,-950.00,EUR
2026-06-03,CARD PAYMENT TO STATIONERY LTD,-45.20,EUR
2026-06-04,TRANSFER FROM ACME GMBH INVOICE 2214,1200.00,EUR
2026-06-10,FEE,-2.50,EUR
`;
const QIF = `!Type:Bank
D06/01/2026
T-950.00
PRent
^
D06/03/2026
T-45.20
PStationery
^
D06/04/2026
T1200.00
PAcme
^
D06/10/2026
T-2.50
PCharge
^
`;
const OFX = (withIds: boolean) => `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST>
${[
  ['20260601', '-950.00', 'LANDLORD'],
  ['20260603', '-45.20', 'STATIONERY LTD POS'],
  ['20260604', '1200.00', 'ACME'],
  ['20260610', '-2.50', 'ACCOUNT CHARGE'],
]
  .map(
    ([day, amount, name], at) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}${withIds ? `<FITID>T${at}` : ''}<NAME>${name}</STMTTRN>`,
  )
  .join('\n')}
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;
const MT940 = `:20:STATEMENT
:25:12345678/9876543
:28C:1/1
:60F:C260531EUR1000,00
:61:2606020601D950,00NTRFNONREF//B1
:86:Miete Juni
:61:2606030603D45,20NMSCNONREF//B2
:86:Papier
:61:2606040604C1200,00NTRFNONREF//B3
:86:ACME GMBH RE 2214
:61:2606100610D2,50NCHGNONREF//B4
:86:Kontogebuehr
:62F:C260610EUR1202,30
-
`;

async function imported(book: TestBook, name: string, text: string, input: Partial<Call<'imports.start'>> = {}) {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  const token = chosen.ok ? chosen.value.token : '';
  const given = { ...input, answers: { ...(name.endsWith('.qif') ? { date_order: 'mdy' as const } : {}), ...input.answers } };
  const job = await book.ended(
    await book.client.get('imports.start', { file_token: token, stream_key: 'bank', currency: 'EUR', ...given }),
  );
  return job.import_result;
}

const SAME = { answers: { overlap: 'same' as const } };

async function recordsOf(book: Pick<TestBook, 'client'>, input: Partial<Call<'records.list'>> = {}) {
  return (await book.client.get('records.list', { limit: 100, sort: 'date', ...input })).data;
}

/** What stays the same, whichever files say it. */
async function moneyOf(book: Pick<TestBook, 'client'>): Promise<string[]> {
  return (await recordsOf(book)).map(({ id, date, amount, direction }) => `${id} ${date} ${direction === 'debit' ? -amount : amount}`);
}

async function undo(book: TestBook, batchId: number | null | undefined) {
  return book.client.get('import_batches.remove', { id: batchId ?? 0, preview: false });
}

const FILES = { 'june.csv': CSV, 'june.qif': QIF, 'ids.ofx': OFX(true), 'plain.ofx': OFX(false), 'june.sta': MT940 } as const;
type FileName = keyof typeof FILES;

const ORDERS: readonly (readonly [readonly FileName[]])[] = [
  [['june.csv', 'june.qif', 'ids.ofx', 'june.sta']],
  [['june.sta', 'ids.ofx', 'june.qif', 'june.csv']],
  [['plain.ofx', 'june.csv', 'june.sta', 'ids.ofx', 'june.qif']],
  [['ids.ofx', 'plain.ofx', 'june.qif', 'june.sta', 'june.csv']],
];

/** Imports a file at once, without workers. */
function importedHere(book: QuietBook, name: FileName, answers: ImportAnswers = {}) {
  const file = path.join(book.folder, name);
  writeFileSync(file, FILES[name]);
  const given = { ...(name.endsWith('.qif') ? { date_order: 'mdy' as const } : {}), ...answers };
  return importHere(book, { path: file, currency: 'EUR', answers: given }).result;
}

describe('one month from several files', () => {
  test.each(some(ORDERS, 2))('%s: each line exists once, whichever of them is undone', async (names) => {
    const book = openQuietBook();
    const faults = () =>
      verifyBook(book.database, CHECKS, () => undefined).flatMap(({ findings }) => findings.map(({ message }) => message));
    const batches = names.map((name, at) => {
      const result = importedHere(book, name, at === 0 ? {} : { overlap: 'same' });
      expect({ name, ...result }).toMatchObject(at === 0 ? { kept: 4 } : { kept: 0, skipped: 4 });
      return result?.batch_id ?? 0;
    });
    const lines = await moneyOf(book);
    expect(lines).toHaveLength(4);
    const askedAgain = (which: readonly FileName[]) => {
      for (const name of which) {
        const again = importedHere(book, name);
        expect({ name, ...again }).toMatchObject({ kept: 0, skipped: 4, questions: [], overlap: [] });
        undoHere(book, again?.batch_id ?? 0);
      }
    };
    askedAgain(names);
    expect(faults()).toEqual([]);
    const last = batches.at(-1) ?? 0;
    for (const [at, batch] of batches.slice(0, -1).entries()) {
      const preview = await book.client.get('import_batches.remove', { id: batch, preview: true });
      expect(preview).toMatchObject({ records: 0, records_kept: 4, matches_dissolved: 0 });
      undoHere(book, batch);
      expect(await moneyOf(book)).toEqual(lines);
      askedAgain(names.slice(at + 1));
      expect(faults()).toEqual([]);
    }
    expect((await recordsOf(book)).every(({ other_files: files, import_batch_id: id }) => files.length === 0 && id === last)).toBe(true);
    undoHere(book, last);
    expect(await moneyOf(book)).toEqual([]);
    expect(faults()).toEqual([]);
  });
});

quickTest('a line keeps additional details of a second file, is found by them, and loses them with that file', async () => {
  const book = await openTestBook();
  await imported(book, 'june.csv', CSV);
  const before = await recordsOf(book);
  const joined = await imported(book, 'june.sta', MT940, SAME);
  const [rent] = await recordsOf(book);
  expect(rent).toMatchObject({
    description: 'RENT OFFICE MARKET STREET',
    value_date: '2026-06-02',
    metadata: { other_description: 'Miete Juni' },
    other_files: [{ filename: 'june.sta', import_batch_id: joined?.batch_id, description: 'Miete Juni', value_date: '2026-06-02' }],
  });
  expect((await recordsOf(book, { q: 'Miete' })).map(({ id }) => id)).toEqual([rent?.id]);
  expect(await book.client.get('import_batches.remove', { id: joined?.batch_id ?? 0, preview: true })).toMatchObject({
    records: 0,
    records_kept: 4,
  });
  await undo(book, joined?.batch_id);
  expect(await recordsOf(book)).toEqual(before);
});

quickTest('a line whose first file is undone keeps its match, and what people wrote', async () => {
  const book = await openTestBook();
  const first = await imported(book, 'june.csv', CSV);
  const [rent, stationery] = await recordsOf(book);
  await book.client.get('records.update', { id: stationery?.id ?? 0, description: 'Pens for the office' });
  await book.client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-02',
    amount: 100,
    direction: 'debit',
    currency: 'EUR',
  });
  const books = await book.client.get('streams.create', { key: 'books', name: 'Books' });
  const bank = (await book.client.get('streams.list', {})).find(({ key }) => key === 'bank');
  const entry = await book.client.get('records.create', {
    data_stream_key: 'books',
    date: '2026-06-01',
    amount: 95_000,
    direction: 'debit',
    currency: 'EUR',
  });
  const reconciliation = await book.client.get('reconciliations.create', {
    name: 'June',
    side_a_stream_ids: [books.id],
    side_b_stream_ids: [bank?.id ?? 0],
  });
  await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [rent?.id ?? 0, entry.id] });
  await imported(book, 'june.qif', QIF, SAME);
  expect(await book.client.get('import_batches.remove', { id: first?.batch_id ?? 0, preview: true })).toMatchObject({
    records: 0,
    records_kept: 4,
    matches_dissolved: 0,
  });
  await undo(book, first?.batch_id);
  const after = await recordsOf(book);
  expect(after.find(({ id }) => id === rent?.id)).toMatchObject({ description: 'Rent', status: 'reconciled' });
  expect(after.find(({ id }) => id === stationery?.id)).toMatchObject({ description: 'Pens for the office' });
  const batches = await book.client.get('import_batches.list', { key: 'bank' });
  expect(batches.data).toMatchObject([
    { filename: 'june.qif', kept: 4, skipped: 0, date_range_start: '2026-06-01', total_credits: 120_000 },
  ]);
});

quickDescribe('balances decide', () => {
  const withBalance = (text: string, opening: number, rows: readonly (readonly [day: string, amount: number])[]) => {
    let balance = opening;
    const lines = rows.map(([day, amount], at) => {
      balance += amount;
      return `2026-06-${day},${text} ${at},${amount.toFixed(2)},${balance.toFixed(2)},EUR`;
    });
    return `Date,Description,Amount,Balance,Currency\n${lines.join('\n')}\n`;
  };
  const rows = [
    ['01', -950],
    ['03', -45.2],
    ['04', 1200],
    ['10', -2.5],
  ] as const;

  it('for one line, where the balances of both files hold only then', async () => {
    const book = await openTestBook();
    await imported(book, 'june.csv', withBalance('Payment', 1000, rows));
    const again = await imported(book, 'again.csv', withBalance('Zahlung', 1000, [...rows, ['12', 77.7]]));
    expect(again).toMatchObject({ kept: 1, skipped: 4, questions: [] });
    expect(again?.problems.find(({ code }) => code === 'overlap_same')?.message).toContain('since the balances of both files hold only so');
  });

  it('for new lines, where the stated balance holds only with both', async () => {
    const book = await openTestBook();
    await imported(
      book,
      'cards.csv',
      `Date,Description,Amount,Currency\n${rows.map(([day, amount]) => `2026-06-${day},Card ${day},${amount},EUR`).join('\n')}\n`,
    );
    // Opening and closing balance of both: the second file's own lines are half of what it states.
    const second = MT940.replace(':62F:C260610EUR1202,30', ':62F:C260610EUR1404,60');
    const held = await imported(book, 'second.sta', second, { accept_broken: true, accept_target: true });
    expect(held).toMatchObject({ kept: 4, questions: [] });
    expect(held?.problems.map(({ code }) => code)).toContain('overlap_new');
  });

  it('for neither, where they hold in no way', async () => {
    const book = await openTestBook();
    await imported(book, 'june.csv', CSV);
    expect(await imported(book, 'again.csv', withBalance('Zahlung', 1000, rows))).toMatchObject({
      kept: 0,
      questions: [{ about: 'overlap' }],
    });
  });
});

quickTest('lines whose only date is the value date of stored ones are recognised', async () => {
  const book = await openTestBook();
  const two = (name: string) =>
    `Booking date,Value date,Description,Amount,Currency\n${[1, 5, 9, 15]
      .map((day, at) => `2026-06-0${day},2026-06-${String(day + 2).padStart(2, '0')},${name} ${at},${-(101.37 + at * 7.11).toFixed(2)},EUR`)
      .join('\n')
      .replaceAll('-015', '-15')}\n`;
  await imported(book, 'both.csv', two('Payment'));
  const one = `Date,Description,Amount,Currency\n${[1, 5, 9, 15]
    .map((day, at) => `2026-06-${String(day + 2).padStart(2, '0')},Zahlung ${at},${-(101.37 + at * 7.11).toFixed(2)},EUR`)
    .join('\n')}\n`;
  expect(await imported(book, 'value.csv', one)).toMatchObject({ kept: 0, questions: [{ about: 'overlap' }], overlap: [{}, {}, {}, {}] });
});

test('a line with an alternative description is named by the stored one; one with its id and another amount is reported', () => {
  const book = openQuietBook();
  importedHere(book, 'june.csv');
  importedHere(book, 'ids.ofx', { overlap: 'same' });
  const again = importedHere(book, 'ids.ofx');
  expect(again?.skipped_rows[0]).toMatchObject({ code: 'same_line', message: 'Here already in other words: “RENT OFFICE MARKET STREET”.' });
  const file = path.join(book.folder, 'changed.ofx');
  writeFileSync(file, OFX(true).replace('-2.50', '-3.50'));
  expect(importHere(book, { path: file, currency: 'EUR' }).result?.skipped_rows[3]).toMatchObject({
    code: 'same_id_other_content',
    record_id: 4,
  });
});

quickTest('an answer that is kept in the recipe of a layout answers for the next file of it', async () => {
  const book = await openTestBook();
  const bank = (month: string) => CSV.replaceAll('2026-06', month);
  const reworded = (month: string) =>
    bank(month)
      .replace('Date,Description', 'Day,Text')
      .replaceAll(/,([A-Z ]+\d*),/g, (_, text: string) => `,Zahlung ${text.toLowerCase()},`);
  await imported(book, 'june.csv', bank('2026-06'));
  const accepted = { ...SAME, accept_target: true };
  const kept = await imported(book, 'june-2.csv', reworded('2026-06'), { ...accepted, remember_recipe: 'Reworded' });
  expect(kept).toMatchObject({ kept: 0, skipped: 4, recipe: { recipe: { overlap: 'same' } } });
  await imported(book, 'july.csv', bank('2026-07'), { accept_target: true });
  const next = await imported(book, 'july-2.csv', reworded('2026-07'), { accept_target: true });
  expect(next).toMatchObject({ kept: 0, skipped: 4, questions: [] });
  expect(next?.problems.find(({ code }) => code === 'overlap_same')?.message).toContain('as its import profile says');
});

test('the currency of an import is not corrected while another file has lines of it', async () => {
  const book = openQuietBook();
  const first = importedHere(book, 'june.csv');
  importedHere(book, 'ids.ofx', { overlap: 'same' });
  const refused = await book.client.refusal('import_batches.correct_currency', {
    id: first?.batch_id ?? 0,
    currency: 'USD',
    preview: true,
  });
  expect(refused.message).toContain('4 lines of import 1 are in another file as well: undo the import of ids.ofx first.');
});
