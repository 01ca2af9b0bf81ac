import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { failed } from '../../../src-shared/values/result.ts';
import type { LargeTable } from '../../domain/statement/large/read-large.ts';
import { cancelled } from '../../domain/statement/read-table.ts';
import type { ReadControl, Statement } from '../../domain/statement/types.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { storeBalances } from '../import-balances.ts';
import { sameFile } from '../import-duplicates.ts';
import { importResultOf } from '../import-figures.ts';
import { usedRecipe } from '../import-recipes.ts';
import type { ImportPayload } from '../protocol.ts';
import type { TaskContext } from '../task.ts';
import { BatchRows, type Told } from './batch-rows.ts';
import {
  factsOfBatch,
  IMPORT_CACHE_KIB,
  NO_FACTS,
  openBatch,
  type Opened,
  orTakenBack,
  publish,
  removeHalfWritten,
} from './import-batch.ts';
import { type UnderstoodLarge, withDoubtOf } from './large-file.ts';
import { roomOfStage, type StagedLines } from './line-stage.ts';
import { LineStaging, type StretchOfFile } from './line-staging.ts';
import { LinesOfFile } from './lines-of-file.ts';
import { balancesOf, notUnderstood, sumTooLarge, type Understanding, withNotes } from './understanding.ts';

/** The result of a large file; null where a sum is too large. */
function resultOf(
  context: TaskContext,
  payload: ImportPayload,
  large: UnderstoodLarge,
  read: Statement,
  lines: LinesOfFile,
): { readonly statement: Statement; readonly result: ImportResult | null } {
  const found = {
    balances: balancesOf(context, payload, large.stream, read),
    skipped_rows: lines.skippedRows,
    same_file: sameFile(context.database, context.job.environment_id, large.file.sha256()),
    overruled: 0,
  };
  const statement = withNotes(withDoubtOf(large, read), payload, found.same_file, large.wrongCurrency);
  const recipe = usedRecipe(statement, payload, large.kept, large.state, found.balances.bank_account?.name ?? null);
  const counts = { kept: lines.sums.lines - lines.skipped, skipped: lines.skipped };
  return { statement, result: importResultOf(payload.streamKey ?? '', statement, counts, { ...found, recipe }, lines.sums) };
}

/** Looks at the lines of a large file and compares them with the stream; stores nothing. Only the first lines are listed. */
export function lookAtLarge(context: TaskContext, payload: ImportPayload, large: UnderstoodLarge): Understanding {
  const { database } = context;
  const streamId = large.stream?.id ?? null;
  const lines = new LinesOfFile(context, streamId);
  return database.snapshot(() => {
    const control = rowsControl(context, 'comparing', large, () => lines.sums.lines);
    const read = readStaged(large, control, ({ lines: some, rejected }) => {
      for (const row of rejected) lines.rowLog.reject(row, 1);
      lines.count(some);
      lines.look(some);
    });
    if (!read.ok) return notUnderstood(payload, read.error);
    const { statement, result } = resultOf(context, payload, large, read.value, lines);
    if (result === null) return { kind: 'unreadable', result: sumTooLarge(payload) };
    const understood = {
      statement,
      stream: large.stream,
      sha256: large.file.sha256(),
      byteLength: large.file.byteLength,
      dedupeKeys: lines.listed.map(({ key }) => key),
      isDuplicate: lines.listed.map(({ isDuplicate }) => isDuplicate),
      isLeftOut: lines.listed.map(() => false),
      rowLog: lines.rowLog,
      wipes: wipesSeen(database, streamId ?? 0),
      result,
    };
    return { kind: 'understood', understood };
  });
}

/** Reads all lines of a file, staged. */
function readStaged(
  { table }: UnderstoodLarge,
  control: ReadControl,
  hand: (stretch: StretchOfFile) => void,
): ReturnType<LargeTable['read']> {
  const staging = new LineStaging(roomOfStage(table.rows), hand);
  const read = table.read(control, (built) => staging.add(built));
  if (read.ok) staging.end();
  return read;
}

/** Stores lines as they are read, until one is rejected that must not be; from then on they are only looked at. */
class Storing {
  readonly #context: TaskContext;
  readonly #opened: Opened;
  readonly #mayReject: boolean;
  readonly rows: BatchRows;
  #lines: LinesOfFile;
  #isAgain = false;
  /** Rows that were read, those included that are rejected. */
  read = 0;
  isStopped = false;
  isCancelled = false;

  constructor(context: TaskContext, opened: Opened, mayReject: boolean) {
    this.#context = context;
    this.#opened = opened;
    this.#mayReject = mayReject;
    this.rows = new BatchRows(context, opened);
    this.#lines = new LinesOfFile(context, opened.streamId);
  }

  get lines(): LinesOfFile {
    return this.#lines;
  }

  /** The file is read once more, since what the stream had of it may be gone: only lines that are not there yet go in. */
  again(): void {
    this.#isAgain = true;
    this.read = 0;
    this.rows.again();
    this.#lines = new LinesOfFile(this.#context, this.#opened.streamId);
  }

  /** `onRows` hears of rows as they are stored. */
  take({ lines, rejected }: StretchOfFile, onRows: () => void): void {
    if (this.isCancelled) return;
    for (const row of rejected) this.#lines.rowLog.reject(row, 1);
    this.isStopped ||= rejected.length > 0 && !this.#mayReject;
    this.#lines.count(lines);
    this.read += rejected.length;
    const before = this.read;
    const onWritten = (written: number): void => {
      this.read = before + written;
      onRows();
    };
    if (!this.isStopped) this.isCancelled = !this.#write(lines, onWritten);
    else {
      this.#lines.look(lines);
      onWritten(lines.count);
    }
  }

  #write(lines: StagedLines, onWritten: (written: number) => void): boolean {
    const settle: Told = (there, staged) => {
      if (!this.#isAgain) this.#lines.settle(lines, there, staged);
    };
    return this.rows.write(lines, onWritten, settle) && this.rows.listMany();
  }

  /** After the last lines; false when cancelled. */
  end(): boolean {
    return this.isStopped || this.rows.listAll();
  }
}

/**
 * Stores the new lines of a large file as one batch, or nothing where a person must look at it first: then the result says why. Its rows are
 * written while it is read, and taken back where it turns out that it must stay out.
 */
export function storeLarge(context: TaskContext, payload: ImportPayload, large: UnderstoodLarge): 'stored' | 'cancelled' | ImportResult {
  try {
    const isAsked = large.wrongCurrency !== null || large.state === 'doubtful' || large.table.questions.length > 0;
    const isDoubtful = isAsked || (large.table.proof === 'broken' && !payload.acceptBroken);
    if (payload.dryRun || isDoubtful) {
      const looked = lookAtLarge(context, payload, large);
      if (looked.kind === 'cancelled') return 'cancelled';
      if (looked.kind === 'unreadable') return looked.result;
      return payload.dryRun ? looked.understood.result : { ...looked.understood.result, kept: 0 };
    }
    return storeAsRead(context, payload, large);
  } finally {
    large.file.close();
  }
}

function storeAsRead(context: TaskContext, payload: ImportPayload, large: UnderstoodLarge): 'stored' | 'cancelled' | ImportResult {
  const { file, stream } = large;
  removeHalfWritten(context, stream?.id ?? null);
  let wipes = wipesSeen(context.database, stream?.id ?? 0);
  const ofBatch = { format: 'csv', sha256: file.sha256(), byteLength: file.byteLength };
  const opened = openBatch(context, payload, ofBatch, NO_FACTS);
  const storing = new Storing(context, opened, payload.acceptRejected);
  let outcome: 'cancelled' | ImportResult = 'cancelled';
  let hasBalances = false;
  const isStored = orTakenBack(context, opened, () => {
    for (;;) {
      const read = readInto(context, large, storing);
      if (!read.ok) {
        const end = notUnderstood(payload, read.error);
        outcome = end.kind === 'cancelled' ? 'cancelled' : end.result;
        return false;
      }
      const first = outcome;
      const { statement, result } = resultOf(context, payload, large, read.value, storing.lines);
      outcome = result === null ? sumTooLarge(payload) : { ...result, kept: 0 };
      if (result === null || storing.isStopped || storing.lines.sums.lines === 0) return false;
      if (!hasBalances) {
        storeBalances(context.database, opened.batchId, statement, context.clock.nowMs());
        storing.lines.rowLog.store(context.database, context.job.id);
      }
      hasBalances = true;
      const facts = factsOfBatch(context, statement, result, storing.lines.sums.days?.lastDay ?? 0);
      const told = first === 'cancelled' ? result : { ...result, skipped_rows: first.skipped_rows };
      const ready = {
        statement,
        stream,
        sha256: file.sha256(),
        result: told,
        facts,
        rows: storing.rows,
        lines: storing.lines.sums.lines,
        wipes,
      };
      if (publish(context, payload, opened, ready)) return true;
      wipes = wipesSeen(context.database, opened.streamId);
      storing.again();
    }
  });
  return isStored ? 'stored' : outcome;
}

/** Once the file was read to its end its rows are known, and progress is told in them. */
function rowsControl(context: TaskContext, phase: string, { table }: UnderstoodLarge, read: () => number) {
  const onProgress = () => context.report({ phase, processed: Math.min(read(), table.rows), total: table.rows });
  return { onProgress, isCancelled: context.isCancelled };
}

/** One reading of the file into the batch. */
function readInto(context: TaskContext, large: UnderstoodLarge, storing: Storing): ReturnType<LargeTable['read']> {
  const end = context.database.beginUnseenWrites({ cacheKib: IMPORT_CACHE_KIB });
  try {
    const control = rowsControl(context, 'storing', large, () => storing.read);
    const isCancelled = () => storing.isCancelled || control.isCancelled();
    const read = readStaged(large, { isCancelled, onProgress: () => undefined }, (stretch) => storing.take(stretch, control.onProgress));
    if (read.ok && !storing.end()) return failed(cancelled());
    control.onProgress();
    return read;
  } finally {
    end();
  }
}
