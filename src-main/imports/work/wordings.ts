import { type AddedContent, apart, joined, type LineContent, type StatementLine } from '../../domain/statement/index.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { closedOver, closedSpansOfStream } from '../../close/store/closed-spans.ts';
import { noteRecordChange } from '../../runs/store/due-runs.ts';
import { unlist } from '../../records/store/listed-records.ts';
import { externalIdTaken, isDedupeKeyTaken, type RecordChange, updateRecord } from '../../records/store/records.ts';
import { batchFigures, type BatchFigures, setBatchFigures } from '../store/import-batches.ts';
import {
  deleteWording,
  insertWording,
  type JoinedRecord,
  recordsKeptByOthers,
  recordsToJoin,
  setAdded,
  takeWording,
  type Wording,
  wordingsOfRecords,
  wordingsOfWipe,
} from '../store/wordings.ts';
import { type CurrencyTotal, LineSums } from './figures.ts';

/** A line of a file that is a record in other words. */
export interface SameLine {
  readonly line: StatementLine;
  readonly dedupeKey: string;
  readonly recordId: number;
}

/** Keeps with records what a file says of them in other words. Part of the publish step of the import. */
export function joinLines(
  write: WriteHandle,
  { streamId, batchId }: { readonly streamId: number; readonly batchId: number },
  same: readonly SameLine[],
): void {
  if (same.length === 0) return;
  const records = new Map(
    recordsToJoin(
      write,
      same.map(({ recordId }) => recordId),
    ).map((record) => [record.id, record]),
  );
  const closed = closedSpansOfStream(write, streamId);
  for (const { line, dedupeKey, recordId } of same) {
    const record = records.get(recordId);
    if (record === undefined) continue;
    const own = contentOfRecord(record);
    // A record of a closed period takes nothing over: it stays as it was signed.
    const { content, added } = joined(own, [closedOver(closed, record.day) === undefined ? line : own]);
    changeContent(write, record, content);
    insertWording(write, {
      stream_id: streamId,
      record_id: recordId,
      batch_id: batchId,
      dedupe_key: dedupeKey,
      day: line.day,
      value_day: line.valueDay,
      description: line.description,
      external_id: line.externalId,
      metadata: JSON.stringify(line.metadata),
      added: JSON.stringify(added[0]),
    });
  }
  noteRecordChange(write, streamId);
}

function contentOfRecord({ description, external_id: externalId, value_day: valueDay, metadata }: JoinedRecord | Wording): LineContent {
  return { description, externalId, valueDay, metadata: JSON.parse(metadata) as Record<string, unknown> };
}

function addedOf({ added }: Wording): AddedContent {
  return JSON.parse(added) as AddedContent;
}

function changeContent(write: WriteHandle, record: JoinedRecord, content: LineContent): void {
  const metadata = JSON.stringify(content.metadata);
  const change: RecordChange = {
    ...(metadata === record.metadata ? {} : { metadata }),
    ...(content.valueDay === record.value_day ? {} : { value_day: content.valueDay }),
  };
  updateRecord(write, record.id, change);
}

/**
 * First part of the undo of an import. Up to `limit` of its records that another file has as well become records of that file, with its words,
 * and stay in this import as its wording of them. `edited`: records that people changed; these stay as they are. Answers how many.
 */
export function handOver(write: WriteHandle, batchId: number, edited: ReadonlySet<number>, limit: number): number {
  const records = recordsKeptByOthers(write, batchId, limit);
  if (records.length === 0) return 0;
  const wordings = wordingsByRecord(write, records);
  const moved = new Map<number, JoinedRecord[]>();
  for (const record of records) {
    const [first, ...others] = wordings.get(record.id) ?? [];
    if (first === undefined) continue;
    swap(write, record, first, others, edited.has(record.id));
    const ofBatch = moved.get(first.batch_id);
    if (ofBatch === undefined) moved.set(first.batch_id, [record]);
    else ofBatch.push(record);
  }
  for (const [other, lines] of moved) {
    moveFigures(write, batchId, lines, -1);
    moveFigures(write, other, lines, 1);
  }
  return records.length;
}

function wordingsByRecord(read: ReadHandle, records: readonly JoinedRecord[]): Map<number, Wording[]> {
  const ids = records.map(({ id }) => id);
  return Map.groupBy<number, Wording>(wordingsOfRecords(read, ids), (wording) => wording.record_id);
}

/** The record becomes a record of the wording's file, and its former content becomes a wording. */
function swap(write: WriteHandle, record: JoinedRecord, wording: Wording, others: readonly Wording[], isEdited: boolean): void {
  const base = apart(contentOfRecord(record), [wording, ...others].map(addedOf));
  const said = contentOfRecord(wording);
  const isTaken = said.externalId !== null && externalIdTaken(write, record.stream_id, said.externalId, record.id);
  const own = isEdited ? base : { ...said, externalId: isTaken ? null : said.externalId };
  const { content, added } = joined(own, [base, ...others.map(contentOfRecord)]);
  deleteWording(write, wording.id);
  // First the record leaves the list of keys. The triggers on the list expect only one change of a record at a time.
  unlist(write, record.id);
  const isFree = !isDedupeKeyTaken(write, record.stream_id, wording.dedupe_key);
  takeWording(write, record.id, {
    batch_id: wording.batch_id,
    dedupe_key: isFree ? wording.dedupe_key : (record.dedupe_key ?? wording.dedupe_key),
    day: isEdited ? record.day : wording.day,
    value_day: content.valueDay,
    description: content.description,
    external_id: content.externalId,
    metadata: JSON.stringify(content.metadata),
  });
  const [addedOfBase, ...addedOfOthers] = added;
  if (record.dedupe_key !== null && record.batch_id !== null) {
    insertWording(write, {
      stream_id: record.stream_id,
      record_id: record.id,
      batch_id: record.batch_id,
      dedupe_key: record.dedupe_key,
      day: record.day,
      value_day: base.valueDay,
      description: base.description,
      external_id: base.externalId,
      metadata: JSON.stringify(base.metadata),
      added: JSON.stringify(addedOfBase),
    });
  }
  for (const [at, other] of others.entries()) setAdded(write, other.id, JSON.stringify(addedOfOthers[at]));
}

/** Figures of an import that gains or loses records. */
function moveFigures(write: WriteHandle, batchId: number, records: readonly JoinedRecord[], sign: 1 | -1): void {
  const sums = new LineSums();
  for (const { currency, decimal_places: decimalPlaces, direction, amount: amountMinor, day } of records) {
    sums.add({ currency, decimalPlaces, direction: direction === 1 ? 'credit' : 'debit', amountMinor, day });
  }
  const { kept, skipped, totals, date_start: first, date_end: last }: BatchFigures = batchFigures(write, batchId);
  const days = sign === 1 ? sums.days : null;
  setBatchFigures(write, batchId, {
    kept: kept + sign * records.length,
    skipped: skipped - sign * records.length,
    totals: JSON.stringify(addedTotals(JSON.parse(totals) as CurrencyTotal[], sums.totals() ?? [], sign)),
    date_start: days === null ? first : Math.min(first ?? days.firstDay, days.firstDay),
    date_end: days === null ? last : Math.max(last ?? days.lastDay, days.lastDay),
  });
}

function addedTotals(totals: readonly CurrencyTotal[], more: readonly CurrencyTotal[], sign: 1 | -1): CurrencyTotal[] {
  const byCurrency = new Map(totals.map((total) => [total.currency, total]));
  for (const { currency, decimal_places: places, credits, debits } of more) {
    const there = byCurrency.get(currency) ?? { currency, decimal_places: places, credits: 0, debits: 0 };
    const finest = Math.max(there.decimal_places, places);
    const [ofThere, ofMore] = [10 ** (finest - there.decimal_places), sign * 10 ** (finest - places)];
    byCurrency.set(currency, {
      currency,
      decimal_places: finest,
      credits: there.credits * ofThere + credits * ofMore,
      debits: there.debits * ofThere + debits * ofMore,
    });
  }
  return [...byCurrency.values()].toSorted((one, other) => (one.currency < other.currency ? -1 : 1));
}

/** Deletes up to `limit` wordings of a wipe, with what records took over of them; answers how many. */
export function clearWordings(write: WriteHandle, wipeId: number, limit: number): number {
  const going = wordingsOfWipe(write, wipeId, limit);
  if (going.length === 0) return 0;
  const records = recordsToJoin(write, [...new Set(going.map(({ record_id: id }) => id))]);
  const staying = wordingsByRecord(write, records);
  const goingOf = Map.groupBy(going, ({ record_id: id }) => id);
  for (const record of records) {
    const others = staying.get(record.id) ?? [];
    const base = apart(contentOfRecord(record), [...(goingOf.get(record.id) ?? []), ...others].map(addedOf));
    const { content, added } = joined(base, others.map(contentOfRecord));
    changeContent(write, record, content);
    for (const [at, other] of others.entries()) setAdded(write, other.id, JSON.stringify(added[at]));
  }
  for (const { id } of going) deleteWording(write, id);
  return going.length;
}
