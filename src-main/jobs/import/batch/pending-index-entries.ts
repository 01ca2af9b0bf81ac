import type { TableImage } from '../../../store/database/sqlite-image.ts';
import type { KindOfMoney } from './line-stage.ts';

/** Records that wait to be listed at once: more in one go touch fewer pages, and each takes some fifty bytes until then. */
export const MOST_WAITING = 500_000;
const FIRST_ROOM = 1 << 12;
/** For the last transactions before they are listed. */
const MORE_ROOM = 1 << 14;
/** Bits of a number that one pass of sorting looks at. */
const DIGIT = 1 << 16;

/** Rows of a batch that are written and not listed yet, without an object for any of them. */
export class WaitingRows {
  #room = FIRST_ROOM;
  #ids = new Float64Array(FIRST_ROOM);
  #prints = new Float64Array(FIRST_ROOM);
  #amounts = new Float64Array(FIRST_ROOM);
  #created = new Float64Array(FIRST_ROOM);
  #days = new Int32Array(FIRST_ROOM);
  /** Currency and direction, see `kindOf`. */
  #kinds = new Uint32Array(FIRST_ROOM);
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

  /** Places in about the order of fingerprints: neighbours are all that counts. */
  byPrint(): Uint32Array {
    const prints = this.#prints;
    return sorted(this.count, [(at) => ((prints[at] as number) / 2 ** 21) & 0xffff, (at) => (prints[at] as number) / 2 ** 37]);
  }

  /** Places in the order of the list of amounts, as far as currencies do not matter. */
  byAmount(): Uint32Array {
    const [amounts, kinds] = [this.#amounts, this.#kinds];
    let most = 0;
    for (let at = 0; at < this.count; at += 1) most = Math.max(most, amounts[at] as number);
    const digits: ((at: number) => number)[] = [];
    for (let unit = 1; unit <= most; unit *= DIGIT) digits.push((at) => Math.floor((amounts[at] as number) / unit) % DIGIT);
    return sorted(this.count, [...digits, (at) => (kinds[at] as number) % DIGIT]);
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
    const larger = (from: Float64Array): Float64Array<ArrayBuffer> => {
      const to = new Float64Array(this.#room);
      to.set(from);
      return to;
    };
    [this.#ids, this.#prints] = [larger(this.#ids), larger(this.#prints)];
    [this.#amounts, this.#created] = [larger(this.#amounts), larger(this.#created)];
    const [days, kinds] = [this.#days, this.#kinds];
    this.#days = new Int32Array(this.#room);
    this.#days.set(days);
    this.#kinds = new Uint32Array(this.#room);
    this.#kinds.set(kinds);
  }
}

/** Places from 0, sorted by digits, of which the last one counts most. Those that are alike stay in their order. */
function sorted(count: number, digits: readonly ((at: number) => number)[]): Uint32Array {
  let places = new Uint32Array(count);
  for (let at = 0; at < count; at += 1) places[at] = at;
  let others = new Uint32Array(count);
  for (const digit of digits) {
    const starts = new Uint32Array(DIGIT + 1);
    for (let at = 0; at < count; at += 1) starts[(digit(at) >>> 0) + 1] = (starts[(digit(at) >>> 0) + 1] as number) + 1;
    for (let at = 0; at < DIGIT; at += 1) starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number);
    for (const place of places) {
      const bucket = digit(place) >>> 0;
      const to = starts[bucket] as number;
      starts[bucket] = to + 1;
      others[to] = place;
    }
    [places, others] = [others, places];
  }
  return places;
}
