import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const HEADER = '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","CAD$","USD$"';
const ROWS = [
  'Chequing,01-1,1/26/2026,,"PAY",1500.00,',
  'Chequing,01-1,1/27/2026,,"SHOP",-20.10,',
  'Chequing,01-2,1/28/2026,,"US SHOP",,-30.00',
];

describe('amounts of each currency in a column of its own', () => {
  it('are in the currency of the column that a row fills', () => {
    const statement = statementOf(lines(HEADER, ...ROWS));
    expect(summaryOf(statement)).toEqual(['2026-01-26 150000 CAD', '2026-01-27 -2010 CAD', '2026-01-28 -3000 USD']);
    expect(statement.currencies).toEqual(['CAD', 'USD']);
    expect(statement.problems).toMatchObject([
      {
        code: 'currency_columns',
        message:
          'Each of the columns CAD$ (CAD), USD$ (USD) holds the amounts of one currency; a row is in that of the column which it fills.',
      },
    ]);
  });

  it('are found where the sampled rows fill only one of them', () => {
    const statement = statementOf(lines(HEADER, ...ROWS.slice(0, 2)));
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-01-26 150000 CAD', '2026-01-27 -2010 CAD'], ['currency_columns']]);
  });

  it.each(['Amount EUR,Amount USD', 'EUR,USD', 'Betrag (EUR),Betrag (USD)', 'Importe €,Importe US$'])(
    'are recognised by the headers %s',
    (headers) => {
      const statement = statementOf(
        lines(`Date,Details,${headers}`, '2026-01-26,Rent,-1.00,', '2026-01-27,Pay,,2.00', '2026-01-28,Tea,0.00,-3.00'),
      );
      expect(summaryOf(statement)).toEqual(['2026-01-26 -100 EUR', '2026-01-27 200 USD', '2026-01-28 -300 USD']);
    },
  );

  it('have the decimals of their currency', () => {
    const statement = statementOf(lines('Date,Details,EUR,JPY', '2026-01-26,Rent,-1.00,', '2026-01-27,Pay,,2.50', '2026-01-28,Tea,,-300'));
    expect(summaryOf(statement)).toEqual(['2026-01-26 -100 EUR', '2026-01-28 -300 JPY']);
    expect(statement.problems).toMatchObject([{ code: 'currency_columns' }, { code: 'too_many_decimals', row: 3, column: 'JPY' }]);
  });

  it('are read alike by a recipe of the same file', () => {
    const first = statementOf(lines(HEADER, ...ROWS));
    const second = statementOf(lines(HEADER, ...ROWS), { recipe: first.table?.recipe });
    expect(summaryOf(second)).toEqual(summaryOf(first));
  });

  it('are rejected in the row that fills two of them, by name', () => {
    const many = Array.from({ length: 3_000 }, (_, index) => `2026-01-26,Rent ${index},${index % 2 === 0 ? '-1.00,' : ',-1.00'}`);
    const statement = statementOf(lines('Date,Details,EUR,USD', ...many, '2026-01-27,Both,1.00,2.00'));
    const problem = statement.problems.find(({ severity }) => severity === 'rejected');
    expect(problem).toMatchObject({ row: 3_002, column: 'EUR' });
    expect(problem?.message).toBe(
      'Row 3002 has an amount both in EUR ("1.00") and in USD ("2.00"). Leave one of them empty, or make two rows of it.',
    );
  });
});

it('an amount beside its value in another currency is no such column', () => {
  const statement = statementOf(lines('Date,Details,Amount EUR,Amount USD', '2026-01-26,Rent,-1.00,-1.10', '2026-01-27,Pay,2.00,2.20'));
  expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-01-26 -100 EUR', '2026-01-27 200 EUR'], []]);
});
