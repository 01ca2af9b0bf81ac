import type { Failure, OperationId } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { type Area, isTouched } from './areas.ts';

/** What a screen sees of one answer. `value` stays while a newer one is on its way. Frozen: a new state is a new object. */
export interface Snapshot<T> {
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  readonly isFetching: boolean;
}

type CallInput = Readonly<Record<string, unknown>>;
type Fetcher = (operation: OperationId, input: CallInput) => Promise<Outcome<unknown>>;

interface Entry {
  readonly operation: OperationId;
  readonly input: CallInput;
  readonly listeners: Set<() => void>;
  snapshot: Snapshot<unknown>;
  isStale: boolean;
}

export interface QueryCache {
  readonly snapshot: (operation: OperationId, input: CallInput) => Snapshot<unknown>;
  /** Listens to one answer and fetches it when there is none or it is old. Answers a function that stops listening. */
  readonly subscribe: (operation: OperationId, input: CallInput, listener: () => void) => () => void;
  /** Marks as old what the change touches; what is being shown is fetched again. */
  readonly invalidate: (areas: readonly Area[], reconciliationId: number | null) => void;
  readonly invalidateAll: () => void;
  readonly refetch: (operation: OperationId, input: CallInput) => void;
}

const EMPTY: Snapshot<unknown> = Object.freeze({ value: undefined, failure: undefined, isFetching: false });
/** Answers that nobody shows are kept up to this number, for going back and forth between screens. */
const KEPT_ENTRIES = 60;

/** Key of an answer: the order of the input's members does not matter. */
export function cacheKey(operation: OperationId, input: CallInput): string {
  const members = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `${operation} ${JSON.stringify(members)}`;
}

/** A small cache of reads, one entry for an operation and its input. An answer that a change overtakes is fetched once more. */
export function createQueryCache(fetcher: Fetcher): QueryCache {
  const entries = new Map<string, Entry>();

  function entryOf(operation: OperationId, input: CallInput): Entry {
    const key = cacheKey(operation, input);
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = { operation, input, listeners: new Set(), snapshot: EMPTY, isStale: true };
    entries.set(key, entry);
    return entry;
  }

  function show(entry: Entry, snapshot: Snapshot<unknown>): void {
    entry.snapshot = Object.freeze(snapshot);
    for (const listener of entry.listeners) listener();
  }

  async function load(entry: Entry): Promise<void> {
    if (entry.snapshot.isFetching) return;
    show(entry, { ...entry.snapshot, isFetching: true });
    do {
      entry.isStale = false;
      const answer = await fetcher(entry.operation, entry.input);
      const isOvertaken = entry.isStale && entry.listeners.size > 0;
      const next = answer.ok ? { value: answer.value, failure: undefined } : { value: entry.snapshot.value, failure: answer.error };
      show(entry, { ...next, isFetching: isOvertaken });
    } while (entry.snapshot.isFetching);
  }

  function trim(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= KEPT_ENTRIES) return;
      if (entry.listeners.size === 0 && !entry.snapshot.isFetching) entries.delete(key);
    }
  }

  function outdate(isOld: (entry: Entry) => boolean): void {
    for (const entry of entries.values()) {
      if (!isOld(entry)) continue;
      entry.isStale = true;
      if (entry.listeners.size > 0) void load(entry);
    }
  }

  return {
    snapshot: (operation, input) => entries.get(cacheKey(operation, input))?.snapshot ?? EMPTY,
    subscribe(operation, input, listener) {
      const entry = entryOf(operation, input);
      entry.listeners.add(listener);
      if (entry.isStale) void load(entry);
      return () => {
        entry.listeners.delete(listener);
        trim();
      };
    },
    invalidate: (areas, reconciliationId) => outdate((entry) => isTouched(entry.operation, entry.input, areas, reconciliationId)),
    invalidateAll: () => outdate(() => true),
    refetch(operation, input) {
      const wanted = cacheKey(operation, input);
      outdate((entry) => cacheKey(entry.operation, entry.input) === wanted);
    },
  };
}
