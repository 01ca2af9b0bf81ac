import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Session } from '../access/session.ts';

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

interface WindowFilesOptions {
  readonly uiFolder: string;
  readonly session: Pick<Session, 'exchange'>;
}

/**
 * Serves the built renderer. Files are listed once at the start and get a route each, so no address leads out of the
 * folder. Page, scripts and styles hold no data and are no secret: whoever opens them without the window's secret is told how to
 * open the window.
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
      reply.header('content-security-policy', WINDOW_POLICY).header('cross-origin-opener-policy', 'same-origin');
    },
  });
  app.get('/', (_request, reply) => reply.sendFile('index.html'));
  // For command lines, which every user of the machine can read: the address is used up when the window is open. No HEAD, it would use it up too.
  app.get<{ Params: { ticket: string } }>('/open/:ticket', { exposeHeadRoute: false }, (request, reply) => {
    const secret = session.exchange(request.params.ticket);
    if (secret !== null) return reply.redirect(windowAddress('', secret), 302);
    return reply
      .code(401)
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(USED_UP);
  });
}

/** The address of the window with its secret behind `#`, which browsers send to nobody. */
export function windowAddress(origin: string, secret: string): string {
  return `${origin}/#token=${secret}`;
}

const STYLE = ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}';
const USED_UP = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tieout</title><style>${STYLE}</style></head><body><h1>This address has been used or is too old</h1><p>Start Tieout again, or open the address that it has printed.</p></body></html>`;
