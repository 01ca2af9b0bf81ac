import type { FieldError } from '../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../src-shared/contract/streams/streams.ts';
import { phrase } from '../../src-shared/words/say.ts';

/** The keys of streams that the service creates for itself. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([ADJUSTMENTS_KEY]);

/** Refuses another use of Tieout's own stream; `why` continues after a colon and says what to do instead. */
export function reservedStream(path: string, why: string) {
  const message = phrase('streams.own', { key: ADJUSTMENTS_KEY, why });
  const error: FieldError = { path, code: 'reserved_key', message };
  return { ok: false, error: { code: 'reserved_key', message, errors: [error] } } as const;
}

export const ONLY_MATCHES_ADJUST = phrase('requests.reservedStreams.recordsGetIntoItByMatches');
