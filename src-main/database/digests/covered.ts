import type SqliteDatabase from 'better-sqlite3';

/** The bits of an id within its chunk: 128 consecutive ids share a digest. */
const CHUNK_BITS = 7;
export const ROWS_OF_CHUNK = 2 ** CHUNK_BITS;

/** A column that assigns rows to chunks. If it is shifted, neighbouring values share a chunk. */
interface KeyPart {
  readonly name: string;
  readonly isShifted: boolean;
}

/** A table whose content has digests, chunk by chunk. */
export interface CoveredTable {
  readonly name: string;
  /** All columns that digests cover, the primary key first. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly keys: readonly KeyPart[];
  /** The columns of the primary key, which name rows in messages. */
  readonly primary: readonly string[];
  /** Whether the primary key is a single integer. */
  readonly hasId: boolean;
}

/** Tables and columns without digests, with the id of the check that finds their faults. */
export const OTHERWISE_CHECKED: Readonly<Record<string, string>> = {
  audit_log: 'audit_log',
  // A request has tens of megabytes of items; its row has their hash.
  bulk_items: 'content',
  content_digests: 'content',
  content_pending: 'content',
  content_state: 'content',
  match_records: 'matches',
  listed_keys: 'lists',
  listed_amounts: 'lists',
  record_words: 'search',
  record_words_config: 'search',
  record_words_data: 'search',
  record_words_docsize: 'search',
  record_words_idx: 'search',
  'records.key_print': 'lists',
};

/** Tables that are derived from others, and rebuilt when they are wrong. */
const DERIVED = new Set([
  'column_packs',
  'column_parts',
  'column_changes',
  'column_state',
  'reconciled_days',
  'search_state',
  'search_changes',
  'run_bases',
]);

export function isDerived(table: string): boolean {
  return DERIVED.has(table);
}

/** Tables whose chunks use fewer columns than the primary key has; the last column named is shifted. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  overdue_records: ['record_id'],
  wiped_matches: ['match_id'],
  bulk_request_streams: ['bulk_request_id'],
  reconciled_days: ['stream_id', 'day'],
};
/** Tables with large rows, each of which is a chunk. */
const LARGE = new Set(['column_parts', 'coverings', 'import_rows', 'kept_files', 'run_bases']);

interface Column {
  readonly tab: string;
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** Returns the tables of a book that have digests, read from its own schema, so that new tables and columns are covered automatically. */
export function coveredTables(connection: SqliteDatabase.Database, schema: string): CoveredTable[] {
  const columns = connection
    .prepare<[string], Column>(
      `SELECT m.name AS tab, c.name, c.type, c.pk FROM ${schema}.sqlite_schema m CROSS JOIN pragma_table_info(m.name, ?) c
       WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`,
    )
    .all(schema);
  return (
    [...Map.groupBy(columns, ({ tab }) => tab)]
      // A table without a primary key is not Tieout's; the check of the schema reports it.
      .filter(([name, all]) => OTHERWISE_CHECKED[name] === undefined && all.some(({ pk }) => pk > 0))
      .map(([name, all]) => coveredTable(name, all))
  );
}

function coveredTable(name: string, all: readonly Column[]): CoveredTable {
  const primary = all.filter(({ pk }) => pk > 0).toSorted((one, other) => one.pk - other.pk);
  const others = all.filter((column) => column.pk === 0 && OTHERWISE_CHECKED[`${name}.${column.name}`] === undefined);
  const columns = [...primary, ...others];
  const named = KEYS[name] ?? primary.map((column) => column.name);
  const keys = named.map((key, place) => {
    const isInteger = columns.find((column) => column.name === key)?.type === 'INTEGER';
    return { name: key, isShifted: isInteger && place === named.length - 1 && !LARGE.has(name) };
  });
  const [only] = primary;
  return { name, columns, keys, primary: primary.map((column) => column.name), hasId: primary.length === 1 && only?.type === 'INTEGER' };
}
