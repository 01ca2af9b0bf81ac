import type { ReadHandle, Row } from '../../database/database.ts';

/** The most entries of the log that one page looks at, so that a search that finds nothing takes some tens of milliseconds. */
const ENTRIES_PER_PAGE = 100_000;

export type HistoryRow = Pick<Row<'audit_log'>, 'id' | 'at' | 'actor' | 'action' | 'detail'>;

/** Ids of one kind that a filter looks for, with the members of details that hold one id, and those that hold several. */
export interface Wanted {
  readonly one: readonly string[];
  readonly many: readonly string[];
  readonly ids: ReadonlySet<number>;
}

export interface HistoryFilter {
  readonly environmentId: number;
  /** Milliseconds: from the first, before the second. */
  readonly fromMs: number | null;
  readonly untilMs: number | null;
  readonly actions: readonly string[] | null;
  /** GLOB patterns of which the actor fits one. */
  readonly actors: readonly string[] | null;
  /** For each word the actions whose own words have it, and the texts of which the detail may have one instead. */
  readonly words: readonly { readonly actions: readonly string[]; readonly texts: readonly string[] }[];
  readonly wanted: readonly Wanted[];
}

/** Up to this many ids are looked for one by one in the text of a detail; of more, only their member is. */
const EXACT_IDS = 20;

/** Returns a condition that every detail with one of the ids meets, and some others. It reads the text, which is much faster than parsing it. */
function mayName({ one, many, ids }: Wanted): string {
  const few = ids.size <= EXACT_IDS ? [...ids] : null;
  const tests = [
    ...one.flatMap((member) => (few === null ? [`"${member}":`] : few.map((id) => `"${member}":${id}`))),
    ...many.map((member) => `"${member}":[`),
  ];
  return tests.map((text) => `instr(detail, '${text}') > 0`).join(' OR ');
}

/** Returns a page of the log, newest first, as statement and values. Exported for the test of its plan. */
export function historySql(filter: HistoryFilter, { before, after }: { readonly before: number; readonly after: number }) {
  const conditions: string[] = ['id < ?', 'id > ?', 'environment_id = ?'];
  const values: (number | string)[] = [before, after, filter.environmentId];
  const add = (condition: string, ...given: (number | string)[]): void => {
    conditions.push(`(${condition})`);
    values.push(...given);
  };
  if (filter.fromMs !== null) add('at >= ?', filter.fromMs);
  if (filter.untilMs !== null) add('at < ?', filter.untilMs);
  if (filter.actions !== null) add('action IN (SELECT value FROM json_each(?))', JSON.stringify(filter.actions));
  if (filter.actors !== null) add(filter.actors.map(() => 'actor GLOB ?').join(' OR '), ...filter.actors);
  for (const { actions, texts } of filter.words) {
    const inDetail = texts.map(() => 'instr(lower(detail), lower(?)) > 0').join(' OR ');
    add(`action IN (SELECT value FROM json_each(?)) OR ${inDetail}`, JSON.stringify(actions), ...texts);
  }
  if (filter.wanted.length > 0) add(filter.wanted.map(mayName).join(' OR '));
  return { sql: `SELECT id, at, actor, action, detail FROM audit_log WHERE ${conditions.join(' AND ')} ORDER BY id DESC`, values };
}

export interface HistoryPage {
  readonly rows: readonly HistoryRow[];
  /** The oldest entry that was looked at, if there are older ones. */
  readonly lookedBackTo: number | null;
}

/**
 * Returns up to `limit` entries that pass, from those before an id, newest first. Looks at no more than `stretch` entries. `isWanted` decides what the
 * statement leaves open.
 */
export function readHistory(
  read: ReadHandle,
  filter: HistoryFilter,
  { before, limit, stretch = ENTRIES_PER_PAGE }: { readonly before: number | null; readonly limit: number; readonly stretch?: number },
  isWanted: (row: HistoryRow) => boolean,
): HistoryPage {
  const newest = read.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM audit_log').get()?.id ?? 0;
  const first = Math.min(before ?? Number.MAX_SAFE_INTEGER, newest + 1);
  const after = Math.max(0, first - stretch - 1);
  const { sql, values } = historySql(filter, { before: first, after });
  const rows: HistoryRow[] = [];
  for (const row of read.prepare<(number | string)[], HistoryRow>(sql).iterate(...values)) {
    if (!isWanted(row)) continue;
    if (rows.length === limit) return { rows, lookedBackTo: rows.at(-1)?.id ?? null };
    rows.push(row);
  }
  return { rows, lookedBackTo: after === 0 ? null : after + 1 };
}

/** The most entries that are looked at for the newest one about a thing. */
const LOOKED_BACK = 10_000;

/** Returns the newest entry after another that names a thing by one of some members of its detail; without members, the newest of all. */
export function newestAbout(
  read: ReadHandle,
  asked: { readonly environmentId: number; readonly after: number; readonly members: readonly string[]; readonly id: number | string },
): Pick<HistoryRow, 'at' | 'actor'> | undefined {
  const { environmentId, after, members, id } = asked;
  return read
    .prepare<[{ environment: number; after: number; members: string; id: number | string; all: number }], Pick<HistoryRow, 'at' | 'actor'>>(
      `SELECT a.at, a.actor FROM (SELECT * FROM audit_log WHERE id > @after ORDER BY id DESC LIMIT ${LOOKED_BACK}) a
       WHERE a.environment_id = @environment AND (@all OR EXISTS (
         SELECT 1 FROM json_tree(a.detail) t, json_each(@members) m
         WHERE t.atom = @id AND (t.key = m.value OR replace(t.path, '"', '') LIKE '%.' || m.value)))
       ORDER BY a.id DESC LIMIT 1`,
    )
    .get({ environment: environmentId, after, members: JSON.stringify(members), id, all: members.length === 0 ? 1 : 0 });
}

export function timeOfEntry(read: ReadHandle, id: number): number | null {
  return read.prepare<[number], { at: number }>('SELECT at FROM audit_log WHERE id = ?').get(id)?.at ?? null;
}

/** The kind and the id that a name in the history stands for. */
export interface NamedThing {
  readonly id: number;
  readonly name: string | null;
  readonly key?: string;
  readonly reconciliation_id?: number | null;
}

const IDS = 'SELECT value FROM json_each(@ids)';

/** Queries of the names of things that still exist in an environment, by kind. */
const NAMES = {
  record: `SELECT id, coalesce(nullif(description, ''), external_id) AS name FROM records WHERE environment_id = @environment AND id IN (${IDS})`,
  match: `SELECT m.id, NULL AS name, m.reconciliation_id FROM matches m JOIN reconciliations c ON c.id = m.reconciliation_id
    WHERE c.environment_id = @environment AND m.id IN (${IDS})`,
  reconciliation: `SELECT id, name, id AS reconciliation_id FROM reconciliations WHERE environment_id = @environment AND id IN (${IDS})`,
  import: `SELECT id, filename AS name FROM import_batches WHERE environment_id = @environment AND id IN (${IDS})`,
  run: `SELECT r.id, NULL AS name, r.reconciliation_id FROM runs r JOIN reconciliations c ON c.id = r.reconciliation_id
    WHERE c.environment_id = @environment AND r.id IN (${IDS})`,
  rule: `SELECT u.id, u.description AS name, u.reconciliation_id FROM rules u JOIN reconciliations c ON c.id = u.reconciliation_id
    WHERE c.environment_id = @environment AND u.id IN (${IDS})`,
  bank_account: `SELECT id, name FROM bank_accounts WHERE environment_id = @environment AND id IN (${IDS})`,
  exception: `SELECT id, title AS name, reconciliation_id FROM exceptions WHERE environment_id = @environment AND id IN (${IDS})`,
  story: `SELECT id, name FROM stories WHERE environment_id = @environment AND id IN (${IDS})`,
  import_recipe: `SELECT id, name FROM import_recipes WHERE environment_id = @environment AND id IN (${IDS})`,
} as const;
export type NamedKind = keyof typeof NAMES;

export function namesOfThings(read: ReadHandle, environmentId: number, kind: NamedKind, ids: Iterable<number>): NamedThing[] {
  return read
    .prepare<[{ environment: number; ids: string }], NamedThing>(NAMES[kind])
    .all({ environment: environmentId, ids: JSON.stringify([...ids]) });
}

export interface PeriodOfHistory {
  readonly id: number;
  readonly reconciliation_id: number;
  readonly first_day: number;
  readonly last_day: number;
}

export function periodsOfHistory(read: ReadHandle, environmentId: number, ids: Iterable<number>): PeriodOfHistory[] {
  return read
    .prepare<[{ environment: number; ids: string }], PeriodOfHistory>(
      `SELECT p.id, p.reconciliation_id, p.first_day, p.last_day FROM reconciliation_periods p
       JOIN reconciliations c ON c.id = p.reconciliation_id WHERE c.environment_id = @environment AND p.id IN (${IDS})`,
    )
    .all({ environment: environmentId, ids: JSON.stringify([...ids]) });
}

/** Returns the streams of an environment with the keys. */
export function streamsOfHistory(read: ReadHandle, environmentId: number, keys: Iterable<string>): NamedThing[] {
  return read
    .prepare<[{ environment: number; keys: string }], NamedThing>(
      'SELECT id, name, key FROM streams WHERE environment_id = @environment AND key IN (SELECT value FROM json_each(@keys))',
    )
    .all({ environment: environmentId, keys: JSON.stringify([...keys]) });
}

/** The origins of a record and the objects that hold it now, by kind. */
export function aroundRecord(read: ReadHandle, id: number): { matches: number[]; runs: number[]; batch: number | null } {
  const batch = read.prepare<[number], { batch_id: number | null }>('SELECT batch_id FROM records WHERE id = ?').get(id)?.batch_id ?? null;
  const held = read
    .prepare<[number], { id: number; run_id: number | null }>(
      'SELECT m.id, m.run_id FROM match_records r JOIN matches m ON m.id = r.match_id WHERE r.record_id = ?',
    )
    .all(id);
  return { matches: held.map((match) => match.id), runs: held.flatMap(({ run_id: run }) => (run === null ? [] : [run])), batch };
}

export function runOfMatch(read: ReadHandle, id: number): number | null {
  return read.prepare<[number], { run_id: number | null }>('SELECT run_id FROM matches WHERE id = ?').get(id)?.run_id ?? null;
}

/** Returns the rules, or the periods, of a reconciliation. */
export function idsWithin(read: ReadHandle, table: 'rules' | 'reconciliation_periods', reconciliationId: number): number[] {
  return read
    .prepare<[number], { id: number }>(`SELECT id FROM ${table} WHERE reconciliation_id = ?`)
    .all(reconciliationId)
    .map(({ id }) => id);
}

/** Returns up to `limit` things of each kind whose name has a word, so that a search finds what an entry only names by id. */
export function namedLike(read: ReadHandle, environmentId: number, word: string, limit: number): { member: string; id: number | string }[] {
  const found = (table: string, member: string, id = 'id', column = 'name'): string =>
    `SELECT * FROM (SELECT '${member}' AS member, ${id} AS id FROM ${table} WHERE environment_id = @environment
       AND instr(lower(${column}), lower(@word)) > 0 LIMIT @limit)`;
  const sql = [
    found('reconciliations', 'reconciliation_id'),
    found('streams', 'stream', 'key'),
    found('bank_accounts', 'bank_account_id'),
    found('stories', 'story_id'),
    found('exceptions', 'exception_id', 'id', 'title'),
  ].join(' UNION ALL ');
  return read
    .prepare<[{ environment: number; word: string; limit: number }], { member: string; id: number | string }>(sql)
    .all({ environment: environmentId, word, limit });
}
