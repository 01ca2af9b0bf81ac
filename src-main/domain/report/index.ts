/** What the rest of Tieout may use of the report of a close. */
export { reportCsv } from './csv/report-csv.ts';
export { documentOf } from './document/document-of.ts';
export { fingerprintOf } from './document/report-data.ts';
export { REASON_TITLES, shortHash, STATUS_WORDS } from './document/report-words.ts';
export { reportHtml } from './html/report-html.ts';
export { journalCsv } from './journal/journal-csv.ts';
export {
  type DayFormat,
  JOURNAL_LAYOUTS,
  type JournalColumn,
  type JournalField,
  type JournalLayout,
  layoutOfColumns,
  PLAIN_LAYOUT,
} from './journal/journal-layouts.ts';
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
} from './model/close-report.ts';
export type {
  Block,
  Cell,
  Column,
  ColumnKind,
  Document,
  Group,
  Identity,
  Row,
  Section,
  Table,
  Total,
  TotalCell,
} from './model/document.ts';
export { packHtml } from './pack/pack-html.ts';
export { reportWorkbook } from './xlsx/report-workbook.ts';
