import { isDamage } from '../../../database/book-errors.ts';
import type { Database } from '../../../database/database.ts';
import { type Check, type Finding, MOST_FINDINGS } from './check.ts';

/** The result of one check. */
export interface Checked {
  readonly check: Check;
  readonly findings: readonly Finding[];
  /** Whether there are more findings. */
  readonly isMore: boolean;
  /** Whether the check could not read everything, because the file is damaged. */
  readonly isDamaged: boolean;
}

/**
 * Runs checks on one snapshot of a book, and then mends the findings that can be mended. Writes nothing if the file is damaged. `onCheck` is called
 * before each check.
 */
export function verifyBook(database: Database, checks: readonly Check[], onCheck: (check: Check) => void): Checked[] {
  const checked = checkBook(database, checks, onCheck);
  mendBook(database, checked);
  return checked;
}

/** Runs checks on one snapshot of a book, without changing anything. */
export function checkBook(database: Database, checks: readonly Check[], onCheck: (check: Check) => void): Checked[] {
  const checked: Checked[] = [];
  database.look(() => {
    for (const check of checks) {
      onCheck(check);
      const made = makeCheck(
        database,
        check,
        checked.some(({ findings }) => findings.length > 0),
      );
      checked.push(made);
    }
  });
  return checked;
}

/** Drops what can be rebuilt, unless the file is damaged. */
export function mendBook(database: Database, checked: readonly Checked[]): void {
  if (checked.some(({ check, findings, isDamaged }) => isDamaged || (check.isOfFile === true && findings.length > 0))) return;
  for (const { findings } of checked) for (const { mend } of findings) if (mend !== undefined) database.write(mend);
}

/** Runs one check. If the book was found changed, an error of a check counts as a finding; otherwise it is a fault of Tieout. */
function makeCheck(database: Database, check: Check, isInDoubt: boolean): Checked {
  const findings: Finding[] = [];
  const most = check.most ?? MOST_FINDINGS;
  try {
    for (const finding of check.find(database)) {
      if (findings.length === most) return { check, findings, isMore: true, isDamaged: false };
      findings.push(finding);
    }
  } catch (error) {
    if (!isInDoubt && !isDamage(error)) throw error;
    findings.push({
      message: `Looking at ${check.label} came to an end at something that Tieout did not write (${error instanceof Error ? error.message : String(error)}): restore the book from a backup.`,
    });
    return { check, findings, isMore: false, isDamaged: true };
  }
  return { check, findings, isMore: false, isDamaged: false };
}
