import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { withMinus } from '../../format/close-words.ts';
import { countOf, listText } from '../../format/counts.ts';
import { dateText } from '../../format/dates.ts';
import type { Place } from '../../state/places.ts';
import { say } from '../../../src-shared/words/say.ts';

/** A task that a person has to do in a reconciliation. */
export interface Need {
  readonly kind: 'break' | 'run' | 'decide' | 'files' | 'stale' | 'balance' | 'comment' | 'prepare' | 'review' | 'close' | 'begin';
  /** The sentence in the list of tasks. */
  readonly sentence: string;
  /** The label of its button. */
  readonly verb: string;
  /** The label as the next step of its row. */
  readonly next: string;
  readonly place: Place;
}

type Period = NonNullable<HomeRow['period']>;

/** Returns `June` for `June 2026`, and any other name unchanged. */
export function shortPeriod(name: string): string {
  return /^(\p{L}+) \d{4}$/u.exec(name)?.[1] ?? name;
}

/** Returns `The balances of the statements break between 15 Jun 2026 and 20 Jun 2026`. The balances still agree on the first of these days. */
export function breakSentence({ from, to }: HomeRow['balance']): string {
  if (from === null || to === null) return say('book.needs.theBalancesOfAStatementBreak');
  const days =
    from === to ? say('book.needs.on', { from: dateText(from) }) : say('book.needs.betweenAnd', { from: dateText(from), to: dateText(to) });
  return say('book.needs.theBalancesOfTheStatementsBreak', { days });
}

function onBalance({ balance, reconciliation_id: id }: HomeRow): Need[] {
  const { state, data_stream_key: key } = balance;
  if (state !== 'breaks') return [];
  const place: Place = key === null ? { screen: 'reconciliation', id } : { screen: 'stream', key };
  const sentence = breakSentence(balance);
  return [{ kind: 'break', sentence, verb: say('book.needs.look'), next: say('book.needs.lookAtTheBreak'), place }];
}

function onMatching({ reconciliation_id: id, proposed_matches: proposed, last_run_at: ran, is_running: isRunning }: HomeRow): Need[] {
  const needs: Need[] = [];
  if (ran === null && !isRunning) {
    const place: Place = { screen: 'reconciliation', id };
    needs.push({
      kind: 'run',
      sentence: say('book.needs.nothingIsMatchedYet'),
      verb: say('book.needs.run'),
      next: say('book.needs.runIt'),
      place,
    });
  }
  if (proposed > 0) {
    const words = countOf(proposed, 'count.proposals');
    const place: Place = { screen: 'reconciliation', id, tab: 'proposed' };
    needs.push({
      kind: 'decide',
      sentence: say('book.needs.toDecide', { words }),
      verb: say('book.needs.decide'),
      next: say('book.needs.decideHowMany', { words }),
      place,
    });
  }
  return needs;
}

const sentenceOf = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function onOpenPeriod({ balance, uncommented, files_missing: filesMissing }: HomeRow, { name, to }: Period, place: Place): Need[] {
  const needs: Need[] = [];
  if (filesMissing.length > 0) {
    needs.push({
      kind: 'files',
      sentence: sentenceOf(listText(filesMissing)),
      verb: say('book.needs.import'),
      next: say('book.needs.importAFile'),
      place: { screen: 'import', streamKey: null },
    });
  }
  if (balance.state === 'differs') {
    const sentence = withMinus(
      say('book.needs.theFiguresOfDoNotAgree', { shortPeriod: shortPeriod(name), doubts: listText(balance.doubts) }),
    );
    needs.push({ kind: 'balance', sentence, verb: say('book.needs.look'), next: say('book.needs.lookAtTheDifference'), place });
  }
  if (balance.state === 'books_not_stated' || balance.state === 'not_stated') {
    const known = balance.computed
      ? say('book.needs.computedNotStated')
      : balance.earlier
        ? say('book.needs.notStatedOnlyThatOfAnEarlierDay')
        : say('book.needs.missing');
    const isBank = balance.state === 'not_stated';
    const values = { to: dateText(to), known };
    const sentence = isBank ? say('book.needs.theBankBalanceOfIs', values) : say('book.needs.theBookBalanceOfIs', values);
    needs.push({
      kind: 'balance',
      sentence,
      verb: say('book.needs.enter'),
      next: isBank ? say('book.needs.enterTheBankBalance') : say('book.needs.enterTheBookBalance'),
      place,
    });
  }
  if (uncommented !== null) {
    const { count, oldest } = uncommented;
    const days = countOf(oldest.age_days, 'count.days');
    const sentence =
      count === 1
        ? say('book.needs.hasNoCommentOld', { label: oldest.label, days })
        : say('book.needs.openItemsHaveNoComment', { openItems: count, days });
    needs.push({
      kind: 'comment',
      sentence,
      verb: say('book.needs.comment'),
      next: say('book.needs.commentOn', { label: oldest.label }),
      place,
    });
  }
  const month = shortPeriod(name);
  if (needs.length === 0)
    needs.push({
      kind: 'prepare',
      sentence: say('book.needs.canBePrepared', { month }),
      verb: say('book.needs.prepare'),
      next: say('book.needs.prepareMonth', { month }),
      place,
    });
  return needs;
}

/** After the first run, the way to the close of the month. */
function onFirstClose({ last_run_at: ran, reconciliation_id: key }: HomeRow): Need[] {
  if (ran === null) return [];
  return [
    {
      kind: 'begin',
      sentence: say('book.needs.noMonthIsBegun'),
      verb: say('book.needs.begin'),
      next: say('book.needs.beginTheClose'),
      place: { screen: 'close', key, periodId: null },
    },
  ];
}

/** Returns what a close must give a reason for, in the words of the service. */
function reasonsAgainst({ balance, files_missing: filesMissing, proposed_matches: proposals, uncommented }: HomeRow): string[] {
  return [
    ...balance.doubts,
    ...filesMissing,
    ...(proposals === 0 ? [] : [say('book.needs.proposalsAreNotDecided', { proposals })]),
    ...(uncommented === null ? [] : [say('book.needs.itemsWithoutAComment', { openItems: uncommented.count })]),
  ];
}

function onPeriod(row: HomeRow, isStale: boolean): Need[] {
  const { period } = row;
  if (period === null) return onFirstClose(row);
  const place: Place = { screen: 'close', key: row.reconciliation_id, periodId: period.id };
  const month = shortPeriod(period.name);
  if (isStale) {
    return [
      {
        kind: 'stale',
        sentence: say('book.needs.changedAfterItWasSigned', { month }),
        verb: say('book.needs.look'),
        next: say('book.needs.prepareAgain'),
        place,
      },
    ];
  }
  const against = withMinus(listText(reasonsAgainst(row)));
  if (period.state === 'prepared') {
    const sentence = against === '' ? say('book.needs.isPrepared', { month }) : say('book.needs.isPreparedAlthough', { month, against });
    return [{ kind: 'review', sentence, verb: say('book.needs.review'), next: say('book.needs.reviewMonth', { month }), place }];
  }
  if (period.state === 'reviewed') {
    if (against === '')
      return [
        {
          kind: 'close',
          sentence: say('book.needs.isReviewedAndCanBeClosed', { month }),
          verb: say('book.needs.close'),
          next: say('book.needs.closeMonth', { month }),
          place,
        },
      ];
    const sentence = say('book.needs.isReviewedAndClosing', { month, against });
    return [{ kind: 'close', sentence, verb: say('book.needs.look'), next: say('book.needs.giveAReasonToClose', { month }), place }];
  }
  return period.state === 'open' ? onOpenPeriod(row, period, place) : [];
}

/** Returns the tasks in a reconciliation, the most urgent first. `isStale` says that data under the latest signature changed. */
export function needsOf(row: HomeRow, isStale: boolean): Need[] {
  return [...onBalance(row), ...onMatching(row), ...onPeriod(row, isStale)];
}

/** Returns the next step of a row: its most urgent task, or where to look. Null when there is nothing to do. */
export function nextStep(row: HomeRow, needs: readonly Need[]): Pick<Need, 'next' | 'place'> | null {
  const [first] = needs;
  const { reconciliation_id: id, open, period } = row;
  // Open lines are looked at before the close begins.
  if (first !== undefined && (first.kind !== 'begin' || open === 0)) return first;
  if (period !== null) return null;
  if (open > 0) return { next: say('book.needs.lookAtOpenLines', { open }), place: { screen: 'reconciliation', id } };
  return { next: say('book.needs.beginTheClose'), place: { screen: 'close', key: id, periodId: null } };
}
