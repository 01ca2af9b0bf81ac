import type { OperationId } from '../../src-shared/contract/index.ts';
import type { Bridge, ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { createBridgeTransport } from '../../src-shared/client/bridge-transport.ts';
import { type Client, createClient, type Transport } from '../../src-shared/client/client.ts';
import { createHttpTransport } from '../../src-shared/client/http-transport.ts';
import { createEventHub, type EventHub, readEvent } from './events.ts';
import { createQueryCache, type QueryCache } from './query-cache.ts';

declare global {
  interface Window {
    readonly tieout?: Bridge;
  }
}

/** The window's way to the service, the same over Electron's bridge and over HTTP. */
export interface Connection {
  readonly client: Client;
  readonly cache: QueryCache;
  readonly events: EventHub;
  /** Opens the shell's file dialog; null in a browser, where the page's own file input is used. */
  readonly chooseFile: (() => Promise<readonly ChosenFile[]>) | null;
  /** Hands a dropped or chosen file to the service; null where only the shell's dialog may name files. */
  readonly sendFile: ((file: File) => Promise<Outcome<ChosenFile>>) | null;
}

const WINDOW_HEADERS = { 'x-tieout-window': '1' } as const;

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

function listenToServer(url: string, events: EventHub): void {
  const source = new EventSource(url);
  let hasOpened = false;
  source.addEventListener('open', () => {
    if (hasOpened) events.publish({ kind: 'reconnected' });
    hasOpened = true;
  });
  source.addEventListener('message', (message: MessageEvent<string>) => {
    const event = readEvent(JSON.parse(message.data));
    if (event !== null) events.publish(event);
  });
}

async function sendFile(baseUrl: string, file: File): Promise<Outcome<ChosenFile>> {
  try {
    const name = encodeURIComponent(file.name);
    const response = await fetch(`${baseUrl}/files?name=${name}`, {
      method: 'POST',
      headers: { ...WINDOW_HEADERS, 'content-type': 'application/octet-stream', 'x-file-name': name },
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

/** Connects the window: over the bridge where there is one, else over HTTP to the server that the page came from. */
export function connect(): Connection {
  const events = createEventHub();
  const bridge = window.tieout;
  const baseUrl = `${location.origin}/app`;
  const transport =
    bridge === undefined
      ? createHttpTransport({ baseUrl, fetch: (input, init) => fetch(input, init), headers: WINDOW_HEADERS })
      : createBridgeTransport(bridge);
  const client = createClient(reachable(transport));
  const cache = createQueryCache((operation: OperationId, input) => client.call(operation, input as never));
  events.subscribe((event) => {
    if (event.kind === 'changed') cache.invalidate(event.areas, event.reconciliation_id);
    if (event.kind === 'reconnected') cache.invalidateAll();
  });
  if (bridge === undefined) listenToServer(`${baseUrl}/events`, events);
  else {
    bridge.subscribe((given) => {
      const event = readEvent(given);
      if (event !== null) events.publish(event);
    });
  }
  return {
    client,
    cache,
    events,
    chooseFile: bridge === undefined ? null : () => bridge.chooseFile(),
    sendFile: bridge === undefined ? (file) => sendFile(baseUrl, file) : null,
  };
}
