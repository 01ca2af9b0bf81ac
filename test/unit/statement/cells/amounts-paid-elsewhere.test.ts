import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** What a card paid in another currency, or its currency beside the booked amount, was taken for what the account moved by. */
describe('amounts and currencies of what was paid elsewhere', () => {
  it.each([
    ['Date;Text;Transaction amount;Transaction currency;Billing amount;Billing currency', '-14,00;USD;-12,50;EUR', '50,00;EUR;50,00;EUR'],
    ['Date;Libellé;Montant en devise;Devise;Montant en euros', '-14,00;USD;-12,50', ';;50,00'],
    ['Datum;Text;Betrag Originalwährung;Originalwährung;Kurs;Betrag EUR', '-14,00;USD;0,9;-12,50', ';;;50,00'],
    ['Fecha;Concepto;Importe en divisa;Divisa;Importe EUR', '-14,00;USD;-12,50', ';;50,00'],
    ['Data;Opis;Kwota w walucie;Waluta oryginalna;Kwota EUR', '-14,00;USD;-12,50', ';;50,00'],
    ['Date;Text;Original amount;Original currency;Amount EUR', '-14,00;USD;-12,50', ';;50,00'],
  ])('%s', (header, first, second) => {
    const statement = statementOf(lines(header, `15/01/2026;Shop;${first}`, `16/01/2026;Ann;${second}`), { currency: 'EUR' });
    expect([summaryOf(statement), statement.rejectedRows]).toEqual([['2026-01-15 -1250 EUR', '2026-01-16 5000 EUR'], 0]);
  });

  it('a currency called original belongs to the amount before it', () => {
    const statement = statementOf(lines('Date;Text;Amount;Original currency', '15/01/2026;Shop;-14,00;USD', '16/01/2026;Ann;5,00;USD'));
    expect(summaryOf(statement)).toEqual(['2026-01-15 -1400 USD', '2026-01-16 500 USD']);
  });
});

it('the amount still due on an invoice is not its amount', () => {
  const statement = statementOf(
    lines(
      'Invoice Date,Due Date,Invoice No,Customer,Total,Amount Due',
      '2026-01-15,2026-02-15,I-1,ACME,1050.00,1050.00',
      '2026-01-16,2026-02-16,I-2,BETA,12.50,0.00',
    ),
    { currency: 'EUR' },
  );
  expect(summaryOf(statement)).toEqual(['2026-01-15 105000 EUR', '2026-01-16 1250 EUR']);
});

it('the day of booking has precedence over the day of the purchase', () => {
  const statement = statementOf(
    lines('Einkaufsdatum;Text;Betrag;Buchung', '15.01.2026;Shop;-12,50;16.01.2026', '16.01.2026;Ann;5,00;17.01.2026'),
    {
      currency: 'CHF',
    },
  );
  expect(summaryOf(statement)).toEqual(['2026-01-16 -1250 CHF', '2026-01-17 500 CHF']);
});

it.each([
  ['Ausgabe', 'Einnahme'],
  ['Ausgang', 'Eingang'],
  ['Auszahlung', 'Einzahlung'],
  ['Zahlungsausgang', 'Zahlungseingang'],
])('%s and %s are directions', (out, paidIn) => {
  const statement = statementOf(lines('Datum;Art;Betrag', `15.01.2026;${out};12,50`, `16.01.2026;${paidIn};50,00`), { currency: 'EUR' });
  expect(summaryOf(statement)).toEqual(['2026-01-15 -1250 EUR', '2026-01-16 5000 EUR']);
});

it('the debt of a card rises with purchases, so its balances prove no direction', () => {
  const statement = statementOf(
    lines(
      'Date,Description,Amount,Balance',
      '01/15/2026,SHOP,12.50,112.50',
      '01/16/2026,PAYMENT - THANK YOU,-50.00,62.50',
      '01/17/2026,X,10.00,72.50',
    ),
    { currency: 'USD' },
  );
  expect(summaryOf(statement)).toEqual(['2026-01-15 -1250 USD', '2026-01-16 5000 USD', '2026-01-17 -1000 USD']);
  expect([statement.proof, codesOf(statement)]).toEqual(['unproved', ['balances_turned', 'signs_assumed']]);
});
