import type { FormerRecipe, StoredRecipe } from '../../../src-shared/contract/index.ts';
import { RECIPE_LIMITS } from '../../../src-shared/contract/imports/import-recipes.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { fingerprintOf } from '../../domain/statement/index.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle } from '../../database/database.ts';
import { answer, missing, refuse, refuseField, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import {
  countRecipes,
  deleteFormerRecipe,
  deleteRecipe,
  findFormerRecipe,
  findRecipe,
  findRecipeByName,
  type FormerRecipeRow,
  type ImportRecipeRow,
  insertFormerRecipe,
  insertRecipe,
  listFormerRecipes,
  listRecipes,
  updateRecipe,
} from '../store/import-recipes.ts';

type Handled = `import_recipes.${'list' | 'create' | 'update' | 'remove' | 'former' | 'restore'}`;

function recipeView(read: ReadHandle, row: ImportRecipeRow): StoredRecipe {
  return {
    id: row.id,
    fingerprint: row.fingerprint,
    recipe: { ...storedJson('import_recipes.body', row.body, row.id), name: row.name },
    created_at: timestampOf(row.created_at),
    updated_at: timestampOf(row.updated_at),
    last_used_at: row.last_used_at === null ? null : timestampOf(row.last_used_at),
    former: listFormerRecipes(read, row.id).length,
  };
}

function formerView({ id, body, replaced_at: replacedAt }: FormerRecipeRow, name: string): FormerRecipe {
  return { id, recipe: { ...storedJson('former_recipes.body', body, id), name }, replaced_at: timestampOf(replacedAt) };
}

function nameTaken(name: string, path: string) {
  return refuseField('conflict', path, phrase('imports.profiles.nameTaken', { name }));
}

function createHandler(context: ServiceContext): Handlers['import_recipes.create'] {
  return (caller, { recipe }) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      if (findRecipeByName(write, caller.environmentId, recipe.name) !== undefined) return nameTaken(recipe.name, 'recipe.name');
      if (countRecipes(write, caller.environmentId) >= RECIPE_LIMITS.recipes) {
        return refuse('conflict', phrase('imports.profiles.tooMany', { most: RECIPE_LIMITS.recipes }));
      }
      const id = insertRecipe(write, {
        environment_id: caller.environmentId,
        name: recipe.name,
        fingerprint: fingerprintOf(recipe),
        body: JSON.stringify(recipe),
        created_at: atMs,
        updated_at: atMs,
        last_used_at: null,
      });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs,
        actor: caller.actor,
        action: 'import_recipe.created',
        detail: { import_recipe_id: id, recipe },
      });
      return answer(present(findRecipe(write, caller.environmentId, id), 'recipe'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['imports']);
    return answer(recipeView(context.database, outcome.value));
  };
}

function updateHandler(context: ServiceContext): Handlers['import_recipes.update'] {
  return (caller, { id, name }) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const found = findRecipe(write, caller.environmentId, id);
      if (found === undefined) return missing('recipe', id);
      const other = findRecipeByName(write, caller.environmentId, name);
      if (other !== undefined && other.id !== id) return nameTaken(name, 'name');
      updateRecipe(write, id, { name, updated_at: atMs });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs,
        actor: caller.actor,
        action: 'import_recipe.renamed',
        detail: { import_recipe_id: id, from: found.name, to: name },
      });
      return answer(present(findRecipe(write, caller.environmentId, id), 'recipe'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['imports']);
    return answer(recipeView(context.database, outcome.value));
  };
}

function formerHandler({ database }: ServiceContext): Handlers['import_recipes.former'] {
  return (caller, { id }) =>
    database.snapshot(() => {
      const found = findRecipe(database, caller.environmentId, id);
      if (found === undefined) return missing('recipe', id);
      return answer(listFormerRecipes(database, id).map((former) => formerView(former, found.name)));
    });
}

/** The restored version leaves the former ones, and the version that it replaces joins them. */
function restoreHandler(context: ServiceContext): Handlers['import_recipes.restore'] {
  return (caller, { id, former_id: formerId }) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const found = findRecipe(write, caller.environmentId, id);
      if (found === undefined) return missing('recipe', id);
      const former = findFormerRecipe(write, id, formerId);
      if (former === undefined) {
        return refuseField(
          'unknown_reference',
          'former_id',
          phrase('imports.profiles.noFormer', { name: found.name, former: String(formerId) }),
        );
      }
      insertFormerRecipe(write, found, atMs);
      deleteFormerRecipe(write, formerId);
      updateRecipe(write, id, { fingerprint: former.fingerprint, body: former.body, updated_at: atMs });
      const now = present(findRecipe(write, caller.environmentId, id), 'recipe');
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs,
        actor: caller.actor,
        action: 'import_recipe.restored',
        detail: { import_recipe_id: id, recipe: recipeView(write, now).recipe, before: recipeView(write, found).recipe },
      });
      return answer(recipeView(write, now));
    });
    if (outcome.ok) context.changed(['imports']);
    return outcome;
  };
}

function removeHandler(context: ServiceContext): Handlers['import_recipes.remove'] {
  return (caller, { id }) => {
    const outcome = context.database.write((write) => {
      const found = findRecipe(write, caller.environmentId, id);
      if (found === undefined) return missing('recipe', id);
      deleteRecipe(write, id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'import_recipe.deleted',
        detail: { import_recipe_id: id, recipe: recipeView(write, found).recipe },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['imports']);
    return outcome;
  };
}

export function importRecipeHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  return {
    'import_recipes.list': (caller) =>
      answer(listRecipes(context.database, caller.environmentId).map((row) => recipeView(context.database, row))),
    'import_recipes.create': createHandler(context),
    'import_recipes.update': updateHandler(context),
    'import_recipes.remove': removeHandler(context),
    'import_recipes.former': formerHandler(context),
    'import_recipes.restore': restoreHandler(context),
  };
}
