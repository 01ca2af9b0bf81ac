import { appendAudit } from '../store/audit.ts';
import { findStream, insertStream, listStreams, updateStream } from '../store/streams.ts';
import { present } from '../../src-shared/values/assert.ts';
import { answer, missing, refuse } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { Handlers } from './handler.ts';
import { streamView } from './views.ts';

/** Keys that the service makes for itself. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(['adjustments']);

export function streamHandlers(
  context: ServiceContext,
): Pick<Handlers, 'streams.create' | 'streams.list' | 'streams.get' | 'streams.update'> {
  const { database, clock } = context;
  return {
    'streams.create': (caller, input) => {
      if (RESERVED_KEYS.has(input.key)) return refuse('reserved_key', `The key ${input.key} is reserved for Tieout: choose another one.`);
      const nowMs = clock.nowMs();
      const created = database.write((write) => {
        if (findStream(write, caller.environmentId, input.key) !== undefined) return null;
        insertStream(write, {
          environmentId: caller.environmentId,
          key: input.key,
          name: input.name,
          description: input.description ?? null,
          type: input.type,
          currency: null,
          referenceField: input.reference_field ?? null,
          literalDebitCredit: false,
          createdAtMs: nowMs,
        });
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs: nowMs,
          actor: caller.actor,
          action: 'stream.created',
          detail: { key: input.key, name: input.name, type: input.type },
        });
        return present(findStream(write, caller.environmentId, input.key), 'stream');
      });
      if (created === null) {
        const message = `A stream with the key ${input.key} exists already: choose another key, or use that stream.`;
        return refuse('key_taken', message, [{ path: 'key', code: 'key_taken', message }]);
      }
      context.changed(['streams']);
      return answer(streamView(created));
    },
    'streams.list': (caller) => answer(listStreams(database, caller.environmentId).map(streamView)),
    'streams.get': (caller, input) => {
      const found = findStream(database, caller.environmentId, input.key);
      return found === undefined ? missing('data stream', input.key) : answer(streamView(found));
    },
    'streams.update': (caller, input) => {
      const changed = database.write((write) => {
        const found = findStream(write, caller.environmentId, input.key);
        if (found === undefined) return null;
        const { key: _, ...change } = input;
        updateStream(write, found.id, change);
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs: clock.nowMs(),
          actor: caller.actor,
          action: 'stream.updated',
          detail: { key: input.key, change },
        });
        return present(findStream(write, caller.environmentId, input.key), 'stream');
      });
      if (changed === null) return missing('data stream', input.key);
      context.changed(['streams']);
      return answer(streamView(changed));
    },
  };
}
