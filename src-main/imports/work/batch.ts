import { createHash, type Hash } from 'node:crypto';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { appendAudit, newestAuditId } from '../../book/store/audit.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';
import { bytesOfImage, MOST_WAITING, type StagedLines, TableImage, WaitingRows } from './stage.ts';
import {
  type MarkedLine,
  MOST_DAYS_TO_RETURN,
  note,
  type Originals,
  originalsOf,
  type Statement,
  type StatementPeriod,
  type TellingLine,
} from '../../domain/statement/index.ts';
import type { FileProgress, ImportPayload, TaskContext } from '../../jobs/protocol.ts';
import { rest, type Share, Slices } from '../../jobs/write-slices.ts';
import { newestRecordId } from '../../records/store/column-packs.ts';
import {
  fingerprintOf,
  holderOfPrint,
  indexedKeysBetween,
  indexedKeysEditedSince,
  KeysOfStream,
  unlist,
} from '../../records/store/listed-records.ts';
import { deleteRecord, isDedupeKeyTaken, linesOfBatch } from '../../records/store/records.ts';
import {
  insertReversals,
  linkReversal,
  mayBeTakenBack,
  type NewReversal,
  openReversals,
  recordsOfAmount,
  type TellingRow,
} from '../../records/store/reversals.ts';
import {
  insertStagedLines,
  linesThatAreThere,
  listKey,
  listStagedAmounts,
  listStagedKeys,
  mayHoldRows,
  type OwnerOfRows,
  STAGED_AMOUNTS,
  STAGED_KEYS,
  stagedKeysOutside,
  stagedReversals,
  type StagedTable,
  type Stretch,
  type UnlistedKey,
} from '../../records/store/staged-records.ts';
import { releaseDedupeKey } from '../../records/store/wipe-clearing.ts';
import { abandonImport, removeRowsOfJob, type UnpublishedImport } from '../../records/work/cleanup.ts';
import { LineSums, linkAccount, storeBalances } from './figures.ts';
import { counted } from '../../../src-shared/values/english.ts';
import type { ImportPreview, ImportResult } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { noteOwnChange } from '../../book/store/undo-entries.ts';
import { storedJson } from '../../database/json-columns.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import { insertStream, streamById, streamByKey, type StreamRow, updateStream } from '../../streams/store/streams.ts';
import { insertBatch, type NewImportBatch, publishBatch, writingBatchesOfStream } from '../store/import-batches.ts';
import { balancesOf, type Compared } from './compare.ts';
import { keepFile, KEPT_BYTES } from '../store/kept-files.ts';
import { openFile } from './understand.ts';
import { rememberRecipe } from './recipes.ts';
import { joinLines } from './alternative-descriptions.ts';

/** Limits for transactions that write rows, and for those that list them. They bound how long the write lock is held. */
const SHARE: Share = { milliseconds: 40, firstRows: 500, fewestRows: 100, mostRows: 8_000 };
const SHARE_OF_LISTS: Share = { milliseconds: 40, firstRows: 2_000, fewestRows: 100, mostRows: 50_000 };
/** Maximal pages of an image of rows to be listed. */
const MOST_PAGES = 32;
/** A page takes at least this many keys or amounts. */
const ROWS_OF_PAGE = 1_000;

/**
 * Each transaction writes the last pages of the indices again. With rare checkpoints the log absorbs many transactions before their pages are written
 * to the book.
 */
const ROWS_PER_CHECKPOINT = 200_000;

/** Receives the lines that the stream already has, as ids in the staged table. `staged` can be read during the call only. */
type OnKnown = (there: readonly number[], staged: ReadHandle) => void;

/** A list to be filled: the staged table, the places of waiting rows in the order of the list, and the function that stages one of them. */
interface Listing {
  readonly table: StagedTable;
  readonly places: Int32Array;
  readonly stage: (at: number, into: TableImage) => void;
  /** Receives the number of rows that are listed so far. */
  readonly onListed: (listed: number) => void;
}

/**
 * The rows of an unpublished batch. They are written in the order of the file, and later listed by key and by amount, sorted, some hundred thousand
 * at a time. All rows must be listed before the batch is published. A row is deleted if another writer gave its key to a record of the stream in the
 * meantime.
 */
class BatchRows {
  readonly #context: TaskContext;
  readonly #owner: OwnerOfRows;
  readonly #slices: Slices;
  readonly #waiting = new WaitingRows();
  #hash: Hash = createHash('sha256');
  #kept = new LineSums();
  #sinceCheckpoint = 0;
  /** Whether the stream may already have a line; null until it was looked up. It cannot while its only records are those of this file. */
  #mayHaveKeys: boolean | null = null;
  #firstId = 0;
  #lastId = 0;
  /** Ranges of record ids that other writers took between rows of the batch. */
  #foreign: [number, number][] = [];
  /** Whether rows were deleted after they were counted. */
  #hasLost = false;
  /** Number of lines that were offered, and of those that were not stored or were deleted again, because the stream has them. */
  #offered = 0;
  #left = 0;
  #lookedUntil: { recordId: number; readonly auditId: number };

  constructor(context: TaskContext, { streamId, batchId }: UnpublishedImport) {
    this.#context = context;
    this.#owner = { environmentId: context.job.environment_id, streamId, batchId };
    this.#slices = new Slices(context.database, context.clock, SHARE);
    this.#lookedUntil = { recordId: 0, auditId: newestAuditId(context.database) };
  }

  /** Throws if the stored lines and the left ones do not add up to those that were offered. */
  check(): void {
    assert(this.#kept.lines + this.#left === this.#offered, 'each line that came is stored or left out');
  }

  /** Sums of the stored lines. */
  get kept(): LineSums {
    return this.#kept;
  }

  /** First and last record id of the batch; records of others may lie between them. Both are 0 if there are no rows. */
  get ids(): readonly [first: number, last: number] {
    return [this.#firstId, this.#lastId];
  }

  /** SHA-256 of the dedupe keys of the stored lines, in the order of the file. */
  get rowsSha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /**
   * Writes the lines that the stream does not have, in short transactions. Calls `onWritten` after each with the number of lines so far. Returns
   * false if cancelled.
   */
  write(lines: StagedLines, onWritten: (written: number) => void, onKnown: OnKnown): boolean {
    const beside = this.#context.database.beside(lines.image);
    try {
      beside.leaveParentsUnchecked();
      const there: number[] = [];
      for (let behind = 0; behind < lines.count;) {
        if (this.#context.isCancelled()) return false;
        const to = this.#writeSlice(beside, lines, behind, there);
        this.#checkpoint(to - behind);
        behind = to;
        onWritten(behind);
      }
      this.#offered += lines.count;
      this.#left += there.length;
      onKnown(there, beside);
      return true;
    } finally {
      beside.close();
    }
  }

  #checkpoint(written: number): void {
    rest();
    this.#sinceCheckpoint += written;
    if (this.#sinceCheckpoint < ROWS_PER_CHECKPOINT) return;
    this.#context.database.checkpoint();
    this.#sinceCheckpoint = 0;
  }

  /**
   * Writes the next lines in one transaction. Returns the last line that it handled, as an id of the staged table, and appends the lines that the
   * stream has to `there`.
   */
  #writeSlice(beside: Database, lines: StagedLines, behind: number, there: number[]): number {
    const { streamId } = this.#owner;
    const nowMs = this.#context.clock.nowMs();
    const { stretch, known, last } = this.#slices.write((write, rows) => {
      assert(mayHoldRows(write, this.#owner), 'the stream and the batch of an import are there');
      const taken = { behind, to: Math.min(lines.count, behind + rows) };
      const keys = new KeysOfStream(write, streamId);
      this.#mayHaveKeys ??= keys.isThereAny;
      const found = this.#mayHaveKeys ? linesThatAreThere(write, keys, streamId, taken) : [];
      const isAny = found.length < taken.to - behind;
      const end = isAny ? insertStagedLines(write, this.#owner, nowMs, taken, found) : 0;
      if (isAny) this.#mark(write, taken, found, end);
      return { stretch: taken, known: found, last: end };
    }, beside);
    if (last > 0) this.#note(lines, stretch, known, last, nowMs);
    there.push(...known);
    return stretch.to;
  }

  /** Stores the marks of written lines that reverse others. */
  #mark(write: WriteHandle, stretch: Stretch, known: readonly number[], last: number): void {
    const marked = stagedReversals(write, stretch);
    if (marked.length === 0) return;
    const first = last - (stretch.to - stretch.behind - known.length) + 1;
    const { streamId } = this.#owner;
    const went: NewReversal[] = [];
    let knownBefore = 0;
    for (const { id, mark } of marked) {
      while (knownBefore < known.length && (known[knownBefore] as number) < id) knownBefore += 1;
      if (known[knownBefore] !== id) went.push({ recordId: first + (id - stretch.behind - 1) - knownBefore, streamId, mark });
    }
    insertReversals(write, went);
  }

  /** Adds the written lines to the waiting rows, the sums and the hash. */
  #note(lines: StagedLines, { behind, to }: Stretch, known: readonly number[], last: number, nowMs: number): void {
    const first = last - (to - behind - known.length) + 1;
    if (this.#firstId === 0) this.#firstId = first;
    else if (first > this.#lastId + 1) this.#foreign.push([this.#lastId + 1, first - 1]);
    this.#lastId = last;
    const { prints, amounts, days, kinds, kindsOfMoney, keys, keyEnds } = lines;
    const waitingKinds = kindsOfMoney.map((kind) => this.#waiting.kindOf(kind));
    let id = first;
    let nextKnown = 0;
    // Keys up to the next line that the stream already has are hashed in one call.
    let hashedFrom = behind === 0 ? 0 : (keyEnds[behind - 1] as number);
    for (let at = behind; at < to; at += 1) {
      if (known[nextKnown] === at + 1) {
        nextKnown += 1;
        this.#hash.update(keys.subarray(hashedFrom, at === 0 ? 0 : keyEnds[at - 1]));
        hashedFrom = keyEnds[at] as number;
        continue;
      }
      const kind = kinds[at] as number;
      const amountMinor = amounts[at] as number;
      const day = days[at] as number;
      this.#waiting.add(id, prints[at] as number, waitingKinds[kind] as number, amountMinor, day, nowMs);
      this.#kept.addOf(kindsOfMoney[kind] as (typeof kindsOfMoney)[number], amountMinor, day);
      id += 1;
    }
    this.#hash.update(keys.subarray(hashedFrom, keyEnds[to - 1]));
  }

  /** Lists the waiting rows if there are many. Returns false if cancelled. */
  listMany(): boolean {
    return this.#waiting.count < MOST_WAITING || this.listAll();
  }

  /**
   * Lists all waiting rows, in short transactions. Returns false if cancelled. `file`: the file's progress to report, once all of its rows are read.
   */
  listAll(file?: FileProgress): boolean {
    const waiting = this.#waiting;
    if (waiting.count === 0) return true;
    const gone = new Set<number>();
    const pages = Math.min(MOST_PAGES, 1 + Math.ceil(waiting.count / ROWS_OF_PAGE));
    const room = new Uint8Array(bytesOfImage(pages));
    const { count } = waiting;
    const progressFrom = (before: number) => (listed: number) => {
      // Each row goes into two lists, so half of the entries count as rows.
      const processed = Math.floor((before + listed) / 2);
      if (file !== undefined) this.#context.report({ phase: 'indexing', processed, total: count, file });
    };
    const keys = { table: STAGED_KEYS, places: waiting.byPrint(), stage: waiting.stageKey.bind(waiting), onListed: progressFrom(0) };
    if (!this.#list(room, keys, (write, stretch) => this.#listKeys(write, stretch, gone))) return false;
    const places = gone.size === 0 ? waiting.byAmount() : waiting.byAmount().filter((at) => !gone.has(waiting.id(at)));
    const amounts = { table: STAGED_AMOUNTS, places, stage: waiting.stageAmount.bind(waiting), onListed: progressFrom(count) };
    if (!this.#list(room, amounts, (write, stretch) => listStagedAmounts(write, this.#owner, stretch))) return false;
    waiting.clear();
    return true;
  }

  #list(room: Uint8Array, { table, places, stage, onListed }: Listing, work: (write: WriteHandle, stretch: Stretch) => void): boolean {
    const { database, clock } = this.#context;
    const slices = new Slices(database, clock, SHARE_OF_LISTS);
    const image = new TableImage(room, table.name, table.columns);
    for (let next = 0; next < places.length;) {
      for (; next < places.length && !image.isFull; next += 1) stage(places[next] as number, image);
      if (!this.#listStaged(slices, image, work)) return false;
      onListed(next);
      image.clear();
    }
    return true;
  }

  #listStaged(slices: Slices, image: TableImage, work: (write: WriteHandle, stretch: Stretch) => void): boolean {
    const beside = this.#context.database.beside(image.finished());
    try {
      for (let behind = 0; behind < image.rows;) {
        if (this.#context.isCancelled()) return false;
        const to = slices.write((write, rows) => {
          const until = Math.min(image.rows, behind + rows);
          work(write, { behind, to: until });
          return until;
        }, beside);
        this.#checkpoint(to - behind);
        behind = to;
      }
      return true;
    } finally {
      beside.close();
    }
  }

  #listKeys(write: WriteHandle, stretch: Stretch, gone: Set<number>): void {
    const { streamId } = this.#owner;
    if (listStagedKeys(write, streamId, stretch) === stretch.to - stretch.behind) return;
    for (const key of stagedKeysOutside(write, streamId, stretch)) if (!this.#isListed(write, key)) gone.add(key.recordId);
  }

  /** Handles a row whose fingerprint belongs to another record in the list. Returns whether the row is listed now. */
  #isListed(write: WriteHandle, { print, recordId }: UnlistedKey): boolean {
    const { streamId, batchId } = this.#owner;
    const holder = holderOfPrint(write, streamId, print);
    const key = [...linesOfBatch(write, batchId, recordId, recordId)][0]?.dedupe_key ?? '';
    if (holder?.dedupe_key === key && holder.is_wiped === 1) {
      releaseDedupeKey(write, streamId, key);
      return listKey(write, streamId, print, recordId);
    }
    if (isDedupeKeyTaken(write, streamId, key)) {
      deleteRecord(write, recordId);
      this.#left += 1;
      this.#hasLost = true;
    } else {
      // The keys differ and only their fingerprints are equal, so the record moves from the list to the indices.
      unlist(write, recordId);
    }
    return false;
  }

  /** Returns the rows of the batch whose key now belongs to a record of another writer that was added or edited since the last look. */
  #overtaken(write: WriteHandle): number[] {
    const { streamId, batchId } = this.#owner;
    const newest = newestRecordId(write);
    const from = Math.max(this.#lastId, this.#lookedUntil.recordId) + 1;
    const ranges = [...this.#foreign, ...(newest < from || this.#firstId === 0 ? [] : [[from, newest] as const])];
    const others = ranges.flatMap(([first, last]) => indexedKeysBetween(write, streamId, first, last));
    others.push(...indexedKeysEditedSince(write, streamId, this.#lookedUntil.auditId));
    const own = new Set<number>();
    for (const { dedupe_key: key } of others) {
      const holder = holderOfPrint(write, streamId, fingerprintOf(key));
      if (holder !== undefined && holder.dedupe_key === key && holder.batch_id === batchId) own.add(holder.record_id);
    }
    return [...own];
  }

  /** Part of the publish step: returns whether all keys of the batch are still its own since `deleteOvertakenRows`. */
  isUnique(write: WriteHandle): boolean {
    return this.#overtaken(write).length === 0;
  }

  /** Deletes the rows whose keys others took. The records of others stay because they are visible already. */
  deleteOvertakenRows(): void {
    const { database } = this.#context;
    const overtaken = database.write((write) => {
      const ids = this.#overtaken(write);
      for (const id of ids) deleteRecord(write, id);
      this.#foreign = [];
      this.#lookedUntil = { recordId: newestRecordId(write), auditId: newestAuditId(write) };
      return ids;
    });
    this.#left += overtaken.length;
    if (overtaken.length === 0 && !this.#hasLost) return;
    this.#hasLost = false;
    this.#recount();
  }

  /** Counts and hashes the remaining rows as if the deleted ones had never been written. */
  #recount(): void {
    this.#kept = new LineSums();
    this.#hash = createHash('sha256');
    for (const row of linesOfBatch(this.#context.database, this.#owner.batchId, this.#firstId, this.#lastId)) {
      this.#kept.add({
        currency: row.currency,
        decimalPlaces: row.decimal_places,
        direction: row.direction === 1 ? 'credit' : 'debit',
        amountMinor: row.amount,
        day: row.day,
      });
      this.#hash.update(`${present(row.dedupe_key, 'dedupe key')}\n`);
    }
  }
}

/** One import links at most this many marked lines, the newest ones. */
const MOST_MARKED = 10_000;
/**
 * At most this many records of one amount are compared, the newest ones. If there are more, no line is linked by its amount alone, because another
 * record may fit.
 */
const MOST_OF_AMOUNT = 20_000;
/** At most this many lines of one amount on near days have their references compared. */
const MOST_COMPARED = 500;
/** Links per transaction. */
const LINKS_AT_ONCE = 500;

/** A batch whose lines are stored and not visible yet. */
interface BatchToLink {
  readonly environmentId: number;
  readonly streamId: number;
  readonly batchId: number;
}

/**
 * Links reversals to the lines that they reverse: marked lines of the batch, and earlier marked lines that waited for a line of the batch. `days`:
 * the day range of the batch, since 1970-01-01. The links become visible with the batch.
 */
function linkReversals(
  context: Pick<TaskContext, 'database' | 'isCancelled'>,
  batch: BatchToLink,
  days: { readonly firstDay: number; readonly lastDay: number } | null,
): void {
  if (days === null) return;
  const { database, isCancelled } = context;
  const { firstDay, lastDay } = { firstDay: days.firstDay, lastDay: days.lastDay + MOST_DAYS_TO_RETURN };
  const marked = openReversals(database, { ...batch, firstDay, lastDay }, MOST_MARKED);
  if (marked.length === 0) return;
  const lookUp = new LookUp(database, batch);
  const rows = new Map(marked.map((row) => [row.id, row]));
  // Lines of one amount follow each other, so that each amount is looked up once.
  const lines = marked
    .toSorted((one, other) => one.amount - other.amount || one.id - other.id)
    .map((row): MarkedLine => ({ ...tellingLine(row), mark: storedJson('reversals.mark', row.mark, row.id) }));
  const found = [
    ...originalsOf(lines, (line) => {
      const row = rows.get(line.id);
      return row === undefined || isCancelled() ? { lines: [], isAll: false } : lookUp.originalsOf(row);
    }),
  ];
  for (let start = 0; start < found.length && !isCancelled(); start += LINKS_AT_ONCE) {
    const links = found.slice(start, start + LINKS_AT_ONCE);
    database.write((write) => {
      for (const [recordId, originalId] of links) linkReversal(write, recordId, originalId);
    });
  }
}

/** Looks up records by amount, and caches the last amount. */
class LookUp {
  readonly #read: ReadHandle;
  readonly #batch: BatchToLink;
  #last: { readonly key: string; readonly found: ReturnType<typeof recordsOfAmount> } | null = null;

  constructor(read: ReadHandle, batch: BatchToLink) {
    this.#read = read;
    this.#batch = batch;
  }

  originalsOf({ day, amount, direction, currency, decimal_places: places }: TellingRow): Originals {
    const { ofStream, isCut } = this.#ofAmount(amount, 1 - direction, currency);
    const near = ofStream.filter((row) => row.day <= day && row.day >= day - MOST_DAYS_TO_RETURN).map(({ id }) => id);
    const compared = near.slice(0, MOST_COMPARED);
    const rows = mayBeTakenBack(this.#read, compared, this.#batch.batchId).filter((row) => row.decimal_places === places);
    return { lines: rows.map(tellingLine), isAll: !isCut && compared.length === near.length };
  }

  #ofAmount(amount: number, direction: number, currency: string): ReturnType<typeof recordsOfAmount> {
    const key = `${amount} ${direction} ${currency}`;
    if (this.#last?.key !== key) {
      const { environmentId, streamId } = this.#batch;
      const found = recordsOfAmount(this.#read, { environmentId, streamId, currency, direction, amount }, MOST_OF_AMOUNT);
      this.#last = { key, found };
    }
    return this.#last.found;
  }
}

function tellingLine({ id, day, description, external_id: externalId, metadata }: TellingRow): TellingLine {
  return { id, day, description, externalId, metadata: storedJson('records.metadata', metadata, id) };
}

/** A small cache suffices: rows are appended to indices and lists in order, so few pages are needed again. */
const IMPORT_CACHE_KIB = 16_384;

/**
 * An import's batch, which stays invisible until it is published. Imports of files in memory and streamed imports both store through it.
 *
 * The caller must call `takeBack` if anything throws.
 */
export class ImportBatch {
  readonly #context: TaskContext;
  readonly #payload: ImportPayload;
  readonly opened: UnpublishedImport;
  readonly rows: BatchRows;
  /** The wipes of the stream that were known when the lines were compared with it. */
  readonly #wipes: string;
  /** Ends the mode that `beginUnseenWrites` started. */
  #endWrites: (() => void) | null = null;

  constructor(context: TaskContext, payload: ImportPayload, stream: StreamRow | undefined, format: string, wipes: string) {
    this.#context = context;
    this.#payload = payload;
    this.#wipes = wipes;
    if (stream !== undefined) abandonHalfWritten(context, stream.id);
    this.opened = openBatch(context, payload, format);
    this.rows = new BatchRows(context, this.opened);
  }

  /** Writes the lines that the stream does not have, with the contract of `BatchRows.write`. Returns false if the job was cancelled. */
  write(lines: StagedLines, onWritten: (written: number) => void, onKnown: OnKnown): boolean {
    this.#endWrites ??= this.#context.database.beginUnseenWrites({ cacheKib: IMPORT_CACHE_KIB });
    return this.rows.write(lines, onWritten, onKnown) && this.rows.listMany();
  }

  #stopWrites(): void {
    const end = this.#endWrites;
    this.#endWrites = null;
    end?.();
  }

  /**
   * Publishes the batch, all of whose rows must be listed. Tries again if others added records in the meantime. Returns false if records of the
   * stream were wiped: a line that was skipped as known may be gone, so the file must be imported again.
   */
  publish(ready: ToPublish): boolean {
    this.#stopWrites();
    const { database, clock, job } = this.#context;
    const { opened, rows } = this;
    storeBalances(database, opened.batchId, ready.statement, clock.nowMs());
    ready.rowLog.store(database, job.id);
    rows.deleteOvertakenRows();
    linkReversals(this.#context, { ...opened, environmentId: job.environment_id }, rows.kept.days);
    const file = this.#payload.keepFile === true ? fileToKeep(this.#payload, ready.sha256) : null;
    const noted = typeof file === 'string' ? withNote(ready, file) : ready;
    const kept = typeof file === 'string' ? null : file;
    for (;;) {
      rows.deleteOvertakenRows();
      const end = publishOnce(this.#context, this.#payload, { opened, rows, wipes: this.#wipes, file: kept }, noted);
      if (end !== 'overtaken') return end === 'published';
    }
  }

  /** Removes everything that was written. A large batch is only hidden, and cleared later. */
  takeBack(): void {
    this.#stopWrites();
    abandonImport(this.#context.database, this.opened);
    removeRowsOfJob(this.#context.database, this.#context.job.id);
  }
}

/** Abandons batches that an import left half-written on a full disk, because their rows would count as duplicates. */
function abandonHalfWritten({ database }: TaskContext, streamId: number): void {
  for (const batchId of writingBatchesOfStream(database, streamId)) abandonImport(database, { batchId, streamId, streamIsNew: false });
}

/** Creates an unpublished batch, and its stream if that is missing. The facts of the file are added when the batch is published. */
function openBatch(context: TaskContext, payload: ImportPayload, format: string): UnpublishedImport {
  const environmentId = context.job.environment_id;
  const nowMs = context.clock.nowMs();
  const streamKey = present(payload.streamKey, 'stream key');
  return context.database.write((write) => {
    const existing = streamByKey(write, environmentId, streamKey);
    const streamId =
      existing?.id ??
      insertStream(write, {
        environmentId,
        key: streamKey,
        name: payload.streamName ?? suggestedStream(streamKey).stream_name,
        description: null,
        type: 'csv',
        currency: null,
        referenceField: null,
        literalDebitCredit: false,
        createdAtMs: nowMs,
      });
    const batchId = insertBatch(write, {
      environment_id: environmentId,
      stream_id: streamId,
      writing: 1,
      source: format === 'nacha' ? 'nacha_upload' : 'csv_upload',
      filename: payload.filename,
      format,
      sha256: '',
      byte_length: 0,
      created_at: nowMs,
    });
    // The job's row names the batch, so that a start after a crash can remove it.
    updateJob(write, context.job.id, { result: JSON.stringify({ open: { batchId, streamId, streamIsNew: existing === undefined } }) });
    return { streamId, batchId, streamIsNew: existing === undefined };
  });
}

/** Removes what was written after an error, and ignores a failure to do so. */
export function takeBackAfter(takeAllBack: () => void): void {
  try {
    takeAllBack();
  } catch {
    // The disk may still be full. The rows stay unpublished, and the next start removes them.
  }
}

/** The facts that are published with the rows of a file. */
type ToPublish = Pick<Compared, 'statement' | 'result' | 'wishes' | 'sha256' | 'byteLength' | 'rowLog' | 'same'>;

/** Returns the bytes of the file that was imported, to be kept with it, or why they are not kept. The lines are imported in any case. */
function fileToKeep(place: ImportPayload, sha256: string): Uint8Array | string {
  const opened = openFile(place);
  if (!opened.ok) return phrase('imports.kept.notReadAgain', { why: opened.error.message });
  try {
    if (opened.value.byteLength > KEPT_BYTES) return phrase('imports.kept.tooLarge', { most: KEPT_BYTES / 1_048_576 });
    const bytes = opened.value.bytes();
    if (!bytes.ok) return phrase('imports.kept.notReadAgain', { why: bytes.error.message });
    return opened.value.sha256() === sha256 ? bytes.value : phrase('imports.kept.changedMeanwhile');
  } finally {
    opened.value.close();
  }
}

function withNote(ready: ToPublish, message: string): ToPublish {
  const { problems, problems_total: total } = ready.result;
  return { ...ready, result: { ...ready.result, problems: [note('file_not_kept', message), ...problems], problems_total: total + 1 } };
}

/** A batch whose rows are all stored and listed. */
interface StoredBatch {
  readonly opened: UnpublishedImport;
  readonly rows: BatchRows;
  /** The wipes of the stream that were known when the lines were compared with it. */
  readonly wipes: string;
  /** The file that is kept with the batch; null if none is. */
  readonly file: Uint8Array | null;
}

/** Throws if the rows of a file do not add up, or if some are in a currency that the user still has to name. */
function checkFigures(rows: BatchRows, read: ImportResult, skipped: number): void {
  rows.check();
  assert(rows.kept.lines + skipped + read.rejected === read.rows, 'each row of a file is kept, skipped or rejected');
  const totals = present(rows.kept.totals(), 'totals');
  assert(
    totals.every(({ currency }) => namedCurrency(currency) !== null),
    'nothing is stored in a currency that is asked for',
  );
}

/**
 * The publish step: updates batch and stream, writes the audit entry and ends the job, in one transaction. Writes nothing if the stream has changed.
 */
function publishOnce(
  context: TaskContext,
  payload: ImportPayload,
  { opened, rows, wipes, file }: StoredBatch,
  { statement, result: read, wishes, sha256, byteLength, same }: ToPublish,
): 'published' | 'wiped' | 'overtaken' {
  const { kept, rowsSha256 } = rows;
  const skipped = read.kept + read.skipped - kept.lines;
  const nowMs = context.clock.nowMs();
  const stream = streamById(context.database, opened.streamId);
  const balances = balancesOf(context, wishes, stream, statement);
  return context.database.write((write) => {
    if (wipesSeen(write, opened.streamId) !== wipes) return 'wiped';
    if (!rows.isUnique(write)) return 'overtaken';
    checkFigures(rows, read, skipped);
    publishBatch(write, opened.batchId, {
      ...factsOfBatch(context, statement, read),
      sha256,
      byte_length: byteLength,
      kept: kept.lines,
      skipped,
      totals: JSON.stringify(kept.totals()),
      date_start: kept.days?.firstDay ?? null,
      date_end: kept.days?.lastDay ?? null,
    });
    if (file !== null) keepFile(write, opened.batchId, file, sha256);
    joinLines(write, opened, same);
    updateStream(write, opened.streamId, {
      ...(stream?.currency ? {} : { currency: statement.currency }),
      ...(stream?.reference_field ? {} : { reference_field: statement.referenceField }),
      ...(statement.literalDebitCredit ? { literal_debit_credit: 1 } : {}),
      ...(payload.answers?.batch_lines === undefined ? {} : { batch_lines: payload.answers.batch_lines }),
    });
    const by = { environmentId: context.job.environment_id, atMs: nowMs, actor: payload.actor };
    const accountId = linkAccount(write, by, opened.streamId, wishes, statement.currency);
    const remembered = rememberRecipe(write, by, read.recipe, payload.rememberRecipe ?? null);
    const result: ImportResult = {
      ...read,
      kept: kept.lines,
      skipped,
      balances: { ...balances, bank_account: balances.bank_account === null ? null : { ...balances.bank_account, id: accountId } },
      remembered,
      batch_id: opened.batchId,
    };
    appendAudit(write, {
      ...by,
      action: 'import_batch.created',
      detail: {
        batch_id: opened.batchId,
        stream: payload.streamKey,
        filename: payload.filename,
        sha256,
        kept: kept.lines,
        skipped,
        ...(same.length === 0 ? {} : { joined: same.length }),
        rejected: statement.rejectedRows,
        balances: statement.balances.length,
        overrules: payload.overrules ?? [],
        ...(read.misfits.length === 0 ? {} : { accepted_misfits: read.misfits }),
        rows_sha256: rowsSha256,
        ...(file === null ? {} : { file_kept: file.length }),
        date_start: read.date_range_start === null ? null : dayFromIso(read.date_range_start),
      },
    });
    noteUndoOfImport(write, by, payload, opened.batchId, kept.lines);
    updateJob(write, context.job.id, { status: 'completed', result: JSON.stringify({ import_result: result }), completed_at: nowMs });
    return 'published';
  });
}

/** Makes an import by the window or the command line undoable there. */
function noteUndoOfImport(
  write: WriteHandle,
  by: Parameters<typeof noteOwnChange>[1],
  payload: ImportPayload,
  batchId: number,
  kept: number,
): void {
  const label = `Imported ${counted(kept, 'line')} of “${payload.filename}”`;
  noteOwnChange(write, by, { label, steps: [{ operation: 'import_batches.remove', input: { id: batchId } }] });
}

/** Returns the facts of a statement that its batch keeps. */
function factsOfBatch({ clock }: TaskContext, statement: Statement, result: ImportResult): Partial<NewImportBatch> {
  const { whose } = statement;
  const lastDay = result.date_range_end === null ? null : dayFromIso(result.date_range_end);
  return {
    rejected: statement.rejectedRows,
    currency: statement.currency,
    opening_balance: statement.openingBalanceMinor,
    closing_balance: statement.closingBalanceMinor,
    proof: statement.proof,
    problems: JSON.stringify(result.problems),
    periods: JSON.stringify(periodsUntil(statement, Math.max(clock.today(), lastDay ?? 0))),
    recipe: result.recipe === null ? null : JSON.stringify(result.recipe.recipe),
    whose: whose.accounts.length + whose.holders.length === 0 ? null : JSON.stringify(whose),
  };
}

/** Returns the periods of the statements, cut at `newestDay`. A file can name days to come, which no statement covers yet. */
function periodsUntil({ periods }: Statement, newestDay: number): StatementPeriod[] {
  return periods
    .filter((period) => period.firstDay <= newestDay)
    .map((period) => ({ ...period, lastDay: Math.min(period.lastDay, newestDay) }));
}

/**
 * Derives key and name of a stream from a filename: `Bank statement June.csv` -> `bank-statement-june`. The key never equals that of Tieout's own
 * stream.
 */
export function suggestedStream(filename: string): Pick<ImportPreview['suggestion'], 'stream_key' | 'stream_name'> {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '').trim();
  const key = stem
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const words = stem.replaceAll(/[_-]+/g, ' ').trim();
  const own = key === ADJUSTMENTS_KEY ? `${key}-file` : key;
  return { stream_key: own === '' ? 'statement' : own, stream_name: words === '' ? 'Statement' : words[0]?.toUpperCase() + words.slice(1) };
}
