import { describe, expect, it, test } from 'vitest';
import { fingerprintOf } from '../../../../src-main/domain/statement/columns/recipe.ts';
import type { TableRecipe } from '../../../../src-main/domain/statement/model/read-options.ts';
import { importRecipe } from '../../../../src-shared/contract/imports/import-recipes.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { codesOf, lines, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

const OPEN = lines('Date,Text,Amount,Balance due', '03/04/2026,Rent,-9.00,x', '05/04/2026,Tea,-1.00,y');

function recipeOf(text: string, options = {}): TableRecipe {
  return present(statementOf(text, options).table, 'table').recipe;
}

describe('what was understood, as a recipe', () => {
  it('names columns, order, mark, signs, encoding and delimiter', () => {
    expect(recipeOf(lines('Datum;Verwendungszweck;Betrag;Referenz', '31.05.2026;Miete;-1.234,50;A-1', '01.06.2026;Tee;-2,00;A-2'))).toEqual(
      {
        encoding: 'utf-8',
        delimiter: ';',
        sheet: null,
        has_header: true,
        columns: [
          { header: 'Datum', role: 'date' },
          { header: 'Verwendungszweck', role: 'description' },
          { header: 'Betrag', role: 'amount' },
          { header: 'Referenz', role: 'reference' },
        ],
        date_order: 'dmy',
        decimal_mark: ',',
        sign_model: 'signed',
        direction_words: null,
        footer_rows: null,
      },
    );
  });

  it('read again by its own recipe, a file gives the same lines', () => {
    for (const text of [
      OPEN,
      lines('Date,Paid out,Paid in,Details', '2026-06-01,9.00,,Rent', '2026-06-02,,4.00,Cash'),
      lines('2026-06-01,Rent,-9.00', '2026-06-02,Tea,-1.00'),
    ]) {
      const { table, lines: read, referenceField } = statementOf(text);
      const again = statementOf(text, { recipe: present(table, 'table').recipe });
      expect([again.lines, again.table, again.referenceField]).toEqual([read, table, referenceField]);
    }
  });

  it('a column that is empty in this file is kept in the next', () => {
    const recipe = recipeOf(lines('Date,Amount,Note', '2026-06-01,-9.00,', '2026-06-02,-1.00,'));
    const next = statementOf(lines('Date,Amount,Note', '2026-07-01,-9.00,seen', '2026-07-02,-1.00,'), { recipe });
    expect(next.lines[0]?.metadata).toEqual({ note: 'seen' });
  });
});

describe('a recipe is followed', () => {
  it('in the order of dates, the signs and the columns', () => {
    const recipe = { ...recipeOf(OPEN), date_order: 'mdy' as const, sign_model: 'signed_inverted' as const };
    expect(summaryOf(statementOf(OPEN, { recipe, currency: 'EUR' }))).toEqual(['2026-03-04 900 EUR', '2026-05-04 100 EUR']);
    const roles = ['date', 'reference', 'amount', 'ignored'] as const;
    const columns = recipe.columns.map((column, index) => ({ ...column, role: roles[index] ?? ('metadata' as const) }));
    const read = statementOf(OPEN, { recipe: { ...recipe, columns } });
    expect([read.referenceField, read.lines[0]?.description, read.lines[0]?.metadata]).toEqual(['metadata.text', null, { text: 'Rent' }]);
  });

  it('in the decimal mark', () => {
    const text = lines('Date,Text,Amount', '2026-06-01,Rent,"1,234"', '2026-06-02,Tea,"2,345"');
    const recipe = { ...recipeOf(text), decimal_mark: ',' as const };
    expect(readText(text, { recipe, currency: 'KWD' })).toMatchObject({
      value: { lines: [{ amountMinor: 1_234 }, { amountMinor: 2_345 }] },
    });
  });

  it('in the lines at the end that do not belong to it, which are named', () => {
    const text = lines('Date,Text,Amount', '2026-06-01,Rent,-9.00', '2026-06-30,Average of the month,-9.00', '');
    const read = statementOf(text, { recipe: { ...recipeOf(text), footer_rows: 1 } });
    expect([summaryOf(read).length, codesOf(read)]).toEqual([1, expect.arrayContaining(['footer_rows'])]);
  });

  it('in encoding and delimiter, which a known recipe gives to the next file', () => {
    const bytes = new Uint8Array(Buffer.from(lines('Data;Opis;Kwota', '2026-06-01;Łódź;-9,00', '2026-06-02;Tea;-1,00'), 'latin1'));
    const recipe = { ...recipeOf(lines('Data;Opis;Kwota', '2026-06-01;A;-9,00', '2026-06-02;Tea;-1,00')), encoding: 'iso-8859-2' };
    const known = [{ id: 7, fingerprint: fingerprintOf(recipe), recipe }];
    expect(statementOf(bytes, { recipe }).dialect.encoding).toBe('iso-8859-2');
    expect(statementOf(bytes, { known }).table?.followed).toBe(7);
  });

  it('whatever stands above the header, and however it is written', () => {
    const recipe = recipeOf(OPEN);
    const known = [{ id: 3, fingerprint: fingerprintOf(recipe), recipe: { ...recipe, date_order: 'mdy' as const } }];
    const text = lines('Bank of Nowhere', 'Period,April', 'DATE,text,Amount,Balance  due', '03/04/2026,Rent,-9.00,x');
    expect([statementOf(text, { known }).table?.followed, summaryOf(statementOf(text, { known }))]).toEqual([3, ['2026-03-04 -900 XXX']]);
    expect(statementOf(OPEN.replace('Balance due', 'Status'), { known }).table?.followed).toBeNull();
  });
});

test('a recipe that does not fit is refused with words', () => {
  const recipe = recipeOf(OPEN);
  const refused = (text: string, change: Partial<TableRecipe> = {}) => readText(text, { recipe: { ...recipe, ...change } });
  expect(refused(lines('Day,Sum', '2026-06-01,1.00'))).toMatchObject({
    ok: false,
    error: {
      code: 'recipe_does_not_fit',
      message: expect.stringContaining('the headers of the import profile (Date, Text, Amount, Balance due)'),
    },
  });
  expect(refused(OPEN, { encoding: 'klingon' })).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('"klingon", which is not known') },
  });
  expect(refused(lines(':20:X', ':25:1', ':60F:C260601EUR10,', ':61:260602D6,NTRFA//1', ':62F:C260602EUR4,'))).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('of the format mt940') },
  });
});

describe('the form of a recipe', () => {
  const whole = {
    schema: 'tieout-import-recipe',
    version: 1,
    name: 'Bank',
    ...recipeOf(OPEN),
    currency: null,
    stream_key: null,
    bank_account: null,
  };
  const faults = (change: object): string[] =>
    importRecipe.safeParse({ ...whole, ...change }).error?.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`) ?? [];
  const columns = (...roles: readonly string[]) => ({ columns: roles.map((role) => ({ header: 'x', role })), sign_model: null });

  it('is what the product writes', () => {
    expect(faults({})).toEqual([]);
  });

  it.each([
    [{ version: 2 }, 'version must be 1, the version of recipes that this Tieout reads'],
    [columns('date'), 'columns must have an amount, or paid_in or paid_out, among their roles'],
    [columns('amount'), 'columns must have a date among their roles'],
    [columns('date', 'date', 'amount'), 'columns.1.role is date, as that of column 1 is; only one can be'],
    [columns('date', 'amount', 'paid_in'), 'columns must have either an amount, or paid_in and paid_out, not both'],
    [columns('date', 'paid_in', 'direction'), 'columns must have an amount where they have a direction'],
    [{ ...columns('date', 'amount'), sign_model: 'columns' }, 'sign_model cannot be columns where one column holds the amount'],
    [
      { ...columns('date', 'paid_in'), sign_model: 'signed_credits' },
      'sign_model cannot be signed_credits where the amounts are in two columns',
    ],
    [{ ...columns('date', 'amount'), sign_model: 'direction' }, 'sign_model cannot be direction where no column says the direction'],
    [{ ...columns('date', 'amount', 'direction'), sign_model: 'signed' }, 'sign_model cannot be signed where a column says the direction'],
  ])('refuses %j', (change, sentence) => {
    expect(faults(change)).toContain(sentence);
  });
});
