import type { ErrorCode, Failure, FieldError } from '../../src-shared/contract/index.ts';
import type { AnswerMeta } from '../../src-shared/contract/wire.ts';
import { phrase } from '../../src-shared/words/say.ts';

export function answer<T>(value: T, meta?: AnswerMeta): { readonly ok: true; readonly value: T; readonly meta?: AnswerMeta } {
  return meta === undefined ? { ok: true, value } : { ok: true, value, meta };
}

/** Returns an expected failure: one sentence that says what was wrong, where, and what to do. */
export function refuse<C extends ErrorCode>(
  code: C,
  message: string,
  errors?: readonly FieldError[],
): { readonly ok: false; readonly error: Failure<C> } {
  return { ok: false, error: errors === undefined ? { code, message } : { code, message, errors } };
}

/** Returns a refusal caused by a single field of the input. */
export function refuseField<C extends ErrorCode>(
  code: C,
  path: string,
  message: string,
): { readonly ok: false; readonly error: Failure<C> } {
  return refuse(code, message, [{ path, code, message }]);
}

export function missing(what: string, id: number | string): { readonly ok: false; readonly error: Failure<'not_found'> } {
  return refuse('not_found', phrase('requests.answers.thereIsNoInThisEnvironment', { what, id }));
}

export function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString();
}

export function timestampOrNull(atMs: number | null): string | null {
  return atMs === null ? null : timestampOf(atMs);
}
