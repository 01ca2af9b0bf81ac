import { createHash } from 'node:crypto';
import { contract, ERRORS, type Operation, type OperationId } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { idempotentAnswer, insertIdempotentAnswer } from '../store/idempotent-answers.ts';
import { refuse } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { Caller, Handlers } from './handler.ts';

type AnyHandler = (caller: Caller, input: unknown) => Outcome<unknown> | Promise<Outcome<unknown>>;

/**
 * Handlers that do the work of one Idempotency-Key once: the same input is answered with what was answered first (marked as
 * replayed), another input with `idempotency_mismatch`. The answer is stored in the transaction of the work itself, so that
 * no crash can come between the two. A refusal is stored as well; what throws is a bug or a full disk, and stores nothing.
 */
export function answeredOnce(context: ServiceContext, handlers: Handlers): Handlers {
  const wrapped = Object.entries(handlers).map(([id, handler]) => {
    const spec: Operation = contract[id as OperationId];
    return [id, repeatsAnswers(spec) ? once(context, spec, handler as unknown as AnyHandler) : handler];
  });
  return Object.fromEntries(wrapped) as Handlers;
}

function repeatsAnswers(spec: Operation): boolean {
  return spec.surface === 'public' && spec.method === 'POST' && spec.idempotency !== 'own';
}

function once(context: ServiceContext, spec: Operation, handler: AnyHandler): AnyHandler {
  const { database, clock } = context;
  return (caller, input) => {
    const { idempotencyKey, environmentId } = caller;
    if (idempotencyKey === undefined) return handler(caller, input);
    const inputHash = createHash('sha256').update(canonicalText(input)).digest('hex');
    try {
      return database.write((write): Outcome<unknown> => {
        const stored = idempotentAnswer(write, environmentId, spec.id, idempotencyKey);
        if (stored !== undefined) return stored.input_sha256 === inputHash ? replayed(stored.answer) : mismatch(spec.id);
        const outcome = handler(caller, input);
        assert(!(outcome instanceof Promise), `${spec.id} answers within one transaction`);
        if (!outcome.ok && ERRORS[outcome.error.code].status >= 500) return outcome;
        insertIdempotentAnswer(write, {
          environment_id: environmentId,
          operation: spec.id,
          idempotency_key: idempotencyKey,
          input_sha256: inputHash,
          answer: JSON.stringify(outcome),
          created_at: clock.nowMs(),
        });
        return outcome;
      });
    } catch (error) {
      // Figures may have been remembered of rows that were rolled back just now.
      context.changed([]);
      throw error;
    }
  };
}

function replayed(answer: string): Outcome<unknown> {
  const outcome = JSON.parse(answer) as Outcome<unknown>;
  return { ...outcome, meta: { ...outcome.meta, replayed: true } };
}

function mismatch(operation: string): Outcome<never> {
  return refuse(
    'idempotency_mismatch',
    `This Idempotency-Key was used for ${operation} with another input: send the same input again, or use a new key.`,
  );
}

/** The same text for the same input, whatever the order of its members. The input is valid, so its depth is bounded. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : member,
  );
}
