import { SyncStop } from './answers.ts';

/** Returns the normal form of a base URL: no slash at the end. Throws a SyncStop unless it is http or https without user name and password. */
export function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new SyncStop('invalid_url', `${JSON.stringify(text)} is no address of a remote: give it as https://host/v1.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new SyncStop(
      'invalid_url',
      'The address of the remote has a user name or a password in it: leave them out, the key stands in its own file.',
    );
  }
  let path = url.pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return `${url.origin}${path}`;
}

/**
 * Returns the address of a link, which may be absolute or relative to the base URL. Returns null if it leads to another origin, where the key must
 * not go.
 */
export function linkWithin(baseUrl: string, link: string): string | null {
  const base = new URL(baseUrl);
  const url = URL.parse(link, `${baseUrl}/`);
  return url === null || url.origin !== base.origin || url.username !== '' ? null : url.href;
}
