import { phrase } from '../../../src-shared/words/say.ts';
import { countedNoun, listed } from '../../../src-shared/values/english.ts';
import { type Database, query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { SyncRemoteRow } from './remotes.ts';

export type SyncRunRow = Row<'sync_runs'>;

export function insertSyncRun(
  write: WriteHandle,
  run: Pick<SyncRunRow, 'remote_id' | 'what' | 'started_by' | 'started_at' | 'backup'>,
): number {
  return write.run(query.insertInto('sync_runs').values({ ...run, ended_at: null, result: null, verified: null })).lastInsertId;
}

export function endSyncRun(write: WriteHandle, id: number, endedAtMs: number, result: string): void {
  write.run(query.updateTable('sync_runs').set({ ended_at: endedAtMs, result }).where('id', '=', id));
}

export function backUpSyncRun(write: WriteHandle, id: number, backup: string): void {
  write.run(query.updateTable('sync_runs').set({ backup }).where('id', '=', id));
}

export function verifySyncRun(write: WriteHandle, id: number, verified: string): void {
  write.run(query.updateTable('sync_runs').set({ verified }).where('id', '=', id));
}

/** Returns the syncs of a remote, newest first. */
export function syncRunsOf(read: ReadHandle, remoteId: number, limit: number, offset = 0): SyncRunRow[] {
  return read.all(
    query.selectFrom('sync_runs').selectAll().where('remote_id', '=', remoteId).orderBy('id', 'desc').limit(limit).offset(offset),
  );
}

export function countSyncRuns(read: ReadHandle, remoteId: number): number {
  const counted = query
    .selectFrom('sync_runs')
    .select((all) => all.fn.countAll<number>().as('n'))
    .where('remote_id', '=', remoteId);
  return read.first(counted)?.n ?? 0;
}

/** Returns a sync of the environment. */
export function findSyncRun(read: ReadHandle, environmentId: number, id: number): SyncRunRow | undefined {
  return read.first(
    query
      .selectFrom('sync_runs as run')
      .innerJoin('sync_remotes as remote', 'remote.id', 'run.remote_id')
      .selectAll('run')
      .where('remote.environment_id', '=', environmentId)
      .where('run.id', '=', id),
  );
}

/** Returns the id of the first sync with a remote; 0 if there was none. */
export function firstSyncRunId(read: ReadHandle, remoteId: number): number {
  const first = query
    .selectFrom('sync_runs')
    .select((all) => all.fn.min('id').as('id'))
    .where('remote_id', '=', remoteId);
  return read.first(first)?.id ?? 0;
}

/** Returns the later syncs with any remote of the book, oldest first. */
export function laterSyncRuns(read: ReadHandle, id: number): SyncRunRow[] {
  return read.all(query.selectFrom('sync_runs').selectAll().where('id', '>', id).orderBy('id'));
}

/** The question with which a sync stopped, as the book keeps it. */
export interface KeptQuestion {
  readonly code: string;
  readonly message: string;
  /** Identifies the situation; an answer is valid only for it. */
  readonly about: string;
  readonly choices: readonly string[];
}

/** A person's answers, by `about` of the question. */
type KeptAnswers = Readonly<Record<string, string>>;

type Asking = Pick<SyncRemoteRow, 'id' | 'question' | 'answer'>;

/** Returns the answers that no sync has carried out yet. */
export function answersOf({ id, answer }: Pick<SyncRemoteRow, 'id' | 'answer'>): KeptAnswers {
  return storedJson('sync_remotes.answer', answer, id) ?? {};
}

/** Returns the question of a remote with the person's answer (null if open); null if there is no question. */
export function questionOf(row: Asking): (KeptQuestion & { readonly choice: string | null }) | null {
  const kept = storedJson('sync_remotes.question', row.question, row.id);
  return kept === null ? null : { ...kept, choice: answersOf(row)[kept.about] ?? null };
}

/** Whether a remote waits for a person's answer. */
export function isAsking(row: Asking): boolean {
  return questionOf(row)?.choice === null;
}

/** Returns the stored answers after a choice for the current question; null takes the answer back. */
export function answeredWith(row: Asking, choice: string | null): string | null {
  const about = questionOf(row)?.about;
  if (about === undefined) return row.answer;
  const { [about]: _, ...others } = answersOf(row);
  const answers = choice === null ? others : { ...others, [about]: choice };
  return Object.keys(answers).length === 0 ? null : JSON.stringify(answers);
}

/** The effect of an undone sync on an object here: it created (`made`), deleted (`gone`) or changed it. */
type UndoneWhat = 'made' | 'gone' | 'changed';

export interface UndoneRow {
  readonly resource: string;
  /** Null for an object that the sync created, because the restored book does not have it. */
  readonly local_id: number | null;
  readonly remote_key: string;
  /** The hash on which both sides agreed in the sync; empty if the object is gone at the remote. */
  readonly remote_hash: string;
  readonly what: UndoneWhat;
}

/** Returns what undone syncs had done here, as long as no person has decided about it. */
export function undoneOf(read: ReadHandle, remoteId: number): UndoneRow[] {
  return read
    .prepare<[number], UndoneRow>(
      'SELECT resource, local_id, remote_key, remote_hash, what FROM sync_undone WHERE remote_id = ? ORDER BY resource, remote_key',
    )
    .all(remoteId);
}

const DONE_HERE = { made: 'sync.undone.brought', gone: 'sync.undone.deleted', changed: 'sync.undone.changed' } as const;

/** Returns the question that the next sync asks after a sync was undone; null if nothing is undecided. */
export function undoneQuestion(
  read: ReadHandle,
  { id, name, last_synced_at: at }: Pick<SyncRemoteRow, 'id' | 'name' | 'last_synced_at'>,
): KeptQuestion | null {
  const rows = undoneOf(read, id);
  if (rows.length === 0) return null;
  const parts = (['made', 'gone', 'changed'] as const).flatMap((what) => {
    const counts = new Map<string, number>();
    for (const row of rows) if (row.what === what) counts.set(row.resource, (counts.get(row.resource) ?? 0) + 1);
    const nouns = [...counts].toSorted(([, a], [, b]) => b - a).map(([resource, count]) => countedNoun(count, resource));
    return nouns.length === 0 ? [] : [phrase(DONE_HERE[what], { things: listed(nouns) })];
  });
  return {
    code: 'sync_was_undone',
    message: phrase('sync.undone.question', { name, parts: listed(parts) }),
    about: `undone ${id} ${at ?? 0}`,
    choices: ['take', 'keep'],
  };
}

export function dropUndone(write: WriteHandle, remoteId: number): void {
  write.prepare<[number], unknown>('DELETE FROM sync_undone WHERE remote_id = ?').run(remoteId);
}

/** The table of each resource. */
const TABLES: Readonly<Record<string, string>> = {
  accounts: 'bank_accounts',
  streams: 'streams',
  properties: 'property_definitions',
  reconciliations: 'reconciliations',
  rules: 'rules',
  stories: 'stories',
  balances: 'bank_account_balances',
  records: 'records',
  matches: 'matches',
};
const tableOf = (resource: string): string => TABLES[resource] ?? 'records';

interface LinkRow {
  readonly remote_id: number;
  readonly resource: string;
  readonly local_id: number;
  readonly remote_key: string;
  readonly local_hash: string;
  readonly remote_hash: string;
  readonly agreed: string | null;
}

type Values = (string | number | null)[];

const LINKS = 'SELECT remote_id, resource, local_id, remote_key, local_hash, remote_hash, agreed FROM sync_links';
const keyOf = ({ remote_id: remote, resource, local_id: id }: LinkRow): string => `${remote} ${resource} ${id}`;

/** Copies rows from one book to another, and replaces those with the same key. */
function copyRows(from: ReadHandle, to: WriteHandle, table: string, where: string): void {
  const rows = from.prepare<[], Record<string, string | number | null>>(`SELECT * FROM ${table} WHERE ${where}`).all();
  for (const row of rows) {
    const columns = Object.keys(row);
    const marks = columns.map(() => '?').join(', ');
    const sets = columns.map((column) => `${column} = excluded.${column}`).join(', ');
    to.prepare<Values, unknown>(`INSERT INTO ${table}(${columns.join(', ')}) VALUES (${marks}) ON CONFLICT DO UPDATE SET ${sets}`).run(
      ...Object.values(row),
    );
  }
}

/** Raises the id sequences to those of `from`, so that no id that a remote may know is given again. */
function keepSequences(from: ReadHandle, to: WriteHandle): void {
  for (const { name, seq } of from.prepare<[], { name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence').all()) {
    const { changes } = to.prepare<Values, unknown>('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(seq, name);
    if (changes === 0) to.prepare<Values, unknown>('INSERT INTO sqlite_sequence(name, seq) VALUES (?, ?)').run(name, seq);
  }
}

/** Returns the objects that the undone sync changed here, each as `resource id`. */
function changedHere(from: ReadHandle, runId: number): Set<string> {
  const rows = from
    .prepare<[number], { lines: string }>("SELECT lines FROM sync_moves WHERE run_id = ? AND way = 'received' AND counted = 'changes'")
    .all(runId);
  const lines = rows.flatMap(({ lines: text }) => storedJson('sync_moves.lines', text, runId));
  return new Set(lines.filter(([act]) => act === 'changed').map(([, resource, id]) => `${resource} ${id}`));
}

/** Carries over the links that are valid in the restored book, and notes what the undone sync had done here. */
class LinkCarry {
  readonly #to: WriteHandle;
  readonly #undone: { readonly remoteId: number; readonly changed: ReadonlySet<string> };

  constructor(to: WriteHandle, undone: { readonly remoteId: number; readonly changed: ReadonlySet<string> }) {
    this.#to = to;
    this.#undone = undone;
  }

  #has(resource: string, id: number): boolean {
    return this.#to.prepare<[number], unknown>(`SELECT 1 FROM ${tableOf(resource)} WHERE id = ?`).get(id) !== undefined;
  }

  #put(link: LinkRow): void {
    const { remote_id: remote, resource, local_id: id, remote_key: key, local_hash: local, remote_hash: hash, agreed } = link;
    this.#to
      .prepare<Values, unknown>('DELETE FROM sync_links WHERE remote_id = ? AND resource = ? AND (local_id = ? OR remote_key = ?)')
      .run(remote, resource, id, key);
    this.#to
      .prepare<Values, unknown>(
        'INSERT INTO sync_links(remote_id, resource, local_id, remote_key, local_hash, remote_hash, agreed) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(remote, resource, id, key, local, hash, agreed);
  }

  /**
   * Notes what the undone sync did to an object. If a later sync that was undone before touched the same object, the remote holds the hash of that
   * one.
   */
  #note({ remote_id: remoteId, resource, local_id: id, remote_key: key, remote_hash: agreed }: LinkRow, what: UndoneWhat): void {
    if (remoteId !== this.#undone.remoteId) return;
    const later = this.#to
      .prepare<Values, Pick<UndoneRow, 'what' | 'remote_hash'>>(
        'SELECT what, remote_hash FROM sync_undone WHERE remote_id = ? AND resource = ? AND remote_key = ?',
      )
      .get(remoteId, resource, key);
    // Neither side has it any more.
    if (later?.what === 'gone' && what === 'made') return this.#forget(remoteId, resource, key);
    if (later?.what === 'gone') return;
    const hash = later?.remote_hash ?? agreed;
    this.#to
      .prepare<Values, unknown>(
        'INSERT OR REPLACE INTO sync_undone(remote_id, resource, local_id, remote_key, remote_hash, what) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(remoteId, resource, what === 'made' ? null : id, key, what === 'gone' ? '' : hash, what);
  }

  #forget(...key: [remoteId: number, resource: string, remoteKey: string]): void {
    this.#to.prepare<Values, unknown>('DELETE FROM sync_undone WHERE remote_id = ? AND resource = ? AND remote_key = ?').run(...key);
  }

  carry(before: readonly LinkRow[], now: readonly LinkRow[]): void {
    const known = new Map(before.map((link) => [keyOf(link), link]));
    const left = new Set(now.map(keyOf));
    for (const link of now) {
      const was = known.get(keyOf(link));
      const isSame = was?.remote_key === link.remote_key && was.local_hash === link.local_hash && was.remote_hash === link.remote_hash;
      if (isSame) continue;
      // An object that both sides had deleted is not in the restored book; there is nothing to ask.
      if (link.resource.startsWith('deleted ')) {
        this.#put(link);
        continue;
      }
      if (!this.#has(link.resource, link.local_id)) this.#note(link, 'made');
      else if (was !== undefined && this.#undone.changed.has(`${link.resource} ${link.local_id}`)) this.#note(link, 'changed');
      // It was sent, and the remote holds it as it was agreed then.
      else this.#put(link);
    }
    for (const link of before) if (!left.has(keyOf(link)) && this.#has(link.resource, link.local_id)) this.#note(link, 'gone');
  }
}

export interface UndoneSync {
  readonly runId: number;
  readonly remoteId: number;
  readonly atMs: number;
}

/** Makes a copy of a book the one that its connections know, in place of the old book. */
export function takeOverConnections(write: WriteHandle, { old, own }: { readonly old: string; readonly own: string }): void {
  write.prepare<Values, unknown>('UPDATE sync_remotes SET own_instance = ? WHERE own_instance = ?').run(own, old);
}

/**
 * Carries sync data from `from` into the book restored from the backup before a sync. Remotes, history and links of sent objects stay as they are
 * now, because the remote still has them. What the undone sync had done here is noted, so that the next sync asks about it and neither repeats nor
 * reverts it by itself.
 */
export function carryUndoneSync(
  from: Database,
  to: WriteHandle,
  instances: { readonly old: string; readonly own: string },
  undo: UndoneSync,
): void {
  const before = to.prepare<[], LinkRow>(LINKS).all();
  const now = from.prepare<[], LinkRow>(LINKS).all();
  keepSequences(from, to);
  copyRows(from, to, 'sync_remotes', '1');
  const newest = to.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM sync_runs').get()?.id ?? 0;
  copyRows(from, to, 'sync_runs', `id > ${newest}`);
  for (const table of ['sync_moves', 'sync_lines']) copyRows(from, to, table, `run_id > ${newest}`);
  to.prepare<[], unknown>('DELETE FROM sync_intents').run();
  copyRows(from, to, 'sync_intents', '1');
  // Undone syncs with any remote stay undecided.
  to.prepare<[number], unknown>('DELETE FROM sync_undone WHERE remote_id <> ?').run(undo.remoteId);
  copyRows(from, to, 'sync_undone', '1');
  const changed = changedHere(from, undo.runId);
  new LinkCarry(to, { remoteId: undo.remoteId, changed }).carry(before, now);
  // Unlike a restore by hand, this restore loses nothing that was agreed on, so the next sync need not ask about it.
  takeOverConnections(to, instances);
  const remote = to
    .prepare<[number], Pick<SyncRemoteRow, 'id' | 'name' | 'last_synced_at'>>(
      'SELECT id, name, last_synced_at FROM sync_remotes WHERE id = ?',
    )
    .get(undo.remoteId);
  const question = remote === undefined ? null : undoneQuestion(to, remote);
  to.prepare<Values, unknown>('UPDATE sync_remotes SET question = ?, answer = NULL, verified = NULL WHERE id = ?').run(
    question === null ? null : JSON.stringify(question),
    undo.remoteId,
  );
  to.prepare<Values, unknown>('UPDATE sync_runs SET undone_at = ? WHERE id = ?').run(undo.atMs, undo.runId);
}
