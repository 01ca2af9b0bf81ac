import { openFailure } from '../../store/book.ts';
import type { Database } from '../../store/database.ts';
import { type Check, type Finding, MOST_FINDINGS } from './check.ts';

/** What one check came to. */
export interface Checked {
  readonly check: Check;
  readonly findings: readonly Finding[];
  /** There are more than these. */
  readonly isMore: boolean;
}

/** Makes checks on one snapshot of a book, and then mends what they say is mended. `onCheck` is told before each. */
export function verifyBook(database: Database, checks: readonly Check[], onCheck: (check: Check) => void): Checked[] {
  const checked = database.snapshot(() =>
    checks.map((check) => {
      onCheck(check);
      return made(database, check);
    }),
  );
  for (const { findings } of checked) for (const { mend } of findings) if (mend !== undefined) database.write(mend);
  return checked;
}

function made(database: Database, check: Check): Checked {
  const findings: Finding[] = [];
  try {
    for (const finding of check.find(database)) {
      if (findings.length === MOST_FINDINGS) return { check, findings, isMore: true };
      findings.push(finding);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_'))) throw error;
    findings.push({ message: openFailure(error, database.path).message });
  }
  return { check, findings, isMore: false };
}
