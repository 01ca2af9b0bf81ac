import { expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const gbp = { currency: 'GBP' };

/** Wallets list payments that were declined or turned back: they were imported as if money had moved. */
it.each(['DECLINED', 'Failed', 'reverted', 'Abgelehnt', 'Rechazada', 'Geannuleerd'])('a row that is %s is none, and says so', (status) => {
  const statement = statementOf(
    lines(
      'Date,Description,Amount,State,Balance',
      '2026-06-01,Shop,-10.00,COMPLETED,90.00',
      `2026-06-02,Taxi,-99.00,${status},`,
      '2026-06-03,Wages,50.00,COMPLETED,140.00',
      '2026-06-04,Rent,-40.00,COMPLETED,100.00',
    ),
    gbp,
  );
  expect(summaryOf(statement)).toEqual(['2026-06-01 -1000 GBP', '2026-06-03 5000 GBP', '2026-06-04 -4000 GBP']);
  expect(statement).toMatchObject({ proof: 'proved', rejectedRows: 1, openingBalanceMinor: 10_000, closingBalanceMinor: 10_000 });
  expect(statement.balances).toHaveLength(2);
  expect(statement.problems).toMatchObject([{ row: 3, column: 'State', code: 'not_booked', severity: 'rejected' }]);
  expect(statement.problems[0]?.message).toContain(`never booked: it says "${status}"`);
});

it.each([
  ['Date,Description,Amount', 'Pending,Shop,-10.00', '06/15/2026,Taxi,-9.00', '06/14/2026,Wages,50.00'],
  ['Buchungstag;Text;Betrag', 'vorgemerkt;Shop;-10,00', '15.06.2026;Taxi;-9,00', '14.06.2026;Wages;50,00'],
  ['Date,Description,Amount,Status', ',Shop,-10.00,Pending', '06/15/2026,Taxi,-9.00,Posted', '06/14/2026,Wages,50.00,Posted'],
])('a row of %s without a day is left out until the bank has booked it', (...rows) => {
  const statement = statementOf(lines(...rows), gbp);
  expect(summaryOf(statement)).toEqual(['2026-06-15 -900 GBP', '2026-06-14 5000 GBP']);
  expect(statement).toMatchObject({ rejectedRows: 0, problems: [{ row: 2, code: 'pending_rows_left_out', severity: 'note' }] });
});

it('a row that waits and has its day is left out, and dated totals do not count what was never booked', () => {
  const waiting = statementOf(lines('Date,Amount,Status', '2026-06-01,-1.00,Pending', '2026-06-02,2.00,Completed'), gbp);
  expect(waiting.lines).toHaveLength(1);
  const totals = statementOf(
    lines(
      'Date,Details,Amount,Status',
      '2026-06-01,Shop,-1.00,Completed',
      '2026-06-02,Shop,-5.00,Declined',
      '2026-06-03,Bus,-2.00,Completed',
      '2026-06-30,Total debits,-3.00,',
    ),
    gbp,
  );
  expect([summaryOf(totals), codesOf(totals)]).toEqual([
    ['2026-06-01 -100 GBP', '2026-06-03 -200 GBP'],
    ['total_rows', 'not_booked'],
  ]);
});
