import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const gbp = { currency: 'GBP' };
const placed = (text: string): unknown => {
  const statement = statementOf(text, gbp);
  return [
    summaryOf(statement).length,
    statement.rejectedRows,
    statement.problems.map(({ code, message }) => `${code} ${/rows? [\d, ]+/.exec(message)?.[0] ?? ''}`),
  ];
};

describe('subtotals with a date among the transactions', () => {
  const january = ['2026-01-05,Rent,-500.00', '2026-01-12,Salary,1500.00'];
  const february = ['2026-02-03,Shop,-40.00', '2026-02-12,Refund,10.00'];

  it.each([
    [
      'below each month',
      [...january, '2026-01-31,Subtotal January,1000.00', ...february, '2026-02-28,Subtotal February,-30.00'],
      'rows 4, 7',
    ],
    ['above each month', ['2026-02-28,Turnover February,-30.00', ...february, '2026-01-31,January total,1000.00', ...january], 'rows 2, 5'],
    [
      'and of both at the end',
      [...january, '2026-01-31,Summe Januar,1000.00', ...february, '2026-02-28,Summe Februar,-30.00', '2026-02-28,Gesamtsumme,970.00'],
      'rows 4, 7, 8',
    ],
    [
      'of a month with one transaction',
      [...january, '2026-01-31,Subtotal,1000.00', '2026-02-03,Shop,-40.00', '2026-02-28,Subtotal,-40.00'],
      'rows 4, 6',
    ],
    ['of a month without any', [...january, '2026-01-31,Subtotal,1000.00', '2026-02-28,Subtotal,0.00'], 'rows 4, 5'],
  ])('%s', (_, rows, where) => {
    const kept = rows.length - where.split(',').length;
    expect(placed(lines('Date,Description,Amount', ...rows))).toEqual([kept, 0, [`total_rows ${where}`]]);
  });

  it('in columns for money in and out', () => {
    const rows = [
      '05.01.2026;Miete;500,00;',
      '12.01.2026;Gehalt;;1500,00',
      '31.01.2026;Zwischensumme;500,00;1500,00',
      '03.02.2026;Laden;40,00;',
    ];
    expect(placed(lines('Datum;Text;Soll;Haben', ...rows, '28.02.2026;Zwischensumme;40,00;0,00'))).toEqual([
      3,
      0,
      ['total_rows rows 4, 6'],
    ]);
  });

  it('break no balance', () => {
    const rows = [
      '2026-01-05,Rent,-500.00,500.00',
      '2026-01-12,Salary,1500.00,2000.00',
      '2026-01-31,Total January,1000.00,2000.00',
      '2026-02-03,Shop,-40.00,1960.00',
    ];
    const statement = statementOf(lines('Date,Description,Amount,Balance', ...rows), gbp);
    expect([statement.proof, codesOf(statement), statement.closingBalanceMinor]).toEqual(['proved', ['total_rows'], 196_000]);
  });
});

describe('a shop that is called Total', () => {
  it('is none where its amount is not the sum', () => {
    const rows = ['2026-02-12,Refund,10.00', '2026-02-13,Total,-40.00', '2026-02-14,Total,-40.00', '2026-02-15,Total Wine,-41.00'];
    expect(placed(lines('Date,Description,Amount', ...rows))).toEqual([4, 0, []]);
  });

  it('is none where the balances hold with it', () => {
    const rows = [
      '2026-01-05,Rent,-500.00,500.00',
      '2026-01-12,Salary,1500.00,2000.00',
      '2026-01-31,Total energy,1000.00,3000.00',
      '2026-02-03,Shop,-40.00,2960.00',
    ];
    expect(placed(lines('Date,Description,Amount,Balance', ...rows))).toEqual([4, 0, []]);
  });
});

describe('a last row of figures alone', () => {
  const rows = ['2026-01-05,Rent,-500.00,500.00', '2026-01-06,Shop,-10.00,490.00', '2026-01-06,Salary,1500.00,1990.00'];

  it.each([[',,990.00,'], [',,990.00,1990.00'], [',Bilanz,990.00,1990.00'], ['Bilanz,,990.00,']])(
    '%s is a total where it is the sum of the others',
    (last) => {
      const statement = statementOf(lines('Date,Description,Amount,Balance', ...rows, last), gbp);
      expect([statement.proof, statement.rejectedRows, codesOf(statement)]).toEqual(['proved', 0, ['total_rows']]);
      expect([statement.openingBalanceMinor, statement.closingBalanceMinor, statement.balances.length]).toEqual([100_000, 199_000, 2]);
    },
  );

  it('is a total of money in and out', () => {
    const columns = ['2026-01-05,Rent,500.00,,500.00', '2026-01-06,Shop,10.00,,490.00', '2026-01-06,Salary,,1500.00,1990.00'];
    const statement = statementOf(lines('Date,Description,Debit,Credit,Balance', ...columns, ',,510.00,1500.00,'), gbp);
    expect([statement.proof, statement.rejectedRows, codesOf(statement)]).toEqual(['proved', 0, ['total_rows']]);
  });

  it('is rejected by name where it is not the sum', () => {
    const statement = statementOf(lines('Date,Description,Amount,Balance', ...rows, ',,991.00,'), gbp);
    expect(statement.proof).toBe('unproved');
    expect(statement.problems.filter(({ severity }) => severity === 'rejected')).toMatchObject([{ row: 5, code: 'unreadable_date' }]);
  });
});

describe('a balance that is given once for each day', () => {
  const lasting = [
    '2026-01-05,Rent,-500.00,490.00',
    '2026-01-05,Shop,-10.00,',
    '2026-01-06,Salary,1500.00,1985.00',
    '2026-01-06,Bus,-5.00,',
    '2026-01-07,Bus,-5.00,1980.00',
  ];
  const repeated = lasting.map((row) => row.replace('-10.00,', '-10.00,490.00').replace('06,Bus,-5.00,', '06,Bus,-5.00,1985.00'));

  it.each([
    ['on the first row', lasting],
    ['on every row', repeated],
    [
      'on the last row, the newest day first',
      [
        '2026-01-07,Bus,-5.00,1980.00',
        '2026-01-06,Salary,1500.00,',
        '2026-01-06,Bus,-5.00,1985.00',
        '2026-01-05,Rent,-500.00,',
        '2026-01-05,Shop,-10.00,490.00',
      ],
    ],
  ])('%s proves the rows', (_, rows) => {
    const statement = statementOf(lines('Date,Description,Amount,Balance', ...rows), gbp);
    expect([statement.proof, codesOf(statement), statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([
      'proved',
      [],
      100_000,
      198_000,
    ]);
  });

  it('names the day that does not follow', () => {
    const statement = statementOf(lines('Date,Description,Amount,Balance', ...lasting.with(3, '2026-01-06,Bus,-6.00,')), gbp);
    expect([statement.proof, statement.problems]).toMatchObject([
      'broken',
      [{ code: 'balance_broken', row: 4, message: expect.stringContaining('1.00 GBP too much') }],
    ]);
  });
});
