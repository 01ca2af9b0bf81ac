import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { PORTAL_PAGE, RequestLog, withWrongType, type Fault, type Faults, type LoggedRequest } from './faults.ts';
import { findRoute, Refusal, type Answer, type Routes } from './routes.ts';

const PREFIX = '/v1';

interface ServerParts {
  /** Called once, with the first request. */
  readonly routes: () => Routes;
  readonly key: string;
  readonly faults: Faults;
  /** Answer to a wrong key. */
  readonly keyRefusal: Answer;
  readonly refused: (refusal: Refusal) => Answer;
  /** Called before each handled request: moves work in the background one step on. */
  readonly step: () => void;
}

async function textOf(request: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function jsonOr(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The HTTP server of one remote on a port of this machine. */
export class RemoteServer {
  readonly log = new RequestLog();
  readonly #parts: ServerParts;
  readonly #server: http.Server;
  #routes: Routes | null = null;
  #port = 0;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#server = http.createServer((request, response) => {
      // A connection that the client has closed needs no answer.
      this.#serve(request, response).catch(() => request.socket.destroy());
    });
  }

  /** Listens on the port; 0 takes a free one. */
  async listen(port = 0): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', () => resolve());
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get baseUrl(): string {
    return `${this.origin}${PREFIX}`;
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = jsonOr(await textOf(request));
    const { method = 'GET', url: path = '/', headers } = request;
    const entry = this.log.add({ method, path, headers, body });
    const fault = this.#parts.faults.next(entry);
    entry.fault = fault?.kind ?? null;
    if (fault?.kind === 'hang') return;
    if (fault?.kind === 'delay') await pause(fault.ms);
    const instead = fault === null ? null : this.#instead(fault, entry);
    if (instead !== null) send(response, entry, instead);
    else if (fault?.kind === 'drop-before') request.socket.destroy();
    else this.#answer(response, entry, fault);
  }

  /** Returns the answer of a fault that replaces the remote's own answer; null for other faults. */
  #instead(fault: Fault, entry: LoggedRequest): Raw | null {
    if (fault.kind === 'portal') return { status: fault.status ?? 200, text: PORTAL_PAGE, headers: { 'content-type': 'text/html' } };
    if (fault.kind === 'redirect') {
      return { status: fault.status ?? 307, text: '', headers: { location: `${fault.to}${entry.path}` } };
    }
    if (fault.kind === 'too-many') {
      const wait = fault.as === 'date' ? new Date(Date.now() + fault.seconds * 1000).toUTCString() : String(fault.seconds);
      return raw(this.#parts.refused(new Refusal(429, 'Too many requests.')), { 'retry-after': wait });
    }
    if (fault.kind !== 'status') return null;
    if (fault.handled === true) this.#handle(entry);
    return raw(this.#parts.refused(new Refusal(fault.status, 'Something went wrong.')));
  }

  #answer(response: http.ServerResponse, entry: LoggedRequest, fault: Fault | null): void {
    if (fault?.kind === 'twice') this.#handle(entry);
    const answer = this.#handle(entry);
    if (fault?.kind === 'drop-after') response.destroy();
    else if (fault?.kind === 'truncate') truncate(response, raw(answer));
    else send(response, entry, raw(fault?.kind === 'wrong-type' ? { ...answer, body: withWrongType(answer.body, fault) } : answer));
  }

  #handle({ method, path, headers, body }: LoggedRequest): Answer {
    const { key, keyRefusal, refused, step } = this.#parts;
    this.#routes ??= this.#parts.routes();
    if (headers['x-api-key'] !== key) return keyRefusal;
    try {
      const url = new URL(path, this.origin);
      if (!url.pathname.startsWith(`${PREFIX}/`)) throw new Refusal(404, 'There is no such path.');
      const route = findRoute(this.#routes, method, url.pathname.slice(PREFIX.length));
      if (route === null) throw new Refusal(404, 'There is no such path.');
      if (typeof body === 'string') throw new Refusal(400, 'The body is no JSON.');
      if (body !== null && headers['content-type']?.startsWith('application/json') !== true) throw new Refusal(415, 'Send JSON.');
      step();
      return route.handler({ headers, params: route.params, query: url.searchParams, body });
    } catch (error) {
      if (error instanceof Refusal) return refused(error);
      throw error;
    }
  }
}

interface Raw {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function raw({ status, body, headers }: Answer, more: Readonly<Record<string, string>> = {}): Raw {
  const text = body === undefined ? '' : JSON.stringify(body);
  return { status, text, headers: { ...(text === '' ? {} : { 'content-type': 'application/json' }), ...headers, ...more } };
}

function send(response: http.ServerResponse, entry: LoggedRequest, { status, text, headers }: Raw): void {
  entry.status = status;
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : { 'content-length': Buffer.byteLength(text) }) });
  response.end(text);
}

/** Sends the headers of the whole answer and half of its body, then breaks the connection. */
function truncate(response: http.ServerResponse, { status, text, headers }: Raw): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...headers, 'content-length': bytes.length + (bytes.length === 0 ? 1 : 0) });
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}
