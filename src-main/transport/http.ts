import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { LIMITS } from '../../src-shared/contract/common.ts';
import type { BookEvent, Failure } from '../../src-shared/contract/index.ts';
import { assert, present } from '../../src-shared/values/assert.ts';
import type { HttpServer } from '../backend-types.ts';
import type { Clock, Log, Random } from '../platform/ports.ts';
import type { Caller, Dispatch } from '../service/handler.ts';
import { registerAnswerEncoding } from './answer-encoding.ts';
import { DOCS_ADDRESSES, registerDocs } from './docs.ts';
import { registerEventStream } from './event-stream.ts';
import { failureOfError, pathOf, RequestError, sendFailure } from './http-errors.ts';
import { createUnrouted, type KnownAddress, operationsOf, registerOperations, unreadableRequest } from './http-routes.ts';
import { openApiDocument } from './openapi.ts';
import { createRateLimiter, type RateLimits } from './rate-limit.ts';
import { registerRefusalLog } from './refusal-log.ts';
import { hostFailure, keyCaller, unauthorizedKey, windowFailure } from './request-guard.ts';
import { createSession, type Session } from './session.ts';
import { registerWindowFiles } from './static-files.ts';
import { type AcceptUpload, registerUploads } from './uploads.ts';

const HOST = '127.0.0.1';
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 5 * 60_000;
const CLOSE_GRACE_MS = 1_000;
/** All headers of a request together; more is answered as malformed. */
const HEADER_BYTES = 16 * 1024;
const DEFAULT_LIMITS: HttpLimits = {
  bodyBytes: LIMITS.bodyBytes,
  uploadBytes: 512 * 1024 * 1024,
  heartbeatMs: 20_000,
  requestsPerSecond: LIMITS.requestsPerSecond,
  requestBurst: LIMITS.requestBurst,
};

export interface HttpLimits extends RateLimits {
  readonly bodyBytes: number;
  readonly uploadBytes: number;
  readonly heartbeatMs: number;
}

export interface HttpServerOptions {
  /** 0 takes a free port. */
  readonly port: number;
  /** Folder of the built renderer; null serves no window. */
  readonly uiFolder: string | null;
  readonly dispatch: Dispatch;
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  /** The caller of a stored API key, or null when it is unknown or revoked. */
  readonly authenticate: (apiKey: string) => Caller | null;
  readonly windowCaller: Caller;
  readonly sessionCaller: Caller;
  readonly acceptUpload: AcceptUpload;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly random: Random;
  readonly log: Log;
  readonly version: string;
  readonly limits?: Partial<HttpLimits>;
}

/**
 * The service over HTTP, on loopback alone: `/v1` with a key, `/app` and `/` for the window. Rejects with one sentence when
 * the port is taken or the window's files are missing.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const session = createSession(options.random);
  const app = createApp(options, limits);
  let port = options.port;
  const callers = new WeakMap<FastifyRequest, Caller>();
  registerAnswerEncoding(app);
  registerRefusalLog(app, options.log, (request) => callers.get(request as FastifyRequest)?.actor ?? null);
  registerGuards(app, { ...options, limits }, session, () => port, callers);
  const callerOf = (request: FastifyRequest) => present(callers.get(request), 'the caller of a guarded request');
  registerOperations(app, '/v1', operationsOf('public'), options.dispatch, callerOf, options.log);
  registerOperations(app, '/app', operationsOf('app'), options.dispatch, callerOf, options.log);
  const document = openApiDocument(options.version);
  const documentText = JSON.stringify(document);
  app.get('/v1/openapi.json', (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(documentText),
  );
  registerDocs(app, document, () => `http://${HOST}:${port}/v1`);
  const endStreams = registerEventStream(app, { subscribe: options.subscribe, heartbeatMs: limits.heartbeatMs });
  registerUploads(app, options.acceptUpload, limits.uploadBytes);
  if (options.uiFolder !== null) await registerWindowFiles(app, { uiFolder: options.uiFolder, session, port: () => port });
  port = await listen(app, options.port);
  const origin = `http://${HOST}:${port}`;
  const newUiUrl = () => (options.uiFolder === null ? null : `${origin}/?token=${session.newToken()}`);
  return {
    baseUrl: `${origin}/v1`,
    uiUrl: newUiUrl(),
    apiKey: session.apiKey,
    newUiUrl,
    close: () => close(app, endStreams),
  };
}

function createApp(options: HttpServerOptions, limits: HttpLimits): FastifyInstance {
  const newRequestId = () => `req_${Buffer.from(options.random.bytes(8)).toString('hex')}`;
  const app = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, maxHeaderSize: HEADER_BYTES },
    forceCloseConnections: 'idle',
    requestIdHeader: false,
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 2 * LIMITS.nameLength },
    // An address that cannot be one, or has a member too long to be one, gets here before any hook.
    frameworkErrors: (error, request, reply) =>
      sendFailure(request, setGuards(request, reply), failureOfError(error, request, options.log)),
    clientErrorHandler: (error, socket) => {
      if (error.code !== 'ECONNRESET' && socket.writable) socket.end(unreadableRequest(newRequestId()));
      else socket.destroy();
    },
  });
  // The bytes bound them. With a count, Node would leave out those beyond it without a word.
  app.server.maxHeadersCount = 0;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => parsedJson(body));
  app.setErrorHandler<Error>((error, request, reply) =>
    sendFailure(request, reply, failureOfError(error as Parameters<typeof failureOfError>[0], request, options.log)),
  );
  return app;
}

/** Headers of every answer. */
function setGuards(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
}

function parsedJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch (error) {
    const where = error instanceof SyntaxError ? ` (${error.message.slice(0, 200)})` : ': it is not UTF-8';
    throw new RequestError({ code: 'malformed_json', message: `The body is not valid JSON${where}.` });
  }
}

/** What runs before any route: headers of every answer, own Host, then who may pass under `/v1` and `/app`, then 404 and 405. */
function registerGuards(
  app: FastifyInstance,
  options: HttpServerOptions & { readonly limits: RateLimits },
  session: Session,
  port: () => number,
  callers: WeakMap<FastifyRequest, Caller>,
): void {
  const tooSoon = createRateLimiter(options.limits, options.clock);
  const unrouted = createUnrouted(knownAddresses(options.uiFolder !== null));
  app.addHook('onRequest', async (request, reply) => {
    setGuards(request, reply);
    const foreignHost = hostFailure(request, port());
    if (foreignHost !== null) return sendFailure(request, reply, foreignHost);
    // The route that was found, not the address as written: `/%761/records` is an address of `/v1` as well.
    const path = request.routeOptions.url ?? pathOf(request);
    if (isUnder(path, '/v1')) {
      const caller = keyCaller(request, session, options.sessionCaller, options.authenticate);
      if (caller === null) return sendFailure(request, reply, unauthorizedKey);
      callers.set(request, caller);
      const waitSeconds = tooSoon(`${caller.environment} ${caller.actor}`);
      if (waitSeconds > 0) return sendFailure(request, reply.header('retry-after', String(waitSeconds)), tooMany(options.limits));
    }
    if (isUnder(path, '/app')) {
      const refused = windowFailure(request, session, port(), path === '/app/events');
      if (refused !== null) return sendFailure(request, reply, refused);
      callers.set(request, options.windowCaller);
    }
    return request.is404 ? unrouted(request, reply) : undefined;
  });
  app.setNotFoundHandler((request, reply) => unrouted(request, reply));
}

function tooMany({ requestsPerSecond, requestBurst }: RateLimits): Failure {
  const message = `This key has sent too many requests: ${requestsPerSecond} a second are taken, after a rest ${requestBurst} at once. Wait and send again.`;
  return { code: 'rate_limited', message };
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function knownAddresses(hasWindow: boolean): KnownAddress[] {
  return [
    ...operationsOf('public').map(({ method, path }) => ({ method, path: `/v1${path}` })),
    ...operationsOf('app').map(({ method, path }) => ({ method, path: `/app${path}` })),
    ...['/v1/openapi.json', ...DOCS_ADDRESSES].map((path) => ({ method: 'GET', path })),
    { method: 'GET', path: '/app/events' },
    { method: 'POST', path: '/app/files' },
    ...(hasWindow ? [{ method: 'GET', path: '/' }] : []),
  ];
}

/** Answers the port. */
async function listen(app: FastifyInstance, port: number): Promise<number> {
  try {
    await app.listen({ host: HOST, port });
  } catch (error) {
    await app.close();
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is in use. Choose another with --port, or leave it out.`, { cause: error });
    if (code === 'EACCES') throw new Error(`Port ${port} may not be used. Choose one above 1023, or leave it out.`, { cause: error });
    throw error;
  }
  const address = app.server.address();
  assert(typeof address === 'object' && address !== null, 'a server on a port has an address');
  return address.port;
}

/** Event streams end at once; requests under way get a moment to be answered. */
async function close(app: FastifyInstance, endStreams: () => void): Promise<void> {
  endStreams();
  const force = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(force);
  }
}
