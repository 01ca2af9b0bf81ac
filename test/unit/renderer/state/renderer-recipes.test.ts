import { describe, expect, it, test } from 'vitest';
import { minorOfText } from '../../../../src-shared/values/amount-input.ts';
import {
  advanceImport,
  blankRecipe,
  hindranceOf,
  recipeFault,
  signModelsOf,
  startOfImport,
  tableWith,
  withRole,
} from '../../../../src-renderer/state/import-flow.ts';
import type { ColumnRole, ImportRecipe } from '../../../../src-shared/contract/index.ts';
import { delimiterChoices, encodingChoices, headerChoices } from '../../../../src-renderer/format/table-words.ts';

function recipe(roles: readonly ColumnRole[], sign_model: ImportRecipe['sign_model'] = null): ImportRecipe {
  return {
    schema: 'tieout-import-recipe',
    version: 1,
    name: 'Bank',
    encoding: null,
    delimiter: ',',
    sheet: null,
    has_header: true,
    columns: roles.map((role, index) => ({ header: `C${index}`, role })),
    date_order: null,
    decimal_mark: null,
    sign_model,
    direction_words: null,
    footer_rows: null,
    overlap: null,
    currency: null,
    stream_key: null,
    bank_account: null,
  };
}
const rolesOf = ({ columns }: ImportRecipe): string => columns.map(({ role }) => role).join(' ');

test.each([
  ['date description amount', 1, 'ignored', 'date ignored amount'],
  ['date description amount metadata', 3, 'description', 'date metadata amount description'],
  ['date amount metadata', 2, 'paid_in', 'date metadata paid_in'],
  ['date paid_in paid_out', 1, 'amount', 'date amount metadata'],
  ['date amount direction metadata', 3, 'paid_out', 'date metadata metadata paid_out'],
  ['date amount metadata metadata', 3, 'metadata', 'date amount metadata metadata'],
] as const)('of %s, column %i as %s: %s', (before, index, role, after) => {
  expect(rolesOf(withRole(recipe(before.split(' ') as ColumnRole[]), index, role))).toBe(after);
});

it('a sign model is dropped when the columns no longer allow it', () => {
  const signed = recipe(['date', 'amount', 'metadata'], 'signed_inverted');
  expect(withRole(signed, 2, 'description').sign_model).toBe('signed_inverted');
  expect(withRole(signed, 2, 'paid_in').sign_model).toBeNull();
  expect(withRole(signed, 2, 'direction').sign_model).toBeNull();
});

it('the sign models are those that the columns allow', () => {
  expect(signModelsOf(recipe(['date', 'amount']))).toEqual(['signed', 'signed_inverted', 'signed_credits']);
  expect(signModelsOf(recipe(['date', 'amount', 'direction']))).toEqual(['direction', 'direction_and_sign']);
  expect(signModelsOf(recipe(['date', 'paid_in']))).toEqual([
    'signed',
    'signed_inverted',
    'columns',
    'columns_with_signs',
    'columns_swapped',
  ]);
});

it('a sentence says what the columns lack', () => {
  expect(recipeFault(recipe(['date', 'amount']))).toBeNull();
  expect(recipeFault(recipe(['metadata', 'amount']))).toBe('The columns must have a date among their roles.');
  expect(recipeFault(recipe(['date']))).toBe('The columns must have an amount, or paid in or paid out, among their roles.');
});

describe('the settings of a table', () => {
  const sheet = (name: string, is_read = false) => ({ name, rows: 3, is_hidden: false, is_read });
  const shown = (header_row: number | null, sheets = [sheet('Only', true)]) => {
    return { dialect: { encoding: '', delimiter: '', header_row, date_order: null, decimal_mark: null, sign_model: '' }, sheets };
  };

  it('keep earlier changes', () => {
    expect(tableWith({ table: { delimiter: ';' }, recipe: null }, shown(1), { header_row: 3 })).toEqual({ delimiter: ';', header_row: 3 });
    expect(tableWith({ table: null, recipe: null }, shown(1), { header_row: null })).toEqual({ header_row: null });
  });

  it('keep what an edited recipe says beyond its columns', () => {
    const edited = { ...recipe(['date', 'amount'], 'signed_inverted'), decimal_mark: ',' as const, footer_rows: 2 };
    const kept = { delimiter: ',', decimal_mark: ',', footer_rows: 2 };
    expect(tableWith({ table: null, recipe: edited }, shown(4), { encoding: 'cp850' })).toEqual({
      ...kept,
      header_row: 4,
      encoding: 'cp850',
    });
    expect(tableWith({ table: null, recipe: { ...edited, has_header: false } }, shown(null), {})).toEqual({ ...kept, header_row: null });
  });

  it('stay in the visible sheet, which a recipe may have chosen, or in the sheet that was named before', () => {
    const both = shown(1, [sheet('June'), sheet('July', true)]);
    expect(tableWith({ table: null, recipe: null }, both, { header_row: 2 })).toEqual({ sheet: 'July', header_row: 2 });
    const named = { ...recipe(['date', 'amount']), sheet: 'june' };
    expect(tableWith({ table: null, recipe: named }, both, {}).sheet).toBe('june');
    expect(tableWith({ table: { sheet: 'June' }, recipe: null }, both, { footer_rows: 1 })).toEqual({ sheet: 'June', footer_rows: 1 });
  });

  it('begin with a recipe without roles when no column was understood', () => {
    const dialect = { encoding: 'utf-8', delimiter: '|', header_row: 2, date_order: null, decimal_mark: null, sign_model: '' };
    const columns = ['When', 'Why'].map((header, index) => {
      return { index, header, name: header, role: 'metadata' as const, field: null, is_reference: false, samples: [] };
    });
    const file = { name: 'June 2026.csv', byte_length: 1 };
    const blank = blankRecipe({ dialect, columns, file });
    expect(blank).toMatchObject({
      name: 'June 2026',
      encoding: 'utf-8',
      delimiter: '|',
      has_header: true,
      columns: [{ header: 'When' }, {}],
    });
    expect([blank?.sheet, blankRecipe({ dialect, columns, file }, 'July')?.sheet]).toEqual([null, 'July']);
    expect(blank !== null && recipeFault(blank)).toBe('The columns must have a date among their roles.');
    expect(blankRecipe({ dialect, columns: [], file })).toBeNull();
  });
});

describe('choices', () => {
  const head = [
    { row: 1, cells: ['My bank', ''] },
    { row: 2, cells: ['', ''] },
    { row: 3, cells: ['Date', 'x'.repeat(90)] },
  ];
  it('of headers are the rows that are not blank, and the one in use', () => {
    expect(headerChoices(head, null).map(({ value }) => value)).toEqual(['none', '1', '3']);
    expect(headerChoices(head, 77).at(-1)).toEqual({ value: '77', label: 'Row 77' });
    expect(headerChoices(head, 1)[2]?.label).toMatch(/^Row 3: Date · x+…$/);
  });
  it('of encodings and delimiters have names and include the one in use', () => {
    expect(encodingChoices('utf-8').filter(({ value }) => value === 'utf-8')).toEqual([{ value: 'utf-8', label: 'UTF-8' }]);
    expect(encodingChoices('cp866').at(-1)).toEqual({ value: 'cp866', label: 'cp866' });
    expect(delimiterChoices('^').slice(-2)).toEqual([
      { value: '^', label: 'The character ^' },
      { value: 'other', label: 'Another character' },
    ]);
    expect(delimiterChoices('\t').find(({ value }) => value === '\t')?.label).toBe('Tab');
  });
});

describe('the steps of an import', () => {
  const started = startOfImport('bank');
  const leaveOut = { action: 'leave_out', row: 3, occurrence: 1 } as const;

  it('remember an edited recipe under its name until the user says otherwise', () => {
    const edited = advanceImport(started, { type: 'recipe', recipe: recipe(['date', 'amount']) });
    expect([edited.remember, edited.recipe?.columns.length]).toEqual(['Bank', 2]);
    expect(advanceImport(edited, { type: 'remember', name: null }).remember).toBeNull();
    expect(advanceImport(edited, { type: 'kept', kept: 'guess' })).toMatchObject({ recipe: null, remember: null, kept: 'guess' });
  });

  it('keep the last decision about a row, take it back, and drop it with another reading', () => {
    const decided = advanceImport(started, { type: 'overrule', overrule: leaveOut });
    const again = advanceImport(decided, { type: 'overrule', overrule: { ...leaveOut, action: 'import' } });
    expect(again.overrules).toEqual([{ ...leaveOut, action: 'import' }]);
    expect(advanceImport(decided, { type: 'take_back', row: 3, occurrence: 1 }).overrules).toEqual([]);
    expect(advanceImport(decided, { type: 'take_back', row: 3, occurrence: 2 }).overrules).toEqual([leaveOut]);
    expect(advanceImport(decided, { type: 'recipe', recipe: recipe(['date', 'amount']) }).overrules).toEqual([]);
    expect(advanceImport(decided, { type: 'file', file: { token: 't', name: 'x.csv', byteLength: 1 } }).overrules).toEqual([]);
  });

  it('replace an edited recipe by settings of the table and the reverse; a reset removes both', () => {
    const edited = advanceImport(advanceImport(started, { type: 'overrule', overrule: leaveOut }), {
      type: 'recipe',
      recipe: recipe(['date']),
    });
    const byHand = advanceImport(edited, { type: 'table', table: { header_row: 2 } });
    expect(byHand).toMatchObject({ table: { header_row: 2 }, recipe: null, kept: 'guess', remember: 'Bank', overrules: [] });
    expect(advanceImport(byHand, { type: 'recipe', recipe: recipe(['date', 'amount']) }).table).toBeNull();
    expect(advanceImport(byHand, { type: 'as_found' })).toMatchObject({ table: null, recipe: null, kept: 'ask', remember: null });
  });

  it('import nothing without a preview', () => {
    expect(hindranceOf(advanceImport(started, { type: 'recipe', recipe: recipe(['date']) }))).toBe('nothing_to_import');
  });
});

test.each([
  ['1234.5', 2, 123_450],
  ['1234,50', 2, 123_450],
  ['7', 0, 7],
  ['0.001', 3, 1],
  ['1.234', 2, null],
  ['-5', 2, null],
  ['many', 2, null],
  ['90071992547409.92', 2, null],
])('%s with %i decimals is %s', (text, places, minor) => {
  expect(minorOfText(text, places)).toBe(minor);
});
