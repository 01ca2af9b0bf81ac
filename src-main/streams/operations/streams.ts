import { BANK_FEED } from '../../../src-shared/contract/streams/streams.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle } from '../../database/database.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { refusedStream } from '../../service/period-lock.ts';
import { RESERVED_KEYS, reservedStream } from '../../service/reserved-streams.ts';
import { streamView } from '../../service/views.ts';
import { findBankAccount } from '../store/bank-accounts.ts';
import { insertStream, listStreams, streamByKey, updateStream } from '../store/streams.ts';
import { unknownBankAccount } from './bank-accounts.ts';

/** Returns why a stream of this type cannot have this bank account (null for none); null if it can. */
function bankAccountRefusal(read: ReadHandle, caller: Caller, type: string, bankAccountId: number | null) {
  if (bankAccountId !== null) {
    return findBankAccount(read, caller.environmentId, bankAccountId) === undefined ? unknownBankAccount(bankAccountId) : null;
  }
  if (type !== BANK_FEED) return null;
  const message = `A stream of type ${BANK_FEED} needs bank_account_id: create the bank account first and give its id.`;
  return refuse('validation_failed', message, [{ path: 'bank_account_id', code: 'required', message }]);
}

function keyTaken(key: string) {
  const message = phrase('streams.keyTaken', { key });
  return refuseField('key_taken', 'key', message);
}

function createHandler(context: ServiceContext): Handlers['streams.create'] {
  return (caller, input) => {
    if (RESERVED_KEYS.has(input.key)) return refuseField('reserved_key', 'key', phrase('streams.reservedKey', { key: input.key }));
    const nowMs = context.clock.nowMs();
    const bankAccountId = input.bank_account_id ?? null;
    const outcome = context.database.write((write) => {
      if (streamByKey(write, caller.environmentId, input.key) !== undefined) return keyTaken(input.key);
      const refusal = bankAccountRefusal(write, caller, input.type, bankAccountId);
      if (refusal !== null) return refusal;
      insertStream(write, {
        environmentId: caller.environmentId,
        key: input.key,
        name: input.name,
        description: input.description ?? null,
        type: input.type,
        bankAccountId,
        currency: null,
        referenceField: input.reference_field ?? null,
        literalDebitCredit: false,
        readBy: input.read_by,
        batchLines: input.batch_lines,
        createdAtMs: nowMs,
      });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'stream.created',
        detail: {
          key: input.key,
          name: input.name,
          type: input.type,
          bank_account_id: bankAccountId,
          ...(input.reference_field === undefined ? {} : { reference_field: input.reference_field }),
        },
      });
      return answer(present(streamByKey(write, caller.environmentId, input.key), 'stream'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['streams']);
    return answer(streamView(outcome.value, context.figures.now('recordCounts', caller.environmentId)));
  };
}

function updateHandler(context: ServiceContext): Handlers['streams.update'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = streamByKey(write, caller.environmentId, input.key);
      if (found === undefined) return missing('data stream', input.key);
      const { key: _, ...change } = input;
      const fixed = RESERVED_KEYS.has(input.key)
        ? (['reference_field', 'bank_account_id', 'read_by', 'batch_lines'] as const).find((field) => change[field] !== undefined)
        : undefined;
      if (fixed !== undefined) return reservedStream(fixed, `its name and description can be changed, ${fixed} cannot.`);
      if (change.bank_account_id !== undefined) {
        const refusal = bankAccountRefusal(write, caller, found.type, change.bank_account_id);
        if (refusal !== null) return refusal;
      }
      if (change.reference_field !== undefined && change.reference_field !== found.reference_field) {
        // The field is the reference of every line, and sign-offs name lines by reference.
        const closed = refusedStream(write, found.id, found.key);
        if (closed !== null) return closed;
      }
      updateStream(write, found.id, change);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'stream.updated',
        detail: { key: input.key, change },
      });
      return answer(present(streamByKey(write, caller.environmentId, input.key), 'stream'));
    });
    if (!outcome.ok) return outcome;
    // The balances that its statements state belong to the account to which it is linked.
    context.changed(input.bank_account_id === undefined ? ['streams'] : ['streams', 'bank_accounts']);
    return answer(streamView(outcome.value, context.figures.now('recordCounts', caller.environmentId)));
  };
}

export function streamHandlers(
  context: ServiceContext,
): Pick<Handlers, 'streams.create' | 'streams.list' | 'streams.get' | 'streams.update'> {
  const { database, figures } = context;
  return {
    'streams.create': createHandler(context),
    'streams.list': (caller) =>
      whenRead(figures.of('recordCounts', caller.environmentId), (records) =>
        answer(listStreams(database, caller.environmentId).map((row) => streamView(row, records))),
      ),
    'streams.get': (caller, input) =>
      whenRead(figures.of('recordCounts', caller.environmentId), (records) => {
        const found = streamByKey(database, caller.environmentId, input.key);
        return found === undefined ? missing('data stream', input.key) : answer(streamView(found, records));
      }),
    'streams.update': updateHandler(context),
  };
}
