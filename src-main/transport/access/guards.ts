import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Failure, LocalPortSettings } from '../../../src-shared/contract/index.ts';
import { isLoopback } from '../../../src-shared/values/network.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Clock } from '../../platform/ports.ts';
import type { Caller } from '../../service/handler.ts';
import { addVary } from '../http/answer-encoding.ts';
import { pathOf, sendFailure } from '../http/errors.ts';
import { createUnrouted, type KnownAddress, operationsOf, type SheetLink, sheetOperations, sheetPath } from '../http/routes.ts';
import { ADD_IN_ADDRESSES, LINK_WORKBOOK } from '../http/spreadsheets.ts';
import { DOCS_ADDRESSES } from '../openapi/docs.ts';
import { OPENAPI_ADDRESSES } from '../openapi/openapi.ts';
import type { Session } from './session.ts';

/** The same failure for a key that is missing, unknown or revoked. */
const unauthorizedKey: Failure = {
  code: 'unauthorized',
  message: phrase('requests.guards.theApiKeyIsMissing'),
};

const unauthorizedWindow: Failure = {
  code: 'unauthorized',
  message: phrase('requests.guards.thisWindowIsNotSigned'),
};

/** The same failure for a token that is mistyped or revoked. A cell shows it, so it is short. */
const unauthorizedLink: Failure = { code: 'unauthorized', message: phrase('requests.guards.thisLinkWasRevokedOrIsMistyped') };

/** The failure of opening the window on another machine than the server's. */
const windowElsewhere: Failure = {
  code: 'permission_denied',
  message: phrase('requests.guards.windowOfTieoutIsShown'),
};

const FOREIGN_NAME = phrase('requests.guards.thisAddressIsNotServed');

const hostTwice: Failure = { code: 'malformed_header', message: phrase('requests.guards.theHeaderHostIsGiven') };

/**
 * Returns why a request's Host is refused, or null. A page of another site whose name resolves to this computer sends its own name as Host; only our
 * names pass: loopback, the address at which the request arrived (an address, unlike a name, cannot be made to point here), and names on the list.
 */
function hostFailure(request: FastifyRequest, port: number, listed: readonly string[]): Failure | null {
  // Node takes the first Host header; a proxy may take another.
  const hosts = request.raw.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  if (hosts.length > 1) return hostTwice;
  const host = hostOf(request).toLowerCase();
  const name = host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : null;
  const own = ['127.0.0.1', 'localhost', '[::1]', bracketed(plainAddress(request.socket.localAddress)), ...listed];
  if (name !== null && own.includes(name)) return null;
  return { code: 'permission_denied', message: FOREIGN_NAME };
}

/** Returns the Host header, unless the address has a host of its own, which then counts. */
function hostOf({ url, headers }: FastifyRequest): string {
  if (url.startsWith('/')) return headers.host ?? '';
  return URL.canParse(url) ? new URL(url).host : '';
}

/** Whether both ends of the connection are this machine. */
export function isOwnMachine({ socket }: FastifyRequest): boolean {
  return isOwnConnection(socket);
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * Returns the API key of a request: of X-API-KEY, else of Authorization as a bearer token or as the password of Basic, whose user name may be anything.
 * Spreadsheets know no header but the last one. Null where there is none.
 */
function keyOf(
  headers: Pick<IncomingHttpHeaders, 'authorization'> & { readonly 'x-api-key'?: string | string[] | undefined },
): string | null {
  const own = headers['x-api-key'];
  if (own !== undefined) return typeof own === 'string' && own !== '' ? own : null;
  const [, scheme = '', credentials = ''] = /^(bearer|basic) +(\S+)$/i.exec(headers.authorization?.trim() ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return credentials;
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password === '' ? null : password;
}

/** Returns the caller of a `/v1` request: the session, a stored key's owner, or null. */
function keyCaller(
  request: FastifyRequest,
  session: Session,
  sessionCaller: Caller | null,
  authenticate: (apiKey: string) => Caller | null,
): Caller | null {
  const key = keyOf(request.headers);
  if (key === null) return null;
  return sessionCaller !== null && session.isSessionKey(key) ? sessionCaller : authenticate(key);
}

/** The header with which each request of a window proves where it comes from. */
const WINDOW_HEADER = 'x-tieout-window';

/**
 * Returns why a request of `/app` is refused, or null. It must carry a secret that only our page has. A cookie would not do, since browsers send
 * cookies to every port of a host. The browser's own headers about the sender are checked too.
 */
function windowFailure(request: FastifyRequest, session: Session): Failure | null {
  const secret = request.headers[WINDOW_HEADER];
  if (typeof secret !== 'string' || !session.isWindow(secret)) return unauthorizedWindow;
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeign = (origin !== undefined && origin !== `http://${host}`) || (site !== undefined && site !== 'same-origin');
  if (isForeign) return { code: 'permission_denied', message: phrase('requests.guards.thisAddressAnswersOnlyTheWindow') };
  return null;
}

const FORGOTTEN_MS = 1_000;
const STEP_MS = 50;
const LONGEST_MS = 2_000;

/** Counts one wrong key from `address`; returns the milliseconds to wait before the answer. */
type Slowdown = (address: string) => number;

interface Tries {
  count: number;
  countedAtMs: number;
}

/**
 * Slows down wrong keys: the more come from an address, the longer each waits for its answer; one per second is forgotten. A valid key never waits.
 */
export function createSlowdown(wrongKeysAtOnce: number, clock: Pick<Clock, 'monotonicMs'>): Slowdown {
  const tries = new Map<string, Tries>();
  return (address) => {
    const nowMs = clock.monotonicMs();
    const remembered = ({ count, countedAtMs }: Tries) => Math.max(0, count - (nowMs - countedAtMs) / FORGOTTEN_MS);
    const known = tries.get(address);
    const count = 1 + (known === undefined ? 0 : remembered(known));
    // Re-inserting keeps the map in the order of last use, so that the oldest entries come first.
    tries.delete(address);
    tries.set(address, { count, countedAtMs: nowMs });
    for (const [quiet, each] of tries) {
      if (remembered(each) > 0) break;
      tries.delete(quiet);
    }
    return Math.min(LONGEST_MS, Math.max(0, Math.ceil(count - wrongKeysAtOnce)) * STEP_MS);
  };
}

const SIGN_IN_WAYS = 'Basic realm="Tieout", charset="UTF-8", Bearer realm="Tieout"';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const SENT_HEADERS = 'X-API-KEY, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match';
const READ_HEADERS = 'Location, ETag, Idempotent-Replayed, Retry-After, Not-Searched, X-Request-Id';
/** Seconds for which a browser may cache the answer to a preflight. A removed origin is refused after this at the latest. */
const PREFLIGHT_SECONDS = 300;

/**
 * Returns why a request's Origin is refused, or null. A request without Origin is not from a web page (a spreadsheet, curl) and passes. A page passes
 * when its origin is on the list, character by character, and the answer names that origin: never `*`, and never `null`, which any sandboxed page can
 * claim.
 */
function originFailure(request: FastifyRequest, allowed: readonly string[]): Failure | null {
  const { origin } = request.headers;
  if (origin === undefined || (origin !== 'null' && allowed.includes(origin))) return null;
  return {
    code: 'origin_not_allowed',
    message: phrase('requests.guards.pagesOfThisOrigin'),
  };
}

/** Sets the headers that let a page of an allowed origin read the answer. Vary names Origin in any case, because the answer depends on it. */
function setCrossOrigin(request: FastifyRequest, reply: FastifyReply): void {
  addVary(reply, 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', READ_HEADERS);
}

/** Whether a request is a browser's preflight; it carries no key and needs none. */
function isPreflight(request: FastifyRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined
  );
}

/** Sends the same answer for every address, so that it does not show which addresses exist. */
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

/**
 * The origins and host names that a server accepts beside this machine's own programs. Read at every request, so that a change takes effect at once.
 */
export type AccessRules = Pick<LocalPortSettings, 'allowed_origins' | 'host_names'>;

/** The surfaces that a server serves: `/v1` with `/docs` for other programs, `/app` with `/` for the window. */
export interface Served {
  readonly programs: boolean;
  readonly window: boolean;
}

/** Where the addresses for programs begin. */
const PROGRAMS = ['/v1', '/docs', '/sheet', '/office'] as const;

interface GuardOptions {
  readonly serves: Served;
  /** Whether the window's files are served. */
  readonly hasPage: boolean;
  readonly port: () => number;
  readonly rules: () => AccessRules;
  readonly session: Session;
  readonly authenticate: (apiKey: string) => Caller | null;
  /** Returns what the token of a sheet link allows, or null when it is unknown or revoked. */
  readonly sheetLink: (token: string) => SheetLink | null;
  readonly windowCaller: Caller;
  /** Null where no session key is issued. */
  readonly sessionCaller: Caller | null;
  readonly limits: RateLimits;
  readonly connections: Pick<Connections, 'show'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Sets the headers of every answer. */
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
 * Registers the checks before any route: headers of every answer, own Host, allowed Origin, authentication under `/v1` and `/app`, then 404 and 405.
 * Returns the callers of the requests that passed, and what their sheet links allow.
 */
export function registerGuards(
  app: FastifyInstance,
  options: GuardOptions,
): { readonly callers: WeakMap<object, Caller>; readonly links: WeakMap<object, SheetLink> } {
  const { serves, session } = options;
  const callers = new WeakMap<object, Caller>();
  const tooSoon = createRateLimiter(options.limits, options.clock);
  const unproved = createUnproved(options);
  const unrouted = createUnrouted(knownAddresses(serves, options.hasPage));
  const links = new WeakMap<object, SheetLink>();
  const tooBusy = (request: FastifyRequest, reply: FastifyReply, caller: Caller): Failure | null => {
    callers.set(request, caller);
    if (!options.connections.show(request.raw.socket, 'key')) reply.header('connection', 'close');
    const waitSeconds = tooSoon(`${caller.environment} ${caller.actor}`);
    if (waitSeconds === 0) return null;
    reply.header('retry-after', String(waitSeconds));
    return tooMany(options.limits);
  };
  const linkFailure = (request: FastifyRequest, reply: FastifyReply): Failure | null => {
    const [, , token = ''] = pathOf(request).split('/');
    const link = options.sheetLink(token);
    if (link === null) return unauthorizedLink;
    links.set(request, link);
    return tooBusy(request, reply, link.caller);
  };
  const programFailure = (request: FastifyRequest, reply: FastifyReply): Failure | null => {
    const caller = keyCaller(request, session, options.sessionCaller, options.authenticate);
    return caller === null ? unauthorizedKey : tooBusy(request, reply, caller);
  };
  app.addHook('onRequest', async (request, reply) => {
    setGuards(request, reply);
    const rules = options.rules();
    const foreignHost = hostFailure(request, options.port(), rules.host_names);
    if (foreignHost !== null) return sendFailure(request, reply, foreignHost);
    // The matched route decides, not the address as written: `/%761/records` is an address of `/v1` as well.
    const path = request.routeOptions.url ?? pathOf(request);
    if (serves.programs && PROGRAMS.some((prefix) => isUnder(path, prefix))) {
      const refused = originFailure(request, rules.allowed_origins);
      if (refused !== null) return sendFailure(request, reply, refused);
      setCrossOrigin(request, reply);
      if (isPreflight(request)) return sendPreflight(reply);
    }
    if (serves.programs && isUnder(path, '/v1') && !Object.hasOwn(OPENAPI_ADDRESSES, path)) {
      const refused = programFailure(request, reply);
      // A spreadsheet asks for user name and password only where the answer names the way.
      if (refused?.code === 'unauthorized') reply.header('www-authenticate', SIGN_IN_WAYS);
      if (refused !== null) return unproved(request, reply, refused);
    }
    if (serves.programs && isUnder(path, '/sheet')) {
      const refused = linkFailure(request, reply);
      if (refused !== null) return unproved(request, reply, refused);
    }
    if (serves.window && !isOwnMachine(request) && !PROGRAMS.some((prefix) => isUnder(path, prefix))) {
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
  return { callers, links };
}

/** Sends a refusal. One for a missing or wrong key or secret is delayed more each time, and its connection counts as unauthenticated. */
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

/** Resolves after a time, or when the connection closes. Does not keep the process alive. */
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
  const message = phrase('requests.guards.thisKeyHasSentTooManyRequests', { requestsPerSecond, requestBurst });
  return { code: 'rate_limited', message };
}

function isUnder(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function knownAddresses(serves: Served, hasPage: boolean): KnownAddress[] {
  const programs = [
    ...operationsOf('public').map(({ method, path }) => ({ method, path: `/v1${path}` })),
    ...sheetOperations().map((spec) => ({ method: 'GET', path: sheetPath(spec) })),
    { method: 'GET', path: LINK_WORKBOOK },
    ...[...Object.keys(OPENAPI_ADDRESSES), ...DOCS_ADDRESSES, ...ADD_IN_ADDRESSES].map((path) => ({ method: 'GET', path })),
  ];
  const window = [
    ...operationsOf('app').map(({ method, path }) => ({ method, path: `/app${path}` })),
    { method: 'GET', path: '/app/events' },
    { method: 'POST', path: '/app/files' },
    ...(hasPage ? [{ method: 'GET', path: '/' }] : []),
  ];
  return [...(serves.programs ? programs : []), ...(serves.window ? window : [])];
}

export interface RateLimits {
  /** Sustained requests per second for one key. */
  readonly requestsPerSecond: number;
  /** Requests that a key may send at once after a pause. */
  readonly requestBurst: number;
  /** Wrong keys that are answered at once; each further one waits longer for its answer. */
  readonly wrongKeysAtOnce: number;
}

/** Takes one request of `holder`. Returns 0 when it may pass, else the seconds to wait, rounded up. */
type RateLimiter = (holder: string) => number;

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Keeps a token bucket for each holder of a key. Full buckets of inactive holders are removed, so that the map stays small. */
export function createRateLimiter(limits: Omit<RateLimits, 'wrongKeysAtOnce'>, clock: Pick<Clock, 'monotonicMs'>): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const perMs = limits.requestsPerSecond / 1_000;
  const fullAfterMs = limits.requestBurst / perMs;
  return (holder) => {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(holder) ?? { tokens: limits.requestBurst, filledAtMs: nowMs };
    bucket.tokens = Math.min(limits.requestBurst, bucket.tokens + (nowMs - bucket.filledAtMs) * perMs);
    bucket.filledAtMs = nowMs;
    // Re-inserting keeps the map in the order of last use, so that the oldest entries come first.
    buckets.delete(holder);
    buckets.set(holder, bucket);
    for (const [quiet, { filledAtMs }] of buckets) {
      if (nowMs - filledAtMs <= fullAfterMs) break;
      buckets.delete(quiet);
    }
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return Math.max(1, Math.ceil((1 - bucket.tokens) / limits.requestsPerSecond));
  };
}

type Ends = Pick<Socket, 'localAddress' | 'remoteAddress'>;

/** The holder of all programs of this machine, whichever of its addresses they use. */
const THIS_MACHINE = 'this machine';
const GROUPS = 8;
const GROUPS_OF_A_NETWORK = 4;

/** Returns an IPv4 address that arrived at an IPv6 socket as IPv4. */
function plainAddress(address: string | undefined): string {
  return address?.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '') ?? '';
}

/** Whether both ends of a connection are this machine. */
function isOwnConnection({ localAddress, remoteAddress }: Ends): boolean {
  const remote = plainAddress(remoteAddress);
  return isLoopback(remote) || (remote !== '' && remote === plainAddress(localAddress));
}

/**
 * Returns the holder that a connection counts for: this machine, an IPv4 address, or the network of an IPv6 address, since one machine can have any
 * number of these.
 */
export function holderOfConnection(socket: Ends): string {
  if (isOwnConnection(socket)) return THIS_MACHINE;
  const remote = plainAddress(socket.remoteAddress);
  if (!remote.includes(':')) return remote;
  const [head = [], tail] = remote.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : GROUPS - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])].slice(0, GROUPS_OF_A_NETWORK).join(':');
}

export interface ConnectionLimits {
  /** Most connections open at a time. */
  readonly connections: number;
  /** How many of these connections one other machine may hold at most. */
  readonly connectionsPerAddress: number;
  /** Connections that programs with a key leave to the window and to new clients; at most a tenth of all. */
  readonly connectionsForWindow: number;
}

/** Credential that a connection has shown: the secret of a window, or a key. */
type Proof = 'window' | 'key';

interface Entry {
  readonly holder: string;
  proof: Proof | null;
}

/**
 * The open connections of a server.
 *  A new connection is accepted while another one has shown neither key nor secret: beyond the limit the oldest of those is closed. So a client that
 * sends slowly or nothing locks no other out. Where all others have shown one, the new connection is closed.
 */
export class Connections {
  readonly #open = new Map<Socket, Entry>();
  /** Connections without a credential, in the order in which they opened or failed to show one. */
  readonly #unproved = new Set<Socket>();
  readonly #limits: ConnectionLimits;
  readonly #forKeys: number;
  readonly #onEvicted: (holder: string) => void;
  #withKeys = 0;

  constructor(limits: ConnectionLimits, onEvicted: (holder: string) => void) {
    this.#limits = limits;
    this.#forKeys = limits.connections - Math.min(limits.connectionsForWindow, Math.floor(limits.connections / 10));
    this.#onEvicted = onEvicted;
  }

  accept(socket: Socket): void {
    const holder = holderOfConnection(socket);
    this.#open.set(socket, { holder, proof: null });
    this.#unproved.add(socket);
    socket.once('close', () => this.#forget(socket));
    if (holder !== THIS_MACHINE && this.#countOf(holder) > this.#limits.connectionsPerAddress) {
      this.#evict(this.#oldest((each) => this.#open.get(each)?.holder === holder && each !== socket) ?? socket);
    } else if (this.#open.size > this.#limits.connections) {
      this.#evict(this.#oldest((each) => each !== socket) ?? socket);
    }
  }

  /** Records the credential of the newest request, null where it had none or a wrong one. Returns whether the connection may stay open after it. */
  show(socket: Socket, proof: Proof | null): boolean {
    const entry = this.#open.get(socket);
    if (entry === undefined) return false;
    if (entry.proof !== proof) {
      this.#withKeys += Number(proof === 'key') - Number(entry.proof === 'key');
      entry.proof = proof;
      if (proof === null) this.#unproved.add(socket);
      else this.#unproved.delete(socket);
    }
    return proof !== 'key' || this.#withKeys <= this.#forKeys;
  }

  #countOf(holder: string): number {
    let count = 0;
    for (const entry of this.#open.values()) if (entry.holder === holder) count += 1;
    return count;
  }

  #oldest(fits: (socket: Socket) => boolean): Socket | undefined {
    for (const socket of this.#unproved) if (fits(socket)) return socket;
    return undefined;
  }

  #evict(socket: Socket): void {
    const holder = this.#open.get(socket)?.holder ?? '';
    this.#forget(socket);
    socket.destroy();
    this.#onEvicted(holder);
  }

  #forget(socket: Socket): void {
    const entry = this.#open.get(socket);
    if (entry === undefined) return;
    if (entry.proof === 'key') this.#withKeys -= 1;
    this.#open.delete(socket);
    this.#unproved.delete(socket);
  }
}
