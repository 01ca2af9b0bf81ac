import { expect, test } from 'vitest';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { codesOf, lines, statementOf } from '../../../support/inputs/statements.ts';

function balancesOf(content: string, currency: string | null = null): string[] {
  return statementOf(content, { currency }).balances.map((each) => `${isoFromDay(each.day)} ${each.type} ${each.minor} ${each.currency}`);
}

test('CSV: the opening balance of the first day and the closing one of the last, also newest first', () => {
  const header = 'Date,Description,Amount,Balance';
  const rows = ['2026-06-01,Rent,-9.00,91.00', '2026-06-02,Tea,-1.00,90.00', '2026-06-04,Takings,12.00,102.00'];
  const expected = ['2026-06-01 opening_ledger 10000 EUR', '2026-06-04 closing_ledger 10200 EUR'];
  expect(balancesOf(lines(header, ...rows), 'EUR')).toEqual(expected);
  expect(balancesOf(lines(header, ...rows.toReversed()), 'EUR')).toEqual(expected);
});

test('CSV: no balance where the chain breaks, a row is rejected, or nothing states one', () => {
  const header = 'Date,Description,Amount,Balance';
  expect(balancesOf(lines(header, '2026-06-01,Rent,-9.00,91.00', '2026-06-02,Tea,-1.00,50.00', '2026-06-04,Takings,12.00,62.00'))).toEqual(
    [],
  );
  expect(balancesOf(lines(header, '2026-06-01,Rent,-9.00,91.00', '2026-06-02,Tea,one,90.00', '2026-06-04,Takings,12.00,102.00'))).toEqual(
    [],
  );
  expect(balancesOf(lines('Date,Description,Amount', '2026-06-01,Rent,-9.00'))).toEqual([]);
});

test('CSV: lines around the transactions that state balances', () => {
  const text = lines(
    'Date,Description,Amount',
    ',Opening balance,100.00',
    '2026-06-01,Rent,-9.00',
    '2026-06-02,Tea,-1.00',
    ',Closing balance,90.00',
  );
  expect(balancesOf(text, 'GBP')).toEqual(['2026-06-01 opening_ledger 10000 GBP', '2026-06-02 closing_ledger 9000 GBP']);
});

test('MT940: 60F, 62F and 64, with their dates and signs; balances between pages are none of a day', () => {
  const page = (number: string, ...text: readonly string[]): string => lines(':20:X', ':25:1', `:28C:5/${number}`, ...text);
  const first = page('1', ':60F:C260529EUR10,00', ':61:2606020602D6,00NTRFA//1', ':62M:C260602EUR4,00');
  const second = page('2', ':60M:C260602EUR4,00', ':61:2606030603D6,00NTRFB//2', ':62F:D260603EUR2,00', ':64:C260603EUR98,00');
  expect(statementOf(first + second).proof).toBe('proved');
  expect(balancesOf(first + second)).toEqual([
    '2026-05-29 opening_ledger 1000 EUR',
    '2026-06-03 closing_ledger -200 EUR',
    '2026-06-03 closing_available 9800 EUR',
  ]);
});

test('CAMT: OPBD, CLBD, CLAV and the others by their codes', () => {
  const balance = (code: string, amount: string, date: string, more = ''): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry>${more}</Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${date}</Dt></Dt></Bal>`;
  const text =
    '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id><Ccy>EUR</Ccy></Acct>' +
    balance('PRCD', '10.00', '2026-05-31') +
    balance('OPBD', '10.00', '2026-06-01') +
    balance('CLBD', '8.00', '2026-06-01', '<SubTp><Cd>INTM</Cd></SubTp>') +
    balance('CLBD', '12.00', '2026-06-02') +
    balance('CLAV', '11.00', '2026-06-02') +
    '<Ntry><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>';
  expect(balancesOf(text)).toEqual([
    '2026-05-31 previously_closed_book 1000 EUR',
    '2026-06-01 opening_ledger 1000 EUR',
    '2026-06-02 closing_ledger 1200 EUR',
    '2026-06-02 closing_available 1100 EUR',
  ]);
});

test('OFX: LEDGERBAL and AVAILBAL; one without a day gets a note', () => {
  const ofx = (date: string): string =>
    lines(
      'OFXHEADER:100',
      '',
      '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>CAD<BANKACCTFROM><ACCTID>123</BANKACCTFROM><BANKTRANLIST>',
      '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>-12.50<FITID>a1<NAME>B</STMTTRN>',
      `</BANKTRANLIST><LEDGERBAL><BALAMT>50.25<DTASOF>20260630</LEDGERBAL><AVAILBAL><BALAMT>-3<DTASOF>${date}</AVAILBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    );
  expect(balancesOf(ofx('20260630120000'))).toEqual(['2026-06-30 closing_ledger 5025 CAD', '2026-06-30 closing_available -300 CAD']);
  expect(balancesOf(ofx('20260231'))).toEqual(['2026-06-30 closing_ledger 5025 CAD']);
  expect(codesOf(statementOf(ofx('20260231')))).toContain('balance_without_day');
});

test('BAI2: 010, 015, 040 and 045 of the group’s day', () => {
  const text = lines(
    '01,BANK,CUST,260603,0600,1,80,,2/',
    '02,CUST,BANK,1,260602,,USD,2/',
    '03,123,USD,010,10000,,,015,9000,,,040,9900,,,045,8900,,/',
    '16,475,1000,Z,,,Check/',
    '49,38800,3/',
    '98,38800,1,5/',
    '99,38800,1,7/',
  );
  expect(balancesOf(text)).toEqual([
    '2026-06-02 opening_ledger 10000 USD',
    '2026-06-02 closing_ledger 9000 USD',
    '2026-06-02 opening_available 9900 USD',
    '2026-06-02 closing_available 8900 USD',
  ]);
});

test('a file read as several accounts states no balance; a single account of it does', () => {
  const statement = (account: string): string =>
    lines(':20:X', `:25:${account}`, ':60F:C260601EUR10,', ':61:260602D6,NTRFA//1', ':62F:C260602EUR4,');
  const two = statement('1') + statement('2');
  expect(statementOf(two).balances).toEqual([]);
  expect(statementOf(two, { account: '2' }).balances).toHaveLength(2);
});
