import type { Database } from '../../database/database.ts';
import { stateContent } from '../../database/digests/whole-content.ts';
import { appendBookAudit } from './audit.ts';

/** Accepts the content of a book, whatever wrote it: forgets the faults found so far, and notes that in the audit log. */
export function acceptBook(database: Database, atMs: number, actor: string): void {
  database.write((write) => {
    stateContent(database.connection, true);
    appendBookAudit(write, { atMs, actor, action: 'book.accepted', detail: {} });
  });
}
