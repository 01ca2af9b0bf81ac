import { failed, type Result, success } from './result.ts';

/** The address on which `/v1` listens by default. */
export const LOOPBACK = '127.0.0.1';

/** The key in a tab's session storage that holds the window's secret. The page behind a ticket writes it, the window reads it. */
export const WINDOW_SECRET_KEY = 'tieout-window';

/** Whether an IP address is a loopback address of this machine. */
export function isLoopback(address: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(address) || address === '::1';
}

/** Whether an IP address means all addresses of the machine. */
export function isEveryAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** Returns `host:port` of an address for a URL; for a listener on all addresses, that of the loopback. */
export function authorityOf(address: string, port: number): string {
  const shown = isEveryAddress(address) ? LOOPBACK : address;
  return `${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}

const EXAMPLE = 'such as https://addin.example.com or http://localhost:3000';

/** Returns the origin of a page as browsers send it, from a person's input; otherwise one sentence that says what is wrong. */
export function originFrom(text: string): Result<string, string> {
  const given = text.trim();
  if (given === '*') return failed(`* would let in every page. Name the origins one by one, ${EXAMPLE}.`);
  if (given === 'null') return failed(`null is what any page can claim to be. Name the origin of the page, ${EXAMPLE}.`);
  if (!URL.canParse(given)) return failed(`${shown(given)} is no origin. Write it as scheme and host, ${EXAMPLE}.`);
  const url = new URL(given);
  const isOwn = url.hostname === 'localhost' || url.hostname === LOOPBACK;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn && url.port !== '')) {
    return failed(`${shown(given)} is not safe: pages come over https, or from http://localhost with a port. Write it ${EXAMPLE}.`);
  }
  if (given.includes('*')) return failed(`${shown(given)} is a pattern. Name the origins one by one, ${EXAMPLE}.`);
  if (url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return failed(`${shown(given)} is more than an origin. Leave out what is not scheme, host and port: ${url.origin}.`);
  }
  return success(url.origin);
}

/** Returns a machine's name as in the Host header, without port, from a person's input; otherwise one sentence that says what is wrong. */
export function hostNameFrom(text: string): Result<string, string> {
  const given = text.trim().toLowerCase();
  if (given.length <= 253 && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(given)) return success(given);
  return failed(`${shown(text.trim())} is no name of a machine. Write the name alone, such as office-pc or books.example.com.`);
}

function shown(text: string): string {
  if (text === '') return 'Nothing';
  return text.length > 60 ? `“${text.slice(0, 60)}…”` : `“${text}”`;
}
