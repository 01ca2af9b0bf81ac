import { describe, expect, it } from 'vitest';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** Balances and turnovers stand among the transactions, with a date, an amount and a direction as these have. */
it.each([
  ['Kuupäev;Selgitus;Summa;Valuuta;Deebet/Kreedit', 'Algsaldo', 'Käive', 'lõppsaldo'],
  ['Datums;Informācija saņēmējam;Summa;Valūta;Debets/Kredīts', 'Sākuma atlikums', 'Apgrozījums', 'Beigu atlikums'],
  ['Data;Paaiškinimai;Suma;Valiuta;D/K', 'Likutis pradžiai', 'Apyvarta', 'Likutis pabaigai'],
])('%s', (header, opening, turnover, closing) => {
  const statement = statementOf(
    lines(
      header,
      `01.01.2026;${opening};100,00;EUR;K`,
      '13.01.2026;Shop;12,50;EUR;D',
      '14.01.2026;Ann;50,00;EUR;K',
      '15.01.2026;Bob;1,00;EUR;K',
      `31.01.2026;${turnover};12,50;EUR;D`,
      `31.01.2026;${turnover};51,00;EUR;K`,
      `31.01.2026;${closing};138,50;EUR;K`,
    ),
  );
  expect(summaryOf(statement)).toEqual(['2026-01-13 -1250 EUR', '2026-01-14 5000 EUR', '2026-01-15 100 EUR']);
  expect([statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([10_000, 13_850]);
});

it('a currency behind an amount paid elsewhere is not that of amounts that name their own', () => {
  const statement = statementOf(
    lines('Дата;Сума в валюті картки (UAH);Сума в валюті операції;Валюта', '17.01.2026;-1012,50;-25,00;USD', '16.01.2026;50,00;50,00;UAH'),
  );
  expect(summaryOf(statement)).toEqual(['2026-01-17 -101250 UAH', '2026-01-16 5000 UAH']);
});

it('deposits are money in', () => {
  const statement = statementOf(lines('FECHA,CONCEPTO,RETIROS,DEPÓSITOS', '15/ENE/2026,a,12.50,', '16/ENE/2026,b,,50.00'), {
    currency: 'MXN',
  });
  expect(summaryOf(statement)).toEqual(['2026-01-15 -1250 MXN', '2026-01-16 5000 MXN']);
});

it('the day of the export, the same in each row, is not that of the transactions', () => {
  const statement = statementOf(lines('20251231,15/01/2026,a,-12.50', '20251231,16/01/2026,b,50.00', '20251231,17/01/2026,c,1.00'), {
    currency: 'EUR',
  });
  expect(summaryOf(statement).map((line) => line.slice(0, 10))).toEqual(['2026-01-15', '2026-01-16', '2026-01-17']);
});

describe('found once: rows that were never booked read', () => {
  const gbp = { currency: 'GBP' };

  /** Wallets list payments that were declined or turned back: they were imported as if money had moved. */
  it.each(['DECLINED', 'Failed', 'reverted', 'Abgelehnt', 'Rechazada', 'Geannuleerd'])(
    'a row that is %s is no transaction, with a note',
    (status) => {
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
    },
  );

  it.each([
    ['Date,Description,Amount', 'Pending,Shop,-10.00', '06/15/2026,Taxi,-9.00', '06/14/2026,Wages,50.00'],
    ['Buchungstag;Text;Betrag', 'vorgemerkt;Shop;-10,00', '15.06.2026;Taxi;-9,00', '14.06.2026;Wages;50,00'],
    ['Date,Description,Amount,Status', ',Shop,-10.00,Pending', '06/15/2026,Taxi,-9.00,Posted', '06/14/2026,Wages,50.00,Posted'],
  ])('a row of %s without a day is left out until the bank books it', (...rows) => {
    const statement = statementOf(lines(...rows), gbp);
    expect(summaryOf(statement)).toEqual(['2026-06-15 -900 GBP', '2026-06-14 5000 GBP']);
    expect(statement).toMatchObject({ rejectedRows: 0, problems: [{ row: 2, code: 'pending_rows_left_out', severity: 'note' }] });
  });

  it('a pending row with its day is left out, and dated totals do not count rows that were never booked', () => {
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
});
