import type { SkippedRow } from '../../../src-shared/contract/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { LISTED_LINES } from '../../domain/statement/index.ts';
import type { TaskContext } from '../../jobs/task.ts';
import { stagedDedupeKeys, type StagedLine, stagedLines } from '../../records/store/staged-records.ts';
import { type ClosedLines, lastClosed } from './closed-lines.ts';
import { KnownKeys, SHOWN_SKIPPED, whySkipped } from './duplicates.ts';
import { LineSums } from './figures.ts';
import { type ContentOfRow, RowLog } from './import-rows.ts';
import type { StagedLines } from './line-stage.ts';

/** Keeps what becomes of the lines of a large file, some thousands at a time. Its memory does not grow with the file. */
export class LinesOfFile {
  readonly #context: TaskContext;
  #streamId: number | null;
  #known: KnownKeys | null = null;
  readonly sums = new LineSums();
  /** The first lines. */
  readonly listed: { readonly key: string; readonly isDuplicate: boolean }[] = [];
  readonly skippedRows: SkippedRow[] = [];
  readonly rowLog = new RowLog();
  skipped = 0;
  readonly #closed: ClosedLines['span'] | undefined;
  #closedCount = 0;

  constructor(context: TaskContext, streamId: number | null) {
    this.#context = context;
    this.#streamId = streamId;
    this.#closed = lastClosed(context.database, streamId);
  }

  /** New lines that are dated within a closed period. */
  get closed(): ClosedLines | null {
    return this.#closed === undefined ? null : { count: this.#closedCount, span: this.#closed };
  }

  /** The import has made the stream. */
  isOf(streamId: number): void {
    this.#streamId = streamId;
  }

  /** Counts lines, whatever becomes of them. */
  count({ count, kinds, kindsOfMoney, amounts, days }: StagedLines): void {
    for (let at = 0; at < count; at += 1) {
      const kind = kindsOfMoney[kinds[at] as number];
      if (kind !== undefined) this.sums.addOf(kind, amounts[at] as number, days[at] as number);
    }
  }

  /** Lines that stay out, or are only looked at. */
  look(lines: StagedLines): void {
    const { database } = this.#context;
    if (this.#streamId !== null) this.#known ??= new KnownKeys(database, this.#streamId);
    const staged = database.beside(lines.image);
    try {
      const isThere = this.#known?.ofThem(stagedDedupeKeys(staged), lines.prints) ?? [];
      this.settle(
        lines,
        isThere.flatMap((is, at) => (is ? [at + 1] : [])),
        staged,
      );
    } finally {
      staged.close();
    }
  }

  /** Notes which of some lines the stream has already: by their ids in the staged table, from 1, in order. */
  settle({ count, days }: StagedLines, there: readonly number[], staged: ReadHandle): void {
    if (this.#closed !== undefined) this.#closedCount += newUpTo(this.#closed.lastDay, days, count, there);
    if (this.listed.length < LISTED_LINES) {
      const ids = Array.from({ length: Math.min(count, LISTED_LINES - this.listed.length) }, (_, at) => at + 1);
      const known = new Set(there.slice(0, ids.length));
      for (const [at, { key }] of stagedLines(staged, ids).entries()) this.listed.push({ key, isDuplicate: known.has(at + 1) });
    }
    this.skipped += there.length;
    for (const line of stagedLines(staged, there.slice(0, this.rowLog.roomForSkipped))) this.#skip(line);
  }

  #skip({ key, amount, direction, ...rest }: StagedLine): void {
    const line: ContentOfRow = { ...rest, amountMinor: amount, direction: direction === 1 ? 'credit' : 'debit' };
    this.rowLog.skip(line, 1, key);
    if (this.skippedRows.length === SHOWN_SKIPPED || this.#streamId === null) return;
    const why = whySkipped(
      this.#context.database,
      this.#streamId,
      { ...rest, amountMinor: amount, direction: line.direction ?? 'debit' },
      key,
    );
    this.skippedRows.push({ row: rest.row, occurrence: 1, ...why });
  }
}

/** How many of the first `count` lines are dated on or before a day and new. `there`: ids of those that the stream has, from 1, ascending. */
function newUpTo(day: number, days: ArrayLike<number>, count: number, there: readonly number[]): number {
  let [found, next] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const isThere = there[next] === at + 1;
    if (isThere) next += 1;
    else if ((days[at] as number) <= day) found += 1;
  }
  return found;
}
