import { anchorFault, anchorOf } from '../../store/audit-anchor.ts';
import { firstBrokenAuditEntry } from '../../store/audit.ts';
import type { Check } from './check.ts';

/** Every entry of the audit log follows from the one before it, and none is missing that the book says it has. */
export const auditCheck: Check = {
  id: 'audit_log',
  label: 'the audit log',
  find: (database) => {
    const id = firstBrokenAuditEntry(database);
    if (id === null) {
      const fault = anchorFault(database, anchorOf(database));
      return fault === null ? [] : [{ message: `${fault}. What it still holds can be relied on; compare the rest with a backup.` }];
    }
    return [
      {
        message: `Entry ${id} of the audit log does not follow from the one before it: something changed the log without Tieout. What is before entry ${id} can be relied on; compare the rest with a backup.`,
      },
    ];
  },
};
