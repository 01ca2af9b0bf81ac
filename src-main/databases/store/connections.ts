import { sql } from 'kysely';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type ConnectionRow = Row<'database_connections'>;

const rows = (environmentId: number) => query.selectFrom('database_connections').selectAll().where('environment_id', '=', environmentId);

/** Returns the connections that are listed, by name. */
export function listConnections(read: ReadHandle, environmentId: number): ConnectionRow[] {
  return read.all(
    rows(environmentId)
      .where('removed_at', 'is', null)
      .orderBy(sql`name COLLATE NOCASE`),
  );
}

/** Returns a connection that is listed, or one that was removed. */
export function findConnection(read: ReadHandle, environmentId: number, id: number, isRemoved = false): ConnectionRow | undefined {
  return read.first(
    rows(environmentId)
      .where('id', '=', id)
      .where('removed_at', isRemoved ? 'is not' : 'is', null),
  );
}

export function insertConnection(
  write: WriteHandle,
  row: Pick<ConnectionRow, 'environment_id' | 'name' | 'engine' | 'address' | 'created_at'>,
): number {
  return write.run(query.insertInto('database_connections').values({ ...row, last_choices: null, coming_home: null, removed_at: null }))
    .lastInsertId;
}

/** Changes columns of a connection. A removed one stays, so that it comes back under its id. */
export function updateConnection(
  write: WriteHandle,
  id: number,
  change: Partial<Pick<ConnectionRow, 'name' | 'address' | 'last_choices' | 'coming_home' | 'removed_at'>>,
): void {
  write.run(query.updateTable('database_connections').set(change).where('id', '=', id));
}

/** Returns the connections of all environments whose run was ended by the end of the process while lines came home. */
export function halfBrought(read: ReadHandle): ConnectionRow[] {
  return read.all(query.selectFrom('database_connections').selectAll().where('coming_home', 'is not', null));
}
