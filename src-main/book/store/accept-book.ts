import type { Database } from '../../database/database.ts';
import { stateContent } from '../../database/digests/whole-content.ts';
import { appendBookAudit } from './audit.ts';

/** Takes what a book holds as right, whatever wrote it: what was found so far is forgotten, and the audit log says that. */
export function acceptBook(database: Database, atMs: number, actor: string): void {
  database.write((write) => {
    stateContent(database.connection, true);
    appendBookAudit(write, { atMs, actor, action: 'book.accepted', detail: {} });
  });
}
