import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

export const RECIPE_LIMITS = {
  /** Of a table, which is refused with more. */
  columns: 1_000,
  sheetCharacters: 1_000,
  headerCharacters: 1_000,
  footerRows: 1_000,
  headerRow: 200,
  recipes: 1_000,
} as const;
/** What a recipe's file says it is, and the version of its form that this Tieout writes and reads. */
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

/** Words of a column that tells in from out, where Tieout does not know them. */
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
 * How a table of some layout is read. What is null is told anew from each file. The members of its file are these; another version is refused.
 */
export const importRecipe = z
  .strictObject({
    schema: z.literal(RECIPE_SCHEMA),
    version: z.int().refine((version) => version === RECIPE_VERSION, {
      error: `must be ${RECIPE_VERSION}, the version of recipes that this Tieout reads`,
    }),
    name: common.name,
    ...orNull,
    /** Of a workbook: the sheet of this name is read; null: the first with such a table. */
    sheet: z.string().min(1).max(RECIPE_LIMITS.sheetCharacters).nullable().default(null),
    /** How the table is found: below the row whose cells are the columns' headers, or, where the file has none, at its first row of data. */
    has_header: z.boolean(),
    /** In the order of the file; equal headers, or empty ones, are told apart by their places alone. */
    columns: z.array(recipeColumn).min(1).max(RECIPE_LIMITS.columns),
    date_order: z.enum(['ymd', 'dmy', 'mdy']).nullable(),
    decimal_mark: z.enum(['.', ',']).nullable(),
    sign_model: z.enum(SIGN_MODELS).nullable(),
    /** What words of the direction mean beside those that are known; null: nothing is said of any. */
    direction_words: z.strictObject({ in: directionWords, out: directionWords }).nullable().default(null),
    /** Lines left out at the end; null: those that by their words are totals, balances or text. */
    footer_rows: z.int().min(0).max(RECIPE_LIMITS.footerRows).nullable(),
    /** Lines that coincide with stored ones beyond chance: the same ones, or new; null: somebody is asked. */
    overlap: z.enum(['same', 'new']).nullable().default(null),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be three upper-case letters, such as GBP')
      .nullable(),
    stream_key: common.streamKey.nullable(),
    /** Name of the bank account that the stream is linked to. */
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
 * How a table is found, as a person says it against what the file shows. What is left out is told from the file, and its columns are understood anew:
 * so it does not go with a recipe, which names them.
 */
export const tableByHand = z
  .strictObject({
    encoding: z.string().min(1).max(40).optional(),
    delimiter: z.string().length(1).optional(),
    /** Name of the sheet to read of a workbook. */
    sheet: z.string().min(1).max(RECIPE_LIMITS.sheetCharacters).optional(),
    /** Line of the file that is the header, from 1; null: it has none, and the table begins at its first row of data. */
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

/** What the roles of a table's columns lack, or have too much of. */
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

/** Why amounts in columns of these roles cannot be signed in some way, as the end of a sentence; or null. */
export function misfitOfModel(model: ImportRecipe['sign_model'], roles: ReadonlySet<ColumnRole>): string | null {
  if (model === null) return null;
  if (model.startsWith('columns')) return roles.has('amount') ? `cannot be ${model} where one column holds the amount` : null;
  // In two columns a minus may say the direction by itself.
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
    /** Of the header's words, or of what the columns hold; a file with the same one is read by this recipe. */
    fingerprint: z.string(),
    recipe: importRecipe,
    created_at: common.timestamp,
    updated_at: common.timestamp,
    last_used_at: common.timestamp.nullable(),
    /** What it said before and can be put back: the last 20. */
    former: z.int(),
  })
  .meta({ id: 'StoredRecipe' });
export type StoredRecipe = z.output<typeof storedRecipe>;

/** What a kept recipe said before it was replaced. */
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
