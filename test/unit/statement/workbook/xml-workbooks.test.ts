import { describe, expect, it } from 'vitest';
import { readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const cell = (type: string, text: string, attributes = ''): string => `<Cell ${attributes}><Data ss:Type="${type}">${text}</Data></Cell>`;
const row = (cells: readonly string[], attributes = ''): string => `<Row ${attributes}>${cells.join('')}</Row>`;
const header = row(['Date', 'Text', 'Amount', 'Currency'].map((text) => cell('String', text)));
const sheet = (name: string, rows: readonly string[], options = ''): string =>
  `<Worksheet ss:Name="${name}"><Table>${rows.join('')}</Table>${options}</Worksheet>`;
const workbook = (...sheets: readonly string[]): string =>
  `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles/>${sheets.join('')}</Workbook>`;
const first = row([
  cell('DateTime', '2026-06-02T00:00:00.000'),
  cell('String', 'A &amp; <B>b</B>'),
  cell('Number', '-1234.5'),
  cell('String', 'EUR'),
]);

describe('a workbook in XML', () => {
  it('is read with its typed cells, and places that are left out', () => {
    const second = row([cell('String', '03/06/2026'), cell('Number', '7', 'ss:Index="3"'), cell('String', 'EUR')], 'ss:Index="5"');
    const statement = statementOf(workbook(sheet('Lines', [header, first, second])), { filename: 'statement.xls' });
    expect([statement.format, ...summaryOf(statement)]).toEqual(['xls', '2026-06-02 -123450 EUR', '2026-06-03 700 EUR']);
    expect(statement.lines.map(({ row: line, description }) => [line, description])).toEqual([
      [2, 'A & b'],
      [5, null],
    ]);
  });

  it('has sheets of which the first with transactions is read, hidden ones last', () => {
    const hidden = '<WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions>';
    const other = row([cell('DateTime', '2026-06-09'), cell('String', 'C'), cell('Number', '1'), cell('String', 'EUR')]);
    const statement = statementOf(
      workbook(sheet('Old', [header, other], hidden), sheet('About', [row([cell('String', 'x')])]), sheet('Lines', [header, first])),
    );
    expect(statement.table?.sheet?.name).toBe('Lines');
    expect(summaryOf(statement)).toEqual(['2026-06-02 -123450 EUR']);
  });

  it('is refused with a document type, cut off, or with a cell far to the right', () => {
    const typed = readText(workbook(sheet('A', [header])).replace('<Workbook', '<!DOCTYPE x><Workbook'));
    expect(typed).toMatchObject({ ok: false, error: { code: 'unreadable_xml' } });
    expect(readText(workbook(sheet('A', [header, first])).slice(0, -30))).toMatchObject({ ok: false, error: { code: 'unreadable_xml' } });
    const far = row([cell('String', 'x', 'ss:Index="999999999"')]);
    expect(readText(workbook(sheet('A', [header, far])))).toMatchObject({ ok: false, error: { code: 'too_large' } });
  });
});
