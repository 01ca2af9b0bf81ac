import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Failure, LocalPortSettings } from '../../../src-shared/contract/index.ts';
import type { Clock } from '../../platform/ports.ts';
import type { Caller } from '../../service/handler.ts';
import { addVary } from '../http/answer-encoding.ts';
import { pathOf, sendFailure } from '../http/errors.ts';
import { createUnrouted, type KnownAddress, operationsOf } from '../http/routes.ts';
import { DOCS_ADDRESSES } from '../openapi/docs.ts';
import type { Connections } from './connections.ts';
import { createRateLimiter, type RateLimits } from './rate-limit.ts';
import { holderOfConnection } from './remote-address.ts';
import { hostFailure, isOwnMachine, keyCaller, unauthorizedKey, windowElsewhere, windowFailure } from './request-guard.ts';
import type { Session } from './session.ts';

const FORGOTTEN_MS = 1_000;
const STEP_MS = 50;
const LONGEST_MS = 2_000;

/** Takes one wrong key from `address`: the milliseconds to wait before it is answered. */
type Slowdown = (address: string) => number;

interface Tries {
  count: number;
  countedAtMs: number;
}

/** The more wrong keys come from an address, the longer each waits for its answer; one a second is forgotten. Who has a valid one never waits. */
export function createSlowdown(wrongKeysAtOnce: number, clock: Pick<Clock, 'monotonicMs'>): Slowdown {
  const tries = new Map<string, Tries>();
  return (address) => {
    const nowMs = clock.monotonicMs();
    const remembered = ({ count, countedAtMs }: Tries) => Math.max(0, count - (nowMs - countedAtMs) / FORGOTTEN_MS);
    const known = tries.get(address);
    const count = 1 + (known === undefined ? 0 : remembered(known));
    // In the order of their last use, so that the first ones are those that went quiet.
    tries.delete(address);
    tries.set(address, { count, countedAtMs: nowMs });
    for (const [quiet, each] of tries) {
      if (remembered(each) > 0) break;
      tries.delete(quiet);
    }
    return Math.min(LONGEST_MS, Math.max(0, Math.ceil(count - wrongKeysAtOnce)) * STEP_MS);
  };
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const SENT_HEADERS = 'X-API-KEY, Content-Type, Idempotency-Key, If-Match, If-None-Match';
const READ_HEADERS = 'Location, ETag, Idempotent-Replayed, Retry-After, Not-Searched, X-Request-Id';
/** How long a browser may keep the answer to a preflight: an origin taken off the list is out after this at the latest. */
const PREFLIGHT_SECONDS = 300;

/**
 * Who sends no Origin is no page of a browser (a spreadsheet, curl) and passes. A page passes when its origin is on the list,
 * letter by letter, and is told so under its own name: never `*`, and never `null`, which any sandboxed page can claim.
 */
function originFailure(request: FastifyRequest, allowed: readonly string[]): Failure | null {
  const { origin } = request.headers;
  if (origin === undefined || (origin !== 'null' && allowed.includes(origin))) return null;
  return {
    code: 'origin_not_allowed',
    message:
      'Pages of this origin may not call this address. Add the origin to the allowed ones in the settings of Tieout, or with serve --allow-origin.',
  };
}

/** Lets a page whose origin has passed read the answer. Whether or not there is an Origin, the answer depends on it. */
function setCrossOrigin(request: FastifyRequest, reply: FastifyReply): void {
  addVary(reply, 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', READ_HEADERS);
}

/** A browser's question before a request; it carries no key and asks for none. */
function isPreflight(request: FastifyRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined
  );
}

/** The same answer for every address, so that it tells nothing of what there is. */
function sendPreflight(reply: FastifyReply): FastifyReply {
  addVary(reply, 'Access-Control-Request-Method');
  addVary(reply, 'Access-Control-Request-Headers');
  return reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', SENT_HEADERS)
    .header('access-control-max-age', String(PREFLIGHT_SECONDS))
    .send();
}

/** Whom a server lets in beside this machine's own programs. Asked for at every request, so that a change holds at once. */
export type AccessRules = Pick<LocalPortSettings, 'allowed_origins' | 'host_names'>;

/** What a server serves: `/v1` with `/docs` for other programs, `/app` with `/` for the window. */
export interface Served {
  readonly programs: boolean;
  readonly window: boolean;
}

interface GuardOptions {
  readonly serves: Served;
  /** Whether there are files of the window. */
  readonly hasPage: boolean;
  readonly port: () => number;
  readonly rules: () => AccessRules;
  readonly session: Session;
  readonly authenticate: (apiKey: string) => Caller | null;
  readonly windowCaller: Caller;
  /** Null where no session key is given out. */
  readonly sessionCaller: Caller | null;
  readonly limits: RateLimits;
  readonly connections: Pick<Connections, 'show'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Headers of every answer. */
export function setGuards(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers({
    'x-request-id': request.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
}

/**
 * What runs before any route: headers of every answer, own Host, allowed Origin, then who may pass under `/v1` and `/app`, then
 * 404 and 405. Answers the callers of the requests that passed.
 */
export function registerGuards(app: FastifyInstance, options: GuardOptions): WeakMap<object, Caller> {
  const { serves, session } = options;
  const callers = new WeakMap<object, Caller>();
  const tooSoon = createRateLimiter(options.limits, options.clock);
  const unproved = createUnproved(options);
  const unrouted = createUnrouted(knownAddresses(serves, options.hasPage));
  const programFailure = (request: FastifyRequest, reply: FastifyReply): Failure | null => {
    const caller = keyCaller(request, session, options.sessionCaller, options.authenticate);
    if (caller === null) return unauthorizedKey;
    callers.set(request, caller);
    if (!options.connections.show(request.raw.socket, 'key')) reply.header('connection', 'close');
    const waitSeconds = tooSoon(`${caller.environment} ${caller.actor}`);
    if (waitSeconds === 0) return null;
    reply.header('retry-after', String(waitSeconds));
    return tooMany(options.limits);
  };
  app.addHook('onRequest', async (request, reply) => {
    setGuards(request, reply);
    const rules = options.rules();
    const foreignHost = hostFailure(request, options.port(), rules.host_names);
    if (foreignHost !== null) return sendFailure(request, reply, foreignHost);
    // The route that was found, not the address as written: `/%761/records` is an address of `/v1` as well.
    const path = request.routeOptions.url ?? pathOf(request);
    if (serves.programs && (isUnder(path, '/v1') || isUnder(path, '/docs'))) {
      const refused = originFailure(request, rules.allowed_origins);
      if (refused !== null) return sendFailure(request, reply, refused);
      setCrossOrigin(request, reply);
      if (isPreflight(request)) return sendPreflight(reply);
    }
    if (serves.programs && isUnder(path, '/v1')) {
      const refused = programFailure(request, reply);
      if (refused !== null) return unproved(request, reply, refused);
    }
    if (serves.window && !isOwnMachine(request) && !isUnder(path, '/v1') && !isUnder(path, '/docs')) {
      return sendFailure(request, reply, windowElsewhere);
    }
    if (serves.window && isUnder(path, '/app')) {
      const refused = windowFailure(request, session);
      if (refused !== null) return unproved(request, reply, refused);
      options.connections.show(request.raw.socket, 'window');
      callers.set(request, options.windowCaller);
    }
    return request.is404 ? unrouted(request, reply) : undefined;
  });
  app.setNotFoundHandler((request, reply) => unrouted(request, reply));
  return callers;
}

/** Answers a refusal; one for want of a key or secret later each time, and its connection is a stranger's. */
function createUnproved({ clock, connections, limits }: Pick<GuardOptions, 'clock' | 'connections' | 'limits'>) {
  const slowdown = createSlowdown(limits.wrongKeysAtOnce, clock);
  return async (request: FastifyRequest, reply: FastifyReply, refused: Failure): Promise<FastifyReply> => {
    if (refused.code === 'unauthorized') {
      const { socket } = request.raw;
      connections.show(socket, null);
      const waitMs = slowdown(holderOfConnection(socket));
      if (waitMs > 0) await goneOrLater(socket, waitMs);
    }
    return sendFailure(request, reply, refused);
  };
}

/** Settles after a time, or when the connection is gone. Keeps no process alive. */
function goneOrLater(socket: Socket, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      socket.off('close', settle);
      resolve();
    };
    const timer = setTimeout(settle, waitMs).unref();
    socket.once('close', settle);
  });
}

function tooMany({ requestsPerSecond, requestBurst }: RateLimits): Failure {
  const message = `This key has sent too many requests: ${requestsPerSecond} a second are taken, after a rest ${requestBurst} at once. Wait and send again.`;
  return { code: 'rate_limited', message };
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function knownAddresses(serves: Served, hasPage: boolean): KnownAddress[] {
  const programs = [
    ...operationsOf('public').map(({ method, path }) => ({ method, path: `/v1${path}` })),
    ...['/v1/openapi.json', ...DOCS_ADDRESSES].map((path) => ({ method: 'GET', path })),
  ];
  const window = [
    ...operationsOf('app').map(({ method, path }) => ({ method, path: `/app${path}` })),
    { method: 'GET', path: '/app/events' },
    { method: 'POST', path: '/app/files' },
    ...(hasPage ? [{ method: 'GET', path: '/' }] : []),
  ];
  return [...(serves.programs ? programs : []), ...(serves.window ? window : [])];
}
