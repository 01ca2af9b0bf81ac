import type { Problem } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { grownTo } from '../../collections/typed-arrays.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import type { Unreadable } from './statement.ts';

/** Returns the cell's text for use in a message: on one line, shortened, in quotation marks. */
export function quoted(cell: string): string {
  const flat = cell.replaceAll(/\s+/g, ' ').trim();
  const limit = STATEMENT_LIMITS.quotedCharacters;
  return `"${flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat}"`;
}

export function note(code: string, message: string, row: number | null = null, column: string | null = null): Problem {
  return { row, column, code, message, severity: 'note' };
}

export function rejection(row: number, column: string | null, code: string, message: string): Problem {
  return { row, column, code, message, severity: 'rejected' };
}

export function unreadable(code: Unreadable['code'], message: string, row: number | null = null, column: string | null = null): Unreadable {
  return { code, message, row, column };
}

/** Returns rows for use in a message: "rows 4, 5 and 9 more". */
export function placed(rows: readonly number[] | RowNumbers): string {
  const { first, count } = rows instanceof RowNumbers ? rows : { first: rows, count: rows.length };
  const shown = first.slice(0, SHOWN_ROWS).join(', ');
  const more = count > SHOWN_ROWS ? ` and ${count - SHOWN_ROWS} more` : '';
  return `${count === 1 ? 'row' : 'rows'} ${shown}${more}`;
}

export function cancelled(): Unreadable {
  return unreadable('cancelled', phrase('statement.problems.readingWasCancelled'));
}

/** Most rows that a message names. */
const SHOWN_ROWS = 5;

/** Rows of a file that a message is about: counts all of them and keeps the first ones. */
export class RowNumbers {
  readonly #first: number[] = [];
  #count = 0;
  #last: number | null = null;

  constructor(rows: Iterable<number> = []) {
    this.addAll(rows);
  }

  add(row: number): void {
    if (this.#first.length < SHOWN_ROWS) this.#first.push(row);
    this.#count += 1;
    this.#last = row;
  }

  addAll(rows: Iterable<number>): void {
    for (const row of rows) this.add(row);
  }

  /** Returns these rows with others appended. */
  with(rows: Iterable<number>): RowNumbers {
    const all = new RowNumbers(this.#first);
    all.#count = this.#count;
    all.#last = this.#last;
    all.addAll(rows);
    return all;
  }

  get count(): number {
    return this.#count;
  }

  get first(): readonly number[] {
    return this.#first;
  }

  get last(): number | null {
    return this.#last;
  }
}

const BITS = 32;

/** A set of row places, from 0: one bit for each row of the file. */
export class PlaceSet {
  #words = new Uint32Array(0);
  #size = 0;

  add(place: number): void {
    if (this.has(place)) return;
    const word = Math.floor(place / BITS);
    this.#words = grownTo(this.#words, word + 1);
    this.#words[word] = (this.#words[word] as number) | (1 << (place % BITS));
    this.#size += 1;
  }

  has(place: number): boolean {
    return (((this.#words[Math.floor(place / BITS)] ?? 0) >>> (place % BITS)) & 1) === 1;
  }

  get size(): number {
    return this.#size;
  }
}
