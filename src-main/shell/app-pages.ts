import fs from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import type { WebFrameMain } from 'electron';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { say } from '../../src-shared/words/say.ts';

/** Scheme of the application's own pages. */
export const SCHEME = 'app';
const HOST = 'tieout';

/** Address of the application's page. */
export const APP_URL = `${SCHEME}://${HOST}/`;

/**
 * Allows only files of the application and no inline script. Inline styles are allowed, because the component library and the grid set them on
 * elements.
 */
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
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
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

/** Whether an address belongs to the guide, whose pages have a window of their own. */
export function isGuideUrl(text: string): boolean {
  return isAppUrl(text) && new URL(text).pathname.startsWith('/guide/');
}

/** Whether an address is a blob that the application's own page made, such as a recipe to save. */
export function isOwnDownload(text: string): boolean {
  return text.startsWith('blob:') && isAppUrl(text.slice('blob:'.length));
}

/** Whether a page may request an address: its own files, blobs it made, and inline pictures. None of these leaves the process. */
export function isOwnRequest(text: string, mayInspect: boolean): boolean {
  return isAppUrl(text) || isOwnDownload(text) || text.startsWith('data:') || (mayInspect && text.startsWith('devtools://devtools/'));
}

/** Returns the file of `folder` for the path of an address; null when it leads out of the folder or is malformed. */
export function fileFor(folder: string, urlPath: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return null;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return null;
  const root = path.resolve(folder);
  const file = path.resolve(root, `.${decoded.endsWith('/') ? `${decoded}index.html` : decoded}`);
  return file.startsWith(root + path.sep) ? file : null;
}

function refused(status: number): Response {
  return new Response(null, { status, headers: { 'content-security-policy': CONTENT_SECURITY_POLICY } });
}

/** Answers a request for a file of the built renderer. */
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

/** Whether an address may be opened in the user's browser: https without name and password, or our own documentation. */
export function isOpenableOutside(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || isOwnDocumentation(url);
}

const OUTSIDE_PATH = /^\/(?:docs|sheet\/[\w-]+\/workbook)$/;

/** Whether an address is `/docs` of the local server, or the ready workbook of a sheet link. The host must be an IP address, so that no foreign host name passes. */
function isOwnDocumentation({ protocol, hostname, pathname, search }: URL): boolean {
  return protocol === 'http:' && isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 && OUTSIDE_PATH.test(pathname) && search === '';
}

/** The parts of an IPC event that identify its sender. Frames are compared by their node in the frame tree, not as objects. */
interface Sender {
  readonly senderFrame: Pick<WebFrameMain, 'url' | 'parent' | 'frameTreeNodeId'> | null;
  readonly sender: { readonly mainFrame: Pick<WebFrameMain, 'frameTreeNodeId'> };
}

/**
 * Returns success where a message comes from the application's own page: the top frame of its window, at an address of `app://tieout/`. Otherwise
 * returns why it is refused: a frame inside the page, a page that was navigated away, or a frame that no longer exists.
 */
export function checkSender(event: Sender): Result<true, string> {
  const frame = event.senderFrame;
  if (frame === null) return failed(say('shell.senderCheck.theFrameThatSent'));
  if (frame.parent !== null || frame.frameTreeNodeId !== event.sender.mainFrame.frameTreeNodeId)
    return failed(say('shell.senderCheck.aFrameInsideThePageSentIt'));
  if (!isAppUrl(frame.url))
    return failed(
      say('shell.senderCheck.aPageOfSent', {
        noAddress: URL.canParse(frame.url) ? new URL(frame.url).origin : say('shell.senderCheck.noAddress'),
      }),
    );
  return success(true);
}
