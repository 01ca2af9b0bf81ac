import { query, type ReadHandle, type Row, type WriteHandle } from './database.ts';

export type PropertyDefinitionRow = Row<'property_definitions'>;
export type PropertyDefinitionWithStream = PropertyDefinitionRow & { readonly data_stream_key: string };

function definitionsOf(environmentId: number) {
  return query
    .selectFrom('property_definitions as d')
    .innerJoin('streams as s', 's.id', 'd.stream_id')
    .selectAll('d')
    .select('s.key as data_stream_key')
    .where('s.environment_id', '=', environmentId);
}

/** Those of one stream, or of all streams of the environment when it is null; oldest first. */
export function listPropertyDefinitions(read: ReadHandle, environmentId: number, streamId: number | null): PropertyDefinitionWithStream[] {
  const all = definitionsOf(environmentId).orderBy('d.id');
  return read.all(streamId === null ? all : all.where('d.stream_id', '=', streamId));
}

export function findPropertyDefinition(read: ReadHandle, environmentId: number, id: number): PropertyDefinitionWithStream | undefined {
  return read.first(definitionsOf(environmentId).where('d.id', '=', id));
}

export function isPropertyKeyTaken(read: ReadHandle, streamId: number, key: string): boolean {
  return (
    read.first(query.selectFrom('property_definitions').select('id').where('stream_id', '=', streamId).where('key', '=', key)) !== undefined
  );
}

export function insertPropertyDefinition(write: WriteHandle, definition: Omit<PropertyDefinitionRow, 'id'>): number {
  return write.run(query.insertInto('property_definitions').values(definition)).lastInsertId;
}

export type PropertyDefinitionChange = Partial<Pick<PropertyDefinitionRow, 'name' | 'optional'>>;

export function updatePropertyDefinition(write: WriteHandle, id: number, change: PropertyDefinitionChange): void {
  if (Object.keys(change).length > 0) write.run(query.updateTable('property_definitions').set(change).where('id', '=', id));
}

export function deletePropertyDefinition(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('property_definitions').where('id', '=', id));
}
