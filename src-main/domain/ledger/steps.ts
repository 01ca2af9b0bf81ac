import { isExplained } from '../../../src-shared/contract/close/period-statement.ts';
import type { UndoneStep } from '../../../src-shared/contract/index.ts';
import type { LedgerInput, LedgerSide } from './input.ts';
import { sideName } from './ledger-words.ts';
import { periodText } from './period-text.ts';
import type { OpenItem, Statement } from './statement.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

/** The state of the files of a period. */
export interface FilesOfPeriod {
  /** The first and the last day that the files of a side speak about; null without files. */
  readonly coverage: Readonly<Record<LedgerSide, { readonly from: number; readonly to: number } | null>>;
  /** Days between two files that no file covers, worded to follow `while`. */
  readonly gaps: readonly string[];
  /** Unfinished imports and runs, worded to follow `while`. */
  readonly work: readonly string[];
}

/** A file that lists lines without a period ends with its last line, so a few days without lines are no gap. */
const QUIET_DAYS = 4;

type Context = Pick<LedgerInput, 'isNeutral' | 'bankSide'>;

/** Returns the gaps before the first and after the last covered day of a side, if they are longer than `QUIET_DAYS`. */
function endsMissing(context: Context, side: LedgerSide, { period }: Statement, { coverage }: FilesOfPeriod): string[] {
  const covered = coverage[side];
  if (covered === null) return [];
  const name = sideName(context, side);
  const gaps: string[] = [];
  if (covered.from - period.from > QUIET_DAYS)
    gaps.push(phrase('ledger.steps.noFileOfCoversTheDaysBefore', { name, from: dayText(covered.from) }));
  if (period.to - covered.to > QUIET_DAYS) gaps.push(phrase('ledger.steps.noFileCoversTheLastDays', { name, to: dayText(covered.to) }));
  return gaps;
}

function filesMissing(context: Context, statement: Statement, files: FilesOfPeriod): string[] {
  const sides = ['bank', 'books'] as const;
  const name = periodText(statement.period);
  return [
    ...sides
      .filter((side) => statement[side].receiptCount + statement[side].paymentCount === 0)
      .map((side) => phrase('ledger.steps.noLineOfIsIn', { context: sideName(context, side), name })),
    ...sides.flatMap((side) => endsMissing(context, side, statement, files)),
    ...files.gaps,
    ...files.work,
  ];
}

/**
 * Returns whether an open item wants an explanation. One in a proposal is decided instead, and one that a later line cleared is explained by that.
 */
function wantsExplanation({ reason }: OpenItem): boolean {
  return reason === 'unmatched';
}

/** Returns the number of open items that want an explanation, and of those that have none. */
export function explanationsOf(
  { openItems }: Pick<Statement, 'openItems'>,
  statusExplains: boolean,
): { readonly wanted: number; readonly missing: number } {
  const wanting = openItems.filter(wantsExplanation);
  return { wanted: wanting.length, missing: wanting.filter(({ note }) => !isExplained(note, statusExplains)).length };
}

/** Returns how many cleared matches have a difference of which a person said that nobody knows yet why it is there. */
function leftOpen({ clearedMatches }: Pick<Statement, 'clearedMatches'>): number {
  return clearedMatches.filter(({ difference, reason }) => difference !== 0 && reason === 'left_open').length;
}

const STEPS: readonly UndoneStep['step'][] = ['files', 'balances', 'proposals', 'explained', 'agree'];

/** Returns the steps of people's work that are not done in one currency: files, proposals and explanations. */
export function undoneWork(context: Context, statement: Statement, files: FilesOfPeriod, statusExplains: boolean): UndoneStep[] {
  const { currency, proposals } = statement;
  const { missing } = explanationsOf(statement, statusExplains);
  const open = leftOpen(statement);
  const explained = [
    ...(missing === 0 ? [] : [phrase('ledger.steps.openItemsHaveNoComment', { missing })]),
    ...(open === 0 ? [] : [phrase('ledger.steps.matchesHaveADifferenceLeftOpen', { open })]),
  ];
  return [
    { step: 'files', currency, texts: filesMissing(context, statement, files) },
    { step: 'proposals', currency, texts: proposals === 0 ? [] : [phrase('ledger.steps.proposalsAreNotDecided', { proposals })] },
    { step: 'explained', currency, texts: explained },
  ];
}

/**
 * Returns the steps of a close that are not done in one currency, in their order. The window, the command line and the reports show these, and to
 * close in spite of them wants a reason. `work` is `undoneWork`, or that of the signature of a closed period; the figures add their doubts.
 */
export function undoneSteps({ currency, doubts }: Pick<Statement, 'currency' | 'doubts'>, work: readonly UndoneStep[]): UndoneStep[] {
  const ofBalances = doubts.filter(({ code }) => code !== 'unexplained').map(({ text }) => text);
  const steps: UndoneStep[] = [
    ...work.filter(({ step }) => step !== 'balances' && step !== 'agree'),
    { step: 'balances', currency, texts: ofBalances },
    { step: 'agree', currency, texts: doubts.map(({ text }) => text) },
  ];
  return steps.filter(({ texts }) => texts.length > 0).toSorted((left, right) => STEPS.indexOf(left.step) - STEPS.indexOf(right.step));
}
