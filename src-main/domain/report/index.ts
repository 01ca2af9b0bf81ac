/** The part of the report that other rooms may use. */
export { reportCsv } from './report-csv.ts';
export { documentOf } from './document-of.ts';
export { fingerprintOf } from './report-data.ts';
export { causeTitle, momentText, shortHash } from './report-words.ts';
export { type DifferingMatch, differingMatches, rowText, statementDocument, verdictOf, verdictText } from './statement-document.ts';
export { reportHtml } from './report-html.ts';
export { journalCsv } from './journal-layouts.ts';
export { JOURNAL_LAYOUTS, type JournalLayout, layoutOfColumns, PLAIN_LAYOUT } from './journal-layouts.ts';
export type {
  CloseReport,
  MatchOrigin,
  Moment,
  ReportAuditEntry,
  ReportCertainty,
  ReportChange,
  ReportException,
  ReportImport,
  ReportMatch,
  ReportOpenItem,
  ReportSide,
  ReportSignOff,
} from './close-report.ts';
export type { Section, Table } from './document.ts';
export { linkWorkbook } from './link-workbook.ts';
export { type ListColumn, listCsv, type ListTable, listWorkbook } from './report-csv.ts';
export { type PackedFile, packHtml } from './pack-html.ts';
export { reportWorkbook } from './report-workbook.ts';
