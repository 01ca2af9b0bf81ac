import { QuietTurns } from '../jobs/idle-scheduler.ts';
import type { Alarm, Clock, Log } from '../platform/ports.ts';
import type { Database } from '../database/database.ts';
import { IndexDigest } from '../database/digests/index-digest.ts';
import { indexSlice, isIndexUnstated, isSearchable, isSearchBehind, notSearched, resetSearch } from '../records/store/record-search.ts';

/** How long a transaction may hold the thread and the write lock. A search spends as much on indexing what it would otherwise miss. */
const SLICE_MS = 12;
/** Limits a transaction independently of the clock. */
const SLICE_LOOKS = 40;
const BREATH_MS = 12;
const QUIET_MS = 1_500;
/** How long Tieout may take to write the digest of the index when it ends. */
const STATED_WITHIN_MS = 500;
const TROUBLE_RETRY_MS = 5_000;
const TROUBLE = 'the words of records cannot be indexed';

interface SearchIndexerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
}

/** The present coverage of the word index. */
export interface SearchReach {
  /** The most records that a search misses because they are not indexed yet. */
  readonly notSearched: number;
  /** False while the index is emptied to be built anew: no words can be looked up. */
  readonly isSearchable: boolean;
}

/** Runs a search after updating the index for a short moment. */
export interface Search {
  readonly with: <T>(work: (reach: SearchReach) => T) => T;
}

/**
 * Adds the words of records to the index, in short transactions of the service's thread, some time after they were written, so that writing costs
 * nothing more. The book records the progress, so indexing continues after a restart.
 */
export class SearchIndexer implements Search {
  readonly #options: SearchIndexerOptions;
  readonly #turns: QuietTurns;
  #isTroubled = false;
  /** The digest of the index, as far as it was read since the index changed. */
  #digest: IndexDigest | null = null;

  constructor(options: SearchIndexerOptions) {
    this.#options = options;
    this.#turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.#turn(), trouble: TROUBLE });
  }

  /** Must be called after every write. Cheap: the index is checked once nothing was written for a while. */
  kick(): void {
    this.#turns.kick();
  }

  /** Ends indexing. Writes the digest of the index if that is quick. */
  close(): void {
    this.#turns.close();
    const { database, clock } = this.#options;
    if (!database.connection.open) return;
    const untilMs = clock.monotonicMs() + STATED_WITHIN_MS;
    try {
      this.stateIndex(() => clock.monotonicMs() >= untilMs);
    } catch {
      // The digest is written another time.
    }
  }

  with<T>(work: (reach: SearchReach) => T): T {
    this.#catchUp();
    const again = (error: unknown): T => {
      if (!isDamaged(error)) throw error;
      this.#startAnew(error);
      return work(this.#reach());
    };
    try {
      const answer = work(this.#reach());
      return answer instanceof Promise ? (answer.catch(again) as T) : answer;
    } catch (error) {
      return again(error);
    }
  }

  /** Runs one transaction; returns whether anything is left. */
  step(): boolean {
    const { database, clock } = this.#options;
    if (!isSearchBehind(database)) return false;
    const untilMs = clock.monotonicMs() + SLICE_MS;
    let looks = 0;
    this.#digest = null;
    return indexSlice(database, () => (looks += 1) > SLICE_LOOKS || clock.monotonicMs() >= untilMs);
  }

  #afterSlice(): () => boolean {
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + SLICE_MS;
    return () => clock.monotonicMs() >= untilMs;
  }

  /** Reads more of the index, and writes its digest once all of it is read. Returns whether the digest is written. */
  stateIndex(isOver: () => boolean): boolean {
    const { database } = this.#options;
    if (!isIndexUnstated(database)) return true;
    this.#digest ??= new IndexDigest(database.connection);
    const digest = this.#digest;
    if (!digest.readOn(isOver)) return false;
    database.write((write) => write.stateIndex(digest.sha256));
    this.#digest = null;
    return true;
  }

  #reach(): SearchReach {
    const { database } = this.#options;
    return { notSearched: notSearched(database), isSearchable: isSearchable(database) };
  }

  #turn(): number | null {
    if (!this.#catchUp()) return this.stateIndex(this.#afterSlice()) ? null : BREATH_MS;
    return this.#isTroubled ? TROUBLE_RETRY_MS : BREATH_MS;
  }

  /** Runs a step without throwing. If the index cannot be written, searches report how many records they missed. */
  #catchUp(): boolean {
    try {
      const isMore = this.step();
      this.#isTroubled = false;
      return isMore;
    } catch (error) {
      if (isDamaged(error) && isSearchable(this.#options.database)) return this.#startAnew(error);
      if (!this.#isTroubled) this.#options.log.error(TROUBLE, { error: wordsOf(error) });
      this.#isTroubled = true;
      return true;
    }
  }

  /** Empties an index that may be wrong; it is made anew from the records. Answers true: everything is left to do. */
  #startAnew(error: unknown): true {
    const { database, log } = this.#options;
    log.warning('the index of words is damaged and made anew', { error: wordsOf(error) });
    database.write((write) => resetSearch(write));
    this.#turns.wantWithin(BREATH_MS);
    return true;
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CORRUPT');
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
