import type { FastifyInstance } from 'fastify';
import { ERRORS, type Failure } from '../../../src-shared/contract/index.ts';
import { pathOf } from '../http/errors.ts';
import type { CountedLog, CountedWords } from './counted-log.ts';

const REFUSALS: ReadonlySet<number> = new Set([401, 403, 408, 413, 429]);
const LOGGED_CHARACTERS = 200;

export const REFUSAL_WORDS: CountedWords = { one: 'A request was refused', more: 'More requests were refused', linesAMinute: 50 };

/** Logs every request that was refused for its sender, frequency, size or slowness: its path, Host, Origin and caller, never the key. */
export function registerRefusalLog(app: FastifyInstance, refusals: CountedLog, holderOf: (request: object) => string | null): void {
  app.addHook('onResponse', async (request, reply) => {
    if (!REFUSALS.has(reply.statusCode)) return;
    refusals.warn(reply.statusCode, {
      request_id: request.id,
      status: reply.statusCode,
      method: request.method,
      path: pathOf(request).slice(0, LOGGED_CHARACTERS),
      host: request.headers.host?.slice(0, LOGGED_CHARACTERS) ?? null,
      origin: request.headers.origin?.slice(0, LOGGED_CHARACTERS) ?? null,
      caller: holderOf(request),
    });
  });
  app.addHook('onClose', async () => refusals.end());
}

/** Logs bytes that did not become a request. Only the failure is known of them. */
export function logUnreadable(refusals: CountedLog, requestId: string, { code }: Failure): void {
  const { status } = ERRORS[code];
  refusals.warn(status, { request_id: requestId, status, code });
}
