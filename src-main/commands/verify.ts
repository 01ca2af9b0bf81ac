import { say } from '../../src-shared/words/say.ts';
import { anchorFault, AnchorKeeper, anchorOf, readAnchor, setAnchor } from '../book/store/audit-anchor.ts';
import { acceptBook, openBook } from '../book/store/book.ts';
import { namingNewest } from '../book/store/restore-advice.ts';
import { anchorCheck, type Checked, CHECKS, verifyBook } from '../book/work/verify-book.ts';
import { fingerprintDigits, fingerprintsOfBook } from '../close/work/find-fingerprint.ts';
import type { Database } from '../database/database.ts';
import { shortHash } from '../domain/report/index.ts';
import { systemClock } from '../platform/system.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { requireBook } from './session.ts';

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
    const checked = verifyBook(database, checks, ({ label }) => output.progress(say('commands.verify.checking', { label })));
    const isDamaged = checked.some((each) => each.isDamaged);
    if (options.accept && !isDamaged) {
      acceptBook(database, systemClock.nowMs(), 'cli');
      setAnchor(options.data, anchorOf(database));
      const left = verifyBook(database, [...CHECKS, anchorCheck(faultOfOther(options, database))], () => undefined);
      const stay = left.reduce((sum, { findings }) => sum + findings.length, 0);
      output.note(stay === 0 ? say('commands.verify.theBookIsTaken') : say('commands.verify.theBookIsTakenBut', { stay }));
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
  throw new CommandError(EXIT.usage, 'no_fingerprint', say('commands.verify.isNoFingerprintGive', { fingerprint }));
}

/** Most fingerprints of the book that are named when one is unknown. */
const MOST_NAMED = 20;

/** Returns whether a print belongs to this book, and otherwise the fingerprints that the book has. */
function fingerprintDocument(database: Database, digits: string, output: Output): CheckDocument {
  const known = database.look(() => fingerprintsOfBook(database));
  const findings: string[] = [];
  const found = known.filter((one) => one.digits.startsWith(digits));
  for (const { reconciliation, period, state, isCurrent } of found) {
    const named = say('commands.verify.theFingerprintIsThatOfTheReport', { period, reconciliation });
    if (isCurrent) output.note(say('commands.verify.asTheBookHasItNow', { named, state }));
    else findings.push(say('commands.verify.asItWasAfter', { named }));
  }
  if (found.length === 0) {
    const names = known.slice(0, MOST_NAMED).map((one) =>
      say(one.isCurrent ? 'commands.verify.of' : 'commands.verify.outOfDate', {
        shortHash: shortHash(one.digits),
        period: one.period,
        reconciliation: one.reconciliation,
      }),
    );
    const listed = names.join(', ');
    const there =
      names.length === 0
        ? say('commands.verify.theBookHasNoPeriod')
        : known.length > MOST_NAMED
          ? say('commands.verify.andMore', { names: listed, more: known.length - MOST_NAMED })
          : say('commands.verify.theBookKnows', { names: listed });
    findings.push(say('commands.verify.theFingerprintIsNotOfAnySign', { shortHash: shortHash(digits), there }));
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
    throw new CommandError(EXIT.usage, 'anchor_unreadable', say('commands.verify.isNoAnchorOfABook', { anchor }));
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
      ...(hasMore ? [say('commands.verify.andMoreOfThatKind')] : []),
    ]),
    faults === 0
      ? say('commands.verify.theBookInIsSound', { data })
      : say('commands.verify.theBookInHas', {
          data,
          aFault: faults === 1 ? say('commands.verify.aFault') : say('commands.verify.faults', { faults }),
        }),
  ]);
  return count === 0 ? EXIT.fine : EXIT.problems;
}
