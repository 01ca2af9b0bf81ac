import { keepPreviousData, useMutation, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Call, Failure, OperationId, Output } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { useConnection } from './connection-context.ts';
import type { WindowEvent } from './events.ts';

/** Reads from the book, and again whenever a change makes the answer out of date. The previous answer stays until the next one arrives. */
export function useOperation<K extends OperationId>(operation: K, input: Call<K>): UseQueryResult<Output<K>> {
  return useQuery<Output<K>>({ queryKey: [operation, input] }, useConnection().queries);
}

/** Reads as `useOperation`. While the answer to another input is awaited, that to the last one stays (`isPlaceholderData`): the fields of a dialog keep the focus. */
export function useSteadyOperation<K extends OperationId>(operation: K, input: Call<K>): UseQueryResult<Output<K>> {
  return useQuery<Output<K>>({ queryKey: [operation, input], placeholderData: keepPreviousData }, useConnection().queries);
}

/** Reads several pages, or the answers to other inputs of one operation, as `useOperation` reads one. */
export function useOperations<K extends OperationId>(operation: K, inputs: readonly Call<K>[]): UseQueryResult<Output<K>>[] {
  const queries = inputs.map((input) => ({ queryKey: [operation, input] as const }));
  return useQueries({ queries }, useConnection().queries) as UseQueryResult<Output<K>>[];
}

/** Reads once when the component appears. Later changes of the book do not change the answer. */
export function useAnswer<K extends OperationId>(operation: K, input: Call<K>): UseQueryResult<Output<K>> {
  return useQuery<Output<K>>({ queryKey: [operation, input, 'once'], gcTime: 0 }, useConnection().queries);
}

/**
 * An operation that changes the book. `run` resolves to the outcome, also to a failure, and after `onFailure` has received it. `isRunning` is true
 * until then.
 */
interface Command<K extends OperationId> {
  readonly run: (input: Call<K>) => Promise<Outcome<Output<K>>>;
  readonly isRunning: boolean;
}

/** Returns a command. The service's `changed` event makes answers out of date; `onFailure` receives a failure. */
export function useCommand<K extends OperationId>(operation: K, onFailure: (failure: Failure) => void): Command<K> {
  const { client, queries } = useConnection();
  const { mutateAsync, isPending } = useMutation(
    {
      mutationFn: (input: Call<K>) => client.call(operation, input),
      onSuccess: (answer) => {
        if (!answer.ok) onFailure(answer.error);
      },
    },
    queries,
  );
  return { run: mutateAsync, isRunning: isPending };
}

/** Passes every event of the window to `listener` while the component is mounted. */
export function useEvents(listener: (event: WindowEvent) => void): void {
  const { events } = useConnection();
  const onEvent = useEffectEvent(listener);
  useEffect(() => events.subscribe((event) => onEvent(event)), [events]);
}
