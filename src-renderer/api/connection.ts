import { createBridgeTransport, createClient, createHttpTransport, type Transport } from '../../src-shared/client/client.ts';
import { contract } from '../../src-shared/contract/index.ts';
import type { Bridge, ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { WINDOW_SECRET_KEY } from '../../src-shared/values/network.ts';
import { say } from '../../src-shared/words/say.ts';
import { type Connection, createEventHub, createQueries, type EventHub, readEvent } from './use-operation.ts';

const IN_ADDRESS = /^#token=([A-Za-z0-9_-]+)$/;

/**
 * Returns the secret that this window sends with each request, or null when the window was opened without one. The secret is in the printed address
 * behind `#`, or a ticket's page has stored it. This function removes it from the address at once, so that no bookmark keeps it. The session storage
 * belongs to this tab: a reload finds the secret there, a page on another port does not.
 */
function takeSecret(): string | null {
  const given = IN_ADDRESS.exec(location.hash)?.[1];
  if (given === undefined) return stored();
  history.replaceState(null, '', location.pathname);
  try {
    sessionStorage.setItem(WINDOW_SECRET_KEY, given);
  } catch {
    // The browser stores nothing for pages, so the secret is lost on reload.
  }
  return given;
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(WINDOW_SECRET_KEY);
  } catch {
    return null;
  }
}

/** Removes the stored secret. The server refused it: Tieout was restarted and has printed a new address. */
function forgetSecret(): void {
  try {
    sessionStorage.removeItem(WINDOW_SECRET_KEY);
  } catch {
    // The storage is not available, so it holds no secret.
  }
}

/** Reloads the window when its address receives a new secret. A change behind `#` alone loads nothing. */
function reloadAtNewSecret(): void {
  window.addEventListener('hashchange', () => {
    if (IN_ADDRESS.test(location.hash)) location.reload();
  });
}

const AGAIN_MS = 2_000;
const DATA = 'data: ';

interface ServerEvents {
  readonly url: string;
  /** The headers of the request. The browser's `EventSource` cannot send any, so it is not used. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  /** Receives each message, parsed. */
  readonly onMessage: (message: unknown) => void;
  /** Called when the stream opens. `again` says that `onLost` was called before, so that messages may have been missed. */
  readonly onOpen: (again: boolean) => void;
  /** Called when the stream has ended, or could not be opened. */
  readonly onLost: () => void;
  /** Called when the server refuses this window. The stream is not opened again. */
  readonly onRefused: () => void;
}

/** Reads the server's events. A stream that breaks off is opened again until the server refuses. Never rejects. */
export async function readServerEvents(events: ServerEvents): Promise<void> {
  let wasLost = false;
  for (;;) {
    try {
      const response = await events.fetch(events.url, { headers: events.headers, cache: 'no-store' });
      if (response.status === 401) return events.onRefused();
      if (response.ok && response.body !== null) {
        events.onOpen(wasLost);
        await readMessages(response.body, events.onMessage);
      }
    } catch {
      // The server is not reachable now. The next attempt follows below.
    }
    wasLost = true;
    events.onLost();
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Reads server-sent events: blocks of lines that end with a blank line. A block without data is a heartbeat. */
async function readMessages(body: ReadableStream<Uint8Array>, onMessage: (message: unknown) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = `${rest}${decoder.decode(part.value, { stream: true })}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line.startsWith(DATA));
      if (lines.length > 0) onMessage(JSON.parse(lines.map((line) => line.slice(DATA.length)).join('\n')));
    }
  }
}

declare global {
  interface Window {
    readonly tieout?: Bridge;
  }
}

/** Returns a transport that answers with a failure when the service cannot be reached, where `transport` would throw. */
function reachable(transport: Transport): Transport {
  return async (operation, input) => {
    try {
      return await transport(operation, input);
    } catch {
      return {
        ok: false,
        error: {
          code: 'internal_error',
          message: say('shell.connection.tieoutDoesNotAnswer'),
        },
      };
    }
  };
}

/** Returns a transport that emits `signed_out` when an answer says that the window is not signed in. */
function watched(transport: Transport, events: EventHub): Transport {
  return async (operation, input) => {
    const outcome = await transport(operation, input);
    if (!outcome.ok && outcome.error.code === 'unauthorized') events.publish({ kind: 'signed_out' });
    return outcome;
  };
}

/** Returns a transport that emits `done` for each of the window's commands that can be undone. */
function withDoneEvents(transport: Transport, events: EventHub): Transport {
  return async (operation, input) => {
    const outcome = await transport(operation, input);
    const undo = outcome.meta?.undo;
    if (undo !== undefined) events.publish({ kind: 'done', undoId: undo.id, label: undo.label });
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
    return {
      ok: false,
      error: { code: 'file_unreadable', message: message ?? say('shell.connection.couldNotBeRead', { name: file.name }) },
    };
  } catch {
    const message = say('shell.connection.couldNotBeHanded', { name: file.name });
    return { ok: false, error: { code: 'file_unreadable', message } };
  }
}

/** Connects over HTTP to the server that the page came from, with the window's secret in a header of each request. */
function connectToServer(events: EventHub): Pick<Connection, 'isSignedIn' | 'sendFile'> & { readonly transport: Transport } {
  const secret = takeSecret();
  reloadAtNewSecret();
  const baseUrl = `${location.origin}/app`;
  const headers: Record<string, string> = secret === null ? {} : { 'x-tieout-window': secret };
  const ownFetch: typeof fetch = (input, init) => fetch(input, init);
  if (secret !== null) {
    void readServerEvents({
      url: `${baseUrl}/events`,
      headers,
      fetch: ownFetch,
      onMessage: (message) => publish(events, message),
      onLost: () => events.publish({ kind: 'lost' }),
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

/** Connects the window: over Electron's bridge where there is one, else over HTTP. */
export function connect(): Connection {
  const events = createEventHub();
  const bridge = window.tieout;
  const { transport, isSignedIn, sendFile } = bridge === undefined ? connectToServer(events) : connectToBridge(bridge, events);
  const changes = createChangesUnderWay();
  const client = createClient(changes.watched(withDoneEvents(reachable(transport), events)));
  return {
    client,
    queries: createQueries(client, events, changes.settled),
    answered: changes.answered,
    events,
    isSignedIn,
    // A browser has its own file input.
    chooseFile: bridge === undefined ? null : () => bridge.chooseFile(),
    chooseFolder: bridge === undefined ? null : (purpose) => bridge.chooseFolder(purpose),
    showInFolder: bridge === undefined ? null : (backup) => bridge.showInFolder(backup),
    takeOpened: bridge === undefined ? null : () => bridge.takeOpened(),
    sendFile,
  };
}

/** The commands that were sent and are not answered yet. */
interface ChangesUnderWay {
  /** Returns the same transport. Its commands count until they are answered. */
  readonly watched: (transport: Transport) => Transport;
  /** Resolves once all commands sent so far are answered and their callers have run. */
  readonly answered: () => Promise<void>;
  /** Returns null when no command is under way, else what resolves once none is, those included that callers send meanwhile. */
  readonly settled: () => Promise<void> | null;
}

export function createChangesUnderWay(): ChangesUnderWay {
  const underWay = new Set<Promise<unknown>>();
  async function answered(): Promise<void> {
    if (underWay.size === 0) return;
    await Promise.allSettled(underWay);
    // Callers go on in microtasks, which have all run before the next task.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  async function noneLeft(): Promise<void> {
    while (underWay.size > 0) await answered();
  }
  return {
    watched: (transport) => async (operation, input) => {
      const answer = transport(operation, input);
      if (contract[operation].permission === 'read') return answer;
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    answered,
    settled: () => (underWay.size === 0 ? null : noneLeft()),
  };
}
