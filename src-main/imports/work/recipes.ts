import { isDeepStrictEqual } from 'node:util';
import type { ImportRecipe, ImportResult, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { RECIPE_SCHEMA, RECIPE_VERSION } from '../../../src-shared/contract/imports/import-recipes.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { fingerprintOf, type KnownRecipe, type Statement } from '../../domain/statement/index.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { findBankAccountByName } from '../../streams/store/bank-accounts.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import {
  findRecipeByName,
  type ImportRecipeRow,
  insertFormerRecipe,
  insertRecipe,
  listRecipes,
  updateRecipe,
} from '../store/import-recipes.ts';
import type { Wishes } from './figures.ts';

export interface KeptRecipe extends KnownRecipe {
  readonly recipe: ImportRecipe;
}

function keptOf(row: ImportRecipeRow): KeptRecipe {
  return { id: row.id, fingerprint: row.fingerprint, recipe: { ...storedJson('import_recipes.body', row.body, row.id), name: row.name } };
}

/** Returns the recipes by which a file may be read: those of its stream first, each group by last use or change, newest first. */
export function keptRecipes(read: ReadHandle, environmentId: number, { streamKey }: Pick<ImportPayload, 'streamKey'>): KeptRecipe[] {
  const lastMs = (row: ImportRecipeRow): number => Math.max(row.updated_at, row.last_used_at ?? 0);
  const rows = listRecipes(read, environmentId).toSorted((one, other) => lastMs(other) - lastMs(one));
  const kept = rows.map((row) => {
    const one = keptOf(row);
    return { ...one, isOfStream: one.recipe.stream_key !== null && one.recipe.stream_key === streamKey };
  });
  return [...kept.filter(({ isOfStream }) => isOfStream), ...kept.filter(({ isOfStream }) => !isOfStream)];
}

/** Returns whether a kept recipe reads a file worse than guessing does. The user must then choose. */
export function isWorse(followed: Statement, guessed: Statement): boolean {
  // The recipe leaves a row with an unknown word for money out to the user, while guessing takes it for money in. Such rows do not count against the
  // recipe.
  const isAsked = followed.questions.some(({ about }) => about === 'money_out');
  if (!isAsked && followed.rejectedRows > guessed.rejectedRows) return true;
  if (guessed.proof === 'proved') return followed.proof !== 'proved';
  return followed.proof === 'broken' && guessed.proof !== 'broken';
}

/** Returns whether guessing cannot do better: every row is read, and the balances hold or the table has none. */
export function isBeyondDoubt(statement: Statement): boolean {
  const { proof, rejectedRows, table } = statement;
  return rejectedRows === 0 && missingSheetOf(statement) === null && (proof === 'proved' || table?.hasBalances === false);
}

/** Returns the sheet that the recipe of a workbook names and the workbook lacks; null if there is none. */
export function missingSheetOf({ table }: Statement): string | null {
  return table?.sheet?.missing ?? null;
}

/**
 * Returns the account that the stream of a file is to be linked to: the one that the user names, else that of the kept recipe by which the file is
 * read. A recipe counts only if it belongs to this stream or to none, because accounts of one bank share their header.
 */
export function accountWishes(
  read: ReadHandle,
  environmentId: number,
  payload: ImportPayload,
  { table }: Pick<Statement, 'table'>,
  kept: readonly KeptRecipe[],
  state: UsedRecipe['state'],
): Wishes {
  const recipe = kept.find(({ id }) => id === table?.followed)?.recipe;
  const isNamed = (payload.bankAccountId ?? payload.bankAccountName ?? null) !== null;
  if (isNamed || payload.linkByRecipe !== true || state !== 'remembered' || recipe === undefined || recipe.bank_account === null)
    return payload;
  if (recipe.stream_key !== null && recipe.stream_key !== payload.streamKey) return payload;
  return { bankAccountId: findBankAccountByName(read, environmentId, recipe.bank_account)?.id ?? null };
}

/** Returns the recipe of a table as it was read, with its stream and account; null for formats with a fixed meaning. */
export function usedRecipe(
  { table }: Statement,
  payload: ImportPayload,
  kept: readonly KeptRecipe[],
  state: UsedRecipe['state'],
  bankAccount: string | null,
): UsedRecipe | null {
  if (table === null) return null;
  const followed = kept.find(({ id }) => id === table.followed);
  const from = recipeOfFile(table, payload, kept);
  const recipe: ImportRecipe = {
    schema: RECIPE_SCHEMA,
    version: RECIPE_VERSION,
    name: from?.name ?? payload.rememberRecipe ?? nameOf(payload),
    ...table.recipe,
    overlap: overlapAnswer(table, payload, kept),
    currency: payload.currency ?? from?.currency ?? null,
    stream_key: payload.streamKey ?? from?.stream_key ?? null,
    bank_account: bankAccount ?? from?.bank_account ?? null,
  };
  return { state, id: followed?.id ?? null, recipe };
}

/** Returns the recipe that was given for a file or is kept for it. */
export function recipeOfFile(table: Statement['table'], payload: ImportPayload, kept: readonly KeptRecipe[]): ImportRecipe | undefined {
  return payload.recipe ?? kept.find(({ id }) => id === table?.followed)?.recipe;
}

/** Returns the answer of the user about lines that may be in the stream already, else that of the recipe. */
export function overlapAnswer(table: Statement['table'], payload: ImportPayload, kept: readonly KeptRecipe[]): ImportRecipe['overlap'] {
  return payload.answers?.overlap ?? recipeOfFile(table, payload, kept)?.overlap ?? null;
}

function nameOf({ streamName, streamKey, filename }: ImportPayload): string {
  return streamName ?? streamKey ?? (filename.replace(/\.[^.]+$/, '').trim() || filename);
}

/**
 * Part of the publish step: keeps the recipe under the name that the user gives, or records that a kept one was used. A recipe that had this name
 * before is saved as a former one and can be restored.
 */
export function rememberRecipe(
  write: WriteHandle,
  by: { readonly environmentId: number; readonly actor: string; readonly atMs: number },
  used: UsedRecipe | null,
  name: string | null,
): ImportResult['remembered'] {
  if (used === null) return null;
  if (name === null) {
    if (used.id !== null) updateRecipe(write, used.id, { last_used_at: by.atMs });
    return null;
  }
  const recipe = { ...used.recipe, name };
  const stored = { fingerprint: fingerprintOf(recipe), body: JSON.stringify(recipe), updated_at: by.atMs, last_used_at: by.atMs };
  const existing = findRecipeByName(write, by.environmentId, name);
  const isOther = existing !== undefined && !isSame(existing, recipe);
  const formerId = isOther ? insertFormerRecipe(write, existing, by.atMs) : null;
  const id = existing?.id ?? insertRecipe(write, { environment_id: by.environmentId, name, created_at: by.atMs, ...stored });
  if (existing !== undefined) updateRecipe(write, existing.id, stored);
  appendAudit(write, {
    environmentId: by.environmentId,
    atMs: by.atMs,
    actor: by.actor,
    action: existing === undefined ? 'import_recipe.created' : 'import_recipe.replaced',
    detail: { import_recipe_id: id, recipe, ...(existing === undefined ? {} : { before: present(keptOf(existing), 'recipe').recipe }) },
  });
  return { id, name, former_id: formerId };
}

/** Compares whole recipes, including their streams. */
function isSame(existing: ImportRecipeRow, recipe: ImportRecipe): boolean {
  return isDeepStrictEqual(keptOf(existing).recipe, { ...recipe, name: existing.name });
}
