import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

export const PROPERTY_TYPES = ['number', 'date', 'datetime', 'string', 'boolean'] as const;
const propertyType = z.enum(PROPERTY_TYPES);

const propertyDefinition = z
  .object({
    id: common.id,
    key: z.string().meta({ description: 'Key of the metadata field' }),
    name: z.string(),
    type: propertyType,
    optional: z.boolean().meta({ description: 'Whether a record of the stream may be without it' }),
    data_stream_key: common.streamKey,
  })
  .meta({ id: 'PropertyDefinition' });
export type PropertyDefinition = z.output<typeof propertyDefinition>;

export const propertyDefinitions = {
  'property_definitions.create': operation({
    id: 'property_definitions.create',
    method: 'POST',
    path: '/data_stream_property_definitions',
    summary: 'Give a metadata field of a data stream a name and a type',
    surface: 'public',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({
      data_stream_key: common.streamKey,
      key: z.string().min(1).max(common.LIMITS.metadataKeyLength),
      name: common.name,
      type: propertyType,
      optional: z.boolean().default(true),
    }),
    output: propertyDefinition,
    errors: ['unknown_reference', 'reserved_key', 'key_taken'],
    example: { data_stream_key: 'bank', key: 'branch', name: 'Branch', type: 'string' },
  }),
  'property_definitions.list': operation({
    id: 'property_definitions.list',
    method: 'GET',
    path: '/data_stream_property_definitions',
    summary: 'All property definitions, or those of one data stream, in the order they were made',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ data_stream_key: z.string().optional(), ...common.listPart }),
    output: z.array(propertyDefinition),
    example: { data_stream_key: 'bank' },
  }),
  'property_definitions.get': operation({
    id: 'property_definitions.get',
    method: 'GET',
    path: '/data_stream_property_definitions/{id}',
    summary: 'One property definition',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: propertyDefinition,
    example: { id: '1' },
  }),
  'property_definitions.update': operation({
    id: 'property_definitions.update',
    method: 'PATCH',
    path: '/data_stream_property_definitions/{id}',
    summary: 'Change the name of a property, or whether it is optional; key, type and stream are for good',
    surface: 'public',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({ id: common.idInput, name: common.name.optional(), optional: z.boolean().optional() }),
    output: propertyDefinition,
    example: { id: '1', name: 'Order number' },
  }),
  'property_definitions.remove': operation({
    id: 'property_definitions.remove',
    method: 'DELETE',
    path: '/data_stream_property_definitions/{id}',
    summary: 'Delete a property definition; the metadata of records stays as it is',
    surface: 'public',
    permission: 'read_write',
    status: 204,
    input: z.strictObject({ id: common.idInput }),
    output: common.nothing,
    example: { id: '1' },
  }),
} as const;
