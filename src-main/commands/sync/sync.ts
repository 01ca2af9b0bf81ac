import { existsSync, readFileSync } from 'node:fs';
import type { BookSync, SyncOptions } from '../../backend/types.ts';
import { COUNTED, emptyResult, type SyncResult } from '../../sync/model/result.ts';
import { requireBook } from '../book-there.ts';
import { CommandError, EXIT, type ExitCode, type Output } from '../output.ts';
import { type CommonOptions, untilStopped, withSession } from '../session.ts';

export interface RemoteOptions extends CommonOptions {
  readonly remote: string;
  readonly keyFile: string;
}

/** The key that stands in a file, alone on its line. */
function keyOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = existsSync(file) ? (error instanceof Error ? error.message : String(error)) : 'it does not exist';
    throw new CommandError(EXIT.environment, 'key_unreadable', `The key file ${file} cannot be read: ${reason}.`);
  }
  const key = text.trim();
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw new CommandError(
    EXIT.environment,
    'key_unreadable',
    `The key file ${file} holds no key: it is one line with the key of the remote.`,
  );
}

/** Does work with a remote on the book; Ctrl+C or SIGTERM stops it between two requests. */
async function withRemote<T>(options: RemoteOptions, output: Output, work: (sync: BookSync, order: SyncOptions) => Promise<T>): Promise<T> {
  requireBook(options.data);
  const apiKey = keyOf(options.keyFile);
  return withSession('sync', options, output, ({ backend }) =>
    untilStopped((signal) =>
      work(backend.sync, { environment: options.environment, baseUrl: options.remote, apiKey, note: output.note, signal }),
    ),
  );
}

function countsText(way: 'sent' | 'received', result: SyncResult): string {
  const counts = COUNTED.flatMap((name) => (result[way][name] === 0 ? [] : [`${result[way][name]} ${name}`]));
  const verb = result.preview ? `would be ${way}` : way;
  return counts.length === 0 ? `Nothing ${verb}.` : `${verb.charAt(0).toUpperCase()}${verb.slice(1)}: ${counts.join(', ')}.`;
}

function linesOf(result: SyncResult): string[] {
  return [
    countsText('sent', result),
    countsText('received', result),
    ...result.conflicts.flatMap(({ id, what, local, remote, choices }) => [
      `Conflict ${id}: ${what}`,
      `  here: ${local}`,
      `  there: ${remote}`,
      `  tieout sync resolve ${id} --choice ${choices.join('|')}`,
    ]),
    ...result.unsure.map(({ resource, name, reason }) => `Unsure: ${resource} ${name}: ${reason}`),
    ...result.refused.map(({ resource, name, message }) => `Refused: ${resource} ${name}: ${message}`),
    ...result.remote.cannot_move.map(({ resource, name, reason }) => `Stays: ${resource} ${name}: ${reason}`),
    ...(result.error === null ? [] : [result.error.message]),
  ];
}

function exitOf(result: SyncResult): ExitCode {
  if (result.error !== null) return EXIT.environment;
  return result.ok ? EXIT.fine : EXIT.problems;
}

export async function syncCommand(options: RemoteOptions & { readonly preview: boolean }, output: Output): Promise<ExitCode> {
  const result = await withRemote(options, output, (sync, order) => sync.run({ ...order, preview: options.preview })).catch(
    (error: unknown) => {
      // Even a book that cannot be opened is answered in the form of every other end.
      if (!(error instanceof CommandError) || error.exitCode === EXIT.usage || !options.json) throw error;
      const { code, message } = error;
      return { ...emptyResult(options.remote, options.preview), ok: false, error: { code, message } };
    },
  );
  output.print(result, linesOf(result));
  return exitOf(result);
}

export async function verifySync(options: RemoteOptions, output: Output): Promise<ExitCode> {
  const verified = await withRemote(options, output, (sync, order) => sync.verify(order));
  if (!verified.ok) throw new CommandError(EXIT.environment, verified.error.code, verified.error.message);
  const { equal, differences } = verified.value;
  output.print(verified.value, [
    ...differences.map(
      ({ resource, name, local, remote }) =>
        `${resource} of ${name}: here ${local.count} (sum ${local.sum}), there ${remote.count} (sum ${remote.sum})`,
    ),
    equal ? 'Both sides are equal.' : 'Both sides differ: the next sync moves what can be moved.',
  ]);
  return equal ? EXIT.fine : EXIT.problems;
}

export function resolveCommand(id: number, options: CommonOptions & { readonly choice: string }, output: Output): Promise<ExitCode> {
  requireBook(options.data);
  return withSession('sync', options, output, async ({ backend }) => {
    const resolved = backend.sync.resolve(options.environment, id, options.choice);
    if (!resolved.ok) throw new CommandError(EXIT.usage, 'no_such_choice', resolved.error);
    output.print({ id, choice: options.choice }, [`Conflict ${id} ends as chosen with the next sync.`]);
    return EXIT.fine;
  });
}
