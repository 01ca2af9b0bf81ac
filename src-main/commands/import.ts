import { ALL_ACCOUNTS } from '../../src-shared/contract/imports.ts';
import type { ImportResult } from '../../src-shared/contract/index.ts';
import { CommandError, EXIT, type ExitCode, moneyText, type Output } from './output.ts';
import { type CommonOptions, failedJob, type Session, withSession } from './session.ts';

export interface ImportOptions extends CommonOptions {
  readonly stream: string;
  readonly name?: string | undefined;
  readonly currency?: string | undefined;
  readonly account?: string | undefined;
  /** Name of the bank account that the stream is to be linked to. */
  readonly bankAccount?: string | undefined;
  readonly dryRun: boolean;
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
}

const SHOWN_PROBLEMS = 20;

/** Imports one file and answers what came of it. */
export async function importFile(session: Session, file: string, options: ImportOptions): Promise<ImportResult> {
  const chosen = session.backend.registerFile(file);
  if (!chosen.ok) throw new CommandError(EXIT.usage, chosen.error.code, chosen.error.message);
  const started = await session.client.get('imports.start', {
    file_token: chosen.value.token,
    stream_key: options.stream,
    stream_name: options.name,
    currency: options.currency,
    account: options.account === 'all' ? ALL_ACCOUNTS : options.account,
    bank_account_name: options.bankAccount,
    dry_run: options.dryRun,
    accept_rejected: options.acceptRejected,
    accept_broken: options.acceptBroken,
  });
  const job = await session.finishJob(started, chosen.value.name);
  if (job.import_result !== null) return job.import_result;
  if (job.status === 'cancelled') throw new CommandError(EXIT.problems, 'cancelled', 'The import was cancelled. Nothing of it was stored.');
  throw failedJob('import_failed', job.error_message);
}

/** Whether the file did not go in for a reason that a person must look at. */
function hasProblems(result: ImportResult, options: ImportOptions): boolean {
  if (result.problems.some((problem) => problem.severity === 'fatal') || result.rows === 0) return true;
  if (result.rejected > 0 && !options.acceptRejected) return true;
  if (asksForAccount(result)) return true;
  return result.proof === 'broken' && !options.acceptBroken;
}

function asksForAccount(result: ImportResult): boolean {
  return result.problems.some((problem) => problem.code === 'several_accounts');
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
  if (result.opening_balance !== null && result.closing_balance !== null) {
    lines.push(`Opening balance ${money(result.opening_balance)}, closing balance ${money(result.closing_balance)}: ${result.proof}.`);
  } else if (result.rows > 0) lines.push(`Balance: ${result.proof}.`);
  if (result.rows > 0) lines.push(...balanceLines(result));
  for (const problem of result.problems.slice(0, SHOWN_PROBLEMS)) lines.push(`- ${problem.message}`);
  if (result.problems_total > SHOWN_PROBLEMS) lines.push(`- and ${result.problems_total - SHOWN_PROBLEMS} more.`);
  if (options.dryRun) lines.push('Dry run: nothing was stored.');
  else if (result.batch_id === null) {
    const ways = [
      ...(asksForAccount(result) ? ['--account ACCOUNT imports one account, --account all every one'] : []),
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

export async function importCommand(file: string, options: ImportOptions, output: Output): Promise<ExitCode> {
  return withSession(options, output, async (session) => {
    const result = await importFile(session, file, options);
    output.print(result, resultLines(result, options, file));
    return hasProblems(result, options) ? EXIT.problems : EXIT.fine;
  });
}
