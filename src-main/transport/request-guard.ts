import type { FastifyRequest } from 'fastify';
import type { Failure } from '../../src-shared/contract/index.ts';
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

/** Another site's page whose name resolves to this computer sends its own name as Host; only our own names pass. */
export function hostFailure(request: FastifyRequest, port: number): Failure | null {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
  if (own.includes(request.headers.host?.toLowerCase() ?? '')) return null;
  return { code: 'permission_denied', message: `This address is served to this computer alone; open http://127.0.0.1:${port} instead.` };
}

/** Who holds the key of a `/v1` request: the session, a stored key's owner, or null. */
export function keyCaller(
  request: FastifyRequest,
  session: Session,
  sessionCaller: Caller,
  authenticate: (apiKey: string) => Caller | null,
): Caller | null {
  const key = request.headers['x-api-key'];
  if (typeof key !== 'string' || key === '') return null;
  return session.isSessionKey(key) ? sessionCaller : authenticate(key);
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
