import type { ImportedBalances, ImportResult, Problem, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { ALL_ACCOUNTS } from '../../../src-shared/contract/imports.ts';
import { overruled } from '../../domain/statement/overrules.ts';
import { readStatement } from '../../domain/statement/read.ts';
import { counted, note, quoted } from '../../domain/statement/sentences.ts';
import type { ReadOptions, Statement, Unreadable } from '../../domain/statement/types.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import { streamByKey, type StreamRow } from '../../store/streams.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { sameFile, sameFileSentence, skippedRows, sortLines } from '../import-duplicates.ts';
import { balancesFound, targetAccount } from '../import-balances.ts';
import { isBeyondDoubt, isWorse, type KeptRecipe, keptRecipes, usedRecipe } from '../import-recipes.ts';
import { importResultOf, unreadableResult } from '../import-figures.ts';
import type { ImportPayload } from '../protocol.ts';
import type { TaskContext } from '../task.ts';
import { understandLarge, type UnderstoodLarge } from './large-file.ts';
import { readFileBytes } from './read-file.ts';

/** A file read, with its lines compared to what the stream already has. */
export interface Understood {
  readonly statement: Statement;
  readonly stream: StreamRow | undefined;
  readonly sha256: string;
  readonly byteLength: number;
  /** One per line, in the order of the lines. */
  readonly dedupeKeys: readonly string[];
  readonly isDuplicate: readonly boolean[];
  /** By hand. */
  readonly isLeftOut: readonly boolean[];
  /** What was being wiped of the stream when the lines were compared with it. */
  readonly wipes: string;
  readonly result: ImportResult;
}

export type Understanding =
  | { readonly kind: 'understood'; readonly understood: Understood }
  /** Too large to be held; its lines are read when they are looked at or stored. */
  | { readonly kind: 'large'; readonly large: UnderstoodLarge }
  | { readonly kind: 'unreadable'; readonly result: ImportResult }
  | { readonly kind: 'cancelled' };

/** Reads the file of a job. Nothing is stored. */
export function understandFile(context: TaskContext, payload: ImportPayload): Understanding {
  const streamKey = payload.streamKey ?? '';
  const large = understandLarge(context, payload);
  if (large !== null) return large;
  const file = readFileBytes(payload.path, payload.filename);
  if (!file.ok) return { kind: 'unreadable', result: unreadableResult(streamKey, file.error) };
  const stream = payload.streamKey === null ? undefined : streamByKey(context.database, context.job.environment_id, payload.streamKey);
  const kept = recipesFor(context, payload);
  const reading = readByRecipe(context, payload, file.value.bytes, stream, kept);
  if (!reading.ok) return notUnderstood(payload, reading.error);
  const { state } = reading.value;
  const decided = overruled(reading.value.statement, payload.overrules ?? []);
  if (!decided.ok) return { kind: 'unreadable', result: unreadableResult(streamKey, decided.error) };
  const { forced, leftOut } = decided.value;
  const { database, job } = context;
  const streamId = stream?.id ?? null;
  // One snapshot, so that an undo of an import in the middle is seen whole or not at all.
  const { sorted, found, wipes } = database.snapshot(() => {
    const sorting = sortLines(database, streamId, decided.value.statement.lines, forced, leftOut);
    return {
      sorted: sorting,
      found: {
        balances: balancesOf(context, payload, stream, decided.value.statement),
        skipped_rows: skippedRows(database, streamId, sorting),
        same_file: sameFile(database, job.environment_id, file.value.sha256),
        overruled: payload.overrules?.length ?? 0,
      },
      wipes: wipesSeen(database, stream?.id ?? 0),
    };
  });
  const statement = withNotes({ ...decided.value.statement, lines: sorted.lines }, payload, found.same_file);
  const skipped = sorted.lines.filter((_, index) => sorted.isDuplicate[index] === true || sorted.isLeftOut[index] === true).length;
  const recipe = usedRecipe(statement, payload, kept, state, found.balances.bank_account?.name ?? null);
  const counts = { kept: sorted.lines.length - skipped, skipped };
  const result = importResultOf(streamKey, statement, counts, { ...found, recipe });
  if (result === null) return { kind: 'unreadable', result: sumTooLarge(payload) };
  return {
    kind: 'understood',
    understood: {
      statement,
      stream,
      sha256: file.value.sha256,
      byteLength: file.value.bytes.length,
      dedupeKeys: sorted.dedupeKeys,
      isDuplicate: sorted.isDuplicate,
      isLeftOut: sorted.isLeftOut,
      wipes,
      result,
    },
  };
}

/** Why a file was not understood, or that nobody wants to know any more. */
export function notUnderstood(payload: ImportPayload, error: Unreadable): Exclude<Understanding, { kind: 'understood' | 'large' }> {
  if (error.code === 'cancelled') return { kind: 'cancelled' };
  const reason = { ...error, message: `${payload.filename}: ${error.message}` };
  return { kind: 'unreadable', result: unreadableResult(payload.streamKey ?? '', reason) };
}

export function sumTooLarge({ streamKey, filename }: ImportPayload): ImportResult {
  const message = `The sum of the amounts in ${filename} is beyond ${Number.MAX_SAFE_INTEGER} minor units: split the file.`;
  return unreadableResult(streamKey ?? '', { code: 'total_out_of_range', message, row: null, column: null });
}

/** What a file is read with, but for recipes that are kept. */
export function readOptionsOf(payload: ImportPayload, stream: StreamRow | undefined): ReadOptions {
  return {
    filename: payload.filename,
    currency: payload.currency ?? stream?.currency ?? payload.recipe?.currency ?? null,
    account: payload.account === ALL_ACCOUNTS ? null : payload.account,
    recipe: payload.recipe,
  };
}

/** Recipes by which a file may be read. */
export function recipesFor(context: TaskContext, payload: ImportPayload): KeptRecipe[] {
  return payload.recipe || payload.keptRecipe === 'guess' ? [] : keptRecipes(context.database, context.job.environment_id, payload);
}

interface ReadByRecipe {
  readonly statement: Statement;
  readonly state: UsedRecipe['state'];
}

/**
 * Reads the file by the recipe that is given, by the one that is kept for its header, or by what it shows. Where a kept one does worse than
 * guessing does, nobody has chosen yet: the file is then read by guessing, and says so.
 */
function readByRecipe(
  context: TaskContext,
  payload: ImportPayload,
  bytes: Uint8Array,
  stream: StreamRow | undefined,
  kept: readonly KeptRecipe[],
): Result<ReadByRecipe, Unreadable> {
  const control = {
    onProgress: (processed: number, total: number) => context.report({ phase: 'reading', processed, total }),
    isCancelled: context.isCancelled,
  };
  const options = readOptionsOf(payload, stream);
  const first = readStatement(bytes, { ...options, known: kept }, control);
  if (!first.ok && kept.length === 0) return first;
  const state = payload.recipe ? 'given' : 'guessed';
  if (first.ok) {
    const { followed } = first.value.table ?? { followed: null };
    if (followed === null) return success({ statement: first.value, state });
    if (payload.keptRecipe === 'use' || isBeyondDoubt(first.value)) return success({ statement: first.value, state: 'remembered' });
  }
  const guessed = readStatement(bytes, options, control);
  if (!guessed.ok) return first.ok ? success({ statement: first.value, state: 'remembered' }) : guessed;
  if (first.ok && !isWorse(first.value, guessed.value)) return success({ statement: first.value, state: 'remembered' });
  return success({ statement: withDoubt(guessed.value, first.ok ? first.value : null, kept), state: 'doubtful' });
}

/** A statement with the words that a kept recipe may not fit. */
export function withDoubt(guessed: Statement, followed: Statement | null, kept: readonly KeptRecipe[]): Statement {
  const id = followed?.table?.followed ?? null;
  const name = kept.find((each) => each.id === id)?.recipe.name;
  const why =
    followed === null
      ? 'the file cannot be read by it any more'
      : followed.rejectedRows > guessed.rejectedRows
        ? `${counted(followed.rejectedRows, 'row')} cannot be read by it, and ${guessed.rejectedRows} without it`
        : `the balances are ${followed.proof} by it, and ${guessed.proof} without it`;
  const message = `The recipe ${name === undefined ? 'kept for this header' : quoted(name)} does not seem to fit this file: ${why}. Choose whether to read it by the recipe or by what the file shows.`;
  return { ...guessed, problems: [note('recipe_doubtful', message), ...guessed.problems] };
}

/** What would become of the statement's balances now. */
export function balancesOf(
  context: TaskContext,
  payload: ImportPayload,
  stream: StreamRow | undefined,
  statement: Statement,
): ImportedBalances {
  const account = targetAccount(context.database, context.job.environment_id, stream, payload, statement.currency);
  return balancesFound(context.database, account, statement.balances);
}

/** What the user is told before anything else. */
export function withNotes(statement: Statement, payload: ImportPayload, same: ImportResult['same_file']): Statement {
  const notes: Problem[] = same === null ? [] : [note('same_file', sameFileSentence(same))];
  if (asksForAccount(statement, payload)) {
    // Lines of several accounts in one stream can hardly be reconciled.
    const names = statement.accounts.map((each) => each.account).join(', ');
    const message = `The file holds ${statement.accounts.length} accounts (${names}). Choose the one to import, or all of them.`;
    notes.push(note('several_accounts', message));
  }
  return notes.length === 0 ? statement : { ...statement, problems: [...notes, ...statement.problems] };
}

/** Whether the file waits for the user to choose one of its accounts. */
export function asksForAccount(statement: Statement, payload: ImportPayload): boolean {
  return statement.accounts.length > 1 && payload.account === null;
}
