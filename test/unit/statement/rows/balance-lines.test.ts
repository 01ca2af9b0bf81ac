import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

describe('balances of a day among the transactions', () => {
  it.each(['SALDO DO DIA', 'S A L D O', 'Saldo final do dia', 'SALDO PARCIAL'])('%s', (words) => {
    const statement = statementOf(
      lines(
        'Data;Histórico;Valor',
        '01/06/2026;SALDO ANTERIOR;100,00',
        '13/06/2026;PIX ENVIADO;-10,00',
        `13/06/2026;${words};90,00`,
        '14/06/2026;PIX RECEBIDO;50,00',
        '14/06/2026;TARIFA;-1,00',
        '15/06/2026;LUZ;-9,00',
        `15/06/2026;${words};130,00`,
      ),
      { currency: 'BRL' },
    );
    expect(summaryOf(statement)).toEqual(['2026-06-13 -1000 BRL', '2026-06-14 5000 BRL', '2026-06-14 -100 BRL', '2026-06-15 -900 BRL']);
    expect([statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([10_000, 13_000]);
  });

  it('a payment called Saldo stays a payment', () => {
    const statement = statementOf(
      lines(
        'Data;Causale;Importo',
        '01/06/2026;Bonifico;-10,00',
        '14/06/2026;Altro;-1,00',
        '15/06/2026;Altro;-2,00',
        '16/06/2026;Saldo;-5,00',
      ),
      { currency: 'EUR' },
    );
    expect(summaryOf(statement)).toHaveLength(4);
  });
});

it('a transfer called Übertrag stays a transfer', () => {
  const statement = statementOf(lines('Datum;Text;Betrag', '13.06.2026;Übertrag;-10,00', '14.06.2026;Miete;-1,00'), { currency: 'EUR' });
  expect(summaryOf(statement)).toHaveLength(2);
});

it('balances carried from page to page are not that of the statement', () => {
  const statement = statementOf(
    lines(
      'Date,Details,Amount',
      ',Balance brought forward,100.00',
      '2026-06-13,a,-10.00',
      ',Balance carried forward,90.00',
      ',Balance brought forward,90.00',
      '2026-06-14,b,-5.00',
      '2026-06-15,c,-5.00',
      ',Closing balance,80.00',
    ),
    { currency: 'GBP' },
  );
  expect([statement.lines.length, statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([3, 10_000, 8_000]);
  expect(codesOf(statement)).toContain('balance_rows');
});

it.each([
  'Solde au 31/01/2026 2 289,77 €',
  'Solde (EUROS): 2289,77',
  'Solde en euros : 2 289,77 EUR',
  'Ending balance as of 31/01/2026: 2289,77',
])('%s above the rows', (label) => {
  const statement = statementOf(lines(label, '', 'Date;Libellé;Montant', '13/01/2026;a;-10,00', '14/01/2026;b;5,00'), { currency: 'EUR' });
  expect([statement.lines.length, statement.closingBalanceMinor]).toEqual([2, 228_977]);
});

it('a balance stands in its own column, not in the last one of the row', () => {
  const statement = statementOf(
    lines(
      'Date,Details,Amount,Balance,Branch',
      '2026-06-13,Opening balance,,100.00,12',
      '2026-06-14,a,-10.00,90.00,12',
      '2026-06-15,b,-5.00,85.00,12',
    ),
    { currency: 'GBP' },
  );
  expect([statement.proof, statement.openingBalanceMinor, statement.lines.length]).toEqual(['proved', 10_000, 2]);
});

describe('balances under a short name', () => {
  it.each([
    ['Opening', 'Closing'],
    ['B/F', 'C/F'],
    ['Bal b/f', 'Bal c/f'],
    ['Balance B/F', 'Balance C/F'],
  ])('%s and %s, in rows without an amount, prove the lines between them', (opening, closing) => {
    const statement = statementOf(
      lines(
        'Date,Description,Payments,Receipts,Balance',
        `2026-06-01,${opening},,,1000.00`,
        '2026-06-02,Rent,100.00,,900.00',
        '2026-06-04,Sale,,50.00,950.00',
        `2026-06-30,${closing},,,950.00`,
      ),
      { currency: 'GBP' },
    );
    expect(summaryOf(statement)).toEqual(['2026-06-02 -10000 GBP', '2026-06-04 5000 GBP']);
    expect([statement.openingBalanceMinor, statement.closingBalanceMinor, statement.proof]).toEqual([100_000, 95_000, 'proved']);
  });

  it('a payment called Opening stays a payment', () => {
    const statement = statementOf(
      lines('Date,Description,Amount', '2026-06-01,Opening,-10.00', '2026-06-02,Rent,-1.00', '2026-06-03,Closing,-2.00'),
      { currency: 'GBP' },
    );
    expect(summaryOf(statement)).toHaveLength(3);
  });
});
