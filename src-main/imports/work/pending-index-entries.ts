import type { TableImage } from '../../database/sqlite-image.ts';
import { RadixSorter, sortRanges } from '../../domain/collections/radix-sort.ts';
import { firstNumbers, layOut, longer, rangeStarts } from '../../domain/collections/typed-arrays.ts';
import type { KindOfMoney } from './line-stage.ts';

/** Records that wait to be listed at once: more in one go touch fewer pages, and each takes some fifty bytes until then. */
export const MOST_WAITING = 500_000;
const FIRST_ROOM = 1 << 12;
/** Room beyond that, for the last transactions before the rows are listed. */
const MORE_ROOM = 1 << 14;

/** Rows of a batch that are written and not listed yet, without an object for any of them. */
export class WaitingRows {
  #room = FIRST_ROOM;
  #ids = new Float64Array(FIRST_ROOM);
  #prints = new Float64Array(FIRST_ROOM);
  #amounts = new Float64Array(FIRST_ROOM);
  #created = new Float64Array(FIRST_ROOM);
  #days = new Int32Array(FIRST_ROOM);
  /** Currency and direction, see `kindOf`. */
  #kinds = new Int32Array(FIRST_ROOM);
  readonly #currencies: string[] = [];
  readonly #codes = new Map<string, number>();
  count = 0;

  /** The kind by which rows of some money are added. */
  kindOf({ currency, direction }: KindOfMoney): number {
    return this.#codeOf(currency) * 2 + (direction === 'credit' ? 1 : 0);
  }

  /** `amountMinor`, and the day since 1970-01-01. */
  add(id: number, print: number, kind: number, amountMinor: number, day: number, createdAtMs: number): void {
    if (this.count === this.#room) this.#grow();
    const at = this.count;
    this.#ids[at] = id;
    this.#prints[at] = print;
    this.#amounts[at] = amountMinor;
    this.#created[at] = createdAtMs;
    this.#days[at] = day;
    this.#kinds[at] = kind;
    this.count = at + 1;
  }

  clear(): void {
    this.count = 0;
  }

  id(at: number): number {
    return this.#ids[at] as number;
  }

  /** Adds a row to a table of staged keys. */
  stageKey(at: number, into: TableImage): void {
    into.int(this.#prints[at] as number);
    into.int(this.#ids[at] as number);
    into.end();
  }

  /** Adds a row to a table of staged amounts. */
  stageAmount(at: number, into: TableImage): void {
    const kind = this.#kinds[at] as number;
    into.text(this.#currencies[kind >> 1] as string);
    into.int(kind & 1);
    into.int(this.#amounts[at] as number);
    into.int(this.#ids[at] as number);
    into.int(this.#days[at] as number);
    into.int(this.#created[at] as number);
    into.end();
  }

  /** Places roughly in the order of fingerprints, which is enough: neighbours fall on the same pages. */
  byPrint(): Int32Array {
    const places = firstNumbers(this.count);
    const keys = new Uint32Array(this.count);
    for (let at = 0; at < this.count; at += 1) keys[at] = (this.#prints[at] as number) / 2 ** 21;
    new RadixSorter().sort(keys, places, 2 ** 32 - 1);
    return places;
  }

  /** Places in the order of the list of amounts, as far as currencies do not matter. */
  byAmount(): Int32Array {
    const kinds = this.#kinds.subarray(0, this.count);
    const starts = rangeStarts(kinds, 2 * this.#currencies.length);
    return sortRanges(layOut(kinds, starts), starts, this.#amounts);
  }

  #codeOf(currency: string): number {
    let code = this.#codes.get(currency);
    if (code === undefined) {
      code = this.#currencies.push(currency) - 1;
      this.#codes.set(currency, code);
    }
    return code;
  }

  #grow(): void {
    this.#room = this.#room < MOST_WAITING ? Math.min(MOST_WAITING, this.#room * 2) : this.#room + MORE_ROOM;
    [this.#ids, this.#prints] = [longer(this.#ids, this.#room), longer(this.#prints, this.#room)];
    [this.#amounts, this.#created] = [longer(this.#amounts, this.#room), longer(this.#created, this.#room)];
    [this.#days, this.#kinds] = [longer(this.#days, this.#room), longer(this.#kinds, this.#room)];
  }
}
