import type { PropertyDefinition } from '../../../src-shared/contract/index.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

type PropertyDefinitionRow = Row<'property_definitions'>;
export type PropertyDefinitionWithStream = PropertyDefinitionRow & { readonly data_stream_key: string };

function definitionsOf(environmentId: number) {
  return query
    .selectFrom('property_definitions as d')
    .innerJoin('streams as s', 's.id', 'd.stream_id')
    .selectAll('d')
    .select('s.key as data_stream_key')
    .where('s.environment_id', '=', environmentId);
}

/** Returns the definitions of one stream, or of all streams of the environment (null), oldest first. */
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

type PropertyDefinitionChange = Partial<Pick<PropertyDefinitionRow, 'name' | 'optional'>>;

export function updatePropertyDefinition(write: WriteHandle, id: number, change: PropertyDefinitionChange): void {
  if (Object.keys(change).length > 0) write.run(query.updateTable('property_definitions').set(change).where('id', '=', id));
}

export function deletePropertyDefinition(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('property_definitions').where('id', '=', id));
}

/** Returns the declared types of metadata fields by side and key. Leaves out a key that two streams of a side declare differently. */
export function propertyTypesBySide(
  read: ReadHandle,
  reconciliationId: number,
): Record<'a' | 'b', Map<string, PropertyDefinition['type']>> {
  const rows = read.all(
    query
      .selectFrom('property_definitions as d')
      .innerJoin('reconciliation_streams as rs', 'rs.stream_id', 'd.stream_id')
      .select(['rs.side', 'd.key', 'd.type'])
      .where('rs.reconciliation_id', '=', reconciliationId)
      .groupBy(['rs.side', 'd.key'])
      .having((rows) => rows(rows.fn.count('d.type').distinct(), '=', 1)),
  );
  const types = { a: new Map<string, PropertyDefinition['type']>(), b: new Map<string, PropertyDefinition['type']>() };
  for (const row of rows) types[row.side === 'a' ? 'a' : 'b'].set(row.key, row.type as PropertyDefinition['type']);
  return types;
}
