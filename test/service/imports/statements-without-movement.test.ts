import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasProblems, type ImportOptions } from '../../../src-main/commands/import.ts';
import { type ImportEnd, importHere, importOnThreads, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const MT940 = ':20:STMT1\n:25:NL91ABNA0417164300\n:28C:6/1\n:60F:C260531EUR5500,00\n:62F:C260630EUR5500,00\n-\n';
const balance = (code: string, day: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">5500.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
const CAMT = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>1</MsgId></GrpHdr><Stmt><Id>1</Id>
<FrToDt><FrDtTm>2026-06-01T00:00:00</FrDtTm><ToDtTm>2026-06-30T23:59:59</ToDtTm></FrToDt><Acct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></Acct>
${balance('OPBD', '2026-06-01')}${balance('CLBD', '2026-06-30')}</Stmt></BkToCstmrStmt></Document>`;
const OFX = `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>12345678</BANKACCTFROM>
<LEDGERBAL><BALAMT>5500.00<DTASOF>20260630</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
const BAI2 = `01,122099999,123456789,260630,0200,1,80,1,2/\n02,123456789,122099999,1,260630,0200,EUR,2/\n03,0975312468,EUR,010,550000,,,015,550000,,/
49,1100000,2/\n98,1100000,1,4/\n99,1100000,1,6/\n`;
const CSV = 'Date,Description,Amount,Balance,Currency\n2026-06-01,Opening balance,,5500.00,EUR\n2026-06-30,Closing balance,,5500.00,EUR\n';
const ABOVE = `Account;NL91ABNA0417164300\nAnfangssaldo am 31.05.2026;5.500,00 EUR\nEndsaldo am 30.06.2026;5.500,00 EUR\n\nDatum;Text;Betrag;Saldo\n`;

const JUNE = ['2026-06-01', '2026-06-30'];
const CLOSING = '2026-06-30 closing_ledger 550000';

/** The name, the text, the days that it covers and the balances that it states. */
const FILES = [
  ['MT940', MT940, JUNE, [CLOSING, '2026-05-31 opening_ledger 550000']],
  ['CAMT', CAMT, JUNE, [CLOSING, '2026-06-01 opening_ledger 550000']],
  ['OFX with its ledger balance alone', OFX, ['2026-06-30', '2026-06-30'], [CLOSING]],
  ['a summary of BAI2', BAI2, ['2026-06-30', '2026-06-30'], [CLOSING, '2026-06-30 opening_ledger 550000']],
  ['a table of balance rows', CSV, JUNE, [CLOSING, '2026-06-01 opening_ledger 550000']],
  ['a table with its balances above the header', ABOVE, JUNE, [CLOSING, '2026-05-31 opening_ledger 550000']],
] as const;

function write(book: QuietBook, text: string): string {
  const file = path.join(book.folder, 'june.txt');
  writeFileSync(file, text);
  return file;
}

async function balances({ client }: QuietBook): Promise<string[]> {
  const listed = await client.get('bank_account_balances.list', { bank_account_id: 1 });
  return listed.map(
    ({ date, balance_type, amount_cents, conflicts }) => `${date} ${balance_type} ${amount_cents}${'!'.repeat(conflicts.length)}`,
  );
}

async function linkedBook(): Promise<QuietBook> {
  const book = openQuietBook();
  await book.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv', bank_account_id: 1 });
  return book;
}

type Way = (book: QuietBook, file: string) => Promise<ImportEnd> | ImportEnd;
const WAYS: readonly (readonly [string, Way])[] = [
  ['held in memory', (book, path) => importHere(book, { path, currency: 'EUR' })],
  ['streamed', (book, path) => importHere(book, { path, currency: 'EUR' }, { wholeBytes: 8 })],
  ['read by a second thread', (book, path) => importOnThreads(book, { path, currency: 'EUR' }, { wholeBytes: 8 })],
];

describe.each(WAYS)('a statement without a transaction, %s', (_, bring) => {
  test.each(FILES)('is imported with its balances and days: %s', async (_name, text, days, stated) => {
    const book = await linkedBook();
    const file = write(book, text);
    const first = await bring(book, file);
    expect(first.result).toMatchObject({ rows: 0, kept: 0, batch_id: 1, questions: [], balances: { new: stated.length, conflicts: 0 } });
    // The command line ends with 0.
    expect(first.result && hasProblems(first.result, { acceptRejected: false, acceptBroken: false } as ImportOptions)).toBe(false);
    expect(first.result?.problems.map(({ code }) => code)).toContain('no_movement');
    expect((await balances(book)).toSorted()).toEqual(stated.toSorted());
    const covered = async () => {
      const { accounts } = await book.client.get('coverage.of_stream', { key: 'bank' });
      return accounts.map(({ covered: ranges, overlaps }) => [
        ranges.map(({ date_start, date_end }) => [date_start, date_end]),
        overlaps.length,
      ]);
    };
    expect(await covered()).toEqual([[[days], 0]]);

    const again = await bring(book, file);
    expect(again.result).toMatchObject({ kept: 0, skipped: 0, rejected: 0, balances: { new: 0, same: stated.length, conflicts: 0 } });
    expect((await balances(book)).toSorted()).toEqual(stated.toSorted());
    expect(await covered()).toEqual([[[days], 0]]);

    await book.client.get('import_batches.remove', { id: again.result?.batch_id ?? 0 });
    expect(await balances(book)).toHaveLength(stated.length);
    await book.client.get('import_batches.remove', { id: 1 });
    expect(await balances(book)).toEqual([]);
    expect(await covered()).toEqual([]);
  });
});

test('a closing balance that differs from the opening one is held back until a person accepts it', async () => {
  const book = await linkedBook();
  for (const text of [
    MT940.replace('630EUR5500,00', '630EUR5400,00'),
    CSV.replace('Closing balance,,5500.00', 'Closing balance,,5400.00'),
  ]) {
    expect(importHere(book, { path: write(book, text) }).result).toMatchObject({ batch_id: null, proof: 'broken' });
  }
});

test('a file with neither transactions nor balances says so', async () => {
  const book = await linkedBook();
  const empty = CAMT.replaceAll(/<Bal>.*<\/Bal>/g, '');
  for (const text of [empty, OFX.replace(/<LEDGERBAL>.*<\/LEDGERBAL>/, '')]) {
    const { result } = importHere(book, { path: write(book, text) });
    expect(result).toMatchObject({ batch_id: null, problems: [{ code: 'no_rows' }] });
  }
  expect(importHere(book, { path: write(book, 'Date,Description,Amount\n') }).result).toMatchObject({ problems: [{ code: 'no_rows' }] });
});

test('the balances of another currency are asked about, as transactions would be', async () => {
  const book = await linkedBook();
  importHere(book, { path: write(book, `Date,Description,Amount,Currency\n2026-06-01,One,1.00,EUR\n`) });
  const usd = importHere(book, { path: write(book, MT940.replaceAll('EUR', 'USD')) }).result;
  expect(usd).toMatchObject({ batch_id: null });
  expect(usd?.problems.map(({ code }) => code)).toContain('wrong_currency');
  const unnamed = BAI2.replaceAll('EUR', '');
  const fresh = openQuietBook();
  expect(importHere(fresh, { path: write(fresh, unnamed), currency: null }).result).toMatchObject({
    batch_id: null,
    questions: [{ about: 'currency' }],
  });
});
