import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '../../src-shared/client/client.ts';
import { LIMITS } from '../../src-shared/contract/common.ts';
import { ALL_ACCOUNTS, needsProof } from '../../src-shared/contract/imports/imports.ts';
import type {
  Call,
  ImportAnswers,
  ImportResult,
  ImportRow,
  OpenQuestion,
  Problem,
  QuestionAbout,
} from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import { partsAt } from '../imports/work/understand.ts';
import { cannotWrite, CommandError, EXIT, type ExitCode, moneyText, type Output } from './output.ts';
import { type CommonOptions, failedJob, type Session, untilStopped, withSession } from './session.ts';

const ROWS_AT_ONCE = LIMITS.pageSize;

/**
 * Replaces stored lines with lines of the file that have the same transaction id and other content. A matched line stays. Returns a note for each
 * line.
 */
async function takeNew(client: Client, importId: number): Promise<Problem[]> {
  const notes: Problem[] = [];
  for (let offset = 0; ; offset += ROWS_AT_ONCE) {
    const rows = await client.get('imports.rows', { id: importId, outcome: 'skipped', limit: ROWS_AT_ONCE, offset });
    for (const row of rows.data) if (row.code === 'same_id_other_content') notes.push(await taken(client, row));
    if (!rows.has_more) return notes;
  }
}

async function taken(client: Client, row: ImportRow): Promise<Problem> {
  const { record_id: id, date, amount, direction, description } = row;
  const said = (code: string, message: string): Problem => ({ row: row.row, column: null, code, message, severity: 'note' });
  if (id === null || date === null || amount === null || direction === null)
    return said('not_taken', say('commands.import.rowHasNoLine', { row: row.row }));
  const changed = await client.call('records.update', { id, date, amount, direction, description });
  if (!changed.ok) return said('not_taken', say('commands.import.rowDidNotTake', { row: row.row, message: changed.error.message }));
  return said(
    'taken_new',
    row.external_id === null
      ? say('commands.import.rowTookThePlaceOfItsLine', { row: row.row })
      : say('commands.import.rowTookThePlace', { row: row.row, externalId: row.external_id }),
  );
}

/** A file on the disk, or one part of a zip archive there. */
interface GivenFile {
  readonly path: string;
  /** The name that people see; the path if it is left out. */
  readonly shown?: string;
  readonly part?: string;
}

/** Returns the files to import. A zip archive with several parts counts as several files, in the order of their names. */
function givenFiles(paths: readonly string[]): GivenFile[] {
  return paths.flatMap((file): GivenFile[] => {
    const parts = partsAt(file, file);
    if (!parts.ok) throw new CommandError(EXIT.problems, 'file_unreadable', parts.error);
    return parts.value.length === 0 ? [{ path: file }] : parts.value.map((part) => ({ path: file, part }));
  });
}

function nameOf({ path: file, shown = file, part }: GivenFile): string {
  return part === undefined ? shown : `${shown}: ${part}`;
}

/** Imports one file. Throws where it cannot be read at all, or the job failed or was cancelled. */
export async function importFile(session: Session, file: string, options: ImportOptions, part?: string): Promise<ImportResult> {
  const chosen = await session.registerFile(file, part);
  if (!chosen.ok) throw new CommandError(EXIT.usage, chosen.error.code, chosen.error.message);
  const recipe = options.recipe === undefined ? undefined : recipeFrom(options.recipe);
  const started = await session.client.get('imports.start', {
    file_token: chosen.value.token,
    stream_key: options.stream,
    stream_name: options.name,
    currency: options.currency,
    account: options.account === 'all' ? ALL_ACCOUNTS : options.account,
    bank_account_name: typeof options.bankAccount === 'string' ? options.bankAccount : await accountOfRecipe(session, options, recipe),
    link_by_recipe: options.bankAccount !== false,
    recipe,
    table: options.sheet === undefined ? undefined : { sheet: options.sheet },
    answers: {
      date_order: options.dateOrder,
      year: options.year,
      decimal_mark: options.decimalMark,
      sign_model: options.signs,
      money_out: moneyOutOf(options),
      overlap: options.overlap,
      batch_lines: options.batchLines,
    },
    kept_recipe: options.keptRecipe,
    remember_recipe: options.remember,
    dry_run: options.dryRun,
    accept_rejected: options.acceptRejected,
    accept_broken: options.acceptBroken,
    accept_unproved: options.acceptUnproved,
    keep_file: options.keepFile,
    password: options.password,
    accept_currency: options.acceptCurrency,
    accept_target: options.acceptTarget,
  });
  const job = await session.finishJob(started, chosen.value.name);
  const result = job.import_result;
  if (result !== null) {
    if (options.takeNew !== true || result.batch_id === null) return result;
    return { ...result, problems: [...(await takeNew(session.client, job.id)), ...result.problems] };
  }
  if (job.status === 'cancelled') throw new CommandError(EXIT.problems, 'cancelled', say('commands.import.theImportWasCancelled'));
  throw failedJob('import_failed', job.error_message);
}

/** Imports one file. With a terminal, asks for its password and its open questions, and imports again with the answers. */
async function importAsking(session: Session, file: GivenFile, options: ImportOptions, asking: Asking | null): Promise<ImportResult> {
  const result = await importFile(session, file.path, options, file.part);
  if (asking !== null && isLocked(result)) {
    const password = await asking.password(nameOf(file), options.password !== undefined);
    return importAsking(session, file, { ...options, password }, asking);
  }
  if (asking === null || !isAsked(result, options)) return result;
  const answers = new Map<string, string>();
  // The currency is asked first, because it may settle or raise other questions.
  const currency = result.questions.filter(({ about }) => about === 'currency');
  let words: readonly string[] | undefined;
  for (const question of currency.length > 0 ? currency : result.questions) {
    const answer = await asking.answer(question);
    if (question.about !== 'money_out') answers.set(question.about, answer[0] ?? '');
    else words = answer;
  }
  const said = {
    currency: answers.get('currency'),
    dateOrder: answers.get('date_order'),
    year: answers.get('year'),
    decimalMark: answers.get('decimal_mark'),
    signs: answers.get('sign_model'),
    moneyOut: words !== undefined && words.length === 0 ? false : words,
    overlap: answers.get('overlap'),
  };
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return importAsking(session, file, { ...options, ...given }, asking);
}

function moneyOutOf({ moneyOut = [] }: ImportOptions): ImportAnswers['money_out'] {
  if (moneyOut === false) return [];
  return moneyOut.length === 0 ? undefined : [...moneyOut];
}

/** Reads a recipe from a file. The service validates its members. */
function recipeFrom(file: string): Call<'imports.start'>['recipe'] {
  const refused = (why: string): CommandError =>
    new CommandError(EXIT.usage, 'recipe_unreadable', say('commands.import.isNoImportProfile', { file, why }));
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw refused(code === 'ENOENT' ? say('commands.import.thereIsNoSuch') : say('commands.import.itCannotBeOpened', { code }));
  }
  try {
    return JSON.parse(text) as Call<'imports.start'>['recipe'];
  } catch (error) {
    throw refused(say('commands.import.itIsNotJson', { message: error instanceof Error ? error.message : String(error) }));
  }
}

/** Returns the bank account that a recipe names, for a stream that is linked to none; else undefined. */
async function accountOfRecipe(
  session: Session,
  { stream: key, bankAccount }: ImportOptions,
  recipe: Call<'imports.start'>['recipe'],
): Promise<string | undefined> {
  const name = recipe?.bank_account ?? null;
  if (typeof name !== 'string' || bankAccount === false) return undefined;
  const streams = await session.client.get('streams.list', {});
  return (streams.find((stream) => stream.key === key)?.bank_account_id ?? null) === null ? name : undefined;
}

function writeRecipe(file: string, result: ImportResult): string {
  if (result.recipe === null) return say('commands.import.wasNotWrittenOnlyTables', { file });
  try {
    writeFileSync(file, `${JSON.stringify(result.recipe.recipe, null, 2)}\n`);
  } catch (error) {
    throw cannotWrite(file, error, 'recipe_not_written');
  }
  return say('commands.import.theImportProfileWasWritten', { file });
}

/** The name by which the standard input is given as a file. */
const STDIN = '-';

/** Writes the standard input into a file of its own, for work that reads a file several times. The file is gone afterwards. */
async function withInputAsFile<T>(work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-'));
  try {
    const file = path.join(folder, 'stdin');
    await pipeline(process.stdin, createWriteStream(file));
    if (statSync(file).size === 0) throw new CommandError(EXIT.usage, 'file_unreadable', say('commands.import.theInputIsEmpty'));
    return await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Matches files that lie beside others without being one: hidden ones, and the locks of open workbooks. */
const BESIDE = /^(?:\.|~\$)/;

/** Returns the files of a folder by name, and any other path as it is. Notes what folders within are left out. Throws where a folder has no files. */
function filesAt(given: string, output: Output): string[] {
  const kindAt = (file: string) => statSync(file, { throwIfNoEntry: false });
  if (kindAt(given)?.isDirectory() !== true) return [given];
  const inside = readdirSync(given)
    .filter((name) => !BESIDE.test(name))
    .map((name) => path.join(given, name))
    .toSorted();
  const folders = inside.filter((file) => kindAt(file)?.isDirectory() === true);
  if (folders.length > 0) output.note(say('commands.import.foldersAreLeftOut', { folders: folders.join(', '), count: folders.length }));
  // A link counts as what it leads to; one that leads nowhere is named when it cannot be opened.
  const files = inside.filter((file) => kindAt(file)?.isFile() ?? true);
  if (files.length === 0)
    throw new CommandError(EXIT.usage, 'file_unreadable', say('commands.import.theFolderHasNoFiles', { folder: given }));
  return files;
}

/**
 * Imports files, the files of folders or the standard input (`-`), one after another, and prints the results. A file that fails does not stop the
 * others.
 */
export function importCommand(paths: readonly string[], given: ImportOptions, output: Output): Promise<ExitCode> {
  if (!paths.includes(STDIN))
    return importPaths(
      paths.flatMap((each) => filesAt(each, output)),
      given,
      output,
    );
  const isAlone = paths.length === 1 && given.passwordStdin !== true;
  if (!isAlone) throw new CommandError(EXIT.usage, 'usage', say('commands.import.theInputIsOneFile'));
  return withInputAsFile((file) => importPaths([file], given, output, say('commands.import.theInput')));
}

/** `shown`: the name of the one file for people. */
async function importPaths(paths: readonly string[], given: ImportOptions, output: Output, shown?: string): Promise<ExitCode> {
  // A mistyped file name must not make a new book.
  const [missing] = stateOfFolder(given.data) === 'new' && paths.every((file) => !existsSync(file)) ? paths : [];
  if (missing !== undefined) {
    const message = say('commands.import.cannotBeOpenedItDoesNotExist', { missing });
    throw new CommandError(EXIT.usage, 'file_unreadable', message);
  }
  const files = givenFiles(paths).map((file) => (shown === undefined ? file : { ...file, shown }));
  const [file] = files;
  const options = await withPassword(given);
  if (options.sheet !== undefined && options.recipe !== undefined) {
    throw new CommandError(EXIT.usage, 'usage', say('commands.import.sheetGoesWithoutRecipe'));
  }
  if (files.length > 1 || file === undefined) return importMany(files, options, output);
  return withSession('import', options, output, async (session) => {
    const result = await importAsking(session, file, options, askOnTerminal(output));
    const written = options.recipeOut === undefined ? [] : [writeRecipe(options.recipeOut, result)];
    output.print(result, [...resultLines(result, options, nameOf(file)), ...written]);
    if (options.pack && result.batch_id !== null) await session.packColumns();
    return exitOf([result], options);
  });
}

interface FileOutcome {
  readonly file: string;
  readonly result: ImportResult | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

async function importMany(files: readonly GivenFile[], options: ImportOptions, output: Output): Promise<ExitCode> {
  if (options.recipeOut !== undefined) {
    throw new CommandError(EXIT.usage, 'usage', say('commands.import.recipeOutTakesTheRecipe'));
  }
  return withSession('import', options, output, async (session) => {
    const asking = askOnTerminal(output);
    const outcomes = await untilStopped(async (signal) => {
      const done: FileOutcome[] = [];
      for (const file of files) done.push(signal.aborted ? leftOut(file) : await outcomeOf(session, file, options, asking));
      return done;
    });
    const failing = outcomes.filter(({ result }) => result === null || hasProblems(result, options) || isAsked(result, options)).length;
    const kept = outcomes.reduce((sum, { result }) => sum + (result === null || result.batch_id === null ? 0 : result.kept), 0);
    const summary = say('commands.import.filesRecordsImported', {
      files: files.length,
      kept,
      nothingLeft: failing === 0 ? say('commands.import.nothingLeftToLook') : say('commands.import.toLookAt', { failing }),
    });
    output.print({ files: outcomes, kept, failing }, [
      ...outcomes.flatMap(({ file, result, error }) => [
        ...(result === null
          ? [`${file}: ${error?.message ?? say('commands.import.nothingCameOfIt')}`]
          : resultLines(result, options, file)),
        '',
      ]),
      summary,
    ]);
    if (options.pack && kept > 0) await session.packColumns();
    return exitOf(
      outcomes.map(({ result }) => result),
      options,
    );
  });
}

/** Returns the exit code for several results. A problem outweighs a question. Null means that the file gave no result. */
function exitOf(results: readonly (ImportResult | null)[], options: ImportOptions): ExitCode {
  if (results.some((result) => result === null || hasProblems(result, options))) return EXIT.problems;
  return results.some((result) => result !== null && isAsked(result, options)) ? EXIT.asked : EXIT.fine;
}

/** Returns the outcome of a file that was not imported because a signal had stopped the command. */
function leftOut(given: GivenFile): FileOutcome {
  return {
    file: nameOf(given),
    result: null,
    error: { code: 'cancelled', message: say('commands.import.itWasNotImported') },
  };
}

async function outcomeOf(session: Session, given: GivenFile, options: ImportOptions, asking: Asking | null): Promise<FileOutcome> {
  const file = nameOf(given);
  try {
    return { file, result: await importAsking(session, given, options, asking), error: null };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { file, result: null, error: { code: error.code, message: error.message } };
  }
}

/** Asks a person on the terminal. */
interface Asking {
  /** Resolves with the value of the choice; for words that mean money out, with any number of values. */
  readonly answer: (question: OpenQuestion) => Promise<readonly string[]>;
  /** Resolves with the password of a locked file. `isWrong`: one was given that does not open it. */
  readonly password: (file: string, isWrong: boolean) => Promise<string>;
}

/** Returns how to ask on the terminal; null where there is no terminal, or a program reads the output. */
function askOnTerminal(output: Output): Asking | null {
  if (output.json || !process.stdin.isTTY || !process.stderr.isTTY) return null;
  return {
    answer: (question) => askOn(process.stdin, process.stderr, question),
    password: (file, isWrong) => askPasswordOn(process.stdin, process.stderr, file, isWrong),
  };
}

/** Asks for the password of a file. What is typed is not shown. Throws when the input ends without a password. */
export async function askPasswordOn(
  input: NodeJS.ReadableStream,
  terminal: NodeJS.WritableStream,
  file: string,
  isWrong: boolean,
): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: unseen, terminal: true, historySize: 0 });
  try {
    if (isWrong) terminal.write(`${say('commands.import.thePasswordIsWrong', { file })}\n`);
    terminal.write(`${say('commands.import.passwordOf', { file })} `);
    for await (const line of lines) {
      terminal.write('\n');
      if (line !== '') return line;
      terminal.write(`${say('commands.import.passwordOf', { file })} `);
    }
  } finally {
    lines.close();
  }
  throw new CommandError(EXIT.asked, 'not_answered', say('commands.import.thePasswordWasNot'));
}

/** Returns the options with the password of the files, which may be the first line of the standard input. */
async function withPassword(options: ImportOptions): Promise<ImportOptions> {
  const refused = (message: string): CommandError => new CommandError(EXIT.usage, 'usage', message);
  const isPiped = options.passwordStdin === true;
  if (isPiped && options.password !== undefined) throw refused(say('commands.import.onePasswordOnly'));
  const password = isPiped ? await firstLineOf(process.stdin) : options.password;
  if (password === null) throw refused(say('commands.import.noPasswordInTheInput'));
  if (password !== undefined && (password === '' || password.length > LIMITS.passwordLength)) {
    const option = isPiped ? '--password-stdin' : '--password';
    throw refused(say('commands.import.aPasswordHas1ToCharacters', { option, most: LIMITS.passwordLength }));
  }
  return { ...options, password };
}

/** Returns the first line of an input that is not empty; null for none. */
async function firstLineOf(input: NodeJS.ReadableStream): Promise<string | null> {
  const lines = createInterface({ input });
  try {
    for await (const line of lines) if (line !== '') return line;
  } finally {
    lines.close();
  }
  return null;
}

/** Asks until a choice is given by its number or value, or a currency by its letters. Throws when the input ends without an answer. */
export async function askOn(
  input: NodeJS.ReadableStream,
  terminal: NodeJS.WritableStream,
  question: OpenQuestion,
): Promise<readonly string[]> {
  const { about, choices } = question;
  const lines = createInterface({ input });
  const isOfSeveral = about === 'money_out';
  const byNumber = choices.length === 0 ? '' : say('commands.import.oneToSoMany', { choices: choices.length });
  const byLetters =
    about === 'currency'
      ? say('commands.import.threeLetters')
      : about === 'year'
        ? say('commands.import.fourDigits')
        : isOfSeveral
          ? say('commands.import.severalWithSpacesBetweenOrNone')
          : '';
  const prompt = `${[byNumber, byLetters].filter((way) => way !== '').join(', or ')}: `;
  try {
    const [asked = '', ...told] = questionLines(question);
    terminal.write(
      `${[asked, ...told.map((line, index) => `  ${index < choices.length ? `${index + 1}: ` : ''}${line.trim()}`)].join('\n')}\n${prompt}`,
    );
    for await (const line of lines) {
      const said = line.trim();
      const several = isOfSeveral ? severalOf(said, question) : null;
      if (several !== null) return several;
      const chosen = choices[Number(said) - 1] ?? choices.find(({ value }) => value === said);
      if (chosen !== undefined) return [chosen.value];
      if (about === 'currency' && /^[A-Za-z]{3}$/.test(said)) return [said.toUpperCase()];
      if (about === 'year' && /^(?:19|20)\d{2}$/.test(said)) return [said];
      terminal.write(say(byNumber === '' ? 'commands.import.answerBy' : 'commands.import.aNumberFrom', { prompt }));
    }
  } finally {
    lines.close();
  }
  throw new CommandError(EXIT.asked, 'not_answered', say('commands.import.theQuestionWasNotAnswered'));
}

/**
 * Returns several choices by their numbers, or an empty list for `none`; null for anything else. A choice whose value is the same text has
 * precedence.
 */
function severalOf(said: string, { choices }: OpenQuestion): readonly string[] | null {
  if (choices.some(({ value }) => value === said)) return null;
  if (said.toLowerCase() === 'none') return [];
  const chosen = said.split(/[\s,]+/).map((number) => choices[Number(number) - 1]?.value);
  return chosen.every((value) => value !== undefined) ? [...new Set(chosen)] : null;
}

const SHOWN_PROBLEMS = 20;
/** For a file without a single opening and closing balance, such as one of several accounts. */
const ADDED_UP = say('commands.importLines.theBalancesOrControl');
/** Problems where the person may want another sheet than the one that was read. */
const SHEET_CODES: ReadonlySet<string> = new Set(['sheets_left_out', 'sheet_missing', 'sheet_hidden', 'no_such_sheet']);

/** Whether the file was not imported for a reason that a person must look at. */
export function hasProblems(result: ImportResult, options: ImportOptions): boolean {
  // A missing password is asked for, as an answer is.
  if (isLocked(result)) return false;
  const isEmpty = result.rows === 0 && !has(result, 'no_movement');
  if (result.problems.some((problem) => problem.severity === 'fatal') || isEmpty) return true;
  if (doesNotFit(result) && options.acceptTarget !== true) return true;
  if (has(result, 'period_closed')) return true;
  if (asksForAccount(result) || result.recipe?.state === 'doubtful') return true;
  // Until the currency, the year and the words for money out are known, rejected rows and broken balances mean nothing.
  if (result.questions.some(({ about }) => about === 'currency' || about === 'year' || about === 'money_out')) return false;
  if (result.rejected > 0 && !options.acceptRejected) return true;
  if (needsProof(result) && options.acceptUnproved !== true) return true;
  return result.proof === 'broken' && !options.acceptBroken;
}

/** Whether a file was not opened because its password is missing or wrong. */
function isLocked(result: ImportResult): boolean {
  return has(result, 'needs_password') || has(result, 'wrong_password');
}

/** Whether only open questions, or a password, prevent the import. */
function isAsked(result: ImportResult, options: ImportOptions): boolean {
  return isLocked(result) || (result.questions.length > 0 && !hasProblems(result, options));
}

function doesNotFit(result: ImportResult): boolean {
  return result.misfits.length > 0 || has(result, 'wrong_currency');
}

function asksForAccount(result: ImportResult): boolean {
  return has(result, 'several_accounts');
}

function has({ problems }: ImportResult, code: string): boolean {
  return problems.some((problem) => problem.code === code);
}

function keptLine({ name, former_id: formerId }: NonNullable<ImportResult['remembered']>): string {
  return say(formerId === null ? 'commands.importLines.keptAsTheImportProfile' : 'commands.importLines.inPlaceOfWhatItSaidBefore', {
    name,
  });
}

function resultLines(result: ImportResult, options: ImportOptions, file: string): string[] {
  const money = (amount: number) => moneyText(amount, result.decimal_places, result.currency);
  const lines = [`${file} -> ${result.stream} (${result.format})`];
  if (result.rows > 0) {
    lines.push(
      say('commands.importLines.rowsAlreadyThereRejected', {
        rows: result.rows,
        kept: result.kept,
        new: result.batch_id === null ? say('commands.importLines.new') : say('commands.importLines.kept'),
        skipped: result.skipped,
        rejected: result.rejected,
      }),
      say('commands.importLines.datesTo', { dateRangeStart: result.date_range_start ?? '-', dateRangeEnd: result.date_range_end ?? '-' }),
      ...result.totals.map((total) => {
        const amount = (minor: number) => moneyText(minor, total.decimal_places, total.currency);
        return say('commands.importLines.creditsDebits', { amount: amount(total.credits), amount2: amount(total.debits) });
      }),
    );
  }
  if (result.recipe?.state === 'remembered') lines.push(say('commands.importLines.readByProfile', { name: result.recipe.recipe.name }));
  if (result.remembered !== null) lines.push(keptLine(result.remembered));
  if (result.opening_balance !== null && result.closing_balance !== null) {
    lines.push(
      say('commands.importLines.openingBalanceClosingBalance', {
        money: money(result.opening_balance),
        money2: money(result.closing_balance),
        proof: result.proof,
      }),
    );
  } else if (result.rows > 0)
    lines.push(result.proof === 'proved' ? ADDED_UP : say('commands.importLines.balance', { proof: result.proof }));
  if (result.rows > 0 || has(result, 'no_movement')) lines.push(...balanceLines(result));
  for (const problem of result.problems.slice(0, SHOWN_PROBLEMS)) lines.push(`- ${problem.message}`);
  lines.push(...result.misfits.map(({ message }) => `- ${message}`), ...result.questions.flatMap(questionLines));
  if (result.problems.some(({ code }) => SHEET_CODES.has(code))) lines.push(say('commands.importLines.sheetNameReadsAnotherSheet'));
  if (result.problems_total > SHOWN_PROBLEMS)
    lines.push(say('commands.importLines.andMore', { problemsTotal: result.problems_total - SHOWN_PROBLEMS }));
  if (has(result, 'same_id_other_content') && options.takeNew !== true) {
    lines.push(say('commands.importLines.takeNewPutsWhatTheFile'));
  }
  if (options.dryRun) lines.push(say('commands.importLines.dryRunNothingWasStored'));
  else if (result.batch_id !== null && options.keepFile === true && !has(result, 'file_not_kept'))
    lines.push(say('commands.importLines.fileKept'));
  else if (result.batch_id === null) {
    const ways = [
      ...result.questions.map(wayToAnswer),
      ...(asksForAccount(result) ? [say('commands.importLines.accountAccountImportsOneAccount')] : []),
      ...(result.recipe?.state === 'doubtful' ? [say('commands.importLines.keptRecipeUseReads')] : []),
      ...(doesNotFit(result) && options.acceptTarget !== true
        ? [say('commands.importLines.acceptTargetImportsItIntoNevertheless', { stream: result.stream })]
        : []),
      ...(has(result, 'wrong_currency') || has(result, 'other_currency') ? [say('commands.importLines.otherCurrenciesAsWell')] : []),
      ...(result.rejected > 0 ? [say('commands.importLines.acceptRejectedImportsTheOtherRows')] : []),
      ...waysOfPdf(result),
      ...(result.proof === 'broken'
        ? [
            say('commands.importLines.acceptBrokenImportsTheFileAlthough', {
              say: has(result, 'file_cut_off') ? say('commands.importLines.itIsCutOff') : say('commands.importLines.itsBalancesDoNotHold'),
            }),
          ]
        : []),
    ];
    lines.push(
      ways.length === 0
        ? say('commands.importLines.nothingWasImported')
        : say('commands.importLines.mendTheFileOr', { ways: ways.join('; ') }),
    );
  }
  return lines;
}

/** Returns what a person can do about a PDF that is locked, or whose lines nothing proves. */
function waysOfPdf(result: ImportResult): string[] {
  if (isLocked(result)) return [say('commands.importLines.passwordTextOpensIt')];
  return needsProof(result) ? [say('commands.importLines.acceptUnprovedImportsTheLines')] : [];
}

function wayToAnswer({ about, choices }: OpenQuestion): string {
  if (about === 'currency') return say('commands.importLines.codeSaysItsCurrency', { currency: FLAGS.currency });
  if (about === 'year') return say('commands.importLines.yearSaysTheYear', { year: FLAGS.year });
  if (about === 'money_out') return say('commands.importLines.wordForEachThatMeansMoneyOut', { moneyOut: FLAGS.money_out });
  return say('commands.importLines.says', {
    flags: FLAGS[about],
    choices: choices.map(({ value }) => value).join('|'),
    whatThey: about === 'overlap' ? say('commands.importLines.whatTheyAre') : say('commands.importLines.howItIsRead'),
  });
}

/** Options that answer the questions. */
const FLAGS: Readonly<Record<QuestionAbout, string>> = {
  currency: '--currency',
  date_order: '--date-order',
  year: '--year',
  decimal_mark: '--decimal-mark',
  sign_model: '--signs',
  money_out: '--money-out',
  overlap: '--overlap',
};

/** Returns the lines of a question, with the result of each answer for some cells. */
function questionLines({ about, message, choices }: OpenQuestion): string[] {
  return [
    `? ${message}`,
    ...choices.map(({ value, label, examples }) => {
      const cells = examples
        .map(({ written, read }) => (about === 'money_out' ? written : say('commands.importLines.is', { written, read })))
        .join(', ');
      const words = label === value ? '' : `: ${label}`;
      return `  ${FLAGS[about]} ${value}${words}${cells === '' ? '' : ` (${cells})`}`;
    }),
    ...(about === 'money_out' ? [`  ${say('commands.importLines.noMoneyOutNone')}`] : []),
    ...(about === 'currency'
      ? [
          `  ${say('commands.importLines.codeThreeLettersSuch', {
            currency: FLAGS.currency,
            its: choices.length === 0 ? say('commands.importLines.its') : say('commands.importLines.other'),
          })}`,
        ]
      : []),
  ];
}

function balanceLines({ balances, batch_id: batchId, recipe }: ImportResult): string[] {
  const { bank_account: account, stated, new: made, same, conflicts, items } = balances;
  if (stated === 0) return [];
  if (account === null) {
    const named = recipe?.recipe.bank_account ?? null;
    const ofRecipe = named === null ? [] : [say('commands.importLines.theImportProfileNames', { named })];
    return [[say('commands.importLines.theStatementSaysBalance', { stated }), ...ofRecipe].join(' ')];
  }
  if (made + same + conflicts === 0) return [say('imports.balances.hasAnotherCurrencyItsBalances', { name: account.name })];
  const money = (amount: number, { decimal_places: places, currency }: (typeof items)[number]): string =>
    moneyText(amount, places, currency);
  return [
    say('commands.importLines.balancesOfTheBank', {
      name: account.name,
      made,
      wouldBe: batchId === null ? say('commands.importLines.wouldBeNew') : say('commands.importLines.new'),
      same,
      conflicts,
    }),
    ...items
      .filter((item) => item.outcome === 'conflict')
      .map((item) =>
        say('commands.importLines.hereThere', {
          date: item.date,
          balanceType: item.balance_type,
          money: money(item.amount, item),
          money2: money(item.existing_amount ?? 0, item),
        }),
      ),
  ];
}

export interface ImportOptions extends CommonOptions {
  readonly stream: string;
  readonly name?: string | undefined;
  readonly currency?: string | undefined;
  readonly account?: string | undefined;
  /** Name of the bank account to link the stream to; `false` leaves it unlinked, whatever a recipe says. */
  readonly bankAccount?: string | boolean | undefined;
  /** Name of the sheet of a workbook to read. */
  readonly sheet?: string | undefined;
  /** File of the recipe to read the table by. */
  readonly recipe?: string | undefined;
  /** File that the recipe used is written to. */
  readonly recipeOut?: string | undefined;
  /** Name under which the recipe is kept in the book. */
  readonly remember?: string | undefined;
  /** The action where a kept recipe is doubtful. */
  readonly keptRecipe?: 'ask' | 'use' | 'guess';
  /** Answers about how the file is read, which override what it shows. */
  readonly dateOrder?: 'ymd' | 'dmy' | 'mdy' | undefined;
  /** The year of the last transaction, where the file names none. */
  readonly year?: string | undefined;
  readonly decimalMark?: '.' | ',' | undefined;
  readonly signs?: ImportAnswers['sign_model'];
  /** Words for money out in the column of directions; `false` means that there are none. */
  readonly moneyOut?: readonly string[] | false | undefined;
  /** Whether lines with the day and amount of lines already there are the same ones. */
  readonly overlap?: ImportAnswers['overlap'];
  /** The form in which an entry of several transactions is imported. */
  readonly batchLines?: ImportAnswers['batch_lines'];
  readonly dryRun: boolean;
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
  /** Whether the lines of a PDF are imported that no balance proves. */
  readonly acceptUnproved?: boolean;
  /** Whether the file itself is kept in the book. */
  readonly keepFile?: boolean;
  /** The password of a locked PDF. */
  readonly password?: string | undefined;
  /** Whether the password is the first line of the standard input. */
  readonly passwordStdin?: boolean;
  readonly acceptCurrency?: boolean;
  readonly acceptTarget?: boolean;
  /** Whether lines with the id of a stored line and other content replace it, where it is not matched. */
  readonly takeNew?: boolean;
  /** Whether the command packs column segments before it ends; else the next process that opens the book does so in the background. */
  readonly pack: boolean;
}
