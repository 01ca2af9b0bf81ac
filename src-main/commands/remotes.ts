import type { Client } from '../../src-shared/client/client.ts';
import type { SyncUndoPlan } from '../../src-shared/contract/index.ts';
import { requireBook } from './require-book.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';
import { keyOf, taken } from './sync.ts';
import { say } from '../../src-shared/words/say.ts';

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
  output.print(remotes, lines.length === 0 ? [say('commands.remotes.thisBookHasNoRemote')] : lines);
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
    ...list.map(({ words, last_at: at }) => say('commands.remotes.lastAt', { words, at })),
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
      say('commands.remotes.theRemoteStaysAsItIs'),
    ]);
    return EXIT.fine;
  });
}
