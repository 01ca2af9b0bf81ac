import { present } from '../../../src-shared/values/assert.ts';
import { updateJob } from '../../book/store/jobs.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import { abandonImport, removeRowsOfJob, type UnpublishedImport } from '../../records/work/cleanup.ts';
import { insertStream, streamByKey, type StreamRow } from '../../streams/store/streams.ts';
import { insertBatch, writingBatchesOfStream } from '../store/import-batches.ts';
import { storeBalances } from './balances.ts';
import { BatchRows, type Told } from './batch-rows.ts';
import type { StagedLines } from './line-stage.ts';
import { publishOnce, type ToPublish } from './publish-import.ts';
import { linkReversals } from './reversals.ts';
import { suggestedStream } from './suggested-stream.ts';

/** A small cache: rows go to the ends of indices and into lists in order, so few pages are needed again. */
const IMPORT_CACHE_KIB = 16_384;

/**
 * A batch that nobody sees before it is published. Every import stores by it: those of files that are held in memory, and those of files that are
 * streamed. Whatever throws, `takeBack` is to be called.
 */
export class ImportBatch {
  readonly #context: TaskContext;
  readonly #payload: ImportPayload;
  readonly opened: UnpublishedImport;
  readonly rows: BatchRows;
  /** What was being wiped of the stream when the lines were compared with it. */
  #wipes: string;
  /** Ends what `beginUnseenWrites` began. */
  #endWrites: (() => void) | null = null;
  #hasBalances = false;

  constructor(context: TaskContext, payload: ImportPayload, stream: StreamRow | undefined, format: string, wipes: string) {
    this.#context = context;
    this.#payload = payload;
    this.#wipes = wipes;
    if (stream !== undefined) abandonHalfWritten(context, stream.id);
    this.opened = openBatch(context, payload, format);
    this.rows = new BatchRows(context, this.opened);
  }

  /** Writes those of the lines that the stream does not have; as `BatchRows.write`. False when cancelled. */
  write(lines: StagedLines, onWritten: (written: number) => void, told: Told): boolean {
    this.#endWrites ??= this.#context.database.beginUnseenWrites({ cacheKib: IMPORT_CACHE_KIB });
    return this.rows.write(lines, onWritten, told) && this.rows.listMany();
  }

  #stopWrites(): void {
    const end = this.#endWrites;
    this.#endWrites = null;
    end?.();
  }

  /**
   * Publishes the batch, whose rows are listed. False if something of the stream was wiped meanwhile: a line that the stream had may be gone,
   * so lines are to be written once more. If others added something meanwhile, it tries again.
   */
  publish(ready: ToPublish): boolean {
    this.#stopWrites();
    const { database, clock, job } = this.#context;
    const { opened, rows } = this;
    if (!this.#hasBalances) storeBalances(database, opened.batchId, ready.statement, clock.nowMs());
    this.#hasBalances = true;
    ready.rowLog.store(database, job.id);
    rows.giveWay();
    linkReversals(this.#context, { ...opened, environmentId: job.environment_id }, rows.kept.days);
    for (;;) {
      rows.giveWay();
      const end = publishOnce(this.#context, this.#payload, { opened, rows, wipes: this.#wipes }, ready);
      if (end === 'published') return true;
      if (end === 'overtaken') continue;
      this.#wipes = wipesSeen(database, opened.streamId);
      rows.again();
      return false;
    }
  }

  /** Takes back all that was written. Many rows are only hidden now, and cleared later. */
  takeBack(): void {
    this.#stopWrites();
    abandonImport(this.#context.database, this.opened);
    removeRowsOfJob(this.#context.database, this.#context.job.id);
  }
}

/** Abandons batches that an import left half-written on a full disk. Otherwise their rows would count as duplicates. */
function abandonHalfWritten({ database }: TaskContext, streamId: number): void {
  for (const batchId of writingBatchesOfStream(database, streamId)) abandonImport(database, { batchId, streamId, streamIsNew: false });
}

/** The stream (made when missing) and an unpublished batch. What it keeps of its file is written as it is published. */
function openBatch(context: TaskContext, payload: ImportPayload, format: string): UnpublishedImport {
  const environmentId = context.job.environment_id;
  const nowMs = context.clock.nowMs();
  const streamKey = present(payload.streamKey, 'stream key');
  return context.database.write((write) => {
    const existing = streamByKey(write, environmentId, streamKey);
    const streamId =
      existing?.id ??
      insertStream(write, {
        environmentId,
        key: streamKey,
        name: payload.streamName ?? suggestedStream(streamKey).stream_name,
        description: null,
        type: 'csv',
        currency: null,
        referenceField: null,
        literalDebitCredit: false,
        createdAtMs: nowMs,
      });
    const batchId = insertBatch(write, {
      environment_id: environmentId,
      stream_id: streamId,
      writing: 1,
      source: format === 'nacha' ? 'nacha_upload' : 'csv_upload',
      filename: payload.filename,
      format,
      sha256: '',
      byte_length: 0,
      created_at: nowMs,
    });
    // Kept in the job's row, so that a start after a crash knows what to take back.
    updateJob(write, context.job.id, { result: JSON.stringify({ open: { batchId, streamId, streamIsNew: existing === undefined } }) });
    return { streamId, batchId, streamIsNew: existing === undefined };
  });
}

/** Does some work; where it throws, all that was written is taken back first. */
export function orTakenBack<T>(takeAllBack: () => void, work: () => T): T {
  try {
    return work();
  } catch (error) {
    takeBackAfter(takeAllBack);
    throw error;
  }
}

export function takeBackAfter(takeAllBack: () => void): void {
  try {
    takeAllBack();
  } catch {
    // The disk may still be full: the next start takes it back. What was written stays unpublished until then.
  }
}
