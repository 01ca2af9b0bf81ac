import type { ColumnRole, ImportRecipe } from '../../src-shared/contract/index.ts';
import { faultsOfColumns, misfitOfModel, SIGN_MODELS } from '../../src-shared/contract/imports/import-recipes.ts';
import { say } from '../../src-shared/words/say.ts';

type SignModel = (typeof SIGN_MODELS)[number];

/** The roles that a column loses when another column takes an incompatible one. */
const INCOMPATIBLE_ROLES: Partial<Readonly<Record<ColumnRole, readonly ColumnRole[]>>> = {
  amount: ['paid_in', 'paid_out'],
  paid_in: ['amount', 'direction'],
  paid_out: ['amount', 'direction'],
};

/** Returns the recipe with another role for a column. Columns that had the role, or an incompatible one, become fields. */
export function withRole(recipe: ImportRecipe, index: number, role: ColumnRole): ImportRecipe {
  const ousted = new Set<ColumnRole>(role === 'metadata' || role === 'ignored' ? [] : [role, ...(INCOMPATIBLE_ROLES[role] ?? [])]);
  const columns = recipe.columns.map((column, at) => {
    if (at === index) return { ...column, role };
    return ousted.has(column.role) ? { ...column, role: 'metadata' as const } : column;
  });
  const isOfSameDirection = columns.every((column, at) => (column.role === 'direction') === (recipe.columns[at]?.role === 'direction'));
  const changed = { ...recipe, columns, direction_words: isOfSameDirection ? recipe.direction_words : null };
  const hasAmount = (of: ImportRecipe['columns']): boolean => of.some((column) => column.role === 'amount');
  const isOfSameMoney = hasAmount(recipe.columns) === hasAmount(changed.columns);
  const isKept = recipe.sign_model !== null && isOfSameMoney && signModelsOf(changed).includes(recipe.sign_model);
  return isKept ? changed : { ...changed, sign_model: null };
}

/** Returns the sign models that these columns allow. */
export function signModelsOf({ columns }: Pick<ImportRecipe, 'columns'>): readonly SignModel[] {
  const roles = new Set(columns.map(({ role }) => role));
  return SIGN_MODELS.filter((model) => misfitOfModel(model, roles) === null);
}

/** Returns a sentence about what the columns of a recipe lack; null when the recipe can read a table. */
export function recipeFault({ columns }: Pick<ImportRecipe, 'columns'>): string | null {
  const [fault] = faultsOfColumns(columns.map(({ role }) => role));
  return fault === undefined ? null : say('imports.recipeEdit.theColumns', { message: fault.message.replaceAll('_', ' ') });
}
