/** How a reference is written: digits alone, letters before digits, mixed, letters joined by a sign, or the digits inside one of these. */
export const SHAPE = { digits: 0, lettered: 1, mixed: 2, joined: 3, core: 4 } as const;

const MOST_PREFIX = 4;
const MOST_ORIGINS = 1 << 12;

interface Origin {
  /** Index of the field in the side's fields. */
  readonly field: number;
  readonly shape: number;
  /** Letters before the digits; `*` if they vary too much to identify a kind. */
  readonly prefix: string;
}

/** A table of the places references come from (field, shape and letters before the digits), numbered by first appearance. */
export class Origins {
  readonly list: Origin[] = [];
  readonly #known = new Map<string, number>();

  codeOf(field: number, shape: number, prefix: string): number {
    const kept = prefix.length > MOST_PREFIX || this.list.length >= MOST_ORIGINS ? '*' : prefix;
    const key = `${field} ${shape} ${kept}`;
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    const code = this.list.length;
    this.#known.set(key, code);
    this.list.push({ field, shape, prefix: kept });
    return code;
  }
}
