import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf, openBesideCurrency } from '../../../support/inputs/statements.ts';

const read = (...content: readonly string[]) => statementOf(lines(...content), { currency: 'EUR' });
const days = (...content: readonly string[]): readonly string[] => summaryOf(read(...content)).map((line) => line.slice(0, 10));
const HEADER = 'Date,Details,Amount';
const ROWS = ['30 Dec,Rent,-1.00', '31 Dec,Tea,-2.00', '02 Jan,Pay,3.00'];
const TURN = ['2025-12-30', '2025-12-31', '2026-01-02'];

describe('the year of dates without one', () => {
  it.each([
    ['a period', 'Statement period: 2025-12-15 to 2026-01-14'],
    ['a period in two cells', 'Account statement,15.12.2025,14.01.2026'],
    ['a period that names no year at its beginning', 'Period: 15 Dec - 14 Jan 2026'],
    ['a statement date', 'Statement date,31/01/2026'],
    ['a month', 'Kontoauszug Januar 2026'],
    ['a beginning', 'From,2025-12-15'],
    ['a balance', 'Balance brought forward on 29/12/2025,,100.00'],
  ])('comes from %s above the table, and changes after December', (_, stated) => {
    const statement = read(stated, '', HEADER, ...ROWS);
    expect(summaryOf(statement).map((line) => line.slice(0, 10))).toEqual(TURN);
    expect(statement.problems).toMatchObject([{ code: 'year_from_file', severity: 'note', row: 1 }]);
  });

  it('comes from labels above their values, and from a balance below the rows', () => {
    expect(days('Account,Statement from,Statement to', '1,15/12/2025,14/01/2026', HEADER, ...ROWS)).toEqual(TURN);
    expect(days('Account 1', HEADER, ...ROWS, ',Closing balance 19.01.2026,109.00')).toEqual(TURN);
  });

  it('is the same where the newest row comes first', () => {
    expect(days('Period: 2025-12-15 to 2026-01-14', HEADER, ...ROWS.toReversed())).toEqual(TURN.toReversed());
  });

  it.each([
    ['30.12.', '02.01.'],
    ['30/12', '02/01'],
    ['12-30', '01-02'],
    ['3012', '0201'],
    ['1230', '0102'],
    ['Dec 30', 'Jan 2'],
    ['30. Dezember', '2. Januar'],
    ['12月30日', '1月2日'],
    ['Tue 30 Dec', 'Fri 02 Jan'],
  ])('is found in any notation of day and month: %s', (before, behind) => {
    expect(days('Period: 2025-12-15 to 2026-01-14', HEADER, `${before},Rent,-1.00`, `${behind},Pay,3.00`)).toEqual([
      '2025-12-30',
      '2026-01-02',
    ]);
  });

  it('lets balances prove the rows, and a note says that the year was taken', () => {
    const statement = read(
      'Period: 2025-12-15 to 2026-01-14',
      'Date,Details,Amount,Balance',
      '30.12.,Rent,-1.00,9.00',
      '02.01.,Tea,-2.00,7.00',
      '05.01.,Pay,3.00,10.00',
    );
    expect([statement.proof, statement.openingBalanceMinor, codesOf(statement)]).toEqual(['proved', 1000, ['year_from_file']]);
    expect(statement.problems[0]?.message).toBe(
      'The dates have no year; that of the days which row 1 states was taken: 2025-12-15 to 2026-01-14. Check one of them.',
    );
  });

  it('decides the order of day and month where one order alone agrees with the period', () => {
    expect(days('Period: 2026-03-01 to 2026-03-31', HEADER, '03/05,Rent,-1.00', '03/06,Tea,-2.00')).toEqual(['2026-03-05', '2026-03-06']);
    expect(days('Period: 2026-03-01 to 2026-03-31', HEADER, '05/03,Rent,-1.00', '06/03,Tea,-2.00')).toEqual(['2026-03-05', '2026-03-06']);
  });

  it('has examples with the year where nothing decides the order of day and month', () => {
    const statement = statementOf(lines('Statement date: 2026-06-30', HEADER, '03/05,Rent,-1.00', '03/05,Tea,-2.00'));
    expect(openBesideCurrency(statement)).toMatchObject([
      { about: 'date_order', choices: [{ examples: [{ written: '03/05', read: '2026-05-03' }] }, { examples: [{ read: '2026-03-05' }] }] },
    ]);
  });
});

describe('a date without a year is rejected by name', () => {
  const rejected = (...above: readonly string[]) => {
    const { lines: taken, problems } = read(...above, HEADER, '14 Mar,Rent,-1.00');
    expect(taken).toEqual([]);
    return problems.map(({ code, row, message }) => [code, row, message]);
  };

  it.each([
    ['nothing', 'Account 1'],
    ['the day of an export', 'Exported on 2026-04-01'],
    ['a day that nothing is said of', '2026-04-01'],
    ['an expiry date', 'Card valid until 31/12/2028'],
    ['a number of the year', 'Kontoauszug Nr. 3/2026'],
    ['more than a year', 'Period: 2024-01-01 to 2025-12-31'],
  ])('where %s is above the table', (_, above) => {
    expect(rejected(above)).toEqual([
      [
        'unreadable_date',
        3,
        '"14 Mar" in row 3, column Date, is a date without a year. Write it like 2026-06-30, or export the file with years.',
      ],
    ]);
  });

  it('where it is far from the days that the file states', () => {
    expect(rejected('Period: 2026-10-01 to 2026-10-31')[1]).toEqual([
      'unreadable_date',
      3,
      '"14 Mar" in row 3, column Date, is a date without a year, and no such day is near those that row 1 states (2026-10-01 to 2026-10-31). Write it like 2026-06-30, or export the file with years.',
    ]);
  });

  it('where the year does not have it', () => {
    const statement = read('Period: 2026-02-01 to 2026-02-28', HEADER, '28 Feb,Rent,-1.00', '29 Feb,Tea,-2.00');
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-02-28 -100 EUR'], ['year_from_file', 'unreadable_date']]);
  });
});
