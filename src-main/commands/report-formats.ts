import type { JournalLayoutId, PeriodStatement, ReportFormat } from '../../src-shared/contract/index.ts';
import type { Session } from './session.ts';

/** What a report is written as, and of a journal how. */
export interface ReportChoice {
  readonly format: 'json' | ReportFormat;
  readonly layout?: JournalLayoutId | undefined;
  readonly columns?: string | undefined;
}

interface ReportContent {
  readonly content: string | Uint8Array;
  readonly fingerprint: string;
}

/** The bytes or the text of a report, with its fingerprint. `json` is the statement itself; all others are made by the service. */
export async function contentOf(
  { client }: Session,
  id: number,
  statement: PeriodStatement,
  { format, layout, columns }: ReportChoice,
): Promise<ReportContent> {
  const { currency } = statement;
  if (format === 'json') {
    const { fingerprint } = await client.get('periods.report', { id, format: 'csv', currency });
    return { content: `${JSON.stringify({ ...statement, fingerprint })}\n`, fingerprint };
  }
  const { encoding, content, fingerprint } = await client.get('periods.report', { id, format, currency, layout, columns });
  return { content: encoding === 'utf8' ? content : Buffer.from(content, 'base64'), fingerprint };
}
