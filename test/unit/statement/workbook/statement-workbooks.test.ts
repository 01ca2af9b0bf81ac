import { describe, expect, it } from 'vitest';
import { codesOf, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { dated, workbook } from '../../../support/inputs/workbooks.ts';

const header = ['Date', 'Details', 'Amount', 'Reference'];

describe('workbooks', () => {
  it.each(['xlsx', 'biff8'] as const)('%s: dates, numbers and texts', (type) => {
    const bytes = workbook(
      {
        Statement: [
          ['Account 123'],
          [],
          header,
          [dated(46_174), 'Rent', -1234.5, 'R-1'],
          [dated(46_175.75), 'Sale', 0.1 + 0.2, 'R-2'],
          ['17/06/2026', 'Text', '1,250.00', 77.5],
        ],
      },
      { type },
    );
    const statement = statementOf(bytes, { currency: 'EUR' });
    expect([statement.format, ...summaryOf(statement)]).toEqual([
      type === 'xlsx' ? 'xlsx' : 'xls',
      '2026-06-01 -123450 EUR',
      '2026-06-02 30 EUR',
      '2026-06-17 125000 EUR',
    ]);
    expect(statement.lines.map((line) => [line.row, line.metadata['reference']])).toEqual([
      [4, 'R-1'],
      [5, 'R-2'],
      [6, '77.5'],
    ]);
  });

  it('counts days from 1904 where the workbook does', () => {
    const bytes = workbook({ S: [header, [dated(46_174 - 1_462), 'Rent', 5, 'a']] }, { date1904: true });
    expect(summaryOf(statementOf(bytes, { currency: 'EUR' }))).toEqual(['2026-06-01 500 EUR']);
  });

  it('reads numbers beside texts with a decimal comma', () => {
    const bytes = workbook({
      S: [header, ['2026-06-01', 'a', 'EUR 9.126,07', ''], ['2026-06-02', 'b', 544.25, ''], ['2026-06-03', 'c', "'579,68", '']],
    });
    expect(summaryOf(statementOf(bytes, { currency: 'EUR' }))).toEqual([
      '2026-06-01 912607 EUR',
      '2026-06-02 54425 EUR',
      '2026-06-03 57968 EUR',
    ]);
  });

  it('rejects a cell with an error by its place', () => {
    const bytes = workbook(
      { S: [header, ['2026-06-01', 'a', 1, ''], ['2026-06-02', 'b', 2, '']] },
      { change: (sheet) => void (sheet['C3'] = { t: 'e', v: 7, w: '#DIV/0!' }) },
    );
    expect(statementOf(bytes, { currency: 'EUR' }).problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { severity: 'rejected', row: 3, column: 'Amount', code: 'formula_error' },
    ]);
  });

  it('takes the sheet with transactions and names the others that have some', () => {
    const sheet = [header, ['2026-06-01', 'a', -1, '']];
    const statement = statementOf(workbook({ Cover: [['Bank of Somewhere']], June: sheet, July: sheet }), { currency: 'EUR' });
    expect([statement.lines.length, ...codesOf(statement)]).toEqual([1, 'sheets_left_out']);
    expect(statement.problems[0]?.message).toBe(
      'The sheet "June" was read; "July" holds transactions as well. Choose that sheet to read it instead.',
    );
  });

  it.each([
    ['an empty workbook', workbook({ S: [] }), 'empty_file'],
    ['one that is cut off', workbook({ S: [header] }).slice(0, -40), 'unreadable_workbook'],
    ['an old one that is damaged', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]), 'unreadable_workbook'],
  ])('refuses %s', (_, bytes, code) => {
    expect(readText(bytes)).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(/\.$/) } });
  });

  it('refuses an archive that claims to unpack to far more than it holds, before unpacking it', () => {
    const bytes = workbook({ S: [header] });
    const view = new DataView(bytes.buffer);
    const entry = bytes.findIndex((_, at) => at + 4 < bytes.length && view.getUint32(at, true) === 0x02_01_4b_50);
    view.setUint32(entry + 24, 0xf0_00_00_00, true);
    expect(readText(bytes)).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });
});
