import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

describe('a list of transfers with amounts after fees', () => {
  const HEADER =
    'ID,Status,Direction,"Created on","Source fee amount","Source fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency",Reference';
  const statement = statementOf(
    lines(
      HEADER,
      'T-1,COMPLETED,OUT,"2026-01-14 10:11:12",0.50,EUR,"Me",99.50,EUR,"Bob",110.00,USD,Inv1',
      'T-2,COMPLETED,IN,"2026-01-15 10:11:12",0.00,EUR,"Ann",50.00,EUR,"Me",50.00,EUR,Inv2',
    ),
  );

  it('is read by the amounts, never by the fees', () => {
    expect(summaryOf(statement)).toEqual(['2026-01-14 -9950 EUR', '2026-01-15 5000 EUR']);
  });

  it('notes that there are fees beside the amounts, and that other amounts were received', () => {
    expect(codesOf(statement)).toEqual(['fees_assumed', 'sent_amounts_assumed']);
  });
});

it('a booking batch takes the year of its rows from the days in its first line', () => {
  const statement = statementOf(
    lines(
      '"EXTF";700;21;"Buchungsstapel";13;20260120101112000;;"RE";"";"";1001;1;20260101;4;20260101;20260131;"Januar";"";1;0;0;"EUR"',
      'Umsatz;Soll/Haben-Kennzeichen;WKZ Umsatz;Konto;Gegenkonto;Belegdatum;Belegfeld 1;Buchungstext',
      '100,00;"S";"EUR";1200;8400;1401;"RE1";"Verkauf"',
      '50,00;"H";"EUR";1200;4210;0102;"RE2";"Miete"',
    ),
  );
  expect(statement.lines.map(({ day }) => new Date(day * 86_400_000).toISOString().slice(0, 10))).toEqual(['2026-01-14', '2026-02-01']);
  expect(codesOf(statement)).toEqual(['year_from_file']);
});

it('lines of dashes around a list are no rows of it', () => {
  const statement = statementOf(
    lines(
      '----------------------------------------------',
      '|Doc. Date |Amount in local cur.|LCurr|Text |',
      '----------------------------------------------',
      '|14.01.2026|            100,00 |EUR  |Ann  |',
      '|15.01.2026|             20,00-|EUR  |Shop |',
      '----------------------------------------------',
      '|          |             80,00 |EUR  |     |',
      '----------------------------------------------',
    ),
  );
  expect(statement.lines.map(({ description }) => description)).toEqual(['Ann', 'Shop']);
  expect(summaryOf(statement)).toEqual(['2026-01-14 10000 EUR', '2026-01-15 -2000 EUR']);
  expect(codesOf(statement)).toEqual(['total_rows', 'text_rows']);
});

it('net debits and credits of a settlement are money out and in, in the currency beside them', () => {
  const statement = statementOf(
    lines(
      'Merchant Account,Psp Reference,Creation Date,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC)',
      'Mer,88350001,2026-01-14 10:11:12,Settled,SEK,,1100.00,11,EUR,,98.50,1.50',
      'Mer,88350002,2026-01-15 10:11:12,Refunded,SEK,220.00,,11,EUR,20.10,,0.10',
      'Mer,,2026-01-16 10:11:12,MerchantPayout,,,,,EUR,78.40,,',
    ),
  );
  expect(summaryOf(statement)).toEqual(['2026-01-14 9850 EUR', '2026-01-15 -2010 EUR', '2026-01-16 -7840 EUR']);
  expect(codesOf(statement)).toEqual([]);
});

it('a price is never taken for the amount', () => {
  const statement = statementOf(
    lines(
      'ID,Timestamp,Transaction Type,Asset,Quantity,Price Currency,Price at Transaction,Total (inclusive of fees),Notes',
      '1,2026-01-14 10:11:12 UTC,Buy,XAU,0.12,USD,$90.00,$12.10,Bought',
      '2,2026-01-15 10:11:12 UTC,Sell,XAU,-0.10,USD,$80.00,$8.01,Sold',
    ),
  );
  expect(statement.lines.map(({ amountMinor }) => amountMinor)).toEqual([1210, 801]);
});

it('a ledger that names its sides "Amount (Debit)" and "Amount (Credit)" is proved by its balances', () => {
  const statement = statementOf(
    lines(
      'Type,Date,Document Number,Memo,Amount (Debit),Amount (Credit),Balance',
      'Payment,1/14/2026,P1,Inv 1,$100.00,,$100.00',
      'Check,1/15/2026,C1,Supplies,,$20.00,$80.00',
      'Check,1/16/2026,C2,Rent,,$50.00,$30.00',
      'Total - 1000 Cash,,,,$100.00,$70.00,$30.00',
    ),
  );
  expect(statement).toMatchObject({
    proof: 'proved',
    literalDebitCredit: true,
    openingBalanceMinor: 0,
    closingBalanceMinor: -3000,
    rejectedRows: 0,
  });
});

it('signs opposite to every word beside them invert nothing, and get a note', () => {
  const statement = statementOf(
    lines(
      'Posting Date;Document Number;Debit/Credit ind;Amount in document currency;Document currency;Amount in local currency;Local Currency;Text',
      '14.01.2026;100000001;S;110,00;USD;100,00;EUR;Ann',
      '15.01.2026;100000002;H;-22,00;USD;-20,00;EUR;Shop',
    ),
  );
  expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-01-14 -11000 USD', '2026-01-15 2200 USD'], ['signs_assumed']]);
});

it('the net amount stays the amount beside fees and taxes', () => {
  const statement = statementOf(
    lines(
      'Date,Type,Title,Currency,Amount,"Fees & Taxes",Net',
      '"January 14, 2026",Sale,Payment for an order,USD,$100.00,--,$100.00',
      '"January 14, 2026",Fee,Transaction fee,USD,--,-$6.50,-$6.50',
    ),
  );
  expect(summaryOf(statement)).toEqual(['2026-01-14 10000 USD', '2026-01-14 -650 USD']);
});

it('a time after a semicolon is ignored', () => {
  expect(
    summaryOf(statementOf(lines('Date/Time,Details,Amount', '20260114;202000,Dividend,12.50', '20260115,Fee,-1.25'), { currency: 'USD' })),
  ).toEqual(['2026-01-14 1250 USD', '2026-01-15 -125 USD']);
});
