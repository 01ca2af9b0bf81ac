import { describe, expect, it, test } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { IS_LONG } from '../../../support/long.ts';

test('a blank behind the last quotation mark of a file does not cost its last row the quotation marks', () => {
  const statement = statementOf('Date,Amount,Details\n2026-06-01,-1.00,"Rent, June"\n2026-06-02,-2.00,"Tea, milk" \n', { currency: 'GBP' });
  expect(summaryOf(statement)).toEqual(['2026-06-01 -100 GBP', '2026-06-02 -200 GBP']);
  expect(statement.lines.map((line) => line.description)).toEqual(['Rent, June', 'Tea, milk']);
  expect(codesOf(statement)).toEqual([]);
});

describe('found once: unescaped quotes tear rows', () => {
  const HEADER = '"Konts";"Datums";"Saņēmējs/Maksātājs";"Informācija saņēmējam";"Summa";"Valūta";"Debets/Kredīts";';
  const descriptions = (content: string): readonly (string | null)[] => statementOf(content).lines.map(({ description }) => description);

  describe('quotation marks inside of quoted cells', () => {
    it('belong to the cell, between words and at its end', () => {
      const statement = statementOf(
        lines(
          HEADER,
          '"LV00TEST";"02.01.2026";"Beta";"SIA "Alfa" Riga";"12,50";"EUR";"K";',
          '"LV00TEST";"03.01.2026";"Beta";"SIA "Alfa"";"7,50";"EUR";"D";',
          '"LV00TEST";"04.01.2026";"Beta";""Alfa" SIA";"1,00";"EUR";"K";',
        ),
      );
      expect(summaryOf(statement)).toEqual(['2026-01-02 1250 EUR', '2026-01-03 -750 EUR', '2026-01-04 100 EUR']);
      expect(statement.lines.map(({ description }) => description)).toEqual(['SIA "Alfa" Riga', 'SIA "Alfa"', '"Alfa" SIA']);
      expect(codesOf(statement)).not.toContain('too_many_cells');
    });

    it('belong to it where a delimiter follows, if the row then has as many cells as the header', () => {
      expect(descriptions(lines(HEADER, '"LV00TEST";"02.01.2026";"Beta";"Rēķins "A-1"; avanss";"12,50";"EUR";"K";'))).toEqual([
        'Rēķins "A-1"; avanss',
      ]);
    });

    it('do not swallow the rows below when they end a row', () => {
      const content = lines(
        'Date;Amount;Details',
        '2026-06-01;-1,00;"SIA "Alfa""',
        '2026-06-02;-2,00;"Rent"',
        '2026-06-03;-3,00;"SIA "Beta""',
      );
      const statement = statementOf(content, { currency: 'EUR' });
      expect(summaryOf(statement)).toEqual(['2026-06-01 -100 EUR', '2026-06-02 -200 EUR', '2026-06-03 -300 EUR']);
      expect(codesOf(statement)).toEqual([]);
    });

    it('leave a row as it is where there are two ways to split it', () => {
      const statement = statementOf(
        lines('"Date";"Details";"Notes";"Amount"', '"2026-06-01";"a "b";"c";"d" e";"1,00"', '"2026-06-02";"f";"g";"2,00"'),
        { currency: 'EUR' },
      );
      expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-06-02 200 EUR'], ['signs_assumed', 'too_many_cells']]);
    });

    it('leave lines within a cell as they are', () => {
      expect(descriptions(lines('Date,Details,Amount', '2026-06-01,"said "so" and\nwent",1.00', '2026-06-02,Rent,2.00'))).toEqual([
        'said "so" and\nwent',
        'Rent',
      ]);
    });

    it('are read in a file of very many such rows row by row', () => {
      const count = IS_LONG ? 60_000 : 15_000;
      const rows = Array.from({ length: count }, (_, index) => `2026-06-01;"Nr ${index}";"SIA "Alfa"";1,00`);
      const statement = statementOf(lines('Date;Ref;Details;Amount', ...rows), { currency: 'EUR' });
      expect([statement.rows, statement.rejectedRows]).toEqual([count, 0]);
    });
  });
});
