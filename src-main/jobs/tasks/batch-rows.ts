import { createHash, type Hash } from 'node:crypto';
import { present } from '../../../src-shared/values/assert.ts';
import type { StatementLine } from '../../domain/statement/types.ts';
import type { WriteHandle } from '../../store/database.ts';
import { wipedBatches } from '../../store/import-batches.ts';
import {
  fingerprintOf,
  holderOfPrint,
  indexedKeysBetween,
  indexedKeysEditedSince,
  insertUnlisted,
  KeysOfStream,
  listAmounts,
  listKeys,
  ROWS_OF_STATEMENT,
  unlist,
  type Value,
} from '../../store/listed-records.ts';
import { deleteRecord, isDedupeKeyTaken, linesOfBatch } from '../../store/records.ts';
import { newestAuditId } from '../../store/audit.ts';
import { newestRecordId } from '../../store/column-packs.ts';
import { releaseDedupeKey } from '../../store/wipe-clearing.ts';
import { LineSums } from '../import-figures.ts';
import { rest, type Share, Slices } from '../slices.ts';
import type { TaskContext } from '../task.ts';
import { type Opened, ROWS_PER_CARRY, SHARE } from './import-batch.ts';
import { MOST_WAITING, WaitingRows } from './listing.ts';

const SHARE_OF_LISTS: Share = { milliseconds: 40, firstRows: 2_000, fewestRows: 100, mostRows: 50_000 };

/** A line with its dedupe key. */
export interface KeyedLine {
  readonly line: StatementLine;
  readonly key: string;
}

/**
 * The rows of a batch that nobody sees. They are written in the order of the file, and listed by key and amount later, sorted, some hundred thousand
 * at a time. Before the batch is published all of them are listed, and those give way whose key somebody else gave a record of the stream meanwhile.
 */
export class BatchRows {
  readonly #context: TaskContext;
  readonly #opened: Opened;
  readonly #slices: Slices;
  readonly #waiting = new WaitingRows();
  #hash: Hash = createHash('sha256');
  #kept = new LineSums();
  #uncarried = 0;
  /** Whether the stream may have keys of lines: not while it has none but those of this very file. */
  #mayHaveKeys: boolean | null = null;
  #firstId = 0;
  #lastId = 0;
  /** Ids that others took since the first row: from, to. */
  #foreign: [number, number][] = [];
  /** Rows went that were counted. */
  #hasLost = false;
  #lookedUntil: { recordId: number; readonly auditId: number };

  constructor(context: TaskContext, opened: Opened) {
    this.#context = context;
    this.#opened = opened;
    this.#slices = new Slices(context.database, context.clock, SHARE);
    this.#lookedUntil = { recordId: 0, auditId: newestAuditId(context.database) };
  }

  /** Of the lines that went in. */
  get kept(): LineSums {
    return this.#kept;
  }

  /** SHA-256 of the keys of the lines that went in, in the order of the file. */
  get rowsSha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** How many lines the next transaction takes. */
  get room(): number {
    return this.#slices.length;
  }

  /** From now on lines may come that went in before. */
  again(): void {
    this.#mayHaveKeys = true;
  }

  /** One transaction with the first of some lines: each of those that the stream has not goes in. Answers for each taken line whether it did. */
  write(lines: readonly KeyedLine[]): readonly boolean[] {
    const isNew = this.#slices.write((write, rows) => this.#insert(write, lines.slice(0, rows)));
    this.#carry(isNew.length);
    return isNew;
  }

  #carry(written: number): void {
    rest();
    this.#uncarried += written;
    if (this.#uncarried < ROWS_PER_CARRY) return;
    this.#context.database.carryOver();
    this.#uncarried = 0;
  }

  #insert(write: WriteHandle, lines: readonly KeyedLine[]): boolean[] {
    const { streamId } = this.#opened;
    const keys = new KeysOfStream(write, streamId);
    this.#mayHaveKeys ??= keys.isThereAny;
    const wiped = new Set(this.#mayHaveKeys ? wipedBatches(write) : []);
    const keyed = lines.map(({ line, key }) => ({ line, key, print: fingerprintOf(key) }));
    const isThere = this.#mayHaveKeys ? keys.ofThem(keyed, wiped) : [];
    const rows = this.#mayHaveKeys ? keyed.filter((_, at) => isThere[at] !== true) : keyed;
    const nowMs = this.#context.clock.nowMs();
    for (let start = 0; start < rows.length; start += ROWS_OF_STATEMENT)
      this.#insertRows(write, rows.slice(start, start + ROWS_OF_STATEMENT), nowMs);
    if (rows.length > 0) this.#hash.update(`${rows.map(({ key }) => key).join('\n')}\n`);
    return keyed.map((_, at) => isThere[at] !== true);
  }

  #insertRows(write: WriteHandle, rows: readonly (KeyedLine & { readonly print: number })[], nowMs: number): void {
    const values: Value[] = [];
    const { streamId, batchId } = this.#opened;
    const environmentId = this.#context.job.environment_id;
    for (const { line, key, print } of rows) {
      const direction = line.direction === 'credit' ? 1 : 0;
      values.push(environmentId, streamId, batchId, line.day, line.amountMinor, direction, line.currency, line.decimalPlaces);
      values.push(line.description, line.externalId, JSON.stringify(line.metadata), key, nowMs, print);
    }
    const last = insertUnlisted(write, rows.length, values);
    const first = last - rows.length + 1;
    if (this.#firstId === 0) this.#firstId = first;
    else if (first > this.#lastId + 1) this.#foreign.push([this.#lastId + 1, first - 1]);
    this.#lastId = last;
    let id = first;
    for (const { line, print } of rows) {
      this.#waiting.add(id, print, line, nowMs);
      this.#kept.add(line);
      id += 1;
    }
  }

  /** Lists what waits, if it is much; false when cancelled. */
  listMany(): boolean {
    return this.#waiting.count + this.#slices.length < MOST_WAITING || this.listAll();
  }

  /** Lists what waits, in short transactions; false when cancelled. */
  listAll(): boolean {
    const waiting = this.#waiting;
    const gone = new Set<number>();
    const keysDone = this.#inSlices(waiting.byPrint(), (write, places) => this.#listKeys(write, places, gone));
    if (!keysDone) return false;
    const places = waiting.byAmount().filter((at) => !gone.has(waiting.id(at)));
    if (!this.#inSlices(places, (write, some) => this.#listAmounts(write, some))) return false;
    waiting.clear();
    return true;
  }

  #inSlices(places: Uint32Array, work: (write: WriteHandle, places: Uint32Array) => void): boolean {
    const { database, clock, isCancelled } = this.#context;
    const slices = new Slices(database, clock, SHARE_OF_LISTS);
    for (let start = 0; start < places.length;) {
      if (isCancelled()) return false;
      const end = slices.write((write, rows) => {
        const until = Math.min(places.length, start + rows);
        for (let at = start; at < until; at += ROWS_OF_STATEMENT) work(write, places.subarray(at, Math.min(until, at + ROWS_OF_STATEMENT)));
        return until;
      });
      this.#carry(end - start);
      start = end;
    }
    return true;
  }

  #listKeys(write: WriteHandle, places: Uint32Array, gone: Set<number>): void {
    const values: number[] = [];
    for (const at of places) values.push(this.#opened.streamId, this.#waiting.print(at), this.#waiting.id(at));
    if (listKeys(write, places.length, values) === places.length) return;
    for (const at of places) if (!this.#isListed(write, at)) gone.add(this.#waiting.id(at));
  }

  /** Whether a row is in the list of keys in the end: not where another record is there under the same fingerprint. */
  #isListed(write: WriteHandle, at: number): boolean {
    const [id, print, { streamId, batchId }] = [this.#waiting.id(at), this.#waiting.print(at), this.#opened];
    const holder = holderOfPrint(write, streamId, print);
    if (holder?.record_id === id) return true;
    const key = [...linesOfBatch(write, batchId, id, id)][0]?.dedupe_key ?? '';
    if (holder?.dedupe_key === key && holder.is_wiped === 1) {
      releaseDedupeKey(write, streamId, key);
      return listKeys(write, 1, [streamId, print, id]) === 1;
    }
    if (isDedupeKeyTaken(write, streamId, key)) {
      deleteRecord(write, id);
      this.#hasLost = true;
    } else {
      // Only the fingerprints are alike: the record stands in the indices from now on.
      unlist(write, id);
    }
    return false;
  }

  #listAmounts(write: WriteHandle, places: Uint32Array): void {
    const values: (number | string)[] = [];
    for (const at of places) this.#waiting.amountValues(at, this.#context.job.environment_id, this.#opened, values);
    listAmounts(write, places.length, values);
  }

  /** Rows whose key somebody gave another record of the stream meanwhile: those of others that came or were edited since the last look. */
  #overtaken(write: WriteHandle): number[] {
    const { streamId, batchId } = this.#opened;
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

  /** Part of the flip: whether nobody overtook the batch since `giveWay`. */
  isUnique(write: WriteHandle): boolean {
    return this.#overtaken(write).length === 0;
  }

  /** Deletes the rows whose key others took meanwhile: a record that people see stays. */
  giveWay(): void {
    const { database } = this.#context;
    const overtaken = database.write((write) => {
      const ids = this.#overtaken(write);
      for (const id of ids) deleteRecord(write, id);
      this.#foreign = [];
      this.#lookedUntil = { recordId: newestRecordId(write), auditId: newestAuditId(write) };
      return ids;
    });
    if (overtaken.length === 0 && !this.#hasLost) return;
    this.#hasLost = false;
    this.#recount();
  }

  /** Figures and hash of what is left, as if the others had never gone in. */
  #recount(): void {
    this.#kept = new LineSums();
    this.#hash = createHash('sha256');
    for (const row of linesOfBatch(this.#context.database, this.#opened.batchId, this.#firstId, this.#lastId)) {
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
