import type { PropertyDefinition } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { answer, missing, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { RESERVED_KEYS, reservedStream } from '../../service/reserved-streams.ts';
import {
  deletePropertyDefinition,
  findPropertyDefinition,
  insertPropertyDefinition,
  isPropertyKeyTaken,
  listPropertyDefinitions,
  type PropertyDefinitionWithStream,
  updatePropertyDefinition,
} from '../store/property-definitions.ts';
import { streamByKey } from '../store/streams.ts';

type Handled =
  | 'property_definitions.create'
  | 'property_definitions.list'
  | 'property_definitions.get'
  | 'property_definitions.update'
  | 'property_definitions.remove';

function propertyDefinitionView(row: PropertyDefinitionWithStream): PropertyDefinition {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    type: row.type as PropertyDefinition['type'],
    optional: row.optional === 1,
    data_stream_key: row.data_stream_key,
  };
}

function createHandler(context: ServiceContext): Handlers['property_definitions.create'] {
  return (caller, input) => {
    const nowMs = context.clock.nowMs();
    const { data_stream_key: streamKey, ...fields } = input;
    if (RESERVED_KEYS.has(streamKey)) return reservedStream('data_stream_key', 'its records have no metadata of yours to define.');
    const outcome = context.database.write((write) => {
      const stream = streamByKey(write, caller.environmentId, streamKey);
      if (stream === undefined) {
        const message = `There is no data stream ${streamKey} in this environment: create it first, or check data_stream_key.`;
        return refuseField('unknown_reference', 'data_stream_key', message);
      }
      if (isPropertyKeyTaken(write, stream.id, fields.key)) {
        const message = `The data stream ${streamKey} has a property with the key ${fields.key} already: change that one, or choose another key.`;
        return refuseField('key_taken', 'key', message);
      }
      const id = insertPropertyDefinition(write, { stream_id: stream.id, ...fields, optional: fields.optional ? 1 : 0, created_at: nowMs });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'property_definition.created',
        detail: { property_definition_id: id, ...input },
      });
      return answer(propertyDefinitionView(present(findPropertyDefinition(write, caller.environmentId, id), 'property definition')));
    });
    if (outcome.ok) context.changed(['streams']);
    return outcome;
  };
}

function updateHandler(context: ServiceContext): Handlers['property_definitions.update'] {
  return (caller, input) => {
    const { id, name, optional } = input;
    const isChange = name !== undefined || optional !== undefined;
    const outcome = context.database.write((write) => {
      const found = findPropertyDefinition(write, caller.environmentId, id);
      if (found === undefined) return missing('property definition', id);
      if (!isChange) return answer(propertyDefinitionView(found));
      updatePropertyDefinition(write, id, {
        ...(name === undefined ? {} : { name }),
        ...(optional === undefined ? {} : { optional: optional ? 1 : 0 }),
      });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'property_definition.updated',
        detail: { property_definition_id: id, change: { name, optional } },
      });
      return answer(propertyDefinitionView(present(findPropertyDefinition(write, caller.environmentId, id), 'property definition')));
    });
    if (outcome.ok && isChange) context.changed(['streams']);
    return outcome;
  };
}

function removeHandler(context: ServiceContext): Handlers['property_definitions.remove'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findPropertyDefinition(write, caller.environmentId, input.id);
      if (found === undefined) return missing('property definition', input.id);
      deletePropertyDefinition(write, found.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'property_definition.deleted',
        detail: { property_definition_id: found.id, data_stream_key: found.data_stream_key, key: found.key, type: found.type },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['streams']);
    return outcome;
  };
}

export function propertyDefinitionHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'property_definitions.create': createHandler(context),
    'property_definitions.list': (caller, input) => {
      const key = input.data_stream_key;
      const stream = key === undefined ? null : streamByKey(database, caller.environmentId, key);
      if (stream === undefined) return missing('data stream', key ?? '');
      return answer(listPropertyDefinitions(database, caller.environmentId, stream?.id ?? null).map(propertyDefinitionView));
    },
    'property_definitions.get': (caller, input) => {
      const found = findPropertyDefinition(database, caller.environmentId, input.id);
      return found === undefined ? missing('property definition', input.id) : answer(propertyDefinitionView(found));
    },
    'property_definitions.update': updateHandler(context),
    'property_definitions.remove': removeHandler(context),
  };
}
