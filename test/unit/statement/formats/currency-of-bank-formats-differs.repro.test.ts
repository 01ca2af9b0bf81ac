import { expect, it, test } from 'vitest';
import { codesOf, statementOf } from '../../../support/inputs/statements.ts';

const STATEMENT = ':20:A\r\n:25:1\r\n:28C:1/1\r\n:60F:C260601EUR10,00\r\n:61:2606010601D4,00NTRFX\r\n:62F:C260601EUR6,00\r\n-\r\n';

it('a bank format in another currency than its stream says so, which only tables did', () => {
  const statement = statementOf(STATEMENT, { currency: 'GBP' });
  expect([statement.currency, codesOf(statement)]).toEqual(['EUR', ['currency_differs']]);
  expect(statement.problems[0]?.message).toBe('The file says EUR, not GBP; its own currency was taken. Check that this is the right file.');
});

test.each(['EUR', null])('of %s nothing is said', (currency) => {
  expect(codesOf(statementOf(STATEMENT, { currency }))).toEqual([]);
});
