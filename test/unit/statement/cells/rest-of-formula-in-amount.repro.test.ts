import { expect, it } from 'vitest';
import { statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { dated, workbook } from '../../../support/inputs/workbooks.ts';

/** What formulas add up is off by a rest behind the fifteenth digit or before it: such amounts were refused for their decimals. */
it('a number that is off by the rest of a formula is the amount that the bank shows', () => {
  const amounts = [2289.770_000_000_1, -0.299_999_999_999_997, 1_234_567.89, 0.125];
  const statement = statementOf(
    workbook({ S: [['Date', 'Details', 'Amount'], ...amounts.map((amount, index) => [dated(46_175 + index), 'Sale', amount])] }),
    { currency: 'EUR' },
  );
  expect(summaryOf(statement).map((line) => line.split(' ')[1])).toEqual(['228977', '-30', '123456789']);
  expect(statement.problems).toContainEqual(expect.objectContaining({ code: 'too_many_decimals', row: 5 }));
});
