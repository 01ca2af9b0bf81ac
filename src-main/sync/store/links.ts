import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';

export type SyncLinkRow = Omit<Row<'sync_links'>, 'remote_id' | 'resource'>;

export function linksOf(read: ReadHandle, remoteId: number, resource: string): SyncLinkRow[] {
  return read.all(
    query
      .selectFrom('sync_links')
      .select(['local_id', 'remote_key', 'local_hash', 'remote_hash', 'agreed'])
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource),
  );
}

export function hasLinks(read: ReadHandle, remoteId: number): boolean {
  return read.first(query.selectFrom('sync_links').select('local_id').where('remote_id', '=', remoteId).limit(1)) !== undefined;
}

/** Puts a link, and replaces those that either object had. */
export function putLink(write: WriteHandle, remoteId: number, resource: string, link: SyncLinkRow): void {
  write
    .prepare<(string | number)[], unknown>(
      'DELETE FROM sync_links WHERE remote_id = ? AND resource = ? AND remote_key = ? AND local_id <> ?',
    )
    .run(remoteId, resource, link.remote_key, link.local_id);
  write
    .prepare<(string | number | null)[], unknown>(
      `INSERT INTO sync_links(remote_id, resource, local_id, remote_key, local_hash, remote_hash, agreed) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT(remote_id, resource, local_id)
       DO UPDATE SET remote_key = excluded.remote_key, local_hash = excluded.local_hash, remote_hash = excluded.remote_hash, agreed = excluded.agreed`,
    )
    .run(remoteId, resource, link.local_id, link.remote_key, link.local_hash, link.remote_hash, link.agreed);
}

export function dropLink(write: WriteHandle, remoteId: number, resource: string, localId: number): void {
  write
    .prepare<(string | number)[], unknown>('DELETE FROM sync_links WHERE remote_id = ? AND resource = ? AND local_id = ?')
    .run(remoteId, resource, localId);
}

export function findLink(read: ReadHandle, remoteId: number, resource: string, localId: number): SyncLinkRow | undefined {
  return read.first(
    query
      .selectFrom('sync_links')
      .select(['local_id', 'remote_key', 'local_hash', 'remote_hash', 'agreed'])
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId),
  );
}

function found<T>(read: ReadHandle, sql: string, ids: readonly number[]): Map<number, T> {
  if (ids.length === 0) return new Map();
  const rows = read.prepare<[string], { id: number; place: T }>(sql).all(JSON.stringify(ids));
  return new Map(rows.map(({ id, place }) => [id, place]));
}

/** Returns the stream keys of records, by record id. */
export function placesOfRecords(read: ReadHandle, ids: readonly number[]): Map<number, string> {
  const sql = 'SELECT r.id, s.key AS place FROM json_each(?) j CROSS JOIN records r ON r.id = j.value JOIN streams s ON s.id = r.stream_id';
  return found(read, sql, ids);
}

/** Returns the reconciliation ids of matches, by match id. */
export function placesOfMatches(read: ReadHandle, ids: readonly number[]): Map<number, number> {
  return found(read, 'SELECT m.id, m.reconciliation_id AS place FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value', ids);
}

/** Returns the reconciliation ids of rules, by rule id. */
export function placesOfRules(read: ReadHandle, ids: readonly number[]): Map<number, number> {
  return found(read, 'SELECT r.id, r.reconciliation_id AS place FROM json_each(?) j CROSS JOIN rules r ON r.id = j.value', ids);
}

export type SyncIntentRow = Row<'sync_intents'>;

/** The choice for an intent whose object is not at the remote; any other choice is the remote id. */
export const SEND_AGAIN = 'send_again';

export function findIntent(read: ReadHandle, remoteId: number, resource: string, localId: number): SyncIntentRow | undefined {
  return read.first(
    query
      .selectFrom('sync_intents')
      .selectAll()
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId),
  );
}

export function intentsOf(read: ReadHandle, remoteId: number): SyncIntentRow[] {
  return read.all(query.selectFrom('sync_intents').selectAll().where('remote_id', '=', remoteId).orderBy('id'));
}

type NewIntent = Omit<SyncIntentRow, 'id' | 'is_unsure' | 'choice' | 'decided_at'>;

/** Replaces the intent of the same object, together with what was decided about it. */
export function putIntent(write: WriteHandle, intent: NewIntent): void {
  const { remote_id: _, resource: __, local_id: ___, ...said } = intent;
  write.run(
    query
      .insertInto('sync_intents')
      .values(intent)
      .onConflict((conflict) =>
        conflict.columns(['remote_id', 'resource', 'local_id']).doUpdateSet({ ...said, is_unsure: 0, choice: null, decided_at: null }),
      ),
  );
}

/** Marks an intent as unsure: no sync can find out its outcome, so a person must. */
export function leaveUnsure(write: WriteHandle, remoteId: number, resource: string, localId: number): void {
  write.run(
    query
      .updateTable('sync_intents')
      .set({ is_unsure: 1 })
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId),
  );
}

export function dropIntent(write: WriteHandle, remoteId: number, resource: string, localId: number): void {
  write.run(
    query.deleteFrom('sync_intents').where('remote_id', '=', remoteId).where('resource', '=', resource).where('local_id', '=', localId),
  );
}

type Counted = Readonly<Record<string, number>>;

function counts(read: ReadHandle, of: Readonly<Record<string, string>>, id: number): Counted {
  const sql = `SELECT ${Object.entries(of)
    .map(([name, select]) => `(${select}) AS ${name}`)
    .join(', ')}`;
  return read.prepare<[{ id: number }], Record<string, number>>(sql).get({ id }) ?? {};
}

/** Counts the records of matches that count as matched. */
const MATCHED = `SELECT coalesce(sum(m.record_count), 0) FROM matches m WHERE m.status = 'matched' AND ${VISIBLE_MATCH}`;

/** Returns how much is deleted with a stream. Matches that hold its records belong to their reconciliation. */
export function extentOfStream(read: ReadHandle, streamId: number): Counted {
  return counts(
    read,
    {
      records: `SELECT count(*) FROM records r WHERE r.stream_id = @id AND ${PUBLISHED_RECORD}`,
      properties: 'SELECT count(*) FROM property_definitions WHERE stream_id = @id',
      exceptions: 'SELECT count(*) FROM exceptions WHERE stream_id = @id',
    },
    streamId,
  );
}

/** Returns how much is deleted with a reconciliation; `matched` is the number of records that its matches hold. */
export function extentOfReconciliation(read: ReadHandle, id: number): Counted {
  return counts(
    read,
    {
      matches: `SELECT count(*) FROM matches m WHERE m.reconciliation_id = @id AND ${VISIBLE_MATCH}`,
      rules: 'SELECT count(*) FROM rules WHERE reconciliation_id = @id',
      notes: 'SELECT count(*) FROM open_item_notes WHERE reconciliation_id = @id',
      periods: 'SELECT count(*) FROM reconciliation_periods WHERE reconciliation_id = @id',
      overdue: 'SELECT count(*) FROM overdue_records WHERE reconciliation_id = @id',
      matched: `${MATCHED} AND m.reconciliation_id = @id`,
    },
    id,
  );
}

export function extentOfAccount(read: ReadHandle, id: number): Counted {
  return counts(read, { balances: 'SELECT count(*) FROM bank_account_balances WHERE bank_account_id = @id' }, id);
}

/** Returns the count of each resource in an environment. */
export function extentOfBook(read: ReadHandle, environmentId: number): Counted {
  const inReconciliations = 'JOIN reconciliations c ON c.id = x.reconciliation_id WHERE c.environment_id = @id';
  return counts(
    read,
    {
      accounts: 'SELECT count(*) FROM bank_accounts WHERE environment_id = @id',
      streams: "SELECT count(*) FROM streams WHERE environment_id = @id AND key <> 'adjustments'",
      records: `SELECT count(*) FROM records r WHERE r.environment_id = @id AND ${PUBLISHED_RECORD}`,
      reconciliations: 'SELECT count(*) FROM reconciliations WHERE environment_id = @id',
      rules: `SELECT count(*) FROM rules x ${inReconciliations}`,
      matches: `SELECT count(*) FROM matches m JOIN reconciliations c ON c.id = m.reconciliation_id WHERE c.environment_id = @id AND ${VISIBLE_MATCH}`,
      stories: 'SELECT count(*) FROM stories WHERE environment_id = @id',
      imports: "SELECT count(*) FROM import_batches WHERE environment_id = @id AND id > 0 AND writing = 0 AND source <> 'bulk_api'",
      notes: `SELECT count(*) FROM open_item_notes x ${inReconciliations}`,
      periods: `SELECT count(*) FROM reconciliation_periods x ${inReconciliations}`,
      matched: `${MATCHED} AND m.reconciliation_id IN (SELECT id FROM reconciliations WHERE environment_id = @id)`,
    },
    environmentId,
  );
}

export function streamIdOfKey(read: ReadHandle, environmentId: number, key: string): number | null {
  return (
    read.prepare<[number, string], { id: number }>('SELECT id FROM streams WHERE environment_id = ? AND key = ?').get(environmentId, key)
      ?.id ?? null
  );
}

/** The objects that belong to an object, by their sync resource. */
const BELONGING: Readonly<Record<string, readonly (readonly [resource: string, select: string])[]>> = {
  streams: [
    ['records', 'SELECT id FROM records WHERE stream_id = ?'],
    ['properties', 'SELECT id FROM property_definitions WHERE stream_id = ?'],
    ['imports', 'SELECT id FROM import_batches WHERE stream_id = ?'],
  ],
  reconciliations: [
    ['matches', 'SELECT id FROM matches WHERE reconciliation_id = ?'],
    ['rules', 'SELECT id FROM rules WHERE reconciliation_id = ?'],
  ],
  accounts: [['balances', 'SELECT id FROM bank_account_balances WHERE bank_account_id = ?']],
};

/** Returns the ids of everything that belongs to an object, by resource. */
export function idsBelonging(read: ReadHandle, resource: string, id: number): (readonly [resource: string, ids: number[]])[] {
  return (BELONGING[resource] ?? []).map(([child, select]) => [
    child,
    read
      .prepare<[number], { id: number }>(select)
      .all(id)
      .map((row) => row.id),
  ]);
}
