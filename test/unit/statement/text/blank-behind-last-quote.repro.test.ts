import { expect, test } from 'vitest';
import { codesOf, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

test('a blank behind the last quotation mark of a file does not cost its last row the quotation marks', () => {
  const statement = statementOf('Date,Amount,Details\n2026-06-01,-1.00,"Rent, June"\n2026-06-02,-2.00,"Tea, milk" \n', { currency: 'GBP' });
  expect(summaryOf(statement)).toEqual(['2026-06-01 -100 GBP', '2026-06-02 -200 GBP']);
  expect(statement.lines.map((line) => line.description)).toEqual(['Rent, June', 'Tea, milk']);
  expect(codesOf(statement)).toEqual([]);
});
