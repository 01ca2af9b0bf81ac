import type { Database } from '../../../src-main/database/database.ts';

interface AuditEntry {
  readonly action: string;
  readonly actor: string;
  readonly environment_id: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Returns the entries of the audit log whose action starts with `prefix`, oldest first. */
export function auditEntries(database: Database, prefix: string): AuditEntry[] {
  return database
    .prepare<[string], Omit<AuditEntry, 'detail'> & { detail: string }>(
      "SELECT action, actor, environment_id, detail FROM audit_log WHERE action LIKE ? || '%' ORDER BY id",
    )
    .all(prefix)
    .map((row) => ({ ...row, detail: JSON.parse(row.detail) as Record<string, unknown> }));
}
