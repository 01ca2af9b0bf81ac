import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../platform/ports.ts';

const SECRET_BYTES = 32;
/** Long enough for a browser to start on a slow machine; every user of the machine can read the ticket until then. */
const TICKET_LIFETIME_MS = 15_000;
const OPEN_TICKETS = 16;
const OPEN_WINDOWS = 32;

/** The secrets of a server, valid until it stops: the session key, those of the windows, and one-time tickets that lead to one. */
export interface Session {
  readonly apiKey: string;
  readonly isSessionKey: (given: string) => boolean;
  /** Returns the secret of a new window, which each of its requests must carry. */
  readonly newWindow: () => string;
  readonly isWindow: (secret: string) => boolean;
  /** Returns a ticket that can be exchanged once, within 15 seconds. */
  readonly newTicket: () => string;
  /** Returns the secret of a new window, or null when the ticket is wrong, used or expired. */
  readonly exchange: (ticket: string) => string | null;
}

/**
 * Creates the secrets. Only hashes are kept, and every comparison takes the same time over all of them. Tickets expire by a timer that does not keep
 * the process alive.
 */
export function createSession(random: Random): Session {
  const secret = () => Buffer.from(random.bytes(SECRET_BYTES)).toString('base64url');
  const apiKey = `tieout_session_${secret()}`;
  const apiKeyHash = hashOf(apiKey);
  const tickets: Buffer[] = [];
  const windows: Buffer[] = [];
  const newWindow = () => {
    const window = secret();
    windows.push(hashOf(window));
    if (windows.length > OPEN_WINDOWS) windows.shift();
    return window;
  };
  return {
    apiKey,
    isSessionKey: (given) => timingSafeEqual(apiKeyHash, hashOf(given)),
    newWindow,
    isWindow: (given) => indexOfHash(windows, hashOf(given)) !== -1,
    newTicket() {
      const ticket = secret();
      const hash = hashOf(ticket);
      tickets.push(hash);
      if (tickets.length > OPEN_TICKETS) tickets.shift();
      setTimeout(() => takeOut(tickets, hash), TICKET_LIFETIME_MS).unref();
      return ticket;
    },
    exchange: (ticket) => (takeOut(tickets, hashOf(ticket)) ? newWindow() : null),
  };
}

/** Removes `wanted`; returns whether it was in the list. */
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
