import { expect, it } from 'vitest';
import { amountShape } from '../../../../src-main/domain/statement/cells/amounts.ts';
import { statementOf, summaryOf } from '../../../support/inputs/statements.ts';

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
