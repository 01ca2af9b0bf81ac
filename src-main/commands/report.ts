import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { JournalLayoutId, PeriodStatement, ReportFormat } from '../../src-shared/contract/index.ts';
import { existingPeriod, type PeriodOptions } from './find-period.ts';
import { CommandError, EXIT, type Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import { exitCodeOf, verdictsText, wholeStatement } from './statement-text.ts';

interface ReportOptions extends PeriodOptions, ReportChoice {
  /** A file, or `-` for stdout. */
  readonly out: string;
}

/** Written beside it and moved into place, so that nobody reads half of it. */
function writeWhole(file: string, content: string | Uint8Array): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, content);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(EXIT.environment, 'file_not_written', `The report could not be written to ${file}: ${why}`);
  }
}

/** Resolves when all of it is on its way, or when the reader of the pipe has read enough (`| head`) and is gone. */
function written(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(content, (error) => {
      const isReaderGone = error !== null && error !== undefined && 'code' in error && error.code === 'EPIPE';
      if (error && !isReaderGone) reject(error);
      else resolve();
    });
  });
}

/** Writes the report of a period. */
export async function report(options: ReportOptions, output: Output): Promise<number> {
  const { format, out } = options;
  return withSession('report', options, output, async (session) => {
    const period = await existingPeriod(session, options);
    const statement = await wholeStatement(session, period.id, options.currency);
    const { content, fingerprint } = await contentOf(session, period.id, statement, options);
    const told = `Its fingerprint is ${fingerprint}: tieout verify --fingerprint holds a print against the book.`;
    if (out === '-') {
      await written(content);
      output.note(told);
    } else {
      writeWhole(out, content);
      const { unexplained, agrees } = statement;
      output.print({ file: out, format, bytes: Buffer.byteLength(content), fingerprint, unexplained, agrees }, [
        `Wrote ${out}. ${verdictsText(statement)}`,
        told,
      ]);
    }
    return exitCodeOf(statement);
  });
}

/** What a report is written as, and of a journal how. */
interface ReportChoice {
  readonly format: 'json' | ReportFormat;
  readonly layout?: JournalLayoutId | undefined;
  readonly columns?: string | undefined;
}

interface ReportContent {
  readonly content: string | Uint8Array;
  readonly fingerprint: string;
}

/** The bytes or the text of a report, with its fingerprint. `json` is the statement itself; all others are made by the service. */
async function contentOf(
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
