import { firstBrokenAuditEntry } from '../../store/audit.ts';
import type { Check } from './check.ts';

/** Every entry of the audit log follows from the one before it. */
export const auditCheck: Check = {
  id: 'audit_log',
  label: 'the audit log',
  find: (database) => {
    const id = firstBrokenAuditEntry(database);
    if (id === null) return [];
    return [
      {
        message: `Entry ${id} of the audit log does not follow from the one before it: something changed the log without Tieout. What is before entry ${id} can be relied on; compare the rest with a backup.`,
      },
    ];
  },
};
