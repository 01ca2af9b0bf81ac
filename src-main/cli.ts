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

const OLDEST_NODE = 22;

function listOf(text: string): string[] {
  const keys = text.split(',').map((key) => key.trim());
  if (keys.includes('')) throw new InvalidArgumentError('It is a stream key, or several joined by commas.');
  return keys;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('It is a number from 0 to 65535; 0 takes a free port.');
  return port;
}

function signaturesOf(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It is the number of signatures that `tieout restore` names.');
  return Number(text);
}

function addressOf(text: string): string {
  const address = text === 'localhost' ? LOOPBACK : text;
  if (isIP(address) === 0) throw new InvalidArgumentError('It is an IP address of this machine, or 0.0.0.0 for all of them.');
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
  if (!/^\d{1,7}$/.test(text) || rate < 1 || rate > 1_000_000) throw new InvalidArgumentError('It is a number from 1 to 1000000.');
  return rate;
}

function idOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is the number that `tieout keys list` shows.');
  return Number(text);
}

function currencyOf(text: string): string {
  if (!/^[A-Za-z]{3}$/.test(text)) throw new InvalidArgumentError('It is a three-letter ISO 4217 code, such as GBP.');
  return text.toUpperCase();
}

/** Returns a largest difference: minor units, or a percentage of the larger amount. */
function differenceOf(text: string): MaxDifferenceInput {
  const [, number = '', sign] = /^(\d{1,12}(?:\.\d{1,4})?)(%?)$/.exec(text) ?? [];
  const value = Number(number);
  const isShare = sign === '%';
  if (number === '' || value === 0 || (isShare ? value > 100 : !Number.isInteger(value))) {
    throw new InvalidArgumentError('It is a whole number of minor units (50), or a percentage up to 100 (15%).');
  }
  return isShare ? { percent: value } : { minor: value };
}

/** Adds the options of every command that works on a book. */
function onBook(command: Command): Command {
  const made = MAKING_BOOKS.has(command.name()) ? '; a new book is made when there is none' : '';
  return command
    .requiredOption('--data <folder>', `folder of the book${made}`)
    .addOption(new Option('--environment <name>', 'environment of the book').choices(['live', 'test']).default('live'))
    .option('--json', 'print one JSON document to stdout, everything else to stderr', false);
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
  onBook(program.command('serve').description('serve the /v1 address and the window on this machine until stopped'))
    .option('--port <number>', 'port to listen on; 0 takes a free one', portOf, 0)
    .option('--host <address>', 'IP address to listen on; another one needs --allow-other-machines', addressOf, LOOPBACK)
    .option('--allow-other-machines', 'other machines may reach this book, with a key', false)
    .option('--host-name <name>', 'name by which other machines call this one; may be given again', added(hostNameFrom), [])
    .option('--allow-origin <origin>', 'origin whose pages may call /v1; may be given again', added(originFrom), [])
    .option('--requests-per-second <number>', 'what one key may send; after a rest five times as many at once', rateOf, 200)
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
  acceptCurrency: boolean;
  acceptTarget: boolean;
  pack: boolean;
}

function addImport(program: Command, finish: Finish): void {
  onBook(
    program
      .command('import')
      .description('read a bank statement or ledger export (CSV, Excel, OFX, QIF, CAMT, MT940, BAI2, NACHA) into a stream')
      .argument('<files...>', 'the file, or several, which go into the same stream one after another'),
  )
    .requiredOption('--stream <key>', 'key of the stream; created when missing')
    .option('--name <text>', 'name of the stream when it is created')
    .option('--currency <code>', 'currency of a file that names none', currencyOf)
    .option('--account <id>', 'account to import of a file with several, as the file writes it, or all')
    .option('--bank-account <name>', "bank account to link the stream to, for the statement's balances; made when missing")
    .option('--no-bank-account', 'leave the stream without a bank account, although the kept recipe names one')
    .option('--sheet <name>', 'sheet of a workbook to read, by what it shows')
    .option('--recipe <file>', 'read the table by the recipe in this file')
    .option('--recipe-out <file>', 'write the recipe by which the table was read to this file')
    .option('--remember <name>', 'keep the recipe under this name, for the next file with the same header')
    .addOption(
      new Option('--kept-recipe <what>', 'use the recipe that is kept for the header, guess without it, or stop where it is doubtful')
        .choices(['ask', 'use', 'guess'])
        .default('ask'),
    )
    .addOption(new Option('--date-order <order>', 'order of the dates: day, month or year first').choices(['dmy', 'mdy', 'ymd']))
    .addOption(new Option('--decimal-mark <mark>', 'what stands before decimals').choices(['.', ',']))
    .addOption(new Option('--signs <model>', 'how amounts say what is money in').choices(SIGN_MODELS))
    .option(
      '--money-out <word>',
      'word of the column that tells in from out which means money out; may be given again',
      added((word) => success(word)),
      [],
    )
    .option('--no-money-out', 'no word of that column means money out')
    .addOption(
      new Option('--overlap <answer>', 'what lines are that have the day and amount of lines already there').choices(['same', 'new']),
    )
    .addOption(
      new Option(
        '--batch-lines <what>',
        'what becomes of an entry of several transactions: one line, or a line of each where they add up; the stream keeps it',
      ).choices(['entry', 'parts']),
    )
    .option('--take-new', 'replace lines that the file has again under the same id with other content, where they are not matched', false)
    .option('--dry-run', 'tell what would be imported, and store nothing', false)
    .option('--accept-rejected', 'import the other rows of a file in which some were rejected', false)
    .option('--accept-broken', 'import a file whose own figures do not hold, or that is cut off', false)
    .option('--accept-currency', 'import lines in another currency than the stream has', false)
    .option('--accept-target', 'import a file that does not fit the stream: of another account, holder, layout or currency', false)
    .option(
      '--pack',
      'pack the records for runs before it ends; else that is done in the background, by whoever opens the book next',
      false,
    )
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
  onBook(program.command('reconcile').description('match the records of two sides, and tell what is left'))
    .requiredOption('--a <keys>', 'streams of side A, joined by commas', listOf)
    .requiredOption('--b <keys>', 'streams of side B, joined by commas', listOf)
    .option('--name <text>', 'name of the reconciliation (default: "A / B")')
    .option('--rules <file>', 'JSON array of rules; replaces the rules of the reconciliation')
    .option('--matches-out <file>', 'write a CSV with one line per record in a match')
    .addOption(
      new Option('--sign <convention>', 'whether both sides carry the same signs (default: as the data shows)').choices([
        'same',
        'opposite',
      ]),
    )
    .option(
      '--allow-difference <limit>',
      'differences that may be matched by evidence: minor units (50) or a share (15%); default none',
      differenceOf,
    )
    .option('--propose', 'propose rules from the data and list them, for a person to take into use; nothing is matched', false)
    .option('--dry-run', 'tell what would be matched, and store nothing', false)
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
    throw new InvalidArgumentError('It is a whole number of minor units, such as 1250000 for 12,500.00.');
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
    .requiredOption('--reconciliation <name>', 'id or name of the reconciliation')
    .requiredOption('--period <days>', 'a month (2026-06) or days (2026-06-01..2026-06-30)')
    .option('--currency <code>', 'currency of the statement, where the period has several', currencyOf);
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
  onPeriod(program.command('close').description('prove the balance of a period, tell what is open and why, and sign it off'))
    .addOption(new Option('--bank-side <side>', 'which side is the bank (default: as the book shows)').choices(['a', 'b']))
    .option('--opening-bank <amount>', 'opening balance of the bank, in minor units', minorUnitsOf)
    .option('--closing-bank <amount>', 'closing balance that the bank states, in minor units', minorUnitsOf)
    .option('--opening-books <amount>', 'opening balance of the books, in minor units', minorUnitsOf)
    .option('--closing-books <amount>', 'closing balance that the books state, in minor units', minorUnitsOf)
    .option('--prepare <name>', 'sign as the preparer')
    .option('--review <name>', 'sign as the reviewer, who is somebody else')
    .option('--close <name>', 'close the reviewed period')
    .option('--unexplained <reason>', 'close although the figures do not agree or a balance is not stated, for this reason')
    .option('--reopen <reason>', 'open the closed period again, for this reason')
    .action(async (options: CloseFlags) => {
      const { closePeriod } = await import('./commands/close.ts');
      finish(await closePeriod(options, createOutput(options.json)));
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 the statement was shown or the signature given, 1 a signature was refused. Whether the figures agree stands in the statement, and in agrees and doubts of --json.',
    );
  onPeriod(
    program
      .command('report')
      .description('write the report of a period; pack is a page that checks itself, journal what the books must take over'),
  )
    .addOption(new Option('--format <format>', 'what to write').choices(['json', ...REPORT_FORMATS]).makeOptionMandatory())
    .requiredOption('--out <file>', 'file to write; - is stdout')
    .addOption(new Option('--layout <name>', 'ledger that shall import the journal (default: plain)').choices(JOURNAL_LAYOUT_IDS))
    .option('--columns <fields>', 'columns of the plain journal, such as day,account:Code,debit,credit,text')
    .action(async (options: ReportFlags) => {
      const { report } = await import('./commands/report.ts');
      finish(await report(options, createOutput(options.json)));
    })
    .addHelpText(
      'after',
      '\nThe report is written in any case. Exit codes: 0 the figures agree, 1 they do not, a balance is not stated, or work is under way that may change them; also of a period that was closed with a reason.',
    );
}

function addKeys(program: Command, finish: Finish): void {
  const keys = program.command('keys').description('issue, list and revoke the keys of the /v1 address');
  onBook(keys.command('add').description('issue a key; it is shown once'))
    .addOption(new Option('--permission <name>', 'what the key may do').choices(['read', 'read_write']).makeOptionMandatory())
    .requiredOption('--name <text>', 'what the key is for')
    .action(async (options: CommonOptions & { permission: 'read' | 'read_write'; name: string }) => {
      const { addKey } = await import('./commands/keys.ts');
      finish(addKey(options, createOutput(options.json)));
    });
  onBook(keys.command('list').description('list the keys of an environment')).action(async (options: CommonOptions) => {
    const { listKeys } = await import('./commands/keys.ts');
    finish(listKeys(options, createOutput(options.json)));
  });
  onBook(keys.command('revoke').description('revoke a key').argument('<id>', 'number of the key', idOf)).action(
    async (id: number, options: CommonOptions) => {
      const { revokeKey } = await import('./commands/keys.ts');
      finish(revokeKey(id, options, createOutput(options.json)));
    },
  );
}

function addDemoAndStart(program: Command, finish: Finish): void {
  onBook(program.command('demo').description('build the sample book in a folder')).action(async (options: CommonOptions) => {
    const { demo } = await import('./commands/demo.ts');
    finish(await demo(options, createOutput(options.json)));
  });
  program
    .command('start')
    .description('open the window on a book; without --data on the sample book')
    .option('--data <folder>', 'folder of the book; a new book is made when there is none')
    .addOption(new Option('--environment <name>', 'environment of the book').choices(['live', 'test']).default('live'))
    .action(async (options: { data?: string; environment: 'live' | 'test' }) => {
      const { start } = await import('./commands/start.ts');
      finish(await start(options, createOutput(false)));
    });
}

function addVerify(program: Command, finish: Finish): void {
  program
    .command('verify')
    .description('check that a book is sound: its file, all that it holds, matches, packed columns and audit log')
    .requiredOption('--data <folder>', 'folder of the book')
    .option('--anchor <file>', 'compare the book with an anchor that was kept elsewhere, a copy of book.anchor')
    .option(
      '--fingerprint <digits>',
      'tell which report of the book has the fingerprint at the foot of a print or in a pack; exit code 1 where none has it now',
    )
    .option('--accept', 'take the book as it is from now on, after a look at what is found', false)
    .option('--json', 'print one JSON document to stdout, everything else to stderr', false)
    .action(async (options: { data: string; anchor?: string; fingerprint?: string; accept: boolean; json: boolean }) => {
      const { verify } = await import('./commands/verify.ts');
      finish(verify(options, createOutput(options.json)));
    });
}

function addBackups(program: Command, finish: Finish): void {
  const json = ['--json', 'print one JSON document to stdout, everything else to stderr'] as const;
  program
    .command('backup')
    .description('back up a book into one file, also while Tieout runs on it')
    .requiredOption('--data <folder>', 'folder of the book')
    .option('--out <file>', 'file to write, or a folder; without it the backup goes to the folder backups of the book')
    .option(...json, false)
    .action(async (options: { data: string; out?: string; json: boolean }) => {
      const { backup } = await import('./commands/backup.ts');
      finish(await backup(options, createOutput(options.json)));
    });
  program
    .command('restore')
    .description('restore a backup into a folder')
    .argument('<file>', 'the backup')
    .requiredOption('--data <folder>', 'folder of the book; made when missing')
    .option('--replace', 'put it in the place of the book there, which is backed up before', false)
    .option('--another-book', 'also where it is a backup of another book than the one there', false)
    .option('--lose-sign-offs <n>', 'also where so many signatures of the book there are not in it', signaturesOf, 0)
    .option('--accept-changes', 'also where something changed its rows without Tieout; verify goes on naming them', false)
    .option(...json, false)
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('./commands/restore.ts');
      finish(await restore(file, options, createOutput(options.json)));
    });
}

function buildProgram(finish: Finish): Command {
  const program = new Command('tieout')
    .description('Offline reconciliation: tie every bank line to its counterpart in the books, and show what is left.')
    .version(VERSION)
    .showHelpAfterError('Add --help for what there is.')
    .addHelpText(
      'after',
      '\nExit codes: 0 fine, 1 the job found problems, 2 wrong usage, 3 the environment does not allow it, 4 something has to be said first, such as how a file is read.',
    );
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
  return `${capitalized(text)}${/[.?!)]$/.test(text) ? '' : '.'} Add --help to see what there is.`;
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
        `Tieout needs Node ${OLDEST_NODE} or newer, this is ${process.versions.node}: run it through npm, which brings its own.`,
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
      const sentence = error.code === 'commander.help' ? 'A command is missing. Add --help to see what there is.' : usageSentence(error);
      return reportFailure(new CommandError(EXIT.usage, 'usage', sentence), json);
    }
    if (error instanceof CommandError) return reportFailure(error, json);
    const message = error instanceof Error ? error.message : String(error);
    return reportFailure(new CommandError(EXIT.environment, 'internal_error', `Tieout failed: ${message}.`), json);
  }
}
