import type { ImportRecipe, ImportResult } from '../../../src-shared/contract/index.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { isWithoutMovement, type Statement, type StatementLine, type Unreadable } from '../../domain/statement/index.ts';
import { type ImportPayload, wholeFile } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import { clearAbandonedImports } from '../../records/work/remains.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { Told } from './batch-rows.ts';
import { resultOf } from './file-result.ts';
import type { StretchOfFile } from './file-stager.ts';
import { ImportBatch } from './import-batch.ts';
import type { RowLog } from './import-rows.ts';
import { LinesOfFile } from './lines-of-file.ts';
import type { FactsOfLarge } from './open-streaming-file.ts';
import { overlapOfLarge } from './overlap.ts';
import type { KeptRecipe } from './recipes.ts';
import { asTakenBy, notUnderstood, sumTooLarge, targetStream } from './understanding.ts';
import { findingsOf, isAdmitted } from './admission.ts';

/** How an import of a large file ended; a result says why nothing of it was stored. */
export type EndOfLarge = 'stored' | 'cancelled' | ImportResult;

/**
 * Stores the lines of a large file as they come, some thousands at a time, as one batch. If a person must look at the file first, all is taken back. Once
 * that is known, for instance from a rejected row, further lines are only looked at. Whatever throws, `takeBack` is to be called.
 */
export class LargeImport {
  readonly #context: TaskContext;
  readonly #payload: ImportPayload;
  readonly #stream: StreamRow | undefined;
  readonly #kept: readonly KeptRecipe[];
  #lines: LinesOfFile;
  #batch: ImportBatch | null = null;
  #isStopped = false;
  #isCancelled = false;
  /** What the first reading said and left out, where the file is read once more. */
  #first: { readonly skippedRows: ImportResult['skipped_rows']; readonly rowLog: RowLog } | null = null;
  #rowsRead = 0;

  constructor(context: TaskContext, payload: ImportPayload, kept: readonly KeptRecipe[]) {
    this.#context = context;
    this.#payload = payload;
    this.#kept = kept;
    this.#stream = targetStream(context, payload);
    this.#lines = new LinesOfFile(context, this.#stream?.id ?? null);
  }

  /** How the stream takes the lines of a file. */
  get asTaken(): (line: StatementLine) => StatementLine {
    return asTakenBy(this.#stream);
  }

  get isCancelled(): boolean {
    return this.#isCancelled || this.#context.isCancelled();
  }

  /** Rows that were taken, those included that are rejected. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** To be called when the file is understood. If a person must look at it first, lines are only looked at from now on. */
  heed({ accounts, proof, state, isAsked, wrongCurrency }: FactsOfLarge): void {
    const soFar = { rejectedRows: 0, isDoubtful: state === 'doubtful', isMisfit: wrongCurrency !== null, isClosed: false };
    this.#isStopped ||= !isAdmitted(this.#payload, { accounts, proof, isAsked, ...soFar });
  }

  /** The next lines of the file. `onRows` hears as they are stored. */
  take({ lines, rejected }: StretchOfFile, onRows: () => void): void {
    if (this.isCancelled) return;
    for (const row of rejected) this.#lines.rowLog.reject(row, 1);
    this.#isStopped ||= rejected.length > 0 && !this.#payload.acceptRejected;
    const before = this.#rowsRead + rejected.length;
    const onWritten = (written: number): void => {
      this.#rowsRead = before + written;
      onRows();
    };
    if (this.#isStopped) this.#lines.look(lines);
    else {
      this.#batch ??= this.#open();
      const settle: Told = (there, staged) => {
        if (this.#first === null) this.#lines.settle(lines, there, staged);
      };
      if (!this.#batch.write(lines, onWritten, settle)) this.#isCancelled = true;
    }
    this.#lines.count(lines);
    onWritten(lines.count);
  }

  #open(): ImportBatch {
    const wipes = wipesSeen(this.#context.database, this.#stream?.id ?? 0);
    const batch = new ImportBatch(this.#context, this.#payload, this.#stream, 'csv', wipes);
    this.#lines.isOf(batch.opened.streamId);
    return batch;
  }

  /** Drops the lines that were taken: the file turned out to mean something else, and is read again from its first line. */
  drop(): void {
    this.takeBack();
    // The import goes on, so what it took back is cleared now.
    clearAbandonedImports(this.#context.database, () => this.isCancelled);
    this.#isStopped = false;
    this.#rowsRead = 0;
    this.#lines = new LinesOfFile(this.#context, this.#stream?.id ?? null);
  }

  /** Takes back whatever was stored. */
  takeBack(): void {
    this.#batch?.takeBack();
    this.#batch = null;
  }

  /** After the last line: publishes what was stored, or takes it back. The file is to be read `again` where something of the stream was wiped meanwhile. */
  end(facts: FactsOfLarge, read: Result<Statement, Unreadable>): EndOfLarge | 'again' {
    const ended = this.isCancelled ? 'cancelled' : this.#ended(facts, read);
    if (ended !== 'stored' && ended !== 'again') this.takeBack();
    return ended;
  }

  #ended(facts: FactsOfLarge, read: Result<Statement, Unreadable>): EndOfLarge | 'again' {
    if (!read.ok) {
      const why = notUnderstood(this.#payload, read.error);
      return why.kind === 'cancelled' ? 'cancelled' : why.result;
    }
    const { statement, result, wishes } = resultOfLarge(
      this.#context,
      this.#payload,
      this.#stream,
      this.#kept,
      facts,
      read.value,
      this.#lines,
    );
    if (result === null) return sumTooLarge(this.#payload);
    if (this.#isStopped || !isAdmitted(this.#payload, findingsOf(statement, result))) return { ...result, kept: 0 };
    // A file without a line has a batch where it states balances.
    if (isWithoutMovement(statement)) this.#batch ??= this.#open();
    else if (this.#lines.sums.lines === 0) return { ...result, kept: 0 };
    const batch = this.#batch;
    if (batch === null) return { ...result, kept: 0 };
    if (!batch.rows.listAll(wholeFile(facts.rows, facts.byteLength))) return 'cancelled';
    const asked = this.#overlap(batch, statement, result.recipe?.recipe.overlap ?? this.#payload.answers?.overlap ?? null);
    if (asked !== null) {
      const problems = asked.problem === null ? result.problems : [asked.problem, ...result.problems];
      return { ...result, kept: 0, questions: [...result.questions, asked.question], problems };
    }
    const { skippedRows, rowLog } = this.#first ?? { skippedRows: result.skipped_rows, rowLog: this.#lines.rowLog };
    const { sha256, byteLength } = facts;
    if (batch.publish({ statement, result: { ...result, skipped_rows: skippedRows }, wishes, sha256, byteLength, rowLog, same: [] }))
      return 'stored';
    // What the stream had of the file may be gone: only lines that are not there yet go in when it is read once more.
    this.#first = { skippedRows, rowLog };
    this.#rowsRead = 0;
    this.#lines = new LinesOfFile(this.#context, batch.opened.streamId);
    return 'again';
  }

  /** Whether the stream may have lines of the file already in other words. */
  #overlap({ opened, rows }: ImportBatch, statement: Statement, answer: ImportRecipe['overlap']): ReturnType<typeof overlapOfLarge> {
    const { database, job } = this.#context;
    if (this.#stream === undefined || this.#first !== null) return null;
    const target = { environmentId: job.environment_id, streamId: opened.streamId, format: statement.format };
    const ofBatch = {
      batchId: opened.batchId,
      ids: rows.ids,
      kept: rows.kept.lines,
      named: this.#lines.skipped,
      days: this.#lines.sums.days,
    };
    return overlapOfLarge(database, target, ofBatch, answer);
  }
}

/** The result of a large file; null where a sum is too large. */
export function resultOfLarge(
  context: TaskContext,
  payload: ImportPayload,
  stream: StreamRow | undefined,
  kept: readonly KeptRecipe[],
  facts: FactsOfLarge,
  read: Statement,
  lines: LinesOfFile,
): ReturnType<typeof resultOf> {
  return resultOf(context, payload, stream, kept, {
    ...facts,
    statement: { ...read, lines: read.lines.map(asTakenBy(stream)) },
    overlap: null,
    closed: lines.closed,
    skippedRows: lines.skippedRows,
    counts: { kept: lines.sums.lines - lines.skipped, skipped: lines.skipped },
    sums: lines.sums,
  });
}
