import { describe, expect, it, test } from 'vitest';
import { dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { codesOf, lines, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { NO_CURRENCY } from '../../../../src-shared/values/money.ts';

/** Format, proof, balances and rows of a text in one value. */
function read(content: string, currency: string | null = null) {
  const statement = statementOf(content, { currency });
  return {
    format: statement.format,
    proof: statement.proof,
    opening: statement.openingBalanceMinor,
    closing: statement.closingBalanceMinor,
    rejected: statement.rejectedRows,
    lines: summaryOf(statement),
  };
}

describe('MT940', () => {
  const statement = lines(
    '{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:',
    ':20:STARTUMS',
    ':25:10020030/1234567',
    ':28C:5/1',
    ':60F:C260601EUR1000,00',
    ':61:2606020602DR800,5NSTONONREF//B-1',
    ':86:008?00DAUERAUFTRAG?20Miete Juni?32MUELLER?33 GMBH?31DE123',
    ':61:2606030603C300,NTRFINV 17//B-2',
    ':86:/NAME/Acme Ltd/REMI/Invoice 17/IBAN/GB33BUKB20201555555555',
    ':61:260604RC12,NMSCNONREF//B-3',
    ':86:Returned by the other bank',
    ':62F:C260604EUR487,50',
    '-}',
  );

  it('reads lines, references, details and balances, and proves them', () => {
    expect(read(statement)).toEqual({
      format: 'mt940',
      proof: 'proved',
      opening: 100_000,
      closing: 48_750,
      rejected: 0,
      lines: ['2026-06-02 -80050 EUR', '2026-06-03 30000 EUR', '2026-06-04 -1200 EUR'],
    });
    const [rent, invoice, returned] = statementOf(statement).lines;
    expect(rent).toMatchObject({
      externalId: 'B-1',
      description: 'Miete Juni',
      metadata: { booking_text: 'DAUERAUFTRAG', counterparty: 'MUELLER GMBH', counterparty_account: 'DE123', transaction_type: 'NSTO' },
    });
    expect(invoice).toMatchObject({
      description: 'Invoice 17',
      metadata: { counterparty: 'Acme Ltd', counterparty_account: 'GB33BUKB20201555555555', reference: 'INV 17' },
    });
    expect(returned).toMatchObject({ direction: 'debit', description: 'Returned by the other bank', metadata: { reversal: 'true' } });
  });

  it('names the balance that does not follow, and by how much', () => {
    const broken = statementOf(statement.replace('EUR487,50', 'EUR500,00'));
    expect(broken.proof).toBe('broken');
    expect(broken.problems.at(-1)).toMatchObject({
      code: 'balance_broken',
      row: 12,
      message: expect.stringContaining('lead to 487.50 EUR: 12.50 EUR too much'),
    });
  });

  it('takes the booking date for a value date that does not exist, and says so', () => {
    const february = lines(':20:X', ':25:1', ':60F:C260227EUR10,', ':61:2602300302D6,N024NONREF', ':62F:C260302EUR4,');
    expect(read(february).lines).toEqual(['2026-03-02 -600 EUR']);
    expect(codesOf(statementOf(february))).toEqual(['impossible_value_date']);
  });

  it('rejects a line that does not follow the format, with its row', () => {
    const faulty = statementOf(lines(':20:X', ':25:1', ':60F:C260601EUR1,', ':61:no line at all', ':62F:C260601EUR1,'));
    expect(faulty.problems).toMatchObject([{ severity: 'rejected', code: 'unreadable_line', row: 4, column: '61' }]);
  });

  it('keeps several accounts apart', () => {
    const two = `${statement}${statement.replaceAll('10020030/1234567', '10020030/7654321')}`;
    const found = statementOf(two);
    expect(found).toMatchObject({ proof: 'proved', openingBalanceMinor: null });
    expect(new Set(found.lines.map((line) => line.metadata['account']))).toEqual(new Set(['10020030/1234567', '10020030/7654321']));
    expect(new Set(found.lines.map((line) => line.externalId)).size).toBe(6);
    expect(found.accounts.map((each) => [each.account, each.rows, each.closingBalanceMinor])).toEqual([
      ['10020030/1234567', 3, 48_750],
      ['10020030/7654321', 3, 48_750],
    ]);
    const one = statementOf(two, { account: '10020030/7654321' });
    expect([one.lines.length, one.proof, one.closingBalanceMinor, one.accounts.length]).toEqual([3, 'proved', 48_750, 2]);
    expect(readText(two, { account: '1' })).toMatchObject({ ok: false, error: { code: 'no_such_account' } });
  });
});

describe('OFX', () => {
  const sgml = (transactions: string, more = ''): string =>
    lines(
      'OFXHEADER:100',
      'DATA:OFXSGML',
      '',
      '<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>CAD<BANKACCTFROM><ACCTID>123</BANKACCTFROM><BANKTRANLIST>',
      transactions,
      `</BANKTRANLIST><LEDGERBAL><BALAMT>50.25<DTASOF>20260630</LEDGERBAL>${more}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    );
  const one = '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602120000[-5:EST]<TRNAMT>-12.50<FITID>a1<NAME>B &amp; C<MEMO>Groceries</STMTTRN>';
  const other = '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260603<TRNAMT>+20<FITID>a2<CHECKNUM>77<NAME>Acme</STMTTRN>';

  it('reads SGML without end tags', () => {
    expect(read(sgml(`${one}\n${other}`))).toEqual({
      format: 'ofx',
      proof: 'unproved',
      opening: null,
      closing: 5025,
      rejected: 0,
      lines: ['2026-06-02 -1250 CAD', '2026-06-03 2000 CAD'],
    });
    expect(statementOf(sgml(`${one}\n${other}`)).lines).toMatchObject([
      { externalId: 'a1', description: 'B & C Groceries', row: 5 },
      { externalId: 'a2', metadata: { check_number: '77' }, row: 6 },
    ]);
  });

  it('reads XML, comma decimals and CDATA', () => {
    const xml = `<?xml version="1.0"?><?OFX OFXHEADER="200"?><OFX><CCSTMTRS><CURDEF>EUR</CURDEF><STMTTRN><DTPOSTED>20260602</DTPOSTED><TRNAMT>-1.200,50</TRNAMT><FITID>x</FITID><NAME><![CDATA[A < B]]></NAME></STMTTRN></CCSTMTRS></OFX>`;
    const found = statementOf(xml);
    expect(summaryOf(found)).toEqual(['2026-06-02 -120050 EUR']);
    expect(found.lines[0]?.description).toBe('A < B');
  });

  it('keeps amounts that are finer than the currency', () => {
    expect(statementOf(sgml(one.replace('-12.50', '-12.3456'))).lines[0]).toMatchObject({ amountMinor: 123_456, decimalPlaces: 4 });
  });

  it('counts an id that comes twice as none', () => {
    expect(statementOf(sgml(`${one}${one}`)).lines.map((line) => line.externalId)).toEqual([null, null]);
  });

  it('rejects what has no date or no amount, each with its field', () => {
    const faulty = statementOf(
      sgml(
        [one.replace('20260602120000[-5:EST]', ''), one.replace('20260602120000', '20260231'), one.replace('-12.50', 'twelve')].join('\n'),
      ),
    );
    expect(faulty.problems.map(({ code, column, row }) => [code, column, row])).toEqual([
      ['unreadable_date', 'DTPOSTED', 5],
      ['impossible_date', 'DTPOSTED', 6],
      ['unreadable_amount', 'TRNAMT', 7],
    ]);
    expect(faulty).toMatchObject({ rows: 3, rejectedRows: 3 });
  });

  it("repeats the bank's error", () => {
    const answer = readText('<OFX><STMTTRNRS><STATUS><CODE>2000<SEVERITY>ERROR<MESSAGE>General error</STATUS></STMTTRNRS></OFX>');
    expect(answer).toMatchObject({
      ok: false,
      error: { code: 'no_rows', message: expect.stringContaining('"General error" (code 2000)') },
    });
  });
});

describe('QIF', () => {
  it('reads dates as Quicken writes them, and leaves lists out by name', () => {
    const text = lines(
      '!Type:Cat',
      'NFood',
      '^',
      '!Type:Bank',
      "D6/15'26",
      'T-1,000.00',
      'PRent',
      'MJune',
      'N102',
      '^',
      "D6/ 2'2026",
      'T5',
      '^',
    );
    expect(read(text, 'USD')).toMatchObject({ format: 'qif', lines: ['2026-06-15 -100000 USD', '2026-06-02 500 USD'] });
    expect(codesOf(statementOf(text, { currency: 'USD' }))).toEqual(['records_left_out']);
    expect(statementOf(text).lines[0]).toMatchObject({ description: 'Rent June', metadata: { number: '102' } });
  });

  it("is proved where an account's balance agrees, and keeps equal lines", () => {
    const twin = ['D2026-06-01', 'T2.50', 'PCoffee', '^'];
    const text = lines('!Account', 'NCash', 'TCash', 'B5.00', '^', '!Type:Cash', ...twin, ...twin);
    expect(read(text, 'EUR')).toMatchObject({ proof: 'proved', lines: ['2026-06-01 250 EUR', '2026-06-01 250 EUR'] });
    expect(read(text.replace('B5.00', 'B7.00'), 'EUR')).toMatchObject({ proof: 'unproved' });
  });

  it('says which field of a record is missing', () => {
    const faulty = statementOf(lines('!Type:Bank', 'D2026-06-01', 'PNo amount', '^', 'T1.00', '^', 'D2026-02-30', 'T1.00', '^'));
    expect(faulty.problems.filter((problem) => problem.severity === 'rejected').map(({ code, row }) => [code, row])).toEqual([
      ['unreadable_amount', 2],
      ['unreadable_date', 5],
      ['impossible_date', 7],
    ]);
  });

  it('is refused without a bank section', () => {
    expect(readText(lines('!Type:Invst', 'D6/1/26', 'NBuy', '^'))).toMatchObject({ ok: false, error: { code: 'no_rows' } });
  });
});

describe('CAMT', () => {
  const entry = (amount: string, direction: string, more = ''): string =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-06-02</Dt></BookgDt>${more}</Ntry>`;
  const balance = (code: string, amount: string, direction = 'CRDT'): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Dt><Dt>2026-06-02</Dt></Dt></Bal>`;
  const document = (content: string, message = 'BkToCstmrStmt', section = 'Stmt'): string =>
    `<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><${message}><${section}><Acct><Id><IBAN>DE1</IBAN></Id></Acct>${content}</${section}></${message}></Document>`;
  const details =
    '<NtryDtls><TxDtls><Refs><EndToEndId>E-1</EndToEndId></Refs><RltdPties><Dbtr><Pty><Nm>Acme</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>Invoice</Ustrd><Ustrd>17</Ustrd></RmtInf></TxDtls></NtryDtls>';

  it('reads entries, parties and balances, and proves them', () => {
    const content = [balance('OPBD', '10.00', 'DBIT'), balance('CLBD', '2.50'), entry('20.00', 'CRDT', details), entry('7.5', 'DBIT')].join(
      '\n',
    );
    expect(read(document(content))).toEqual({
      format: 'camt',
      proof: 'proved',
      opening: -1000,
      closing: 250,
      rejected: 0,
      lines: ['2026-06-02 2000 EUR', '2026-06-02 -750 EUR'],
    });
    expect(statementOf(document(content)).lines[0]).toMatchObject({
      row: 4,
      description: 'Invoice 17',
      metadata: { counterparty: 'Acme', end_to_end_id: 'E-1' },
    });
  });

  it('reads prefixed names', () => {
    const prefixed = document(entry('1.00', 'CRDT'))
      .replaceAll(/<(\/?)([A-Z])/g, '<$1ns:$2')
      .replace('xmlns=', 'xmlns:ns=');
    expect(read(prefixed).lines).toEqual(['2026-06-02 100 EUR']);
  });

  it('leaves out what is not booked yet, but takes it from an intraday report', () => {
    const content = entry('1.00', 'CRDT').replace('BOOK', 'PDNG');
    expect(codesOf(statementOf(document(content + entry('2.00', 'CRDT'))))).toEqual(['pending_rows_left_out']);
    expect(statementOf(document(content, 'BkToCstmrAcctRpt', 'Rpt')).lines).toMatchObject([{ metadata: { status: 'PDNG' } }]);
  });

  it('checks the summary of the entries', () => {
    const summary = '<TxsSummry><TtlNtries><NbOfNtries>3</NbOfNtries></TtlNtries><TtlCdtNtries><Sum>5.00</Sum></TtlCdtNtries></TxsSummry>';
    const cut = statementOf(document(summary + entry('2.00', 'CRDT')));
    expect([cut.proof, ...codesOf(cut)]).toEqual(['broken', 'control_broken', 'count_differs']);
  });

  it.each([
    ['<!DOCTYPE x [<!ENTITY a "b">]>', 'unreadable_xml'],
    ['<!DOCTYPE x SYSTEM "file:///etc/hostname">', 'unreadable_xml'],
  ])('never looks at a document type: %s', (type, code) => {
    const text = document(entry('1.00', 'CRDT')).replace('?>\n', `?>\n${type}`);
    expect(readText(text)).toMatchObject({ ok: false, error: { code, row: 2 } });
  });

  it('says where the XML breaks', () => {
    const text = document(entry('1.00', 'CRDT')).replace('</Document>', '');
    expect(readText(text)).toMatchObject({ ok: false, error: { code: 'unreadable_xml', message: expect.stringContaining('line 2') } });
  });
});

describe('BAI2', () => {
  const file = (transactions: readonly string[], total: string, closing = '3750'): string =>
    lines(
      '01,BANK,US,260603,0800,1,80,,2/',
      '02,US,BANK,1,260602,,USD,2/',
      `03,0123,USD,010,1000,,/`,
      `88,015,${closing},,/`,
      ...transactions,
      `49,${total},${transactions.length + 3}/`,
      `98,${total},1,${transactions.length + 5}/`,
      `99,${total},1,${transactions.length + 7}/`,
    );
  const transactions = ['16,142,3000,V,260603,,REF-1,INV 17,ACME', '88,June rent/', '16,475,250,,C-9,,CHECK/'];

  it('reads transactions with their funds types and continuations, and proves totals and balances', () => {
    expect(read(file(transactions, '8000'))).toEqual({
      format: 'bai2',
      proof: 'proved',
      opening: 1000,
      closing: 3750,
      rejected: 0,
      lines: ['2026-06-02 3000 USD', '2026-06-02 -250 USD'],
    });
    expect(statementOf(file(transactions, '8000')).lines).toMatchObject([
      {
        description: 'ACME June rent',
        valueDay: dayFromIso('2026-06-03'),
        metadata: { bank_reference: 'REF-1', customer_reference: 'INV 17' },
      },
      { description: 'CHECK', externalId: 'C-9', valueDay: null },
    ]);
  });

  it('names the control total that does not hold, and a file that is cut off', () => {
    const broken = statementOf(file(transactions, '8001'));
    expect([broken.proof, broken.problems[0]?.code, broken.problems[0]?.row]).toEqual(['broken', 'control_broken', 8]);
    const cut = file(transactions, '8000').split('\n').slice(0, 7).join('\n');
    expect(codesOf(statementOf(cut))).toContain('file_cut_off');
  });

  it('rejects a type that is neither credit nor debit', () => {
    const faulty = statementOf(file(['16,999,5,,,,X/'], '4755'));
    expect(faulty.problems).toContainEqual(expect.objectContaining({ code: 'unknown_type', severity: 'rejected', row: 5 }));
  });
});

describe('NACHA', () => {
  const pad = (text: string): string => text.padEnd(94);
  const header = pad('101 23138010412104288221906240000A094101Federal Reserve Bank   My Bank Name');
  const batch = (date = '260602'): string =>
    pad(`5200Name on Account                     121042882 PPDREG.SALARY      ${date}   1121042880000001`);
  const entry = (code: string, cents: string, trace: string, name: string): string =>
    pad(`6${code}231380104987654321        ${cents.padStart(10, '0')}ID-1           ${name.padEnd(22)}  0${trace.padStart(15, '0')}`);
  const control = (count: string, hash: string, debit: string, credit: string): string =>
    pad(`8200${count.padStart(6, '0')}${hash.padStart(10, '0')}${debit.padStart(12, '0')}${credit.padStart(12, '0')}121042882`);
  const file = [
    header,
    batch(),
    entry('27', '5000', '1', 'Jane Doe'),
    pad('705Invoice 17').slice(0, 94),
    entry('22', '700', '2', 'John Roe'),
    control('3', '46276020', '5000', '700'),
    pad(`9000001000001${'3'.padStart(8, '0')}${'46276020'.padStart(10, '0')}${'5000'.padStart(12, '0')}${'700'.padStart(12, '0')}`),
  ];

  it('reads entries with their addenda, and proves the totals', () => {
    const statement = statementOf(lines(...file));
    expect([statement.format, statement.proof, ...codesOf(statement)]).toEqual(['nacha', 'proved']);
    expect(summaryOf(statement)).toEqual(['2026-06-02 -5000 USD', '2026-06-02 700 USD']);
    expect(statement.lines[0]).toMatchObject({
      description: 'Jane Doe Name on Account REG.SALARY Invoice 17',
      metadata: { individual_id: 'ID-1', entry_class: 'PPD', trace_number: '000000000000001' },
    });
  });

  it('reads records without line ends, and short lines', () => {
    expect(summaryOf(statementOf(file.join('')))).toEqual(summaryOf(statementOf(lines(...file))));
    expect(statementOf(lines(...file.map((line) => line.trimEnd()))).proof).toBe('proved');
  });

  it('tells a return with its reason', () => {
    const returned = [...file.slice(0, 3), pad(`799R01${'9'.padStart(15, '0')}`), ...file.slice(4)];
    expect(statementOf(lines(...returned)).lines[0]?.metadata).toMatchObject({
      return_reason: 'R01',
      original_trace_number: '000000000000009',
    });
  });

  it('names a total that does not hold, an impossible date and a file that is cut off', () => {
    const broken = statementOf(lines(...file.with(4, entry('22', '701', '2', 'John Roe'))));
    expect(broken.problems).toContainEqual(expect.objectContaining({ code: 'control_broken', row: 6 }));
    const dated = statementOf(lines(...file.with(1, batch('260230'))));
    expect(dated).toMatchObject({ rejectedRows: 2, lines: [] });
    expect(codesOf(statementOf(lines(...file.slice(0, 5))))).toContain('file_cut_off');
  });
});

describe('found once: bank format id too long', () => {
  it('an id of a bank format that is longer than an id can be is a rejected row, as it is in a CSV file', () => {
    const id = 'x'.repeat(256);
    const text = `<OFX><STMTRS><CURDEF>EUR<STMTTRN><DTPOSTED>20260602<TRNAMT>-1.50<FITID>${id}<NAME>A</STMTTRN></STMTRS></OFX>`;
    const statement = statementOf(text);
    expect([statement.lines.length, statement.rejectedRows]).toEqual([0, 1]);
    expect(statement.problems).toMatchObject([{ code: 'external_id_too_long', row: 1, severity: 'rejected' }]);
  });
});

describe('found once: currency of bank formats differs', () => {
  const STATEMENT = ':20:A\r\n:25:1\r\n:28C:1/1\r\n:60F:C260601EUR10,00\r\n:61:2606010601D4,00NTRFX\r\n:62F:C260601EUR6,00\r\n-\r\n';

  it('a bank format in another currency than its stream gets a note, as a table does', () => {
    const statement = statementOf(STATEMENT, { currency: 'GBP' });
    expect([statement.currency, codesOf(statement)]).toEqual(['EUR', ['currency_differs']]);
    expect(statement.problems[0]?.message).toBe(
      'The file says EUR, not GBP; its own currency was taken. Check that this is the right file.',
    );
  });

  test.each(['EUR', null])('%s gets no note', (currency) => {
    expect(codesOf(statementOf(STATEMENT, { currency }))).toEqual([]);
  });
});

describe('found once: damaged currency of ofx', () => {
  const FILE = (currency: string) =>
    `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>1</BANKACCTFROM>\n<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>-1.50<FITID>a<NAME>Rent</STMTTRN>\n</STMTRS></OFX>\n`;

  test('an invalid currency rejects the transactions of its statement, and is not the currency of the file', () => {
    const statement = statementOf(FILE(':61:EUR'));
    expect(statement).toMatchObject({ rows: 1, lines: [], rejectedRows: 1, currency: NO_CURRENCY });
    const problem = statement.problems.find(({ severity }) => severity === 'rejected');
    expect(problem).toMatchObject({ code: 'unknown_currency', row: 4, column: 'currency' });
    expect(problem?.message).toMatch(/^":61:EUR", the currency of the transaction in row 4, is none\./);
  });

  test('three letters are a currency, even if no list has them', () => {
    expect(statementOf(FILE('xyz')).lines).toMatchObject([{ currency: 'XYZ', amountMinor: 150 }]);
  });
});

describe('found once: marks of bank formats misread', () => {
  /** Formats whose amounts have no groups: a mark alone is the decimal one. It was taken for a mark between thousands, so amounts were a hundred or a thousand times too large. */
  const ofx = (...amounts: readonly string[]): string =>
    `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>${amounts
      .map((amount, index) => `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260602<TRNAMT>${amount}<FITID>${index}<NAME>Fund</STMTTRN>`)
      .join('\n')}</BANKTRANLIST></STMTRS></OFX>\n`;

  describe('OFX', () => {
    it('keeps the decimals of a fund', () => {
      expect(statementOf(ofx('-1.234', '-2.500')).lines).toMatchObject([
        { amountMinor: 1234, decimalPlaces: 3 },
        { amountMinor: 250, decimalPlaces: 2 },
      ]);
    });

    it('reads a mark as one between thousands where other amounts show it', () => {
      expect(summaryOf(statementOf(ofx('-1.234', '-2.500,00')))).toEqual(['2026-06-02 -123400 EUR', '2026-06-02 -250000 EUR']);
    });
  });

  const mt940 = (...rows: readonly string[]): string => [':20:A', ':25:1', ':60F:C260601EUR1000,00', ...rows, '-'].join('\n');

  describe('MT940', () => {
    it.each([
      ['200.00', -20_000],
      ['200.5', -20_050],
      ['1.200,00', -120_000],
      [',50', -50],
      ['200,', -20_000],
    ])('%s', (amount, minor) => {
      expect(summaryOf(statementOf(mt940(`:61:260602D${amount}NMSC1`)))).toEqual([`2026-06-02 ${minor} EUR`]);
    });

    it('refuses amounts that could be thousands or decimals', () => {
      const statement = statementOf(mt940(':61:260602D1.200NMSC1'));
      expect([statement.lines, codesOf(statement)]).toMatchObject([[], expect.arrayContaining(['unreadable_amount'])]);
    });

    it('reads balances with a point as well', () => {
      const statement = statementOf(mt940(':61:260602D200.00NMSC1', ':61:260602C50.00NMSC2', ':62F:C260602EUR850.00'));
      expect(statement).toMatchObject({ proof: 'proved', closingBalanceMinor: 85_000 });
    });
  });

  it('QIF notes that a mark was read as one between thousands', () => {
    const statement = statementOf('!Type:Bank\nD22.06.2026\nT-1.500\nPRent\n^\n', { currency: 'EUR' });
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-06-22 -150000 EUR'], ['decimal_mark_assumed']]);
  });
});
