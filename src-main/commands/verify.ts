import { CHECKS } from '../book/work/checks/list.ts';
import { type Checked, verifyBook } from '../book/work/checks/verify-book.ts';
import { anchorCheck } from '../book/work/checks/anchor.ts';
import { fingerprintDigits, fingerprintsOfBook } from '../close/work/find-fingerprint.ts';
import { shortHash } from '../domain/report/index.ts';
import { systemClock } from '../platform/system.ts';
import { acceptBook } from '../book/store/accept-book.ts';
import { anchorFault, AnchorKeeper, anchorOf, readAnchor, setAnchor } from '../book/store/audit-anchor.ts';
import { openBook } from '../book/store/book.ts';
import { namingNewest } from '../book/store/restore-advice.ts';
import type { Database } from '../database/database.ts';
import { requireBook } from './require-book.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';

export interface VerifyOptions {
  readonly data: string;
  readonly json: boolean;
  /** Accepts the book as it is, so that later checks report only later changes. */
  readonly accept: boolean;
  /** File with an anchor that was kept elsewhere. */
  readonly anchor?: string;
  /** Fingerprint of a print or a pack. */
  readonly fingerprint?: string;
}

/** Checks a book, also while Tieout runs on the folder. Opening a book of an older version keeps a copy of it, as always. */
export function verify(options: VerifyOptions, output: Output): ExitCode {
  requireBook(options.data);
  const digits = digitsOf(options);
  const book = openBook(options.data);
  if (!book.ok) {
    if (book.error.code !== 'damaged') throw new CommandError(EXIT.environment, book.error.code, book.error.message);
    return printed(options, output, [{ id: 'file', findings: [book.error.message], is_more: false }]);
  }
  const database = book.value;
  try {
    // The anchor is read before the book, which may change meanwhile.
    const keeper = new AnchorKeeper(options.data, database);
    const checks = [...CHECKS, anchorCheck(keeper.fault ?? faultOfOther(options, database))];
    const checked = verifyBook(database, checks, ({ label }) => output.note(`checking ${label}`));
    const isDamaged = checked.some((each) => each.isDamaged);
    if (options.accept && !isDamaged) {
      acceptBook(database, systemClock.nowMs(), 'cli');
      setAnchor(options.data, anchorOf(database));
      output.note('The book is taken as it is: from now on only what changes after this is found.');
    } else if (!isDamaged) keeper.keep();
    const documents = checked.map((one) => documentOf(one, options.data));
    // The fingerprints of a damaged book cannot be trusted.
    return printed(
      options,
      output,
      digits === null || isDamaged ? documents : [...documents, fingerprintDocument(database, digits, output)],
    );
  } finally {
    database.close();
  }
}

function digitsOf({ fingerprint }: VerifyOptions): string | null {
  if (fingerprint === undefined) return null;
  const digits = fingerprintDigits(fingerprint);
  if (digits !== null) return digits;
  throw new CommandError(
    EXIT.usage,
    'no_fingerprint',
    `“${fingerprint}” is no fingerprint: give the 16 digits at the foot of a page, such as "f2c9 17db b5a4 6fb3".`,
  );
}

/** Most fingerprints of the book that are named when one is unknown. */
const MOST_NAMED = 20;

/** Returns whether a print belongs to this book, and otherwise the fingerprints that the book has. */
function fingerprintDocument(database: Database, digits: string, output: Output): CheckDocument {
  const known = database.look(() => fingerprintsOfBook(database));
  const findings: string[] = [];
  const found = known.filter((one) => one.digits.startsWith(digits));
  for (const { reconciliation, period, state, isCurrent } of found) {
    const named = `The fingerprint is that of the report of ${period} of “${reconciliation}”`;
    if (isCurrent) output.note(`${named}, as the book has it now (${state}).`);
    else findings.push(`${named} as it was after an earlier signature: the book has another one now, so the print is out of date.`);
  }
  if (found.length === 0) {
    const names = known
      .slice(0, MOST_NAMED)
      .map((one) => `${shortHash(one.digits)} (${one.period} of “${one.reconciliation}”${one.isCurrent ? '' : ', out of date'})`);
    const more = known.length > MOST_NAMED ? ` and ${known.length - MOST_NAMED} more` : '';
    const there = names.length === 0 ? 'The book has no period, so no print is of it.' : `The book knows ${names.join(', ')}${more}.`;
    findings.push(
      `The fingerprint ${shortHash(digits)} is not of any sign-off or report of this book: the print is of another book, or what it says was changed. ${there}`,
    );
  }
  return { id: 'fingerprint', findings, is_more: false, reports: found.map(reportDocument), known: known.map(reportDocument) };
}

type Known = ReturnType<typeof fingerprintsOfBook>[number];

function reportDocument({ reconciliation, period, state, isCurrent, digits }: Known) {
  return { reconciliation, period, state, is_current: isCurrent, fingerprint: shortHash(digits) };
}

/** Returns the fault of the book against an anchor that was kept elsewhere; null where there is none. */
function faultOfOther({ data, anchor }: VerifyOptions, database: Database): string | null {
  if (anchor === undefined) return null;
  const kept = readAnchor(data, anchor);
  if (kept === null || kept === 'unreadable') {
    throw new CommandError(EXIT.usage, 'anchor_unreadable', `${anchor} is no anchor of a book: give a copy of a file book.anchor.`);
  }
  return anchorFault(database, kept);
}

interface CheckDocument {
  readonly id: string;
  readonly findings: readonly string[];
  readonly is_more: boolean;
  /** Reports that have or had the fingerprint. */
  readonly reports?: readonly unknown[];
  /** All fingerprints of the book. */
  readonly known?: readonly unknown[];
}

function documentOf({ check, findings, isMore }: Checked, dataFolder: string): CheckDocument {
  return { id: check.id, findings: findings.map(({ message }) => namingNewest(message, dataFolder)), is_more: isMore };
}

function printed({ data }: VerifyOptions, output: Output, checks: readonly CheckDocument[]): ExitCode {
  const counted = (some: readonly CheckDocument[]): number => some.reduce((sum, { findings }) => sum + findings.length, 0);
  const count = counted(checks);
  // A foreign print is no fault of the book.
  const faults = counted(checks.filter(({ id }) => id !== 'fingerprint'));
  const isMore = checks.some((check) => check.is_more);
  output.print({ data, findings: count, is_more: isMore, checks }, [
    ...checks.flatMap(({ findings, is_more: hasMore }) => [
      ...findings.map((message) => `- ${message}`),
      ...(hasMore ? ['- and more of that kind.'] : []),
    ]),
    faults === 0 ? `The book in ${data} is sound.` : `The book in ${data} has ${faults === 1 ? 'a fault' : `${faults} faults`}.`,
  ]);
  return count === 0 ? EXIT.fine : EXIT.problems;
}
