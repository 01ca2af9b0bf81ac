import { writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Call, ImportResult } from '../../../../src-shared/contract/index.ts';
import { openTestBook, type TestBook } from '../../../support/books/backend.ts';
import { runCli, temporaryFolder } from '../../../support/processes/run-cli.ts';

const AMOUNTS = ['329.56', '118.43', '77.19'];
const PARTS = AMOUNTS.map(
  (amount, at) =>
    `<TxDtls><Refs><EndToEndId>INV-${4711 + at}</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls><RltdPties><Dbtr><Nm>Client ${at + 1}</Nm></Dbtr></RltdPties></TxDtls>`,
).join('');
const CAMT = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Ccy>EUR</Ccy></Acct><Ntry><Amt Ccy="EUR">525.18</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-30</Dt></BookgDt><NtryDtls>${PARTS}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
const WHOLE_CSV = 'Date,Description,Amount,Currency\n2026-06-30,Collective credit,525.18,EUR\n2026-06-29,Interest,0.87,EUR\n';
const PARTS_CSV = `Date,Description,Amount,Currency\n${AMOUNTS.map((amount, at) => `2026-06-30,Customer no. ${at + 1},${amount},EUR`).join('\n')}\n2026-06-29,Interest,0.87,EUR\n`;

async function imported(book: TestBook, name: string, text: string, input: Partial<Call<'imports.start'>> = {}): Promise<ImportResult> {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  const token = chosen.ok ? chosen.value.token : '';
  const job = await book.ended(await book.client.get('imports.start', { file_token: token, stream_key: 'bank', ...input }));
  if (job.import_result === null) throw new Error('no result');
  return job.import_result;
}

async function undo(book: TestBook, { batch_id: id }: ImportResult): Promise<void> {
  await book.client.get('import_batches.remove', { id: id ?? 0, preview: false });
}

async function amounts(book: TestBook): Promise<number[]> {
  const { data } = await book.client.get('records.list', { limit: 100 });
  return data.map(({ amount }) => amount).toSorted((one, other) => one - other);
}

const cases = [
  { held: 'one line', csv: WHOLE_CSV, lines: 'parts' as const, kept: [87, 52_518], file: 3 },
  { held: 'lines of its transactions', csv: PARTS_CSV, lines: 'entry' as const, kept: [87, 7719, 11_843, 32_956], file: 1 },
];

it.each(cases)('an entry that another file has as $held raises a question, and never exists twice', async ({ csv, lines, kept, file }) => {
  const book = await openTestBook();
  const first = await imported(book, 'june.csv', csv);
  const answers = { batch_lines: lines };
  const held = await imported(book, 'june.xml', CAMT, { answers });
  expect(held).toMatchObject({ kept: 0, questions: [{ about: 'overlap' }], batches: { lines } });
  expect(held.overlap).toHaveLength(file);
  expect(held.questions[0]?.message).toContain('of several transactions');
  expect(await amounts(book)).toEqual(kept);
  const same = await imported(book, 'june.xml', CAMT, { answers: { ...answers, overlap: 'same' } });
  expect(same).toMatchObject({ kept: 0, skipped: file });
  expect(await amounts(book)).toEqual(kept);
  // It is known from now on, whichever way it is read.
  for (const again of ['entry', 'parts'] as const) {
    const next = await imported(book, 'again.xml', CAMT, { answers: { batch_lines: again } });
    expect(next).toMatchObject({ kept: 0, questions: [] });
  }
  expect(await amounts(book)).toEqual(kept);
  // Without the first file the second one still says that the money came.
  await undo(book, first);
  expect(await amounts(book)).toEqual(kept.slice(1));
  expect(await imported(book, 'june.csv', csv)).toMatchObject({ kept: 0, questions: [{ about: 'overlap' }] });
  expect(await imported(book, 'june.csv', csv, { answers: { overlap: 'same' } })).toMatchObject({ kept: 1 });
  expect(await amounts(book)).toEqual(kept);
});

it.each(cases)('an entry that is new beside $held is imported in full', async ({ csv, lines, kept, file }) => {
  const book = await openTestBook();
  await imported(book, 'june.csv', csv);
  expect(await imported(book, 'june.xml', CAMT, { accept_target: true, answers: { batch_lines: lines, overlap: 'new' } })).toMatchObject({
    kept: file,
  });
  expect(await amounts(book)).toHaveLength(kept.length + file);
});

it('an undone import in one reading goes in again in the other one', async () => {
  const book = await openTestBook();
  const whole = await imported(book, 'june.xml', CAMT);
  expect((await imported(book, 'june.xml', CAMT, { answers: { batch_lines: 'parts' } })).skipped_rows[0]?.message).toMatch(
    /^In the account already, in one line for the whole entry: 2026-06-30, 525\.18, since the import of june\.xml\.$/,
  );
  await undo(book, whole);
  expect(await imported(book, 'june.xml', CAMT, { answers: { batch_lines: 'parts' } })).toMatchObject({ kept: 3 });
  expect(await amounts(book)).toEqual([7719, 11_843, 32_956]);
  const entry = await imported(book, 'june.xml', CAMT, { answers: { batch_lines: 'entry' } });
  expect(entry.skipped_rows[0]?.message).toMatch(/^In the account already, as lines of its 3 transactions;/);
});

it('reports where the stream has only some of the transactions', async () => {
  const book = await openTestBook();
  await imported(book, 'june.xml', CAMT, { answers: { batch_lines: 'parts' } });
  const { data } = await book.client.get('records.list', { limit: 100 });
  await book.client.get('records.remove', { id: data[0]?.id ?? 0 });
  const entry = await imported(book, 'june.xml', CAMT, { answers: { batch_lines: 'entry' } });
  expect([entry.kept, entry.problems.map(({ code }) => code)]).toEqual([0, expect.arrayContaining(['parts_partly_there'])]);
  expect(await imported(book, 'june.xml', CAMT, { answers: { batch_lines: 'parts' } })).toMatchObject({ kept: 1, skipped: 2 });
  expect(await amounts(book)).toEqual([7719, 11_843, 32_956]);
});

it('the one line of an entry is found by the names and references of its transactions', async () => {
  const book = await openTestBook();
  await imported(book, 'june.xml', CAMT);
  for (const search of ['Client 2', 'INV-4713', '118.43']) {
    const { data } = await book.client.get('records.list', { limit: 10, q: search });
    expect(data.map(({ amount }) => amount)).toEqual([52_518]);
  }
});

it('the one line of an entry is matched with the invoices that its transactions name', async () => {
  const folder = temporaryFolder();
  const data = path.join(folder, 'book');
  const [bank, books] = [path.join(folder, 'june.xml'), path.join(folder, 'books.csv')];
  // Two others add up to the entry as well.
  const others = ['INV-4801,Client 8,2026-06-28,200.00', 'INV-4802,Client 9,2026-06-28,325.18'];
  const invoices = AMOUNTS.map((amount, at) => `INV-${4711 + at},Debtor ${at + 1},2026-06-28,${amount}`);
  writeFileSync(bank, CAMT);
  writeFileSync(books, `Invoice,Customer,Date,Amount\n${[...others, ...invoices].join('\n')}\n`);
  await runCli('import', bank, '--data', data, '--stream', 'bank');
  await runCli('import', books, '--data', data, '--stream', 'books', '--currency', 'EUR');
  const out = path.join(folder, 'matches.csv');
  await runCli('reconcile', '--data', data, '--a', 'books', '--b', 'bank', '--matches-out', out);
  const connection = new SqliteDatabase(path.join(data, 'book.sqlite'), { readonly: true });
  const tied = connection
    .prepare('SELECT r.amount FROM match_records m JOIN records r ON r.id = m.record_id ORDER BY r.amount')
    .pluck()
    .all();
  connection.close();
  expect(tied).toEqual([7719, 11_843, 32_956, 52_518]);
});
