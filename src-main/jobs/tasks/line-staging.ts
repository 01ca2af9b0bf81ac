import { DedupeKeys } from '../../domain/statement/fingerprint.ts';
import type { BuiltLine } from '../../domain/statement/lines.ts';
import type { RejectedRow } from '../../domain/statement/types.ts';
import { LineStage, type RoomOfStage, type StagedLines } from './line-stage.ts';

/** Some lines of a file, and the rows among them that are none. */
export interface StretchOfFile {
  readonly lines: StagedLines;
  readonly rejected: readonly RejectedRow[];
}

/** Stages the lines of a file as they are read, and hands them over some ten thousand at a time. */
export class LineStaging {
  readonly #stage: LineStage;
  readonly #hand: (stretch: StretchOfFile) => void;
  readonly #keys = new DedupeKeys();
  #rejected: RejectedRow[] = [];

  /** What is handed over is good until `hand` is done. */
  constructor(room: RoomOfStage, hand: (stretch: StretchOfFile) => void) {
    this.#stage = new LineStage(room);
    this.#hand = hand;
  }

  /** In the order of the file. */
  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      if (line !== null) {
        this.#stage.add(line, this.#keys.next(line));
        if (this.#stage.isFull) this.end();
      } else if (rejected !== null) this.#rejected.push(rejected);
    }
  }

  /** Hands over what is left. */
  end(): void {
    if (this.#stage.count + this.#rejected.length === 0) return;
    this.#hand({ lines: this.#stage.lines, rejected: this.#rejected });
    this.#stage.clear();
    this.#rejected = [];
  }
}
