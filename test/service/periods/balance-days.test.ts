import { expect, test } from 'vitest';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { lines } from '../../support/inputs/statements.ts';
import { workbook } from '../../support/inputs/workbooks.ts';

/** June of an account, from 100.00 to `closing` (130.00): a line of 10 June and one of 27 June, and nothing after. */
type FileOf = (closing: string) => string | Uint8Array;

const ROWS = ['10/06/2026,Card shop,-20.00', '27/06/2026,Customer Adam,50.00'];
const table =
  (before: string, header: string, rows: readonly string[], behind: string): FileOf =>
  (closing) =>
    lines(...(before === '' ? [] : [before]), header, ...rows, behind.replace('CLOSING', closing));

const CSV: readonly (readonly [string, FileOf])[] = [
  [
    'rows of their own',
    table('Opening balance,01/06/2026,,100.00', 'Date,Description,Amount', ROWS, 'Closing balance,30/06/2026,,CLOSING'),
  ],
  [
    'rows of the table',
    (closing) => lines('Date,Description,Amount', '01/06/2026,Opening balance,100.00', ...ROWS, `30/06/2026,Closing balance,${closing}`),
  ],
  [
    'a running balance and rows of the table',
    (closing) =>
      lines(
        'Date,Description,Amount,Balance',
        '01/06/2026,Balance brought forward,,100.00',
        '10/06/2026,Card shop,-20.00,80.00',
        '27/06/2026,Customer Adam,50.00,130.00',
        `30/06/2026,Balance carried forward,,${closing}`,
      ),
  ],
  [
    'a date in the words, written otherwise than those of the lines',
    table(
      'Opening balance at 1 June 2026,100.00',
      'Date,Description,Amount',
      ['2026-06-10,Card shop,-20.00', '2026-06-27,Customer Adam,50.00'],
      'Closing balance at 30 June 2026,CLOSING',
    ),
  ],
  [
    'both above the lines',
    (closing) =>
      lines(
        'Opening balance (2026-06-01);100.00',
        `Closing balance (2026-06-30);${closing}`,
        'Date;Description;Amount',
        '10/06/2026;Card shop;-20.00',
        '27/06/2026;Customer Adam;50.00',
      ),
  ],
  [
    'month first',
    table(
      'Opening balance,06/01/2026,,100.00',
      'Date,Description,Amount',
      ['06/10/2026,Card shop,-20.00', '06/27/2026,Customer Adam,50.00'],
      'Closing balance,06/30/2026,,CLOSING',
    ),
  ],
  [
    'German',
    (closing) =>
      lines(
        'Anfangssaldo;31.05.2026;;100,00',
        'Buchungstag;Verwendungszweck;Betrag',
        '10.06.2026;Karte Laden;-20,00',
        '27.06.2026;Kunde Adam;50,00',
        `Endsaldo;30.06.2026;;${closing.replace('.', ',')}`,
      ),
  ],
  [
    'French, in words',
    (closing) =>
      lines(
        'Date;Libellé;Débit;Crédit',
        '01/06/2026;Solde initial;;100,00',
        '10/06/2026;Carte boutique;20,00;',
        '27/06/2026;Client Adam;;50,00',
        `;Solde final au 30 juin 2026;;${closing.replace('.', ',')}`,
      ),
  ],
];

const mt940: FileOf = (closing) =>
  lines(
    ':20:STMT',
    ':25:NL91ABNA0417164300',
    ':28C:6/1',
    ':60F:C260531GBP100,00',
    ':61:2606100610D20,00NTRFNONREF',
    ':86:Card shop',
    ':61:2606270627C50,00NTRFNONREF',
    ':86:Customer Adam',
    `:62F:C260630GBP${closing.replace('.', ',')}`,
    '-',
  );

const camt: FileOf = (closing) => {
  const balance = (code: string, amount: string, date: string) =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
  const entry = (amount: string, mark: string, date: string, text: string) =>
    `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${date}</Dt></BookgDt><AddtlNtryInf>${text}</AddtlNtryInf></Ntry>`;
  return (
    '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>GBP</Ccy></Acct>' +
    balance('OPBD', '100.00', '2026-06-01') +
    balance('CLBD', closing, '2026-06-30') +
    entry('20.00', 'DBIT', '2026-06-10', 'Card shop') +
    entry('50.00', 'CRDT', '2026-06-27', 'Customer Adam') +
    '</Stmt></BkToCstmrStmt></Document>'
  );
};

const ofx =
  (from: string, to: string): FileOf =>
  (closing) =>
    'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKACCTFROM><BANKID>1<ACCTID>2<ACCTTYPE>CHECKING</BANKACCTFROM>' +
    `<BANKTRANLIST><DTSTART>${from}<DTEND>${to}` +
    '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260610<TRNAMT>-20.00<FITID>A1<NAME>Card shop</STMTTRN>' +
    '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260627<TRNAMT>50.00<FITID>A2<NAME>Customer Adam</STMTTRN></BANKTRANLIST>' +
    `<LEDGERBAL><BALAMT>${closing}<DTASOF>20260630</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;

const bai2: FileOf = (closing) =>
  lines(
    '01,BANK,ACME,260630,0600,1,80,,2/',
    '02,ACME,BANK,1,260630,,GBP,2/',
    `03,12345,GBP,010,10000,,,015,${closing.replace('.', '')},,/`,
    '16,475,2000,Z,,,Card shop/',
    '16,195,5000,Z,,,Customer Adam/',
    `49,${10_000 + Number(closing.replace('.', '')) + 7_000},4/`,
    `98,${10_000 + Number(closing.replace('.', '')) + 7_000},1,6/`,
    `99,${10_000 + Number(closing.replace('.', '')) + 7_000},1,8/`,
  );

const xlsx: FileOf = (closing) =>
  workbook({
    June: [
      ['Opening balance', '2026-06-01', null, 100],
      ['Date', 'Description', 'Amount'],
      ['2026-06-10', 'Card shop', -20],
      ['2026-06-27', 'Customer Adam', 50],
      ['Closing balance', '2026-06-30', null, Number(closing)],
    ],
  });

async function juneOf(...files: readonly (string | Uint8Array)[]): Promise<PeriodStatement> {
  const book = await openTestBook();
  for (const file of files)
    expect(await book.importText('bank', file, { currency: 'GBP', accept_broken: true })).toMatchObject({ status: 'completed' });
  await book.importText('ledger', lines('Date,Description,Amount', ...ROWS), { currency: 'GBP' });
  await book.client.get('reconciliations.create', { name: 'June', run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
  await book.client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30' });
  return (await book.client.get('periods.get', { id: 1 })).statement;
}

const FORMATS: readonly (readonly [string, FileOf])[] = [
  ...CSV.map(([name, file]) => [`CSV, ${name}`, file] as const),
  ['XLSX', xlsx],
  ['MT940', mt940],
  ['CAMT.053', camt],
  ['OFX', ofx('20260610', '20260627')],
  ['BAI2', bai2],
];

test.each(FORMATS)('%s: a closing balance counts for the day that it names, not for the last line', async (_name, fileOf) => {
  for (const closing of ['130.00', '130.01']) {
    const minor = Number(closing.replace('.', ''));
    const statement = await juneOf(fileOf(closing));
    expect(statement.bank.closing_balance).toMatchObject({ stated: minor, as_of: '2026-06-30' });
    expect(statement.warnings.filter(({ code, side }) => code === 'balance_of_earlier_day' && side === 'bank')).toEqual([]);
    // OFX states no opening balance.
    expect(statement.bank.lines_missing).toBe(statement.bank.opening === null ? null : minor - 13_000);
  }
});

test('OFX: the end of the days that were asked for is not the day of the balance, also where the next file has lines of it', async () => {
  const july = lines('Date,Description,Amount,Balance', '01/07/2026,Rent,-30.00,100.00', '02/07/2026,Tea,-1.00,99.00');
  const statement = await juneOf(ofx('20260601', '20260701')('130.00'), july);
  expect(statement.bank.closing_balance).toMatchObject({ stated: 13_000, as_of: '2026-06-30' });
});

test('a date on the wrong side of the lines is that of the download', async () => {
  const text = lines('Balance at 01/06/2026,130.00', 'Date,Description,Amount', ...ROWS);
  expect((await juneOf(text)).bank.closing_balance).toMatchObject({ stated: 13_000, as_of: '2026-06-27' });
});
