import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Call, Failure, OperationId, Output } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { useConnection } from './connection-context.ts';
import type { WindowEvent } from './events.ts';
import { cacheKey, type Snapshot } from './query-cache.ts';

interface Query<T> extends Snapshot<T> {
  /** No answer yet, neither value nor failure. */
  readonly isLoading: boolean;
  readonly refetch: () => void;
}

/** Reads through the cache and stays up to date with the book's changes. */
export function useQuery<K extends OperationId>(operation: K, input: Call<K>): Query<Output<K>> {
  const { cache } = useConnection();
  const key = cacheKey(operation, input as Readonly<Record<string, unknown>>);
  const stable = useStable(key, input as Readonly<Record<string, unknown>>);
  const subscribe = useCallback((listener: () => void) => cache.subscribe(operation, stable, listener), [cache, operation, stable]);
  const snapshot = useSyncExternalStore(subscribe, () => cache.snapshot(operation, stable)) as Snapshot<Output<K>>;
  const refetch = useCallback(() => cache.refetch(operation, stable), [cache, operation, stable]);
  return { ...snapshot, isLoading: snapshot.value === undefined && snapshot.failure === undefined, refetch };
}

/** The same object as long as its key is the same: inputs are written inline. */
export function useStable<T>(key: string, value: T): T {
  const [held, setHeld] = useState({ key, value });
  if (held.key === key) return held.value;
  setHeld({ key, value });
  return value;
}

/** Asks once when the component appears, past the cache: for an answer that must be of this moment. */
export function useAnswer<K extends OperationId>(operation: K, input: Call<K>): Pick<Snapshot<Output<K>>, 'value' | 'failure'> {
  const { client } = useConnection();
  const [answer, setAnswer] = useState<Outcome<Output<K>> | null>(null);
  const stable = useStable(cacheKey(operation, input as Readonly<Record<string, unknown>>), input);
  useEffect(() => {
    let isShown = true;
    void client.call(operation, stable).then((given) => {
      if (isShown) setAnswer(given);
      return given;
    });
    return () => {
      isShown = false;
    };
  }, [client, operation, stable]);
  return answer?.ok === true ? { value: answer.value, failure: undefined } : { value: undefined, failure: answer?.error };
}

interface Command<K extends OperationId> {
  readonly run: (input: Call<K>) => Promise<Outcome<Output<K>>>;
  readonly isRunning: boolean;
}

/** Calls an operation that changes something. The cache is told by the change's event; a failure is told by `onFailure`. */
export function useCommand<K extends OperationId>(operation: K, onFailure: (failure: Failure) => void): Command<K> {
  const { client } = useConnection();
  const [running, setRunning] = useState(0);
  const told = useRef(onFailure);
  useEffect(() => {
    told.current = onFailure;
  });
  const run = useCallback(
    async (input: Call<K>) => {
      setRunning((count) => count + 1);
      const answer = await client.call(operation, input);
      setRunning((count) => count - 1);
      if (!answer.ok) told.current(answer.error);
      return answer;
    },
    [client, operation],
  );
  return { run, isRunning: running > 0 };
}

/** Hears every event of the window while the component is shown. */
export function useEvents(listener: (event: WindowEvent) => void): void {
  const { events } = useConnection();
  const held = useRef(listener);
  useEffect(() => {
    held.current = listener;
  });
  useEffect(() => events.subscribe((event) => held.current(event)), [events]);
}
