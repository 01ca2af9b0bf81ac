import type { FastifyRequest } from 'fastify';
import type { Failure } from '../../../src-shared/contract/index.ts';
import type { Caller } from '../../service/handler.ts';
import { isOwnConnection, plainAddress } from './remote-address.ts';
import type { Session } from './session.ts';

/** The same failure for a key that is missing, unknown or revoked. */
export const unauthorizedKey: Failure = {
  code: 'unauthorized',
  message: 'The API key is missing or not valid. Send a valid key in the header X-API-KEY.',
};

const unauthorizedWindow: Failure = {
  code: 'unauthorized',
  message: 'This window is not signed in. Open the whole address that Tieout printed once more, or start Tieout again.',
};

/** The failure of opening the window on another machine than the server's. */
export const windowElsewhere: Failure = {
  code: 'permission_denied',
  message: 'The window of Tieout is shown on the machine itself alone; other machines may use /v1 with an API key.',
};

const FOREIGN_NAME =
  'This address is not served under that name. Call it as 127.0.0.1, or by a name that the settings of Tieout or serve --host-name allow.';

const hostTwice: Failure = { code: 'malformed_header', message: 'The header Host is given more than once; give it once.' };

/**
 * Returns why a request's Host is refused, or null. A page of another site whose name resolves to this computer sends its own name as Host; only our
 * names pass: loopback, the address at which the request arrived (an address, unlike a name, cannot be made to point here), and names on the list.
 */
export function hostFailure(request: FastifyRequest, port: number, listed: readonly string[]): Failure | null {
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

/** Returns the caller of a `/v1` request: the session, a stored key's owner, or null. */
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

/** The header with which each request of a window proves where it comes from. */
const WINDOW_HEADER = 'x-tieout-window';

/**
 * Returns why a request of `/app` is refused, or null. It must carry a secret that only our page has. A cookie would not do, since browsers send
 * cookies to every port of a host. The browser's own headers about the sender are checked too.
 */
export function windowFailure(request: FastifyRequest, session: Session): Failure | null {
  const secret = request.headers[WINDOW_HEADER];
  if (typeof secret !== 'string' || !session.isWindow(secret)) return unauthorizedWindow;
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isForeign = (origin !== undefined && origin !== `http://${host}`) || (site !== undefined && site !== 'same-origin');
  if (isForeign) return { code: 'permission_denied', message: 'This address answers only the window of Tieout itself, not another page.' };
  return null;
}
