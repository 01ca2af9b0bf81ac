import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { fingerprintOf } from '../../../../src-main/domain/statement/columns/recipe.ts';
import { namesOf } from '../../../../src-main/domain/statement/columns/table-columns.ts';
import { dedupeKeys, DedupeKeys } from '../../../../src-main/domain/statement/duplicates/duplicates.ts';
import type { TableRecipe } from '../../../../src-main/domain/statement/model/read-options.ts';
import { readLarge } from '../../../../src-main/domain/statement/read.ts';
import { importRecipe } from '../../../../src-shared/contract/imports/import-recipes.ts';
import type { ColumnRole } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { codesOf, lines, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';
import { workbook } from '../../../support/inputs/workbooks.ts';

const EUR = { currency: 'EUR' };
/** The second amount is that of another currency, the fourth and the last column have no name. */
const TWICE = lines(
  'Date,Amount,Text,,Amount,Text,',
  '2026-06-01,-9.00,Rent,a,-10.00,June,x',
  '2026-06-02,-1.50,Tea,b,-2.00,Shop,',
  '2026-06-03,4.00,Pay,,5.00,Firm,z',
);
const ROWS = TWICE.split('\n').slice(1).join('\n');

function withRoles(recipe: TableRecipe, ...roles: readonly ColumnRole[]): TableRecipe {
  return { ...recipe, columns: recipe.columns.map((column, index) => ({ ...column, role: roles[index] ?? 'metadata' })) };
}
const recipeOf = (text: string): TableRecipe => present(statementOf(text, EUR).table, 'table').recipe;

describe('columns of equal headers, or of none', () => {
  const statement = statementOf(TWICE, EUR);

  it('have names of their own, and fields by their places', () => {
    expect(statement.columns.map(({ header, name, role, field }) => [header, name, role, field])).toEqual([
      ['Date', 'Date', 'date', 'date'],
      ['Amount', 'Amount (column 2)', 'amount', 'amount'],
      ['Text', 'Text (column 3)', 'description', 'description'],
      ['Column 4', 'Column 4', 'metadata', 'metadata.column_4'],
      ['Amount', 'Amount (column 5)', 'metadata', 'metadata.amount_2'],
      ['Text', 'Text (column 6)', 'metadata', 'metadata.text_2'],
      ['Column 7', 'Column 7', 'metadata', 'metadata.column_7'],
    ]);
    expect(statement.lines[0]?.metadata).toEqual({ column_4: 'a', amount_2: '-10.00', text_2: 'June', column_7: 'x' });
  });

  it('keep their roles where a person changes those of others', () => {
    const other = withRoles(recipeOf(TWICE), 'date', 'metadata', 'metadata', 'ignored', 'amount', 'description');
    const read = statementOf(TWICE, { ...EUR, recipe: other });
    expect(summaryOf(read)).toEqual(['2026-06-01 -1000 EUR', '2026-06-02 -200 EUR', '2026-06-03 500 EUR']);
    expect([read.lines[0]?.description, read.lines[0]?.metadata]).toEqual(['June', { amount: '-9.00', text: 'Rent', column_7: 'x' }]);
  });

  it('are distinguished in problems of a row', () => {
    const broken = TWICE.replace('-1.50', 'oops');
    expect(statementOf(broken, EUR).problems).toContainEqual(
      expect.objectContaining({
        row: 3,
        column: 'Amount (column 2)',
        message: expect.stringContaining('row 3, column Amount (column 2), is not an amount'),
      }),
    );
  });

  it('are distinguished in a table that is not understood as well', () => {
    const read = readText(lines('When,What,What,', 'then,a,b,c', 'then,d,e,f'), { ...EUR, table: { header_row: 1 } });
    expect(read).toMatchObject({
      ok: false,
      error: {
        seen: {
          columns: [
            { header: 'When', name: 'When' },
            { header: 'What', name: 'What (column 2)' },
            { header: 'What', name: 'What (column 3)' },
            { header: '', name: 'Column 4' },
          ],
        },
      },
    });
  });

  it('are the same in a workbook, also where merged cells name only the first of them', () => {
    const bytes = workbook({
      June: [
        ['Date', 'Amount', '', 'Text', 'Text'],
        ['2026-06-01', -9, 'EUR', 'Rent', 'June'],
        ['2026-06-02', -1, 'EUR', 'Tea', 'Shop'],
      ],
    });
    const read = statementOf(bytes);
    expect([summaryOf(read)[0], read.lines[0]?.metadata]).toEqual(['2026-06-01 -900 EUR', { text_2: 'June' }]);
    expect(read.columns.map(({ name }) => name)).toEqual(['Date', 'Amount', 'Column 3', 'Text (column 4)', 'Text (column 5)']);
  });
});

describe('the recipe of such a table', () => {
  const recipe = recipeOf(TWICE);
  const swapped = withRoles(recipe, 'date', 'ignored', 'metadata', 'ignored', 'amount', 'description');

  it('holds by place: the next file of the layout is read by it, in whichever order its columns are filled', () => {
    expect(recipe.columns.map(({ header }) => header)).toEqual(['Date', 'Amount', 'Text', '', 'Amount', 'Text', '']);
    const known = [{ id: 4, fingerprint: fingerprintOf(swapped), recipe: swapped }];
    const next = statementOf(lines('Date,Amount,Text,,Amount,Text,', '2026-07-01,,Rent,,-10.00,July,'), { ...EUR, known });
    expect([next.table?.followed, summaryOf(next), next.lines[0]?.description]).toEqual([4, ['2026-07-01 -1000 EUR'], 'July']);
    expect(next.table?.recipe).toEqual(swapped);
  });

  it('is written and taken as JSON', () => {
    const whole = {
      schema: 'tieout-import-recipe',
      version: 1,
      name: 'Bank',
      ...swapped,
      currency: null,
      stream_key: null,
      bank_account: null,
    };
    const taken = importRecipe.parse(JSON.parse(JSON.stringify(whole)));
    expect(statementOf(TWICE, { ...EUR, recipe: taken }).lines).toEqual(statementOf(TWICE, { ...EUR, recipe: swapped }).lines);
  });

  it.each([
    ['one of them stands elsewhere', 'Date,Amount,Text,Amount,,Text,'],
    ['there is one less', 'Date,Amount,Text,,Amount,,'],
    ['one more', 'Date,Amount,Text,Text,Amount,Text,'],
  ])('is of another layout where %s', (_what, header) => {
    const other = recipeOf(`${header}\n${ROWS}`);
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(recipe));
  });

  it('accepts cells below empty headers at the end, which its own file did not have', () => {
    const narrow = recipeOf(lines('Date,Amount,Text', '2026-06-01,-9.00,Rent', '2026-06-02,-1.50,Tea'));
    const read = statementOf(lines('Date,Amount,Text,,', '2026-07-01,-9.00,Rent,x,', '2026-07-02,-1.50,Tea,,y'), {
      ...EUR,
      recipe: narrow,
    });
    expect([read.rejectedRows, read.lines.map(({ metadata }) => metadata)]).toEqual([0, [{ column_4: 'x' }, { column_5: 'y' }]]);
  });
});

it('a file that is read in stretches distinguishes them too, and its lines have the same keys', () => {
  const bytes = new TextEncoder().encode(TWICE);
  const source = { byteLength: bytes.length, head: bytes.slice(0, 60), stretches: () => [bytes.slice(0, 50), bytes.slice(50)] };
  const quiet = { onProgress: (): void => undefined, isCancelled: (): boolean => false };
  const large = readLarge(source, { filename: 'a.csv', ...EUR }, quiet);
  const keys = new DedupeKeys();
  const found: string[] = [];
  const read =
    large.ok && large.value !== null
      ? large.value.read(quiet, (built) => found.push(...built.flatMap(({ line }) => (line === null ? [] : [keys.next(line)]))))
      : large;
  const whole = statementOf(TWICE, EUR);
  expect(read).toMatchObject({ ok: true, value: { columns: whole.columns, lines: whole.lines, table: whole.table } });
  expect(found).toEqual(dedupeKeys(whole.lines));
});

it('a header of unknown words may name two columns alike', () => {
  const read = statementOf(lines('Tarih,Foo,Foo,Bedel', '2026-06-01,a,b,9.00', '2026-06-02,c,d,1.00'), EUR);
  expect([read.dialect.headerRow, codesOf(read), read.lines[0]?.description]).toEqual([1, ['signs_assumed'], 'a']);
});

test('no two columns are called alike, whatever their headers are', () => {
  const header = fc.oneof(
    fc.constantFrom('a', 'A', '', 'a (column 1)', 'a (column 2)', 'a (column 2) (column 2)', 'Column 3'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(header, { maxLength: 12 }), (headers) => {
      const names = namesOf(headers);
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(headers.length);
      for (const [index, name] of names.entries()) expect(name.startsWith(headers[index] ?? '')).toBe(true);
    }),
  );
});
