import type { UsedRecipe } from '../../../src-shared/contract/index.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import type { ReadOptions, Statement, Unreadable } from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import { isBeyondDoubt, isWorse, type KeptRecipe, missingSheetOf } from './recipes.ts';

/** A file, read one way. */
export interface OneReading {
  /** The known recipe that was followed. */
  readonly followed: number | null;
  /** All that its lines say. */
  readonly statement: () => Result<Statement, Unreadable>;
}

/** How a file was read. */
export interface WayOfReading {
  readonly state: UsedRecipe['state'];
  /** If it is doubtful whether the kept recipe fits: the statement as the recipe reads it, or null if it cannot read the file. Null where nothing is doubtful. */
  readonly followed: { readonly statement: Statement | null } | null;
}

export type ChosenReading<T> = WayOfReading & { readonly read: T };

/**
 * Reads a file by the recipe that is given, by the one that is kept for its header, or by what it shows. If a kept recipe does worse than
 * guessing, and nobody has chosen between them, the file is read by guessing, and the result says so. Null where `read` says that it reads no such file.
 */
export function chosenReading<T extends OneReading>(
  payload: ImportPayload,
  kept: readonly KeptRecipe[],
  options: ReadOptions,
  read: (options: ReadOptions) => Result<T | null, Unreadable>,
): Result<ChosenReading<T> | null, Unreadable> {
  const first = read({ ...options, known: kept });
  if (first.ok && first.value === null) return success(null);
  if (!first.ok && kept.length === 0) return first;
  const own = first.ok ? first.value : null;
  const asRead = (chosen: T, state: UsedRecipe['state']) => success({ read: chosen, state, followed: null });
  if (own !== null && own.followed === null) return asRead(own, payload.recipe || payload.table ? 'given' : 'guessed');
  if (own !== null && payload.keptRecipe === 'use') return asRead(own, 'remembered');
  const said = own?.statement() ?? null;
  if (said?.ok === false) return said;
  const followed = said?.value ?? null;
  if (own !== null && followed !== null && isBeyondDoubt(followed)) return asRead(own, 'remembered');
  const beside = read(besides(followed, options));
  const other = (beside.ok ? beside.value?.statement() : null) ?? null;
  if (other?.ok === false) return other;
  const isSure = followed !== null && missingSheetOf(followed) === null && !(other !== null && isWorse(followed, other.value));
  if (own !== null && isSure) return asRead(own, 'remembered');
  const guessed = besides(followed, options) === options ? beside : read(options);
  const shown = (guessed.ok ? guessed.value : null) ?? own;
  if (shown === null) return guessed.ok ? success(null) : guessed;
  return success({ read: shown, state: 'doubtful', followed: { statement: followed } });
}

/** The options for a guess that is compared with a recipe: both must read the same sheet. */
function besides(followed: Statement | null, options: ReadOptions): ReadOptions {
  const sheet = followed?.table?.sheet ?? null;
  return sheet === null || sheet.missing !== null ? options : { ...options, table: { sheet: sheet.name } };
}
