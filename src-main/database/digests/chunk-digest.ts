import { hash } from 'node:crypto';
import { type Chunk, firstIdOf } from './chunks.ts';
import { type CoveredTable, ROWS_OF_CHUNK } from './covered.ts';

/** The digest of the rows of a chunk. */
export interface ChunkDigest {
  /** SHA-256 of all rows. */
  readonly sha256: Buffer;
  /** Short sums of each row and of each column. A changed field is where a changed row sum and a changed column sum meet. */
  readonly places: Buffer;
}

const PLACE = 4;
const BYTES_OF_SLOTS = ROWS_OF_CHUNK / 8;
const MIX = 0x85eb_ca6b;
const [QUOTE, BACKSLASH, COMMA, CLOSE] = [0x22, 0x5c, 0x2c, 0x5d];

/** Returns the digest of rows as `chunkSql` writes them: JSON arrays, one a line, the primary key first. */
export function digestOf(rows: Buffer, table: CoveredTable): ChunkDigest {
  return { sha256: hash('sha256', rows, 'buffer'), places: placesOf(rows, table) };
}

export function rowsOf(places: Buffer, { columns, hasId }: CoveredTable): number {
  return (places.length - (hasId ? BYTES_OF_SLOTS : 0)) / PLACE - columns.length;
}

/** Odd factors for the bytes of a field, by place: with them no single byte can change without changing the sum. */
const WEIGHTS = Int32Array.from({ length: 256 }, (_, place) => Math.imul(2 * place + 1, 0x9e37_79b1) | 1);

function placesOf(rows: Buffer, { columns, hasId }: CoveredTable): Buffer {
  const width = columns.length;
  const sums = new Int32Array(width + ROWS_OF_CHUNK);
  let more: number[] | undefined;
  const slots = Buffer.alloc(hasId ? BYTES_OF_SLOTS : 0);
  const { length } = rows;
  let count = 0;
  for (let at = 0; at < length;) {
    // Skips the bracket with which a row begins; it ends with one and a new line.
    at += 1;
    const slot = hasId ? slotAt(rows, at) : 0;
    if (hasId) slots[slot >> 3] = (slots[slot >> 3] as number) | (1 << (slot & 7));
    let row = 0;
    for (let column = 0; column < width; column += 1) {
      const end = endOfValue(rows, at);
      let cell = slot + 1;
      for (let place = 0; at < end; at += 1, place += 1)
        cell += Math.imul(rows[at] as number, WEIGHTS[place & 255] as number) + (place >> 8);
      at += 1;
      cell = Math.imul(cell ^ (cell >>> 15), MIX);
      sums[column] = (sums[column] as number) + cell;
      row = Math.imul(row ^ cell, MIX) + column;
    }
    row ^= row >>> 13;
    if (count < ROWS_OF_CHUNK) sums[width + count] = row;
    else (more ??= []).push(row);
    count += 1;
    at += 1;
  }
  const all = more === undefined ? sums.subarray(0, width + count) : Int32Array.from([...sums, ...more]);
  return Buffer.concat([slots, Buffer.from(all.buffer, all.byteOffset, all.byteLength)]);
}

/** Returns where a value of a JSON array ends: at a comma or the closing bracket. */
function endOfValue(rows: Buffer, from: number): number {
  let at = from;
  if (rows[at] !== QUOTE) {
    for (let byte = rows[at]; byte !== COMMA && byte !== CLOSE; byte = rows[at]) at += 1;
    return at;
  }
  at += 1;
  for (let byte = rows[at]; byte !== QUOTE; byte = rows[at]) at += byte === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Returns the slot, within its chunk, of the id with which a row begins. */
function slotAt(rows: Buffer, start: number): number {
  let value = 0;
  const isNegative = rows[start] === 0x2d;
  for (let at = isNegative ? start + 1 : start; rows[at] !== COMMA && rows[at] !== CLOSE; at += 1)
    value = value * 10 + (rows[at] as number) - 0x30;
  const id = isNegative ? -value : value;
  return ((id % ROWS_OF_CHUNK) + ROWS_OF_CHUNK) % ROWS_OF_CHUNK;
}

interface Places {
  readonly sums: readonly number[];
  readonly rows: readonly number[];
  /** The slot of each row, for rows with ids. */
  readonly slots: readonly number[];
}

function placesFrom(bytes: Buffer, { columns, hasId }: CoveredTable): Places {
  const head = hasId ? BYTES_OF_SLOTS : 0;
  const numbers: number[] = [];
  for (let at = head; at + PLACE <= bytes.length; at += PLACE) numbers.push(bytes.readUInt32LE(at));
  const slots: number[] = [];
  for (let slot = 0; slot < head * 8; slot += 1) if (((bytes[slot >> 3] ?? 0) & (1 << (slot & 7))) !== 0) slots.push(slot);
  return { sums: numbers.slice(0, columns.length), rows: numbers.slice(columns.length), slots };
}

type Difference =
  | { readonly kind: 'changed'; readonly key: string; readonly fields: readonly { readonly name: string; readonly now: string }[] }
  | { readonly kind: 'added'; readonly key: string }
  | { readonly kind: 'gone'; readonly key: string | null };

const MOST_SIGNS = 40;

/**
 * Returns the rows and fields in which a chunk differs from what was written; `firstId` is the id of its first slot. May return none if the stored
 * sums themselves are damaged.
 */
function differences(table: CoveredTable, firstId: number, was: Buffer | null, rows: Buffer | null): Difference[] {
  const now = rows === null ? null : placesFrom(placesOf(rows, table), table);
  const before = was === null ? null : placesFrom(was, table);
  const lines =
    rows === null
      ? []
      : rows
          .toString('utf8')
          .split('\n')
          .map((line) => JSON.parse(line) as unknown[]);
  const keyOf = (line: readonly unknown[]): string => line.slice(0, table.primary.length).map(shortly).join(', ');
  const others = table.columns.map(({ name }, place) => ({ name, place })).filter(({ place }) => now?.sums[place] !== before?.sums[place]);
  const changed = (line: readonly unknown[]): Difference => ({
    kind: 'changed',
    key: keyOf(line),
    fields: others.map(({ name, place }) => ({ name, now: shortly(line[place]) })),
  });
  if (table.hasId) {
    const sumsBefore = new Map(before?.slots.map((slot, place) => [slot, before.rows[place]]));
    const sumsNow = new Map(now?.slots.map((slot, place) => [slot, { sum: now.rows[place], line: lines[place] as unknown[] }]));
    const here = [...sumsNow].flatMap(([slot, { sum, line }]): Difference[] => {
      if (!sumsBefore.has(slot)) return [{ kind: 'added', key: keyOf(line) }];
      return sumsBefore.get(slot) === sum ? [] : [changed(line)];
    });
    const gone = [...sumsBefore.keys()].filter((slot) => !sumsNow.has(slot));
    return withoutDoubt([...here, ...gone.map((slot): Difference => ({ kind: 'gone', key: String(firstId + slot) }))]);
  }
  const left = [...(before?.rows ?? [])];
  const unknown = lines.filter((_line, place) => {
    const known = left.indexOf(now?.rows[place] as number);
    if (known >= 0) left.splice(known, 1);
    return known < 0;
  });
  const found = unknown.map((line, place): Difference => (place < left.length ? changed(line) : { kind: 'added', key: keyOf(line) }));
  const gone = Array.from({ length: Math.max(0, left.length - unknown.length) }, (): Difference => ({ kind: 'gone', key: null }));
  return withoutDoubt([...found, ...gone]);
}

/** Drops the fields of changed rows if a row was added or removed: that changes the sums of all columns. */
function withoutDoubt(found: readonly Difference[]): Difference[] {
  if (found.every(({ kind }) => kind === 'changed')) return [...found];
  return found.map((difference) => (difference.kind === 'changed' ? { ...difference, fields: [] } : difference));
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_SIGNS ? `${text.slice(0, MOST_SIGNS)}…` : text;
}

/** Returns in words which rows and fields of a chunk differ from what Tieout wrote. */
export function wordsOfChunk(table: CoveredTable, chunk: Chunk, was: Buffer | null, rows: Buffer | null): string[] {
  const found = differences(table, firstIdOf(chunk), was, rows);
  if (found.length > 0) return found.map((difference) => wordsOf(table.name, difference));
  const where = typeof chunk === 'number' ? `ids from ${firstIdOf(chunk)} on` : `key ${chunk}`;
  return [`Rows of ${table.name} (${where}) are not what Tieout wrote`];
}

function wordsOf(table: string, difference: Difference): string {
  switch (difference.kind) {
    case 'added':
      return `Row ${difference.key} of ${table} was not written by Tieout`;
    case 'gone':
      return difference.key === null
        ? `A row of ${table} is gone, which Tieout did not delete`
        : `Row ${difference.key} of ${table} is gone, and Tieout did not delete it`;
    case 'changed': {
      const fields = difference.fields.map(({ name, now }) => `${name} is now ${now}`).join(', ');
      return `Row ${difference.key} of ${table} was changed, and not by Tieout${fields === '' ? '' : `: ${fields}`}`;
    }
  }
}
