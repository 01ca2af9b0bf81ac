import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { BOOK_FILE } from '../../src-main/store/book/book-folder.ts';
import { MIGRATIONS } from '../../src-main/store/migrations/list.ts';
import { testFolder } from './backend.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

/** The shape of a book as SQLite itself tells it, a line for each column, key, index and trigger. */
export function shapeOf(connection: SqliteDatabase.Database): string[] {
  const names = (type: string) =>
    connection
      .prepare("SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .pluck()
      .all(type) as string[];
  const lines: string[] = [];
  for (const table of names('table')) {
    lines.push(table);
    for (const column of connection.pragma(`table_xinfo("${table}")`) as Column[]) {
      const marks = [column.notnull === 1 ? 'not null' : '', column.pk > 0 ? `key ${column.pk}` : '', column.dflt_value ?? ''];
      lines.push(`  ${[column.name, column.type, ...marks].filter((mark) => mark !== '').join(' ')}`);
    }
    for (const key of connection.pragma(`foreign_key_list("${table}")`) as { table: string; from: string; on_delete: string }[]) {
      lines.push(`  ${key.from} -> ${key.table}${key.on_delete === 'NO ACTION' ? '' : ` on delete ${key.on_delete.toLowerCase()}`}`);
    }
  }
  const indices = connection
    .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
    .pluck()
    .all() as string[];
  const triggers = connection.prepare("SELECT sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name").pluck().all() as string[];
  return [...lines, ...indices, ...triggers];
}

/** A closed book in a folder of its own, as the Tieout of that book version left it, with rows that `fill` writes. Answers the folder. */
export function folderWithBookOf(version: number, fill: (connection: SqliteDatabase.Database) => void = () => {}): string {
  const folder = testFolder();
  const connection = new SqliteDatabase(path.join(folder, BOOK_FILE));
  connection.pragma('foreign_keys = ON');
  bringTo(connection, version);
  connection.pragma(`application_id = ${0x5469_654f}`);
  fill(connection);
  connection.close();
  return folder;
}

function bringTo(connection: SqliteDatabase.Database, version: number): void {
  for (const migration of MIGRATIONS.slice(0, version)) connection.exec(migration.sql);
  connection.pragma(`user_version = ${version}`);
}

/** The shape of a book of one version. */
export function shapeOfVersion(version: number): string[] {
  const connection = new SqliteDatabase(':memory:');
  bringTo(connection, version);
  const lines = shapeOf(connection);
  connection.close();
  return lines;
}

/** What the migration to `version` adds to the shape: lines that the version before has not, tables by name before their columns. */
export function addedBy(version: number): string[] {
  const before = new Set(inTables(shapeOfVersion(version - 1)));
  return inTables(shapeOfVersion(version)).filter((line) => !before.has(line));
}

/** Column and key lines with their table in front. */
function inTables(lines: readonly string[]): string[] {
  let table = '';
  return lines.map((line) => {
    if (line.startsWith('  ')) return `${table}: ${line.trim()}`;
    table = line;
    return line;
  });
}
