import { describe, expect, it } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const text = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('OFX', () => {
  const body =
    '<OFX>\n <BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR</CURDEF><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260602</DTPOSTED><TRNAMT>-98.76</TRNAMT><FITID>1</FITID></STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>';

  it.each([
    ['as a comment', '<!--\nOFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n-->\n\n'],
    ['without its first line', 'DATA:OFXSGML\nENCODING:UTF-8\n'],
    ['as elements', '<START><OFXHEADER>100</OFXHEADER></START>\n'],
  ])('is read with its header %s', (_, header) => {
    const statement = statementOf(header + body);
    expect([statement.format, ...summaryOf(statement)]).toEqual(['ofx', '2026-06-02 -9876 EUR']);
  });

  it('reads amounts with a comma beside a balance with a point', () => {
    const statement = statementOf(
      'OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>-2,60<FITID>1</STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>+7490.73<DTASOF>20260602</LEDGERBAL></STMTRS></OFX>',
    );
    expect([...summaryOf(statement), statement.closingBalanceMinor]).toEqual(['2026-06-02 -260 EUR', 749_073]);
  });

  it('says which amount has too many decimals', () => {
    const statement = statementOf(
      'OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>-2.1234567891<FITID>1</STMTTRN></BANKTRANLIST></STMTRS></OFX>',
    );
    expect(statement.problems).toMatchObject([{ code: 'too_many_decimals', message: expect.stringContaining('more than 8 decimals') }]);
  });
});

describe('CAMT', () => {
  it('is read in its first version', () => {
    const statement = statementOf(
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.01"><BkToCstmrStmtV01><Stmt><Acct><Id><PrtryAcct><Id>12-34</Id></PrtryAcct></Id></Acct>' +
        '<Bal><Tp><Cd>OPBD</Cd></Tp><Amt Ccy="SEK">10.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-06-01</Dt></Dt></Bal>' +
        '<Bal><Tp><Cd>CLBD</Cd></Tp><Amt Ccy="SEK">7.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-06-02</Dt></Dt></Bal>' +
        '<Ntry><Amt Ccy="SEK">2.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmtV01></Document>',
    );
    expect([...summaryOf(statement), statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([
      '2026-06-02 -250 SEK',
      1000,
      750,
    ]);
  });
});

describe('BAI2', () => {
  const group = ['02,A,B,1,260602,2400,GBP,2/', '03,1,GBP,,,,/'];
  const end = ['49,500,3/', '98,500,1,5/', '99,500,1,7/'];

  it('is read with colons in its time', () => {
    const statement = statementOf(text('01,BANK,CORP,260602,14:59:35,1,,,2/', ...group, '16,142,500,,,/', ...end));
    expect([statement.format, ...summaryOf(statement)]).toEqual(['bai2', '2026-06-02 500 GBP']);
  });

  it('is read with several records in a line, and leaves slashes in texts alone', () => {
    const statement = statementOf(
      text(`01,BANK,CORP,260602,1459,1,,,2/   ${group.join('  ')}`, '16,142,300,Z,,,PAID 5/ 16, 2 MAIN / 16,142,200,Z,,,SECOND/', ...end),
    );
    expect([statement.proof, ...summaryOf(statement)]).toEqual(['unproved', '2026-06-02 300 GBP', '2026-06-02 200 GBP']);
    expect(statement.lines.map(({ description }) => description)).toEqual(['PAID 5/ 16, 2 MAIN', 'SECOND']);
  });
});

describe('NACHA', () => {
  const record = (...fields: readonly string[]): string => fields.join('').padEnd(94);
  const header = (date: string): string => record('101', ' 231380104', ' 121042882', date, '1055', 'A094101');
  const entry = record('622', '23138010', '4', '744'.padEnd(17), '0000000500', ''.padEnd(39), '0', '121042880000001');
  const control = (code: string, at: number): string =>
    record('8225', '000001', '0023138010', '0'.padStart(at, '0'), '500'.padStart(at, '0'), code);

  it('is read where the bank it goes to has no number', () => {
    const text = [
      record('101', ' YYYYYYYYY', ' 121042882', '260601', '1055', 'A094101'),
      record('5225', 'SHOP'.padEnd(36), '1210428820', 'PPD', 'PAY'.padEnd(10), '      ', '260602'),
      entry,
      control('', 12),
    ];
    expect(codesOf(statementOf(text.join('\n')))).toEqual(['file_cut_off']);
  });

  it('gives notices and returns without an effective date the day of settlement, else the day the file was made', () => {
    const batch = (settlement: string): string =>
      record('5225', 'SHOP'.padEnd(36), '1210428820', 'COR', 'PAY'.padEnd(10), '      ', '000000', settlement);
    const read = (settlement: string, made: string) =>
      statementOf(
        [
          header(made),
          batch(settlement),
          entry,
          control('', 12),
          record('9000001', '000001', '00000001', '0023138010', '0'.padStart(12, '0'), '500'.padStart(12, '0')),
        ].join('\n'),
      );
    expect(summaryOf(read('153', '260601'))).toEqual(['2026-06-02 500 USD']);
    expect(summaryOf(read('002', '251231'))).toEqual(['2026-01-02 500 USD']);
    const made = read('   ', '260601');
    expect([...summaryOf(made), ...codesOf(made)]).toEqual(['2026-06-01 500 USD', 'date_assumed']);
  });

  it('reads the wide totals of accounting advices', () => {
    const advice = record(
      '681',
      '23138010',
      '4',
      '744'.padEnd(15),
      '000000000500',
      '121042882',
      '11131',
      ' ',
      'Name'.padEnd(22),
      '  0',
      '01100001',
      '050',
      '0001',
    );
    const statement = statementOf(
      [
        header('260601'),
        record('5280', 'SHOP'.padEnd(36), '1210428820', 'ADV', 'PAY'.padEnd(10), '      ', '260602'),
        advice,
        record('8280', '000001', '0023138010', '0'.padStart(20, '0'), '500'.padStart(20, '0')),
        record('9000001', '000001', '00000001', '0023138010', '0'.padStart(20, '0'), '500'.padStart(20, '0')),
      ].join('\n'),
    );
    expect([...summaryOf(statement), ...codesOf(statement)]).toEqual(['2026-06-02 500 USD']);
  });
});
