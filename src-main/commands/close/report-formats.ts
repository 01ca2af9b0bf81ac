import type { PeriodStatement } from '../../../src-shared/contract/index.ts';

export type ReportFormat = 'json' | 'html' | 'pdf' | 'xlsx' | 'csv' | 'pack';

/** All that a report is made of. */
export interface CloseReport {
  readonly statement: PeriodStatement;
}

type Renderer = (report: CloseReport) => string | Uint8Array | Promise<string | Uint8Array>;

/** What makes a report of each format. One that is missing here cannot be made yet, and the command says so. */
export const RENDERERS: Readonly<Partial<Record<ReportFormat, Renderer>>> = {
  json: ({ statement }) => `${JSON.stringify(statement)}\n`,
};
