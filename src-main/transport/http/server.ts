import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import path from 'node:path';
import { PassThrough, pipeline, type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import { type BookEvent, type ErrorCode, ERRORS, type Failure } from '../../../src-shared/contract/index.ts';
import type { ChosenFile } from '../../../src-shared/contract/wire.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { authorityOf, LOOPBACK, WINDOW_SECRET_KEY } from '../../../src-shared/values/network.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { HttpServer } from '../../backend/types.ts';
import type { Clock, Log, Random } from '../../platform/ports.ts';
import type { Caller, Dispatch } from '../../service/handler.ts';
import {
  type AccessRules,
  type ConnectionLimits,
  Connections,
  type RateLimits,
  registerGuards,
  type Served,
  setGuards,
} from '../access/guards.ts';
import { createSession, type Session } from '../access/session.ts';
import { registerDocs } from '../openapi/docs.ts';
import { madeDocument, OPENAPI_ADDRESSES } from '../openapi/openapi.ts';
import { parseBody } from '../validation/json-body.ts';
import { registerAnswerEncoding } from './answer-encoding.ts';
import { bodyTooLarge, failureBody, failureOfError, pathOf, RequestError, sendFailure } from './errors.ts';
import { operationsOf, registerOperations, registerSheetLinks, type SheetLink } from './routes.ts';
import { type LinkWorkbook, registerAddIn, registerLinkWorkbook } from './spreadsheets.ts';

const MINUTE_SECONDS = 60;

/** Messages of a counted warning, and how many of them a minute get a line of their own. */
interface CountedWords {
  readonly one: string;
  readonly more: string;
  readonly linesAMinute: number;
}

interface CountedLog {
  readonly warn: (kind: string | number, detail: Readonly<Record<string, unknown>>) => void;
  /** Logs the counts so far and cancels the timer. */
  readonly end: () => void;
}

/**
 * Creates a log for warnings that a stranger can cause. The first ones of a minute get a line each, the rest one line with their counts, so that no
 * client can fill the disk.
 */
export function createCountedLog(log: Log, { one, more, linesAMinute }: CountedWords): CountedLog {
  let logged = 0;
  let counts: Record<string, number> = {};
  let minute: NodeJS.Timeout | null = null;
  const end = (): void => {
    if (minute !== null) clearTimeout(minute);
    minute = null;
    const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
    if (count > 0) log.warning(more, { count, of_which: counts, seconds: MINUTE_SECONDS });
    logged = 0;
    counts = {};
  };
  return {
    warn(kind, detail) {
      minute ??= setTimeout(end, MINUTE_SECONDS * 1_000).unref();
      logged += 1;
      if (logged <= linesAMinute) log.warning(one, detail);
      else counts[kind] = (counts[kind] ?? 0) + 1;
    },
    end,
  };
}

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 408, 413, 429]);
const LOGGED_CHARACTERS = 200;

export const REFUSAL_WORDS: CountedWords = { one: 'A request was refused', more: 'More requests were refused', linesAMinute: 50 };

/** Logs every request that was refused for its sender, frequency, size or slowness: its path, Host, Origin and caller, never the key. */
function registerRefusalLog(app: FastifyInstance, refusals: CountedLog, holderOf: (request: object) => string | null): void {
  app.addHook('onResponse', async (request, reply) => {
    if (!REFUSALS.has(reply.statusCode)) return;
    refusals.warn(reply.statusCode, {
      request_id: request.id,
      status: reply.statusCode,
      method: request.method,
      path: loggedPath(request),
      host: request.headers.host?.slice(0, LOGGED_CHARACTERS) ?? null,
      origin: request.headers.origin?.slice(0, LOGGED_CHARACTERS) ?? null,
      caller: holderOf(request),
    });
  });
  app.addHook('onClose', async () => refusals.end());
}

/** Returns a path for the log, without the token of a sheet link. */
function loggedPath(request: FastifyRequest): string {
  return pathOf(request)
    .replace(/^\/sheet\/[^/]*/, '/sheet/…')
    .slice(0, LOGGED_CHARACTERS);
}

/** Logs bytes that did not become a request. Only the failure is known of them. */
function logUnreadable(refusals: CountedLog, requestId: string, { code }: Failure): void {
  const { status } = ERRORS[code];
  refusals.warn(status, { request_id: requestId, status, code });
}

const NAME_CHARACTERS = 255;

/** Stores a file from the window and returns its token. Rejects when `body` ends in an error. */
type AcceptUpload = (
  name: string,
  body: Readable,
) => Promise<Result<ChosenFile, { readonly code: 'file_unreadable'; readonly message: string }>>;

/**
 * Serves `POST /app/files?name=statement.csv` with the raw bytes as `application/octet-stream`, in place of the file dialog for a window in a
 * browser. The body is streamed, so its size costs no memory. Answers 201 with a ChosenFile.
 */
function registerUploads(app: FastifyInstance, acceptUpload: AcceptUpload, limitBytes: number): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    scope.post('/app/files', { bodyLimit: limitBytes }, async (request, reply) => {
      const declared = Number(request.headers['content-length'] ?? 0);
      if (declared > limitBytes) return sendFailure(request, reply.header('connection', 'close'), bodyTooLarge(limitBytes));
      const name = fileName(new URL(request.url, 'http://localhost').searchParams.get('name'));
      const body = limited((request.body as Readable | undefined) ?? new PassThrough().end(), limitBytes);
      const answer = await acceptUpload(name, body).catch((error: unknown) => {
        throw body.errored instanceof RequestError ? body.errored : error;
      });
      if (body.errored instanceof RequestError) throw body.errored;
      if (!answer.ok) return sendFailure(request, reply, answer.error);
      return reply.code(201).type('application/json; charset=utf-8').send(JSON.stringify(answer.value));
    });
  });
}

function limited(source: Readable, limitBytes: number): Transform {
  let receivedBytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) done(new RequestError(bodyTooLarge(limitBytes)));
      else done(null, chunk);
    },
  });
  // An error of either end reaches the reader of `counter`; nothing else is needed here.
  pipeline(source, counter, () => {});
  return counter;
}

/** Returns the name for display; paths and control characters are removed. */
function fileName(given: string | null): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const shown = last.replaceAll(/\p{Cc}/gu, '').slice(0, NAME_CHARACTERS);
  return shown === '' ? 'file' : shown;
}

/** Policy of the window: everything from its own origin. Inline styles are allowed, because the grid and the component library set them. */
const WINDOW_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const YEAR_SECONDS = 31_536_000;

interface WindowFilesOptions {
  readonly uiFolder: string;
  readonly session: Pick<Session, 'exchange'>;
}

/**
 * Serves the built renderer. Files are listed once at the start and get a route each, so no address leads out of the folder. Page, scripts and styles
 * hold no data and are not secret: without the window's secret the page explains how to open the window.
 */
async function registerWindowFiles(app: FastifyInstance, options: WindowFilesOptions): Promise<void> {
  const { uiFolder, session } = options;
  if (!existsSync(path.join(uiFolder, 'index.html'))) {
    throw new Error(`The window's files are missing: there is no index.html in ${uiFolder}. Run npm run build.`);
  }
  await app.register(fastifyStatic, {
    root: uiFolder,
    wildcard: false,
    index: false,
    globIgnore: ['**/*.html'],
    serveDotFiles: false,
    cacheControl: false,
    setHeaders: (reply, file) => {
      const isHashed = path.relative(uiFolder, file).split(path.sep).slice(0, -1).includes('assets');
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      reply.header('content-security-policy', WINDOW_POLICY).header('cross-origin-opener-policy', 'same-origin');
    },
  });
  app.get('/', (_request, reply) => reply.sendFile('index.html'));
  for (const [address, file] of guidePages(uiFolder)) app.get(address, (_request, reply) => reply.sendFile(file));
  // Every user of the machine can read a command line with this address, so it works once. A HEAD would use it up too.
  app.get<{ Params: { ticket: string } }>('/open/:ticket', { exposeHeadRoute: false }, (request, reply) => {
    const secret = session.exchange(request.params.ticket);
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
    if (secret !== null) return reply.header('content-security-policy', HANDOVER_POLICY).send(handoverPage(secret));
    return reply.code(401).header('content-security-policy', PAGE_POLICY).send(USED_UP);
  });
}

/** Returns the addresses of the guide's pages with their files, from the folder of the renderer; none where the guide was not built. */
function guidePages(uiFolder: string): [address: string, file: string][] {
  const folder = path.join(uiFolder, 'guide');
  if (!existsSync(folder)) return [];
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html') && name !== '404.html');
  const addresses = pages.map((name): [string, string] => [`/guide/${name}`, `guide/${name}`]);
  return pages.includes('index.html') ? [['/guide/', 'guide/index.html'], ...addresses] : addresses;
}

/** Returns the address of the window with its secret behind `#`, which browsers never send. */
function windowAddress(origin: string, secret: string): string {
  return `${origin}/#token=${secret}`;
}

/**
 * Stores the secret for this tab and opens the window. The page carries the secret in its body, because a browser keeps every address of a redirect
 * in its history.
 */
const HANDOVER_SCRIPT = `sessionStorage.setItem('${WINDOW_SECRET_KEY}',document.querySelector('meta[name=secret]').content);location.replace('/')`;
const HANDOVER_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(HANDOVER_SCRIPT).digest('base64')}'`,
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Returns the page behind a ticket; `secret` is base64url text. */
function handoverPage(secret: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tieout</title><meta name="secret" content="${secret}"></head><body><script>${HANDOVER_SCRIPT}</script></body></html>`;
}

const STYLE = ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}';
const USED_UP = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tieout</title><style>${STYLE}</style></head><body><h1>${phrase('requests.http.addressUsedUp')}</h1><p>${phrase('requests.http.addressWorksOnce')}</p></body></html>`;

const RECONNECT_MS = 2_000;
const OPEN_STREAMS = 64;
/** A window that does not read this much is disconnected; it reconnects and asks for the newest revision. */
const UNREAD_BYTES = 1024 * 1024;

interface EventStreamOptions {
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  readonly heartbeatMs: number;
}

/** Serves `GET /app/events`: one BookEvent as JSON per message. Returns a function that ends all open streams. */
function registerEventStream(app: FastifyInstance, options: EventStreamOptions): () => void {
  const endings = new Set<() => void>();
  app.get('/app/events', { exposeHeadRoute: false }, (request, reply) => {
    if (endings.size >= OPEN_STREAMS) {
      return sendFailure(request, reply, { code: 'rate_limited', message: phrase('requests.http.tooManyWindows', { most: OPEN_STREAMS }) });
    }
    const raw = reply.raw;
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' };
    reply.hijack();
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200);
    const write = (text: string) => {
      raw.write(text);
      if (raw.writableLength > UNREAD_BYTES) raw.destroy();
    };
    write(`retry: ${RECONNECT_MS}\n\n`);
    const unsubscribe = options.subscribe((event) => write(`data: ${JSON.stringify(event)}\n\n`));
    const heartbeat = setInterval(() => write(': still here\n\n'), options.heartbeatMs);
    const end = () => {
      unsubscribe();
      clearInterval(heartbeat);
      endings.delete(end);
      raw.end();
    };
    endings.add(end);
    raw.on('close', end);
    raw.on('error', end);
    return reply;
  });
  return () => {
    for (const end of endings) end();
  };
}

/** Most bytes of all headers of a request. More are answered as malformed. */
const HEADER_BYTES = 16 * 1024;
const EVICTION_WORDS: CountedWords = {
  one: 'A connection was closed to make room for another',
  more: 'More connections were closed to make room for others',
  linesAMinute: 1,
};
const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: LIMITS.bodyBytes,
  uploadBytes: 512 * 1024 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 5 * 60_000,
  silenceMs: 2 * 60_000,
  lookEveryMs: 1_000,
  lingerMs: 1_000,
  closeGraceMs: 1_000,
  connections: 1_000,
  connectionsPerAddress: 200,
  connectionsForWindow: 100,
  heartbeatMs: 20_000,
  requestsPerSecond: LIMITS.requestsPerSecond,
  requestBurst: LIMITS.requestBurst,
  // Leaves room for a program that repeats an outdated key.
  wrongKeysAtOnce: 20,
};

export interface HttpLimits extends RateLimits, ConnectionLimits {
  readonly bodyBytes: number;
  readonly uploadBytes: number;
  /** From the first byte to the end of the headers; 408 after it. A connection that sends nothing closes after the same time. */
  readonly headersTimeoutMs: number;
  /** From the first byte to the end of the body; 408 after it. */
  readonly requestTimeoutMs: number;
  /** Time without any bytes after which a connection closes, because the other end neither reads its answer nor ends its body. */
  readonly silenceMs: number;
  /** Interval between checks for requests that do not finish. */
  readonly lookEveryMs: number;
  /** Time allowed for reading a last answer. */
  readonly lingerMs: number;
  /** Time allowed for requests in progress when the server closes. */
  readonly closeGraceMs: number;
  readonly heartbeatMs: number;
}

export interface HttpServerOptions {
  /** IP address to listen on; loopback when left out. */
  readonly address?: string;
  /** Port to listen on; 0 takes a free one. */
  readonly port: number;
  /** Surfaces to serve; both when left out. */
  readonly serves?: Served;
  /** Origins and host names to accept beside programs of this machine; none when left out. */
  readonly rules?: () => AccessRules;
  /** Folder of the built renderer; null serves no page. */
  readonly uiFolder: string | null;
  readonly dispatch: Dispatch;
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  /** Returns the caller of a stored API key, or null when it is unknown or revoked. */
  readonly authenticate: (apiKey: string) => Caller | null;
  /** Returns what the token of a sheet link allows, or null when it is unknown or revoked; no link works when left out. */
  readonly sheetLink?: (token: string) => SheetLink | null;
  /** Folder of the add-in for Excel; it is not served when left out. */
  readonly addInFolder?: string;
  /** Makes the ready workbook of a sheet link; there is none when left out. */
  readonly linkWorkbook?: LinkWorkbook;
  readonly windowCaller: Caller;
  /** The caller of the session key; null where there is none. */
  readonly sessionCaller: Caller | null;
  readonly acceptUpload: AcceptUpload;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly random: Random;
  readonly log: Log;
  readonly version: string;
  readonly limits?: Partial<HttpLimits>;
}

const EVERYTHING: Served = { programs: true, window: true };
const NO_OTHERS: AccessRules = { allowed_origins: [], host_names: [] };

/**
 * Starts the service over HTTP: `/v1` with a key, `/app` and `/` for the window. Rejects with a `ListenError` when it cannot listen, and with a
 * sentence when the window's files are missing.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { address = LOOPBACK, serves = EVERYTHING, rules = () => NO_OTHERS } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const session = createSession(options.random);
  const refusals = createCountedLog(options.log, REFUSAL_WORDS);
  const app = createApp(options, limits, refusals);
  const connections = watchConnections(app, limits, options.log);
  let port = options.port;
  registerAnswerEncoding(app);
  registerRefusalLog(app, refusals, (request) => callers.get(request)?.actor ?? null);
  const hasPage = options.uiFolder !== null;
  const sheetLink = options.sheetLink ?? (() => null);
  const { callers, links } = registerGuards(app, {
    ...options,
    sheetLink,
    serves,
    rules,
    limits,
    connections,
    session,
    hasPage,
    port: () => port,
  });
  const callerOf = (request: FastifyRequest) => present(callers.get(request), 'the caller of a guarded request');
  const baseUrl = () => `http://${authorityOf(address, port)}/v1`;
  if (serves.programs) {
    registerPrograms(app, options, callerOf, baseUrl);
    const linkOf = (request: FastifyRequest) => present(links.get(request), 'the link of a guarded request');
    registerSheetLinks(app, options.dispatch, linkOf, options.log);
    if (options.linkWorkbook !== undefined) registerLinkWorkbook(app, options.dispatch, linkOf, options.linkWorkbook);
    if (options.addInFolder !== undefined) registerAddIn(app, options.addInFolder, baseUrl);
  }
  let endStreams = (): void => {};
  if (serves.window) {
    registerOperations(app, '/app', operationsOf('app'), options.dispatch, callerOf, options.log);
    endStreams = registerEventStream(app, { subscribe: options.subscribe, heartbeatMs: limits.heartbeatMs });
    registerUploads(app, options.acceptUpload, limits.uploadBytes);
    if (options.uiFolder !== null) await registerWindowFiles(app, { uiFolder: options.uiFolder, session });
  }
  port = await listen(app, address, options.port);
  const origin = `http://${authorityOf(address, port)}`;
  const isShown = hasPage && serves.window;
  return {
    port,
    baseUrl: baseUrl(),
    uiUrl: isShown ? windowAddress(origin, session.newWindow()) : null,
    apiKey: session.apiKey,
    newUiUrl: () => (isShown ? `${origin}/open/${session.newTicket()}` : null),
    close: () => close(app, endStreams, limits.closeGraceMs),
  };
}

function registerPrograms(
  app: FastifyInstance,
  { dispatch, log, version }: HttpServerOptions,
  callerOf: (request: FastifyRequest) => Caller,
  baseUrl: () => string,
): void {
  registerOperations(app, '/v1', operationsOf('public'), dispatch, callerOf, log);
  // Built at its first use: a start took 140 ms of work with it and the types of queries, and takes 55 ms without.
  const documentNow = () => madeDocument(version, baseUrl()).document;
  for (const [address, dialect] of Object.entries(OPENAPI_ADDRESSES)) {
    app.get(address, (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/json; charset=utf-8')
        .send(madeDocument(version, baseUrl(), dialect).text),
    );
  }
  registerDocs(app, documentNow, baseUrl);
}

function createApp(options: HttpServerOptions, limits: HttpLimits, refusals: CountedLog): FastifyInstance {
  const newRequestId = () => `req_${Buffer.from(options.random.bytes(8)).toString('hex')}`;
  const app = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    connectionTimeout: limits.silenceMs,
    http: { headersTimeout: limits.headersTimeoutMs, connectionsCheckingInterval: limits.lookEveryMs, maxHeaderSize: HEADER_BYTES },
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 2 * LIMITS.nameLength },
    // Malformed addresses, and those with too long a member, get here before any hook.
    frameworkErrors: (error, request, reply) =>
      sendFailure(request, setGuards(request, reply), failureOfError(error, request, options.log)),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
      const failure = unreadableFailure(error.code);
      const requestId = newRequestId();
      logUnreadable(refusals, requestId, failure);
      return endAndDestroy(socket, unreadableRequest(failure, requestId), limits.lingerMs);
    },
  });
  // The limit in bytes bounds the headers. With a limit in number, Node would silently drop further ones.
  app.server.maxHeadersCount = 0;
  suspendIdleTimeout(app);
  app.addHook('preParsing', async (request, _reply, payload) => decodedBody(request, payload as Readable));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => parsedJson(body));
  app.setErrorHandler<Error>((error, request, reply) =>
    sendFailure(request, reply, failureOfError(error as Parameters<typeof failureOfError>[0], request, options.log)),
  );
  return app;
}

/** Counts the open connections of a server, and closes unauthenticated ones where there are too many. */
function watchConnections(app: FastifyInstance, limits: HttpLimits, log: Log): Connections {
  const closed = createCountedLog(log, EVICTION_WORDS);
  const connections = new Connections(limits, (holder) => closed.warn(holder, { from: holder }));
  app.server.on('connection', (socket) => connections.accept(socket));
  app.addHook('onClose', async () => closed.end());
  return connections;
}

/**
 * Sends a last answer, then closes the connection of a client that continues to send instead of reading: ending our half would leave the other half
 * open.
 */
function endAndDestroy(socket: Socket, answer: string, lingerMs: number): void {
  const late = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(late));
  socket.end(answer);
}

/** Suspends the idle timeout while a whole request is processed, since the silence is then the service's own. */
function suspendIdleTimeout(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('timeout', () => {
      const isWorkedOn = request.raw.complete && !reply.raw.headersSent;
      if (!isWorkedOn) request.raw.socket.destroy();
    });
    done();
  });
}

/** Returns a body as it is parsed: one with `Content-Encoding: gzip` is unpacked, as far as a body may be large. */
function decodedBody({ headers }: FastifyRequest, payload: Readable): Readable {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return payload;
  if (coding !== 'gzip' && coding !== 'x-gzip') {
    const message = phrase('requests.http.unknownEncoding');
    throw new RequestError({ code: 'unsupported_media_type', message });
  }
  const unpacked = Object.assign(createGunzip(), { receivedEncodedLength: 0 });
  // Fastify compares the length of the header with what came in.
  payload.on('data', (chunk: Buffer) => (unpacked.receivedEncodedLength += chunk.length));
  return pipeline(payload, unpacked, () => {});
}

async function parsedJson(body: Buffer): Promise<unknown> {
  if (body.length === 0) return undefined;
  const read = await parseBody(body).catch((error: unknown) => {
    const message =
      error instanceof SyntaxError
        ? phrase('requests.http.bodyNotJson', { fault: error.message.slice(0, 200) })
        : phrase('requests.http.bodyNotUtf8');
    throw new RequestError({ code: 'malformed_json', message });
  });
  if (read.ok) return read.value;
  const { message: fault } = read.error;
  const message = phrase(read.error.code === 'too_large_item' ? 'requests.http.itemTooLarge' : 'requests.http.tooMany', { fault });
  throw new RequestError({ code: 'validation_failed', message, errors: [read.error] });
}

/** Returns the port. */
async function listen(app: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenError(error, host, port);
  }
  const address = app.server.address();
  assert(typeof address === 'object' && address !== null, 'a server on a port has an address');
  return address.port;
}

/** Closes the server. Event streams end at once; requests in progress get `graceMs` to be answered. */
async function close(app: FastifyInstance, endStreams: () => void, graceMs: number): Promise<void> {
  endStreams();
  const force = setTimeout(() => app.server.closeAllConnections(), graceMs);
  try {
    await app.close();
  } finally {
    clearTimeout(force);
  }
}

/** Returns the failure for bytes that did not become a request, by the error code of the parser or the timer. */
function unreadableFailure(code: string): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', message: phrase('requests.http.requestTimeout') };
  }
  return { code: 'malformed_header', message: phrase('requests.http.requestUnreadable') };
}

/** Returns the answer as bytes for a socket that has neither request nor reply. */
function unreadableRequest(failure: Failure, requestId: string): string {
  const { status } = ERRORS[failure.code];
  const body = JSON.stringify(failureBody(failure, '', requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

type ListenCode = Extract<ErrorCode, 'port_in_use' | 'port_not_usable' | 'address_not_here'>;

/** Thrown by the start of a server that cannot listen. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly failure: Failure<ListenCode>;
  constructor(failure: Failure<ListenCode>, cause: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** Returns a ListenError with a sentence for a system error; an unknown error is returned as it is. */
function listenError(error: unknown, address: string, port: number): unknown {
  const failure = listenFailure(error instanceof Error && 'code' in error ? error.code : null, address, port);
  return failure === null ? error : new ListenError(failure, error);
}

function listenFailure(code: unknown, address: string, port: number): Failure<ListenCode> | null {
  if (code === 'EADDRINUSE') {
    const message = phrase('requests.listenError.portIsInUseChoose', { port });
    return {
      code: 'port_in_use',
      message,
      errors: [{ path: 'port', code: 'port_in_use', message: phrase('requests.listenError.isInUse') }],
    };
  }
  if (code === 'EACCES') {
    const message = phrase('requests.listenError.portMayNotBeUsed', { port });
    return {
      code: 'port_not_usable',
      message,
      errors: [{ path: 'port', code: 'port_not_usable', message: phrase('requests.listenError.mayNotBeUsed') }],
    };
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'ENETUNREACH') {
    const message = phrase('requests.listenError.thisMachineDoesNotHaveTheAddress', { address });
    const fault = { path: 'address', code: 'address_not_here', message: phrase('requests.listenError.isNotAnAddressOfThisMachine') };
    return { code: 'address_not_here', message, errors: [fault] };
  }
  if (typeof code !== 'string') return null;
  const message = phrase('requests.listenError.portOfCannotBeListened', { port, address, code });
  return {
    code: 'port_not_usable',
    message,
    errors: [{ path: 'port', code: 'port_not_usable', message: phrase('requests.listenError.cannotBeListenedOn') }],
  };
}
