import { describe, expect, it } from 'vitest';
import { amountShape, decideMark, isNothing, markOf, minorOf } from '../../../../src-main/domain/statement/cells/amounts.ts';
import { NO_CURRENCY } from '../../../../src-shared/values/money.ts';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { dated, workbook } from '../../../support/inputs/workbooks.ts';

describe('amounts as banks write them', () => {
  it.each([
    ['1234.50', false, '1234.50', null],
    ['-1.234,50', true, '1.234,50', null],
    ['+50,00', false, '50,00', null],
    ['(1,275.00)', true, '1,275.00', null],
    ['42.00-', true, '42.00', null],
    ['−42.00', true, '42.00', null],
    ['$10.00', false, '10.00', '$'],
    ['-$42.00', true, '42.00', '$'],
    ['$-42.00', true, '42.00', '$'],
    ['($42.00)', true, '42.00', '$'],
    ['£1,820.50', false, '1,820.50', '£'],
    ['1 234,56 €', false, '1234,56', '€'],
    ['1\u00a0234\u00a0567,89', false, '1234567,89', null],
    ["1'234.50 CHF", false, '1234.50', 'CHF'],
    ['USD 12.00', false, '12.00', 'USD'],
    ['12.00 CR', false, '12.00', null],
    ['12.00DR', true, '12.00', null],
    ['د.ا\u200f4.750', false, '4.750', 'د.ا'],
    ['R$ 1.234,50', false, '1.234,50', 'R$'],
    ['Rs. 500', false, '500', 'Rs'],
    ['.50', false, '.50', null],
    ['£.50', false, '.50', '£'],
    ['12,34 Euro', false, '12,34', 'Euro'],
    ['CLP$1.234.567', false, '1.234.567', 'CLP$'],
    ['12.34 (Dr)', true, '12.34', null],
    ['CR 12.34', false, '12.34', null],
    ['DR 12.34', true, '12.34', null],
    ['12,34 S', true, '12,34', null],
    ['12,34 H', false, '12,34', null],
    ['12,34 Soll', true, '12,34', null],
    ['１,２３４.５０', false, '1,234.50', null],
    ["'-12.34", true, '12.34', null],
  ])('%s', (text, negative, body, sign) => {
    expect(amountShape(text)).toMatchObject({ negative, body, sign });
  });

  it.each([
    '',
    'abc',
    'K2',
    'RCT-0601',
    '12 34',
    '1-2',
    '--5',
    '-5.00 CR',
    '1e5',
    'C100809',
    '12:30',
    '5%',
    '(5',
    '1.2.3.4x',
    'S 12',
    '12 Sx',
    '12,-5',
  ])('%s is none', (text) => {
    expect(amountShape(text)).toBeNull();
  });

  it('recognises texts that mean no amount', () => {
    expect(['', '-', '--', '–', ' ', 'n/a'].map(isNothing)).toEqual([true, true, true, true, true, true]);
    expect(['0', '0.00', '-1'].map(isNothing)).toEqual([false, false, false]);
  });
});

describe('the decimal mark', () => {
  it.each([
    ['12.50', '.'],
    ['12,5', ','],
    ['1.234,56', ','],
    ['1,234.56', '.'],
    ['1.234.567', ','],
    ['1,234,567', '.'],
    ['12,34,567', '.'],
    ['1.234', 'either'],
    ['0.123', '.'],
    ['1234.567', '.'],
    ['1234', 'none'],
  ] as const)('%s says %s', (body, expected) => {
    expect(markOf(body)).toBe(expected);
  });

  it('is decided over all amounts', () => {
    expect(decideMark(['1.234', '5', '12,50'])).toEqual({ mark: ',', open: false });
    expect(decideMark(['1.234', '5', '12.50'])).toEqual({ mark: '.', open: false });
    expect(decideMark(['1.234', '5'])).toEqual({ mark: ',', open: true });
    expect(decideMark(['7', '5'])).toEqual({ mark: null, open: false });
  });

  it('gets a note where it is open', () => {
    const statement = statementOf('Date;Amount\n2026-06-30;-1.234\n', { currency: 'EUR' });
    expect(summaryOf(statement)).toEqual(['2026-06-30 -123400 EUR']);
    expect(codesOf(statement)).toEqual(['decimal_mark_assumed']);
  });
});

describe('minor units', () => {
  it.each([
    ['1234.5', '.', 2, 123_450],
    ['1,234.56', '.', 2, 123_456],
    ['12,34,567.89', '.', 2, 123_456_789],
    ['1.234,56', ',', 2, 123_456],
    ['.5', '.', 2, 50],
    ['7', '.', 2, 700],
    ['1,234', '.', 0, 1234],
    ['4.750', '.', 3, 4750],
    ['12.5000', '.', 2, 1250],
    ['90071992547409.91', '.', 2, 9_007_199_254_740_991],
    ['90071992547409.92', '.', 2, 'amount_out_of_range'],
    ['99999999999999999999', '.', 2, 'amount_out_of_range'],
    ['1.005', '.', 2, 'too_many_decimals'],
    ['1.5', '.', 0, 'too_many_decimals'],
    ['12,50', '.', 2, 'unreadable_amount'],
    ['1,23,4', '.', 2, 'unreadable_amount'],
    ['1.2.3', '.', 2, 'unreadable_amount'],
    ['.', '.', 2, 'unreadable_amount'],
  ] as const)('%s with %s and %i decimals', (body, mark, places, expected) => {
    expect(minorOf(body, mark, places)).toBe(expected);
  });

  it('rejects what the currency cannot hold, naming row, column and what to do', () => {
    const statement = statementOf(
      'Date,Amount\n2026-06-01,10.00\n2026-06-02,10.005\n2026-06-03,ten\n2026-06-04,\n2026-06-05,99999999999999999999.00\n',
      { currency: 'GBP' },
    );
    expect(summaryOf(statement)).toEqual(['2026-06-01 1000 GBP']);
    expect(statement.problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 3, column: 'Amount', code: 'too_many_decimals', severity: 'rejected', message: expect.stringContaining('"10.005"') },
      { row: 4, column: 'Amount', code: 'unreadable_amount', message: expect.stringContaining('"ten"') },
      { row: 5, column: 'Amount', code: 'unreadable_amount', message: expect.stringContaining('empty') },
      { row: 6, column: 'Amount', code: 'amount_out_of_range' },
    ]);
  });

  it('takes the exponent of the currency', () => {
    expect(summaryOf(statementOf('Date,Amount,Currency\n2026-06-01,1500,JPY\n2026-06-01,1.500,KWD\n2026-06-01,1.50,EUR\n'))).toEqual([
      '2026-06-01 1500 JPY',
      '2026-06-01 1500 KWD',
      '2026-06-01 150 EUR',
    ]);
  });
});

describe('the currency', () => {
  it('is the column’s, the sign’s, the header’s, the preamble’s, then the user’s; else it is asked for', () => {
    expect(statementOf('Date,Amount,CCY\n2026-06-01,1.00,sek\n').currency).toBe('SEK');
    expect(statementOf('Date,Amount\n2026-06-01,£1.00\n2026-06-02,2.00\n').lines.map((line) => line.currency)).toEqual(['GBP', 'GBP']);
    expect(statementOf('Date,Withdrawals (SGD),Deposits (SGD)\n2026-06-01,1.00,\n').currency).toBe('SGD');
    expect(statementOf('Currency: NOK\nDate,Amount\n2026-06-01,1.00\n').currency).toBe('NOK');
    expect(statementOf('Date,Amount\n2026-06-01,1.00\n', { currency: 'DKK' }).currency).toBe('DKK');
    const asked = statementOf('Date,Amount\n2026-06-01,-1.00\n');
    expect([asked.currency, codesOf(asked), asked.questions]).toMatchObject([NO_CURRENCY, [], [{ about: 'currency', choices: [] }]]);
  });

  it('of the file has precedence over the user’s, with a note', () => {
    const statement = statementOf('Date,Amount\n2026-06-01,-€1.00\n', { currency: 'GBP' });
    expect([statement.currency, codesOf(statement)]).toEqual(['EUR', ['currency_differs']]);
    expect(codesOf(statementOf('Date,Amount\n2026-06-01,-$1.00\n', { currency: 'CAD' }))).toEqual([]);
  });

  it.each([
    ['beside an amount', 'Date,Amount\n2026-06-01,$1.00\n2026-06-02,-2.00\n'],
    ['in a column', 'Date,Amount,CCY\n2026-06-01,-1.00,$\n'],
    ['in a header', 'Date,Amount ($)\n2026-06-01,-1.00\n'],
  ])('of a $ %s alone is USD, with a note', (_, text) => {
    const statement = statementOf(text);
    expect([statement.currency, codesOf(statement)]).toEqual(['USD', ['dollar_assumed']]);
    expect(statement.problems).toMatchObject([{ severity: 'note', message: '$ was read as USD. If it is another dollar, say which.' }]);
    expect(codesOf(statementOf(text, { currency: 'USD' }))).toEqual([]);
    const canadian = statementOf(text, { currency: 'CAD' });
    expect([canadian.currency, codesOf(canadian)]).toEqual(['CAD', []]);
  });

  it.each(['Date,Amount\n2026-06-01,-US$1.00\n', 'Date,Amount,CCY\n2026-06-01,-$1.00,USD\n', 'Date,Amount USD\n2026-06-01,-1.00\n'])(
    'that is written in full gets no note: %j',
    (text) => {
      expect([statementOf(text).currency, codesOf(statementOf(text))]).toEqual(['USD', []]);
    },
  );
});

describe('found once: dash for nil decimals read as minus', () => {
  /** A dash behind the decimal mark stands for decimals that are nil; it was read as a minus, so income became a charge. */
  it.each([
    ['50,-', false, '50,00'],
    ['-50,-', true, '50,00'],
    ["2'500.–", false, '2500.00'],
    ['CHF 50.--', false, '50.00'],
    ['1.234,— €', false, '1.234,00'],
    ['50,00-', true, '50,00'],
    ['50-', true, '50'],
  ])('%s', (text, negative, body) => {
    expect(amountShape(text)).toMatchObject({ negative, body });
  });

  it('in a statement whose balances prove it', () => {
    const rows = [
      'Datum;Text;Betrag;Saldo',
      '01.06.2026;Lohn;2.500,-;2.600,-',
      '02.06.2026;Miete;-900,-;1.700,-',
      '13.06.2026;Tee;-1,20;1.698,80',
    ];
    const statement = statementOf(rows.join('\n'), { currency: 'EUR' });
    expect(summaryOf(statement)).toEqual(['2026-06-01 250000 EUR', '2026-06-02 -90000 EUR', '2026-06-13 -120 EUR']);
    expect(statement.proof).toBe('proved');
  });
});

describe('found once: rest of formula in amount', () => {
  /** What formulas add up is off by a rest behind the fifteenth digit or before it: such amounts were refused for their decimals. */
  it('a number with the rounding error of a formula is the amount that the bank shows', () => {
    const amounts = [2289.770_000_000_1, -0.299_999_999_999_997, 1_234_567.89, 0.125];
    const statement = statementOf(
      workbook({ S: [['Date', 'Details', 'Amount'], ...amounts.map((amount, index) => [dated(46_175 + index), 'Sale', amount])] }),
      { currency: 'EUR' },
    );
    expect(summaryOf(statement).map((line) => line.split(' ')[1])).toEqual(['228977', '-30', '123456789']);
    expect(statement.problems).toContainEqual(expect.objectContaining({ code: 'too_many_decimals', row: 5 }));
  });
});
