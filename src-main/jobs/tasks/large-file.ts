import type { Problem, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { type LargeTable, readLarge } from '../../domain/statement/large/read-large.ts';
import type { ReadControl, Statement, Unreadable } from '../../domain/statement/types.ts';
import { streamByKey, type StreamRow } from '../../store/streams.ts';
import { unreadableResult } from '../import-figures.ts';
import { isBeyondDoubt, isWorse, type KeptRecipe } from '../import-recipes.ts';
import type { ImportPayload } from '../protocol.ts';
import type { TaskContext } from '../task.ts';
import { openLargeFile, type OpenFile } from './read-file.ts';
import { notUnderstood, type NotUnderstood, readOptionsOf, recipesFor, withDoubt, wrongCurrency } from './understanding.ts';

/** A large file whose table is understood, and whose lines are still to be read. To be closed. */
export interface UnderstoodLarge {
  readonly file: OpenFile;
  readonly table: LargeTable;
  readonly stream: StreamRow | undefined;
  readonly kept: readonly KeptRecipe[];
  readonly state: UsedRecipe['state'];
  /** Why it stays out as the wrong file for its stream, until that is agreed to. */
  readonly wrongCurrency: Problem | null;
  /** What its reading by a kept recipe makes doubtful; null where nothing is. */
  readonly followed: { readonly statement: Statement | null } | null;
}

export function readingControl(context: TaskContext, phase: string): ReadControl {
  return {
    onProgress: (processed, total) => context.report({ phase, processed, total }),
    isCancelled: context.isCancelled,
  };
}

/** Understands a table that is too large to be held; null for any other file. Decisions about single rows are for files that are read whole. */
export function understandLarge(
  context: TaskContext,
  payload: ImportPayload,
): { readonly kind: 'large'; readonly large: UnderstoodLarge } | NotUnderstood | null {
  if ((payload.overrules?.length ?? 0) > 0) return null;
  const opened = openLargeFile(payload.path, payload.filename, context.wholeBytes);
  if (!opened.ok) return { kind: 'unreadable', result: unreadableResult(payload.streamKey ?? '', opened.error) };
  const file = opened.value;
  if (file === null) return null;
  let isTaken = false;
  try {
    const stream = payload.streamKey === null ? undefined : streamByKey(context.database, context.job.environment_id, payload.streamKey);
    const kept = recipesFor(context, payload);
    const read = readByRecipe(context, payload, file, stream, kept);
    if (!read.ok) return notUnderstood(payload, read.error);
    if (read.value === null) return null;
    isTaken = true;
    const currency = wrongCurrency(read.value.table.currencies, readOptionsOf(context, payload, stream).welcome);
    return { kind: 'large', large: { file, stream, kept, wrongCurrency: currency, ...read.value } };
  } finally {
    if (!isTaken) file.close();
  }
}

type ReadByRecipe = Pick<UnderstoodLarge, 'table' | 'state' | 'followed'>;

/** As files that are read whole are: by the recipe given, the one kept for the header, or what the file shows, whichever does better. */
function readByRecipe(
  context: TaskContext,
  payload: ImportPayload,
  file: OpenFile,
  stream: StreamRow | undefined,
  kept: readonly KeptRecipe[],
): Result<ReadByRecipe | null, Unreadable> {
  const control = readingControl(context, 'reading');
  const options = readOptionsOf(context, payload, stream);
  const first = readLarge(file, { ...options, known: kept }, control);
  if (first.ok && first.value === null) return success(null);
  if (!first.ok && kept.length === 0) return first;
  const table = first.ok ? first.value : null;
  if (table !== null && table.followed === null) {
    return success({ table, state: payload.recipe || payload.table ? 'given' : 'guessed', followed: null });
  }
  if (table !== null && payload.keptRecipe === 'use') return success({ table, state: 'remembered', followed: null });
  const statement = table?.read(control, () => undefined) ?? null;
  if (statement?.ok === false) return statement;
  if (table !== null && statement !== null && isBeyondDoubt(statement.value))
    return success({ table, state: 'remembered', followed: null });
  const guessed = readLarge(file, options, control);
  if (!guessed.ok || guessed.value === null) {
    if (table !== null) return success({ table, state: 'remembered', followed: null });
    return guessed.ok ? success(null) : failed(guessed.error);
  }
  const other = guessed.value.read(control, () => undefined);
  if (!other.ok) return other;
  if (table !== null && statement !== null && !isWorse(statement.value, other.value)) {
    return success({ table, state: 'remembered', followed: null });
  }
  return success({ table: guessed.value, state: 'doubtful', followed: { statement: statement?.value ?? null } });
}

/** The statement with the words that a kept recipe may not fit, where that is so. */
export function withDoubtOf({ followed, kept }: UnderstoodLarge, statement: Statement): Statement {
  return followed === null ? statement : withDoubt(statement, followed.statement, kept);
}
