const SHOWN = '…';

/** Where the password of an address begins and ends; null where it has none. What stands before the last `@` is taken for it, also in a malformed address. */
function placeOfPassword(address: string): readonly [from: number, to: number] | null {
  const scheme = address.indexOf('://');
  const at = address.lastIndexOf('@');
  const colon = scheme < 0 ? -1 : address.indexOf(':', scheme + 3);
  return colon < 0 || at < colon ? null : [colon, at];
}

/** The parameters of an address that hold secrets. */
const SECRET = /([?&](?:password|sslpassword|token)=)[^&#]*/gi;

/** Returns an address as it may be shown and logged: without its password. */
export function shownAddress(address: string): string {
  const place = placeOfPassword(address);
  const shown = place === null ? address : `${address.slice(0, place[0])}:${SHOWN}${address.slice(place[1])}`;
  return shown.replaceAll(SECRET, `$1${SHOWN}`);
}

/** Returns an address without its password, and the password by itself; null where it has none. */
export function withoutPassword(given: string): { readonly address: string; readonly password: string | null } {
  const place = placeOfPassword(given);
  if (place === null) return { address: given, password: null };
  const text = given.slice(place[0] + 1, place[1]);
  const address = given.slice(0, place[0]) + given.slice(place[1]);
  try {
    return { address, password: decodeURIComponent(text) };
  } catch {
    return { address, password: text };
  }
}
