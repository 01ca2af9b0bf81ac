import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { type AddedContent, apart, joined, type LineContent, type StatementLine } from '../../domain/statement/index.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { closedOver, closedSpansOfStream } from '../../close/store/closed-spans.ts';
import { noteRecordChange } from '../../runs/store/due-runs.ts';
import { daysOfOthers } from '../../records/store/same-money.ts';
import { unlist } from '../../records/store/listed-records.ts';
import { externalIdTaken, isDedupeKeyTaken, type RecordChange, updateRecord } from '../../records/store/records.ts';
import { batchFigures, type BatchFigures, setBatchFigures } from '../store/import-batches.ts';
import {
  deleteAlternativeDescription,
  insertAlternativeDescription,
  type JoinedRecord,
  recordsKeptByOthers,
  recordsToJoin,
  setAdded,
  takeAlternativeDescription,
  type AlternativeDescription,
  alternativeDescriptionsOf,
  alternativeDescriptionsOfWipe,
} from '../store/alternative-descriptions.ts';
import { isRareAmount, possibleDuplicates as sameContent } from '../store/possible-duplicates.ts';
import { addedTotals, LineSums } from './figures.ts';
import { type ComparedLines, type IdOfLine, lineOfRow, overlapsWith, type SameLine, type StoredLine, textsOf } from './overlap.ts';

/** Part of the publish step: adds lines of a file to their records as alternative descriptions. */
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
    // A record of a closed period takes over no content, because it must stay as it was signed.
    const { content, added } = joined(own, [closedOver(closed, record.day) === undefined ? line : own]);
    changeContent(write, record, content);
    insertAlternativeDescription(write, {
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

function contentOfRecord(row: JoinedRecord | AlternativeDescription): LineContent {
  const metadata = storedJson('added' in row ? 'wordings.metadata' : 'records.metadata', row.metadata, row.id);
  return { description: row.description, externalId: row.external_id, valueDay: row.value_day, metadata };
}

function addedOf({ id, added }: AlternativeDescription): AddedContent {
  return storedJson('wordings.added', added, id);
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
 * First part of the undo of an import. Up to `limit` of its records that another file has too become records of that file, with its description; the
 * former content remains as an alternative description of this import. Records in `edited` keep the content that people gave them. Returns the number
 * of records.
 */
export function handOver(write: WriteHandle, batchId: number, edited: ReadonlySet<number>, limit: number): number {
  const records = recordsKeptByOthers(write, batchId, limit);
  if (records.length === 0) return 0;
  const alternatives = alternativesByRecord(write, records);
  const moved = new Map<number, JoinedRecord[]>();
  for (const record of records) {
    const [first, ...others] = alternatives.get(record.id) ?? [];
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

function alternativesByRecord(read: ReadHandle, records: readonly JoinedRecord[]): Map<number, AlternativeDescription[]> {
  const ids = records.map(({ id }) => id);
  return Map.groupBy<number, AlternativeDescription>(alternativeDescriptionsOf(read, ids), (alternative) => alternative.record_id);
}

/** Makes the record one of the other file, and its former content an alternative description. */
function swap(
  write: WriteHandle,
  record: JoinedRecord,
  alternative: AlternativeDescription,
  others: readonly AlternativeDescription[],
  isEdited: boolean,
): void {
  const base = apart(contentOfRecord(record), [alternative, ...others].map(addedOf));
  const said = contentOfRecord(alternative);
  const isTaken = said.externalId !== null && externalIdTaken(write, record.stream_id, said.externalId, record.id);
  const own = isEdited ? base : { ...said, externalId: isTaken ? null : said.externalId };
  const { content, added } = joined(own, [base, ...others.map(contentOfRecord)]);
  deleteAlternativeDescription(write, alternative.id);
  // The record leaves the list of keys first, since the triggers on the list expect one change of a record at a time.
  unlist(write, record.id);
  const isFree = !isDedupeKeyTaken(write, record.stream_id, alternative.dedupe_key);
  takeAlternativeDescription(write, record.id, {
    batch_id: alternative.batch_id,
    dedupe_key: isFree ? alternative.dedupe_key : (record.dedupe_key ?? alternative.dedupe_key),
    day: isEdited ? record.day : alternative.day,
    value_day: content.valueDay,
    description: content.description,
    external_id: content.externalId,
    metadata: JSON.stringify(content.metadata),
  });
  const [addedOfBase, ...addedOfOthers] = added;
  if (record.dedupe_key !== null && record.batch_id !== null) {
    insertAlternativeDescription(write, {
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

/** Adds records to the figures of an import, or subtracts them. */
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
    totals: JSON.stringify(present(addedTotals(storedJson('import_batches.totals', totals, batchId), sums.totals() ?? [], sign), 'totals')),
    date_start: days === null ? first : Math.min(first ?? days.firstDay, days.firstDay),
    date_end: days === null ? last : Math.max(last ?? days.lastDay, days.lastDay),
  });
}

/**
 * Deletes up to `limit` alternative descriptions of wiped batches, together with the content that records took over from them. Returns the number
 * deleted.
 */
export function clearAlternativeDescriptions(write: WriteHandle, wipeId: number, limit: number): number {
  const going = alternativeDescriptionsOfWipe(write, wipeId, limit);
  if (going.length === 0) return 0;
  const records = recordsToJoin(write, [...new Set(going.map(({ record_id: id }) => id))]);
  const staying = alternativesByRecord(write, records);
  const goingOf = Map.groupBy(going, ({ record_id: id }) => id);
  for (const record of records) {
    const others = staying.get(record.id) ?? [];
    const base = apart(contentOfRecord(record), [...(goingOf.get(record.id) ?? []), ...others].map(addedOf));
    const { content, added } = joined(base, others.map(contentOfRecord));
    changeContent(write, record, content);
    for (const [at, other] of others.entries()) setAdded(write, other.id, JSON.stringify(added[at]));
  }
  for (const { id } of going) deleteAlternativeDescription(write, id);
  return going.length;
}

/** A line that came through the API or from a sync. `amount` is signed: money out is negative. */
export interface ReceivedLine {
  readonly date: string;
  readonly value_date: string | null;
  readonly amount: number;
  readonly direction: 'credit' | 'debit';
  readonly currency: string;
  readonly decimal_places: number;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface InOtherWords {
  /** The place of a line, and the record that may be the same under another description. */
  readonly pairs: readonly { readonly place: number; readonly recordId: number }[];
  /** Places of lines that compete with others of the same day and amount for one record. */
  readonly contested: readonly number[];
}

const NONE: InOtherWords = { pairs: [], contested: [] };

function lineOf({
  date,
  value_date: valueDate,
  amount,
  direction,
  currency,
  decimal_places,
  description,
  ...line
}: ReceivedLine): StatementLine {
  return {
    row: 1,
    day: present(dayFromIso(date), 'date'),
    valueDay: valueDate === null ? null : present(dayFromIso(valueDate), 'value_date'),
    amountMinor: Math.abs(amount),
    direction,
    currency,
    decimalPlaces: decimal_places,
    description,
    externalId: line.external_id,
    metadata: textsOf(line.metadata),
  };
}

/** External ids that a sync made do not identify a line at its bank. */
const MADE_BY_SYNC = /^tieout-[0-9a-f]{24}$/;

/** Returns the pattern of digits and letters of an id. Ids of one issuer have the same pattern. */
const shapeOf = (id: string): string => id.replaceAll(/\p{N}+/gu, '9').replaceAll(/\p{L}+/gu, 'a');

/**
 * Returns whether a line with this id is another one. The issuer of the ids is unknown here, so ids of the same pattern count as ids of one issuer.
 */
function isOtherId(ids: readonly IdOfLine[], externalId: string): boolean {
  if (MADE_BY_SYNC.test(externalId)) return false;
  return ids.some(({ externalId: own }) => own !== externalId && !MADE_BY_SYNC.test(own) && shapeOf(own) === shapeOf(externalId));
}

interface Stream {
  readonly environmentId: number;
  readonly streamId: number;
}

function compared(
  read: ReadHandle,
  stream: Stream,
  lines: readonly StatementLine[],
  which: Pick<ComparedLines, 'isNamed' | 'isOwn' | 'isOfBoth'>,
): InOtherWords {
  const { pairs, contested, isBeyondChance } = overlapsWith(read, stream, lines, {
    places: [...lines.keys()],
    ...which,
    isIdentified: () => false,
    isOtherId,
    lacking: null,
    isWhole: false,
  });
  return isBeyondChance ? { pairs: pairs.map(({ place, recordId }) => ({ place, recordId })), contested } : NONE;
}

/** Finds lines of another instance that may be one of `candidates`: records of the stream which that instance is not known to have. */
export function sameInOtherWords(
  read: ReadHandle,
  stream: Stream,
  lines: readonly ReceivedLine[],
  candidates: ReadonlySet<number>,
): InOtherWords {
  const received = lines.map(lineOf);
  const daysOfBoth = daysOfOthers(read, stream.streamId, { days: [...new Set(received.map(({ day }) => day))], ids: [...candidates] });
  return compared(read, stream, received, { isNamed: ({ id }) => !candidates.has(id), isOfBoth: (day) => daysOfBoth.has(day) });
}

/**
 * Finds records from the API that an older record of the same stream may be under another description. That record must come from no request or
 * another one.
 */
function recordsInOtherWords(read: ReadHandle, environmentId: number, recordIds: readonly number[]): Map<number, number> {
  const found = new Map<number, number>();
  const rows = recordsToJoin(read, recordIds).filter((row) => isRareAmount(read, { environment_id: environmentId, ...row }));
  for (const [streamId, own] of Map.groupBy(rows, ({ stream_id: id }) => id)) {
    const batches = new Set(own.flatMap(({ batch_id: id }) => id ?? []));
    const oldest = Math.min(...own.map(({ id }) => id));
    const lines = own.map((row): StatementLine => ({
      ...lineOfRow(row),
      row: 1,
      valueDay: row.value_day,
      metadata: textsOf(storedJson('records.metadata', row.metadata, row.id)),
    }));
    // Only older records count, because the later one is the duplicate.
    const isOwn = (id: number): boolean => id >= oldest;
    const isNamed = ({ batchId }: StoredLine): boolean => batchId !== null && batches.has(batchId);
    const { pairs } = compared(read, { environmentId, streamId }, lines, { isNamed, isOwn, isOfBoth: () => false });
    const older = recordsToJoin(
      read,
      pairs.map(({ recordId }) => recordId),
    );
    const placesOf = new Map(older.map(({ id, decimal_places: places }) => [id, places]));
    for (const { place, recordId } of pairs) {
      const row = present(own[place], 'record');
      if (placesOf.get(recordId) === row.decimal_places) found.set(row.id, recordId);
    }
  }
  return found;
}

/**
 * Finds records from the API that an older record of the stream may be already: one with the same content, else one under another description. Maps
 * the id of the later record to that of the older one.
 */
export function possibleDuplicates(read: ReadHandle, environmentId: number, recordIds: readonly number[]): Map<number, number> {
  const same = sameContent(read, recordIds);
  const left = recordIds.filter((id) => !same.has(id));
  return left.length === 0 ? same : new Map([...recordsInOtherWords(read, environmentId, left), ...same]);
}
