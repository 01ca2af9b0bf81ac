import type { ImportRecipe, ImportResult } from '../../../../src-shared/contract/index.ts';
import type { Result } from '../../../../src-shared/values/result.ts';
import type { Statement, StatementLine, Unreadable } from '../../../domain/statement/index.ts';
import { streamByKey, type StreamRow } from '../../../store/streams/streams.ts';
import { wipesSeen } from '../../../store/wipes/wipes.ts';
import { clearAbandonedImports } from '../../wiping/remains.ts';
import { type ImportPayload, wholeFile } from '../../worker/protocol.ts';
import type { TaskContext } from '../../worker/task.ts';
import { BatchRows, type Told } from '../batch/batch-rows.ts';
import type { StretchOfFile } from '../batch/file-stager.ts';
import { abandonHalfWritten, factsOfBatch, NO_FACTS, openBatch, publish, takeBack } from '../batch/import-batch.ts';
import { LinesOfFile } from '../batch/lines-of-file.ts';
import { IMPORT_CACHE_KIB, type Opened } from '../batch/opened-batch.ts';
import { storeBalances, type Wishes } from '../reading/balances.ts';
import { isClosed } from '../reading/closed-lines.ts';
import { resultOf } from '../reading/file-result.ts';
import { overlapOfLarge } from '../reading/overlap.ts';
import type { KeptRecipe } from '../reading/recipes.ts';
import { asksForAccount, asTakenBy, notUnderstood, sumTooLarge } from '../reading/understanding.ts';
import type { FactsOfLarge } from './open-streaming-file.ts';

/** How an import of a large file ended; a result says why nothing of it was stored. */
export type EndOfLarge = 'stored' | 'cancelled' | ImportResult;

/** A batch that is being written. */
interface OpenBatch {
  readonly opened: Opened;
  readonly rows: BatchRows;
}

/**
 * Stores the lines of a large file as they come, some thousands at a time, as one batch, or nothing where a person must look at it first: then all is taken back. From
 * a rejected row on that must not be, lines are only looked at. Whatever throws, `takeBack` is to be called.
 */
export class LargeImport {
  readonly #context: TaskContext;
  readonly #payload: ImportPayload;
  readonly #stream: StreamRow | undefined;
  readonly #kept: readonly KeptRecipe[];
  #lines: LinesOfFile;
  #batch: OpenBatch | null = null;
  /** Ends the writing of what nobody sees. */
  #endWrites: (() => void) | null = null;
  /** What was being wiped of the stream when its lines were looked at. */
  #wipes: string;
  #isStopped = false;
  #isCancelled = false;
  /** What the first reading said, where the file is read once more. */
  #first: ImportResult | null = null;
  #rowsRead = 0;

  constructor(context: TaskContext, payload: ImportPayload, kept: readonly KeptRecipe[]) {
    this.#context = context;
    this.#payload = payload;
    this.#kept = kept;
    this.#stream = payload.streamKey === null ? undefined : streamByKey(context.database, context.job.environment_id, payload.streamKey);
    this.#lines = new LinesOfFile(context, this.#stream?.id ?? null);
    this.#wipes = wipesSeen(context.database, this.#stream?.id ?? 0);
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

  /** The file is understood: where a person must look at it first, lines are only looked at from now on. */
  heed({ state, proof, isAsked, wrongCurrency, accounts }: FactsOfLarge): void {
    const isOtherCurrency = wrongCurrency !== null && this.#payload.acceptTarget !== true;
    const isDoubtful = isOtherCurrency || state === 'doubtful' || isAsked || asksForAccount({ accounts }, this.#payload);
    if (isDoubtful || (proof === 'broken' && !this.#payload.acceptBroken)) this.#isStopped = true;
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
      const { rows } = (this.#batch ??= this.#open());
      this.#endWrites ??= this.#context.database.beginUnseenWrites({ cacheKib: IMPORT_CACHE_KIB });
      const settle: Told = (there, staged) => {
        if (this.#first === null) this.#lines.settle(lines, there, staged);
      };
      if (!rows.write(lines, onWritten, settle) || !rows.listMany()) this.#isCancelled = true;
    }
    this.#lines.count(lines);
    onWritten(lines.count);
  }

  #open(): OpenBatch {
    const ofBatch = { format: 'csv', sha256: '', byteLength: 0 };
    abandonHalfWritten(this.#context, this.#stream?.id ?? null);
    this.#wipes = wipesSeen(this.#context.database, this.#stream?.id ?? 0);
    const opened = openBatch(this.#context, this.#payload, ofBatch, NO_FACTS);
    this.#lines.isOf(opened.streamId);
    return { opened, rows: new BatchRows(this.#context, opened) };
  }

  /** What was taken is not what the file says: it is read again, from its first line on. */
  drop(): void {
    this.takeBack();
    // This import goes on to its end: it leaves nothing behind.
    clearAbandonedImports(this.#context.database, () => this.isCancelled);
    this.#isStopped = false;
    this.#rowsRead = 0;
    this.#lines = new LinesOfFile(this.#context, this.#stream?.id ?? null);
  }

  /** Takes back whatever was stored. */
  takeBack(): void {
    this.#stopWrites();
    if (this.#batch !== null) takeBack(this.#context, this.#batch.opened);
    this.#batch = null;
  }

  #stopWrites(): void {
    const end = this.#endWrites;
    this.#endWrites = null;
    end?.();
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
    const batch = this.#batch;
    const isMisfit = result.misfits.length > 0 && this.#payload.acceptTarget !== true;
    if (this.#isStopped || isMisfit || isClosed(result) || batch === null || this.#lines.sums.lines === 0) return { ...result, kept: 0 };
    if (!batch.rows.listAll(wholeFile(facts.rows, facts.byteLength))) return 'cancelled';
    const asked = this.#overlap(batch, statement, result.recipe?.recipe.overlap ?? this.#payload.answers?.overlap ?? null);
    if (asked !== null) {
      const problems = asked.problem === null ? result.problems : [asked.problem, ...result.problems];
      return { ...result, kept: 0, questions: [...result.questions, asked.question], problems };
    }
    this.#stopWrites();
    return this.#published(batch, facts, statement, result, wishes) ? 'stored' : 'again';
  }

  /** Whether the stream may have lines of the file already in other words. */
  #overlap({ opened, rows }: OpenBatch, statement: Statement, answer: ImportRecipe['overlap']): ReturnType<typeof overlapOfLarge> {
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

  #published({ opened, rows }: OpenBatch, facts: FactsOfLarge, statement: Statement, result: ImportResult, wishes: Wishes): boolean {
    const { database, clock, job } = this.#context;
    if (this.#first === null) {
      storeBalances(database, opened.batchId, statement, clock.nowMs());
      this.#lines.rowLog.store(database, job.id);
    }
    const { lines, days } = this.#lines.sums;
    const ready = {
      statement,
      stream: this.#stream,
      file: { sha256: facts.sha256, byteLength: facts.byteLength },
      result: this.#first === null ? result : { ...result, skipped_rows: this.#first.skipped_rows },
      facts: factsOfBatch(this.#context, statement, result, days?.lastDay ?? 0),
      rows,
      same: [],
      wishes,
      lines,
      wipes: this.#wipes,
    };
    if (publish(this.#context, this.#payload, opened, ready)) return true;
    // What the stream had of the file may be gone: only lines that are not there yet go in when it is read once more.
    this.#wipes = wipesSeen(database, opened.streamId);
    this.#first ??= result;
    this.#rowsRead = 0;
    rows.again();
    this.#lines = new LinesOfFile(this.#context, opened.streamId);
    return false;
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
