import type { ImportResult, Problem } from '../../../src-shared/contract/index.ts';
import type { Statement } from '../../domain/statement/index.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import type { Wishes } from './balances.ts';
import type { WayOfReading } from './chosen-reading.ts';
import { sameFile } from './duplicates.ts';
import { importResultOf, type LineSums } from './figures.ts';
import { misfitsOf } from './misfits.ts';
import { type ClosedLines, closedProblem } from './closed-lines.ts';
import { type DecidedOverlap, withOverlap } from './overlap.ts';
import { accountWishes, type KeptRecipe, usedRecipe } from './recipes.ts';
import { balancesOf, withDoubt, withNotes } from './understanding.ts';

/** A file that was read, held or in stretches, whose lines were compared with the stream. */
interface ComparedFile extends WayOfReading {
  /** Its lines as the stream takes them. */
  readonly statement: Statement;
  readonly sha256: string;
  /** Why it stays out as the wrong file for its stream, until that is agreed to. */
  readonly wrongCurrency: Problem | null;
  /** A file that names no currency was read in the one of the book. */
  readonly isCurrencyOfBook: boolean;
  /** Of lines that the stream has in other words; null where lines are not compared one by one. */
  readonly overlap: DecidedOverlap | null;
  readonly skippedRows: ImportResult['skipped_rows'];
  readonly counts: { readonly kept: number; readonly skipped: number };
  /** How many of its new lines are dated within a closed period; null where it is settled later. */
  readonly closed: ClosedLines | null;
  /** Of lines that are not held; null where the statement has all of them. */
  readonly sums: LineSums | null;
}

/** The result of a file; null where a sum is too large. */
export function resultOf(
  context: TaskContext,
  payload: ImportPayload,
  stream: StreamRow | undefined,
  kept: readonly KeptRecipe[],
  file: ComparedFile,
): { readonly statement: Statement; readonly result: ImportResult | null; readonly wishes: Wishes } {
  const { database, job } = context;
  const { state, followed, overlap } = file;
  const wishes = accountWishes(database, job.environment_id, payload, file.statement, kept, state);
  const found = {
    balances: balancesOf(context, wishes, stream, file.statement),
    skipped_rows: [...file.skippedRows],
    overlap: overlap?.listed ?? [],
    same_file: sameFile(database, job.environment_id, file.sha256),
    overruled: payload.overrules?.length ?? 0,
  };
  const read = followed === null ? file.statement : withDoubt(file.statement, followed.statement, kept);
  const apart = misfitsOf(database, stream, read, { payload, kept });
  const { statement: said, misfits } = overlap === null ? { statement: read, misfits: apart } : withOverlap(read, overlap, apart);
  const noted = withNotes(said, payload, stream, file, found, file.wrongCurrency);
  const closed = file.closed === null ? null : closedProblem(file.closed);
  const statement = closed === null ? noted : { ...noted, problems: [closed, ...noted.problems] };
  const recipe = usedRecipe(statement, payload, kept, state, found.balances.bank_account?.name ?? null);
  const sums = file.sums ?? undefined;
  return {
    statement,
    wishes,
    result: importResultOf(payload.streamKey ?? '', statement, file.counts, { ...found, recipe, misfits }, sums),
  };
}
