import { type Command, InvalidArgumentError, Option } from 'commander';
import { createOutput } from './commands/output.ts';
import type { CommonOptions } from './commands/session.ts';
import { say } from '../src-shared/words/say.ts';

type Finish = (exitCode: number) => void;

function conflictOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(say('commands.cliSync.itIsTheNumber'));
  return Number(text);
}

function runOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(say('commands.cliSync.itIsTheNumberOfASync'));
  return Number(text);
}

function remoteOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(say('commands.cliSync.itIsTheNumberThatTieout'));
  return Number(text);
}

function idThereOf(text: string): string {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError(say('commands.cliSync.itIsTheId'));
  return text;
}

function deletionsOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(say('commands.cliSync.itIsTheNumberOfDeletions'));
  return Number(text);
}

const ACCEPT = ['--accept-deletions <n>', say('commands.cliSync.deleteUpToSoMany')] as const;

/**
 * Adds the options of a command that works only on the book. `--data` is not required here, because it may precede the name of the command;
 * `bookOptions` and `required` check it.
 */
function onBook(command: Command): Command {
  return command
    .option('--data <folder>', say('commands.cliSync.folderOfTheBook'))
    .addOption(new Option('--environment <name>', say('commands.cliSync.environmentOfTheBook')).choices(['live', 'test']).default('live'))
    .option('--json', say('commands.cliSync.printOneJsonDocument'), false);
}

function onRemote(command: Command): Command {
  return onBook(command)
    .option('--remote <url>', say('commands.cliSync.addressOfTheRemote'))
    .option('--key-file <file>', say('commands.cliSync.fileWithTheKey'))
    .addOption(new Option('--remote-is <which>', say('commands.cliSync.ofARemoteThatAnswers')).choices(['known', 'new']))
    .addOption(new Option('--lost-history <how>', say('commands.cliSync.ofARemoteThatLost')).choices(['send-again', 'take']))
    .addOption(new Option('--restored-book <how>', say('commands.cliSync.ofYourOwnBook')).choices(['go-on', 'send-again', 'take']))
    .addOption(new Option('--undone-sync <how>', say('commands.cliSync.afterYouHaveUndone')).choices(['take', 'keep']));
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
    if (isMissing) command.error(say('commands.cliSync.errorRequiredOptionNotSpecified', { flags: option.flags }));
  }
  return options;
}

/**
 * Returns the options of a subcommand that works only on the book, and ends it with an error where `--data` is missing. Commander would require it a
 * second time.
 */
function bookOptions<T>(command: Command): CommonOptions & T {
  const options = command.optsWithGlobals<CommonOptions & T>();
  if (options.data === undefined) command.error(say('commands.cliSync.errorRequiredOptionData'));
  return options;
}

/** Adds `tieout sync` and its commands. */
export function addSync(program: Command, finish: Finish): void {
  const sync = onRemote(program.command('sync').description(say('commands.cliSync.bringTheBookAndARemote')))
    .option('--preview', say('commands.cliSync.tellWhatWouldBe'), false)
    .option(...ACCEPT, deletionsOf)
    .action(async (options: RemoteFlags & { preview: boolean }) => {
      const { syncCommand } = await import('./commands/sync.ts');
      finish(await syncCommand(required(sync, options), createOutput(options.json)));
    });
  const verify = onRemote(sync.command('verify').description(say('commands.cliSync.compareBothSidesByCounts')));
  verify.action(async (_options: unknown, command: Command) => {
    const { verifySync } = await import('./commands/sync.ts');
    const options = command.optsWithGlobals<RemoteFlags>();
    finish(await verifySync(required(verify, options), createOutput(options.json)));
  });
  const repair = onRemote(
    sync
      .command('repair')
      .description(say('commands.cliSync.syncCompareBothSides'))
      .option(...ACCEPT, deletionsOf),
  );
  repair.action(async (_options: unknown, command: Command) => {
    const { repairSync } = await import('./commands/sync.ts');
    const options = command.optsWithGlobals<RemoteFlags>();
    finish(await repairSync(required(repair, options), createOutput(options.json)));
  });
  const resolve = onBook(sync.command('resolve'))
    .description(say('commands.cliSync.decideAConflictTheNext'))
    .argument('<id>', say('commands.cliSync.numberOfTheConflict'), conflictOf)
    .option('--choice <choice>', say('commands.cliSync.oneOfTheChoices'));
  resolve.action(async (id: number, _options: unknown, command: Command) => {
    const { resolveCommand } = await import('./commands/sync.ts');
    const options = bookOptions<{ choice: string }>(command);
    if (options.choice === undefined) command.error(say('commands.cliSync.errorRequiredOptionChoice'));
    finish(await resolveCommand(id, options, createOutput(options.json)));
  });
  addSettle(sync, finish);
  addMove(sync, finish);
  addUndo(sync, finish);
}

function changesOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(say('commands.cliSync.itIsTheNumberOfChanges'));
  return Number(text);
}

function addUndo(sync: Command, finish: Finish): void {
  onBook(sync.command('undo'))
    .description(say('commands.cliSync.putTheBookBack'))
    .argument('[id]', say('commands.cliSync.numberOfTheSync'), runOf)
    .option('--also-undo <n>', say('commands.cliSync.undoSoManyChanges'), changesOf)
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { undoCommand } = await import('./commands/sync.ts');
      const options = bookOptions<{ alsoUndo?: number }>(command);
      finish(await undoCommand(id, options, createOutput(options.json)));
    });
}

function addMove(sync: Command, finish: Finish): void {
  onBook(sync.command('move'))
    .description(say('commands.cliSync.giveARemoteOfTheBook'))
    .argument('[id]', say('commands.cliSync.itsNumber'), remoteOf)
    .option('--to <url>', say('commands.cliSync.itsAddressNowWithV1'))
    .option('--key-file <file>', say('commands.cliSync.fileWithItsKey'))
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { moveCommand } = await import('./commands/sync.ts');
      const options = bookOptions<{ to?: string; keyFile?: string }>(command);
      if ((id === undefined) !== (options.to === undefined)) command.error(say('commands.cliSync.errorNameTheRemote'));
      finish(await moveCommand(id, options, createOutput(options.json)));
    });
}

function addSettle(sync: Command, finish: Finish): void {
  onBook(sync.command('settle'))
    .description(say('commands.cliSync.sayOfWhatWasSent'))
    .argument('[id]', say('commands.cliSync.itsNumberWithoutOneAllThatIsUnsure'), conflictOf)
    .option('--there <id>', say('commands.cliSync.itIsThereUnder'), idThereOf)
    .option('--send-again', say('commands.cliSync.itIsNotThereSend'), false)
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { settleCommand } = await import('./commands/sync.ts');
      const options = bookOptions<{ there?: string; sendAgain: boolean }>(command);
      const said = Number(options.there !== undefined) + Number(options.sendAgain);
      if (said !== (id === undefined ? 0 : 1)) command.error(say('commands.cliSync.errorSayWhichOneItIsByItsNumber'));
      finish(await settleCommand(id, options, createOutput(options.json)));
    });
}
