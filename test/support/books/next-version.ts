import { migrate } from '../../../src-main/book/store/book.ts';
import { Database } from '../../../src-main/database/database.ts';
import { MIGRATIONS, type Migration } from '../../../src-main/database/migrations/list.ts';

export const NEXT_VERSION = MIGRATIONS.length + 1;

/** The migrations of the next version of Tieout: streams get a colour, and records get notes. */
export const NEXT_MIGRATIONS: readonly Migration[] = [
  ...MIGRATIONS,
  {
    version: NEXT_VERSION,
    name: 'colours and notes',
    sql: `
ALTER TABLE streams ADD COLUMN colour TEXT;
CREATE TABLE notes(record_id INTEGER PRIMARY KEY REFERENCES records(id), text TEXT NOT NULL) STRICT;
INSERT INTO notes(record_id, text) SELECT id, 'of ' || amount FROM records;
`,
  },
];

/** As its own process: prints that it is ready, migrates the book to that version on any input, and prints the number of notes. */
if (process.argv[1] === import.meta.filename) {
  process.stdin.once('data', () => {
    const database = new Database(process.argv[2] ?? '', { synchronous: 'FULL' });
    migrate(database, true, NEXT_MIGRATIONS);
    process.stdout.write(`${database.connection.prepare('SELECT count(*) FROM notes').pluck().get()} notes\n`);
    database.close();
    process.exit();
  });
  process.stdout.write('ready\n');
}
