import { success, type Result } from '../../../src-shared/values/result.ts';
import type { ReadHandle } from '../../database/database.ts';
import { periodKey, type TotalOutOfRange } from '../../domain/ledger/index.ts';
import {
  type CloseReport,
  documentOf,
  fingerprintOf,
  journalCsv,
  type JournalLayout,
  packHtml,
  reportCsv,
  reportHtml,
  reportWorkbook,
  shortHash,
} from '../../domain/report/index.ts';
import { type Made, readReport } from './read-report.ts';

/** What a report is written as; a PDF is the HTML, printed. */
type Format = 'html' | 'xlsx' | 'csv' | 'pack' | 'journal';

/** Which report is wanted, as plain data. */
interface ReportWanted {
  readonly format: Format;
  /** Null: the one with the most lines. */
  readonly currency: string | null;
  /** Of the journal. */
  readonly layout: JournalLayout;
}

/** A report as a file, as plain data. */
export interface ReportFile {
  /** Without an ending, such as `northgate-current-2026-06-GBP`. */
  readonly name: string;
  readonly content: string | Uint8Array;
  /** As it stands on every page. */
  readonly fingerprint: string;
}

function nameOf({ reconciliation, statement: { period, currency } }: CloseReport): string {
  const words = reconciliation
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
  return [words, periodKey(period).replace('..', '-to-'), currency].filter((part) => part !== '').join('-');
}

function contentOf(report: CloseReport, { format, layout }: ReportWanted): string | Uint8Array {
  switch (format) {
    case 'html':
      return reportHtml(documentOf(report));
    case 'xlsx':
      return reportWorkbook(documentOf(report));
    case 'csv':
      return reportCsv(documentOf(report));
    case 'pack':
      return packHtml(report);
    case 'journal':
      return journalCsv(report.journal, report.statement, layout);
  }
}

/** The report of a period as a file; null where it has nothing in the currency. */
export function readReportFile(
  read: ReadHandle,
  periodId: number,
  wanted: ReportWanted,
  made: Made,
): Result<ReportFile | null, TotalOutOfRange> {
  const report = readReport(read, periodId, wanted.currency, made);
  if (!report.ok || report.value === null) return report as Result<null, TotalOutOfRange>;
  const { value } = report;
  return success({ name: nameOf(value), content: contentOf(value, wanted), fingerprint: shortHash(fingerprintOf(value)) });
}
