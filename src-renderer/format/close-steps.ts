import type { PeriodOpenItem, PeriodStatement, ReconciliationPeriod } from '../../src-shared/contract/index.ts';
import { shortDay } from './dates.ts';
import { lineLabel, sumText, withMinus } from './close-words.ts';
import { countOf } from './counts.ts';
import { plainAmount } from './money.ts';
import { isExplained } from '../../src-shared/contract/close/period-statement.ts';
import { say } from '../../src-shared/words/say.ts';

type Slot = PeriodOpenItem['side'];

/** The target of a step that is not done. */
export type Way =
  | { readonly to: 'import' }
  | { readonly to: 'proposals' }
  | { readonly to: 'differences' }
  | { readonly to: 'changes' }
  | { readonly to: 'unexplained' }
  | { readonly to: 'sign' }
  | { readonly to: 'item'; readonly recordId: number }
  | { readonly to: 'balance'; readonly slot: Slot; readonly which: 'opening' | 'stated_closing' };

export interface Step {
  readonly name: 'files' | 'balances' | 'proposals' | 'explained' | 'agree' | 'sign_off';
  readonly title: string;
  readonly isDone: boolean;
  /** Sentences about what is done. */
  readonly facts: readonly string[];
  /** Sentences about what is missing. */
  readonly missing: readonly string[];
  readonly way: { readonly label: string; readonly way: Way } | null;
}

/** The days that the files of one side cover; null when the side has none. */
export interface SideCoverage {
  readonly slot: Slot;
  readonly from: string | null;
  readonly to: string | null;
}

interface StepFacts {
  readonly statement: PeriodStatement;
  readonly period: Pick<ReconciliationPeriod, 'state' | 'stale' | 'prepared_by' | 'reviewed_by' | 'closed_by'>;
  readonly coverage: readonly SideCoverage[] | null;
  readonly matches: number;
  /** Whether a status other than open explains an item. Otherwise only a comment does. */
  readonly statusExplains: boolean;
}

type OfSides = Readonly<Record<Slot, string>>;

const titlesOf = ({
  document: {
    sides: [bank, books],
  },
}: PeriodStatement): OfSides => ({ bank: bank.title, books: books.title });
const namesOf = ({
  document: {
    sides: [bank, books],
  },
}: PeriodStatement): OfSides => ({ bank: bank.name, books: books.name });

const messagesOf = (statement: PeriodStatement, ...codes: readonly string[]): string[] =>
  statement.warnings.filter(({ code }) => codes.includes(code)).map(({ message }) => withMinus(message));

/** Returns what the service says is missing of a step, as sentences; none when the step is done. */
function missingOf({ undone, currency }: PeriodStatement, name: PeriodStatement['undone'][number]['step']): string[] {
  const texts = undone.find((one) => one.step === name && one.currency === currency)?.texts ?? [];
  return texts.map((text) => withMinus(`${text.charAt(0).toUpperCase()}${text.slice(1)}`));
}

function filesStep({ statement, coverage }: StepFacts): Step {
  const names = titlesOf(statement);
  const { from, to } = statement.period;
  const bounded = (day: string): string => shortDay(day < from ? from : day > to ? to : day);
  const facts = (coverage ?? []).flatMap(({ slot, from: first, to: last }) =>
    first === null || last === null
      ? []
      : [say('close.closeSteps.to', { names: names[slot], bounded: bounded(first), bounded2: bounded(last) })],
  );
  const missing = missingOf(statement, 'files');
  const isDone = missing.length === 0;
  const isWhole = coverage?.every((side) => side.from !== null && side.from <= from && side.to !== null && side.to >= to) === true;
  return {
    name: 'files',
    title: say('close.closeSteps.filesIn'),
    isDone,
    facts: isDone && isWhole ? [...facts, say('close.closeSteps.noDayMissing')] : facts,
    missing,
    way: isDone ? null : { label: say('close.closeSteps.importAFile'), way: { to: 'import' } },
  };
}

function proofOf(statement: PeriodStatement, slot: Slot): string | null {
  const { opening, receipts, payments, closing, stated_closing: stated } = statement[slot];
  if (opening === null || closing === null) return null;
  const places = statement.decimal_places;
  const sum = `${titlesOf(statement)[slot]} ${sumText(opening, receipts + payments, places)} = ${plainAmount(closing, places)}`;
  return stated === null ? say('close.closeSteps.computedNotStated', { sum }) : sum;
}

function balancesStep({ statement }: StepFacts): Step {
  const within = namesOf(statement);
  const lacking = (['bank', 'books'] as const).filter((slot) => statement[slot].opening === null);
  const unproved = messagesOf(statement, 'balance_does_not_hold', 'closing_not_stated', 'balances_disagree', 'balance_of_earlier_day');
  const unheld = (['bank', 'books'] as const).find((slot) => statement[slot].holds === false);
  const unstated = (['bank', 'books'] as const).find((slot) => statement[slot].stated_closing === null);
  const earlier =
    statement.doubts.find(({ code, currency }) => code === 'balance_of_earlier_day' && currency === statement.currency)?.side ?? undefined;
  const [first] = lacking;
  const missing = [...lacking.map((slot) => say('close.closeSteps.theOpeningBalanceOfIsNotStated', { within: within[slot] })), ...unproved];
  const isDone = missingOf(statement, 'balances').length === 0;
  const way: Step['way'] =
    first !== undefined
      ? { label: say('close.closeSteps.enterTheOpeningBalance'), way: { to: 'balance', slot: first, which: 'opening' } }
      : unheld !== undefined
        ? { label: say('close.closeSteps.lookAtTheBalances'), way: { to: 'balance', slot: unheld, which: 'stated_closing' } }
        : unstated !== undefined || earlier !== undefined
          ? {
              label: say('close.closeSteps.enterTheClosingBalance'),
              way: { to: 'balance', slot: unstated ?? earlier ?? 'bank', which: 'stated_closing' },
            }
          : null;
  const facts = (['bank', 'books'] as const).flatMap((slot) => proofOf(statement, slot) ?? []);
  return { name: 'balances', title: say('close.closeSteps.balancesProved'), isDone, facts, missing, way };
}

function proposalsStep({ statement, matches }: StepFacts): Step {
  const missing = missingOf(statement, 'proposals');
  const isDone = missing.length === 0;
  return {
    name: 'proposals',
    title: say('close.closeSteps.proposalsDecided'),
    isDone,
    facts: [isDone ? say('close.closeSteps.matchesNoProposalLeft', { matches }) : countOf(matches, 'count.matches')],
    missing,
    way: isDone ? null : { label: say('close.closeSteps.goToTheProposals'), way: { to: 'proposals' } },
  };
}

/** Returns the listed open items that want an explanation and have none. One in a proposal is decided, and a later match explains its lines. */
export function unexplainedItems(statement: Pick<PeriodStatement, 'open_items'>, statusExplains: boolean): PeriodOpenItem[] {
  return statement.open_items.filter((item) => item.reason === 'unmatched' && !isExplained(item.note, statusExplains));
}

function explainedStep({ statement, statusExplains }: StepFacts): Step {
  const { explained_item_count: explained, unexplained_item_count: bare, decimal_places: places } = statement;
  const base = { name: 'explained', title: say('close.closeSteps.openItemsExplained') } as const;
  const missing = missingOf(statement, 'explained');
  if (explained + bare === 0 && missing.length === 0) {
    const fact = statement.open_item_count === 0 ? say('close.closeSteps.noOpenItem') : say('close.closeSteps.noneToExplain');
    return { ...base, isDone: true, facts: [fact], missing: [], way: null };
  }
  const facts = [say('close.closeSteps.ofExplained', { listed: plainAmount(explained, 0), listed2: plainAmount(explained + bare, 0) })];
  if (missing.length === 0) return { ...base, isDone: true, facts, missing, way: null };
  const [first] = unexplainedItems(statement, statusExplains);
  if (first === undefined) {
    const way = bare > 0 ? null : { label: say('close.closeSteps.lookAtTheDifferences'), way: { to: 'differences' } as const };
    return { ...base, isDone: false, facts, missing, way };
  }
  const words = (first.causes[0]?.title ?? 'not known').toLowerCase();
  return {
    ...base,
    isDone: false,
    facts,
    // The service counts the items without a comment first; the first of them is named in its place.
    missing: [
      say('close.closeSteps.hasNoComment', { line: lineLabel(first), words, amount: plainAmount(first.amount, places) }),
      ...missing.slice(1),
    ],
    way: { label: say('close.closeSteps.goTo', { line: lineLabel(first) }), way: { to: 'item', recordId: first.record_id } },
  };
}

function agreeStep({ statement }: StepFacts): Step {
  const { unexplained, adjusted_bank: bank, adjusted_books: books, decimal_places: places } = statement;
  const base = { name: 'agree', title: say('close.closeSteps.figuresAgree') } as const;
  if (unexplained === null) {
    const unknown = (['bank', 'books'] as const).find((slot) => statement[slot].balance === null) ?? 'books';
    return {
      ...base,
      isDone: false,
      facts: [],
      missing: [say('close.closeSteps.theBalanceOfIsNotKnown', { names: namesOf(statement)[unknown] })],
      way: null,
    };
  }
  const own = statement.doubts.filter(({ currency, code }) => currency === statement.currency && code !== 'unexplained');
  if (unexplained === 0 && own.length > 0) {
    const missing = own.map(({ text }) => withMinus(`${text.charAt(0).toUpperCase()}${text.slice(1)}`));
    return {
      ...base,
      isDone: false,
      facts: [say('close.closeSteps.onBothSides', { bank: plainAmount(bank ?? 0, places) })],
      missing,
      way: null,
    };
  }
  if (unexplained === 0) {
    return {
      ...base,
      isDone: true,
      facts: [say('close.closeSteps.onBothSides', { bank: plainAmount(bank ?? 0, places) }), say('close.closeSteps.nothingUnexplained')],
      missing: [],
      way: null,
    };
  }
  return {
    ...base,
    isDone: false,
    facts: [say('close.closeSteps.and', { bank: plainAmount(bank ?? 0, places), books: plainAmount(books ?? 0, places) })],
    missing: [say('close.closeSteps.unexplained', { unexplained: plainAmount(unexplained, places) })],
    way: { label: say('close.closeSteps.seeTheLikelyCauses'), way: { to: 'unexplained' } },
  };
}

function signStep({ statement, period }: StepFacts, open: readonly number[]): Step {
  const base = { name: 'sign_off', title: say('close.closeSteps.signOff') } as const;
  const sign = (label: string): Step['way'] => ({ label, way: { to: 'sign' } });
  if (period.stale) {
    const changes = countOf(statement.change_count, 'count.changes');
    const see = { label: say('close.closeSteps.seeThe', { changes }), way: { to: 'changes' } } as const;
    return {
      ...base,
      isDone: false,
      facts: [],
      missing: [
        say('close.closeSteps.thenChanged', {
          prepared:
            period.state === 'prepared'
              ? say('close.closeSteps.prepared')
              : period.state === 'reviewed'
                ? say('close.closeSteps.reviewed')
                : say('close.closeSteps.closed'),
        }),
      ],
      way: see,
    };
  }
  if (period.state === 'closed')
    return {
      ...base,
      isDone: true,
      facts: [say('close.closeSteps.closedBy', { closedBy: period.closed_by ?? '' })],
      missing: [],
      way: null,
    };
  if (period.state === 'reviewed') {
    return {
      ...base,
      isDone: false,
      facts: [say('close.closeSteps.reviewedBy', { reviewedBy: period.reviewed_by ?? '' })],
      missing: [say('close.closeSteps.notClosedYet')],
      way: sign(say('close.closeSteps.goToTheSign')),
    };
  }
  if (period.state === 'prepared') {
    return {
      ...base,
      isDone: false,
      facts: [say('close.closeSteps.preparedBy', { preparedBy: period.prepared_by ?? '' })],
      missing: [say('close.closeSteps.notReviewedYet')],
      way: sign(say('close.closeSteps.goToTheSign')),
    };
  }
  if (open.length === 0)
    return {
      ...base,
      isDone: false,
      facts: [say('close.closeSteps.readyToBePrepared')],
      missing: [],
      way: sign(say('close.closeSteps.goToTheSign')),
    };
  const steps =
    open.length === 1
      ? say('close.closeSteps.stepIsNotDone', { open: open[0] ?? '' })
      : say('close.closeSteps.stepsAreNotDone', { open: open.join(', ') });
  return { ...base, isDone: false, facts: [steps], missing: [], way: null };
}

/** Returns the six steps of a close in order. The last one depends on the steps before it. */
export function closeSteps(facts: StepFacts): Step[] {
  const before = [filesStep(facts), balancesStep(facts), proposalsStep(facts), explainedStep(facts), agreeStep(facts)];
  const open = before.flatMap(({ isDone }, place) => (isDone ? [] : [place + 1]));
  return [...before, signStep(facts, open)];
}
