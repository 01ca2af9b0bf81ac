import type { JournalLayoutId, PeriodStatement, ReportFormat } from '../../../src-shared/contract/index.ts';
import type { Session } from '../session.ts';

/** What a report is written as, and of a journal how. */
export interface ReportChoice {
  readonly format: 'json' | ReportFormat;
  readonly layout?: JournalLayoutId | undefined;
  readonly columns?: string | undefined;
}

/** The bytes or the text of a report. `json` is the statement itself; all others are made by the service. */
export async function contentOf(
  { client }: Session,
  id: number,
  statement: PeriodStatement,
  { format, layout, columns }: ReportChoice,
): Promise<string | Uint8Array> {
  if (format === 'json') return `${JSON.stringify(statement)}\n`;
  const { encoding, content } = await client.get('periods.report', { id, format, currency: statement.currency, layout, columns });
  return encoding === 'utf8' ? content : Buffer.from(content, 'base64');
}
