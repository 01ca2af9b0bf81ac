import { createHash } from 'node:crypto';
import { contract, ERRORS, type Operation, type OperationId } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { phrase } from '../../src-shared/words/say.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../database/database.ts';
import { storedJson } from '../database/json-columns.ts';
import { refuse } from './answers.ts';
import { inOneTransaction, type ServiceContext } from './context.ts';
import type { Caller, Handlers } from './handler.ts';

type AnyHandler = (caller: Caller, input: unknown) => Outcome<unknown> | Promise<Outcome<unknown>>;

/**
 * Wraps handlers to do the work of an Idempotency-Key once. The same input gets the first answer again (marked as replayed), another input gets
 * `idempotency_mismatch`. The answer is stored in the transaction of the work, so that no crash can separate them. A refusal is stored too; an
 * exception, which is a bug or a full disk, is not.
 */
export function answeredOnce(context: ServiceContext, handlers: Handlers): Handlers {
  const wrapped = Object.entries(handlers).map(([id, handler]) => {
    const spec: Operation = contract[id as OperationId];
    if (!repeatsAnswers(spec)) return [id, handler];
    const wrap = spec.idempotency === 'after' ? storedAfter : once;
    return [id, wrap(context, spec, handler as unknown as AnyHandler)];
  });
  return Object.fromEntries(wrapped) as Handlers;
}

function repeatsAnswers(spec: Operation): boolean {
  return spec.surface === 'public' && spec.method === 'POST' && spec.idempotency !== 'own';
}

function once(context: ServiceContext, spec: Operation, handler: AnyHandler): AnyHandler {
  return (caller, input) => {
    const { idempotencyKey, environmentId } = caller;
    if (idempotencyKey === undefined) return handler(caller, input);
    const inputHash = hashOf(input);
    return inOneTransaction(context, (write): Outcome<unknown> => {
      const stored = idempotentAnswer(write, environmentId, spec.id, idempotencyKey);
      if (stored !== undefined) return stored.input_sha256 === inputHash ? replayed(stored) : mismatch(spec.id);
      const outcome = handler(caller, input);
      assert(!(outcome instanceof Promise), `${spec.id} answers within one transaction`);
      store(write, { environmentId, operation: spec.id, idempotencyKey, inputHash, outcome, atMs: context.clock.nowMs() });
      return outcome;
    });
  };
}

/**
 * Wraps an operation that changes nothing and does not answer within one turn. Its answer needs no transaction with its work; of two concurrent
 * calls, both get the answer that was stored first.
 */
function storedAfter(context: ServiceContext, spec: Operation, handler: AnyHandler): AnyHandler {
  const { database, clock } = context;
  return async (caller, input) => {
    const { idempotencyKey, environmentId } = caller;
    if (idempotencyKey === undefined) return handler(caller, input);
    const inputHash = hashOf(input);
    const earlier = (read: ReadHandle): Outcome<unknown> | null => {
      const stored = idempotentAnswer(read, environmentId, spec.id, idempotencyKey);
      if (stored === undefined) return null;
      return stored.input_sha256 === inputHash ? replayed(stored) : mismatch(spec.id);
    };
    const known = earlier(database);
    if (known !== null) return known;
    const outcome = await handler(caller, input);
    return database.write((write): Outcome<unknown> => {
      const overtaken = earlier(write);
      if (overtaken !== null) return overtaken;
      store(write, { environmentId, operation: spec.id, idempotencyKey, inputHash, outcome, atMs: clock.nowMs() });
      return outcome;
    });
  };
}

interface Answered {
  readonly environmentId: number;
  readonly operation: string;
  readonly idempotencyKey: string;
  readonly inputHash: string;
  readonly outcome: Outcome<unknown>;
  readonly atMs: number;
}

/** Stores an answer, unless it is about a fault of Tieout or too much load: a repetition may succeed. */
function store(write: WriteHandle, { outcome, ...answered }: Answered): void {
  if (!outcome.ok && ERRORS[outcome.error.code].status >= 429) return;
  insertIdempotentAnswer(write, {
    environment_id: answered.environmentId,
    operation: answered.operation,
    idempotency_key: answered.idempotencyKey,
    input_sha256: answered.inputHash,
    answer: JSON.stringify(outcome),
    created_at: answered.atMs,
  });
}

function hashOf(input: unknown): string {
  return createHash('sha256').update(canonicalText(input)).digest('hex');
}

function replayed({ answer, idempotency_key: key }: IdempotentAnswerRow): Outcome<unknown> {
  const outcome = storedJson('idempotent_answers.answer', answer, key) as Outcome<unknown>;
  return { ...outcome, meta: { ...outcome.meta, replayed: true } };
}

function mismatch(operation: string): Outcome<never> {
  return refuse('idempotency_mismatch', phrase('requests.idempotency.thisIdempotencyKeyWasUsed', { operation }));
}

/** Returns the same text for the same input, whatever the order of members. The input is valid, so its depth is limited. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}

type IdempotentAnswerRow = Row<'idempotent_answers'>;

/** Returns the answer for a key, by a single lookup of the primary key. */
function idempotentAnswer(
  read: ReadHandle,
  environmentId: number,
  operation: string,
  idempotencyKey: string,
): IdempotentAnswerRow | undefined {
  return read.first(
    query
      .selectFrom('idempotent_answers')
      .selectAll()
      .where('environment_id', '=', environmentId)
      .where('operation', '=', operation)
      .where('idempotency_key', '=', idempotencyKey),
  );
}

function insertIdempotentAnswer(write: WriteHandle, row: IdempotentAnswerRow): void {
  write.run(query.insertInto('idempotent_answers').values(row));
}
