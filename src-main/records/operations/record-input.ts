import type { Change } from '../../database/database.ts';
import type { Failure } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { DEFAULT_CURRENCY, decimalPlacesOf, type Direction } from '../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { RecordRow } from '../../database/rows.ts';
import { keyOfExternalId } from '../../domain/statement/index.ts';
import { ONLY_MATCHES_ADJUST, RESERVED_KEYS, reservedStream } from '../../service/reserved-streams.ts';
import { refuseField } from '../../service/answers.ts';
import type { NewRecord, RecordChange } from '../store/records.ts';

type Refusal = Failure<'validation_failed'>;

interface AmountInput {
  readonly amount: number;
  readonly direction?: Direction | undefined;
}

function wrongAmount(code: string, message: string): { readonly ok: false; readonly error: Refusal } {
  return failed({ code: 'validation_failed', message, errors: [{ path: 'amount', code, message }] });
}

/**
 * Applies the sign rule: with a direction the amount must not be negative; without one the sign decides; zero needs a direction. A change without
 * direction keeps `stored`.
 */
function magnitude(input: AmountInput, stored?: Direction): Result<{ amount: number; direction: Direction }, Refusal> {
  const { amount, direction } = input;
  if (direction !== undefined) {
    if (amount < 0) return wrongAmount('negative_with_direction', phrase('records.recordInput.amountIsNegativeAlthoughDirection'));
    return success({ amount, direction });
  }
  if (amount < 0) return success({ amount: -amount, direction: 'debit' });
  if (stored !== undefined) return success({ amount, direction: stored });
  if (amount === 0) return wrongAmount('zero_without_direction', phrase('records.recordInput.amountIs0SoItsDirection'));
  return success({ amount, direction: 'credit' });
}

interface RecordInput extends AmountInput {
  readonly date: string;
  readonly value_date?: string | null | undefined;
  readonly currency?: string | undefined;
  readonly decimal_places?: number | undefined;
  readonly description?: string | null | undefined;
  readonly external_id?: string | null | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns an external id, by which a stream has a record once. An empty one, as from an empty cell of a sheet, counts as none. */
const givenId = (externalId: string | null | undefined): string | null => (externalId === '' ? null : (externalId ?? null));

function valueDayOf(date: string | null | undefined): number | null {
  return date === null || date === undefined ? null : present(dayFromIso(date), 'value_date');
}

/** Refuses a stream that does not exist, or that accepts no records. */
export function refusedStreamOfRecord(streamKey: string) {
  if (RESERVED_KEYS.has(streamKey)) return reservedStream('data_stream_key', ONLY_MATCHES_ADJUST);
  const message = phrase('records.recordInput.thereIsNoDataStream', { streamKey });
  return refuseField('unknown_reference', 'data_stream_key', message);
}

/** Returns the row of a record that comes through the contract. */
export function newRecord(
  input: RecordInput,
  place: { readonly environmentId: number; readonly streamId: number; readonly createdAtMs: number },
): Result<NewRecord, Refusal> {
  const money = magnitude(input);
  if (!money.ok) return money;
  const currency = input.currency ?? DEFAULT_CURRENCY;
  const externalId = givenId(input.external_id);
  return success({
    environment_id: place.environmentId,
    stream_id: place.streamId,
    batch_id: null,
    day: present(dayFromIso(input.date), 'date'),
    amount: money.value.amount,
    direction: money.value.direction === 'credit' ? 1 : 0,
    currency,
    decimal_places: input.decimal_places ?? decimalPlacesOf(currency),
    description: input.description ?? null,
    external_id: externalId,
    metadata: JSON.stringify(input.metadata ?? {}),
    dedupe_key: externalId === null ? null : keyOfExternalId(externalId),
    created_at: place.createdAtMs,
    value_day: valueDayOf(input.value_date),
  });
}

/** Returns the columns that a PATCH changes. */
export function recordChange(input: Change<RecordInput>, stored: RecordRow): Result<RecordChange, Refusal> {
  const change: RecordChange = {};
  if (input.amount !== undefined) {
    const money = magnitude({ amount: input.amount, direction: input.direction }, stored.direction === 1 ? 'credit' : 'debit');
    if (!money.ok) return money;
    change.amount = money.value.amount;
    change.direction = money.value.direction === 'credit' ? 1 : 0;
  } else if (input.direction !== undefined) change.direction = input.direction === 'credit' ? 1 : 0;
  if (input.date !== undefined) change.day = present(dayFromIso(input.date), 'date');
  if (input.value_date !== undefined) change.value_day = valueDayOf(input.value_date);
  if (input.currency !== undefined) change.currency = input.currency;
  if (input.decimal_places !== undefined) change.decimal_places = input.decimal_places;
  if (input.description !== undefined) change.description = input.description;
  if (input.external_id !== undefined) change.external_id = givenId(input.external_id);
  if (input.metadata !== undefined) change.metadata = JSON.stringify(input.metadata);
  return success(change);
}
