import type { FastifyRequest } from 'fastify';
import type { Failure } from '../../src-shared/contract/index.ts';
import { isLoopback } from '../../src-shared/values/network.ts';
import type { Caller } from '../service/handler.ts';
import type { Session } from './session.ts';

/** One failure, in the same words, for a key that is missing, unknown or revoked. */
export const unauthorizedKey: Failure = {
  code: 'unauthorized',
  message: 'The API key is missing or not valid. Send a valid key in the header X-API-KEY.',
};

const unauthorizedWindow: Failure = {
  code: 'unauthorized',
  message: 'This window is not signed in. Start Tieout again, or run the command again, and open the new address.',
};

/** A page may be opened on the machine that serves it alone. */
export const windowElsewhere: Failure = {
  code: 'permission_denied',
  message: 'The window of Tieout is shown on the machine itself alone; other machines may use /v1 with an API key.',
};

const FOREIGN_NAME =
  'This address is not served under that name. Call it as 127.0.0.1, or by a name that the settings of Tieout or serve --host-name allow.';

/**
 * Another site's page whose name resolves to this computer sends its own name as Host; only our own names pass: loopback, the
 * address that the request came in at (an address, unlike a name, cannot be made to point here), and names on the list.
 */
export function hostFailure(request: FastifyRequest, port: number, listed: readonly string[]): Failure | null {
  const host = hostOf(request).toLowerCase();
  const name = host.endsWith(`:${port}`) ? host.slice(0, -`:${port}`.length) : null;
  const own = ['127.0.0.1', 'localhost', '[::1]', bracketed(plainAddress(request.socket.localAddress)), ...listed];
  if (name !== null && own.includes(name)) return null;
  return { code: 'permission_denied', message: FOREIGN_NAME };
}

/** The header, unless the address has a host of its own, which then counts. */
function hostOf({ url, headers }: FastifyRequest): string {
  if (url.startsWith('/')) return headers.host ?? '';
  return URL.canParse(url) ? new URL(url).host : '';
}

/** Whether both ends of the connection are this machine. */
export function isOwnMachine(request: FastifyRequest): boolean {
  const { localAddress, remoteAddress } = request.socket;
  const remote = plainAddress(remoteAddress);
  return isLoopback(remote) || (remote !== '' && remote === plainAddress(localAddress));
}

/** An IPv4 address that came in at an IPv6 socket, as IPv4. */
function plainAddress(address: string | undefined): string {
  return address?.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '') ?? '';
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Who holds the key of a `/v1` request: the session, a stored key's owner, or null. */
export function keyCaller(
  request: FastifyRequest,
  session: Session,
  sessionCaller: Caller | null,
  authenticate: (apiKey: string) => Caller | null,
): Caller | null {
  const key = request.headers['x-api-key'];
  if (typeof key !== 'string' || key === '') return null;
  return sessionCaller !== null && session.isSessionKey(key) ? sessionCaller : authenticate(key);
}

/** Cookies know no ports, so the name does: two books open in one browser do not sign each other out. */
export function windowCookieName(port: number): string {
  return `tieout_window_${port}`;
}

export function hasWindowCookie(request: FastifyRequest, session: Session, port: number): boolean {
  const prefix = `${windowCookieName(port)}=`;
  const cookies = request.headers.cookie?.split(';').map((cookie) => cookie.trim()) ?? [];
  return cookies.some((cookie) => cookie.startsWith(prefix) && session.isWindow(cookie.slice(prefix.length)));
}

/**
 * Whether a request of `/app` comes from our own window. Cookies are shared between the ports of one host, so the cookie
 * alone would let a page of another local server in: the browser's own word on the sender, and (but for the event stream,
 * where none can be sent) a header that forces a preflight we never answer, keep it out.
 */
export function windowFailure(request: FastifyRequest, session: Session, port: number, isEventStream: boolean): Failure | null {
  if (!hasWindowCookie(request, session, port)) return unauthorizedWindow;
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeign = (origin !== undefined && origin !== `http://${host}`) || (site !== undefined && site !== 'same-origin');
  if (isForeign) return { code: 'permission_denied', message: 'This address answers only the window of Tieout itself, not another page.' };
  if (!isEventStream && request.headers['x-tieout-window'] !== '1') {
    return { code: 'permission_denied', message: 'This address answers only the window of Tieout itself; use /v1 with an API key.' };
  }
  return null;
}
