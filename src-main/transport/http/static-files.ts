import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { WINDOW_SECRET_KEY } from '../../../src-shared/values/network.ts';
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
  // A command line, which every user of the machine can read, names this address: it works once. A HEAD would use it up too.
  app.get<{ Params: { ticket: string } }>('/open/:ticket', { exposeHeadRoute: false }, (request, reply) => {
    const secret = session.exchange(request.params.ticket);
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
    if (secret !== null) return reply.header('content-security-policy', HANDOVER_POLICY).send(handoverPage(secret));
    return reply.code(401).header('content-security-policy', PAGE_POLICY).send(USED_UP);
  });
}

/** The address of the window with its secret behind `#`, which browsers send to nobody. */
export function windowAddress(origin: string, secret: string): string {
  return `${origin}/#token=${secret}`;
}

/**
 * Stores the secret for this tab and goes on to the window. The page hands the secret over in its body, since a browser keeps every
 * address that it was led through in its history.
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
const USED_UP = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tieout</title><style>${STYLE}</style></head><body><h1>This address has been used or is too old</h1><p>It works once, within 15 seconds of the start. Start Tieout again, or open the address that it has printed.</p></body></html>`;
