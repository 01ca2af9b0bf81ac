import { createHash } from 'node:crypto';

/**
 * A hash of a set. Elements are added and removed without knowledge of the others. It is LtHash (Bellare and Micciancio; Lewi and others) with 1,024
 * sums of 16 bits: two sets with equal hashes are as hard to find as for a hash of 200 bits.
 */
const SUMS = 1_024;
const BYTES = SUMS * 2;

export class SetHash {
  readonly #sums: Uint16Array;

  /** `bytes` are those of the getter `bytes`; omit them for the empty set. */
  constructor(bytes?: Uint8Array) {
    this.#sums = new Uint16Array(SUMS);
    if (bytes?.length === BYTES) new Uint8Array(this.#sums.buffer).set(bytes);
  }

  add(element: Uint8Array): void {
    const sums = this.#sums;
    const more = spread(element);
    for (let at = 0; at < SUMS; at += 1) sums[at] = (sums[at] as number) + (more[at] as number);
  }

  remove(element: Uint8Array): void {
    const sums = this.#sums;
    const less = spread(element);
    for (let at = 0; at < SUMS; at += 1) sums[at] = (sums[at] as number) - (less[at] as number);
  }

  get bytes(): Buffer {
    return Buffer.from(new Uint8Array(this.#sums.buffer));
  }

  /** SHA-256 of the sums, in hexadecimal. */
  get text(): string {
    return createHash('sha256').update(this.bytes).digest('hex');
  }
}

function spread(element: Uint8Array): Uint16Array {
  const bytes = createHash('shake128', { outputLength: BYTES }).update(element).digest();
  return new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + BYTES));
}
