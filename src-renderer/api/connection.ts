import type { OperationId } from '../../src-shared/contract/index.ts';
import type { Bridge, ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { createBridgeTransport } from '../../src-shared/client/bridge-transport.ts';
import { type Client, createClient, type Transport } from '../../src-shared/client/client.ts';
import { createHttpTransport } from '../../src-shared/client/http-transport.ts';
import { createChangesUnderWay } from './changes-under-way.ts';
import { createEventHub, type EventHub, readEvent } from './events.ts';
import { createQueryCache, type QueryCache } from './query-cache.ts';
import { hearServer } from './server-events.ts';
import { forgetSecret, reloadAtNewSecret, takeSecret } from './window-secret.ts';

declare global {
  interface Window {
    readonly tieout?: Bridge;
  }
}

/** The window's way to the service, the same over Electron's bridge and over HTTP. */
export interface Connection {
  readonly client: Client;
  readonly cache: QueryCache;
  /** Resolves once all changes asked for so far are answered, and whoever asked has acted on the answer. */
  readonly answered: () => Promise<void>;
  readonly events: EventHub;
  /** Whether the window was opened as it must be; a browser's may have been opened without its secret. Later events may say `signed_out`. */
  readonly isSignedIn: boolean;
  /** Opens the shell's file dialog; null in a browser, where the page's own file input is used. */
  readonly chooseFile: (() => Promise<readonly ChosenFile[]>) | null;
  /** Hands a dropped or chosen file to the service; null where only the shell's dialog may name files. */
  readonly sendFile: ((file: File) => Promise<Outcome<ChosenFile>>) | null;
}

/** A transport that answers a failure instead of throwing when the service cannot be reached. */
function reachable(transport: Transport): Transport {
  return async (operation, input) => {
    try {
      return await transport(operation, input);
    } catch {
      return {
        ok: false,
        error: {
          code: 'internal_error',
          message: 'Tieout does not answer. Nothing was lost; if this stays, close the window and start Tieout again.',
        },
      };
    }
  };
}

/** Tells the window when an answer says that it is not, or no longer, signed in. */
function watched(transport: Transport, events: EventHub): Transport {
  return async (operation, input) => {
    const outcome = await transport(operation, input);
    if (!outcome.ok && outcome.error.code === 'unauthorized') events.publish({ kind: 'signed_out' });
    return outcome;
  };
}

async function postFile(baseUrl: string, headers: Readonly<Record<string, string>>, file: File): Promise<Outcome<ChosenFile>> {
  try {
    const name = encodeURIComponent(file.name);
    const response = await fetch(`${baseUrl}/files?name=${name}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream', 'x-file-name': name },
      body: file,
    });
    const answer: unknown = await response.json();
    if (response.ok) return { ok: true, value: answer as ChosenFile };
    const { message } = answer as { readonly message?: string };
    return { ok: false, error: { code: 'file_unreadable', message: message ?? `“${file.name}” could not be read.` } };
  } catch {
    const message = `“${file.name}” could not be handed to Tieout. Check that the file still exists, then choose it again.`;
    return { ok: false, error: { code: 'file_unreadable', message } };
  }
}

/** Over HTTP to the server that the page came from, with the window's secret in a header of each request. */
function connectToServer(events: EventHub): Pick<Connection, 'isSignedIn' | 'sendFile'> & { readonly transport: Transport } {
  const secret = takeSecret();
  reloadAtNewSecret();
  const baseUrl = `${location.origin}/app`;
  const headers: Record<string, string> = secret === null ? {} : { 'x-tieout-window': secret };
  const ownFetch: typeof fetch = (input, init) => fetch(input, init);
  if (secret !== null) {
    void hearServer({
      url: `${baseUrl}/events`,
      headers,
      fetch: ownFetch,
      onMessage: (message) => publish(events, message),
      onOpen: (again) => again && events.publish({ kind: 'reconnected' }),
      onRefused: () => events.publish({ kind: 'signed_out' }),
    });
  }
  events.subscribe((event) => event.kind === 'signed_out' && forgetSecret());
  return {
    isSignedIn: secret !== null,
    transport: watched(createHttpTransport({ baseUrl, fetch: ownFetch, headers }), events),
    sendFile: (file) => postFile(baseUrl, headers, file),
  };
}

function connectToBridge(bridge: Bridge, events: EventHub): ReturnType<typeof connectToServer> {
  bridge.subscribe((given) => publish(events, given));
  return { isSignedIn: true, transport: createBridgeTransport(bridge), sendFile: null };
}

function publish(events: EventHub, given: unknown): void {
  const event = readEvent(given);
  if (event !== null) events.publish(event);
}

/** Connects the window: over the bridge where there is one, else over HTTP. */
export function connect(): Connection {
  const events = createEventHub();
  const bridge = window.tieout;
  const { transport, isSignedIn, sendFile } = bridge === undefined ? connectToServer(events) : connectToBridge(bridge, events);
  const changes = createChangesUnderWay();
  const client = createClient(changes.watched(reachable(transport)));
  const cache = createQueryCache((operation: OperationId, input) => client.call(operation, input as never));
  events.subscribe((event) => {
    if (event.kind === 'changed') cache.invalidate(event.areas, event.reconciliation_id);
    if (event.kind === 'reconnected') cache.invalidateAll();
  });
  return {
    client,
    cache,
    answered: changes.answered,
    events,
    isSignedIn,
    // In a browser the page's own file input is used.
    chooseFile: bridge === undefined ? null : () => bridge.chooseFile(),
    sendFile,
  };
}
