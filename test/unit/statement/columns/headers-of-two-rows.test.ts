import { describe, expect, it } from 'vitest';
import { codesOf, lines, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

describe('a header of two rows', () => {
  const text = lines(
    'Booking;Value;;Debit;Credit',
    'date;date;Text;EUR;EUR',
    '13.06.2026;15.06.2026;Shop;10,00;',
    '14.06.2026;16.06.2026;Wages;;50,00',
  );

  it('names its columns by both', () => {
    const statement = statementOf(text, { currency: 'EUR' });
    expect(summaryOf(statement)).toEqual(['2026-06-13 -1000 EUR', '2026-06-14 5000 EUR']);
    expect(statement.columns.map(({ header }) => header)).toContain('Booking date');
  });

  it('tells columns of one name apart', () => {
    const equal = text.replace(/^.*\n.*\n/, 'Booking date;Value date;Text;Amount;Amount\n;;;paid out;paid in\n');
    expect(summaryOf(statementOf(equal, { currency: 'EUR' }))).toEqual(['2026-06-13 -1000 EUR', '2026-06-14 5000 EUR']);
  });

  it('is known again by a recipe', () => {
    const { table } = statementOf(text, { currency: 'EUR' });
    const recipe = table?.recipe;
    if (recipe === undefined) throw new Error('no recipe');
    expect(summaryOf(statementOf(text, { currency: 'EUR', recipe }))).toEqual(['2026-06-13 -1000 EUR', '2026-06-14 5000 EUR']);
  });
});

it('amounts whose decimals stand in a cell of their own are refused', () => {
  const read = readText(lines('Date,Text,Amount,Balance', '13/06/2026,a,-12,50,87,50', '14/06/2026,b,5,00,92,50'), { currency: 'EUR' });
  if (read.ok) throw new Error(summaryOf(read.value).join());
  expect(read.error).toMatchObject({ code: 'not_csv', row: 1, message: expect.stringContaining('Export the file with another delimiter') });
});

describe('amounts of which none has a sign', () => {
  const rows = (amount: (index: number) => string): string =>
    lines('Date,Description,Amount', ...Array.from({ length: 6 }, (_, index) => `2026-06-1${index},Shop ${index},${amount(index)}`));

  it('are read as money in, with a note', () => {
    const statement = statementOf(
      rows((index) => `${index + 1}.00`),
      { currency: 'GBP' },
    );
    expect(codesOf(statement)).toEqual(['signs_assumed']);
    expect(statement.problems[0]).toMatchObject({ column: 'Amount', severity: 'note' });
  });

  it('get no note where one has a sign', () => {
    expect(
      codesOf(
        statementOf(
          rows((index) => `${index % 2 === 0 ? '-' : ''}${index + 1}.00`),
          { currency: 'GBP' },
        ),
      ),
    ).toEqual([]);
    expect(
      codesOf(
        statementOf(
          rows((index) => `+${index + 1}.00`),
          { currency: 'GBP' },
        ),
      ),
    ).toEqual([]);
  });
});
