import { type ValueColumn, type ValueColumnBuilder, valueColumnBuilder } from '../../domain/matching/value-column.ts';

const MOST_KEYS = 32;
/** A key whose values take more is left out. */
const MOST_BYTES = 1 << 28;

interface KeyColumn {
  readonly builder: ValueColumnBuilder;
  places: number;
  isTooLarge: boolean;
}

/** Metadata of records as a column for each top-level key. */
export interface MetadataColumns {
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
    const made = { builder: valueColumnBuilder(room), places: 0, isTooLarge: false };
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
    if (count % 1_024 !== 0 || column.builder.current().bytes.length <= MOST_BYTES) return;
    column.isTooLarge = true;
    hasOtherKeys = true;
  };
  const add = (metadata: string): void => {
    if (metadata !== '{}') {
      const parsed: unknown = JSON.parse(metadata);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) [isDeep, hasOtherKeys] = [true, true];
      else for (const [key, value] of Object.entries(parsed)) addMember(key, value);
    }
    count += 1;
  };
  const finished: MetadataColumns['finished'] = () => {
    const kept = [...keys].filter(([, { isTooLarge }]) => !isTooLarge);
    for (const [, column] of kept) fillUp(column, count);
    return { values: new Map(kept.map(([key, { builder }]) => [`metadata.${key}`, builder.finished()])), hasOtherKeys, isDeep };
  };
  return { add, finished };
}

/** Nothing for the records that do not have the key. */
function fillUp(column: KeyColumn, count: number): void {
  for (; column.places < count; column.places += 1) column.builder.addText(null);
}
