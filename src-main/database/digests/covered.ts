import type SqliteDatabase from 'better-sqlite3';

/** Ids of a chunk: so many rows that follow each other have one digest. */
const CHUNK_BITS = 7;
export const ROWS_OF_CHUNK = 2 ** CHUNK_BITS;

/** A column by which rows fall into chunks; one that is shifted puts neighbours together. */
interface KeyPart {
  readonly name: string;
  readonly isShifted: boolean;
}

/** A table whose content has digests, chunk by chunk. */
export interface CoveredTable {
  readonly name: string;
  /** All that digests cover, the primary key first. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly keys: readonly KeyPart[];
  /** Columns of the primary key; what rows are told by. */
  readonly primary: readonly string[];
  /** Whether a row's own key is one whole number. */
  readonly hasId: boolean;
}

/** What has no digests, and what tells its faults instead: the id of a check. */
export const OTHERWISE_CHECKED: Readonly<Record<string, string>> = {
  audit_log: 'audit_log',
  // A request has tens of megabytes of items, and its row the hash of them.
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

/** Made of other tables, and made anew where it is wrong. */
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

/** Tables whose rows fall into chunks by fewer columns than their primary key has: the last one named is shifted. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  overdue_records: ['record_id'],
  wiped_matches: ['match_id'],
  bulk_request_streams: ['bulk_request_id'],
  reconciled_days: ['stream_id', 'day'],
};
/** Rows of these are large: each is a chunk. */
const LARGE = new Set(['column_parts', 'coverings', 'import_rows', 'run_bases']);

interface Column {
  readonly tab: string;
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** The tables of a book that have digests, as its own schema describes them: so a new table or column is covered without a word here. */
export function coveredTables(connection: SqliteDatabase.Database, schema: string): CoveredTable[] {
  const columns = connection
    .prepare<[string], Column>(
      `SELECT m.name AS tab, c.name, c.type, c.pk FROM ${schema}.sqlite_schema m CROSS JOIN pragma_table_info(m.name, ?) c
       WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`,
    )
    .all(schema);
  return (
    [...Map.groupBy(columns, ({ tab }) => tab)]
      // A table without a primary key is none of Tieout's: the check of the schema tells of it.
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
