import type { SpillRoom } from '../../domain/collections/spilled-counts.ts';
import { type BuiltLine, DedupeKeys, type RejectedRow, type StatementLine } from '../../domain/statement/index.ts';
import { KindsOfMoney, LineStage, type RoomOfStage, type StagedLines } from './line-stage.ts';

/** So many rejected rows are handed over, even if there are few lines with them. */
const MOST_REJECTED = 4_096;

/** Some lines of a file, and the rejected rows among them. */
export interface StretchOfFile {
  readonly lines: StagedLines;
  readonly rejected: readonly RejectedRow[];
}

/** Stages lines and hands them over some ten thousand at a time. */
export class LineStager {
  readonly #nextRoom: () => RoomOfStage;
  readonly #hand: (stretch: StretchOfFile) => void;
  readonly #kinds = new KindsOfMoney();
  #stage: LineStage | null = null;
  #rejected: RejectedRow[] = [];

  /** `nextRoom`: for the next lines. What is handed over stays as it is until its room is given out again. */
  constructor(nextRoom: () => RoomOfStage, hand: (stretch: StretchOfFile) => void) {
    this.#nextRoom = nextRoom;
    this.#hand = hand;
  }

  /** A line and its dedupe key. */
  add(line: StatementLine, key: string): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#stage.add(line, key);
    if (this.#stage.isFull) this.end();
  }

  reject(row: RejectedRow): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#rejected.push(row);
    if (this.#rejected.length === MOST_REJECTED) this.end();
  }

  /** Hands over what is left. */
  end(): void {
    if (this.#stage === null) return;
    this.#hand({ lines: this.#stage.lines, rejected: this.#rejected });
    this.#stage = null;
    this.#rejected = [];
  }

  /** Forgets what was not handed over; its room is used for the next lines. */
  drop(): void {
    this.#rejected = [];
    this.#stage?.clear();
  }
}

/** Stages the lines of a file as they are read. */
export class FileStager {
  readonly #stager: LineStager;
  readonly #asTaken: (line: StatementLine) => StatementLine;
  readonly #spill: SpillRoom | undefined;
  #keys: DedupeKeys;

  /** `asTaken`: how the stream takes a line; its key is that of the line as the file says it. `spill`: that of `DedupeKeys`. */
  constructor(
    nextRoom: () => RoomOfStage,
    hand: (stretch: StretchOfFile) => void,
    asTaken: (line: StatementLine) => StatementLine,
    spill?: SpillRoom,
  ) {
    this.#stager = new LineStager(nextRoom, hand);
    this.#asTaken = asTaken;
    this.#spill = spill;
    this.#keys = new DedupeKeys(spill);
  }

  /** In the order of the file. */
  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      if (line !== null) this.#stager.add(this.#asTaken(line), this.#keys.next(line));
      else if (rejected !== null) this.#stager.reject(rejected);
    }
  }

  /** Hands over what is left. */
  end(): void {
    this.#stager.end();
  }

  /** There will be no further lines. */
  close(): void {
    this.#keys.close();
  }

  /** Forgets all lines so far: the same file is read again from its first line. */
  drop(): void {
    this.#keys.close();
    this.#keys = new DedupeKeys(this.#spill);
    this.#stager.drop();
  }
}
