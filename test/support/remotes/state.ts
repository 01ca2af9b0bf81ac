import { assert } from '../../../src-shared/values/assert.ts';
import type {
  AccountRow,
  BalanceRow,
  BatchRow,
  BulkRow,
  DefinitionRow,
  MatchRow,
  OperationRow,
  OverdueRow,
  ReconciliationRow,
  RecordRow,
  RuleRow,
  StoryRow,
  StreamRow,
} from './rows.ts';

interface Identified {
  readonly id: number;
}

/** Ids of rows by a key that they share. */
class Index<K> {
  readonly #ids = new Map<K, Set<number>>();

  add(key: K, id: number): void {
    const known = this.#ids.get(key);
    if (known === undefined) this.#ids.set(key, new Set([id]));
    else known.add(id);
  }

  remove(key: K, id: number): void {
    this.#ids.get(key)?.delete(id);
  }

  of(key: K): readonly number[] {
    return [...(this.#ids.get(key) ?? [])];
  }
}

const externalKey = (streamId: number, externalId: string): string => `${streamId} ${externalId}`;

/** The state of one remote. Ids are unique over all resources, so that a mixed-up id is never found. Each call of `now` is a millisecond later. */
export class RemoteState {
  readonly streams = new Map<number, StreamRow>();
  readonly records = new Map<number, RecordRow>();
  readonly batches = new Map<number, BatchRow>();
  readonly bulks = new Map<number, BulkRow>();
  readonly operations = new Map<number, OperationRow>();
  readonly reconciliations = new Map<number, ReconciliationRow>();
  readonly rules = new Map<number, RuleRow>();
  readonly matches = new Map<number, MatchRow>();
  readonly stories = new Map<number, StoryRow>();
  readonly accounts = new Map<number, AccountRow>();
  readonly balances = new Map<number, BalanceRow>();
  readonly definitions = new Map<number, DefinitionRow>();
  readonly overdue: OverdueRow[] = [];

  readonly #ofStream = new Index<number>();
  readonly #ofBatch = new Index<number>();
  readonly #byExternalId = new Index<string>();
  readonly #matchesOf = new Index<number>();
  #lastId: number;
  #time: number;

  constructor({ firstId = 7001, startsAt = '2026-07-01T08:00:00.000Z' }: { readonly firstId?: number; readonly startsAt?: string } = {}) {
    this.#lastId = firstId - 1;
    this.#time = Date.parse(startsAt);
  }

  nextId(): number {
    return ++this.#lastId;
  }

  now(): string {
    this.#time += 1;
    return new Date(this.#time).toISOString();
  }

  today(): string {
    return new Date(this.#time).toISOString().slice(0, 10);
  }

  put<Row extends Identified>(table: Map<number, Row>, row: Row): Row {
    table.set(row.id, row);
    return row;
  }

  streamByKey(key: string): StreamRow | undefined {
    return [...this.streams.values()].find((stream) => stream.key === key);
  }

  streamOf({ streamId }: { readonly streamId: number }): StreamRow {
    const stream = this.streams.get(streamId);
    assert(stream !== undefined, 'a row is of a stream that exists');
    return stream;
  }

  putRecord(row: RecordRow): RecordRow {
    const before = this.records.get(row.id);
    if (before !== undefined) this.#forgetExternalId(before);
    this.records.set(row.id, row);
    this.#ofStream.add(row.streamId, row.id);
    if (row.batchId !== null) this.#ofBatch.add(row.batchId, row.id);
    if (row.external_id !== null) this.#byExternalId.add(externalKey(row.streamId, row.external_id), row.id);
    return row;
  }

  #forgetExternalId({ id, streamId, external_id }: RecordRow): void {
    if (external_id !== null) this.#byExternalId.remove(externalKey(streamId, external_id), id);
  }

  /** Removes a record with the matches that hold it. */
  removeRecord(row: RecordRow): void {
    for (const match of this.matchesOf(row.id)) this.removeMatch(match);
    this.#ofStream.remove(row.streamId, row.id);
    if (row.batchId !== null) this.#ofBatch.remove(row.batchId, row.id);
    this.#forgetExternalId(row);
    this.records.delete(row.id);
  }

  recordsOf(ids: readonly number[]): RecordRow[] {
    return ids.map((id) => this.records.get(id)).filter((row) => row !== undefined);
  }

  recordsOfStream(streamId: number): RecordRow[] {
    return this.recordsOf(this.#ofStream.of(streamId));
  }

  recordsOfBatch(batchId: number): RecordRow[] {
    return this.recordsOf(this.#ofBatch.of(batchId));
  }

  recordByExternalId(streamId: number, externalId: string): RecordRow | undefined {
    return this.recordsOf(this.#byExternalId.of(externalKey(streamId, externalId)))[0];
  }

  putMatch(row: MatchRow): MatchRow {
    this.matches.set(row.id, row);
    for (const id of row.recordIds) this.#matchesOf.add(id, row.id);
    return row;
  }

  removeMatch(row: MatchRow): void {
    for (const id of row.recordIds) this.#matchesOf.remove(id, row.id);
    this.matches.delete(row.id);
  }

  matchesOf(recordId: number): MatchRow[] {
    return this.#matchesOf
      .of(recordId)
      .map((id) => this.matches.get(id))
      .filter((row) => row !== undefined);
  }

  /** Returns the matches of a record that count, which are all but proposed ones. */
  countingMatchesOf(recordId: number): MatchRow[] {
    return this.matchesOf(recordId).filter(({ status }) => status !== 'proposed');
  }

  isMatchedIn(recordId: number, reconciliationId: number): boolean {
    return this.countingMatchesOf(recordId).some(({ reconciliation_id }) => reconciliation_id === reconciliationId);
  }

  usesOf(streamId: number): ReconciliationRow[] {
    return [...this.reconciliations.values()].filter(({ sideA, sideB }) => sideA.includes(streamId) || sideB.includes(streamId));
  }

  wipeStream(streamId: number): void {
    for (const row of this.recordsOfStream(streamId)) this.removeRecord(row);
    for (const batch of this.batches.values()) if (batch.streamId === streamId) this.batches.delete(batch.id);
  }

  removeReconciliation(id: number): void {
    for (const match of this.matches.values()) if (match.reconciliation_id === id) this.removeMatch(match);
    for (const rule of this.rules.values()) if (rule.reconciliation_id === id) this.rules.delete(rule.id);
    for (const story of this.stories.values()) story.links = story.links.filter((link) => link.reconciliation_id !== id);
    this.reconciliations.delete(id);
  }
}
