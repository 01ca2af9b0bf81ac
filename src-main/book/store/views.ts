import { sql } from 'kysely';
import type { SavedView, ViewedList } from '../../../src-shared/contract/book/views.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';

type ViewRow = Row<'saved_views'>;

const viewOf = ({ id, list, name, filter }: ViewRow): SavedView => ({
  id,
  list,
  name,
  filter: storedJson('saved_views.filter', filter, id),
});

const rows = (environmentId: number) => query.selectFrom('saved_views').selectAll().where('environment_id', '=', environmentId);

/** Returns the views of a list, or of all, by list and name. */
export function savedViews(read: ReadHandle, environmentId: number, list?: ViewedList): SavedView[] {
  const ofAll = rows(environmentId).where('removed_at', 'is', null);
  const found = list === undefined ? ofAll : ofAll.where('list', '=', list);
  return read.all(found.orderBy('list').orderBy(sql`name COLLATE NOCASE`)).map(viewOf);
}

/** Returns a view that is listed, or one that was removed. */
export function savedView(read: ReadHandle, environmentId: number, id: number, isRemoved = false): SavedView | undefined {
  const row = read.first(
    rows(environmentId)
      .where('id', '=', id)
      .where('removed_at', isRemoved ? 'is not' : 'is', null),
  );
  return row === undefined ? undefined : viewOf(row);
}

export function insertView(write: WriteHandle, environmentId: number, { list, name, filter }: Omit<SavedView, 'id'>): number {
  return write.run(
    query.insertInto('saved_views').values({ environment_id: environmentId, list, name, filter: JSON.stringify(filter), removed_at: null }),
  ).lastInsertId;
}

export function updateView(write: WriteHandle, { id, name, filter }: SavedView): void {
  write.run(
    query
      .updateTable('saved_views')
      .set({ name, filter: JSON.stringify(filter) })
      .where('id', '=', id),
  );
}

/** Removes a view, or brings it back with null. A removed one stays, so that it comes back under its id. */
export function setViewRemoved(write: WriteHandle, id: number, atMs: number | null): void {
  write.run(query.updateTable('saved_views').set({ removed_at: atMs }).where('id', '=', id));
}
