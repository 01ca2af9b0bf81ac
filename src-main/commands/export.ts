import { createWriteStream, renameSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ServiceError } from '../../src-shared/client/client.ts';
import { contract } from '../../src-shared/contract/index.ts';
import { bodyOf } from '../../src-shared/contract/rules/rule-bodies.ts';
import { present } from '../../src-shared/values/assert.ts';
import { say } from '../../src-shared/words/say.ts';
import { createCsvAnswerer } from '../transport/csv/csv-list.ts';
import { findReconciliation } from './find-period.ts';
import { cannotWrite, CommandError, EXIT, type ExitCode, type Output, removePart } from './output.ts';
import { type CommonOptions, requireBook, type Session, withSession } from './session.ts';

export interface ExportOptions extends CommonOptions {
  readonly what: 'matches' | 'open-items' | 'transactions' | 'rules';
  /** Id or name; needed for all but transactions. */
  readonly reconciliation?: string;
  /** Id of the account whose transactions are written; all where it is left out. */
  readonly account?: string;
  /** Day of the open items. */
  readonly asOf?: string;
  readonly textIds: boolean;
  /** File to write, or `-` for stdout. */
  readonly out: string;
}

/** The list that each table is written from. */
const LISTS = { matches: 'matches.lines', 'open-items': 'figures.items', transactions: 'records.list' } as const;

async function inputOf(session: Session, { what, reconciliation, account, asOf }: ExportOptions): Promise<Record<string, unknown>> {
  if (what === 'transactions') return account === undefined ? {} : { data_stream_key: account };
  if (reconciliation === undefined) throw new CommandError(EXIT.usage, 'usage', say('commands.export.reconciliationIsMissing', { what }));
  const { id } = await findReconciliation(session, reconciliation);
  return what === 'matches' ? { reconciliation_id: id } : { id, ...(asOf === undefined ? {} : { as_of: asOf }) };
}

/** Returns the pieces of a table, the same bytes as `format=csv` of the local address has. */
async function piecesOf(session: Session, options: ExportOptions): Promise<Iterable<Buffer> | AsyncIterable<Buffer>> {
  const input = await inputOf(session, options);
  if (options.what === 'rules') {
    const rules = await session.client.get('rules.list', { reconciliation_id: Number(input['id']) });
    return [Buffer.from(`${JSON.stringify(rules.map(bodyOf), null, 2)}\n`)];
  }
  const answerCsv = present(createCsvAnswerer(contract[LISTS[options.what]]), 'the table of a list');
  const request = { isHead: false, spreadsheet: { textIds: options.textIds }, isGone: () => false };
  const answer = await answerCsv(session.request, input, request);
  if (!answer.ok) throw new ServiceError(answer.error);
  return answer.value.lines;
}

/** Writes pieces and counts them. The file gets its name when it is whole, so that no reader sees a part of it. */
async function written(pieces: AsyncIterable<Buffer> | Iterable<Buffer>, out: string): Promise<number> {
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  }
  if (out === '-') {
    for await (const piece of counted()) if (!process.stdout.write(piece)) await drained(process.stdout);
    return bytes;
  }
  const part = `${out}.part`;
  try {
    await pipeline(counted(), createWriteStream(part));
    renameSync(part, out);
  } catch (error) {
    removePart(part);
    throw cannotWrite(out, error);
  }
  return bytes;
}

/** Resolves when a stream takes more, or its reader has gone. */
function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('drain', resolve);
    stream.once('error', () => resolve());
  });
}

/** Writes a table as CSV for spreadsheets, or the rules of a reconciliation as a rules file. */
export function exportTable(options: ExportOptions, output: Output): Promise<ExitCode> {
  const { what, out } = options;
  requireBook(options.data);
  return withSession('export', options, output, async (session) => {
    const bytes = await written(await piecesOf(session, options), out);
    if (out === '-') output.note(say('commands.export.wrote', { what, out: 'stdout', bytes }));
    else output.print({ file: out, what, bytes }, [say('commands.export.wrote', { what, out, bytes })]);
    return EXIT.fine;
  });
}
