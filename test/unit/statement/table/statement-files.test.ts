import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { STATEMENT_LIMITS } from '../../../../src-main/domain/statement/model/limits.ts';
import { readStatement } from '../../../../src-main/domain/statement/read.ts';
import { codesOf, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const gbp = { currency: 'GBP' };

function codeOf(content: string | Uint8Array): string | null {
  const read = readText(content);
  return read.ok ? null : read.error.code;
}

describe('encodings', () => {
  const text = 'Datum;Empfänger;Betrag\n2026-06-01;Müller;-12,50\n';
  it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const)('%s', (encoding) => {
    const statement = statementOf(iconv.encode(text, encoding), { currency: 'EUR' });
    expect([statement.dialect.encoding, statement.lines[0]?.description, statement.lines[0]?.amountMinor]).toEqual([
      encoding,
      'Müller',
      1250,
    ]);
  });

  it('drops a byte order mark', () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be']) {
      const statement = statementOf(iconv.encode(text, encoding, { addBOM: true }), { currency: 'EUR' });
      expect([statement.dialect.headerRow, statement.columns[0]?.header]).toEqual([1, 'Datum']);
    }
  });

  it('takes another code page only where header words indicate it', () => {
    const polish = 'Data księgowania;Tytuł;Kwota\n2026-06-01;Żółw;-12,50\n';
    expect(statementOf(iconv.encode(polish, 'windows-1250')).lines[0]?.description).toBe('Żółw');
    const russian = 'Дата;Описание;Сумма\n2026-06-01;Аренда;-12,50\n';
    const statement = statementOf(iconv.encode(russian, 'windows-1251'));
    expect([statement.dialect.encoding, statement.lines[0]?.description]).toEqual(['windows-1251', 'Аренда']);
  });

  it('notes that bytes were no UTF-8', () => {
    expect(codesOf(statementOf(iconv.encode(text, 'windows-1252'), { currency: 'EUR' }))).toEqual(['encoding_assumed']);
  });
});

describe('files that are no statement', () => {
  it.each([
    ['', 'empty_file'],
    ['\n\n  \n', 'empty_file'],
    ['Date,Amount\n2026-06-01,1\u00000\n', 'binary_file'],
    [new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8, 14, 15, 16, 17]), 'binary_file'],
    [new Uint8Array([0x50, 0x4b, 3, 4, 20, 0, 6, 0]), 'unsupported_format'],
    ['%PDF-1.7 ...', 'unsupported_format'],
    ['<!DOCTYPE html><html><body>Sign in</body></html>', 'not_csv'],
    ['{"records": [{"date": "2026-06-01", "amount": 1}]}', 'not_csv'],
    ['[{"date": "2026-06-01", "amount": 1}]', 'not_csv'],
    ['<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"/>', 'no_rows'],
    ['OFXHEADER:100\nDATA:OFXSGML\n', 'no_rows'],
    ['Dear all, the meeting is on Monday.\nBring cake, tea; and chairs.\n', 'not_csv'],
    ['foo,bar;foo,baz\nthis,file;has,mixed\nsemi,columns;and,comma\n', 'not_csv'],
    ['Date,Description,Amount\n', 'no_rows'],
    ['Date,Description,Amount\n\n,,\n', 'no_rows'],
    ['Name,Age,Colour\n2026-06-01,old,red\n', 'no_amount_column'],
  ] as const)('%j is %s', (content, code) => {
    expect(codeOf(content)).toBe(code);
  });

  it('are named by what they look like, with a remedy', () => {
    const read = readText('%PDF-1.7');
    expect(read).toMatchObject({
      ok: false,
      error: { message: 'This is no statement that can be read: it looks like a PDF document; download the statement as CSV instead.' },
    });
  });
});

it('takes texts out of the formulas that keep them as they are', () => {
  const rows = ['Date;Account;Amount', '"=""01.06.2026""";"=""0012""";="-1,50"', '02.06.2026;="0012";2,50'];
  const statement = statementOf(rows.join('\n'), { currency: 'EUR' });
  expect(summaryOf(statement)).toEqual(['2026-06-01 -150 EUR', '2026-06-02 250 EUR']);
  expect(statement.lines[0]?.metadata).toEqual({ account: '0012' });
});

describe('delimiters, quotes and line ends', () => {
  it.each([',', ';', '\t', '|'])('%j', (delimiter) => {
    const rows = [
      ['Date', 'Details', 'Amount'],
      ['2026-06-01', '"a, b; c|d\te"', '1.50'],
    ];
    const statement = statementOf(rows.map((cells) => cells.join(delimiter)).join('\n'), gbp);
    expect([statement.dialect.delimiter, statement.lines[0]?.description]).toEqual([delimiter, 'a, b; c|d\te']);
  });

  it('counts lines of the file behind cells of several lines and through mixed line ends', () => {
    const statement = statementOf(
      'Date,Details,Amount\r\n2026-06-01,"one\r\ntwo\nthree",1.00\n2026-06-02,"four ""five""",2.00\r2026-06-03,six,x\r\r\n2026-06-04,seven,4.00',
      gbp,
    );
    expect(statement.lines.map((line) => [line.row, line.description])).toEqual([
      [2, 'one\ntwo\nthree'],
      [5, 'four "five"'],
      [7, 'seven'],
    ]);
    expect(statement.problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 6, code: 'unreadable_amount' },
    ]);
  });

  it('loses at most one row to a quotation mark that is never closed', () => {
    const statement = statementOf('Date,Details,Amount\n2026-06-01,a,1.00\n2026-06-02,"b,2.00\n2026-06-03,c,3.00\n', gbp);
    expect(statement.lines.map((line) => [line.row, line.description, line.amountMinor])).toEqual([
      [2, 'a', 100],
      [3, 'b', 200],
      [4, 'c', 300],
    ]);
    expect(codesOf(statement)).toEqual(['unclosed_quote', 'signs_assumed']);
  });

  it('rejects a row that an unquoted delimiter tore apart', () => {
    const statement = statementOf('Date,Details,Amount\n2026-06-01,a,1.00\n2026-06-02,b,1,234.00\n', gbp);
    expect(statement.problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 3, code: 'too_many_cells', severity: 'rejected' },
    ]);
  });
});

describe('limits', () => {
  it('refuses a cell above 1 MiB with its place', () => {
    const read = readText(`Date,Details,Amount\n2026-06-01,${'x'.repeat(STATEMENT_LIMITS.cellCharacters + 1)},1.00\n`);
    expect(read).toMatchObject({ ok: false, error: { code: 'too_large', row: 2 } });
  });

  it('refuses a file above the limit without reading it', () => {
    const bytes = new Uint8Array(STATEMENT_LIMITS.fileBytes + 1);
    expect(readText(bytes)).toMatchObject({ ok: false, error: { code: 'too_large', message: expect.stringContaining('200 MB') } });
  });

  it('rejects values beyond the limits of a record, and cuts nothing', () => {
    const long = 'x '.repeat(1_500);
    const statement = statementOf(
      `Date,Details,Amount,Transaction ID,Notes\n2026-06-01,${long},1.00,a,\n2026-06-02,b,1.00,${'y'.repeat(256)},\n2026-06-03,c,1.00,d,${'z'.repeat(17_000)}\n`,
      gbp,
    );
    expect(codesOf(statement)).toEqual(['description_too_long', 'external_id_too_long', 'metadata_too_long']);
    expect(statement.rejectedRows).toBe(3);
  });

  it('stops when cancelled, and reports progress in bytes', () => {
    const content = new TextEncoder().encode(`Date,Amount\n${'2026-06-01,1.00\n'.repeat(20_000)}`);
    const seen: number[] = [];
    const read = readStatement(
      content,
      { filename: 'a.csv', currency: 'GBP' },
      { onProgress: (done, total) => void seen.push(done, total), isCancelled: () => seen.length > 4 },
    );
    expect(read).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    const done: number[] = [];
    readStatement(
      content,
      { filename: 'a.csv', currency: 'GBP' },
      { onProgress: (bytes) => void done.push(bytes), isCancelled: () => false },
    );
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(done.at(-1)).toBe(content.length);
  });
});

describe('where the table is', () => {
  it('finds the header below other lines, and leaves totals, text and repeated headers out with a note', () => {
    const statement = statementOf(
      'Account: 12345678\nStatement of June\n\nDate,Details,Amount\n2026-06-01,a,1.00\nDate,Details,Amount\n2026-06-02,b,2.00\n\nTotal,,3.00\nPrinted on demand\n',
      gbp,
    );
    expect(statement.dialect.headerRow).toBe(4);
    expect(statement.lines.map((line) => line.row)).toEqual([5, 7]);
    expect(codesOf(statement)).toEqual(['signs_assumed', 'blank_rows', 'repeated_header', 'total_rows', 'text_rows']);
    expect(statement.rejectedRows).toBe(0);
  });

  it('reads a file without a header by its content', () => {
    const statement = statementOf(
      '2026-06-01,Rent for June,-500.00,1500.00\n2026-06-02,Sale,250.00,1750.00\n2026-06-03,Sale,50.00,1800.00\n',
      gbp,
    );
    expect(statement.columns.map((column) => column.role)).toEqual(['date', 'description', 'amount', 'balance']);
    expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: 200_000, closingBalanceMinor: 180_000 });
    expect(statement.dialect.headerRow).toBeNull();
  });

  it('reads a header in words it does not know by the content below', () => {
    const statement = statementOf('Blip;Blop;Blup\n13.06.2026;Kaffee und Kuchen;-4,50\n14.06.2026;Miete;-900,00\n', { currency: 'EUR' });
    expect(statement.columns.map((column) => [column.header, column.role])).toEqual([
      ['Blip', 'date'],
      ['Blop', 'description'],
      ['Blup', 'amount'],
    ]);
  });

  it('continues a description over rows without date and amount', () => {
    const statement = statementOf('Date,Details,Amount\n2026-06-01,CARD,1.00\n,SHOP 17,\n,LONDON,\n2026-06-02,b,2.00\n', gbp);
    expect(statement.lines.map((line) => line.description)).toEqual(['CARD SHOP 17 LONDON', 'b']);
    expect(codesOf(statement)).toEqual(['signs_assumed', 'continued_rows']);
  });
});

describe('rows that only look like something else', () => {
  it('keeps a shop whose name is a word for balances or totals', () => {
    const statement = statementOf(
      'Date,Details,Amount\n2026-06-01,NEW BALANCE,-80.00\n2026-06-02,NEW BALANCE STORE LEEDS,-60.00\n2026-06-03,TOTAL ENERGIES,-50.00\n,TOTAL ENERGIES PARIS,\n2026-06-04,closing balance adjustment fee,-1.00\n',
      gbp,
    );
    expect(statement.lines.map((line) => line.amountMinor)).toEqual([8_000, 6_000, 5_000, 100]);
    expect(statement.lines[2]?.description).toBe('TOTAL ENERGIES TOTAL ENERGIES PARIS');
    expect([statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([null, null]);
  });

  it('rejects a row without a date that has an amount and is no total', () => {
    const statement = statementOf('Date,Details,Amount\n2026-06-01,a,-80.00\n,TOTAL ENERGIES,-50.00\n,Total debits,-80.00\n', gbp);
    expect(statement.problems).toMatchObject([
      { code: 'total_rows', row: 4 },
      { code: 'unreadable_date', row: 3, severity: 'rejected' },
    ]);
  });

  it('takes a currency the list does not know, and rejects what is none', () => {
    const statement = statementOf('Date,Amount,Currency\n2026-06-01,1.00,XBT\n2026-06-02,1.00,€\n2026-06-03,1.00,Gold\n', gbp);
    expect(summaryOf(statement)).toEqual(['2026-06-01 100 XBT', '2026-06-02 100 EUR']);
    expect(statement.problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 4, column: 'Currency', code: 'unknown_currency', severity: 'rejected' },
    ]);
  });
});

describe('where cells go', () => {
  it('keeps unknown columns as metadata under their header', () => {
    const statement = statementOf('Date,Details,Amount,Order ID,OrderID,Währung ist,__proto__,\n2026-06-01,a,1.00,7,8,,p,q\n', gbp);
    const metadata = statement.lines[0]?.metadata ?? {};
    expect(Object.entries(metadata)).toEqual([
      ['order_id', '7'],
      ['order_id_2', '8'],
      ['proto', 'p'],
      ['column_8', 'q'],
    ]);
  });

  it('uses an id only when every row has its own', () => {
    const file = (ids: readonly string[]): string => `Date,Amount,Transaction ID\n${ids.map((id) => `2026-06-01,1.00,${id}`).join('\n')}\n`;
    expect(statementOf(file(['a1', 'a2'])).lines.map((line) => line.externalId)).toEqual(['a1', 'a2']);
    for (const ids of [
      ['a1', 'a1'],
      ['a1', ''],
    ]) {
      const statement = statementOf(file(ids));
      expect(statement.lines.map((line) => line.externalId)).toEqual([null, null]);
      expect(statement.lines[0]?.metadata).toEqual({ transaction_id: 'a1' });
    }
  });

  it('never takes a voucher or an order number as the id', () => {
    const statement = statementOf('Date,Amount,Voucher,Order ID\n2026-06-01,1.00,V-1,O-1\n2026-06-02,1.00,V-2,O-2\n', gbp);
    expect(statement.lines[0]).toMatchObject({ externalId: null, metadata: { voucher: 'V-1', order_id: 'O-1' } });
  });

  it.each([
    ['Date,Details,Amount,Reference,Voucher', 'a b,1.00,INV-17,V-1', 'metadata.reference'],
    ['Date,Details,Amount,Order ID,Customer', 'a b,1.00,ORD-17,C-1', 'metadata.order_id'],
    ['Date,Details,Amount,Type', 'INV-17,1.00,DD', 'description'],
    ['Date,Details,Amount,Type', 'rent of June,1.00,DD', null],
  ])('%s: reference', (header, cells, expected) => {
    const row = (n: number): string => `2026-06-0${n},${cells.replaceAll('17', `17${n}`).replaceAll('-1,', `-${n},`)}`;
    expect(statementOf([header, row(1), row(2), row(3)].join('\n'), gbp).referenceField).toBe(expected);
  });

  it('leaves out all pending rows, also those that repeat a booked one', () => {
    const statement = statementOf(
      'Date,Details,Amount,Status\n2026-06-01,pay,-7.00,Completed\n2026-06-01,funding,7.00,Pending\n2026-06-02,card,-3.00,Pending\n',
      gbp,
    );
    expect(summaryOf(statement)).toEqual(['2026-06-01 -700 GBP']);
    expect(statement.problems).toMatchObject([{ code: 'pending_rows_left_out', row: 3 }]);
    expect(statement.lines[0]?.metadata).toEqual({ status: 'Completed' });
  });
});
