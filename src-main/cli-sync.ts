import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Finish, needed, numberShown, onBook, withExamples } from './cli-options.ts';
import { createOutput } from './commands/output.ts';
import type { CommonOptions } from './commands/session.ts';
import { say } from '../src-shared/words/say.ts';

const CONFLICT = numberShown('commands.cliSync.itIsTheNumber');
const SYNC = numberShown('commands.cliSync.itIsTheNumberOfASync');
const REMOTE = numberShown('commands.cliSync.itIsTheNumberThatTieout');
const DELETIONS = numberShown('commands.cliSync.itIsTheNumberOfDeletions');
const CHANGES = numberShown('commands.cliSync.itIsTheNumberOfChanges');

function idThereOf(text: string): string {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError(say('commands.cliSync.itIsTheId'));
  return text;
}

const ACCEPT = ['--accept-deletions <n>', say('commands.cliSync.deleteUpToSoMany')] as const;

function onRemote(command: Command): Command {
  return onBook(command)
    .addOption(needed(new Option('--remote <url>', say('commands.cliSync.addressOfTheRemote'))))
    .addOption(needed(new Option('--key-file <file>', say('commands.cliSync.fileWithTheKey'))))
    .addOption(new Option('--remote-is <which>', say('commands.cliSync.ofARemoteThatAnswers')).choices(['known', 'new']))
    .addOption(new Option('--lost-history <how>', say('commands.cliSync.ofARemoteThatLost')).choices(['send-again', 'take']))
    .addOption(new Option('--restored-book <how>', say('commands.cliSync.ofYourOwnBook')).choices(['go-on', 'send-again', 'take']))
    .addOption(new Option('--undone-sync <how>', say('commands.cliSync.afterYouHaveUndone')).choices(['take', 'keep']));
}

type RemoteFlags = CommonOptions & { remote: string; keyFile: string };

/** Adds `tieout sync` and its commands. */
export function addSync(program: Command, finish: Finish): void {
  const sync = withExamples(
    onRemote(program.command('sync').description(say('commands.cliSync.bringTheBookAndARemote'))),
    'commands.examples.sync',
  )
    .option('--preview', say('commands.cliSync.tellWhatWouldBe'), false)
    .option(...ACCEPT, DELETIONS)
    .action(async (options: RemoteFlags & { preview: boolean }) => {
      const { syncCommand } = await import('./commands/sync.ts');
      finish(await syncCommand(options, createOutput(options.json)));
    });
  const verify = withExamples(
    onRemote(sync.command('verify').description(say('commands.cliSync.compareBothSidesByCounts'))),
    'commands.examples.syncVerify',
  );
  verify.action(async (_options: unknown, command: Command) => {
    const { verifySync } = await import('./commands/sync.ts');
    const options = command.optsWithGlobals<RemoteFlags>();
    finish(await verifySync(options, createOutput(options.json)));
  });
  const repair = withExamples(
    onRemote(
      sync
        .command('repair')
        .description(say('commands.cliSync.syncCompareBothSides'))
        .option(...ACCEPT, DELETIONS),
    ),
    'commands.examples.syncRepair',
  );
  repair.action(async (_options: unknown, command: Command) => {
    const { repairSync } = await import('./commands/sync.ts');
    const options = command.optsWithGlobals<RemoteFlags>();
    finish(await repairSync(options, createOutput(options.json)));
  });
  const resolve = withExamples(onBook(sync.command('resolve')), 'commands.examples.syncResolve')
    .description(say('commands.cliSync.decideAConflictTheNext'))
    .argument('<id>', say('commands.cliSync.numberOfTheConflict'), CONFLICT)
    .addOption(needed(new Option('--choice <choice>', say('commands.cliSync.oneOfTheChoices'))));
  resolve.action(async (id: number, _options: unknown, command: Command) => {
    const { resolveCommand } = await import('./commands/sync.ts');
    const options = command.optsWithGlobals<CommonOptions & { choice: string }>();
    finish(await resolveCommand(id, options, createOutput(options.json)));
  });
  addSettle(sync, finish);
  addMove(sync, finish);
  addUndo(sync, finish);
}

function addUndo(sync: Command, finish: Finish): void {
  withExamples(onBook(sync.command('undo')), 'commands.examples.syncUndo')
    .description(say('commands.cliSync.putTheBookBack'))
    .argument('[id]', say('commands.cliSync.numberOfTheSync'), SYNC)
    .option('--also-undo <n>', say('commands.cliSync.undoSoManyChanges'), CHANGES)
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { undoCommand } = await import('./commands/sync.ts');
      const options = command.optsWithGlobals<CommonOptions & { alsoUndo?: number }>();
      finish(await undoCommand(id, options, createOutput(options.json)));
    });
}

function addMove(sync: Command, finish: Finish): void {
  withExamples(onBook(sync.command('move')), 'commands.examples.syncMove')
    .description(say('commands.cliSync.giveARemoteOfTheBook'))
    .argument('[id]', say('commands.cliSync.itsNumber'), REMOTE)
    .option('--to <url>', say('commands.cliSync.itsAddressNowWithV1'))
    .option('--key-file <file>', say('commands.cliSync.fileWithItsKey'))
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { moveCommand } = await import('./commands/sync.ts');
      const options = command.optsWithGlobals<CommonOptions & { to?: string; keyFile?: string }>();
      if ((id === undefined) !== (options.to === undefined)) command.error(say('commands.cliSync.errorNameTheRemote'));
      finish(await moveCommand(id, options, createOutput(options.json)));
    });
}

function addSettle(sync: Command, finish: Finish): void {
  withExamples(onBook(sync.command('settle')), 'commands.examples.syncSettle')
    .description(say('commands.cliSync.sayOfWhatWasSent'))
    .argument('[id]', say('commands.cliSync.itsNumberWithoutOneAllThatIsUnsure'), CONFLICT)
    .option('--there <id>', say('commands.cliSync.itIsThereUnder'), idThereOf)
    .option('--send-again', say('commands.cliSync.itIsNotThereSend'), false)
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { settleCommand } = await import('./commands/sync.ts');
      const options = command.optsWithGlobals<CommonOptions & { there?: string; sendAgain: boolean }>();
      const said = Number(options.there !== undefined) + Number(options.sendAgain);
      if (said !== (id === undefined ? 0 : 1)) command.error(say('commands.cliSync.errorSayWhichOneItIsByItsNumber'));
      finish(await settleCommand(id, options, createOutput(options.json)));
    });
}
