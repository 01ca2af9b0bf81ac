import {
  keepPreviousData,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
  useMutation,
  useQueries,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import { createContext, useContext, useEffect, useEffectEvent } from 'react';
import type { Client, ServiceError } from '../../src-shared/client/client.ts';
import type { BookEvent, Call, Failure, OperationId, Output } from '../../src-shared/contract/index.ts';
import type { ChosenFile, FolderPurpose, Opened, Outcome } from '../../src-shared/contract/wire.ts';
import { present } from '../../src-shared/values/assert.ts';

/** A command that was chosen in the application's menu. */
interface MenuCommand {
  readonly kind: 'command';
  readonly command: string;
}
/** The service does not answer. The window tries to reach it until it does. */
interface Lost {
  readonly kind: 'lost';
}
/** The connection was lost and is back. Everything on the screen may be out of date. */
interface Reconnected {
  readonly kind: 'reconnected';
}
/** This window made a change that can be undone. */
interface Done {
  readonly kind: 'done';
  readonly undoId: number;
  readonly label: string;
}
/** The service does not know this window, or no longer does. */
interface SignedOut {
  readonly kind: 'signed_out';
}
export type WindowEvent = BookEvent | MenuCommand | Lost | Reconnected | Done | SignedOut;

/** Returns the event, or null for a kind that this window does not know. */
export function readEvent(given: unknown): WindowEvent | null {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return null;
  if (given.kind === 'changed' || given.kind === 'job') return given as BookEvent;
  if (given.kind === 'command' && 'command' in given && typeof given.command === 'string') {
    return { kind: 'command', command: given.command };
  }
  return null;
}

/**
 * Distributes the window's events. A listener must not throw, because the listeners after it would miss the event. `subscribe` returns the function
 * that ends the subscription.
 */
export interface EventHub {
  readonly publish: (event: WindowEvent) => void;
  readonly subscribe: (listener: (event: WindowEvent) => void) => () => void;
}

/** Creates a hub that passes every event to all listeners, in the order of arrival. */
export function createEventHub(): EventHub {
  const listeners = new Set<(event: WindowEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The window's access to the service, the same over Electron's bridge and over HTTP. */
export interface Connection {
  readonly client: Client;
  readonly queries: QueryClient;
  /** Resolves once all commands sent so far are answered and their callers have run. */
  readonly answered: () => Promise<void>;
  readonly events: EventHub;
  /** Whether the window was opened with what it needs. In a browser the secret may be missing. A later `signed_out` event can end it. */
  readonly isSignedIn: boolean;
  /** Opens the shell's file dialog. Null in a browser, which has its own file input. */
  readonly chooseFile: (() => Promise<readonly ChosenFile[]>) | null;
  /** Opens the shell's dialog for a folder. Null in a browser, where its path is typed. */
  readonly chooseFolder: ((purpose: FolderPurpose) => Promise<string | null>) | null;
  /** Shows the file of the open book (null), or of a backup, in the system's file manager. Null in a browser, which has none. */
  readonly showInFolder: ((backup: string | null) => Promise<void>) | null;
  /** Returns what the system asked to open since the last call. Null in a browser, which nothing is opened with. */
  readonly takeOpened: (() => Promise<Opened>) | null;
  /** Sends a dropped or chosen file to the service. Null where only the shell's dialog may name files. */
  readonly sendFile: ((file: File) => Promise<Outcome<ChosenFile>>) | null;
}

export const ConnectionContext = createContext<Connection | null>(null);

/** Returns the window's connection. The component must be inside its provider. */
export function useConnection(): Connection {
  return present(useContext(ConnectionContext), 'The connection');
}

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

/** A part of the book that a `changed` event names. */
type Changed = Extract<BookEvent, { kind: 'changed' }>;
type Area = Changed['areas'][number];

/** How long changes wait at most for commands under way, so that one slow command does not keep old answers on the screen. */
const LONGEST_WAIT_MS = 1_000;

/** Key of an answer. An answer that is read `once` does not change when the book does. */
type AnswerKey = readonly [operation: OperationId, input: object, once?: 'once'];

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ServiceError;
    queryKey: AnswerKey;
  }
}

/** The areas that the answer of a read depends on. An operation that is not listed depends on all areas. */
const AREAS: Partial<Readonly<Record<OperationId, readonly Area[]>>> = {
  'book.overview': ['streams', 'records', 'imports', 'reconciliations'],
  'book.home': ['reconciliations', 'streams', 'records', 'matches', 'runs', 'imports', 'bank_accounts'],
  'periods.list': ['reconciliations', 'streams', 'records', 'matches', 'runs', 'imports', 'bank_accounts'],
  'periods.locks': ['reconciliations'],
  'streams.list': ['streams', 'records', 'imports'],
  'streams.get': ['streams', 'records', 'imports'],
  'records.totals': ['reconciliations', 'streams', 'records', 'matches', 'runs', 'imports'],
  'import_batches.list': ['imports', 'records', 'streams'],
  'import_batches.file': ['imports'],
  'import_batches.records': ['imports', 'records', 'matches'],
  'imports.rows': ['imports', 'records', 'streams'],
  'import_batches.get': ['imports', 'records'],
  'coverage.of_stream': ['imports', 'streams'],
  'reconciliations.list': ['reconciliations', 'streams', 'records', 'runs', 'imports'],
  'reconciliations.get': ['reconciliations', 'streams', 'records', 'runs', 'imports'],
  'reconciliations.summary': ['reconciliations', 'records', 'matches', 'runs', 'imports'],
  'matches.suggest': ['reconciliations', 'records', 'matches', 'runs', 'imports'],
  'matches.suggest_sums': ['reconciliations', 'records', 'matches', 'runs', 'imports'],
  'separations.list': ['reconciliations', 'streams', 'records', 'matches', 'runs', 'imports'],
  'rules.list': ['rules', 'reconciliations'],
  'proposals.agent_status': ['rules', 'runs', 'matches', 'records', 'reconciliations', 'imports'],
  'evidence.get': ['rules', 'runs'],
  'evidence.reviews': ['matches', 'runs'],
  'confirmations.expect': ['matches', 'runs'],
  'coverage.of_account': ['imports', 'streams', 'bank_accounts'],
  'stories.list': ['reconciliations', 'streams'],
  'bank_accounts.list': ['bank_accounts'],
  'bank_accounts.get': ['bank_accounts'],
  'bank_account_balances.list': ['bank_accounts', 'imports', 'streams'],
  'import_recipes.list': ['imports'],
  'import_recipes.former': ['imports'],
  'exceptions.list': ['exceptions', 'records', 'matches', 'runs', 'reconciliations', 'streams', 'imports'],
  'open_items.get': ['reconciliations', 'streams', 'records'],
  'runs.list': ['runs'],
  'runs.get': ['runs'],
  'runs.compare': ['runs', 'matches', 'records', 'imports'],
  'runs.undo_plan': ['runs', 'matches', 'records', 'imports'],
  'api_keys.list': ['api_keys'],
  'environments.list': ['api_keys'],
  'local_port.get': ['local_port'],
  'notation.get': ['book'],
  'views.list': ['book'],
  'connections.list': ['databases'],
  'table_runs.tables': ['databases'],
  'table_runs.propose': ['databases'],
  'table_runs.get': ['databases'],
  'backups.list': ['backups', 'book'],
  'sync_remotes.list': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'imports', 'bank_accounts'],
  'syncs.get': ['sync'],
  'syncs.plan_lines': ['sync'],
  'sync_conflicts.list': ['sync'],
  'sync_conflicts.get': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'bank_accounts'],
  'sync_unsure.list': ['sync', 'bank_accounts'],
  'sync_runs.list': ['sync'],
  'sync_runs.undo_plan': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'imports', 'bank_accounts', 'backups'],
  'sync_runs.lines': ['sync'],
  'syncs.why': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'bank_accounts'],
  'book.condition': ['book'],
  'books.list': ['book', 'streams'],
};

/** Reads whose `id` is the id of a reconciliation. */
const OWN_BY_ID: ReadonlySet<OperationId> = new Set(['reconciliations.summary', 'reconciliations.get', 'proposals.agent_status']);

/** Returns whether a change of `areas` makes an answer out of date. The change is in one reconciliation, or in the whole book when the id is null. */
export function isTouched([operation, input]: AnswerKey, areas: readonly Area[], reconciliationId: number | null): boolean {
  const read = AREAS[operation];
  if (read !== undefined && !read.some((area) => areas.includes(area))) return false;
  const own = ownReconciliation(operation, input as Readonly<Record<string, unknown>>);
  return own === null || reconciliationId === null || own === reconciliationId || areas.includes('records') || areas.includes('streams');
}

function ownReconciliation(operation: OperationId, input: Readonly<Record<string, unknown>>): number | null {
  const given = OWN_BY_ID.has(operation) ? input['id'] : input['reconciliation_id'];
  return given === undefined || given === null ? null : Number(given);
}

/**
 * Returns the cache of the window's reads. Only a change of the book makes an answer out of date. When a change happens while an answer is on its
 * way, the answer is still shown and the read is repeated once: otherwise a book that changes several times a second would cancel every answer.
 *
 * `settled` resolves when the window has no command under way, and is null when it has none now. Changes wait for it: in a burst of decisions each one
 * would else wait for the ten reads that the one before it caused.
 */
export function createQueries(client: Client, events: EventHub, settled: () => Promise<void> | null = () => null): QueryClient {
  // React must render the start of a command before the next key press. A timer, the default, would be too late.
  notifyManager.setScheduler(queueMicrotask);
  const overtaken = new WeakSet<object>();
  const failures = new WeakMap<object, ServiceError>();
  const cache = new QueryCache({
    onError: (error, query) => void failures.set(query, error),
    onSuccess: (_data, query) => void failures.delete(query),
    onSettled: (_data, _error, query) => {
      if (overtaken.delete(query)) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    },
  });
  // A failure stays visible while the read is repeated, as an answer does. By default the library would clear it.
  cache.subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'fetch' || event.query.state.data !== undefined) return;
    const error = failures.get(event.query);
    if (error !== undefined) event.query.setState({ status: 'error', error });
  });
  const queries = new QueryClient({
    queryCache: cache,
    defaultOptions: {
      queries: {
        queryFn: ({ queryKey: [operation, input] }) => client.get(operation, input as never),
        // The service runs on this machine and reports changes itself. It is reachable without a network.
        networkMode: 'always',
        retry: false,
        // Screens recognise a repeated read by its new object.
        structuralSharing: false,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  });
  const outdate = (isOld: (key: AnswerKey) => boolean): void => {
    const predicate = ({ queryKey }: Query): boolean => queryKey[2] !== 'once' && isOld(queryKey);
    for (const query of cache.findAll({ fetchStatus: 'fetching', predicate })) overtaken.add(query);
    void queries.invalidateQueries({ predicate }, { cancelRefetch: false });
  };
  const waiting: Changed[] = [];
  const outdateWaiting = (): void => {
    const changes = waiting.splice(0);
    outdate((key) => changes.some(({ areas, reconciliation_id: id }) => isTouched(key, areas, id)));
  };
  events.subscribe((event) => {
    if (event.kind === 'reconnected') outdate(() => true);
    if (event.kind !== 'changed') return;
    waiting.push(event);
    if (waiting.length > 1) return;
    const quiet = settled();
    if (quiet === null) outdateWaiting();
    else void Promise.race([quiet, new Promise<void>((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))]).then(outdateWaiting);
  });
  return queries;
}
