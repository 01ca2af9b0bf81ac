import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';
import type { SyncRemoteRow } from './remotes.ts';

export type SyncConflictRow = Row<'sync_conflicts'>;

export function conflictsOf(read: ReadHandle, remoteId: number): SyncConflictRow[] {
  return read.all(query.selectFrom('sync_conflicts').selectAll().where('remote_id', '=', remoteId).orderBy('id'));
}

/** Returns the highest conflict id, or 0. Sync assigns the ids, so that a preview can name conflicts. */
export function highestConflictId(read: ReadHandle): number {
  return read.first(query.selectFrom('sync_conflicts').select((all) => all.fn.max('id').as('id')))?.id ?? 0;
}

/** Returns a conflict of the environment. */
export function findConflict(read: ReadHandle, environmentId: number, id: number): SyncConflictRow | undefined {
  return read.first(
    query
      .selectFrom('sync_conflicts as c')
      .innerJoin('sync_remotes as r', 'r.id', 'c.remote_id')
      .selectAll('c')
      .where('r.environment_id', '=', environmentId)
      .where('c.id', '=', id),
  );
}

export function putConflict(write: WriteHandle, conflict: SyncConflictRow): void {
  const { id: _, ...said } = conflict;
  write.run(
    query
      .insertInto('sync_conflicts')
      .values(conflict)
      .onConflict((there) => there.column('id').doUpdateSet(said)),
  );
}

export function chooseInConflict(write: WriteHandle, id: number, choice: string | null, decidedAtMs: number | null): void {
  write.run(query.updateTable('sync_conflicts').set({ choice, decided_at: decidedAtMs }).where('id', '=', id));
}

export function dropConflict(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('sync_conflicts').where('id', '=', id));
}

export function conflictAbout(read: ReadHandle, remoteId: number, resource: string, localId: number): SyncConflictRow | undefined {
  return read.first(
    query
      .selectFrom('sync_conflicts')
      .selectAll()
      .where('remote_id', '=', remoteId)
      .where('resource', '=', resource)
      .where('local_id', '=', localId)
      .orderBy('id')
      .limit(1),
  );
}

/** A record as one side holds it. `amount` is signed, in minor units. */
export interface ConflictRecord {
  readonly local_id: number | null;
  readonly stream: string;
  readonly date: string;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly decimal_places: number;
}

export interface ConflictSide {
  /** Whether the side does not have the object, or no longer has it. */
  readonly gone: boolean;
  readonly fields: readonly { readonly name: string; readonly words: string }[];
  readonly records: readonly ConflictRecord[];
  /** The description of the record that makes a match balance; null if there is none. */
  readonly adjustment: string | null;
}

/** Both sides of a conflict as a sync saw them, stored as JSON. */
export interface ConflictDetail {
  readonly title: string;
  readonly words: string;
  readonly stream: string | null;
  readonly reconciliation_id: number | null;
  readonly account_id: number | null;
  /** The day and type of a balance; null for other conflicts. */
  readonly balance: { readonly date: string; readonly type: string } | null;
  readonly here: ConflictSide;
  readonly there: ConflictSide;
}

/**
 * The objects of a resource that would go to a remote. `count` counts them all; `join` and `isHere` decide whether `local_id` of `l` is one of them.
 */
interface Kind {
  readonly count: string;
  readonly join: string;
  readonly isHere: string;
}

/** Returns the kind of a low-volume resource, from a query of all its ids. */
const few = (ids: string): Kind => ({ count: `SELECT count(*) AS n FROM (${ids})`, join: '', isHere: `l.local_id IN (${ids})` });

/** Leaves out the stream of adjustments: an adjustment travels with its match. */
const STREAMS = `SELECT s.id FROM streams s WHERE s.environment_id = @environment AND s.type <> 'adjustment'`;

const LOW_VOLUME: Readonly<Record<string, Kind>> = {
  streams: few(STREAMS),
  accounts: few('SELECT a.id FROM bank_accounts a WHERE a.environment_id = @environment AND a.deleted_at IS NULL'),
  reconciliations: few('SELECT c.id FROM reconciliations c WHERE c.environment_id = @environment'),
  rules: few(`SELECT u.id FROM reconciliations c CROSS JOIN rules u ON u.reconciliation_id = c.id
    WHERE c.environment_id = @environment AND u.status <> 'proposed'`),
  imports: few(
    "SELECT b.id FROM import_batches b WHERE b.environment_id = @environment AND b.id > 0 AND b.writing = 0 AND b.source <> 'bulk_api'",
  ),
  stories: few('SELECT y.id FROM stories y WHERE y.environment_id = @environment'),
};

/**
 * Returns the kind of records, of which there are many: they are counted in an index and looked up in id order. `seen` is the condition of
 * visibility.
 */
const records = (seen: string): Kind => ({
  count: `SELECT count(*) AS n FROM (${STREAMS}) s CROSS JOIN records r ON r.stream_id = s.id WHERE ${seen}`,
  join: 'CROSS JOIN records r ON r.id = l.local_id',
  isHere: seen,
});
const matches = (seen: string): Kind => ({
  count: `SELECT count(*) AS n FROM reconciliations c CROSS JOIN matches m ON m.reconciliation_id = c.id
    WHERE c.environment_id = @environment AND m.status = 'matched' AND ${seen}`,
  join: 'CROSS JOIN matches m ON m.id = l.local_id',
  isHere: `m.status = 'matched' AND ${seen}`,
});

/** Whether any row is hidden. Usually none is, and then rows need no check of visibility. */
const ANY_HIDDEN = `SELECT EXISTS (SELECT 1 FROM import_batches WHERE writing = 1) OR EXISTS (SELECT 1 FROM runs WHERE writing = 1)
  OR EXISTS (SELECT 1 FROM wipes WHERE flipped_at IS NOT NULL) AS n`;

function kinds(read: ReadHandle): [resource: string, kind: Kind][] {
  const isAnyHidden = read.prepare<[], { n: number }>(ANY_HIDDEN).get()?.n === 1;
  const seen = (condition: string): string => (isAnyHidden ? condition : 'TRUE');
  return [...Object.entries(LOW_VOLUME), ['records', records(seen(PUBLISHED_RECORD))], ['matches', matches(seen(VISIBLE_MATCH))]];
}

/**
 * Selects objects that do not count as waiting: those that the last sync did not move and that have no decision yet, and those with an open conflict.
 */
const HELD = `SELECT local_id FROM sync_lines n WHERE run_id = @run AND resource = @resource AND local_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM sync_intents i WHERE i.remote_id = @remote AND i.resource = @resource AND i.local_id = n.local_id AND i.choice IS NOT NULL)
  UNION SELECT local_id FROM sync_conflicts WHERE remote_id = @remote AND resource = @resource AND local_id IS NOT NULL AND choice IS NULL`;
const LINKED = 'l.remote_id = @remote AND l.resource = @resource';

/**
 * Returns a query of the numbers of objects here, of links, of links whose object is here, and of objects without a link that do not count as
 * waiting.
 */
const countSql = ({ count, join, isHere }: Kind): string => `SELECT (${count}) AS here,
  (SELECT count(*) FROM sync_links l WHERE ${LINKED}) AS links,
  (SELECT count(*) FROM sync_links l ${join} WHERE ${LINKED} AND ${isHere}) AS linked,
  (SELECT count(*) FROM (${HELD}) l ${join} WHERE ${isHere} AND NOT EXISTS
    (SELECT 1 FROM sync_links k WHERE k.remote_id = @remote AND k.resource = @resource AND k.local_id = l.local_id)) AS held`;

interface Counted {
  readonly here: number;
  readonly links: number;
  readonly linked: number;
  readonly held: number;
}

interface CountedFor {
  readonly environment: number;
  readonly remote: number;
  readonly resource: string;
  readonly run: number;
}

/** Audit actions of changes, with the resource and the member of the detail that names the object: a key for streams, an id for all others. */
const CHANGES: Readonly<Record<string, readonly [resource: string, member: string]>> = {
  'record.updated': ['records', 'record_id'],
  'rule.updated': ['rules', 'rule_id'],
  'reconciliation.updated': ['reconciliations', 'reconciliation_id'],
  'bank_account.updated': ['accounts', 'bank_account_id'],
  'bank_account_balances.put': ['accounts', 'bank_account_id'],
  'import_batch.restated': ['imports', 'batch_id'],
  'import_batch.currency_corrected': ['imports', 'batch_id'],
  'story.updated': ['stories', 'story_id'],
  'stream.updated': ['streams', 'key'],
};
/** Overdue marks are sent independently, so they count even if their record has no link yet. */
const OVERDUE = 'record.marked_overdue';

const PAGE_OF_LOG = 500;

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly detail: string;
}

/**
 * Returns the run and the start of the last completed sync; null before the first. A change made while it ran may or may not have been sent, so it
 * counts.
 */
function lastBeganAt(
  read: ReadHandle,
  { id, last_synced_at: endedAt }: SyncRemoteRow,
): { readonly runId: number; readonly atMs: number } | null {
  if (endedAt === null) return null;
  const row = read
    .prepare<[number, number], { runId: number; atMs: number }>(
      'SELECT id AS runId, started_at AS atMs FROM sync_runs WHERE remote_id = ? AND started_at <= ? ORDER BY id DESC LIMIT 1',
    )
    .get(id, endedAt);
  return row ?? { runId: 0, atMs: endedAt };
}

/** Yields audit entries newest first, back to `atMs`. Leaves out those of sync. */
function* changesSince(read: ReadHandle, environmentId: number, atMs: number): Generator<Entry> {
  const newest = read.prepare<[number, number], Entry & { readonly at: number; readonly environment_id: number; readonly actor: string }>(
    'SELECT id, at, environment_id, actor, action, detail FROM audit_log WHERE id < ? ORDER BY id DESC LIMIT ?',
  );
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const page = newest.all(before, PAGE_OF_LOG);
    for (const entry of page) {
      if (entry.at < atMs) return;
      if (entry.environment_id === environmentId && entry.actor !== 'sync') yield entry;
    }
    const last = page.at(-1);
    if (last === undefined) return;
    before = last.id;
  }
}

/** Returns how many linked objects have changed here since `sinceMs`. */
function countChanged(read: ReadHandle, remote: SyncRemoteRow, sinceMs: number): number {
  const changed = new Set<string>();
  const isLinked = read.prepare<[number, string, number], unknown>(
    'SELECT 1 FROM sync_links WHERE remote_id = ? AND resource = ? AND local_id = ?',
  );
  const streamId = read.prepare<[number, string], { id: number }>('SELECT id FROM streams WHERE environment_id = ? AND key = ?');
  for (const { id: entry, action, detail } of changesSince(read, remote.environment_id, sinceMs)) {
    const [resource, member] = CHANGES[action] ?? [];
    if (action !== OVERDUE && (resource === undefined || member === undefined)) continue;
    const said = storedJson('audit_log.detail', detail, entry);
    if (resource === undefined || member === undefined) {
      changed.add(`overdue ${String(said['record_id'])} ${String(said['reconciliation_id'])}`);
      continue;
    }
    const id = member === 'key' ? streamId.get(remote.environment_id, String(said[member]))?.id : Number(said[member]);
    if (id !== undefined && isLinked.get(remote.id, resource, id) !== undefined) changed.add(`${resource} ${id}`);
  }
  return changed.size;
}

/**
 * Returns how many changes of the book wait to be sent: objects that the remote lacks, objects deleted here, and objects changed since the last sync.
 * Counts links and audit entries and compares no contents, so a change that was reverted still counts.
 */
export function countWaiting(read: ReadHandle, remote: SyncRemoteRow): number {
  const last = lastBeganAt(read, remote);
  let waiting = last === null ? 0 : countChanged(read, remote, last.atMs);
  for (const [resource, kind] of kinds(read)) {
    const counted = read
      .prepare<[CountedFor], Counted>(countSql(kind))
      .get({ environment: remote.environment_id, remote: remote.id, resource, run: last?.runId ?? 0 });
    if (counted === undefined) continue;
    const { here, links, linked, held } = counted;
    waiting += Math.max(0, here - linked - held) + links - linked;
  }
  return waiting;
}
