import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { CommandError, EXIT, type Output } from '../output.ts';
import { withSession } from '../session.ts';
import { existingPeriod, type PeriodOptions } from './find-period.ts';
import { RENDERERS, type ReportFormat } from './report-formats.ts';
import { exitCodeOf, wholeStatement } from './whole-statement.ts';

interface ReportOptions extends PeriodOptions {
  readonly format: ReportFormat;
  /** A file, or `-` for stdout. */
  readonly out: string;
}

/** Written aside and moved into place, so that nobody reads half of it. */
function writeWhole(file: string, content: string | Uint8Array): void {
  const aside = `${file}.part`;
  try {
    writeFileSync(aside, content);
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new CommandError(EXIT.environment, 'file_not_written', `The report could not be written to ${file}: ${why}`);
  }
}

/** Writes the report of a period. */
export async function report(options: ReportOptions, output: Output): Promise<number> {
  const { format, out } = options;
  const render = RENDERERS[format];
  if (render === undefined) {
    const there = Object.keys(RENDERERS).join(', ');
    throw new CommandError(EXIT.usage, 'format_not_available', `Reports as ${format} cannot be made yet. There is: ${there}.`);
  }
  return withSession('report', options, output, async (session) => {
    const period = await existingPeriod(session, options);
    const statement = await wholeStatement(session, period.id, options.currency);
    const content = await render({ statement });
    if (out === '-') process.stdout.write(content);
    else {
      writeWhole(out, content);
      output.print({ file: out, format, bytes: Buffer.byteLength(content), unexplained: statement.unexplained }, [`Wrote ${out}.`]);
    }
    return exitCodeOf(statement);
  });
}
