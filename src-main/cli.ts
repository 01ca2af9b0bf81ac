import { capitalized } from '../src-shared/values/english.ts';
import { isIP } from 'node:net';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { MaxDifferenceInput } from '../src-shared/contract/index.ts';
import {
  JOURNAL_LAYOUT_IDS,
  type JournalLayoutId,
  REPORT_FORMATS,
  type ReportFormat,
} from '../src-shared/contract/close/report-choices.ts';
import { hostNameFrom, LOOPBACK, originFrom } from '../src-shared/values/network.ts';
import type { ImportRecipe } from '../src-shared/contract/index.ts';
import { type Result, success } from '../src-shared/values/result.ts';
import { addSync } from './cli-sync.ts';
import { CommandError, createOutput, EXIT, reportFailure } from './commands/output.ts';
import type { RestoreOptions } from './commands/restore.ts';
import { type CommonOptions, MAKING_BOOKS, VERSION } from './commands/session.ts';
import { say } from '../src-shared/words/say.ts';

const OLDEST_NODE = 22;

function listOf(text: string): string[] {
  const keys = text.split(',').map((key) => key.trim());
  if (keys.includes('')) throw new InvalidArgumentError(say('commands.cli.itIsAStream'));
  return keys;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError(say('commands.cli.itIsANumber'));
  return port;
}

function signaturesOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError(say('commands.cli.itIsTheNumber'));
  return Number(text);
}

function addressOf(text: string): string {
  const address = text === 'localhost' ? LOOPBACK : text;
  if (isIP(address) === 0) throw new InvalidArgumentError(say('commands.cli.itIsAnIp'));
  return address;
}

function added(read: (text: string) => Result<string, string>): (text: string, before: readonly string[]) => string[] {
  return (text, before) => {
    const one = read(text);
    if (!one.ok) throw new InvalidArgumentError(one.error);
    return [...before, one.value];
  };
}

function rateOf(text: string): number {
  const rate = Number(text);
  if (!/^\d{1,7}$/.test(text) || rate < 1 || rate > 1_000_000) throw new InvalidArgumentError(say('commands.cli.itIsANumberFrom1'));
  return rate;
}

function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError(say('commands.cli.itIsTheNumberThatTieout'));
  return Number(text);
}

function currencyOf(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw new InvalidArgumentError(say('commands.cli.itIsAThree'));
  return text.toUpperCase();
}

/** Returns a largest difference: minor units, or a percentage of the larger amount. */
function differenceOf(text: string): MaxDifferenceInput {
  const [, number = '', sign] = /^(\d{1,12}(?:\.\d{1,4})?)(%?)$/.exec(text) ?? [];
  const value = Number(number);
  const isShare = sign === '%';
  if (number === '' || value === 0 || (isShare ? value > 100 : !Number.isInteger(value))) {
    throw new InvalidArgumentError(say('commands.cli.itIsAWhole'));
  }
  return isShare ? { percent: value } : { minor: value };
}

/** Adds the options of every command that works on a book. */
function onBook(command: Command): Command {
  const made = MAKING_BOOKS.has(command.name()) ? say('commands.cli.aNewBookIsMade') : '';
  return command
    .requiredOption('--data <folder>', say('commands.cli.folderOfTheBookAnd', { made }))
    .addOption(new Option('--environment <name>', say('commands.cli.environmentOfTheBook')).choices(['live', 'test']).default('live'))
    .option('--json', say('commands.cli.printOneJsonDocument'), false);
}

type Finish = (exitCode: number) => void;

type ServeFlags = CommonOptions & {
  port: number;
  host: string;
  allowOtherMachines: boolean;
  hostName: string[];
  allowOrigin: string[];
  requestsPerSecond: number;
};

function addServe(program: Command, finish: Finish): void {
  onBook(program.command('serve').description(say('commands.cli.serveTheV1Address')))
    .option('--port <number>', say('commands.cli.portToListenOn0'), portOf, 0)
    .option('--host <address>', say('commands.cli.ipAddressToListen'), addressOf, LOOPBACK)
    .option('--allow-other-machines', say('commands.cli.otherMachinesMayReach'), false)
    .option('--host-name <name>', say('commands.cli.nameByWhichOther'), added(hostNameFrom), [])
    .option('--allow-origin <origin>', say('commands.cli.originWhosePagesMayCallV1'), added(originFrom), [])
    .option('--requests-per-second <number>', say('commands.cli.whatOneKeyMaySend'), rateOf, 200)
    .action(async (options: ServeFlags) => {
      const { serve } = await import('./commands/serve.ts');
      finish(await serve(options, createOutput(options.json)));
    });
}

type SignModel = NonNullable<ImportRecipe['sign_model']>;

/** Repeats the values of the contract, so that `--help` does not load it. */
const SIGN_MODELS: readonly SignModel[] = [
  'signed',
  'signed_inverted',
  'signed_credits',
  'direction',
  'direction_and_sign',
  'columns',
  'columns_with_signs',
  'columns_swapped',
];

interface ImportFlags extends CommonOptions {
  stream: string;
  name?: string;
  currency?: string;
  account?: string;
  bankAccount?: string | boolean;
  sheet?: string;
  recipe?: string;
  recipeOut?: string;
  remember?: string;
  keptRecipe: 'ask' | 'use' | 'guess';
  dateOrder?: 'ymd' | 'dmy' | 'mdy';
  decimalMark?: '.' | ',';
  signs?: SignModel;
  moneyOut: string[] | false;
  overlap?: 'same' | 'new';
  batchLines?: 'entry' | 'parts';
  takeNew: boolean;
  dryRun: boolean;
  acceptRejected: boolean;
  acceptBroken: boolean;
  acceptUnproved: boolean;
  password?: string;
  passwordStdin: boolean;
  acceptCurrency: boolean;
  acceptTarget: boolean;
  pack: boolean;
}

function addImport(program: Command, finish: Finish): void {
  onBook(
    program
      .command('import')
      .description(say('commands.cli.readABankStatement'))
      .argument('<files...>', say('commands.cli.theFileOrSeveral')),
  )
    .requiredOption('--stream <key>', say('commands.cli.keyOfTheStream'))
    .option('--name <text>', say('commands.cli.nameOfTheStream'))
    .option('--currency <code>', say('commands.cli.currencyOfAFile'), currencyOf)
    .option('--account <id>', say('commands.cli.accountToImportOfAFile'))
    .option('--bank-account <name>', say('commands.cli.bankAccountToLink'))
    .option('--no-bank-account', say('commands.cli.leaveTheStreamWithout'))
    .option('--sheet <name>', say('commands.cli.sheetOfAWorkbook'))
    .option('--recipe <file>', say('commands.cli.readTheTableByTheRecipe'))
    .option('--recipe-out <file>', say('commands.cli.writeTheRecipeByWhichTheTable'))
    .option('--remember <name>', say('commands.cli.keepTheRecipeUnder'))
    .addOption(
      new Option('--kept-recipe <what>', say('commands.cli.useTheRecipeThatIsKept')).choices(['ask', 'use', 'guess']).default('ask'),
    )
    .addOption(new Option('--date-order <order>', say('commands.cli.orderOfTheDates')).choices(['dmy', 'mdy', 'ymd']))
    .addOption(new Option('--decimal-mark <mark>', say('commands.cli.whatStandsBeforeDecimals')).choices(['.', ',']))
    .addOption(new Option('--signs <model>', say('commands.cli.howAmountsSayWhatIsMoneyIn')).choices(SIGN_MODELS))
    .option(
      '--money-out <word>',
      say('commands.cli.wordOfTheColumn'),
      added((word) => success(word)),
      [],
    )
    .option('--no-money-out', say('commands.cli.noWordOfThatColumn'))
    .addOption(new Option('--overlap <answer>', say('commands.cli.whatLinesAreThatHaveTheDay')).choices(['same', 'new']))
    .addOption(new Option('--batch-lines <what>', say('commands.cli.whatBecomesOfAnEntry')).choices(['entry', 'parts']))
    .option('--take-new', say('commands.cli.replaceLinesThatTheFile'), false)
    .option('--dry-run', say('commands.cli.tellWhatWouldBe'), false)
    .option('--accept-rejected', say('commands.cli.importTheOtherRows'), false)
    .option('--accept-broken', say('commands.cli.importAFileWhoseOwn'), false)
    .option('--accept-unproved', say('commands.cli.importThePdfUnproved'), false)
    .option('--password <text>', say('commands.cli.passwordOfALocked'))
    .option('--password-stdin', say('commands.cli.passwordFromTheInput'), false)
    .option('--accept-currency', say('commands.cli.importLinesInAnother'), false)
    .option('--accept-target', say('commands.cli.importAFileThatDoesNotFit'), false)
    .option('--pack', say('commands.cli.packTheRecordsForRuns'), false)
    .action(async (files: string[], options: ImportFlags) => {
      const { importCommand } = await import('./commands/import.ts');
      finish(await importCommand(files, options, createOutput(options.json)));
    });
}

interface ReconcileFlags extends CommonOptions {
  a: string[];
  b: string[];
  name?: string;
  rules?: string;
  matchesOut?: string;
  sign?: 'same' | 'opposite';
  allowDifference?: MaxDifferenceInput;
  propose: boolean;
  dryRun: boolean;
}

function addReconcile(program: Command, finish: Finish): void {
  onBook(program.command('reconcile').description(say('commands.cli.matchTheRecordsOfTwoSides')))
    .requiredOption('--a <keys>', say('commands.cli.streamsOfSideAJoined'), listOf)
    .requiredOption('--b <keys>', say('commands.cli.streamsOfSideB'), listOf)
    .option('--name <text>', say('commands.cli.nameOfTheReconciliation'))
    .option('--rules <file>', say('commands.cli.jsonArrayOfRules'))
    .option('--matches-out <file>', say('commands.cli.writeACsvWithOneLine'))
    .addOption(new Option('--sign <convention>', say('commands.cli.whetherBothSidesCarry')).choices(['same', 'opposite']))
    .option('--allow-difference <limit>', say('commands.cli.differencesThatMayBeMatchedByEvidence'), differenceOf)
    .option('--propose', say('commands.cli.proposeRulesFromTheData'), false)
    .option('--dry-run', say('commands.cli.tellWhatWouldBeMatched'), false)
    .action(async (options: ReconcileFlags) => {
      const { reconcile } = await import('./commands/reconcile.ts');
      const { proposeRules } = await import('./commands/propose-rules.ts');
      const name = options.name ?? `${options.a.join(',')} / ${options.b.join(',')}`;
      finish(await (options.propose ? proposeRules : reconcile)({ ...options, name }, createOutput(options.json)));
    });
}

function minorUnitsOf(text: string): number {
  const amount = Number(text);
  if (!/^-?\d{1,16}$/.test(text) || !Number.isSafeInteger(amount)) {
    throw new InvalidArgumentError(say('commands.cli.itIsAWholeNumber'));
  }
  return amount + 0;
}

interface PeriodFlags extends CommonOptions {
  reconciliation: string;
  period: string;
  currency?: string;
}

/** Adds the options that name a period. */
function onPeriod(command: Command): Command {
  return onBook(command)
    .requiredOption('--reconciliation <name>', say('commands.cli.idOrNameOfTheReconciliation'))
    .requiredOption('--period <days>', say('commands.cli.aMonthOrDays'))
    .option('--currency <code>', say('commands.cli.currencyOfTheStatement'), currencyOf);
}

type ReportFlags = PeriodFlags & { format: 'json' | ReportFormat; out: string; layout?: JournalLayoutId; columns?: string };

type CloseFlags = PeriodFlags & {
  bankSide?: 'a' | 'b';
  openingBank?: number;
  closingBank?: number;
  openingBooks?: number;
  closingBooks?: number;
  prepare?: string;
  review?: string;
  close?: string;
  reopen?: string;
  unexplained?: string;
};

function addClose(program: Command, finish: Finish): void {
  onPeriod(program.command('close').description(say('commands.cli.proveTheBalanceOfAPeriod')))
    .addOption(new Option('--bank-side <side>', say('commands.cli.whichSideIsTheBankDefault')).choices(['a', 'b']))
    .option('--opening-bank <amount>', say('commands.cli.openingBalanceOfTheBank'), minorUnitsOf)
    .option('--closing-bank <amount>', say('commands.cli.closingBalanceThatTheBankStates'), minorUnitsOf)
    .option('--opening-books <amount>', say('commands.cli.openingBalanceOfTheBooks'), minorUnitsOf)
    .option('--closing-books <amount>', say('commands.cli.closingBalanceThatTheBooks'), minorUnitsOf)
    .option('--prepare <name>', say('commands.cli.signAsThePreparer'))
    .option('--review <name>', say('commands.cli.signAsTheReviewer'))
    .option('--close <name>', say('commands.cli.closeTheReviewedPeriod'))
    .option('--unexplained <reason>', say('commands.cli.closeAlthoughTheFigures'))
    .option('--reopen <reason>', say('commands.cli.openTheClosedPeriod'))
    .action(async (options: CloseFlags) => {
      const { closePeriod } = await import('./commands/close.ts');
      finish(await closePeriod(options, createOutput(options.json)));
    })
    .addHelpText('after', say('commands.cli.exitCodesOfClose'));
  onPeriod(program.command('report').description(say('commands.cli.writeTheReportOfAPeriod')))
    .addOption(new Option('--format <format>', say('commands.cli.whatToWrite')).choices(['json', ...REPORT_FORMATS]).makeOptionMandatory())
    .requiredOption('--out <file>', say('commands.cli.fileToWriteIsStdout'))
    .addOption(new Option('--layout <name>', say('commands.cli.ledgerThatShallImport')).choices(JOURNAL_LAYOUT_IDS))
    .option('--columns <fields>', say('commands.cli.columnsOfThePlain'))
    .action(async (options: ReportFlags) => {
      const { report } = await import('./commands/report.ts');
      finish(await report(options, createOutput(options.json)));
    })
    .addHelpText('after', say('commands.cli.theReportIsWritten'));
}

function addKeys(program: Command, finish: Finish): void {
  const keys = program.command('keys').description(say('commands.cli.issueListAndRevoke'));
  onBook(keys.command('add').description(say('commands.cli.issueAKeyItIsShownOnce')))
    .addOption(new Option('--permission <name>', say('commands.cli.whatTheKeyMayDo')).choices(['read', 'read_write']).makeOptionMandatory())
    .requiredOption('--name <text>', say('commands.cli.whatTheKeyIsFor'))
    .action(async (options: CommonOptions & { permission: 'read' | 'read_write'; name: string }) => {
      const { addKey } = await import('./commands/keys.ts');
      finish(addKey(options, createOutput(options.json)));
    });
  onBook(keys.command('link').description(say('commands.cli.makeASheetLink')))
    .requiredOption('--reconciliation <name>', say('commands.cli.idOrNameOfTheReconciliation'))
    .requiredOption('--name <text>', say('commands.cli.whatTheKeyIsFor'))
    .action(async (options: CommonOptions & { reconciliation: string; name: string }) => {
      const { addSheetLink } = await import('./commands/keys.ts');
      finish(addSheetLink(options, createOutput(options.json)));
    });
  onBook(keys.command('list').description(say('commands.cli.listTheKeysOfAnEnvironment'))).action(async (options: CommonOptions) => {
    const { listKeys } = await import('./commands/keys.ts');
    finish(listKeys(options, createOutput(options.json)));
  });
  onBook(
    keys.command('revoke').description(say('commands.cli.revokeAKey')).argument('<id>', say('commands.cli.numberOfTheKey'), idOf),
  ).action(async (id: number, options: CommonOptions) => {
    const { revokeKey } = await import('./commands/keys.ts');
    finish(revokeKey(id, options, createOutput(options.json)));
  });
}

function addDemoAndStart(program: Command, finish: Finish): void {
  onBook(program.command('demo').description(say('commands.cli.buildTheSampleBook'))).action(async (options: CommonOptions) => {
    const { demo } = await import('./commands/demo.ts');
    finish(await demo(options, createOutput(options.json)));
  });
  program
    .command('start')
    .description(say('commands.cli.openTheWindowOnABook'))
    .option('--data <folder>', say('commands.cli.folderOfTheBookNewWhenMissing'))
    .addOption(new Option('--environment <name>', say('commands.cli.environmentOfTheBook')).choices(['live', 'test']).default('live'))
    .action(async (options: { data?: string; environment: 'live' | 'test' }) => {
      const { start } = await import('./commands/start.ts');
      finish(await start(options, createOutput(false)));
    });
}

function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description(say('commands.cli.checkThatABook'))
    .requiredOption('--data <folder>', say('commands.cli.folderOfTheBook'))
    .option('--anchor <file>', say('commands.cli.compareTheBookWithAnAnchor'))
    .option('--fingerprint <digits>', say('commands.cli.tellWhichReportOf'))
    .option('--accept', say('commands.cli.takeTheBookAsItIsFromNowOn'), false)
    .option('--json', say('commands.cli.printOneJsonDocument'), false)
    .action(async (options: { data: string; anchor?: string; fingerprint?: string; accept: boolean; json: boolean }) => {
      const { verify } = await import('./commands/verify.ts');
      finish(verify(options, createOutput(options.json)));
    });
}

function addBackups(program: Command, finish: Finish): void {
  const json = ['--json', say('commands.cli.printOneJsonDocument')] as const;
  program
    .command('backup')
    .description(say('commands.cli.backUpABook'))
    .requiredOption('--data <folder>', say('commands.cli.folderOfTheBook'))
    .option('--out <file>', say('commands.cli.fileToWriteOrAFolder'))
    .option(...json, false)
    .action(async (options: { data: string; out?: string; json: boolean }) => {
      const { backup } = await import('./commands/restore.ts');
      finish(await backup(options, createOutput(options.json)));
    });
  program
    .command('restore')
    .description(say('commands.cli.restoreABackupInto'))
    .argument('<file>', say('commands.cli.theBackup'))
    .requiredOption('--data <folder>', say('commands.cli.folderOfTheBookMade'))
    .option('--replace', say('commands.cli.putItInThePlace'), false)
    .option('--another-book', say('commands.cli.alsoWhereItIsABackup'), false)
    .option('--lose-sign-offs <n>', say('commands.cli.alsoWhereSoMany'), signaturesOf, 0)
    .option('--accept-changes', say('commands.cli.alsoWhereSomethingChanged'), false)
    .option(...json, false)
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('./commands/restore.ts');
      finish(await restore(file, options, createOutput(options.json)));
    });
}

function buildProgram(finish: Finish): Command {
  const program = new Command('tieout')
    .description(say('commands.cli.offlineReconciliationTieEveryBank'))
    .version(VERSION)
    .showHelpAfterError(say('commands.cli.addHelpForWhatThereIs'))
    .addHelpText('after', say('commands.cli.exitCodesOfAll'));
  for (const add of [addServe, addImport, addReconcile, addClose, addKeys, addSync, addDemoAndStart, addVerify, addBackups])
    add(program, finish);
  for (const command of allCommands(program)) command.exitOverride().configureOutput({ writeErr: () => {} });
  return program;
}

function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

/** Returns one sentence for commander's `error: ...` lines. */
function usageSentence(error: CommanderError): string {
  const text = error.message
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return say('commands.cli.addHelpToSeeWhatThereIs', { capitalized: capitalized(text), part: /[.?!)]$/.test(text) ? '' : '.' });
}

/**
 * Ignores a closed stdout. Its reader may stop early (`tieout report --out - | head`); the command then continues and ends with its own exit code.
 */
function ignoreClosedPipe(): void {
  if (process.stdout.listenerCount('error') > 0) return;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Runs one command line, given without program and script. Returns its exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  ignoreClosedPipe();
  const json = argv.includes('--json');
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    return reportFailure(
      new CommandError(
        EXIT.environment,
        'old_node',
        say('commands.cli.tieoutNeedsNodeOrNewer', { oldestNode: OLDEST_NODE, node: process.versions.node }),
      ),
      json,
    );
  }
  let exitCode: number = EXIT.fine;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    if (argv.length === 0) {
      program.outputHelp();
      return EXIT.usage;
    }
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.fine;
      const sentence = error.code === 'commander.help' ? say('commands.cli.aCommandIsMissing') : usageSentence(error);
      return reportFailure(new CommandError(EXIT.usage, 'usage', sentence), json);
    }
    if (error instanceof CommandError) return reportFailure(error, json);
    const message = error instanceof Error ? error.message : String(error);
    return reportFailure(new CommandError(EXIT.environment, 'internal_error', say('commands.cli.tieoutFailed', { message })), json);
  }
}
