import { DedupeKeys } from '../../domain/statement/fingerprint.ts';
import type { BuiltLine } from '../../domain/statement/lines.ts';
import type { RejectedRow } from '../../domain/statement/types.ts';
import { KindsOfMoney, LineStage, type RoomOfStage, type StagedLines } from './line-stage.ts';

/** Some lines of a file, and the rows among them that are none. */
export interface StretchOfFile {
  readonly lines: StagedLines;
  readonly rejected: readonly RejectedRow[];
}

/** Stages the lines of a file as they are read, and hands them over some ten thousand at a time. */
export class LineStaging {
  readonly #nextRoom: () => RoomOfStage;
  readonly #hand: (stretch: StretchOfFile) => void;
  readonly #kinds = new KindsOfMoney();
  #keys = new DedupeKeys();
  #stage: LineStage | null = null;
  #rejected: RejectedRow[] = [];

  /** `nextRoom`: for the lines from here on. What is handed over is good until `hand` is done, or where it is until its room is given out again. */
  constructor(nextRoom: () => RoomOfStage, hand: (stretch: StretchOfFile) => void) {
    this.#nextRoom = nextRoom;
    this.#hand = hand;
  }

  /** In the order of the file. */
  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
      if (line !== null) {
        this.#stage.add(line, this.#keys.next(line));
        if (this.#stage.isFull) this.end();
      } else if (rejected !== null) this.#rejected.push(rejected);
    }
  }

  /** Hands over what is left. */
  end(): void {
    if (this.#stage === null) return;
    this.#hand({ lines: this.#stage.lines, rejected: this.#rejected });
    this.#stage = null;
    this.#rejected = [];
  }

  /** The lines so far were none: those of the same file come again, from the first on. */
  drop(): void {
    this.#keys = new DedupeKeys();
    this.#rejected = [];
    this.#stage?.clear();
  }
}
