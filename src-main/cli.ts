import { Argument, Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import {
  JOURNAL_LAYOUT_IDS,
  type JournalLayoutId,
  REPORT_FORMATS,
  type ReportFormat,
} from '../src-shared/contract/close/report-choices.ts';
import type { ImportRecipe } from '../src-shared/contract/index.ts';
import { capitalized } from '../src-shared/values/english.ts';
import { hostNameFrom, LOOPBACK, originFrom } from '../src-shared/values/network.ts';
import { success } from '../src-shared/values/result.ts';
import { say } from '../src-shared/words/say.ts';
import { type Shell, SHELLS } from './cli-completion.ts';
import {
  added,
  addressOf,
  amountOf,
  checkNeeded,
  currencyOf,
  dataOption,
  differenceOf,
  environmentOption,
  type Examples,
  type Finish,
  fromEnvironment,
  listOf,
  megabytesOf,
  needed,
  numberShown,
  onBook,
  portOf,
  rateOf,
  signaturesOf,
  withExamples,
  yearOf,
} from './cli-options.ts';
import type { GivenDifference } from './commands/choose-reconciliation.ts';
import type { ExportOptions } from './commands/export.ts';
import type { LinkOptions } from './commands/keys.ts';
import { CommandError, createOutput, EXIT, reportFailure } from './commands/output.ts';
import type { RestoreOptions } from './commands/restore.ts';
import type { ListOptions } from './commands/rules.ts';
import { type CommonOptions, VERSION } from './commands/session.ts';

const OLDEST_NODE = 22;
const KEY_NUMBER = numberShown('commands.cli.itIsTheNumberThatTieout');
const RULE_NUMBER = numberShown('commands.cli.itIsTheNumberOfARule');
const RUN_NUMBER = numberShown('commands.cli.itIsTheNumberOfARun');
const RULE_VERBS = [
  ['use', 'commands.cli.useARule', 'commands.examples.rulesUse'],
  ['pause', 'commands.cli.pauseARule', 'commands.examples.rulesPause'],
  ['resume', 'commands.cli.resumeARule', 'commands.examples.rulesResume'],
  ['remove', 'commands.cli.removeARule', 'commands.examples.rulesRemove'],
] as const;

type ServeFlags = CommonOptions & {
  port: number;
  host: string;
  allowOtherMachines: boolean;
  hostName: string[];
  allowOrigin: string[];
  requestsPerSecond: number;
};

function addServe(program: Command, finish: Finish): void {
  const serve = onBook(program.command('serve').description(say('commands.cli.serveTheV1Address')));
  withExamples(serve, 'commands.examples.serve')
    .option('--port <number>', say('commands.cli.portToListenOn'), portOf, 0)
    .option('--host <address>', say('commands.cli.ipAddressToListen'), addressOf, LOOPBACK)
    .option('--allow-other-machines', say('commands.cli.otherMachinesMayReach'), false)
    .option('--host-name <name>', say('commands.cli.nameByWhichOtherMachinesCall'), added(hostNameFrom), [])
    .option('--allow-origin <origin>', say('commands.cli.originOfPages'), added(originFrom), [])
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
  year?: string;
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
  keepFile: boolean;
  password?: string;
  passwordStdin: boolean;
  acceptCurrency: boolean;
  acceptTarget: boolean;
  pack: boolean;
}

function addImport(program: Command, finish: Finish): void {
  const command = onBook(
    program
      .command('import')
      .description(say('commands.cli.readABankStatement'))
      .argument('<files...>', say('commands.cli.theFileOrSeveral')),
  );
  withExamples(command, 'commands.examples.import')
    .addOption(needed(new Option('--stream <key>', say('commands.cli.keyOfTheAccount'))))
    .option('--name <text>', say('commands.cli.nameOfTheAccount'))
    .option('--currency <code>', say('commands.cli.currencyOfAFile'), currencyOf)
    .option('--account <id>', say('commands.cli.accountToImportOfAFile'))
    .option('--bank-account <name>', say('commands.cli.bankAccountToLink'))
    .option('--no-bank-account', say('commands.cli.leaveTheAccountWithout'))
    .option('--sheet <name>', say('commands.cli.sheetOfAWorkbook'))
    .option('--recipe <file>', say('commands.cli.readTheTableByTheImportProfile'))
    .option('--recipe-out <file>', say('commands.cli.writeTheImportProfileByWhichTheTable'))
    .option('--remember <name>', say('commands.cli.keepTheImportProfileUnder'))
    .addOption(
      new Option('--kept-recipe <what>', say('commands.cli.useTheImportProfileThatIsKept')).choices(['ask', 'use', 'guess']).default('ask'),
    )
    .addOption(new Option('--date-order <order>', say('commands.cli.orderOfTheDates')).choices(['dmy', 'mdy', 'ymd']))
    .option('--year <year>', say('commands.cli.yearOfTheLastTransaction'), yearOf)
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
    .option('--keep-file', say('commands.cli.keepTheFile'), false)
    .option('--password <text>', say('commands.cli.passwordOfALocked'))
    .option('--password-stdin', say('commands.cli.passwordFromTheInput'), false)
    .option('--accept-currency', say('commands.cli.importLinesInAnotherCurrency'), false)
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
  allowDifference?: GivenDifference;
  propose: boolean;
  dryRun: boolean;
  engine?: string;
  mapping?: string;
  mappingOut?: string;
  memory: number;
  scratch?: string;
}

function addReconcile(program: Command, finish: Finish): void {
  const command = onBook(program.command('reconcile').description(say('commands.cli.matchTheRecordsOfTwoSides')));
  withExamples(command, 'commands.examples.reconcile')
    .addOption(needed(new Option('--a <keys>', say('commands.cli.accountsOfSideAJoined')).argParser(listOf)))
    .addOption(needed(new Option('--b <keys>', say('commands.cli.accountsOfSideB')).argParser(listOf)))
    .option('--name <text>', say('commands.cli.nameOfTheReconciliation'))
    .option('--rules <file>', say('commands.cli.jsonArrayOfRules'))
    .option('--matches-out <file>', say('commands.cli.writeACsvWithOneLine'))
    .addOption(new Option('--sign <convention>', say('commands.cli.whetherBothSidesCarry')).choices(['same', 'opposite']))
    .option('--allow-difference <limit>', say('commands.cli.differencesThatMayBeMatchedByEvidence'), differenceOf)
    .option('--propose', say('commands.cli.proposeRulesFromTheData'), false)
    .option('--dry-run', say('commands.cli.tellWhatWouldBeMatched'), false)
    .option('--engine <address>', say('warehouse.cli.runTheRulesThere'))
    .option('--mapping <file>', say('warehouse.cli.whichColumnIsWhat'))
    .option('--mapping-out <file>', say('warehouse.cli.writeTheMapping'))
    .option('--memory <megabytes>', say('warehouse.cli.memoryOfTheEngine'), megabytesOf, 4_000)
    .option('--scratch <folder>', say('warehouse.cli.folderForTables'))
    .action(async (options: ReconcileFlags) => {
      if (options.engine !== undefined) return finish(await reconcileElsewhere({ ...options, engine: options.engine }));
      const { reconcile } = await import('./commands/reconcile.ts');
      const { proposeRules } = await import('./commands/propose-rules.ts');
      const name = options.name ?? `${options.a.join(',')} / ${options.b.join(',')}`;
      finish(await (options.propose ? proposeRules : reconcile)({ ...options, name }, createOutput(options.json)));
    });
}

async function reconcileElsewhere(options: ReconcileFlags & { engine: string }): Promise<number> {
  const { reconcileThere } = await import('./commands/reconcile-there.ts');
  const output = createOutput(options.json);
  if (options.propose || options.allowDifference !== undefined)
    throw new CommandError(EXIT.usage, 'usage', say('warehouse.cli.notWithAnEngine'));
  return reconcileThere({ ...options, name: options.name ?? `${options.a.join(',')} / ${options.b.join(',')}` }, output);
}

interface PeriodFlags extends CommonOptions {
  reconciliation: string;
  period: string;
  currency?: string;
}

/** Adds the options that name a period. */
function onPeriod(command: Command): Command {
  return onBook(command)
    .addOption(needed(new Option('--reconciliation <name>', say('commands.cli.idOrNameOfTheReconciliation'))))
    .addOption(needed(new Option('--period <days>', say('commands.cli.aMonthOrDays'))))
    .option('--currency <code>', say('commands.cli.currencyOfTheStatement'), currencyOf);
}

type ReportFlags = PeriodFlags & { format: 'json' | ReportFormat; out: string; layout?: JournalLayoutId; columns?: string };

type CloseFlags = PeriodFlags & {
  bankSide?: 'a' | 'b';
  openingBank?: string;
  closingBank?: string;
  openingBooks?: string;
  closingBooks?: string;
  prepare?: string;
  review?: string;
  close?: string;
  reopen?: string;
  unexplained?: string;
  yes?: boolean;
};

function addClose(program: Command, finish: Finish): void {
  const close = onPeriod(program.command('close').description(say('commands.cli.proveTheBalanceOfAPeriod')));
  withExamples(close, 'commands.examples.close')
    .addOption(new Option('--bank-side <side>', say('commands.cli.whichSideIsTheBankDefault')).choices(['a', 'b']))
    .option('--opening-bank <amount>', say('commands.cli.openingBalanceOfTheBank'), amountOf)
    .option('--closing-bank <amount>', say('commands.cli.closingBalanceThatTheBankStates'), amountOf)
    .option('--opening-books <amount>', say('commands.cli.openingBalanceOfTheBooks'), amountOf)
    .option('--closing-books <amount>', say('commands.cli.closingBalanceThatTheBooks'), amountOf)
    .option('--prepare <name>', say('commands.cli.signAsThePreparer'))
    .option('--review <name>', say('commands.cli.signAsTheReviewer'))
    .option('--close <name>', say('commands.cli.closeTheReviewedPeriod'))
    .option('--unexplained <reason>', say('commands.cli.closeAlthoughTheFigures'))
    .option('--yes', say('commands.cli.takeTheBalancesAsRead'))
    .option('--reopen <reason>', say('commands.cli.openTheClosedPeriod'))
    .action(async (options: CloseFlags) => {
      const { closePeriod } = await import('./commands/close.ts');
      finish(await closePeriod(options, createOutput(options.json)));
    })
    .addHelpText('after', `\n${say('commands.cli.exitCodesOfClose')}`);
  const command = onPeriod(program.command('report').description(say('commands.cli.writeTheReportOfAPeriod')));
  withExamples(command, 'commands.examples.report')
    .addOption(needed(new Option('--format <format>', say('commands.cli.whatToWrite')).choices(['json', ...REPORT_FORMATS])))
    .addOption(needed(new Option('--out <file>', say('commands.cli.fileToWriteIsStdout'))))
    .addOption(new Option('--layout <name>', say('commands.cli.ledgerThatShallImport')).choices(JOURNAL_LAYOUT_IDS))
    .option('--columns <fields>', say('commands.cli.columnsOfThePlain'))
    .action(async (options: ReportFlags) => {
      const { report } = await import('./commands/report.ts');
      finish(await report(options, createOutput(options.json)));
    })
    .addHelpText('after', `\n${say('commands.cli.theReportIsWritten')}`);
}

function addKeys(program: Command, finish: Finish): void {
  const keys = withExamples(program.command('keys').description(say('commands.cli.issueListAndRevoke')), 'commands.examples.keys');
  withExamples(onBook(keys.command('add').description(say('commands.cli.issueAKeyItIsShownOnce'))), 'commands.examples.keysAdd')
    .addOption(needed(new Option('--permission <name>', say('commands.cli.whatTheKeyMayDo')).choices(['read', 'read_write'])))
    .addOption(needed(new Option('--name <text>', say('commands.cli.whatTheKeyIsFor'))))
    .action(async (options: CommonOptions & { permission: 'read' | 'read_write'; name: string }) => {
      const { addKey } = await import('./commands/keys.ts');
      finish(addKey(options, createOutput(options.json)));
    });
  withExamples(onBook(keys.command('link').description(say('commands.cli.makeASheetLink'))), 'commands.examples.keysLink')
    .addOption(needed(new Option('--reconciliation <name>', say('commands.cli.idOrNameOfTheReconciliation'))))
    .addOption(needed(new Option('--name <text>', say('commands.cli.whatTheKeyIsFor'))))
    .option('--workbook <file>', say('commands.cli.workbookOfTheLink'))
    .option('--port <number>', say('commands.cli.portOfTheLink'), portOf)
    .action(async (options: LinkOptions) => {
      const { addSheetLink } = await import('./commands/keys.ts');
      finish(await addSheetLink(options, createOutput(options.json)));
    });
  const list = onBook(keys.command('list').description(say('commands.cli.listTheKeysOfAnEnvironment')));
  withExamples(list, 'commands.examples.keysList').action(async (options: CommonOptions) => {
    const { listKeys } = await import('./commands/keys.ts');
    finish(listKeys(options, createOutput(options.json)));
  });
  const revoke = onBook(
    keys.command('revoke').description(say('commands.cli.revokeAKey')).argument('<id>', say('commands.cli.numberOfTheKey'), KEY_NUMBER),
  );
  withExamples(revoke, 'commands.examples.keysRevoke').action(async (id: number, options: CommonOptions) => {
    const { revokeKey } = await import('./commands/keys.ts');
    finish(revokeKey(id, options, createOutput(options.json)));
  });
}

function addDemoAndStart(program: Command, finish: Finish): void {
  const demo = onBook(program.command('demo').description(say('commands.cli.buildTheSampleBook')), 'sample');
  withExamples(demo, 'commands.examples.demo').action(async (options: CommonOptions) => {
    const { demo } = await import('./commands/demo.ts');
    finish(await demo(options, createOutput(options.json)));
  });
  withExamples(program.command('start').description(say('commands.cli.openTheWindowOnABook')), 'commands.examples.start')
    .addOption(fromEnvironment(new Option('--data <folder>', say('commands.cli.folderOfTheBookNewWhenMissing'))))
    .addOption(environmentOption())
    .action(async (options: { data?: string; environment: 'live' | 'test' }) => {
      const { start } = await import('./commands/start.ts');
      finish(await start(options, createOutput(false)));
    });
}

function addVerify(program: Command, finish: Finish): void {
  withExamples(program.command('verify').description(say('commands.cli.checkThatABook')), 'commands.examples.verify')
    .addOption(dataOption(say('commands.cli.folderOfTheBook')))
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
  withExamples(program.command('backup').description(say('commands.cli.backUpABook')), 'commands.examples.backup')
    .addOption(dataOption(say('commands.cli.folderOfTheBook')))
    .option('--out <file>', say('commands.cli.fileToWriteOrAFolder'))
    .option(...json, false)
    .action(async (options: { data: string; out?: string; json: boolean }) => {
      const { backup } = await import('./commands/restore.ts');
      finish(await backup(options, createOutput(options.json)));
    });
  withExamples(program.command('restore').description(say('commands.cli.restoreABackupIntoAFolder')), 'commands.examples.restore')
    .argument('<file>', say('commands.cli.theBackup'))
    .addOption(dataOption(say('commands.cli.folderOfTheBookMade'), 'none'))
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

function addBooks(program: Command, finish: Finish): void {
  const json = ['--json', say('commands.cli.printOneJsonDocument')] as const;
  const books = withExamples(program.command('books').description(say('commands.cli.listAndMoveBooks')), 'commands.examples.books');
  withExamples(books.command('list').description(say('commands.cli.listTheBooks')), 'commands.examples.booksList')
    .option(...json, false)
    .action(async (options: { json: boolean }) => {
      const { listBooks } = await import('./commands/books.ts');
      finish(listBooks(createOutput(options.json)));
    });
  withExamples(onBook(books.command('move').description(say('commands.cli.moveABook'))), 'commands.examples.booksMove')
    .argument('<folder>', say('commands.cli.emptyFolder'))
    .action(async (folder: string, options: CommonOptions) => {
      const { moveBook } = await import('./commands/books.ts');
      finish(await moveBook(folder, options, createOutput(options.json)));
    });
  withExamples(books.command('forget').description(say('commands.cli.takeABookOff')), 'commands.examples.booksForget')
    .argument('<folder>', say('commands.cli.folderOfABook'))
    .option(...json, false)
    .action(async (folder: string, options: { json: boolean }) => {
      const { forgetBook } = await import('./commands/books.ts');
      finish(forgetBook(folder, createOutput(options.json)));
    });
}

/** What `tieout export` can write. */
const EXPORTS: readonly ExportOptions['what'][] = ['matches', 'open-items', 'transactions', 'rules'];

function addLists(program: Command, finish: Finish): void {
  const reconciliation = () => needed(new Option('--reconciliation <name>', say('commands.cli.idOrNameOfTheReconciliation')));
  const listed = (command: Command, words: Examples) => withExamples(onBook(command).addOption(reconciliation()), words);
  const rules = withExamples(program.command('rules').description(say('commands.cli.listAndChangeRules')), 'commands.examples.rules');
  listed(rules.command('list').description(say('commands.cli.listTheRules')), 'commands.examples.rulesList').action(
    async (options: ListOptions) => {
      const { listRules } = await import('./commands/rules.ts');
      finish(await listRules(options, createOutput(options.json)));
    },
  );
  const set = rules.command('set').description(say('commands.cli.setTheRules')).argument('<file>', say('commands.cli.jsonArrayOfRules'));
  listed(set, 'commands.examples.rulesSet').action(async (file: string, options: ListOptions) => {
    const { setRules } = await import('./commands/rules.ts');
    finish(await setRules(file, options, createOutput(options.json)));
  });
  for (const [verb, description, examples] of RULE_VERBS) {
    const command = rules.command(verb).description(say(description)).argument('<id>', say('commands.cli.numberOfTheRule'), RULE_NUMBER);
    withExamples(onBook(command), examples).action(async (id: number, options: CommonOptions) => {
      const { changeRule } = await import('./commands/rules.ts');
      finish(await changeRule(verb, id, options, createOutput(options.json)));
    });
  }
  const runs = withExamples(program.command('runs').description(say('commands.cli.listAndUndoRuns')), 'commands.examples.runs');
  listed(runs.command('list').description(say('commands.cli.listTheRuns')), 'commands.examples.runsList').action(
    async (options: ListOptions) => {
      const { listRuns } = await import('./commands/rules.ts');
      finish(await listRuns(options, createOutput(options.json)));
    },
  );
  const undo = runs
    .command('undo')
    .description(say('commands.cli.undoARun'))
    .argument('<id>', say('commands.cli.numberOfTheRun'), RUN_NUMBER);
  listed(undo, 'commands.examples.runsUndo').action(async (id: number, options: ListOptions) => {
    const { undoRun } = await import('./commands/rules.ts');
    finish(await undoRun(id, options, createOutput(options.json)));
  });
}

function addExport(program: Command, finish: Finish): void {
  const what = new Argument('<what>', say('commands.cli.whatToExport')).choices(EXPORTS);
  const command = onBook(program.command('export').description(say('commands.cli.writeATable')).addArgument(what));
  withExamples(command, 'commands.examples.export')
    .option('--reconciliation <name>', say('commands.cli.idOrNameOfTheReconciliation'))
    .option('--account <id>', say('commands.cli.accountToExport'))
    .option('--as-of <day>', say('commands.cli.dayOfTheOpenItems'))
    .option('--text-ids', say('commands.cli.keepIdsAsText'), false)
    .addOption(needed(new Option('--out <file>', say('commands.cli.fileToWriteIsStdout'))))
    .action(async (chosen: ExportOptions['what'], options: Omit<ExportOptions, 'what'>) => {
      const { exportTable } = await import('./commands/export.ts');
      finish(await exportTable({ ...options, what: chosen }, createOutput(options.json)));
    });
}

function addCompletion(program: Command): void {
  withExamples(program.command('completion').description(say('commands.cli.printCompletion')), 'commands.examples.completion')
    .addArgument(new Argument('<shell>', say('commands.cli.theShell')).choices(SHELLS))
    .addHelpText('after', `\n${say('commands.cli.howToCompletion')}`)
    .action(async (shell: Shell) => {
      const { completionScript } = await import('./cli-completion.ts');
      process.stdout.write(completionScript(program, shell));
    });
}

/** Returns the description of an option. That a switch is off by default goes without saying. */
function optionDescription(option: Option): string {
  const isBare = option.defaultValue === false || (Array.isArray(option.defaultValue) && option.defaultValue.length === 0);
  return isBare ? option.description : new Help().optionDescription(option);
}

function buildProgram(finish: Finish): Command {
  const program = new Command('tieout')
    .description(say('commands.cli.offlineReconciliationTieEveryBank'))
    .version(VERSION)
    .showHelpAfterError(say('commands.cli.addHelpForWhatThereIs'))
    .addHelpText('after', `\n${say('commands.cli.exitCodesOfAll')}`)
    .configureHelp({ optionDescription });
  for (const add of [
    addImport,
    addReconcile,
    addClose,
    addExport,
    addLists,
    addSync,
    addServe,
    addKeys,
    addVerify,
    addBackups,
    addBooks,
    addDemoAndStart,
  ])
    add(program, finish);
  addCompletion(program);
  program.hook('preAction', (_program, command) => checkNeeded(command));
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
    .addOption(needed(new Option('--remote <url>', say('commands.cliSync.addressOfTheConnection'))))
    .addOption(needed(new Option('--key-file <file>', say('commands.cliSync.fileWithTheKey'))))
    .addOption(new Option('--remote-is <which>', say('commands.cliSync.ofAConnectionThatAnswers')).choices(['known', 'new']))
    .addOption(new Option('--lost-history <how>', say('commands.cliSync.ofAConnectionThatLost')).choices(['send-again', 'take']))
    .addOption(new Option('--restored-book <how>', say('commands.cliSync.ofYourOwnBook')).choices(['go-on', 'send-again', 'take']))
    .addOption(new Option('--undone-sync <how>', say('commands.cliSync.afterYouHaveUndone')).choices(['take', 'keep']))
    .addOption(new Option('--differing-accounts <how>', say('commands.cliSync.differingAccounts')).choices(['go-on']));
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
    .description(say('commands.cliSync.giveAConnectionOfTheBook'))
    .argument('[id]', say('commands.cliSync.itsNumber'), REMOTE)
    .option('--to <url>', say('commands.cliSync.newAddress'))
    .option('--key-file <file>', say('commands.cliSync.fileWithItsKey'))
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { moveCommand } = await import('./commands/sync.ts');
      const options = command.optsWithGlobals<CommonOptions & { to?: string; keyFile?: string }>();
      if ((id === undefined) !== (options.to === undefined)) command.error(say('commands.cliSync.errorNameTheConnection'));
      finish(await moveCommand(id, options, createOutput(options.json)));
    });
}

function addSettle(sync: Command, finish: Finish): void {
  withExamples(onBook(sync.command('settle')), 'commands.examples.syncSettle')
    .description(say('commands.cliSync.sayOfWhatWasSent'))
    .argument('[id]', say('commands.cliSync.itsNumberWithoutOneAllThatIsUnsure'), CONFLICT)
    .option('--there <id>', say('commands.cliSync.itIsThereUnderThisId'), idThereOf)
    .option('--send-again', say('commands.cliSync.itIsNotThereSend'), false)
    .action(async (id: number | undefined, _options: unknown, command: Command) => {
      const { settleCommand } = await import('./commands/sync.ts');
      const options = command.optsWithGlobals<CommonOptions & { there?: string; sendAgain: boolean }>();
      const said = Number(options.there !== undefined) + Number(options.sendAgain);
      if (said !== (id === undefined ? 0 : 1)) command.error(say('commands.cliSync.errorSayWhichOneItIsByItsNumber'));
      finish(await settleCommand(id, options, createOutput(options.json)));
    });
}
