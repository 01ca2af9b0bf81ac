import type { Worker } from 'node:worker_threads';
import { assert } from '../../../src-shared/values/assert.ts';
import { failed, type Result } from '../../../src-shared/values/result.ts';
import { CANCELLED, type EngineFailure, type EngineRule, MatchCollector, type MatchRoom, sharedRoom } from '../../domain/matching/index.ts';
import type { RunPayload } from '../../jobs/protocol.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import type { TaskContext, TaskEnd } from '../../jobs/task.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import { factsText, type StoredFacts } from './run-facts.ts';
import { lookForMatches, type RunListener, storeRun } from './run-task.ts';
import type { RowsProgress, RowsStart, RowsCommand } from './writer-thread.ts';
import { membersByRecord } from './members-by-record.ts';
import type { Found } from './publish.ts';
import type { RowsOfRun } from './match-writer.ts';
import { writingReport, type WrittenRows } from './member-writer.ts';

/** With fewer free records than this, writing here is faster than starting a thread. */
const FEWEST_RECORDS = 40_000;
/** How often the run checks for cancellation while it waits for its writer. */
const LOOK_MS = 50;

/** A thread that writes matches while others are still searched, and then makes a WAL checkpoint. */
class Writer {
  readonly rows: RowsOfRun;
  readonly #worker: Worker;
  readonly #stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #ended: Promise<void>;
  #failure: Error | null = null;
  #hear: (written: number) => void = () => undefined;

  constructor(dataFolder: string, rows: RowsOfRun, room: MatchRoom) {
    this.rows = rows;
    const start: RowsStart = { kind: 'write_matches', dataFolder, rows, room, stopped: this.#stopped };
    this.#worker = watchedWorker(start, {
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
      onLook: heartbeat.beat,
      onSilent: () => {
        this.#failure = new Error(`${silentFor()} while it wrote matches`);
      },
    });
    this.#worker.on('message', (message: RowsProgress) => {
      if ('written' in message) this.#hear(message.written);
      else this.#failure = Object.assign(new Error(message.failed), { code: message.code });
    });
    this.#worker.once('error', (error) => {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
    });
    this.#ended = new Promise((resolve) => void this.#worker.once('exit', () => resolve()));
  }

  tell(word: RowsCommand): void {
    this.#worker.postMessage(word);
  }

  /** Waits until all matches are written; returns false if the run was cancelled meanwhile. Throws the thread's failure. */
  async finish(matches: MatchCollector, isCancelled: () => boolean, hear: (written: number) => void): Promise<boolean> {
    const all = new Promise<void>((resolve) => {
      this.#hear = (written) => {
        hear(written);
        if (written === matches.length) resolve();
      };
      if (matches.length === 0) resolve();
    });
    this.tell({ found: matches.tell(), isAll: true });
    const looking = setInterval(() => {
      if (isCancelled()) Atomics.store(this.#stopped, 0, 1);
    }, LOOK_MS);
    const isAll = await Promise.race([all.then(() => true), this.#ended.then(() => false)]);
    clearInterval(looking);
    if (this.#failure !== null) throw this.#failure;
    assert(isAll || isCancelled(), 'every match that was found is written');
    return isAll;
  }

  /** Stops writing; resolves after its last transaction. */
  async stop(): Promise<void> {
    Atomics.store(this.#stopped, 0, 1);
    this.tell('end');
    await this.#ended;
  }
}

/** Whether a rule finds pairs. Groups are few and found at the end of their rule, so they need no thread. */
const tiesPairs = ({ cardinality }: EngineRule): boolean => cardinality === 'one_to_one';

/** Receives the matches of a run, and writes them on another thread if they are many. */
class RowsOnThread implements RunListener {
  writer: Writer | null = null;
  readonly #context: TaskContext;
  readonly #payload: RunPayload;
  readonly #dataFolder: string;
  readonly #fewestRecords: number;

  constructor(context: TaskContext, payload: RunPayload, dataFolder: string, fewestRecords: number) {
    this.#context = context;
    this.#payload = payload;
    this.#dataFolder = dataFolder;
    this.#fewestRecords = fewestRecords;
  }

  begins(facts: StoredFacts, sideA: number, sideB: number): MatchCollector {
    if (sideA + sideB < this.#fewestRecords || !facts.rules.some(tiesPairs)) return new MatchCollector();
    const { runId, reconciliationId } = this.#payload;
    // Each match holds a record of either side, except for a line and its reversal, which are on the same side. All shared memory is passed once,
    // when the thread begins: passing it again while it is being received can end the process.
    const most = facts.rules.some(({ evidence, isDefault }) => evidence !== undefined || isDefault === true)
      ? Math.floor((sideA + sideB) / 2)
      : Math.min(sideA, sideB);
    const ids = new Float64Array(new SharedArrayBuffer(most * Float64Array.BYTES_PER_ELEMENT));
    const room = sharedRoom(most, sideA + sideB);
    const run = { runId, reconciliationId, atMs: this.#context.clock.nowMs() };
    this.writer = new Writer(this.#dataFolder, { run, facts: factsText(facts), ids }, room);
    return new MatchCollector(room);
  }

  finds(found: MatchCollector): void {
    this.writer?.tell({ found: found.tell(), isAll: false });
  }

  /** Returns the result of the run, and what is written once all its matches are; a cancelled run has no result. */
  async written(result: Result<Found, EngineFailure>): Promise<{ result: Result<Found, EngineFailure>; written: WrittenRows | null }> {
    const { writer } = this;
    if (writer === null) return { result, written: null };
    if (!result.ok) {
      await writer.stop();
      return { result, written: null };
    }
    const { matches } = result.value.result;
    const isWritten = writer.finish(matches, this.#context.isCancelled, writingReport(this.#context, matches));
    // Sorted while the last matches are written.
    const members = membersByRecord(matches);
    if (!(await isWritten)) return { result: failed(CANCELLED), written: null };
    return { result, written: { rows: writer.rows, members, checkpoint: () => writer.tell('checkpoint') } };
  }
}

/** Does what `runTask` does. From `fewestRecords` records on, another thread writes matches while this one still searches. */
export async function runOnTwoThreads(
  context: TaskContext,
  payload: RunPayload,
  dataFolder: string,
  fewestRecords = FEWEST_RECORDS,
): Promise<TaskEnd> {
  const onThread = new RowsOnThread(context, payload, dataFolder, fewestRecords);
  const checkpointAgain = context.database.withoutCheckpoints();
  try {
    const { result, written } = await onThread.written(lookForMatches(context, payload, onThread));
    return storeRun(context, payload, result, written);
  } finally {
    // The thread must have stopped before its writes can be reverted.
    await onThread.writer?.stop();
    checkpointAgain();
  }
}
