import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../platform/ports.ts';

const SECRET_BYTES = 32;
const TOKEN_LIFETIME_MS = 10 * 60 * 1000;
const OPEN_TOKENS = 16;
const OPEN_WINDOWS = 32;

/** The secrets of one server's life: the session key, one-time tokens of the window's address, and the windows' cookies. */
export interface Session {
  readonly apiKey: string;
  readonly isSessionKey: (given: string) => boolean;
  /** A token that can be exchanged once, within ten minutes. */
  readonly newToken: () => string;
  /** The secret for a window's cookie, or null when the token is wrong, used or too old. */
  readonly exchange: (token: string) => string | null;
  readonly isWindow: (cookie: string) => boolean;
}

/**
 * Only hashes are kept, and every comparison looks at all of them in the same time. Tokens run out by a timer that keeps no
 * process alive.
 */
export function createSession(random: Random): Session {
  const secret = () => Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url');
  const apiKey = `tieout_session_${secret()}`;
  const apiKeyHash = hashOf(apiKey);
  const tokens: Buffer[] = [];
  const windows: Buffer[] = [];
  return {
    apiKey,
    isSessionKey: (given) => timingSafeEqual(apiKeyHash, hashOf(given)),
    newToken() {
      const token = secret();
      const hash = hashOf(token);
      tokens.push(hash);
      if (tokens.length > OPEN_TOKENS) tokens.shift();
      setTimeout(() => takeOut(tokens, hash), TOKEN_LIFETIME_MS).unref();
      return token;
    },
    exchange(token) {
      if (!takeOut(tokens, hashOf(token))) return null;
      const cookie = secret();
      windows.push(hashOf(cookie));
      if (windows.length > OPEN_WINDOWS) windows.shift();
      return cookie;
    },
    isWindow: (cookie) => indexOfHash(windows, hashOf(cookie)) !== -1,
  };
}

/** Whether `wanted` was there. */
function takeOut(hashes: Buffer[], wanted: Buffer): boolean {
  const index = indexOfHash(hashes, wanted);
  if (index !== -1) hashes.splice(index, 1);
  return index !== -1;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function indexOfHash(hashes: readonly Buffer[], wanted: Buffer): number {
  let found = -1;
  for (const [index, hash] of hashes.entries()) if (timingSafeEqual(hash, wanted)) found = index;
  return found;
}
