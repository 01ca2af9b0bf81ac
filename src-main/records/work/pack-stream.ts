import type { ValueColumn } from '../../domain/records/value-column.ts';
import type { Database } from '../../database/database.ts';
import { streamById } from '../../streams/store/streams.ts';
import { valueColumnBuilder } from '../../domain/records/value-column.ts';
import type { RecordColumns } from '../../domain/records/record-columns.ts';
import { rest } from '../../jobs/write-slices.ts';
import {
  aboutRecordsOf,
  insertPart,
  isStreamBusy,
  openPack,
  type PackPlace,
  publishPack,
  recordsIn,
  recordsOfRange,
} from '../store/column-packs.ts';
import { nameCodes } from './column-buffers.ts';
import { columnsToRead, orderedColumns, type ReadValues, rowCollector, rowVisitor, valueDateReader } from './row-columns.ts';
import { metadataColumns } from './metadata-columns.ts';
import { fitsInParts, type PackBody, packParts } from './pack-format.ts';

/** Bytes that one transaction writes, about. */
const BYTES_AT_ONCE = 1 << 20;
const ROWS_PER_LOOK = 1 << 12;
/** So many rows of the table are read in order in the time that one takes that an index finds. */
const IDS_A_RECORD = 4;

class Stopped extends Error {}

/** All records of a range of ids of a stream, in the order of their content, with all that a pack holds of them. */
interface StreamColumns {
  readonly columns: RecordColumns;
  readonly values: ReadonlyMap<string, ValueColumn>;
  readonly body: PackBody;
}

/** Reads what a pack is made of; the caller holds a snapshot for as long as it is used. `isLeftOut` says which ids are passed over. */
export function readForPack(
  database: Database,
  place: PackPlace,
  isStopped: () => boolean,
  isLeftOut: (id: number) => boolean = () => false,
): StreamColumns | null {
  const stream = streamById(database, place.stream_id);
  if (stream === undefined) return null;
  const names = nameCodes();
  const range = { from: place.first_id, to: place.last_id };
  const { count, first, last } = recordsIn(database, stream.id, range, aboutRecordsOf(database, stream.id));
  const externalIds = valueColumnBuilder(count);
  const metadata = metadataColumns(count);
  const fields = [
    {
      name: 'external_id',
      builder: externalIds,
      add: (row: { readonly externalId: string | null }) => externalIds.addText(row.externalId),
    },
    valueDateReader(valueColumnBuilder(count)),
  ];
  const collector = rowCollector(new Map([[stream.id, 0]]), names, fields, count);
  let read = 0;
  const visit = rowVisitor((row) => {
    read += 1;
    if (read % ROWS_PER_LOOK === 0 && isStopped()) throw new Stopped();
    if (isLeftOut(row.id)) return;
    collector.add(row);
    metadata.add(row.metadata ?? '{}');
  });
  try {
    const columns = columnsToRead({ externalId: true, metadata: true, valueDay: true });
    const { from, parameters } = recordsOfRange(stream.id, { from: first, to: last }, IDS_A_RECORD * count);
    database.visitRows<ReadValues>(columns, from, parameters, visit);
  } catch (error) {
    if (error instanceof Stopped) return null;
    throw error;
  }
  const collected = collector.finished();
  const { values: ofKeys, ...keys } = metadata.finished();
  for (const [name, column] of ofKeys) collected.values.set(name, column);
  const columns = orderedColumns(database, collected, names);
  const values = new Map([...collected.values].filter(([, column]) => fitsInParts(column, columns.places)));
  const hasOtherKeys = keys.hasOtherKeys || [...ofKeys.keys()].some((name) => !values.has(name));
  return { columns, values, body: { currencies: [...names.names], values: [...values.keys()], hasOtherKeys, isDeep: keys.isDeep } };
}

/** A pack to be made. */
export interface PackWork {
  readonly place: PackPlace;
  /** Packs in whose place it stands. */
  readonly replaced: readonly number[];
}

/**
 * Packs a range of ids of a stream. Changes are noted from before it is read, so nothing that happens meanwhile is lost. False when it was
 * stopped, or something of the stream is being imported or cleared.
 */
export function packStream(database: Database, { place, replaced }: PackWork, isStopped: () => boolean): boolean {
  const reference = streamById(database, place.stream_id)?.reference_field ?? null;
  const packId = database.write((write) => (isStreamBusy(write, place.stream_id) ? null : openPack(write, place, reference)));
  if (packId === null) return false;
  const made = database.snapshot(() => {
    const hasSameOrder = streamById(database, place.stream_id)?.reference_field === reference;
    return hasSameOrder ? readForPack(database, place, isStopped) : null;
  });
  if (made === null) return false;
  let waiting: { readonly name: string; readonly chunk: number; readonly body: Uint8Array }[] = [];
  let bytes = 0;
  const flush = (): void => {
    const parts = waiting;
    database.write((write) => {
      for (const { name, chunk, body } of parts) insertPart(write, packId, name, chunk, body);
    });
    [waiting, bytes] = [[], 0];
    rest();
  };
  for (const part of packParts(made.columns, made.values)) {
    if (isStopped()) return false;
    waiting.push(part);
    bytes += part.body.length;
    if (bytes >= BYTES_AT_ONCE) flush();
  }
  flush();
  return database.write((write) => publishPack(write, packId, made.columns.count, JSON.stringify(made.body), replaced));
}
