import fs from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';

/** Scheme of the application's own pages. */
export const SCHEME = 'app';
const HOST = 'tieout';

/** Address of the application's page. */
export const APP_URL = `${SCHEME}://${HOST}/`;

/** Nothing from elsewhere, no inline script; inline styles are what the component library and the grid set on elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.wasm': 'application/wasm',
};

/** Whether an address belongs to the application's own page. */
export function isAppUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === `${SCHEME}:` && url.host === HOST;
}

/** Whether an address is that of something which the application's own page has made, such as a recipe to be saved. */
export function isOwnDownload(text: string): boolean {
  return text.startsWith('blob:') && isAppUrl(text.slice('blob:'.length));
}

/** Whether a page may ask for an address: its own files, what it has made itself, and pictures within it. Nothing of it leaves this process. */
export function isOwnRequest(text: string, mayInspect: boolean): boolean {
  return isAppUrl(text) || isOwnDownload(text) || text.startsWith('data:') || (mayInspect && text.startsWith('devtools://devtools/'));
}

/** The file of `folder` that a path of an address names, or null when it leads out of the folder or cannot be read as a path. */
export function fileFor(folder: string, urlPath: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  const root = path.resolve(folder);
  const file = path.resolve(root, `.${decoded === '/' ? '/index.html' : decoded}`);
  return file.startsWith(root + path.sep) ? file : null;
}

function refused(status: number): Response {
  return new Response(null, { status, headers: { 'content-security-policy': CONTENT_SECURITY_POLICY } });
}

/** Answers one request for a file of the built renderer. */
export async function answerFile(folder: string, request: Pick<Request, 'url' | 'method'>): Promise<Response> {
  if (request.method !== 'GET') return refused(405);
  const file = isAppUrl(request.url) ? fileFor(folder, new URL(request.url).pathname) : null;
  if (file === null) return refused(404);
  try {
    const content = await fs.readFile(file);
    return new Response(content, {
      headers: {
        'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'same-origin',
      },
    });
  } catch {
    return refused(404);
  }
}

/** An address that may be handed to the user's own browser: https, and no name or password hidden in it; or our own documentation. */
export function isOpenableOutside(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isOwnDocumentation(url);
}

/** `/docs` of the local address. It is served at an IP address, so no name that somebody else owns gets in by this. */
function isOwnDocumentation({ protocol, hostname, pathname, search }: URL): boolean {
  return protocol === 'http:' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && pathname === '/docs' && search === '';
}
