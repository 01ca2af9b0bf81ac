import { SyncStop } from './answers.ts';

/** The base URL as it is used: http or https, with `/v1`, no slash at the end, no user in it. */
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

/** A link of an answer as an address: absolute, relative to the origin or to the base. Null when it leads elsewhere, where the key must not go. */
export function linkWithin(baseUrl: string, link: string): string | null {
  const base = new URL(baseUrl);
  const url = URL.parse(link, `${baseUrl}/`);
  return url === null || url.origin !== base.origin || url.username !== '' ? null : url.href;
}
