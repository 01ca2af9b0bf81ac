import type { ImportResult, OpenQuestion, QuestionAbout } from '../../src-shared/contract/index.ts';
import type { ImportOptions } from './import-options.ts';
import { moneyText } from './output.ts';

const SHOWN_PROBLEMS = 20;
/** For a file without a single opening and closing balance, such as one of several accounts. */
const ADDED_UP = 'The balances or control sums that the file states hold for its lines.';
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
  return result.proof === 'broken' && !options.acceptBroken;
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
  const former = formerId === null ? '' : ', in place of what it said before; that can be put back in the settings of the window';
  return `Kept as the recipe “${name}”${former}.`;
}

export function resultLines(result: ImportResult, options: ImportOptions, file: string): string[] {
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
  } else if (result.rows > 0) lines.push(result.proof === 'proved' ? ADDED_UP : `Balance: ${result.proof}.`);
  if (result.rows > 0 || has(result, 'no_movement')) lines.push(...balanceLines(result));
  for (const problem of result.problems.slice(0, SHOWN_PROBLEMS)) lines.push(`- ${problem.message}`);
  lines.push(...result.misfits.map(({ message }) => `- ${message}`), ...result.questions.flatMap(questionLines));
  if (result.problems.some(({ code }) => SHEET_CODES.has(code))) lines.push('--sheet NAME reads another sheet of the workbook.');
  if (result.problems_total > SHOWN_PROBLEMS) lines.push(`- and ${result.problems_total - SHOWN_PROBLEMS} more.`);
  if (has(result, 'same_id_other_content') && options.takeNew !== true) {
    lines.push('--take-new puts what the file says now in the place of what is here, where that is not matched.');
  }
  if (options.dryRun) lines.push('Dry run: nothing was stored.');
  else if (result.batch_id === null) {
    const ways = [
      ...result.questions.map(wayToAnswer),
      ...(asksForAccount(result) ? ['--account ACCOUNT imports one account, --account all every one'] : []),
      ...(result.recipe?.state === 'doubtful'
        ? ['--kept-recipe use reads it by the kept recipe, --kept-recipe guess by what the file shows']
        : []),
      ...(doesNotFit(result) && options.acceptTarget !== true
        ? [`--accept-target imports it into “${result.stream}” nevertheless, where that is the right stream`]
        : []),
      ...(has(result, 'wrong_currency') || has(result, 'other_currency') ? ['--accept-currency imports other currencies as well'] : []),
      ...(result.rejected > 0 ? ['--accept-rejected imports the other rows'] : []),
      ...(result.proof === 'broken'
        ? [`--accept-broken imports the file although ${has(result, 'file_cut_off') ? 'it is cut off' : 'its balances do not hold'}`]
        : []),
    ];
    lines.push(`Nothing was imported.${ways.length === 0 ? '' : ` Mend the file, or: ${ways.join('; ')}.`}`);
  }
  return lines;
}

function wayToAnswer({ about, choices }: OpenQuestion): string {
  if (about === 'currency') return `${FLAGS.currency} CODE says its currency`;
  if (about === 'money_out')
    return `${FLAGS.money_out} WORD, for each that means money out, says how it is read; --no-money-out that none does`;
  return `${FLAGS[about]} ${choices.map(({ value }) => value).join('|')} says ${about === 'overlap' ? 'what they are' : 'how it is read'}`;
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
      const cells = examples.map(({ written, read }) => (about === 'money_out' ? written : `${written} is ${read}`)).join(', ');
      const words = label === value ? '' : `: ${label}`;
      return `  ${FLAGS[about]} ${value}${words}${cells === '' ? '' : ` (${cells})`}`;
    }),
    ...(about === 'money_out' ? ['  --no-money-out: none of them'] : []),
    ...(about === 'currency' ? [`  ${FLAGS.currency} CODE: ${choices.length === 0 ? 'its' : 'other'} three letters, such as GBP`] : []),
  ];
}

function balanceLines({ balances, batch_id: batchId, recipe }: ImportResult): string[] {
  const { bank_account: account, stated, new: made, same, conflicts, items } = balances;
  if (stated === 0) return [];
  if (account === null) {
    const named = recipe?.recipe.bank_account ?? null;
    const ofRecipe = named === null ? '' : ` The recipe names “${named}”.`;
    return [
      `The statement says ${stated} balance${stated === 1 ? '' : 's'}; the stream is linked to no bank account. --bank-account NAME links it, and makes the account.${ofRecipe}`,
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
