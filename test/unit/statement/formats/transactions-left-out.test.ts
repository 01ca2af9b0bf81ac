import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const transaction = '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260602<TRNAMT>5.00<FITID>1<NAME>In</STMTTRN>';

describe('OFX', () => {
  it('names the trades of an investment account, of which only deposits and withdrawals are read', () => {
    const statement = statementOf(
      `OFXHEADER:100\n\n<OFX><INVSTMTRS><CURDEF>USD<INVACCTFROM><ACCTID>7</INVACCTFROM><INVTRANLIST><DTSTART>20260601<DTEND>20260630\n<BUYSTOCK><INVBUY><INVTRAN><FITID>9<DTTRADE>20260605</INVTRAN><TOTAL>-50.00</INVBUY></BUYSTOCK>\n<INVBANKTRAN>${transaction}<SUBACCTFUND>CASH</INVBANKTRAN></INVTRANLIST></INVSTMTRS></OFX>`,
    );
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-06-02 500 USD'], ['records_left_out']]);
    expect(statement.problems[0]).toMatchObject({ row: 4, message: expect.stringContaining('1 investment transaction (purchases') });
  });

  it('names what is not booked yet', () => {
    const statement = statementOf(
      `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKTRANLIST>${transaction}</BANKTRANLIST><BANKTRANLISTP><STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20260603<TRNAMT>-9.99<NAME>Soon</STMTTRNP></BANKTRANLISTP></STMTRS></OFX>`,
    );
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-06-02 500 USD'], ['pending_rows_left_out']]);
  });

  it('says that a file lacks its end', () => {
    expect(codesOf(statementOf(`OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<BANKTRANLIST>${transaction}`))).toEqual(['file_cut_off']);
  });
});

describe('MT940', () => {
  it('says that a statement lacks its closing balance', () => {
    const statement = statementOf(lines(':20:A', ':25:1', ':60F:C260601EUR1,00', ':61:260602C5,00NMSC1', ':86:x'));
    expect(statement.problems).toMatchObject([{ code: 'file_cut_off', row: 5 }]);
  });

  it('continues after a dash that is a line of text', () => {
    const statement = statementOf(
      lines(
        ':20:A',
        ':25:1',
        ':60F:C260601EUR1,00',
        ':61:260602C5,00NMSC1',
        ':86:one',
        '-',
        'two',
        ':61:260602C2,00NMSC2',
        ':62F:C260602EUR8,00',
        '-',
      ),
    );
    expect(statement).toMatchObject({ proof: 'proved', closingBalanceMinor: 800, lines: [{ description: 'one - two' }, {}] });
  });

  it('leaves out what is only expected and names it, and checks the sums of an interim report', () => {
    const report = (sum: string): string =>
      lines(':20:A', ':25:1', ':34F:EUR0,', ':61:2606020602EC5,00NMSC1', ':61:260602c2,00NMSC2', `:90C:2EUR${sum}`, '-');
    const statement = statementOf(report('7,00'));
    expect(statement).toMatchObject({
      proof: 'unproved',
      lines: [{ direction: 'credit', row: 5 }],
      problems: [{ code: 'pending_rows_left_out', row: 4 }],
    });
    expect(statementOf(report('8,00'))).toMatchObject({
      proof: 'broken',
      problems: [{ code: 'pending_rows_left_out' }, { code: 'control_broken', row: 6 }],
    });
  });
});

describe('BAI2', () => {
  const file = (status: string, ...transactions: readonly string[]): string[] => [
    '01,BANK,US,260603,0800,1,80,,2/',
    `02,US,BANK,${status},260602,,USD,2/`,
    '03,0123,USD,010,1000,,,015,1300,,/',
    ...transactions,
    '49,,/',
    '98,,,/',
    '99,,,/',
  ];
  const deposits = ['16,175,100,,A,,/', '16,175,200,,B,,/'];

  it.each([
    ['2', 'withdraws what the bank sent before'],
    ['4', 'is a test'],
  ])('imports nothing of a group with status %s, and says why', (status, reason) => {
    const statement = statementOf(lines(...file(status, ...deposits)));
    expect(statement).toMatchObject({ lines: [], rejectedRows: 2, balances: [], openingBalanceMinor: null });
    expect(statement.problems[0]).toMatchObject({ row: 4, code: 'group_is_none', message: expect.stringContaining(reason) });
  });

  it('notes that a group corrects another file', () => {
    expect(statementOf(lines(...file('3', ...deposits))).problems).toMatchObject([{ code: 'group_corrects', row: 2 }]);
  });

  it('leaves out information without an amount, by name; a type without a direction breaks no balance', () => {
    const statement = statementOf(lines(...file('1', ...deposits, '16,890,0,,,,NEWS/')));
    expect([statement.proof, statement.problems]).toMatchObject(['proved', [{ code: 'text_rows', row: 6 }]]);
    expect(statementOf(lines(...file('1', ...deposits, '16,721,5,,,,LOAN/')))).toMatchObject({ proof: 'unproved', rejectedRows: 1 });
  });

  it('cuts records without an end mark to the length that the file states', () => {
    const records = file('1', ...deposits).map((record) => record.padEnd(80));
    expect(statementOf(records.join(''))).toMatchObject({ proof: 'proved', lines: [{}, {}] });
  });
});

describe('NACHA', () => {
  const pad = (text: string): string => text.padEnd(94);
  const entry = (code: string, cents: string): string => pad(`6${code}231380104987654321        ${cents.padStart(10, '0')}ID`);
  const head = [pad('101 23138010412104288221906240000A094101'), pad(`${'5200ACME'.padEnd(40)}1210428822PPDSALARY    260602260602   1`)];
  const end = (credits: string): string =>
    pad(`9000001000001${'2'.padStart(8, '0')}${''.padStart(10)}${'0'.padStart(12, '0')}${credits.padStart(12, '0')}`);

  it('distinguishes tests of accounts from payments of zero, and is proved by the totals of the file where a batch has none', () => {
    const statement = statementOf(lines(...head, entry('23', '0'), entry('22', '700'), end('700')));
    expect(statement).toMatchObject({ proof: 'proved', lines: [{ amountMinor: 0, metadata: { prenote: 'true' } }, { amountMinor: 700 }] });
  });

  it('names an amount that cannot be read, not the totals that lack it', () => {
    const statement = statementOf(lines(...head, entry('22', '7O0'), entry('22', '700'), end('1400')));
    expect([statement.proof, statement.rejectedRows, codesOf(statement)]).toEqual(['unproved', 1, ['unreadable_amount']]);
  });
});

describe('QIF', () => {
  it('notes that a register begins with its opening balance', () => {
    const record = (date: string, amount: string, payee: string, more = ''): string => `D${date}\nT${amount}\nP${payee}\n${more}^`;
    const statement = statementOf(
      lines('!Type:Bank', record('06/01/2026', '100.00', 'Opening Balance', 'L[Checking]\n'), record('06/22/2026', '-10.00', 'Tea')),
    );
    expect([statement.lines.length, statement.openingBalanceMinor, codesOf(statement)]).toEqual([2, null, ['opening_balance_row']]);
  });
});

it('a CAMT statement in an envelope of other elements is one', () => {
  const entry = '<Ntry><Amt Ccy="EUR">5.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-06-02</Dt></BookgDt></Ntry>';
  const document = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE1</IBAN></Id></Acct>${entry}</Stmt></BkToCstmrStmt></Document>`;
  expect(summaryOf(statementOf(`<e:Envelope xmlns:e="e"><e:Body>${document}</e:Body></e:Envelope>`))).toEqual(['2026-06-02 500 EUR']);
});
