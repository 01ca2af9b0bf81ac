import type { MessagePort, Worker } from 'node:worker_threads';
import { failed, type Result } from '../../../src-shared/values/result.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { cancelled, type RejectedRow, type Statement } from '../../domain/statement/index.ts';
import { disablePretenuring, systemClock } from '../../platform/system.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import type { TaskContext, ThreadStart } from '../../jobs/protocol.ts';
import { silentFor, watchedWorker } from '../../jobs/threads.ts';
import { takeBackAfter } from './batch.ts';
import { type KindOfMoney, type RoomOfStage, roomOfStage, type StretchOfFile } from './stage.ts';
import {
  type FactsOfFile,
  FileReader,
  type ListedCurrencies,
  type NotRead,
  readingControl,
  type readRequest,
  type ReadRequest,
} from './understand.ts';

/** The start message of a thread that reads the lines of a large file while another one stores them. */
export interface LinesStart extends ThreadStart {
  readonly kind: 'read_lines';
  readonly lines: ReadRequest<ListedCurrencies>;
  /** Shared memory in which lines are staged. */
  readonly rooms: readonly RoomOfStage[];
  /** Shared flags: the first asks the reader to stop, the others say which rooms hold lines that are not stored yet. */
  readonly signals: Int32Array;
}

/** Places in `signals`. */
const STOPPED = 0;
const signalOfRoom = (room: number): number => room + 1;

/** `read` asks for the lines from the beginning; `end` lets the thread finish. */
type ReaderCommand = 'read' | 'end';

/** Events of the reader. Lines may come before the file is understood; a later `drop` revokes them. */
type ReaderEvent =
  | { readonly event: 'progress'; readonly bytes: number; readonly totalBytes: number; readonly rows: number }
  | {
      readonly event: 'lines';
      readonly room: number;
      readonly bytesOfImage: number;
      readonly count: number;
      readonly kindsOfMoney: readonly KindOfMoney[];
      readonly rejected: readonly RejectedRow[];
    }
  | { readonly event: 'drop' }
  /** Null if the file must be read whole. */
  | { readonly event: 'understood'; readonly understood: Result<FactsOfFile | null, NotRead> }
  | { readonly event: 'read'; readonly read: Result<Statement, NotRead> }
  | { readonly event: 'failed'; readonly message: string; readonly code: string | null };

const PROGRESS_EVERY_MS = 80;
/** Interval in which a thread checks for a stop while it waits for a free room or a line. */
const LOOK_MS = 50;
/** One room is filled while another is stored; the third is a reserve for the faster thread. */
const ROOMS = 3;
/** Young generation of the reader's heap, in MB. A small one suffices, since little of what it reads lives long. */
const NURSERY_MB = 16;

/** Thrown when the reader is asked to stop while it waits for a free room. */
class Stopped extends Error {}

/** Hands out rooms in turn, and waits until the other thread has released the next one. */
class Rooms {
  readonly #rooms: readonly RoomOfStage[];
  readonly #signals: Int32Array;
  /** Index of the room that was handed out last. */
  last = -1;

  constructor({ rooms, signals }: LinesStart) {
    this.#rooms = rooms;
    this.#signals = signals;
  }

  next(): RoomOfStage {
    const room = (this.last + 1) % this.#rooms.length;
    const signal = signalOfRoom(room);
    while (Atomics.load(this.#signals, signal) !== 0) {
      heartbeat.beat();
      if (Atomics.load(this.#signals, STOPPED) !== 0) throw new Stopped();
      Atomics.wait(this.#signals, signal, 1, LOOK_MS);
    }
    Atomics.store(this.#signals, signal, 1);
    this.last = room;
    return present(this.#rooms[room], 'room');
  }
}

function orCancelled<T, E>(work: () => Result<T, E>): Result<T, E | NotRead> {
  try {
    return work();
  } catch (error) {
    if (error instanceof Stopped) return failed(cancelled());
    throw error;
  }
}

/** Returns the reader of the file in this thread. Its lines go into shared memory. */
function readerOf(start: LinesStart, emit: (event: ReaderEvent) => void): FileReader {
  const { currencies, words } = start.lines.accepted ?? { currencies: [], words: '' };
  const accepted = start.lines.accepted && { has: (currency: string) => currencies.includes(currency), words };
  const rooms = new Rooms(start);
  let reportedAtMs = 0;
  const control = {
    isCancelled: () => {
      heartbeat.beat();
      return Atomics.load(start.signals, STOPPED) !== 0;
    },
    longStep: heartbeat.longStep,
    onProgress: (bytes: number, totalBytes: number, rows = 0) => {
      heartbeat.beat();
      const nowMs = systemClock.monotonicMs();
      if (nowMs - reportedAtMs < PROGRESS_EVERY_MS) return;
      reportedAtMs = nowMs;
      emit({ event: 'progress', bytes, totalBytes, rows });
    },
  };
  return new FileReader({ ...start.lines, accepted }, control, {
    nextRoom: () => rooms.next(),
    hand: ({ lines: { image, count, kindsOfMoney }, rejected }) =>
      emit({ event: 'lines', room: rooms.last, bytesOfImage: image.length, count, kindsOfMoney, rejected }),
    drop: () => emit({ event: 'drop' }),
  });
}

/** Understands the file, then follows commands until `end`. */
export function readLinesOnThread(start: LinesStart, port: MessagePort): Promise<void> {
  disablePretenuring();
  const emit = (event: ReaderEvent): void => port.postMessage(event);
  const reader = readerOf(start, emit);
  return new Promise<void>((resolve, reject) => {
    const orRejected = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        reject(error as Error);
      }
    };
    const read = (): void => emit({ event: 'read', read: orCancelled(() => reader.read()) });
    port.on('message', (command: ReaderCommand) => (command === 'end' ? resolve() : orRejected(read)));
    orRejected(() => emit({ event: 'understood', understood: orCancelled(() => reader.understand(false)) }));
  })
    .catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : null;
      emit({ event: 'failed', message: error instanceof Error ? error.message : String(error), code });
    })
    .finally(() => {
      reader.close();
      port.close();
    });
}

/** The reading thread, as seen from the job's thread. */
class ReaderThread {
  readonly #rooms: readonly RoomOfStage[];
  readonly #signals = new Int32Array(new SharedArrayBuffer((ROOMS + 1) * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  readonly #looking: NodeJS.Timeout;
  #events: ReaderEvent[] = [];
  #wake: () => void = () => undefined;

  constructor(lines: LinesStart['lines'], isCancelled: () => boolean, silenceMs: number | undefined) {
    const memory = (bytes: number) => new SharedArrayBuffer(bytes);
    this.#rooms = Array.from({ length: ROOMS }, () => roomOfStage(Number.POSITIVE_INFINITY, memory));
    // All shared memory is transferred once, when the thread starts.
    const start: LinesStart = { kind: 'read_lines', lines, rooms: this.#rooms, signals: this.#signals };
    const fail = (message: string): void => this.#note({ event: 'failed', message, code: null });
    this.#worker = watchedWorker(start, {
      resourceLimits: { maxYoungGenerationSizeMb: NURSERY_MB },
      isAsked: () => Atomics.load(this.#signals, STOPPED) !== 0,
      onLook: heartbeat.beat,
      silenceMs,
      onSilent: () => fail(phrase('imports.reader.silent', { how: silentFor(silenceMs) })),
    });
    this.#worker.on('message', (event: ReaderEvent) => this.#note(event));
    this.#worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        fail(phrase('imports.reader.ended'));
        resolve();
      });
    });
    this.#looking = setInterval(() => {
      if (isCancelled()) this.#halt();
    }, LOOK_MS);
  }

  #note(event: ReaderEvent): void {
    this.#events.push(event);
    this.#wake();
  }

  async next(): Promise<ReaderEvent> {
    if (this.#events.length === 0) await new Promise<void>((resolve) => void (this.#wake = resolve));
    return present(this.#events.shift(), 'event of the reading thread');
  }

  send(command: ReaderCommand): void {
    this.#worker.postMessage(command);
  }

  /** Passes lines to `take` and then releases their room to the reader. */
  passLines(
    { room, bytesOfImage, count, kindsOfMoney, rejected }: Extract<ReaderEvent, { event: 'lines' }>,
    take: (stretch: StretchOfFile) => void,
  ): void {
    const { image, ...rest } = present(this.#rooms[room], 'room');
    take({ lines: { ...rest, image: image.subarray(0, bytesOfImage), count, kindsOfMoney }, rejected });
    Atomics.store(this.#signals, signalOfRoom(room), 0);
    Atomics.notify(this.#signals, signalOfRoom(room));
  }

  #halt(): void {
    Atomics.store(this.#signals, STOPPED, 1);
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    this.#halt();
    this.send('end');
    await this.#ended;
  }
}

/** The import that receives the events of the reader. `read` as a return value asks for all lines from the beginning. */
interface Importing<Ended> {
  readonly request: ReturnType<typeof readRequest>;
  readonly isCancelled: boolean;
  readonly isUnderstood: boolean;
  /** Receives lines in the order of the file. Their memory is reused after the call. */
  readonly take: (stretch: StretchOfFile) => void;
  /** Revokes all lines taken so far. */
  readonly drop: () => void;
  /** Called if reading or storing fails. Must remove everything that was stored. */
  readonly takeBack: () => void;
  readonly understood: (facts: FactsOfFile) => Ended | 'read';
  /** Called after the last line. */
  readonly end: (read: Result<Statement, NotRead>) => Ended | 'read';
}

/**
 * Imports a large file with a second thread, which reads it while this one stores its lines. Returns null if the file must be read whole. Of a
 * million lines, reading takes 17 s of processor time beside 15 s of storing, and one thread takes 34 s for both.
 */
export async function readOnThread<Ended>(
  context: TaskContext,
  importing: Importing<Ended>,
): Promise<Ended | Result<never, NotRead> | null> {
  const { accepted, ...request } = importing.request;
  const lines = { ...request, accepted: accepted?.listed() ?? null };
  const reader = new ReaderThread(lines, () => importing.isCancelled, context.silenceMs);
  try {
    return await follow(context, reader, importing);
  } catch (error) {
    takeBackAfter(() => importing.takeBack());
    throw error;
  } finally {
    await reader.stop();
  }
}

async function follow<Ended>(
  context: TaskContext,
  reader: ReaderThread,
  importing: Importing<Ended>,
): Promise<Ended | Result<never, NotRead> | null> {
  const reading = readingControl(context);
  for (;;) {
    const event = await reader.next();
    let ended: Ended | 'read' | null = null;
    switch (event.event) {
      case 'failed':
        throw Object.assign(new Error(event.message), { code: event.code });
      case 'progress':
        if (!importing.isUnderstood) reading.onProgress(event.bytes, event.totalBytes, event.rows);
        break;
      case 'lines':
        reader.passLines(event, (stretch) => importing.take(stretch));
        break;
      case 'drop':
        importing.drop();
        break;
      case 'understood': {
        const { understood } = event;
        if (!understood.ok) {
          importing.takeBack();
          return understood;
        }
        if (understood.value === null) return null;
        ended = importing.understood(understood.value);
        break;
      }
      case 'read':
        ended = importing.end(event.read);
    }
    if (ended === 'read') reader.send('read');
    else if (ended !== null) return ended;
  }
}
