import { type Command, InvalidArgumentError, Option } from 'commander';
import { createOutput } from './commands/output.ts';
import type { CommonOptions } from './commands/session.ts';

type Finish = (exitCode: number) => void;

function conflictOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the number that `tieout sync` shows.');
  return Number(text);
}

function runOf(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('It is the number of a sync, as the history of the window and `tieout sync undo` show it.');
  return Number(text);
}

function remoteOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the number that `tieout sync move` lists.');
  return Number(text);
}

function idThereOf(text: string): string {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('It is the id that the remote has given it: a whole number from 1 on.');
  return text;
}

function deletionsOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the number of deletions that `tieout sync --preview` shows.');
  return Number(text);
}

const ACCEPT = ['--accept-deletions <n>', 'delete up to so many on both sides: the number that a sync or its preview shows'] as const;

/**
 * Adds the options of a command that works only on the book. `--data` is not required here, because it may precede the name of the command;
 * `bookOptions` and `required` check it.
 */
function onBook(command: Command): Command {
  return command
    .option('--data <folder>', 'folder of the book')
    .addOption(new Option('--environment <name>', 'environment of the book').choices(['live', 'test']).default('live'))
    .option('--json', 'print one JSON document to stdout, everything else to stderr', false);
}

function onRemote(command: Command): Command {
  return onBook(command)
    .option('--remote <url>', 'address of the remote, with /v1')
    .option('--key-file <file>', 'file with the key of the remote')
    .addOption(
      new Option('--remote-is <which>', 'of a remote that answers as another one than before: the one you know, or a new one').choices([
        'known',
        'new',
      ]),
    )
    .addOption(
      new Option('--lost-history <how>', 'of a remote that lost what you agreed on: send it again, or take it as it is').choices([
        'send-again',
        'take',
      ]),
    )
    .addOption(
      new Option(
        '--restored-book <how>',
        'of your own book, restored or copied since the last sync: go on; and of what it alone has then: send it, or take the remote as it is',
      ).choices(['go-on', 'send-again', 'take']),
    )
    .addOption(
      new Option(
        '--undone-sync <how>',
        'after you have undone a sync: take again what it had brought, or keep what is here and give it there',
      ).choices(['take', 'keep']),
    );
}

type RemoteFlags = CommonOptions & { remote: string; keyFile: string };

/**
 * Returns the options, and ends the command with an error where one of `--data`, `--remote` and `--key-file` is missing. Commander would require
 * these of subcommands a second time.
 */
function required<T extends object>(command: Command, options: T): T {
  for (const option of command.options) {
    const isMissing =
      ['--data', '--remote', '--key-file'].includes(option.long ?? '') && Reflect.get(options, option.attributeName()) === undefined;
    if (isMissing) command.error(`error: required option '${option.flags}' not specified`);
  }
  return options;
}

/**
 * Returns the options of a subcommand that works only on the book, and ends it with an error where `--data` is missing. Commander would require it a
 * second time.
 */
function bookOptions<T>(command: Command): CommonOptions & T {
  const options = command.optsWithGlobals<CommonOptions & T>();
  if (options.data === undefined) command.error("error: required option '--data <folder>' not specified");
  return options;
}

/** Adds `tieout sync` and its commands. */
export function addSync(program: Command, finish: Finish): void {
  const sync = onRemote(program.command('sync').description('bring the book and a remote instance together, without asking anything'))
    .option('--preview', 'tell what would be sent, received and deleted, and change nothing on either side', false)
    .option(...ACCEPT, deletionsOf)
    .action(async (options: RemoteFlags & { preview: boolean }) => {
      const { syncCommand } = await import('./commands/sync.ts');
      finish(await syncCommand(required(sync, options), createOutput(options.json)));
    });
  const verify = onRemote(sync.command('verify').description('compare both sides by counts, sums and hashes'));
  verify.action(async (_options: unknown, command: Command) => {
    const { verifySync } = await import('./commands/sync.ts');
    const options = command.optsWithGlobals<RemoteFlags>();
    finish(await verifySync(required(verify, options), createOutput(options.json)));
  });
  const repair = onRemote(
    sync
      .command('repair')
      .description('sync, compare both sides again, and put to you what still differs; what one side deleted is not brought back')
      .option(...ACCEPT, deletionsOf),
  );
  repair.action(async (_options: unknown, command: Command) => {
    const { repairSync } = await import('./commands/sync.ts');
    const options = command.optsWithGlobals<RemoteFlags>();
    finish(await repairSync(required(repair, options), createOutput(options.json)));
  });
  const resolve = onBook(sync.command('resolve'))
    .description('decide a conflict; the next sync carries it out')
    .argument('<id>', 'number of the conflict', conflictOf)
    .option('--choice <choice>', 'one of the choices that the sync showed');
  resolve.action(async (id: number, _options: unknown, command: Command) => {
    const { resolveCommand } = await import('./commands/sync.ts');
    const options = bookOptions<{ choice: string }>(command);
    if (options.choice === undefined) command.error("error: required option '--choice <choice>' not specified");
    finish(await resolveCommand(id, options, createOutput(options.json)));
  });
  addSettle(sync, finish);
  addMove(sync, finish);
  addUndo(sync, finish);
}

function changesOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the number of changes that `tieout sync undo` shows.');
  return Number(text);
}

function addUndo(sync: Command, finish: Finish): void {
  onBook(sync.command('undo'))
    .description(
      'put the book back to before a sync; the remote stays as it is, and the next sync asks what is to become of the difference',
    )
    .argument('[id]', 'number of the sync; without one, the last sync that changed something here', runOf)
    .option('--also-undo <n>', 'undo so many changes with it that were made here since: the number that it shows', changesOf)
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { undoCommand } = await import('./commands/remotes.ts');
      const options = bookOptions<{ alsoUndo?: number }>(command);
      finish(await undoCommand(id, options, createOutput(options.json)));
    });
}

function addMove(sync: Command, finish: Finish): void {
  onBook(sync.command('move'))
    .description('give a remote of the book the address at which it answers now; without a number, the remotes are listed')
    .argument('[id]', 'its number', remoteOf)
    .option('--to <url>', 'its address now, with /v1')
    .option('--key-file <file>', 'file with its key; without it the one that is kept on this computer')
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { moveCommand } = await import('./commands/remotes.ts');
      const options = bookOptions<{ to?: string; keyFile?: string }>(command);
      if ((id === undefined) !== (options.to === undefined))
        command.error('error: name the remote by its number, and its address by --to <url>');
      finish(await moveCommand(id, options, createOutput(options.json)));
    });
}

function addSettle(sync: Command, finish: Finish): void {
  onBook(sync.command('settle'))
    .description('say of what was sent, and whose answer was lost, whether it is there; the next sync goes by that')
    .argument('[id]', 'its number; without one, all that is unsure is listed', conflictOf)
    .option('--there <id>', 'it is there, under this id', idThereOf)
    .option('--send-again', 'it is not there: send it again', false)
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { settleCommand } = await import('./commands/sync.ts');
      const options = bookOptions<{ there?: string; sendAgain: boolean }>(command);
      const said = Number(options.there !== undefined) + Number(options.sendAgain);
      if (said !== (id === undefined ? 0 : 1))
        command.error('error: say which one it is by its number, and either --there <id> or --send-again');
      finish(await settleCommand(id, options, createOutput(options.json)));
    });
}
