import type { Problem } from '../../../../src-shared/contract/index.ts';
import { note } from '../model/problems.ts';
import type { BatchLines } from '../model/read-options.ts';
import type { RejectedRow, Statement, StatementLine } from '../model/statement.ts';
import { doPartsAddUp, partsOfEntry } from './shared/parts.ts';
import type { StatedEntry } from './shared/stated-file.ts';

/** The line that an entry became, or the row that is none. */
export interface BuiltEntry {
  readonly line: StatementLine | null;
  readonly rejected: RejectedRow | null;
  readonly problems: readonly Problem[];
}

/** Reads entries of several transactions both ways, and takes them by one. */
export class Batches {
  readonly #taken: BatchLines;
  readonly #entryOf = new Map<StatementLine, number>();
  readonly #entryOfOther = new Map<StatementLine, number>();
  /** In the order of the file; of the lines that both readings have alike, the same. */
  readonly #otherLines: StatementLine[] = [];
  #entries = 0;
  #parts = 0;
  #firstRow: number | null = null;

  constructor(taken: BatchLines) {
    this.#taken = taken;
  }

  /** What an entry becomes. */
  built(entry: StatedEntry, currency: string, build: (entry: StatedEntry) => BuiltEntry): readonly BuiltEntry[] {
    const whole = build(entry);
    const parts = whole.line !== null && doPartsAddUp(entry.parts ?? [], entry.amount, currency) ? partsOfEntry(entry).map(build) : [];
    const areLines = parts.length > 0 && parts.every(({ line }) => line !== null);
    if (!areLines) {
      if (whole.line !== null) this.#otherLines.push(whole.line);
      return [whole];
    }
    this.#entries += 1;
    this.#parts += parts.length;
    this.#firstRow ??= entry.row;
    const [taken, other] = this.#taken === 'parts' ? [parts, [whole]] : [[whole], parts];
    for (const { line } of taken) if (line !== null) this.#entryOf.set(line, this.#entries);
    for (const { line } of other) {
      if (line === null) continue;
      this.#entryOfOther.set(line, this.#entries);
      this.#otherLines.push(line);
    }
    return taken;
  }

  read(): Pick<Statement, 'batches'> {
    if (this.#entries === 0) return {};
    const [entryOf, entryOfOther] = [this.#entryOf, this.#entryOfOther];
    const counts = { entries: this.#entries, parts: this.#parts, lines: this.#taken };
    return { batches: { ...counts, entryOf, otherLines: this.#otherLines, entryOfOther } };
  }

  notes(): readonly Problem[] {
    if (this.#entries === 0) return [];
    const hold =
      this.#entries === 1 ? `One entry holds ${this.#parts} transactions` : `${this.#entries} entries hold ${this.#parts} transactions`;
    const became =
      this.#taken === 'parts'
        ? 'each transaction became a line of its own'
        : 'each entry became one line that names them; their transactions can be taken as lines instead';
    return [note('batch_entries', `${hold}: ${became}.`, this.#firstRow)];
  }
}
