import { createHash } from 'node:crypto';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type BookEvent, OPERATION_IDS } from '../../src-shared/contract/index.ts';
import type { Log, Random } from '../../src-main/platform/ports.ts';
import type { Caller, Handlers } from '../../src-main/service/handler.ts';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { type HttpServerOptions, startHttpServer } from '../../src-main/transport/http/server.ts';

export const publicCaller: Caller = {
  environmentId: 1,
  environment: 'live',
  permission: 'read_write',
  surface: 'public',
  actor: 'key:1',
};
export const readCaller: Caller = { ...publicCaller, permission: 'read', actor: 'key:2' };
export const appCaller: Caller = { ...publicCaller, surface: 'app', actor: 'app' };

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines. */
export function memoryLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const keep =
    (level: string) =>
    (message: string, detail: Readonly<Record<string, unknown>> = {}) => {
      lines.push({ level, message, detail });
    };
  return { lines, info: keep('info'), warning: keep('warning'), error: keep('error') };
}

/** The same bytes in every run, and never the same twice in one. */
export function seededRandom(seed: string): Random {
  let count = 0;
  return {
    bytes(length) {
      count += 1;
      const parts: Buffer[] = [];
      for (let part = 0; part * 32 < length; part += 1) {
        parts.push(createHash('sha256').update(`${seed} ${count} ${part}`).digest());
      }
      return new Uint8Array(Buffer.concat(parts).subarray(0, length));
    },
  };
}

const echo = (id: string) => (caller: Caller, input: unknown) => ({ ok: true, value: { operation: id, actor: caller.actor, input } });

/** A handler for every operation that answers what it was given; single ones can be replaced. */
export function echoHandlers(replaced: Readonly<Record<string, (caller: Caller, input: unknown) => unknown>> = {}): Handlers {
  return Object.fromEntries(OPERATION_IDS.map((id) => [id, replaced[id] ?? echo(id)])) as unknown as Handlers;
}

export interface TestServer {
  readonly port: number;
  readonly apiKey: string;
  readonly uiUrl: string | null;
  readonly newUiUrl: () => string | null;
  readonly close: () => Promise<void>;
  readonly emit: (event: BookEvent) => void;
  readonly listeners: () => number;
}

/** A server over echoing handlers. `stored-read` and `stored-write` are stored keys. */
export async function startTestServer(options: Partial<HttpServerOptions> = {}): Promise<TestServer> {
  const listeners = new Set<(event: BookEvent) => void>();
  const server = await startHttpServer({
    port: 0,
    uiFolder: null,
    dispatch: createDispatch(echoHandlers(), memoryLog()),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    authenticate: (key) => (key === 'stored-read' ? readCaller : key === 'stored-write' ? publicCaller : null),
    windowCaller: appCaller,
    sessionCaller: { ...publicCaller, actor: 'session' },
    acceptUpload: async () => ({ ok: false, error: { code: 'file_unreadable', message: 'Nothing is accepted here.' } }),
    clock: { monotonicMs: () => 0 },
    random: seededRandom('transport'),
    log: memoryLog(),
    version: '0.0.0',
    ...options,
  });
  return {
    port: Number(new URL(server.baseUrl).port),
    apiKey: server.apiKey,
    uiUrl: server.uiUrl,
    newUiUrl: server.newUiUrl,
    close: server.close,
    listeners: () => listeners.size,
    emit: (event) => {
      for (const listener of listeners) listener(event);
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, or null when it is empty or no JSON. */
  readonly json: Readonly<Record<string, unknown>> | null;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Keeps connections over requests; without one each has its own. */
  readonly agent?: http.Agent;
}

/** One request with exactly these headers (fetch would not let Host, Origin or a bare path through). */
export async function ask(port: number, path: string, { method = 'GET', headers = {}, body, agent }: Asked = {}): Promise<Answer> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: agent ?? false }, resolve);
    request.on('error', reject);
    request.end(body);
  });
  const text = (await buffer(response)).toString('utf8');
  const isJson = response.headers['content-type']?.includes('json') === true && text !== '';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Record<string, unknown>) : null,
  };
}

/** Headers of a request with a JSON body. */
export function jsonHeaders(apiKey: string): Record<string, string> {
  return { 'x-api-key': apiKey, 'content-type': 'application/json' };
}

/** What a window sends with each request: the secret behind `#` of its address. */
export function windowHeaders({ uiUrl }: Pick<TestServer, 'uiUrl'>): Record<string, string> {
  return { 'x-tieout-window': new URL(uiUrl ?? '').hash.replace('#token=', '') };
}
