import { storedJson } from '../../database/json-columns.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type ImportRecipeRow = Row<'import_recipes'>;

/** Ordered by name, without regard to case. */
export function listRecipes(read: ReadHandle, environmentId: number): ImportRecipeRow[] {
  return read.all(query.selectFrom('import_recipes').selectAll().where('environment_id', '=', environmentId).orderBy('name'));
}

export function findRecipe(read: ReadHandle, environmentId: number, id: number): ImportRecipeRow | undefined {
  return read.first(query.selectFrom('import_recipes').selectAll().where('environment_id', '=', environmentId).where('id', '=', id));
}

/** Names are compared without regard to case. */
export function findRecipeByName(read: ReadHandle, environmentId: number, name: string): ImportRecipeRow | undefined {
  return read.first(query.selectFrom('import_recipes').selectAll().where('environment_id', '=', environmentId).where('name', '=', name));
}

export function countRecipes(read: ReadHandle, environmentId: number): number {
  return (
    read.prepare<[number], { n: number }>('SELECT count(*) AS n FROM import_recipes WHERE environment_id = ?').get(environmentId)?.n ?? 0
  );
}

type NewRecipe = Omit<ImportRecipeRow, 'id'>;

export function insertRecipe(write: WriteHandle, recipe: NewRecipe): number {
  return write.run(query.insertInto('import_recipes').values(recipe)).lastInsertId;
}

type RecipeChange = Partial<Pick<ImportRecipeRow, 'name' | 'fingerprint' | 'body' | 'updated_at' | 'last_used_at'>>;

export function updateRecipe(write: WriteHandle, id: number, change: RecipeChange): void {
  write.run(query.updateTable('import_recipes').set(change).where('id', '=', id));
}

/** Replaces the name of a bank account in the kept recipes after the account was renamed. Returns the ids of the recipes that changed. */
export function renameAccountInRecipes(write: WriteHandle, environmentId: number, before: string, after: string): number[] {
  const named = listRecipes(write, environmentId).filter(
    ({ id, body }) => storedJson('import_recipes.body', body, id).bank_account === before,
  );
  for (const { id, body } of named)
    updateRecipe(write, id, { body: JSON.stringify({ ...storedJson('import_recipes.body', body, id), bank_account: after }) });
  return named.map(({ id }) => id);
}

export type FormerRecipeRow = Row<'former_recipes'>;

/** Number of former versions kept per recipe. */
const KEPT_FORMER = 20;

/** Saves the current version of a recipe as a former one, and returns the id of that. */
export function insertFormerRecipe(write: WriteHandle, { id, fingerprint, body }: ImportRecipeRow, replacedAtMs: number): number {
  const former = write.run(
    query.insertInto('former_recipes').values({ recipe_id: id, fingerprint, body, replaced_at: replacedAtMs }),
  ).lastInsertId;
  write
    .prepare<[number, number, number], unknown>(
      `DELETE FROM former_recipes WHERE recipe_id = ? AND id NOT IN (SELECT id FROM former_recipes WHERE recipe_id = ? ORDER BY id DESC LIMIT ?)`,
    )
    .run(id, id, KEPT_FORMER);
  return former;
}

/** Returns the former versions of a recipe, newest first. */
export function listFormerRecipes(read: ReadHandle, recipeId: number): FormerRecipeRow[] {
  return read.all(query.selectFrom('former_recipes').selectAll().where('recipe_id', '=', recipeId).orderBy('id', 'desc'));
}

export function findFormerRecipe(read: ReadHandle, recipeId: number, id: number): FormerRecipeRow | undefined {
  return read.first(query.selectFrom('former_recipes').selectAll().where('recipe_id', '=', recipeId).where('id', '=', id));
}

export function deleteFormerRecipe(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('former_recipes').where('id', '=', id));
}

/** Deletes a recipe and its former versions. */
export function deleteRecipe(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('former_recipes').where('recipe_id', '=', id));
  write.run(query.deleteFrom('import_recipes').where('id', '=', id));
}
