import { isUnprovedPdf } from '../../src-shared/contract/imports/imports.ts';
import type { ImportResult, OpenQuestion, QuestionAbout } from '../../src-shared/contract/index.ts';
import type { ImportOptions } from './import-options.ts';
import { moneyText } from './output.ts';
import { say } from '../../src-shared/words/say.ts';

const SHOWN_PROBLEMS = 20;
/** For a file without a single opening and closing balance, such as one of several accounts. */
const ADDED_UP = say('commands.importLines.theBalancesOrControl');
/** Problems where the person may want another sheet than the one that was read. */
const SHEET_CODES: ReadonlySet<string> = new Set(['sheets_left_out', 'sheet_missing', 'sheet_hidden', 'no_such_sheet']);

/** Whether the file was not imported for a reason that a person must look at. */
export function hasProblems(result: ImportResult, options: ImportOptions): boolean {
  const isEmpty = result.rows === 0 && !has(result, 'no_movement');
  if (result.problems.some((problem) => problem.severity === 'fatal') || isEmpty) return true;
  if (doesNotFit(result) && options.acceptTarget !== true) return true;
  if (has(result, 'period_closed')) return true;
  if (asksForAccount(result) || result.recipe?.state === 'doubtful') return true;
  // Until the currency and the words for money out are known, rejected rows and broken balances mean nothing.
  if (result.questions.some(({ about }) => about === 'currency' || about === 'money_out')) return false;
  if (result.rejected > 0 && !options.acceptRejected) return true;
  if (isUnprovedPdf(result) && options.acceptUnproved !== true) return true;
  return result.proof === 'broken' && !options.acceptBroken;
}

/** Whether a file was not opened because its password is missing or wrong. */
export function isLocked(result: ImportResult): boolean {
  return has(result, 'needs_password') || has(result, 'wrong_password');
}

/** Whether only open questions prevent the import. */
export function isAsked(result: ImportResult, options: ImportOptions): boolean {
  return result.questions.length > 0 && !hasProblems(result, options);
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
  const former = formerId === null ? '' : say('commands.importLines.inPlaceOfWhatItSaidBefore');
  return say('commands.importLines.keptAsTheRecipe', { name, former });
}

export function resultLines(result: ImportResult, options: ImportOptions, file: string): string[] {
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
  if (result.recipe?.state === 'remembered') lines.push(say('commands.importLines.readByTheRecipe', { name: result.recipe.recipe.name }));
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
  if (result.problems.some(({ code }) => SHEET_CODES.has(code))) lines.push(say('commands.importLines.sheetNameReadsAnother'));
  if (result.problems_total > SHOWN_PROBLEMS)
    lines.push(say('commands.importLines.andMore', { problemsTotal: result.problems_total - SHOWN_PROBLEMS }));
  if (has(result, 'same_id_other_content') && options.takeNew !== true) {
    lines.push(say('commands.importLines.takeNewPutsWhatTheFile'));
  }
  if (options.dryRun) lines.push(say('commands.importLines.dryRunNothingWasStored'));
  else if (result.batch_id === null) {
    const ways = [
      ...result.questions.map(wayToAnswer),
      ...(asksForAccount(result) ? [say('commands.importLines.accountAccountImportsOneAccount')] : []),
      ...(result.recipe?.state === 'doubtful' ? [say('commands.importLines.keptRecipeUseReads')] : []),
      ...(doesNotFit(result) && options.acceptTarget !== true
        ? [say('commands.importLines.acceptTargetImportsItIntoNevertheless', { stream: result.stream })]
        : []),
      ...(has(result, 'wrong_currency') || has(result, 'other_currency') ? [say('commands.importLines.acceptCurrencyImportsOther')] : []),
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
      say('commands.importLines.nothingWasImported', {
        mend: ways.length === 0 ? '' : say('commands.importLines.mendTheFileOr', { ways: ways.join('; ') }),
      }),
    );
  }
  return lines;
}

/** Returns what a person can do about a PDF that is locked, or whose lines nothing proves. */
function waysOfPdf(result: ImportResult): string[] {
  if (isLocked(result)) return [say('commands.importLines.passwordTextOpensIt')];
  return isUnprovedPdf(result) && result.rows > 0 ? [say('commands.importLines.acceptUnprovedImportsTheLines')] : [];
}

function wayToAnswer({ about, choices }: OpenQuestion): string {
  if (about === 'currency') return say('commands.importLines.codeSaysItsCurrency', { currency: FLAGS.currency });
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
  decimal_mark: '--decimal-mark',
  sign_model: '--signs',
  money_out: '--money-out',
  overlap: '--overlap',
};

/** Returns the lines of a question, with the result of each answer for some cells. */
export function questionLines({ about, message, choices }: OpenQuestion): string[] {
  return [
    `? ${message}`,
    ...choices.map(({ value, label, examples }) => {
      const cells = examples
        .map(({ written, read }) => (about === 'money_out' ? written : say('commands.importLines.is', { written, read })))
        .join(', ');
      const words = label === value ? '' : `: ${label}`;
      return `  ${FLAGS[about]} ${value}${words}${cells === '' ? '' : ` (${cells})`}`;
    }),
    ...(about === 'money_out' ? [say('commands.importLines.noMoneyOutNone')] : []),
    ...(about === 'currency'
      ? [
          say('commands.importLines.codeThreeLettersSuch', {
            currency: FLAGS.currency,
            its: choices.length === 0 ? say('commands.importLines.its') : say('commands.importLines.other'),
          }),
        ]
      : []),
  ];
}

function balanceLines({ balances, batch_id: batchId, recipe }: ImportResult): string[] {
  const { bank_account: account, stated, new: made, same, conflicts, items } = balances;
  if (stated === 0) return [];
  if (account === null) {
    const named = recipe?.recipe.bank_account ?? null;
    const ofRecipe = named === null ? '' : say('commands.importLines.theRecipeNames', { named });
    return [say('commands.importLines.theStatementSaysBalance', { stated, ofRecipe })];
  }
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
