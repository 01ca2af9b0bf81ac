import { expect, it } from 'vitest';
import { lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

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
