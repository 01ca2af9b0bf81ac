import { describe, expect, it } from 'vitest';
import { readLarge } from '../../../../src-main/domain/statement/read.ts';
import { codesOf, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const page = (rows: string): string =>
  `<html><head><meta charset="utf-8"><style>td > b { color: red }</style><script>if (1 < 2) document.write('<tr><td>x</td></tr>')</script></head>\n<body><!-- <tr><td>15.01.2026</td></tr> -->${rows}</body></html>`;
const row = (...cells: readonly string[]): string => `<TR>${cells.map((cell) => `<TD class="a">${cell}</TD>`).join('\n  ')}</TR>`;

/** Many banks give pages that they call `.xls`; they were refused as if a sign-in page had been saved. */
describe('tables of a web page', () => {
  it('are read as the table that they show', () => {
    const statement = statementOf(
      page(
        `<table><tr><td colspan="4">Konto: <b>DE12</b></td></tr><tr><th>Datum</th><th>Buchung</th><th>Betrag in&nbsp;EUR</th><th>Saldo</th></tr>` +
          `${row('15.01.2026', 'M&uuml;ller &amp; S&ouml;hne<br>Rechnung&#32;7', '-12,50', '87,50')}${row('16.01.2026', 'Ann', '1.050,00&euro;', '1.137,50')}` +
          `${row('17.01.2026', 'Gas', '<font color=red>-7,50</font>', '1.130,00')}</table>`,
      ),
    );
    expect([statement.format, statement.proof, statement.currency]).toEqual(['html', 'proved', 'EUR']);
    expect(summaryOf(statement)).toEqual(['2026-01-15 -1250 EUR', '2026-01-16 105000 EUR', '2026-01-17 -750 EUR']);
    expect(statement.lines[0]).toMatchObject({ row: 3, description: 'Müller & Söhne Rechnung 7' });
  });

  it('may lie in others, cover several rows and lack their ends', () => {
    const statement = statementOf(
      page(
        '<table><tr><td>Menu<td><table><tr><th rowspan=2>Date<th rowspan=2>Text<th colspan=2>Amount<tr><th>Paid out<th>Paid in' +
          '<tr><td>2026-01-15<td>Shop<td>12.50<td><tr><td>2026-01-16<td>Ann<td><td>50.00</table></table>',
      ),
      { currency: 'GBP' },
    );
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-01-15 -1250 GBP', '2026-01-16 5000 GBP'], []]);
  });

  it('are read again by their recipe, whole, and have no sheets', () => {
    const text = page(`<table>${row('Date', 'Amount')}${row('2026-01-15', '-1.00')}${row('2026-01-16', '2.00')}</table>`);
    const recipe = statementOf(text, { currency: 'GBP' }).table?.recipe;
    if (recipe === undefined) throw new Error('no recipe');
    expect(summaryOf(statementOf(text, { currency: 'GBP', recipe }))).toHaveLength(2);
    const bytes = new TextEncoder().encode(text);
    const source = { byteLength: bytes.length, head: bytes, *stretches() {} };
    expect(readLarge(source, { filename: 'a.xls', currency: null }, { onProgress: () => undefined, isCancelled: () => false })).toEqual({
      ok: true,
      value: null,
    });
    expect(readText(text, { table: { sheet: 'A' } })).toMatchObject({ ok: false, error: { code: 'no_such_sheet' } });
  });

  it.each(['Sign in', '<table><tr><td>User<td>Password</table>', '<table><tr><td>15.01.2026<td>News</table>'])(
    '%s is no statement',
    (text) => {
      const read = readText(page(text));
      expect(read.ok ? [] : [read.error.code, read.error.message]).toEqual(['not_csv', expect.stringContaining('a web page')]);
    },
  );

  it('of a hostile page take no longer than its length', () => {
    for (const part of ['<script>', '<!--', '<td rowspan=9999 colspan=9999>', '&#x', '<', '<table><tr><td>', '<div><b>'])
      expect(readText(`<html>${part.repeat(20_000)}`).ok).toBe(false);
    const covering = `<tr><td rowspan=1000 colspan=1000>${'<tr><td>'.repeat(999)}`;
    expect(readText(`<html><table>${covering.repeat(100)}`).ok).toBe(false);
  });
});

it('a column of zeros is no column of amounts beside one with others', () => {
  const statement = statementOf(
    'Payout Date,Status,Adjustments,Retried Amount,Total,Currency\n2026-01-15,paid,0.00,0.00,87.00,USD\n2026-01-16,paid,0.00,0.00,48.50,USD\n',
  );
  expect(summaryOf(statement)).toEqual(['2026-01-15 8700 USD', '2026-01-16 4850 USD']);
  expect(summaryOf(statementOf('Date,Amount\n2026-01-15,0.00\n2026-01-16,0.00\n', { currency: 'USD' }))).toHaveLength(2);
});
