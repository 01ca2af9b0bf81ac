import type { SpillRoom } from '../../../domain/collections/spilled-counts.ts';
import { type BuiltLine, DedupeKeys, type RejectedRow, type StatementLine } from '../../../domain/statement/index.ts';
import { KindsOfMoney, LineStage, type RoomOfStage, type StagedLines } from './line-stage.ts';

/** So many rejected rows are handed over, even if there are few lines with them. */
const MOST_REJECTED = 4_096;

/** Some lines of a file, and the rejected rows among them. */
export interface StretchOfFile {
  readonly lines: StagedLines;
  readonly rejected: readonly RejectedRow[];
}

/** Stages the lines of a file as they are read, and hands them over some ten thousand at a time. */
export class FileStager {
  readonly #nextRoom: () => RoomOfStage;
  readonly #hand: (stretch: StretchOfFile) => void;
  readonly #kinds = new KindsOfMoney();
  readonly #asTaken: (line: StatementLine) => StatementLine;
  readonly #spill: SpillRoom | undefined;
  #keys: DedupeKeys;
  #stage: LineStage | null = null;
  #rejected: RejectedRow[] = [];

  /**
   * `nextRoom`: for the lines from here on. What is handed over is good until `hand` is done, or where it is until its room is given out again. `asTaken`: how the stream
   * takes a line; its key is that of the line as the file says it. `spill`: that of `DedupeKeys`.
   */
  constructor(
    nextRoom: () => RoomOfStage,
    hand: (stretch: StretchOfFile) => void,
    asTaken: (line: StatementLine) => StatementLine,
    spill?: SpillRoom,
  ) {
    this.#nextRoom = nextRoom;
    this.#hand = hand;
    this.#asTaken = asTaken;
    this.#spill = spill;
    this.#keys = new DedupeKeys(spill);
  }

  /** In the order of the file. */
  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
      if (line !== null) {
        this.#stage.add(this.#asTaken(line), this.#keys.next(line));
        if (this.#stage.isFull) this.end();
      } else if (rejected !== null) {
        this.#rejected.push(rejected);
        if (this.#rejected.length === MOST_REJECTED) this.end();
      }
    }
  }

  /** Hands over what is left. */
  end(): void {
    if (this.#stage === null) return;
    this.#hand({ lines: this.#stage.lines, rejected: this.#rejected });
    this.#stage = null;
    this.#rejected = [];
  }

  /** There will be no further lines. */
  close(): void {
    this.#keys.close();
  }

  /** Forgets all lines so far: the same file is read again from its first line. */
  drop(): void {
    this.#keys.close();
    this.#keys = new DedupeKeys(this.#spill);
    this.#rejected = [];
    this.#stage?.clear();
  }
}
