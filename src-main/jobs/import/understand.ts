import type { UsedRecipe } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import {
  type LineTaker,
  overruled,
  type ReadOptions,
  readStatement,
  type Statement,
  type Unreadable,
} from '../../domain/statement/index.ts';
import { streamByKey, type StreamRow } from '../../store/streams/streams.ts';
import { wipesSeen } from '../../store/wipes/wipes.ts';
import type { ImportPayload } from '../worker/protocol.ts';
import type { TaskContext } from '../worker/task.ts';
import { sameFile, SHOWN_SKIPPED, skippedRows, sortLines } from './reading/duplicates.ts';
import { decidedOverlap, overlapsOf, withOverlap } from './reading/overlap.ts';
import { accountWishes, isBeyondDoubt, isWorse, type KeptRecipe, missingSheetOf, overlapAnswer, usedRecipe } from './reading/recipes.ts';
import { importResultOf, unreadableResult } from './reading/figures.ts';
import { misfitsOf } from './reading/misfits.ts';
import { rowLogOf } from './reading/import-rows.ts';
import { overlapByBalances } from './reading/overlap-balances.ts';
import { notRead, readingControl, understandLarge, type UnderstoodLarge } from './streaming/open-streaming-file.ts';
import { type FileBytes, readFileBytes } from './reading/read-file.ts';
import {
  asTakenBy,
  balancesOf,
  notUnderstood,
  readOptionsOf,
  recipesFor,
  sumTooLarge,
  type Understanding,
  withDoubt,
  withNotes,
  wrongCurrency,
} from './reading/understanding.ts';

/** How many lines a slow and busy machine compares with a stream in a millisecond. No progress is told meanwhile. */
const SLOWEST_LINES_PER_MS = 20;

/** The lines of a large file are not held: they are read when they are looked at or stored. */
type UnderstoodFile = Understanding | { readonly kind: 'large'; readonly large: UnderstoodLarge };

/** Reads the file of a job. Nothing is stored, unless `taker` does so, which gets the lines of a large file while it is read (see `readLarge`). */
export function understandFile(context: TaskContext, payload: ImportPayload, taker: LineTaker | null = null): UnderstoodFile {
  const large = understandLarge(context, payload, taker);
  if (large !== null) return large;
  const file = readFileBytes(payload);
  if (!file.ok) return notRead(payload, file.error);
  const stream = payload.streamKey === null ? undefined : streamByKey(context.database, context.job.environment_id, payload.streamKey);
  const kept = recipesFor(context, payload);
  const reading = readByRecipe(context, payload, file.value.bytes, stream, kept);
  if (!reading.ok) return notUnderstood(payload, reading.error);
  const { longStep = (_milliseconds, work) => work() } = context;
  return longStep(reading.value.statement.lines.length / SLOWEST_LINES_PER_MS, () =>
    comparedWithStream(context, payload, { ...reading.value, file: file.value, stream, kept }),
  );
}

interface ReadWhole extends ReadByRecipe {
  readonly file: FileBytes;
  readonly stream: StreamRow | undefined;
  readonly kept: readonly KeptRecipe[];
}

/** Compares the lines of a file with what the stream has. */
function comparedWithStream(context: TaskContext, payload: ImportPayload, whole: ReadWhole): Understanding {
  const { state, file, stream, kept } = whole;
  const streamKey = payload.streamKey ?? '';
  const decided = overruled(whole.statement, payload.overrules ?? []);
  if (!decided.ok) return { kind: 'unreadable', result: unreadableResult(streamKey, decided.error) };
  const { forced, leftOut } = decided.value;
  const { database, job } = context;
  const wishes = accountWishes(database, job.environment_id, payload, decided.value.statement, kept, state);
  const streamId = stream?.id ?? null;
  // One snapshot, so that an undo of an import in the middle is seen whole or not at all.
  const { sorted, found, wipes, overlap } = database.snapshot(() => {
    const { lines } = decided.value.statement;
    const asFileSays = sortLines(database, streamId, lines, forced, leftOut);
    // Keys are those of the lines as the file says them.
    const sorting = { ...asFileSays, lines: asFileSays.lines.map(asTakenBy(stream)) };
    const target = { environmentId: job.environment_id, streamId, format: decided.value.statement.format };
    const overlap = decidedOverlap(
      overlapsOf(database, target, sorting, (place) => forced.has(present(lines[place], 'line'))),
      sorting,
      { said: overlapAnswer(decided.value.statement.table, payload, kept), isOfRecipe: payload.answers?.overlap === undefined },
      (pairs) => overlapByBalances(database, stream, decided.value.statement, sorting, pairs),
    );
    return {
      sorted: overlap.sorted,
      overlap,
      found: {
        balances: balancesOf(context, wishes, stream, decided.value.statement),
        skipped_rows: [...overlap.skipped, ...skippedRows(database, streamId, sorting)].slice(0, SHOWN_SKIPPED),
        overlap: overlap.listed,
        same_file: sameFile(database, job.environment_id, file.sha256),
        overruled: payload.overrules?.length ?? 0,
      },
      wipes: wipesSeen(database, stream?.id ?? 0),
    };
  });
  const options = readOptionsOf(context, payload, stream);
  const otherCurrency = wrongCurrency(decided.value.statement.currencies, options.welcome);
  const apart = misfitsOf(database, stream, decided.value.statement, { payload, kept });
  const { statement: read, misfits } = withOverlap({ ...decided.value.statement, lines: sorted.lines }, overlap, apart);
  const statement = withNotes(read, payload, stream, options, found, otherCurrency);
  const skipped = sorted.lines.filter((_, index) => sorted.isDuplicate[index] === true || sorted.isLeftOut[index] === true).length;
  const recipe = usedRecipe(statement, payload, kept, state, found.balances.bank_account?.name ?? null);
  const counts = { kept: sorted.lines.length - skipped, skipped };
  const result = importResultOf(streamKey, statement, counts, { ...found, recipe, misfits });
  if (result === null) return { kind: 'unreadable', result: sumTooLarge(payload) };
  return {
    kind: 'understood',
    understood: {
      statement,
      stream,
      sha256: file.sha256,
      byteLength: file.bytes.length,
      dedupeKeys: sorted.dedupeKeys,
      isDuplicate: sorted.isDuplicate,
      isLeftOut: sorted.isLeftOut,
      same: overlap.same,
      rowLog: rowLogOf(
        statement,
        sorted.dedupeKeys,
        (place) => sorted.isDuplicate[place] === true,
        (place) => sorted.isLeftOut[place] === true,
      ),
      wipes,
      wishes,
      result,
    },
  };
}

interface ReadByRecipe {
  readonly statement: Statement;
  readonly state: UsedRecipe['state'];
}

/**
 * Reads the file by the recipe that is given, by the one that is kept for its header, or by what it shows. If a kept recipe does worse than
 * guessing, and nobody has chosen between them, the file is read by guessing, and the result says so.
 */
function readByRecipe(
  context: TaskContext,
  payload: ImportPayload,
  bytes: Uint8Array,
  stream: StreamRow | undefined,
  kept: readonly KeptRecipe[],
): Result<ReadByRecipe, Unreadable> {
  const control = readingControl(context);
  const options = readOptionsOf(context, payload, stream);
  const first = readStatement(bytes, { ...options, known: kept }, control);
  if (!first.ok && kept.length === 0) return first;
  const state = payload.recipe || payload.table ? 'given' : 'guessed';
  if (first.ok) {
    const { followed } = first.value.table ?? { followed: null };
    if (followed === null) return success({ statement: first.value, state });
    if (payload.keptRecipe === 'use' || isBeyondDoubt(first.value)) return success({ statement: first.value, state: 'remembered' });
  }
  const followed = first.ok ? first.value : null;
  const beside = readStatement(bytes, besides(followed, options), control);
  const isSure = followed !== null && missingSheetOf(followed) === null && !(beside.ok && isWorse(followed, beside.value));
  if (isSure) return success({ statement: followed, state: 'remembered' });
  const guessed = besides(followed, options) === options ? beside : readStatement(bytes, options, control);
  if (!guessed.ok && followed === null) return guessed;
  const shown = guessed.ok ? guessed.value : present(followed, 'statement');
  return success({ statement: withDoubt(shown, followed, kept), state: 'doubtful' });
}

/** Guessing is measured against a recipe by the sheet that both read. */
function besides(followed: Statement | null, options: ReadOptions): ReadOptions {
  const sheet = followed?.table?.sheet ?? null;
  return sheet === null || sheet.missing !== null ? options : { ...options, table: { sheet: sheet.name } };
}
