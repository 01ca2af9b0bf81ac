import { IdSet } from '../../../domain/collections/id-set.ts';
import type { Field } from '../../../domain/records/fields.ts';
import { fieldOf } from '../../../domain/records/fields.ts';
import type { ValueColumn } from '../../../domain/records/value-column.ts';
import { changedIds, type ColumnPackRow, dropPack, readyPacks, streamsToPack } from '../../../records/store/column-packs.ts';
import type { Database } from '../../../database/database.ts';
import { readPack } from '../../../records/work/pack-reader.ts';
import { readForPack } from '../../../records/work/pack-stream.ts';
import { nameCodes } from '../../../records/work/column-buffers.ts';
import type { Check, Finding } from './check.ts';

/** What of a pack is not as the records are, in words; null where all is. */
function faultOf(database: Database, pack: ColumnPackRow): string | null {
  const leftOut = new IdSet(pack.first_id, pack.last_id);
  for (const id of changedIds(database, pack.id)) leftOut.add(id);
  const names = nameCodes();
  const packed = readPack(database, { pack, leftOut, toFill: null, names, streamCode: 0, onDoubt: () => {} });
  if (packed === null) return 'is damaged';
  const rows = readForPack(
    database,
    pack,
    () => false,
    (id) => leftOut.has(id),
  );
  if (rows === null || rows.columns.count !== packed.room.ids.length) return 'has other records than the stream';
  const { columns } = rows;
  const { places, source } = columns;
  const differs = (name: string, of: ArrayLike<number>, at: (row: number) => number | undefined): string | null => {
    for (let row = 0; row < columns.count; row += 1) {
      if (of[row] !== at(row)) return `says otherwise than the record ${source.ids[places[row] as number]} (${name})`;
    }
    return null;
  };
  const codes = columns.names.map((name) => names.codeOf(name));
  const found =
    differs('id', packed.room.ids, (row) => source.ids[places[row] as number]) ??
    differs('date', packed.room.days, (row) => columns.days[row]) ??
    differs('amount', packed.room.amounts, (row) => columns.amounts[row]) ??
    differs('direction', packed.room.credits, (row) => columns.credits[row]) ??
    differs('decimal places', packed.room.decimalPlaces, (row) => columns.decimalPlaces[row]) ??
    differs('currency', packed.room.currencies, (row) => codes[columns.currencies[row] as number]);
  if (found !== null) return found;
  const looks = source.looks();
  const ofLooks = packed.looks();
  if (ofLooks === null) return 'is damaged';
  const other = differs('look', ofLooks, (row) => looks[places[row] as number]);
  if (other !== null) return other;
  for (const [name, values] of rows.values) {
    const field: Field | null = fieldOf(name);
    const ofPack = field === null ? null : packed.values(field);
    const differing = ofPack === null ? -1 : firstDifference(ofPack, values, places);
    if (differing !== null && differing >= 0) return `says otherwise than the record ${source.ids[places[differing] as number]} (${name})`;
    if (differing !== null) return 'is damaged';
  }
  return null;
}

/** The first row at which a column by row is another than one by place; null for none. */
function firstDifference(byRow: ValueColumn, byPlace: ValueColumn, places: Int32Array): number | null {
  const length = ({ ends }: ValueColumn, at: number): number => (ends[at] as number) - (at === 0 ? 0 : (ends[at - 1] as number));
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row] as number;
    const size = length(byRow, row);
    let isSame = byRow.kinds[row] === byPlace.kinds[place] && size === length(byPlace, place);
    const [end, other] = [byRow.ends[row] as number, byPlace.ends[place] as number];
    for (let back = 1; isSame && back <= size; back += 1) isSame = byRow.bytes[end - back] === byPlace.bytes[other - back];
    if (!isSame) return row;
  }
  return null;
}

function* faultsOfPacks(database: Database): Generator<Finding> {
  for (const stream of streamsToPack(database)) {
    for (const pack of readyPacks(database, [stream.id])) {
      // A pack made under another reference is not used any more.
      const fault = pack.reference_field === stream.reference_field ? faultOf(database, pack) : null;
      if (fault === null) continue;
      yield {
        message: `What is packed for runs of the records ${pack.first_id} to ${pack.last_id} of the stream ${stream.key} ${fault}. It has been dropped, and is made anew by itself; start the last run of its reconciliations again.`,
        mend: (write) => dropPack(write, pack.id),
      };
    }
  }
}

/** Columns that are packed for runs say what the records say. */
export const packsCheck: Check = { id: 'packs', label: 'packed columns', find: faultsOfPacks };
