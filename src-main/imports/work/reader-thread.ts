import type { MessagePort } from 'node:worker_threads';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { present } from '../../../src-shared/values/assert.ts';
import {
  cancelled,
  type LineTaker,
  type ReadControl,
  type RejectedRow,
  type Statement,
  type Unreadable,
} from '../../domain/statement/index.ts';
import { guessNoLifetimes, systemClock } from '../../platform/system.ts';
import type { ThreadStart } from '../../jobs/protocol.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import type { ListedCurrencies } from './accepted-currencies.ts';
import type { KindOfMoney, RoomOfStage } from './line-stage.ts';
import { FileStager } from './file-stager.ts';
import type { FileFault } from './read-file.ts';
import { asTakenBy } from './understanding.ts';
import { type FactsOfLarge, openedLarge, type RequestOfFile, type UnderstoodLarge } from './open-streaming-file.ts';
import { SpillFiles } from './spill-files.ts';

/** Of a thread that reads the lines of a large file while another one stores them. */
export interface LinesStart extends ThreadStart {
  readonly kind: 'read_lines';
  readonly lines: RequestOfFile<ListedCurrencies>;
  /** Where lines are staged. Shared. */
  readonly rooms: readonly RoomOfStage[];
  /** Whether it is to stop, and of each room whether it is given out. Shared. */
  readonly signals: Int32Array;
}

/** Places in the signals: the first of them says whether to stop. */
export const STOPPED = 0;
export const signalOfRoom = (room: number): number => room + 1;

/** What such a worker is told: to read the lines, or that there will be no more to do. */
export type LinesWord = 'read' | 'end';

/** What it tells. Lines come while the file is understood as well; where these are not what it says, they are to be dropped. */
export type LinesTold =
  | { readonly told: 'progress'; readonly bytes: number; readonly totalBytes: number; readonly rows: number }
  | {
      readonly told: 'lines';
      readonly room: number;
      readonly bytesOfImage: number;
      readonly count: number;
      readonly kindsOfMoney: readonly KindOfMoney[];
      readonly rejected: readonly RejectedRow[];
    }
  | { readonly told: 'drop' }
  /** Null where the file is to be read whole. */
  | { readonly told: 'understood'; readonly understood: Result<FactsOfLarge | null, Unreadable | FileFault> }
  | { readonly told: 'read'; readonly read: Result<Statement, Unreadable> }
  | { readonly told: 'failed'; readonly message: string; readonly code: string | null };

const PROGRESS_EVERY_MS = 80;
/** While no room is free, it is checked this often whether to stop. */
const LOOK_MS = 50;

/** No room is free, and none will be. */
class Stopped extends Error {}

/** Gives out rooms as the other thread is done with them. */
class Rooms {
  readonly #rooms: readonly RoomOfStage[];
  readonly #signals: Int32Array;
  /** The room that was given out last. */
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

/** Reads the lines of a large file, and stages them where another thread takes them. */
class LinesReader {
  readonly #start: LinesStart;
  readonly #tell: (told: LinesTold) => void;
  /** One stager for all readings, so that a room that is partly filled is used again. */
  readonly #staging: FileStager;
  readonly #control: ReadControl;
  #large: UnderstoodLarge | null = null;
  #toldAtMs = 0;

  constructor(start: LinesStart, tell: (told: LinesTold) => void) {
    this.#start = start;
    this.#tell = tell;
    const rooms = new Rooms(start);
    this.#staging = new FileStager(
      () => rooms.next(),
      ({ lines: { image, count, kindsOfMoney }, rejected }) =>
        tell({ told: 'lines', room: rooms.last, bytesOfImage: image.length, count, kindsOfMoney, rejected }),
      asTakenBy(start.lines.readBy === null ? undefined : { read_by: start.lines.readBy }),
      new SpillFiles(start.lines.spill),
    );
    this.#control = {
      isCancelled: () => {
        heartbeat.beat();
        return Atomics.load(start.signals, STOPPED) !== 0;
      },
      longStep: heartbeat.longStep,
      onProgress: (bytes, totalBytes, rows = 0) => {
        heartbeat.beat();
        const nowMs = systemClock.monotonicMs();
        if (nowMs - this.#toldAtMs < PROGRESS_EVERY_MS) return;
        this.#toldAtMs = nowMs;
        tell({ told: 'progress', bytes, totalBytes, rows });
      },
    };
  }

  understand(): void {
    const staging = this.#staging;
    const taker: LineTaker = {
      take: (built) => staging.add(built),
      drop: () => {
        staging.drop();
        this.#tell({ told: 'drop' });
      },
    };
    const understood = orStopped((): Result<FactsOfLarge | null, Unreadable | FileFault> => {
      const opened = openedLarge(this.#start.lines, this.#control, taker);
      if (!opened.ok || opened.value === null) return opened.ok ? success(null) : opened;
      this.#large = opened.value;
      const { facts } = opened.value;
      if (facts.taken !== null) staging.end();
      return success(facts);
    });
    this.#tell({ told: 'understood', understood });
  }

  read(): void {
    const staging = this.#staging;
    staging.drop();
    const read = orStopped(() => {
      const lines = present(this.#large, 'large file').read(this.#control, (built) => staging.add(built));
      if (lines.ok) staging.end();
      return lines;
    });
    this.#tell({ told: 'read', read });
  }

  close(): void {
    this.#staging.close();
    this.#large?.close();
  }
}

function orStopped<T, E>(work: () => Result<T, E>): Result<T, E | Unreadable> {
  try {
    return work();
  } catch (error) {
    if (error instanceof Stopped) return failed(cancelled());
    throw error;
  }
}

/** Understands the file, and does as it is told until there is no more to do. */
export function readLinesOnThread(start: LinesStart, port: MessagePort): Promise<void> {
  guessNoLifetimes();
  const tell = (told: LinesTold): void => port.postMessage(told);
  const reader = new LinesReader(start, tell);
  return new Promise<void>((resolve, reject) => {
    const orRejected = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        reject(error as Error);
      }
    };
    port.on('message', (word: LinesWord) => (word === 'end' ? resolve() : orRejected(() => reader.read())));
    orRejected(() => reader.understand());
  })
    .catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : null;
      tell({ told: 'failed', message: error instanceof Error ? error.message : String(error), code });
    })
    .finally(() => {
      reader.close();
      port.close();
    });
}
