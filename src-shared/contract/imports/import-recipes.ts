import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

export const RECIPE_LIMITS = {
  /** The most columns of a table; one with more is refused. */
  columns: 1_000,
  sheetCharacters: 1_000,
  headerCharacters: 1_000,
  footerRows: 1_000,
  headerRow: 200,
  recipes: 1_000,
} as const;
/** The schema name in a recipe's file, and the version of its format that this Tieout writes and reads. */
export const RECIPE_SCHEMA = 'tieout-import-recipe';
export const RECIPE_VERSION = 1;

export const columnRole = z.enum([
  'date',
  'value_date',
  'amount',
  'paid_in',
  'paid_out',
  'direction',
  'currency',
  'description',
  'reference',
  'external_id',
  'balance',
  'status',
  'account',
  'metadata',
  'ignored',
]);
export type ColumnRole = z.output<typeof columnRole>;

export const SIGN_MODELS = [
  'signed',
  'signed_inverted',
  'signed_credits',
  'direction',
  'direction_and_sign',
  'columns',
  'columns_with_signs',
  'columns_swapped',
] as const;

/** The most words of a direction column that a recipe defines. */
export const MOST_DIRECTION_WORDS = 12;
export const directionWord = z.string().trim().min(1).max(200);
const directionWords = z.array(directionWord).max(MOST_DIRECTION_WORDS);

/** Roles that any number of columns may have. */
const SHARED_ROLES: ReadonlySet<ColumnRole> = new Set(['metadata', 'ignored']);

const recipeColumn = z.strictObject({
  header: z.string().max(RECIPE_LIMITS.headerCharacters),
  role: columnRole,
});

const orNull = { encoding: z.string().min(1).max(40).nullable(), delimiter: z.string().length(1).nullable() };

/**
 * How a table with some layout is read. Members that are null are determined anew from each file. A recipe's file has these members; another version
 * is refused.
 */
export const importRecipe = z
  .strictObject({
    schema: z.literal(RECIPE_SCHEMA),
    version: z.int().refine((version) => version === RECIPE_VERSION, {
      error: `must be ${RECIPE_VERSION}, the version of recipes that this Tieout reads`,
    }),
    name: common.name,
    ...orNull,
    /** For a workbook: the name of the sheet; null means the first with such a table. */
    sheet: z.string().min(1).max(RECIPE_LIMITS.sheetCharacters).nullable().default(null),
    /** Whether the table follows a row whose cells are the columns' headers; otherwise it begins at the first row of data. */
    has_header: z.boolean(),
    /** In the order of the file; equal or empty headers are distinguished by their places. */
    columns: z.array(recipeColumn).min(1).max(RECIPE_LIMITS.columns),
    date_order: z.enum(['ymd', 'dmy', 'mdy']).nullable(),
    decimal_mark: z.enum(['.', ',']).nullable(),
    sign_model: z.enum(SIGN_MODELS).nullable(),
    /** The meanings of direction words beyond the known ones; null defines none. */
    direction_words: z.strictObject({ in: directionWords, out: directionWords }).nullable().default(null),
    /** The number of lines left out at the end; null leaves out those that look like totals, balances or text. */
    footer_rows: z.int().min(0).max(RECIPE_LIMITS.footerRows).nullable(),
    /** Whether lines that coincide with stored ones beyond chance are the same or new; null asks a person. */
    overlap: z.enum(['same', 'new']).nullable().default(null),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three upper-case letters, such as GBP')
      .nullable(),
    stream_key: common.streamKey.nullable(),
    /** The name of the bank account to which the stream is linked. */
    bank_account: common.name.nullable(),
  })
  .superRefine((recipe, check) => {
    for (const fault of faultsOfColumns(recipe.columns.map(({ role }) => role))) check.addIssue({ code: 'custom', ...fault });
    const misfit = misfitOfModel(recipe.sign_model, new Set(recipe.columns.map(({ role }) => role)));
    if (misfit !== null) check.addIssue({ code: 'custom', path: ['sign_model'], message: misfit });
  })
  .meta({ id: 'ImportRecipe' });
export type ImportRecipe = z.output<typeof importRecipe>;

/**
 * Where the table is, when a person says so, even if the file suggests otherwise. Missing members are determined from the file, and the columns are
 * recognised anew, so it cannot be combined with a recipe, which names them.
 */
export const tableByHand = z
  .strictObject({
    encoding: z.string().min(1).max(40).optional(),
    delimiter: z.string().length(1).optional(),
    /** For a workbook: the name of the sheet to read. */
    sheet: z.string().min(1).max(RECIPE_LIMITS.sheetCharacters).optional(),
    /** The line of the header, from 1; null if there is none, and the table begins at its first row of data. */
    header_row: z.int().min(1).max(RECIPE_LIMITS.headerRow).nullable().optional(),
    date_order: z.enum(['ymd', 'dmy', 'mdy']).optional(),
    decimal_mark: z.enum(['.', ',']).optional(),
    footer_rows: z.int().min(0).max(RECIPE_LIMITS.footerRows).optional(),
  })
  .meta({ id: 'TableByHand' });
export type TableByHand = z.output<typeof tableByHand>;

interface ColumnFault {
  readonly path: (string | number)[];
  readonly message: string;
}

/** Returns the roles that a table's columns lack, or have too often. */
export function faultsOfColumns(roles: readonly ColumnRole[]): ColumnFault[] {
  const has = new Set(roles);
  const faults: ColumnFault[] = [];
  for (const [index, role] of roles.entries()) {
    if (SHARED_ROLES.has(role) || roles.indexOf(role) === index) continue;
    faults.push({
      path: ['columns', index, 'role'],
      message: `is ${role}, as that of column ${roles.indexOf(role) + 1} is; only one can be`,
    });
  }
  const whole = ['columns'];
  if (!has.has('date')) faults.push({ path: whole, message: 'must have a date among their roles' });
  const isTwo = has.has('paid_in') || has.has('paid_out');
  if (!has.has('amount') && !isTwo) faults.push({ path: whole, message: 'must have an amount, or paid_in or paid_out, among their roles' });
  if (has.has('amount') && isTwo) faults.push({ path: whole, message: 'must have either an amount, or paid_in and paid_out, not both' });
  if (has.has('direction') && !has.has('amount')) faults.push({ path: whole, message: 'must have an amount where they have a direction' });
  return faults;
}

/** Returns why amounts in columns of these roles cannot have some sign model, as the end of a sentence; null if they can. */
export function misfitOfModel(model: ImportRecipe['sign_model'], roles: ReadonlySet<ColumnRole>): string | null {
  if (model === null) return null;
  if (model.startsWith('columns')) return roles.has('amount') ? `cannot be ${model} where one column holds the amount` : null;
  // In two columns, a minus may itself state the direction.
  if (!roles.has('amount'))
    return model === 'signed' || model === 'signed_inverted' ? null : `cannot be ${model} where the amounts are in two columns`;
  if (model.startsWith('direction') === roles.has('direction')) return null;
  return roles.has('direction')
    ? `cannot be ${model} where a column says the direction`
    : `cannot be ${model} where no column says the direction`;
}

const storedRecipe = z
  .object({
    id: common.id,
    /** The fingerprint of the header's words, or of the columns' content; a file with the same one is read by this recipe. */
    fingerprint: z.string(),
    recipe: importRecipe,
    created_at: common.timestamp,
    updated_at: common.timestamp,
    last_used_at: common.timestamp.nullable(),
    /** The number of former versions that can be restored, at most 20. */
    former: z.int(),
  })
  .meta({ id: 'StoredRecipe' });
export type StoredRecipe = z.output<typeof storedRecipe>;

/** A former version of a kept recipe. */
const formerRecipe = z.object({ id: common.id, recipe: importRecipe, replaced_at: common.timestamp }).meta({ id: 'FormerRecipe' });
export type FormerRecipe = z.output<typeof formerRecipe>;

export const importRecipes = {
  'import_recipes.list': operation({
    id: 'import_recipes.list',
    method: 'GET',
    path: '/import_recipes',
    summary: 'Recipes by which files are read, by name',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.array(storedRecipe),
    example: {},
  }),
  'import_recipes.create': operation({
    id: 'import_recipes.create',
    method: 'POST',
    path: '/import_recipes',
    summary: 'Keep a recipe, as its file says it',
    surface: 'app',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({ recipe: importRecipe }),
    output: storedRecipe,
    errors: ['conflict'],
    example: {
      recipe: {
        schema: RECIPE_SCHEMA,
        version: RECIPE_VERSION,
        name: 'Example bank',
        encoding: null,
        delimiter: ',',
        sheet: null,
        has_header: true,
        columns: [
          { header: 'Date', role: 'date' },
          { header: 'Amount', role: 'amount' },
        ],
        date_order: 'dmy',
        decimal_mark: '.',
        sign_model: 'signed',
        footer_rows: null,
        currency: null,
        stream_key: null,
        bank_account: null,
      },
    },
  }),
  'import_recipes.update': operation({
    id: 'import_recipes.update',
    method: 'PATCH',
    path: '/import_recipes/{id}',
    summary: 'Give a recipe another name',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'import_recipes.update',
    input: z.strictObject({ id: common.idInput, name: common.name }),
    output: storedRecipe,
    errors: ['conflict'],
    example: { id: '1', name: 'Another name' },
  }),
  'import_recipes.former': operation({
    id: 'import_recipes.former',
    method: 'GET',
    path: '/import_recipes/{id}/former',
    summary: 'What a recipe said before it was replaced, the newest first',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: z.array(formerRecipe),
    example: { id: '1' },
  }),
  'import_recipes.restore': operation({
    id: 'import_recipes.restore',
    method: 'POST',
    path: '/import_recipes/{id}/restore',
    summary: 'Put back what a recipe said before; what it says now can be put back in turn',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, former_id: common.idInput }),
    output: storedRecipe,
    errors: ['unknown_reference'],
    example: { id: '1', former_id: '1' },
  }),
  'import_recipes.remove': operation({
    id: 'import_recipes.remove',
    method: 'DELETE',
    path: '/import_recipes/{id}',
    summary: 'Forget a recipe; what was imported by it stays',
    surface: 'app',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: z.null(),
    example: { id: '1' },
  }),
} as const;
