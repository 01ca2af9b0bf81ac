import type { Worker } from 'node:worker_threads';
import { present } from '../../../src-shared/values/assert.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import type { Statement, Unreadable } from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import type { TaskContext, TaskEnd } from '../../jobs/task.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import type { StretchOfFile } from './file-stager.ts';
import { takeBackAfter } from './import-batch.ts';
import { rowsControl } from './import-on-one-thread.ts';
import { endOfLarge, finish, importHeld, importTask } from './import-task.ts';
import { type RoomOfStage, roomOfStage } from './line-stage.ts';
import { type FactsOfLarge, notRead, plainRequest, readingControl, requestOfFile } from './open-streaming-file.ts';
import { isLargeAt } from './read-file.ts';
import { type LinesStart, type LinesTold, type LinesWord, signalOfRoom, STOPPED } from './reader-thread.ts';
import { LargeImport } from './streaming-import.ts';

/** One is filled while another one is stored; the third is a reserve for the faster of the two threads. */
const ROOMS = 3;
/** How often the import looks whether it was cancelled, while it waits for lines. */
const LOOK_MS = 50;
/** A small nursery is enough for the reader, since little of what it reads lives long. */
const NURSERY_MB = 16;

/** A thread that reads a file while this one stores its lines. */
class Reader {
  readonly #rooms: readonly RoomOfStage[];
  readonly #signals = new Int32Array(new SharedArrayBuffer((ROOMS + 1) * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #looking: NodeJS.Timeout;
  #heard: LinesTold[] = [];
  #hear: () => void = () => undefined;

  constructor(lines: LinesStart['lines'], isCancelled: () => boolean, silenceMs: number | undefined) {
    const memory = (bytes: number) => new SharedArrayBuffer(bytes);
    this.#rooms = Array.from({ length: ROOMS }, () => roomOfStage(Number.POSITIVE_INFINITY, memory));
    // All shared memory is handed over once, when the other thread starts.
    const start: LinesStart = { kind: 'read_lines', lines, rooms: this.#rooms, signals: this.#signals };
    this.#worker = watchedWorker(start, {
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
      isAsked: () => Atomics.load(this.#signals, STOPPED) !== 0,
      onLook: heartbeat.beat,
      silenceMs,
      onSilent: () => this.#note({ told: 'failed', message: `${silentFor(silenceMs)} while it read the file`, code: null }),
    });
    this.#worker.on('message', (told: LinesTold) => this.#note(told));
    this.#worker.once('error', (error) =>
      this.#note({ told: 'failed', message: error instanceof Error ? error.message : String(error), code: null }),
    );
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#note({ told: 'failed', message: 'the thread that reads the file has ended', code: null });
        resolve();
      });
    });
    this.#looking = setInterval(() => {
      if (isCancelled()) this.halt();
    }, LOOK_MS);
  }

  #note(told: LinesTold): void {
    this.#heard.push(told);
    this.#hear();
  }

  /** The next message of the thread. */
  async next(): Promise<LinesTold> {
    if (this.#heard.length === 0) await new Promise<void>((resolve) => void (this.#hear = resolve));
    return present(this.#heard.shift(), 'word of the reading thread');
  }

  tell(word: LinesWord): void {
    this.#worker.postMessage(word);
  }

  /** Hands over some lines and then gives their room back to the reader. */
  lend(
    { room, bytesOfImage, count, kindsOfMoney, rejected }: Extract<LinesTold, { told: 'lines' }>,
    take: (stretch: StretchOfFile) => void,
  ): void {
    const { image, ...rest } = present(this.#rooms[room], 'room');
    take({ lines: { ...rest, image: image.subarray(0, bytesOfImage), count, kindsOfMoney }, rejected });
    Atomics.store(this.#signals, signalOfRoom(room), 0);
    Atomics.notify(this.#signals, signalOfRoom(room));
  }

  /** Tells the thread to stop reading. */
  halt(): void {
    Atomics.store(this.#signals, STOPPED, 1);
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    this.halt();
    this.tell('end');
    await this.#ended;
  }
}

/** As `importTask`; a large file is read by another thread while this one stores its lines. */
export async function importOnTwoThreads(context: TaskContext, payload: ImportPayload): Promise<TaskEnd> {
  const request = payload.dryRun || !isLargeAt(payload, context.wholeBytes) ? null : requestOfFile(context, payload);
  if (request === null) return importTask(context, payload);
  const importing = new LargeImport(context, payload, request.kept);
  const reader = new Reader(plainRequest(request), () => importing.isCancelled, context.silenceMs);
  try {
    return await store(context, payload, importing, reader);
  } catch (error) {
    takeBackAfter(() => importing.takeBack());
    throw error;
  } finally {
    await reader.stop();
  }
}

async function store(context: TaskContext, payload: ImportPayload, importing: LargeImport, reader: Reader): Promise<TaskEnd> {
  let facts: FactsOfLarge | null = null;
  const reading = readingControl(context);
  let onRows = (): void => undefined;
  const end = (read: Result<Statement, Unreadable>): TaskEnd | null => {
    onRows();
    const ended = importing.end(present(facts, 'facts of the file'), read);
    if (ended !== 'again') return endOfLarge(context, ended);
    reader.tell('read');
    return null;
  };
  for (;;) {
    const told = await reader.next();
    switch (told.told) {
      case 'failed':
        throw Object.assign(new Error(told.message), { code: told.code });
      case 'progress':
        if (facts === null) reading.onProgress(told.bytes, told.totalBytes, told.rows);
        break;
      case 'lines':
        reader.lend(told, (stretch) => importing.take(stretch, onRows));
        break;
      case 'drop':
        importing.drop();
        break;
      case 'understood': {
        if (!told.understood.ok) {
          importing.takeBack();
          const why = notRead(payload, told.understood.error);
          return finish(context, why.kind === 'cancelled' ? null : why.result);
        }
        if (told.understood.value === null) return importHeld(context, payload);
        facts = told.understood.value;
        importing.heed(facts);
        const control = rowsControl(context, 'storing', facts, () => importing.rowsRead);
        onRows = () => control.onProgress(0, 0);
        const ended = facts.taken === null ? null : end(success(facts.taken));
        if (ended !== null) return ended;
        if (facts.taken === null) reader.tell('read');
        break;
      }
      case 'read': {
        const ended = end(told.read);
        if (ended !== null) return ended;
      }
    }
  }
}
