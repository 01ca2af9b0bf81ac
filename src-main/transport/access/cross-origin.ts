import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../../../src-shared/contract/index.ts';
import { addVary } from '../http/answer-encoding.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const SENT_HEADERS = 'X-API-KEY, Content-Type, Idempotency-Key, If-Match, If-None-Match';
const READ_HEADERS = 'Location, ETag, Idempotent-Replayed, Retry-After, Not-Searched, X-Request-Id';
/** How long a browser may keep the answer to a preflight: an origin taken off the list is out after this at the latest. */
const PREFLIGHT_SECONDS = 300;

/**
 * Who sends no Origin is no page of a browser (a spreadsheet, curl) and passes. A page passes when its origin is on the list,
 * letter by letter, and is told so under its own name: never `*`, and never `null`, which any sandboxed page can claim.
 */
export function originFailure(request: FastifyRequest, allowed: readonly string[]): Failure | null {
  const { origin } = request.headers;
  if (origin === undefined || (origin !== 'null' && allowed.includes(origin))) return null;
  return {
    code: 'origin_not_allowed',
    message:
      'Pages of this origin may not call this address. Add the origin to the allowed ones in the settings of Tieout, or with serve --allow-origin.',
  };
}

/** Lets a page whose origin has passed read the answer. Whether or not there is an Origin, the answer depends on it. */
export function setCrossOrigin(request: FastifyRequest, reply: FastifyReply): void {
  addVary(reply, 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', READ_HEADERS);
}

/** A browser's question before a request; it carries no key and asks for none. */
export function isPreflight(request: FastifyRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined
  );
}

/** The same answer for every address, so that it tells nothing of what there is. */
export function sendPreflight(reply: FastifyReply): FastifyReply {
  addVary(reply, 'Access-Control-Request-Method');
  addVary(reply, 'Access-Control-Request-Headers');
  return reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', SENT_HEADERS)
    .header('access-control-max-age', String(PREFLIGHT_SECONDS))
    .send();
}
