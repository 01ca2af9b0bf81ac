import { describe, expect, it, test } from 'vitest';
import { codesOf, lines, statementOf } from '../../../support/inputs/statements.ts';

/** What stands below the last transaction was taken for the end of its description. */

const ROWS = ['Date,Description,Amount,Balance', '2026-06-01,Tea,-4.00,96.00', '2026-06-02,Sale,10.00,106.00'];
const textsOf = (...rows: readonly string[]): readonly (string | null)[] =>
  statementOf(lines(...rows), { currency: 'GBP' }).lines.map(({ description }) => description);

describe('a footer in the column of texts', () => {
  it.each([
    'Generated on 30 June 2026 by Online Banking',
    'Page 1 of 2',
    'End of statement',
    'This statement is no official document. Report errors within 60 days.',
    'Deposits are protected up to 85000',
    '3 transactions',
    '© 2026 Example Bank',
    'Account holder Ann Example',
    'Seite 2 von 2',
  ])('%s is left out, with a note', (footer) => {
    const statement = statementOf(lines(...ROWS, `,${footer},,`), { currency: 'GBP' });
    expect([statement.lines.map(({ description }) => description), codesOf(statement)]).toEqual([['Tea', 'Sale'], ['text_rows']]);
    expect(textsOf(...ROWS, `,${footer},,`, ',Call us,,')).toEqual(['Tea', 'Sale']);
  });
});

test('the last line goes on as others of its file did', () => {
  const [head = '', first = '', last = ''] = ROWS;
  expect(textsOf(head, first, ',with milk,,', last, ',of a chair,,')).toEqual(['Tea with milk', 'Sale of a chair']);
  expect(textsOf(head, first, ',with milk,,', last, ',End of statement,,')).toEqual(['Tea with milk', 'Sale']);
  expect(textsOf(head, first, ',with milk,,', last, ',,,Printed for Ann')).toEqual(['Tea with milk', 'Sale']);
});

test('the number of a page between transactions is no text of the one above', () => {
  const [head = '', first = '', last = ''] = ROWS;
  expect(textsOf(head, first, ',Page 1 of 2,,', last)).toEqual(['Tea', 'Sale']);
});
