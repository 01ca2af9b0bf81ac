import { type ValueColumn, type ValueColumnBuilder, valueColumnBuilder } from '../../domain/records/value-column.ts';

const MOST_KEYS = 32;
/** A key whose values take more is left out. */
const MOST_BYTES = 1 << 28;

interface KeyColumn {
  /** How a text under the key begins in stored metadata. */
  readonly opening: string;
  readonly builder: ValueColumnBuilder;
  places: number;
  isTooLarge: boolean;
}

/** Metadata of records as a column for each top-level key. */
interface MetadataColumns {
  /** Takes the metadata of the next record, as it is stored. */
  readonly add: (metadata: string) => void;
  readonly finished: () => {
    /** By `metadata.KEY`. */
    readonly values: ReadonlyMap<string, ValueColumn>;
    readonly hasOtherKeys: boolean;
    readonly isDeep: boolean;
  };
}

/** `room`: records that are expected. */
export function metadataColumns(room: number): MetadataColumns {
  const keys = new Map<string, KeyColumn>();
  const filled: KeyColumn[] = [];
  const ends: number[] = [];
  let count = 0;
  let hasOtherKeys = false;
  let isDeep = false;
  const columnOf = (key: string): KeyColumn | null => {
    const known = keys.get(key);
    if (known !== undefined) return known.isTooLarge ? null : known;
    if (keys.size >= MOST_KEYS || key.includes('.')) {
      hasOtherKeys = true;
      return null;
    }
    const made = { opening: `${JSON.stringify(key)}:"`, builder: valueColumnBuilder(room), places: 0, isTooLarge: false };
    keys.set(key, made);
    return made;
  };
  const addMember = (key: string, value: unknown): void => {
    if ((typeof value === 'object' && value !== null) || key.includes('.')) isDeep = true;
    const column = columnOf(key);
    if (column === null) return;
    fillUp(column, count);
    column.builder.add(value);
    column.places += 1;
  };
  /** Adds metadata without parsing it, if it has only known keys with plain texts in their usual order. Answers whether it had. */
  const addPlain = (metadata: string): boolean => {
    if (metadata.includes('\\')) return false;
    let found = 0;
    let at = 1;
    for (const column of keys.values()) {
      if (column.isTooLarge) return false;
      if (!metadata.startsWith(column.opening, at)) continue;
      const start = at + column.opening.length;
      const end = metadata.indexOf('"', start);
      ends[found * 2] = start;
      ends[found * 2 + 1] = end;
      filled[found] = column;
      found += 1;
      at = end + 2;
    }
    if (at !== metadata.length || found === 0) return false;
    for (let index = 0; index < found; index += 1) {
      const column = filled[index];
      if (column === undefined) continue;
      fillUp(column, count);
      column.builder.addPart(metadata, ends[index * 2] ?? 0, ends[index * 2 + 1] ?? 0);
      column.places += 1;
    }
    return true;
  };
  const add = (metadata: string): void => {
    if (metadata !== '{}' && !addPlain(metadata)) {
      const parsed: unknown = JSON.parse(metadata);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) [isDeep, hasOtherKeys] = [true, true];
      else for (const [key, value] of Object.entries(parsed)) addMember(key, value);
    }
    count += 1;
    if (count % 1_024 === 0) for (const column of keys.values()) column.isTooLarge ||= column.builder.current().bytes.length > MOST_BYTES;
  };
  const finished: MetadataColumns['finished'] = () => {
    const kept = [...keys].filter(([, { isTooLarge }]) => !isTooLarge);
    if (kept.length < keys.size) hasOtherKeys = true;
    for (const [, column] of kept) fillUp(column, count);
    return { values: new Map(kept.map(([key, { builder }]) => [`metadata.${key}`, builder.finished()])), hasOtherKeys, isDeep };
  };
  return { add, finished };
}

/** Adds nothing for the records that do not have the key. */
function fillUp(column: KeyColumn, count: number): void {
  for (; column.places < count; column.places += 1) column.builder.addText(null);
}
