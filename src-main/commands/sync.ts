import { existsSync, readFileSync } from 'node:fs';
import { type Client, ServiceError } from '../../src-shared/client/client.ts';
import type { SyncUndoPlan, SyncUnsure } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { capitalized, countedNoun } from '../../src-shared/values/english.ts';
import { say } from '../../src-shared/words/say.ts';
import type { BookSync, SyncOptions } from '../backend/types.ts';
import { SEND_AGAIN } from '../sync/store/links.ts';
import { ASKED_BY, type SyncAnswers, type SyncAsked } from '../sync/work/answers.ts';
import { type Deletion, DELETIONS_WAIT, deletionWords } from '../sync/work/deletions.ts';
import { baseUrlOf } from '../sync/work/remote-http.ts';
import { COUNTED, emptyResult, type SyncResult } from '../sync/work/sync-result.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type CommonOptions, requireBook, untilStopped, withOwnSession, withSession } from './session.ts';

export interface RemoteOptions extends CommonOptions {
  readonly remote: string;
  readonly keyFile: string;
  /** Number of deletions that are allowed. */
  readonly acceptDeletions?: number;
  readonly remoteIs?: 'known' | 'new';
  readonly lostHistory?: 'send-again' | 'take';
  readonly restoredBook?: 'go-on' | 'send-again' | 'take';
  readonly undoneSync?: 'take' | 'keep';
  readonly differingAccounts?: 'go-on';
}

/** Returns the answers of the options to the questions with which a sync may stop. */
function answersOf({ remoteIs, lostHistory, restoredBook, undoneSync, differingAccounts }: RemoteOptions): SyncAnswers {
  return {
    remote_is: remoteIs,
    lost_history: lostHistory === 'send-again' ? 'send_again' : lostHistory,
    restored_book: restoredBook === 'go-on' ? 'go_on' : restoredBook === 'send-again' ? 'send_again' : restoredBook,
    undone_sync: undoneSync,
    differing_accounts: differingAccounts === undefined ? undefined : 'go_on',
  };
}

const OPTION_OF: Readonly<Record<SyncAsked, string>> = {
  remote_is: '--remote-is',
  lost_history: '--lost-history',
  restored_book: '--restored-book',
  undone_sync: '--undone-sync',
  differing_accounts: '--differing-accounts',
};

/** Returns the options that answer a question, one per line. */
function answerLines({ error }: SyncResult): string[] {
  const asked = error === null ? undefined : ASKED_BY[error.code];
  return asked === undefined ? [] : (error?.choices ?? []).map((choice) => `  ${OPTION_OF[asked]} ${choice.replace('_', '-')}`);
}

/** Returns the key in a file. Throws where the file does not consist of one key. */
function keyOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const isThere = existsSync(file);
    const reason = isThere ? (error instanceof Error ? error.message : String(error)) : say('commands.sync.itDoesNotExist');
    throw new CommandError(
      isThere ? EXIT.environment : EXIT.usage,
      'key_unreadable',
      say('commands.sync.theKeyFileCannotBeRead', { file, reason }),
    );
  }
  const key = text.trim();
  if (/^[\x21-\x7e]{1,500}$/.test(key)) return key;
  throw new CommandError(EXIT.usage, 'key_unreadable', say('commands.sync.theKeyFileHolds', { file }));
}

/** Runs work on a book with a remote. Ctrl+C or SIGTERM stops it between two requests. */
async function withRemote<T>(
  options: RemoteOptions,
  output: Output,
  work: (sync: BookSync, order: SyncOptions, client: Client) => Promise<T>,
): Promise<T> {
  requireBook(options.data);
  const apiKey = keyOf(options.keyFile);
  const { environment, remote: baseUrl, acceptDeletions } = options;
  const allowed = acceptDeletions === undefined ? {} : { acceptDeletions };
  const order = { environment, baseUrl, apiKey, answers: answersOf(options), note: output.note, ...allowed };
  return withOwnSession('sync', options, output, ({ backend, client }) =>
    untilStopped((signal) => work(backend.sync, { ...order, signal }, client)),
  );
}

function countsText(way: 'sent' | 'received', result: SyncResult): string {
  const counts = COUNTED.flatMap((name) => (result[way][name] === 0 ? [] : [countedNoun(result[way][name], name)]));
  const verb = result.preview ? say('commands.sync.wouldBe', { way }) : way;
  return counts.length === 0 ? say('commands.sync.nothing', { verb }) : `${capitalized(verb)}: ${counts.join(', ')}.`;
}

/** Returns the unsure items of a remote; empty where the book does not know the remote. */
async function unsureAt(client: Client, baseUrl: string): Promise<SyncUnsure[]> {
  const { remotes } = await client.get('sync_remotes.list', {});
  const remote = remotes.find(({ base_url: url }) => url === baseUrlOf(baseUrl));
  return remote === undefined ? [] : client.get('sync_unsure.list', { id: remote.id });
}

const settleLine = ({ id }: SyncUnsure): string => `  ${say('commands.sync.tieoutSyncSettleThereIdSendAgain', { id })}`;

function unsureLines(unsure: SyncResult['unsure'], standing: readonly SyncUnsure[]): string[] {
  const left = [...standing];
  return unsure.flatMap(({ resource, name, reason }) => {
    const at = left.findIndex((one) => one.resource === resource && one.name === name);
    return [say('commands.sync.unsure', { resource, name, reason }), ...(at < 0 ? [] : left.splice(at, 1).map(settleLine))];
  });
}

/** Returns the lines for deletions, done or planned, and the option that allows them. */
function deletionLines({ deletions, error, preview }: SyncResult): string[] {
  const { count, list, wants_word: wantsWord, why } = deletions;
  if (count === 0 || (error !== null && error.code !== DELETIONS_WAIT)) return [];
  const waits = error?.code === DELETIONS_WAIT;
  const deletionLine = ({ side, ...one }: Deletion): string => {
    const examples = one.examples.length === 0 ? '' : ` (${one.examples.join('; ')}${one.count > one.examples.length ? '; ...' : ''})`;
    return `  ${side === 'here' ? 'here' : 'there'}: ${deletionWords({ side, ...one })}${examples}`;
  };
  const word = `--accept-deletions ${count}`;
  return [
    `${say(waits ? 'commands.sync.whichWaitForYourDecision' : preview ? 'commands.sync.ifItWereSynced' : 'commands.sync.deletions', { count })}:`,
    ...list.map(deletionLine),
    ...(wantsWord && (preview || waits) ? [...why, say('commands.sync.ifThatIsRight', { word })] : []),
  ];
}

function linesOf(result: SyncResult, standing: readonly SyncUnsure[]): string[] {
  return [
    countsText('sent', result),
    countsText('received', result),
    ...deletionLines(result),
    ...result.conflicts.flatMap(({ id, what, local, remote, choices }) => [
      say('commands.sync.conflict', { id, what }),
      `  ${say('commands.sync.here', { local })}`,
      `  ${say('commands.sync.there', { remote })}`,
      `  ${say('commands.sync.tieoutSyncResolveChoice', { id, choices: choices.join('|') })}`,
    ]),
    ...unsureLines(result.unsure, standing),
    ...result.refused.map(({ resource, name, message }) => say('commands.sync.refused', { resource, name, message })),
    ...result.remote.cannot_move.map(({ resource, name, reason }) => say('commands.sync.stays', { resource, name, reason })),
    ...(result.error === null ? [] : [result.error.message]),
    ...answerLines(result),
  ];
}

function exitOf(result: SyncResult): ExitCode {
  // Waiting deletions are a problem of the job, like conflicts. A question has its own exit code.
  if (result.error !== null) {
    if (ASKED_BY[result.error.code] !== undefined) return EXIT.asked;
    return result.error.code === DELETIONS_WAIT ? EXIT.problems : EXIT.environment;
  }
  return result.ok ? EXIT.fine : EXIT.problems;
}

/** Runs a sync, a preview or a repair and prints its result. */
async function moving(
  options: RemoteOptions,
  output: Output,
  { isPreview, move }: { readonly isPreview: boolean; readonly move: (sync: BookSync, order: SyncOptions) => Promise<SyncResult> },
): Promise<ExitCode> {
  const { result, standing } = await withRemote(options, output, async (sync, order, client) => {
    const run = await move(sync, order);
    return { result: run, standing: run.unsure.length === 0 ? [] : await unsureAt(client, options.remote) };
  }).catch((error: unknown) => {
    // With `--json` even a book that cannot be opened gets the form of all other results.
    if (!(error instanceof CommandError) || error.exitCode === EXIT.usage || !options.json) throw error;
    const { code, message } = error;
    return { result: { ...emptyResult(options.remote, isPreview), ok: false, error: { code, message } }, standing: [] };
  });
  output.print(result, linesOf(result, standing));
  return exitOf(result);
}

export function syncCommand(options: RemoteOptions & { readonly preview: boolean }, output: Output): Promise<ExitCode> {
  const { preview } = options;
  return moving(options, output, { isPreview: preview, move: (sync, order) => sync.run({ ...order, preview }) });
}

/** Syncs, compares both sides, and moves the lines and matches that differ. */
export function repairSync(options: RemoteOptions, output: Output): Promise<ExitCode> {
  return moving(options, output, { isPreview: false, move: (sync, order) => sync.repair(order) });
}

export async function verifySync(options: RemoteOptions, output: Output): Promise<ExitCode> {
  const verified = await withRemote(options, output, (sync, order) => sync.verify(order));
  if (!verified.ok) {
    const exit = ASKED_BY[verified.error.code] === undefined ? EXIT.environment : EXIT.asked;
    throw new CommandError(exit, verified.error.code, verified.error.message);
  }
  const { equal, differences } = verified.value;
  output.print(verified.value, [
    ...differences.map(({ resource, name, local, remote }) =>
      say('commands.sync.ofHereSumThereSum', {
        resource,
        name,
        count: local.count,
        sum: local.sum,
        count2: remote.count,
        sum2: remote.sum,
      }),
    ),
    equal ? say('commands.sync.bothSidesAreEqual') : say('commands.sync.bothSidesDifferTheNext'),
  ]);
  return equal ? EXIT.fine : EXIT.problems;
}

/** Returns the value of an outcome. An unknown or refused choice throws as wrong usage. */
function taken<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  const { code, message } = outcome.error;
  if (code === 'not_found' || code === 'conflict') throw new CommandError(EXIT.usage, 'no_such_choice', message);
  throw new ServiceError(outcome.error);
}

export function resolveCommand(id: number, options: CommonOptions & { readonly choice: string }, output: Output): Promise<ExitCode> {
  requireBook(options.data);
  return withSession('sync', options, output, async ({ client }) => {
    const { choice } = taken(await client.call('sync_conflicts.choose', { id, choice: options.choice }));
    output.print({ id, choice }, [say('commands.sync.conflictEndsAsChosen', { id })]);
    return EXIT.fine;
  });
}

/** Lists the unsure items of all remotes. */
async function listUnsure(client: Client, output: Output): Promise<ExitCode> {
  const { remotes } = await client.get('sync_remotes.list', {});
  const lists = await Promise.all(remotes.map(({ id }) => client.get('sync_unsure.list', { id })));
  const nameOf = new Map(remotes.map(({ id, name }) => [id, name]));
  const lines = lists.flat().flatMap((unsure) => {
    const sent = say('commands.sync.sentTo', {
      id: unsure.id,
      sentAs: unsure.sent_as,
      remote: nameOf.get(unsure.remote_id) ?? '',
      sentAt: unsure.sent_at,
    });
    if (unsure.choice === null) return [sent, settleLine(unsure)];
    const settled =
      unsure.choice === SEND_AGAIN
        ? say('commands.sync.isSentAgain', { sent })
        : say('commands.sync.isThereAs', { sent, choice: String(unsure.choice) });
    return [settled, settleLine(unsure)];
  });
  output.print(lists.flat(), lines.length === 0 ? [say('commands.sync.nothingIsUnsure')] : lines);
  return EXIT.fine;
}

export interface SettleOptions extends CommonOptions {
  readonly there?: string;
  readonly sendAgain?: boolean;
}

/** Settles whether an unsure item is at the remote. Without a number all of them are listed. */
export function settleCommand(id: number | undefined, options: SettleOptions, output: Output): Promise<ExitCode> {
  requireBook(options.data);
  return withSession('sync', options, output, async ({ client }) => {
    if (id === undefined) return listUnsure(client, output);
    const unsure = taken(await client.call('sync_unsure.settle', { id, choice: options.there ?? SEND_AGAIN }));
    const what =
      unsure.choice === SEND_AGAIN
        ? say('commands.sync.sendsItAgain')
        : say('commands.sync.goesOnWithItAsThere', { choice: String(unsure.choice) });
    output.print(unsure, [say('commands.sync.theNextSync', { sentAs: unsure.sent_as, what })]);
    return EXIT.fine;
  });
}

interface MoveOptions extends CommonOptions {
  readonly to?: string;
  readonly keyFile?: string;
}

async function listRemotes(client: Client, output: Output): Promise<ExitCode> {
  const { remotes } = await client.get('sync_remotes.list', {});
  const lines = remotes.flatMap(({ id, name, base_url: url, question }) => [
    `${id}  ${name}, ${url}`,
    ...(question === null || question.choice !== null ? [] : [`  ${question.message}`]),
  ]);
  output.print(remotes, lines.length === 0 ? [say('commands.remotes.thisBookHasNoConnection')] : lines);
  return EXIT.fine;
}

/** Gives a remote another address, after a test of it. Without a number the remotes are listed. */
export function moveCommand(id: number | undefined, options: MoveOptions, output: Output): Promise<ExitCode> {
  requireBook(options.data);
  const { to, keyFile } = options;
  const key = keyFile === undefined ? {} : { api_key: keyOf(keyFile) };
  return withSession('sync', options, output, async ({ client }) => {
    if (id === undefined || to === undefined) return listRemotes(client, output);
    const outcome = await client.call('sync_remotes.update', { id, base_url: to, ...key });
    if (!outcome.ok && outcome.error.code === 'remote_unusable')
      throw new CommandError(EXIT.environment, 'remote_unusable', outcome.error.message);
    const remote = taken(outcome);
    output.print(remote, [say('commands.remotes.isAtFromNow', { name: remote.name, baseUrl: remote.base_url })]);
    return EXIT.fine;
  });
}

interface UndoOptions extends CommonOptions {
  readonly alsoUndo?: number;
}

/** Returns the id of the last sync with any remote that changed something here and is not undone. */
async function lastToUndo(client: Client): Promise<number> {
  const { remotes } = await client.get('sync_remotes.list', {});
  const lists = await Promise.all(remotes.map(({ id }) => client.get('sync_runs.list', { id, limit: 100 })));
  const all = lists.flatMap(({ data }) => data).filter((run) => run.received_total > 0 && run.undone_at === null);
  const last = all.toSorted((one, other) => other.id - one.id)[0];
  if (last === undefined) throw new CommandError(EXIT.usage, 'nothing_to_undo', say('commands.remotes.noSyncHasChanged'));
  return last.id;
}

function lostLines({ lost, list }: SyncUndoPlan): string[] {
  if (lost === 0) return [];
  return [
    say('commands.remotes.laterChangesAreUndone', { lost }),
    ...list.map(({ words, last_at: at }) => `  ${say('commands.remotes.lastAt', { words, at })}`),
  ];
}

/** Puts the book back to before a sync. Where changes were made since, it does so only if `alsoUndo` covers their number. */
export function undoCommand(asked: number | undefined, options: UndoOptions, output: Output): Promise<ExitCode> {
  requireBook(options.data);
  const { alsoUndo = 0 } = options;
  return withSession('sync', options, output, async ({ client }) => {
    const id = asked ?? (await lastToUndo(client));
    const plan = taken(await client.call('sync_runs.undo_plan', { id }));
    if (plan.why_not !== null)
      throw new CommandError(EXIT.usage, 'not_undone', say('commands.remotes.syncCannotBeUndone', { id, whyNot: plan.why_not }));
    if (plan.lost > alsoUndo) {
      output.print({ ...plan, undone: false }, [
        ...lostLines(plan),
        say('commands.remotes.nothingWasUndoneIfTheyMayGo', { id, lost: plan.lost }),
      ]);
      return EXIT.asked;
    }
    const undone = taken(await client.call('sync_runs.undo', { id, also_undo: alsoUndo }));
    output.print({ ...plan, undone: true, ...undone }, [
      say('commands.remotes.syncIsUndoneHere', { id, backup: undone.backup }),
      ...(undone.replaced === null ? [] : [say('commands.remotes.theBookAsItWasUntilNow', { replaced: undone.replaced })]),
      say('commands.remotes.theOtherSideStaysAsItIs'),
    ]);
    return EXIT.fine;
  });
}
