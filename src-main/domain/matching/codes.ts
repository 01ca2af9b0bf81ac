import { floatAt, intAt } from './typed.ts';
import { compareBytes, endOf, startOf, textOfBytes, type ValueColumn, valueColumnBuilder } from './value-column.ts';

/** Gives equal texts equal codes, by order of appearance. Only the first of equal texts is remembered, as a place in its column. */
export interface TextCodes {
  readonly codeOf: (column: ValueColumn, place: number) => number;
  readonly codeOfText: (text: string) => number;
  readonly textOf: (code: number) => string;
}

const FIRST_SLOTS = 1 << 6;

export function textCodes(): TextCodes {
  let slots = new Int32Array(FIRST_SLOTS);
  let hashes = new Int32Array(FIRST_SLOTS / 2);
  let places = new Int32Array(FIRST_SLOTS / 2);
  let owners = new Uint8Array(FIRST_SLOTS / 2);
  // The first column holds texts that stand in no other.
  const own = valueColumnBuilder(0);
  const columns: ValueColumn[] = [own.current()];
  let count = 0;
  const grow = (): void => {
    const room = slots.length;
    const [grownHashes, grownPlaces, grownOwners] = [new Int32Array(room), new Int32Array(room), new Uint8Array(room)];
    grownHashes.set(hashes);
    grownPlaces.set(places);
    grownOwners.set(owners);
    [hashes, places, owners] = [grownHashes, grownPlaces, grownOwners];
    slots = new Int32Array(room * 2);
    const mask = slots.length - 1;
    for (let code = 0; code < count; code += 1) {
      let slot = intAt(hashes, code) & mask;
      while (intAt(slots, slot) !== 0) slot = (slot + 1) & mask;
      slots[slot] = code + 1;
    }
  };
  const ownerOf = (column: ValueColumn): number => {
    const known = columns.indexOf(column);
    return known >= 0 ? known : columns.push(column) - 1;
  };
  const codeAt = (column: ValueColumn, owned: number, place: number): number => {
    const start = startOf(column, place);
    const end = endOf(column, place);
    const hash = hashOf(column.bytes, start, end);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let held = intAt(slots, slot); held !== 0; held = intAt(slots, slot)) {
      if (intAt(hashes, held - 1) === hash) {
        const owner = columns[owners[held - 1] as number] as ValueColumn;
        const other = intAt(places, held - 1);
        if (compareBytes(column.bytes, start, end, owner.bytes, startOf(owner, other), endOf(owner, other)) === 0) return held - 1;
      }
      slot = (slot + 1) & mask;
    }
    slots[slot] = count + 1;
    hashes[count] = hash;
    places[count] = place;
    owners[count] = owned;
    count += 1;
    if (count === hashes.length) grow();
    return count - 1;
  };
  const textOf = (code: number): string => {
    const owner = columns[owners[code] as number] as ValueColumn;
    const place = intAt(places, code);
    return textOfBytes(owner.bytes, startOf(owner, place), endOf(owner, place));
  };
  let latest = 0;
  const codeOf = (column: ValueColumn, place: number): number => {
    if (columns[latest] !== column) latest = ownerOf(column);
    return codeAt(column, latest, place);
  };
  let ownCount = 0;
  const codeOfText = (text: string): number => {
    own.addText(text);
    const column = own.current();
    columns[0] = column;
    const before = count;
    const code = codeAt(column, 0, ownCount);
    if (count > before) ownCount += 1;
    else own.dropLast();
    return code;
  };
  return { codeOf, codeOfText, textOf };
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

/** Gives equal numbers equal codes, by order of appearance. A bigint stands only for what is no safe integer. */
export interface NumberCodes {
  readonly codeOf: (value: number | bigint) => number;
}

export function numberCodes(): NumberCodes {
  let slots = new Int32Array(FIRST_SLOTS);
  let values = new Float64Array(FIRST_SLOTS / 2);
  const wide = new Map<bigint, number>();
  let count = 0;
  const slotOf = (value: number): number => {
    const mask = slots.length - 1;
    const high = Math.floor(value / 0x1_0000_0000);
    let hash = Math.imul((value | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    while (intAt(slots, slot) !== 0 && values[intAt(slots, slot) - 1] !== value) slot = (slot + 1) & mask;
    return slot;
  };
  const grow = (): void => {
    const grown = new Float64Array(slots.length);
    grown.set(values);
    values = grown;
    slots = new Int32Array(slots.length * 2);
    for (let code = 0; code < count; code += 1) {
      const value = floatAt(values, code);
      if (!Number.isNaN(value)) slots[slotOf(value)] = code + 1;
    }
  };
  const added = (value: number): number => {
    values[count] = value;
    count += 1;
    if (count === values.length) grow();
    return count - 1;
  };
  const codeOfWide = (value: bigint): number => {
    const code = wide.get(value) ?? added(Number.NaN);
    wide.set(value, code);
    return code;
  };
  const codeOf = (value: number | bigint): number => {
    if (typeof value === 'bigint') return codeOfWide(value);
    const slot = slotOf(value);
    const held = intAt(slots, slot);
    if (held !== 0) return held - 1;
    slots[slot] = count + 1;
    return added(value);
  };
  return { codeOf };
}
