import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../../src-main/domain/statement/columns/recipe.ts';
import type { KnownRecipe, ReadOptions, TableRecipe } from '../../../../src-main/domain/statement/model/read-options.ts';
import type { Statement, Unreadable } from '../../../../src-main/domain/statement/model/statement.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { codesOf, readText, statementOf } from '../../../support/inputs/statements.ts';
import { type Cells, workbook } from '../../../support/inputs/workbooks.ts';
import { workbookParts, zipOf } from '../../../support/inputs/zips.ts';

const HEADER = ['Date', 'Details', 'Amount'];
const table = (text: string, rows = 1): Cells => [HEADER, ...Array.from({ length: rows }, (_, index) => ['2026-06-01', text, index + 1])];
const COVER: Cells = [['Bank of Somewhere'], ['Statements of the half-year']];
const EUR = { currency: 'EUR' };

const textsOf = (statement: Statement) => statement.lines.map(({ description }) => description);
const sheetsOf = ({ table: read }: Statement) => read?.sheet?.all.map(({ name, rows, isHidden, isRead }) => [name, rows, isHidden, isRead]);
const read = (bytes: Uint8Array, options: Partial<ReadOptions> = {}) => statementOf(bytes, { ...EUR, ...options });
function refusalOf(bytes: Uint8Array, options: Partial<ReadOptions>): Unreadable {
  const answer = readText(bytes, { ...EUR, ...options });
  if (answer.ok) throw new Error('it was read');
  return answer.error;
}
const noteOf = (statement: Statement, wanted: string) => statement.problems.find(({ code }) => code === wanted)?.message;

const SEVERAL = workbook({ Cover: COVER, June: table('June'), July: table('July', 3), Empty: [] });

describe.each(['xlsx', 'biff8'] as const)('the sheets of a workbook (%s)', (type) => {
  const sheets = { Cover: COVER, Old: table('Old', 2), June: table('June'), Empty: [] };

  it('are listed with their rows and whether they are hidden; a visible one has precedence', () => {
    const statement = read(workbook(sheets, { type, hidden: ['Old'] }));
    expect(sheetsOf(statement)).toEqual([
      ['Cover', 2, false, false],
      ['Old', 3, true, false],
      ['June', 2, false, true],
      ['Empty', 0, false, false],
    ]);
    expect([textsOf(statement), statement.table?.recipe.sheet]).toEqual([['June'], null]);
    expect(noteOf(statement, 'sheets_left_out')).toBe(
      'The sheet "June" was read; "Old" (hidden) holds transactions as well. Choose that sheet to read it instead.',
    );
  });

  it('that are hidden are read where no other one holds transactions, with a note', () => {
    const statement = read(workbook(sheets, { type, hidden: ['Old', 'June'] }));
    expect(textsOf(statement)).toEqual(['Old', 'Old']);
    expect(noteOf(statement, 'sheet_hidden')).toBe('The sheet "Old", which was read, is hidden in the workbook. Check that it is the one.');
  });
});

describe('a sheet that a person names', () => {
  it('is read, whatever the case of its name, and is part of the recipe; the others get no note', () => {
    const statement = read(SEVERAL, { table: { sheet: 'jULY' } });
    expect([textsOf(statement), codesOf(statement), statement.table?.recipe.sheet]).toEqual([
      ['July', 'July', 'July'],
      ['signs_assumed'],
      'July',
    ]);
    expect(sheetsOf(statement)?.map(([name, , , isRead]) => [name, isRead])).toContainEqual(['July', true]);
  });

  it('may have a title above its table, and its header set by hand', () => {
    const titled = workbook({
      June: table('June'),
      July: [['My bank'], [], ['Opening balance', '', 4], HEADER, ['2026-07-01', 'Tea', -1]],
    });
    const statement = read(titled, { table: { sheet: 'July' } });
    expect([textsOf(statement), statement.dialect.headerRow, statement.lines[0]?.row]).toEqual([['Tea'], 4, 5]);
    expect(read(titled, { table: { sheet: 'July', header_row: 4 } }).dialect.headerRow).toBe(4);
  });

  it.each([
    [
      { sheet: 'August' },
      'no_such_sheet',
      'The workbook has no sheet "August". Choose one of those it has: "Cover", "June", "July", "Empty".',
    ],
    [{ sheet: 'Empty' }, 'empty_file', 'The sheet "Empty" has no filled cells. Choose the one with the statement.'],
    [{ sheet: 'Cover' }, 'not_csv', expect.stringContaining('no row holds a date and an amount')],
  ])('%o is refused with a list of the sheets', (byHand, code, message) => {
    const refusal = refusalOf(SEVERAL, { table: byHand });
    expect(refusal).toMatchObject({ code, message });
    expect(refusal.sheets?.map(({ name, isRead }) => [name, isRead])).toEqual([
      ['Cover', byHand.sheet === 'Cover'],
      ['June', false],
      ['July', false],
      ['Empty', false],
    ]);
  });

  it('of a file that is no workbook is refused', () => {
    const refusal = refusalOf(new TextEncoder().encode('Date,Text,Amount\n2026-06-01,Rent,-9.00\n'), { table: { sheet: 'June' } });
    expect(refusal).toMatchObject({
      code: 'no_such_sheet',
      message: 'The file is no workbook, so it has no sheet "June". Leave the sheet out.',
    });
  });
});

const RECIPE: TableRecipe = { ...present(read(SEVERAL).table, 'table').recipe, sheet: 'July' };
const known = (recipe: TableRecipe, id = 1, isOfStream = false): KnownRecipe => ({
  id,
  fingerprint: fingerprintOf(recipe),
  recipe,
  isOfStream,
});
const MISSING = workbook({ Cover: COVER, June: table('June'), May: table('May') });

describe('a sheet that a recipe names', () => {
  it('is read, by a given recipe and by a kept one', () => {
    for (const options of [{ recipe: RECIPE }, { known: [known(RECIPE)] }]) {
      const statement = read(SEVERAL, options);
      expect([textsOf(statement)[0], statement.table?.recipe.sheet, statement.table?.sheet?.missing]).toEqual(['July', 'July', null]);
    }
  });

  it('is replaced by the first one with such a table where it is missing, with a note', () => {
    for (const options of [{ recipe: RECIPE }, { known: [known(RECIPE)] }]) {
      const statement = read(MISSING, options);
      expect([textsOf(statement), statement.table?.sheet?.missing, statement.table?.recipe.sheet]).toEqual([['June'], 'July', 'June']);
      expect(noteOf(statement, 'sheet_missing')).toBe(
        'The sheet "July", which the import profile reads, is not in this workbook; "June" was read in its place. Choose another sheet if that is not the one.',
      );
    }
  });

  it('is not replaced where it exists without such a table, except with a kept recipe, which notes it', () => {
    const other = workbook({
      July: [
        ['Day', 'What', 'Sum'],
        ['2026-07-01', 'Tea', 1],
      ],
      June: table('June'),
    });
    expect(refusalOf(other, { recipe: RECIPE }).code).toBe('recipe_does_not_fit');
    const statement = read(other, { known: [known(RECIPE)] });
    expect([textsOf(statement), statement.table?.followed]).toEqual([['June'], 1]);
    expect(noteOf(statement, 'sheet_missing')).toContain('"July", which the import profile reads, has no such table in this workbook;');
  });

  it('distinguishes recipes of one layout: those whose sheet exists come first, and those of the stream before others', () => {
    const june = known({ ...RECIPE, sheet: 'June' }, 2);
    expect(read(SEVERAL, { known: [june, known(RECIPE)] }).table).toMatchObject({ followed: 2, sheet: { name: 'June' } });
    expect(read(MISSING, { known: [known(RECIPE), june] }).table).toMatchObject({ followed: 2, sheet: { name: 'June', missing: null } });
    expect(read(MISSING, { known: [known(RECIPE, 1, true), june] }).table).toMatchObject({ followed: 1, sheet: { missing: 'July' } });
  });

  it('is ignored for a file that is no workbook, and stays in the recipe', () => {
    const statement = read(new TextEncoder().encode('Date,Details,Amount\n2026-06-01,Rent,-9.00\n'), { recipe: RECIPE });
    expect([textsOf(statement), statement.table?.recipe.sheet, codesOf(statement)]).toEqual([['Rent'], 'July', []]);
  });
});

it('a recipe that names no sheet finds its table in whichever sheet it is', () => {
  const recipe: TableRecipe = {
    ...RECIPE,
    sheet: null,
    columns: [
      { header: 'Tag', role: 'date' },
      { header: 'Was', role: 'description' },
      { header: 'Wert', role: 'amount' },
    ],
  };
  const bytes = workbook({
    June: table('June'),
    Notes: [
      ['Tag', 'Was', 'Wert'],
      ['2026-06-09', 'Own', 1],
    ],
  });
  for (const options of [{ recipe }, { known: [known(recipe)] }]) {
    const statement = read(bytes, options);
    expect([textsOf(statement), statement.table?.recipe.sheet]).toEqual([['Own'], null]);
  }
});

it('a sheet that cannot be read is listed as such, and refused when it is named', () => {
  const parts = workbookParts({ workbook: '<sheet name="Lost" sheetId="2" r:id="rId9"/>' });
  const statement = read(zipOf(parts));
  expect([sheetsOf(statement)?.[1], codesOf(statement)]).toEqual([['Lost', null, false, false], ['sheets_damaged']]);
  expect(refusalOf(zipOf(parts), { table: { sheet: 'Lost' } })).toMatchObject({
    code: 'unreadable_workbook',
    message: 'The sheet "Lost" cannot be read. Save the workbook again, or choose another sheet.',
  });
});

describe('found once: chart sheet called damaged', () => {
  it('a chart is no sheet, and is not reported as damaged', () => {
    const chart = '<sheet name="Chart" sheetId="2" r:id="rId3"/>';
    const relation =
      '<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet" Target="chartsheets/sheet1.xml"/>';
    const parts = workbookParts({ workbook: chart }).map((part) =>
      part.name.endsWith('workbook.xml.rels')
        ? { ...part, content: String(part.content).replace('</Relationships>', `${relation}$&`) }
        : part,
    );
    const statement = statementOf(
      zipOf([...parts, { name: 'xl/chartsheets/sheet1.xml', content: '<chartsheet><drawing/></chartsheet>' }]),
      {
        currency: 'EUR',
      },
    );
    expect([statement.table?.sheet?.all.map(({ name }) => name), codesOf(statement)]).toEqual([['June'], []]);
  });
});
