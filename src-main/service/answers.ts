import type { ErrorCode, Failure, FieldError } from '../../src-shared/contract/index.ts';
import type { AnswerMeta } from '../../src-shared/contract/wire.ts';
import { decimalText, signedMinor } from '../../src-shared/values/money.ts';
import { dayText } from '../../src-shared/values/notation.ts';
import { phrase } from '../../src-shared/words/say.ts';
import type { RecordRow } from '../database/rows.ts';

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

/** Returns the words of a line in quotation marks, such as `“Rent”`. */
export function lineWords({ description, external_id: id }: Pick<RecordRow, 'description' | 'external_id'>): string {
  const words = (description ?? '').trim() || (id ?? '').trim();
  return phrase('requests.answers.words', { words: words === '' ? phrase('requests.answers.noText') : words });
}

type NamedLine = Pick<RecordRow, 'day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'external_id'>;

/** Returns a line as an accountant recognises it, by its words, day and amount, such as `“Rent” of 30/06/2026, -45.20 GBP`. */
export function lineName(line: NamedLine): string {
  const { day, amount, direction, currency, decimal_places: places } = line;
  return phrase('requests.answers.line', {
    words: lineWords(line),
    day: dayText(day),
    amount: decimalText(signedMinor(amount, direction === 1 ? 'credit' : 'debit'), places),
    currency,
  });
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
