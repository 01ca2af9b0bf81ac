import { describe, expect, it } from 'vitest';
import { codesOf, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { workbookParts, zipOf } from '../../../support/inputs/zips.ts';

const GBP = { currency: 'GBP' };

describe('a table that is cut off in its last row', () => {
  const header = 'Date,Amount,Description,Reference\n';
  const rows = '2026-06-01,-10.00,Rent,R1\n2026-06-02,-12.50,Shop,R2\n';
  const torn = (last: string, text = header + rows): unknown => {
    const statement = statementOf(text + last, GBP);
    return [statement.lines.length, statement.problems.map(({ row, column, code }) => [row, column, code])];
  };

  it('names the row and the column in which it is cut off, and does not take it', () => {
    expect(torn('2026-06-03,15.00,Sa')).toEqual([2, [[4, 'Description', 'cut_off_row']]]);
    expect(torn('2026-06-03,15')).toEqual([2, [[4, 'Amount', 'cut_off_row']]]);
    expect(torn('2026-06-0')).toEqual([2, [[4, 'Date', 'cut_off_row']]]);
  });

  it('sees an amount without the decimals that all others have', () => {
    const text = 'Date,Description,Amount\n2026-06-01,Rent,-10.00\n2026-06-02,Shop,-12.50\n';
    expect(torn('2026-06-03,Salary,15', text)).toEqual([2, [[4, 'Amount', 'cut_off_row']]]);
    expect(statementOf(`${text}2026-06-03,Salary,15`, GBP).problems[0]?.message).toContain(
      'its last cell is "15", and every other amount has decimals',
    );
  });

  it('is whole where its last row is like the others, ends with its line, or is shorter as others are', () => {
    expect(torn('2026-06-03,15.00,Salary,R3')).toEqual([3, []]);
    expect(torn('2026-06-03,15.00,Salary\n')).toEqual([3, []]);
    expect(torn('2026-06-03,15.00', `${header}2026-06-01,-10.00,Rent,R1\n2026-06-02,-12.50\n`)).toEqual([3, []]);
    expect(torn('2026-06-03,x,15', 'Date,Description,Amount\n2026-06-01,Rent,-10\n2026-06-02,Shop,-12.50\n')).toEqual([3, []]);
  });
});

describe('formulas of a workbook', () => {
  const sheet = (amount: string): Uint8Array => {
    const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = `<row r="1">${['Date', 'Details', 'Amount'].map(text).join('')}</row><row r="2">${text('2026-06-01')}${text('Rent')}<c><v>2</v></c></row>`;
    return zipOf(workbookParts({ sheet: `<sheetData>${rows}<row r="3">${text('2026-06-02')}${text('Tea')}${amount}</row></sheetData>` }));
  };

  it('are read by the results that are saved with them', () => {
    const statement = statementOf(sheet('<c><f>1+1</f><v>3.5</v></c>'), GBP);
    expect([summaryOf(statement), codesOf(statement)]).toEqual([['2026-06-01 200 GBP', '2026-06-02 350 GBP'], ['signs_assumed']]);
  });

  it.each([
    ['<c><f>SUM(A1:A2)</f></c>', 'formula_without_result', '"=SUM(A1:A2)" in row 3, column Amount, is a formula whose result'],
    ['<c t="n"><f>SUM(A1:A2)</f><v></v></c>', 'formula_without_result', '"=SUM(A1:A2)" in row 3'],
    ['<c><f t="shared" si="0"/></c>', 'formula_without_result', '"=…" in row 3'],
    ['<c t="e"><f>A9</f><v>#REF!</v></c>', 'formula_error', '"#REF!" in row 3, column Amount, is the error of a formula.'],
    ['<c t="e"><v>#DIV/0!</v></c>', 'formula_error', '"#DIV/0!" in row 3'],
  ])('%s is named', (amount, code, words) => {
    const { lines, problems } = statementOf(sheet(amount), GBP);
    expect([lines.length, problems]).toMatchObject([
      1,
      [
        { code: 'signs_assumed', severity: 'note' },
        { row: 3, column: 'Amount', code, severity: 'rejected' },
      ],
    ]);
    expect(problems[1]?.message).toContain(words);
  });

  it('are named in a table as text too', () => {
    const { problems } = statementOf('Date,Amount\n2026-06-01,1.00\n=TODAY(),2.00\n2026-06-02,=A1+1\n', GBP);
    expect(problems).toMatchObject([
      { code: 'signs_assumed', severity: 'note' },
      { row: 3, column: 'Date', code: 'formula_without_result' },
      { row: 4, column: 'Amount', code: 'formula_without_result' },
    ]);
  });
});

describe('document types', () => {
  const ofx = (declared: string): string =>
    `<?xml version="1.0"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n${declared}\n<OFX><STMTRS><CURDEF>EUR</CURDEF><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260602</DTPOSTED><TRNAMT>-1.50</TRNAMT><FITID>a</FITID><NAME>B &xxe;</NAME></STMTTRN></BANKTRANLIST></STMTRS></OFX>\n`;

  it('that declare entities are refused in OFX; others are ignored with a note', () => {
    const refused = readText(ofx('<!DOCTYPE OFX [<!ENTITY xxe SYSTEM "file:///etc/passwd">]>'));
    expect(refused).toMatchObject({ ok: false, error: { code: 'unreadable_xml', row: 3 } });
    const read = statementOf(ofx('<!DOCTYPE OFX SYSTEM "http://127.0.0.1:9/ofx.dtd">'));
    expect([read.lines[0]?.description, codesOf(read)]).toEqual(['B &xxe;', ['document_type_ignored']]);
  });
});
