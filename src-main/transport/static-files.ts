import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasWindowCookie, windowCookieName } from './request-guard.ts';
import type { Session } from './session.ts';

/** Policy of the window: everything from the own origin, styles also inline (the grid and the component library set them). */
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

export interface WindowFilesOptions {
  readonly uiFolder: string;
  readonly session: Session;
  readonly port: () => number;
}

/**
 * Serves the built renderer. Files are listed once at the start and get a route each, so no address leads out of the
 * folder. The page itself needs the window's cookie, or a one-time token to get one; its scripts and styles are no secret.
 */
export async function registerWindowFiles(app: FastifyInstance, options: WindowFilesOptions): Promise<void> {
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
      const isHashed = path.relative(uiFolder, file).split(path.sep)[0] === 'assets';
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      reply.header('content-security-policy', WINDOW_POLICY);
    },
  });
  app.get('/', async (request, reply) => {
    const token = new URL(request.url, 'http://localhost').searchParams.get('token');
    if (token !== null) return exchange(reply, session.exchange(token), options.port());
    if (!hasWindowCookie(request, session, options.port())) return sendPage(reply, 401, EXPIRED);
    return reply.sendFile('index.html');
  });
}

/**
 * Trades a token for the cookie. The page goes on by itself instead of redirecting: a redirect would still count as the
 * navigation of whoever opened the address, and a Strict cookie is not sent with that.
 */
function exchange(reply: FastifyReply, cookie: string | null, port: number): FastifyReply {
  if (cookie === null) return sendPage(reply, 401, EXPIRED);
  reply.header('set-cookie', `${windowCookieName(port)}=${cookie}; HttpOnly; SameSite=Strict; Path=/`);
  return sendPage(reply, 200, OPENING);
}

function sendPage(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', PAGE_POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(body);
}

function page(head: string, body: string): string {
  const style = ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tieout</title>${head}<style>${style}</style></head><body>${body}</body></html>`;
}

const OPENING = page('<meta http-equiv="refresh" content="0; url=/">', '<p>Opening Tieout. <a href="/">Go on</a></p>');
const EXPIRED = page(
  '',
  '<h1>This address has been used or is too old</h1><p>Start Tieout again, or run the command again, and open the new address that it prints.</p>',
);
