/** What the rest of Tieout may use of the report of a close. */
export { documentOf } from './document/document-of.ts';
export { reportHtml } from './html/report-html.ts';
export { packHtml } from './pack/pack-html.ts';
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
