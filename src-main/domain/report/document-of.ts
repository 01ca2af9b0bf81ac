import { dayText, periodText } from '../ledger/index.ts';
import type { CloseReport } from './close-report.ts';
import type { Document } from './document.ts';
import { auditSection, changeSection, checkSection, importSection, signOffSection } from './evidence-sections.ts';
import { exceptionSection, journalSection } from './journal-section.ts';
import { linesSection } from './lines-section.ts';
import { decidedSection, matchSection } from './match-sections.ts';
import { matchGroups } from './numbered-matches.ts';
import { differenceSection, openSection } from './open-section.ts';
import { contentsHash, fingerprintOf, type UnsealedDocument } from './report-data.ts';
import { daysText, momentText, readableSentence, shortHash, slotTitle } from './report-words.ts';
import { statementSection } from './statement-section.ts';

function sourceOf(report: CloseReport, side: 'bank' | 'books'): string {
  const { sources, accountName } = report.sides[side];
  const [first, ...more] = sources;
  const name = first ?? accountName;
  return `${slotTitle(report, side)}: ${more.length === 0 ? name : `${name} and ${more.length} more`}`;
}

function identityOf(report: CloseReport): UnsealedDocument['identity'] {
  const { statement, sides } = report;
  const { period } = statement;
  return {
    bookName: report.bookName,
    reconciliation: report.reconciliation,
    account: report.isNeutral ? `${sides.bank.accountName} and ${sides.books.accountName}` : sides.bank.accountName,
    accountNumber: sides.bank.accountNumber,
    sources: [sourceOf(report, 'bank'), sourceOf(report, 'books')],
    period: periodText(period),
    days: daysText(period.from, period.to),
    currency: statement.currency,
    decimalPlaces: statement.decimalPlaces,
    preparedBy: report.preparedBy,
    state: report.state,
    isStale: report.isStale,
    fingerprint: shortHash(fingerprintOf(report)),
  };
}

function warningsOf({ isStale, staleChanges, bookWarnings, statement, state }: CloseReport): string[] {
  const stale =
    `Something has changed since this period was ${state === 'open' ? 'prepared' : state}; section 9 lists it` +
    `${staleChanges.length === 0 ? '' : ` (${staleChanges.length})`}. The signatures do not cover the figures below.`;
  const said = [...bookWarnings, ...statement.warnings.map(({ message }) => message)];
  return [...(isStale ? [stale] : []), ...said.map(readableSentence)];
}

/** What a report says: the one model that every format renders. */
export function documentOf(report: CloseReport): Document {
  const groups = matchGroups(report);
  const matches = groups.flatMap((each) => each.matches);
  const identity = identityOf(report);
  const statement = statementSection(report, matches);
  const said: UnsealedDocument = {
    title: `${statement.heading.replace(' statement', '')}, ${report.reconciliation}, ${identity.period}`,
    subtitle: `as at ${dayText(report.statement.period.to)}, all amounts in ${identity.currency}`,
    identity,
    warnings: warningsOf(report),
    sections: [
      statement,
      openSection(report, matches),
      differenceSection(report, matches),
      matchSection(report, groups),
      decidedSection(report, groups),
      journalSection(report, matches),
      exceptionSection(report),
      importSection(report),
      signOffSection(report),
      changeSection(report),
      auditSection(report),
      checkSection(report),
      linesSection(report, matches),
    ],
  };
  const printed = `${momentText(report.printedAt)} UTC with Tieout ${report.version}`;
  return { ...said, identity: { ...identity, contents: shortHash(contentsHash(report, said)), printed } };
}
