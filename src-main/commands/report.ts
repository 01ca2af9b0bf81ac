import { renameSync, writeFileSync } from 'node:fs';
import type { JournalLayoutId, PeriodStatement, ReportFormat } from '../../src-shared/contract/index.ts';
import { existingPeriod, type PeriodOptions } from './find-period.ts';
import { cannotWrite, removePart, type Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import { exitCodeOf, verdictsText, wholeStatement } from './statement-text.ts';
import { say } from '../../src-shared/words/say.ts';

interface ReportOptions extends PeriodOptions, ReportChoice {
  /** File to write, or `-` for stdout. */
  readonly out: string;
}

/** Writes a file beside its place and renames it, so that no reader sees a part of it. */
function writeWhole(file: string, content: string | Uint8Array): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, content);
    renameSync(part, file);
  } catch (error) {
    removePart(part);
    throw cannotWrite(file, error, 'file_not_written');
  }
}

/** Writes to stdout. Resolves when all of it is written, or when the reader of the pipe (`| head`) has closed it. */
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
    const fingerprintLine = say('commands.report.itsFingerprintIsTieout', { fingerprint });
    if (out === '-') {
      await written(content);
      output.note(fingerprintLine);
    } else {
      writeWhole(out, content);
      const { unexplained, agrees } = statement;
      output.print({ file: out, format, bytes: Buffer.byteLength(content), fingerprint, unexplained, agrees }, [
        say('commands.report.wrote', { out, verdicts: verdictsText(statement) }),
        fingerprintLine,
      ]);
    }
    return exitCodeOf(statement);
  });
}

/** Format of a report, and the layout of a journal. */
interface ReportChoice {
  readonly format: 'json' | ReportFormat;
  readonly layout?: JournalLayoutId | undefined;
  readonly columns?: string | undefined;
}

interface ReportContent {
  readonly content: string | Uint8Array;
  readonly fingerprint: string;
}

/** Returns the content of a report and its fingerprint. `json` is the statement itself; the service makes all other formats. */
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
