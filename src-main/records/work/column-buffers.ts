import type { RecordColumns } from '../../domain/records/record-columns.ts';

/** Texts that rows refer to by code: streams and currencies of one side. */
export interface NameCodes {
  readonly names: readonly string[];
  readonly codeOf: (name: string) => number;
}

export function nameCodes(): NameCodes {
  const names: string[] = [];
  const codes = new Map<string, number>();
  let latest = { name: '', code: -1 };
  const codeOf = (name: string): number => {
    if (latest.name === name && latest.code >= 0) return latest.code;
    const code = codes.get(name) ?? names.push(name) - 1;
    codes.set(name, code);
    latest = { name, code };
    return code;
  };
  return { names, codeOf };
}

/** The columns that every row has. */
export type ColumnRoom = Pick<RecordColumns, 'amounts' | 'days' | 'decimalPlaces' | 'credits' | 'currencies' | 'streams'> & {
  readonly ids: Float64Array;
};

/** Returns columns for `rows` rows; `filled` is copied to their beginning. */
export function roomFor(rows: number, filled?: ColumnRoom): ColumnRoom {
  const room: ColumnRoom = {
    ids: new Float64Array(rows),
    amounts: new Float64Array(rows),
    days: new Int32Array(rows),
    decimalPlaces: new Uint8Array(rows),
    credits: new Uint8Array(rows),
    currencies: new Uint16Array(rows),
    streams: new Uint16Array(rows),
  };
  if (filled !== undefined) fillRoom(room, 0, filled);
  return room;
}

/** Copies rows into columns, the first of them to row `from`. */
export function fillRoom(room: ColumnRoom, from: number, filled: ColumnRoom): void {
  room.ids.set(filled.ids, from);
  room.amounts.set(filled.amounts, from);
  room.days.set(filled.days, from);
  room.decimalPlaces.set(filled.decimalPlaces, from);
  room.credits.set(filled.credits, from);
  room.currencies.set(filled.currencies, from);
  room.streams.set(filled.streams, from);
}

/** Returns a range of rows as views of the same memory. */
export function roomOf(room: ColumnRoom, from: number, to: number): ColumnRoom {
  return {
    ids: room.ids.subarray(from, to),
    amounts: room.amounts.subarray(from, to),
    days: room.days.subarray(from, to),
    decimalPlaces: room.decimalPlaces.subarray(from, to),
    credits: room.credits.subarray(from, to),
    currencies: room.currencies.subarray(from, to),
    streams: room.streams.subarray(from, to),
  };
}
