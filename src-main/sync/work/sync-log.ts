import type { Database, WriteHandle } from '../../database/database.ts';
import {
  insertMoves,
  insertNotMoved,
  type MovedAct,
  type MovedLine,
  type NewMoves,
  type NotMovedAct,
  type NotMovedRow,
} from '../store/lines.ts';
import type { Counted } from './sync-result.ts';
import type { Resource } from './resources.ts';

export type Way = 'sent' | 'received' | 'not_moved';

interface About {
  readonly counted: Counted;
  readonly resource: Resource | 'periods';
  readonly localId: number | null;
  readonly name: string;
}

/** One object that moved, or did not. */
export type LoggedLine = About &
  (
    | { readonly way: 'sent' | 'received'; readonly act: MovedAct; readonly reason: null }
    | { readonly way: 'not_moved'; readonly act: NotMovedAct; readonly reason: string }
  );

/** The number of lines that a preview keeps for each figure. */
const KEPT = 1_000;
/** More than a chunk of records, whose lines are saved together with its links. */
const SAVE_AT = 1_500;

/** Logs what a sync did, object by object. A sync writes it to the book; a preview keeps the first lines of each figure. */
export class SyncLog {
  readonly #database: Database;
  readonly #runId: number | null;
  readonly #places = new Map<string, number>();
  readonly #moves = new Map<string, Omit<NewMoves, 'lines'> & { readonly lines: MovedLine[] }>();
  readonly #notMoved: NotMovedRow[] = [];
  #unsaved = 0;
  readonly #kept = new Map<string, LoggedLine[]>();

  constructor(database: Database, runId: number | null) {
    this.#database = database;
    this.#runId = runId;
  }

  add(line: LoggedLine): void {
    const figure = `${line.way} ${line.counted}`;
    const place = this.#places.get(figure) ?? 0;
    this.#places.set(figure, place + 1);
    if (this.#runId === null) {
      const kept = this.#kept.get(figure) ?? [];
      if (kept.length < KEPT) kept.push(line);
      this.#kept.set(figure, kept);
      return;
    }
    const { counted, resource, localId: local_id, name } = line;
    const at = { run_id: this.#runId, counted, place };
    if (line.way === 'not_moved') {
      this.#notMoved.push({ ...at, act: line.act, resource, local_id, name, reason: line.reason });
    } else {
      const moves = this.#moves.get(figure) ?? { ...at, way: line.way, lines: [] };
      this.#moves.set(figure, moves);
      moves.lines.push({ act: line.act, resource, local_id, name });
    }
    this.#unsaved += 1;
    if (this.#unsaved >= SAVE_AT) this.save();
  }

  save(): void {
    if (this.#unsaved > 0) this.#database.write((write) => this.saveIn(write));
  }

  /** Does the same in a transaction of the caller. */
  saveIn(write: WriteHandle): void {
    const [moves, notMoved] = [[...this.#moves.values()], this.#notMoved.splice(0)];
    this.#moves.clear();
    this.#unsaved = 0;
    for (const row of moves) insertMoves(write, row);
    for (const row of notMoved) insertNotMoved(write, row);
  }

  /** Returns the lines that a preview kept, and their total number. */
  linesOf(way: Way, counted: Counted): { readonly total: number; readonly lines: readonly LoggedLine[] } {
    const figure = `${way} ${counted}`;
    return { total: this.#places.get(figure) ?? 0, lines: this.#kept.get(figure) ?? [] };
  }
}
