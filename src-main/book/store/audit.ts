import { createHash } from 'node:crypto';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';

/** An entry for the audit log. `detail` is JSON; keep it small: ids and what changed. */
interface AuditEntry {
  readonly environmentId: number;
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const GENESIS = '0'.repeat(64);

function chainHash(previous: string, entry: AuditEntry, detail: string, content: string | null): string {
  const parts = [previous, entry.environmentId, entry.atMs, entry.actor, entry.action, detail];
  return createHash('sha256')
    .update((content === null ? parts : [...parts, content]).join('\n'))
    .digest('hex');
}

/**
 * Appends an entry to the hash chain, at the end of the transaction of the change itself. The entry contains the hash of everything that the book
 * then holds.
 */
export function appendAudit(write: WriteHandle, entry: AuditEntry): void {
  const detail = JSON.stringify(entry.detail);
  write.lastly((content) => {
    const last = write.first(query.selectFrom('audit_log').select(['id', 'hash']).orderBy('id', 'desc').limit(1));
    const previous = last?.hash ?? GENESIS;
    write.run(
      query.insertInto('audit_log').values({
        id: (last?.id ?? 0) + 1,
        environment_id: entry.environmentId,
        at: entry.atMs,
        actor: entry.actor,
        action: entry.action,
        detail,
        previous_hash: previous,
        content,
        hash: chainHash(previous, entry, detail, content),
      }),
    );
  });
}

/** The number is 0 while there is no entry. */
/** Entries about the book as a whole belong to the live environment. */
const LIVE = 1;

/** Appends an entry about the book as a whole, such as a backup. */
export function appendBookAudit(write: WriteHandle, entry: Omit<AuditEntry, 'environmentId'>): void {
  appendAudit(write, { environmentId: LIVE, ...entry });
}

export function newestAuditId(read: ReadHandle): number {
  return read.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM audit_log').get()?.id ?? 0;
}

/** Whether anything but bulk requests has an entry after a given one. Bulk requests only add records, with higher ids. */
export function isChangedButByBulk(read: ReadHandle, after: number): boolean {
  const other = read
    .prepare<[number], { id: number }>(
      `SELECT id FROM audit_log WHERE id > ? AND action NOT GLOB 'bulk_request.*'
         AND NOT (action = 'import_batch.created' AND detail ->> 'bulk_request_id' IS NOT NULL) LIMIT 1`,
    )
    .get(after);
  return other !== undefined;
}

/**
 * Whether a backup lacks an entry other than those of the action `but`. A book that does not continue from the backup lacks all of them. Entries are
 * numbered without gaps.
 */
export function hasUnsavedEntries(
  read: ReadHandle,
  saved: { readonly audit_entries: number; readonly head: string | null } | null,
  but: string,
): boolean {
  const hashAt = read.prepare<[number], { hash: string }>('SELECT hash FROM audit_log WHERE id = ?');
  const since = saved !== null && hashAt.get(saved.audit_entries)?.hash === saved.head ? saved.audit_entries : 0;
  return (
    read.prepare<[number, string], unknown>('SELECT 1 FROM audit_log WHERE id > ? AND action <> ? LIMIT 1').get(since, but) !== undefined
  );
}

/** Returns the id of the first entry that does not follow from the previous one; null if the chain is whole. */
export function firstBrokenAuditEntry(read: ReadHandle): number | null {
  let previous = GENESIS;
  let length = 0;
  let hasContent = false;
  for (const row of read.each(query.selectFrom('audit_log').selectAll().orderBy('id'))) {
    const entry = { environmentId: row.environment_id, atMs: row.at, actor: row.actor, action: row.action, detail: {} };
    length += 1;
    if (row.id !== length || row.previous_hash !== previous || row.hash !== chainHash(previous, entry, row.detail, row.content))
      return row.id;
    // Tieout writes the content hash with every entry, so an entry without it after entries with it was written by another program.
    if (hasContent && row.content === null) return row.id;
    hasContent ||= row.content !== null;
    previous = row.hash;
  }
  // The book states how many entries Tieout wrote; another program added any further one.
  const written = read.prepare<[], { entries: number }>('SELECT entries FROM content_state WHERE id = 1').get()?.entries ?? length;
  return length > written ? written + 1 : null;
}

export interface ChangesSince {
  readonly actor: string;
  readonly action: string;
  readonly count: number;
  readonly last_at: number;
}

/** Returns the changes after an entry, by actor and action. */
export function changesSince(read: ReadHandle, entry: number): ChangesSince[] {
  return read
    .prepare<[number], ChangesSince>(
      'SELECT actor, action, count(*) AS count, max(at) AS last_at FROM audit_log WHERE id > ? GROUP BY actor, action ORDER BY action, actor',
    )
    .all(entry);
}
