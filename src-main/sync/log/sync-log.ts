import type { Database, WriteHandle } from '../../store/database/database.ts';
import { insertSyncLines, type NewSyncLine } from '../../store/sync/lines.ts';
import type { Counted } from '../model/result.ts';
import type { Resource } from '../model/resources.ts';

export type Way = 'sent' | 'received' | 'not_moved';
export type SyncAct = NewSyncLine['act'];

/** One object that moved, or did not. */
export interface LoggedLine {
  readonly way: Way;
  readonly counted: Counted;
  readonly act: SyncAct;
  readonly resource: Resource | 'periods';
  readonly localId: number | null;
  readonly name: string;
  readonly reason: string | null;
}

/** Lines of a figure that a preview keeps. */
const KEPT = 1_000;
/** More than one chunk of records, whose lines are saved with their links. */
const SAVE_AT = 1_500;

/** What a sync did, object by object: a sync writes it to the book, a preview keeps the first of each figure. */
export class SyncLog {
  readonly #database: Database;
  readonly #runId: number | null;
  readonly #places = new Map<string, number>();
  #unsaved: NewSyncLine[] = [];
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
    const { way, counted, act, resource, localId, name, reason } = line;
    this.#unsaved.push({ run_id: this.#runId, way, counted, place, act, resource, local_id: localId, name, reason });
    if (this.#unsaved.length >= SAVE_AT) this.save();
  }

  save(): void {
    if (this.#unsaved.length > 0) this.#database.write((write) => this.saveIn(write));
  }

  /** The same in a transaction that writes other things too. */
  saveIn(write: WriteHandle): void {
    const lines = this.#unsaved;
    this.#unsaved = [];
    insertSyncLines(write, lines);
  }

  /** Of a preview. */
  linesOf(way: Way, counted: Counted): { readonly total: number; readonly lines: readonly LoggedLine[] } {
    const figure = `${way} ${counted}`;
    return { total: this.#places.get(figure) ?? 0, lines: this.#kept.get(figure) ?? [] };
  }
}
