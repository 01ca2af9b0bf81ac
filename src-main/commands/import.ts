import { readFileSync, writeFileSync } from 'node:fs';
import { ALL_ACCOUNTS } from '../../src-shared/contract/imports.ts';
import type { Call, ImportResult } from '../../src-shared/contract/index.ts';
import { CommandError, EXIT, type ExitCode, moneyText, type Output } from './output.ts';
import { type CommonOptions, failedJob, type Session, withSession } from './session.ts';

export interface ImportOptions extends CommonOptions {
  readonly stream: string;
  readonly name?: string | undefined;
  readonly currency?: string | undefined;
  readonly account?: string | undefined;
  /** Name of the bank account that the stream is to be linked to. */
  readonly bankAccount?: string | undefined;
  /** Name of the sheet of a workbook to read. */
  readonly sheet?: string | undefined;
  /** File of the recipe to read the table by. */
  readonly recipe?: string | undefined;
  /** File that the recipe used is written to. */
  readonly recipeOut?: string | undefined;
  /** Name under which the recipe is kept in the book. */
  readonly remember?: string | undefined;
  /** What to do where a kept recipe is doubtful. */
  readonly keptRecipe?: 'ask' | 'use' | 'guess';
  readonly dryRun: boolean;
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
  /** Whether what runs read is packed before the command ends; else who opens the book next does it in the background. */
  readonly pack: boolean;
}

const SHOWN_PROBLEMS = 20;
/** What is said where a person may mean another sheet than the one that was read. */
const SHEET_CODES: ReadonlySet<string> = new Set(['sheets_left_out', 'sheet_missing', 'sheet_hidden', 'no_such_sheet']);

/** Imports one file and answers what came of it. */
export async function importFile(session: Session, file: string, options: ImportOptions): Promise<ImportResult> {
  const chosen = session.backend.registerFile(file);
  if (!chosen.ok) throw new CommandError(EXIT.usage, chosen.error.code, chosen.error.message);
  const recipe = options.recipe === undefined ? undefined : recipeFrom(options.recipe);
  const started = await session.client.get('imports.start', {
    file_token: chosen.value.token,
    stream_key: options.stream,
    stream_name: options.name,
    currency: options.currency,
    account: options.account === 'all' ? ALL_ACCOUNTS : options.account,
    bank_account_name: options.bankAccount ?? (await accountOfRecipe(session, options.stream, recipe)),
    recipe,
    table: options.sheet === undefined ? undefined : { sheet: options.sheet },
    kept_recipe: options.keptRecipe,
    remember_recipe: options.remember,
    dry_run: options.dryRun,
    accept_rejected: options.acceptRejected,
    accept_broken: options.acceptBroken,
  });
  const job = await session.finishJob(started, chosen.value.name);
  if (job.import_result !== null) return job.import_result;
  if (job.status === 'cancelled') throw new CommandError(EXIT.problems, 'cancelled', 'The import was cancelled. Nothing of it was stored.');
  throw failedJob('import_failed', job.error_message);
}

/** The recipe of a file; what is wrong with it is said by the service, which checks its members. */
function recipeFrom(file: string): Call<'imports.start'>['recipe'] {
  const refused = (why: string): CommandError => new CommandError(EXIT.usage, 'recipe_unreadable', `${file} is no recipe: ${why}.`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw refused(code === 'ENOENT' ? 'there is no such file' : `it cannot be opened (${code})`);
  }
  try {
    return JSON.parse(text) as Call<'imports.start'>['recipe'];
  } catch (error) {
    throw refused(`it is not JSON (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** The bank account that a recipe names, for a stream that is linked to none. */
async function accountOfRecipe(session: Session, key: string, recipe: Call<'imports.start'>['recipe']): Promise<string | undefined> {
  const name = recipe?.bank_account ?? null;
  if (typeof name !== 'string') return undefined;
  const streams = await session.client.get('streams.list', {});
  return (streams.find((stream) => stream.key === key)?.bank_account_id ?? null) === null ? name : undefined;
}

function writeRecipe(file: string, result: ImportResult): string {
  if (result.recipe === null) return `${file} was not written: only tables are read by a recipe.`;
  try {
    writeFileSync(file, `${JSON.stringify(result.recipe.recipe, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(
      EXIT.environment,
      'recipe_not_written',
      `The recipe could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  return `The recipe was written to ${file}.`;
}

/** Whether the file did not go in for a reason that a person must look at. */
function hasProblems(result: ImportResult, options: ImportOptions): boolean {
  if (result.problems.some((problem) => problem.severity === 'fatal') || result.rows === 0) return true;
  if (result.rejected > 0 && !options.acceptRejected) return true;
  if (asksForAccount(result) || result.recipe?.state === 'doubtful') return true;
  return result.proof === 'broken' && !options.acceptBroken;
}

function asksForAccount(result: ImportResult): boolean {
  return result.problems.some((problem) => problem.code === 'several_accounts');
}

function keptLine({ name, former_id: formerId }: NonNullable<ImportResult['remembered']>): string {
  const former = formerId === null ? '' : ', in place of what it said before; that can be put back in the settings of the window';
  return `Kept as the recipe “${name}”${former}.`;
}

function resultLines(result: ImportResult, options: ImportOptions, file: string): string[] {
  const money = (amount: number) => moneyText(amount, result.decimal_places, result.currency);
  const lines = [`${file} -> ${result.stream} (${result.format})`];
  if (result.rows > 0) {
    lines.push(
      `Rows ${result.rows}: ${result.kept} ${result.batch_id === null ? 'new' : 'kept'}, ${result.skipped} already there, ${result.rejected} rejected.`,
      `Dates ${result.date_range_start ?? '-'} to ${result.date_range_end ?? '-'}.`,
      ...result.totals.map((total) => {
        const amount = (minor: number) => moneyText(minor, total.decimal_places, total.currency);
        return `Credits ${amount(total.credits)}, debits ${amount(total.debits)}.`;
      }),
    );
  }
  if (result.recipe?.state === 'remembered') lines.push(`Read by the recipe “${result.recipe.recipe.name}” that is kept for this header.`);
  if (result.remembered !== null) lines.push(keptLine(result.remembered));
  if (result.opening_balance !== null && result.closing_balance !== null) {
    lines.push(`Opening balance ${money(result.opening_balance)}, closing balance ${money(result.closing_balance)}: ${result.proof}.`);
  } else if (result.rows > 0) lines.push(`Balance: ${result.proof}.`);
  if (result.rows > 0) lines.push(...balanceLines(result));
  for (const problem of result.problems.slice(0, SHOWN_PROBLEMS)) lines.push(`- ${problem.message}`);
  if (result.problems.some(({ code }) => SHEET_CODES.has(code))) lines.push('--sheet NAME reads another sheet of the workbook.');
  if (result.problems_total > SHOWN_PROBLEMS) lines.push(`- and ${result.problems_total - SHOWN_PROBLEMS} more.`);
  if (options.dryRun) lines.push('Dry run: nothing was stored.');
  else if (result.batch_id === null) {
    const ways = [
      ...(asksForAccount(result) ? ['--account ACCOUNT imports one account, --account all every one'] : []),
      ...(result.recipe?.state === 'doubtful'
        ? ['--kept-recipe use reads it by the kept recipe, --kept-recipe guess by what the file shows']
        : []),
      ...(result.rejected > 0 ? ['--accept-rejected imports the other rows'] : []),
      ...(result.proof === 'broken' ? ['--accept-broken imports the file although its balances do not hold'] : []),
    ];
    lines.push(`Nothing was imported.${ways.length === 0 ? '' : ` Mend the file, or: ${ways.join('; ')}.`}`);
  }
  return lines;
}

function balanceLines({ balances, batch_id: batchId }: ImportResult): string[] {
  const { bank_account: account, stated, new: made, same, conflicts, items } = balances;
  if (stated === 0) return [];
  if (account === null) {
    return [
      `The statement says ${stated} balances; the stream is linked to no bank account. --bank-account NAME links it, and makes the account.`,
    ];
  }
  const money = (amount: number, { decimal_places: places, currency }: (typeof items)[number]): string =>
    moneyText(amount, places, currency);
  return [
    `Balances of the bank account ${account.name}: ${made} ${batchId === null ? 'would be new' : 'new'}, ${same} there already, ${conflicts} with another amount, which stays.`,
    ...items
      .filter((item) => item.outcome === 'conflict')
      .map(
        (item) => `- ${item.date} ${item.balance_type}: ${money(item.amount, item)} here, ${money(item.existing_amount ?? 0, item)} there.`,
      ),
  ];
}

/** Imports one file and tells what came of it, or several one after another: one that fails does not stop the others. */
export async function importCommand(files: readonly string[], options: ImportOptions, output: Output): Promise<ExitCode> {
  const [file] = files;
  if (options.sheet !== undefined && options.recipe !== undefined) {
    throw new CommandError(EXIT.usage, 'usage', '--sheet goes without --recipe: a recipe names the sheet itself, in its member "sheet".');
  }
  if (files.length > 1 || file === undefined) return importMany(files, options, output);
  return withSession(options, output, async (session) => {
    const result = await importFile(session, file, options);
    const written = options.recipeOut === undefined ? [] : [writeRecipe(options.recipeOut, result)];
    output.print(result, [...resultLines(result, options, file), ...written]);
    if (options.pack && result.batch_id !== null) await session.packColumns();
    return hasProblems(result, options) ? EXIT.problems : EXIT.fine;
  });
}

interface FileOutcome {
  readonly file: string;
  readonly result: ImportResult | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

async function importMany(files: readonly string[], options: ImportOptions, output: Output): Promise<ExitCode> {
  if (options.recipeOut !== undefined) {
    throw new CommandError(EXIT.usage, 'usage', '--recipe-out takes the recipe of one file: import the files one by one, or leave it out.');
  }
  return withSession(options, output, async (session) => {
    const outcomes: FileOutcome[] = [];
    for (const file of files) outcomes.push(await outcomeOf(session, file, options));
    const failing = outcomes.filter(({ result }) => result === null || hasProblems(result, options)).length;
    const kept = outcomes.reduce((sum, { result }) => sum + (result === null || result.batch_id === null ? 0 : result.kept), 0);
    const summary = `${files.length} files: ${kept} records imported; ${failing === 0 ? 'nothing left to look at' : `${failing} to look at`}.`;
    output.print({ files: outcomes, kept, failing }, [
      ...outcomes.flatMap(({ file, result, error }) => [
        ...(result === null ? [`${file}: ${error?.message ?? 'nothing came of it'}`] : resultLines(result, options, file)),
        '',
      ]),
      summary,
    ]);
    if (options.pack && kept > 0) await session.packColumns();
    return failing > 0 ? EXIT.problems : EXIT.fine;
  });
}

async function outcomeOf(session: Session, file: string, options: ImportOptions): Promise<FileOutcome> {
  try {
    return { file, result: await importFile(session, file, options), error: null };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { file, result: null, error: { code: error.code, message: error.message } };
  }
}
