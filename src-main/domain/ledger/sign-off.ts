import { present } from '../../../src-shared/values/assert.ts';
import { dayFromParts } from '../../../src-shared/values/civil-date.ts';
import { listed } from '../../../src-shared/values/english.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { PeriodSpan } from './input.ts';
import { monthOf, periodText } from './period-text.ts';

/** Lower-case letters of other alphabets that look like Latin ones, with their Latin counterparts. */
const CONFUSABLES = new Map(
  [
    // Cyrillic.
    ['авсԁеһіїјкӏмнопԛгѕтуѵԝхз', 'abcdehiijklmhonqrstyvwxz'],
    ['ьгбёэѐр', 'brbeeep'],
    // Greek.
    ['αβγεζηικλμνορςστυχω', 'abyezniklmvopsstuxw'],
    // Latin letters that do not decompose, and digits that are used as letters.
    ['ıɩłøđðɡɑƅ01', 'iiloddgabol'],
    // Small capitals of phonetic writing.
    ['ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnopqrstuvwyz'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, place): [string, string] => [letter, [...to][place] ?? letter])),
);

/** Letters that are spelled with two letters if they are not available. */
const PAIRS: ReadonlyMap<string, string> = new Map(Object.entries({ æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' }));
/** Stands for a letter that does not belong to a Latin word and may look like any of its letters. */
const ANY = '\uffff';

/** Characters without a visible form, such as the blanks of Hangul and Braille. */
const UNSEEN = /[\p{Cf}\p{Cc}\p{M}\u115f\u1160\u3164\uffa0\u2800]/gu;

/** Returns the words of a name by their appearance: without accents and invisible characters, in one alphabet, in lower case and sorted. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFKC').replaceAll('|', 'l').toLowerCase().normalize('NFKD').replaceAll(UNSEEN, '');
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.map(lookOf).toSorted();
}

function lookOf(word: string): string {
  // A digit represents a letter only inside a word.
  if (/^\p{N}+$/u.test(word)) return word;
  const latin = [...word].map((letter) => PAIRS.get(letter) ?? CONFUSABLES.get(letter) ?? letter).join('');
  const look = latin.replaceAll(/[ıil]/g, 'i').replaceAll('rn', 'm').replaceAll('vv', 'w');
  // A name in another script is compared as it is written.
  return /[a-z]/.test(word) ? look.replaceAll(/[^a-z\p{N}]/gu, ANY) : look;
}

/** Returns whether two words look the same, letter by letter. */
function looksAs(left: string, right: string): boolean {
  if (left === right) return true;
  if (left.length !== right.length || !(left.includes(ANY) || right.includes(ANY))) return false;
  return [...left].every((letter, place) => letter === ANY || right[place] === ANY || letter === right[place]);
}

/** Returns whether one word may be the other one or its initial. */
function mayBe(left: string, right: string): boolean {
  if (looksAs(left, right)) return true;
  const isInitial = (short: string, long: string): boolean => short.length === 1 && /\p{L}/u.test(short) && long.startsWith(short);
  return isInitial(left, right) || isInitial(right, left);
}

/** Returns whether each word of the shorter name may be a different word of the longer one. */
function isWithin(words: readonly string[], others: readonly string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return true;
  return others.some((other, place) => mayBe(word, other) && isWithin(rest, others.toSpliced(place, 1)));
}

/** Returns the letters of a name in their own order, without separators. */
function joined(name: string): string {
  return wordsOf(name.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')).join('');
}

/** Names with more words are compared as a whole, which bounds the time. */
const MOST_WORDS = 8;

/** Returns whether a text may name a person: it has a visible letter. */
function isName(text: string): boolean {
  return wordsOf(text).some((word) => /\p{L}/u.test(word));
}

/**
 * Returns whether two names may belong to one person. Spaces, accents, invisible characters, similar letters, case, the order of words and
 * punctuation make no difference. An initial may be any name that begins with it, and a missing name may be any name.
 */
function maybeSamePerson(left: string, right: string): boolean {
  const [one, other] = [wordsOf(left), wordsOf(right)].toSorted((a, b) => a.length - b.length) as [string[], string[]];
  if (one.length === 0) return true;
  if (looksAs(joined(left), joined(right))) return true;
  return other.length <= MOST_WORDS && isWithin(one, other);
}

export type PeriodState = 'open' | 'prepared' | 'reviewed' | 'closed';
export type SignOffKind = 'prepare' | 'review' | 'close' | 'reopen';

export interface Refusal {
  readonly code: string;
  /** One sentence that names the period. */
  readonly message: string;
}

/** A period with its signatures. */
export interface SignedPeriod extends PeriodSpan {
  readonly state: PeriodState;
  readonly preparedBy: string | null;
  readonly reviewedBy: string | null;
  /** Whether its data changed since it was prepared. */
  readonly isStale: boolean;
}

export interface SignOff {
  readonly kind: SignOffKind;
  /** Name of the person who signs. */
  readonly by: string;
  /** Reason for a reopening, or for a close with a step that is not done; null for none. */
  readonly reason: string | null;
}

/** Figures of the statement at the time of signing. */
export interface SignedFigures {
  /** Why the figures do not agree, and which steps are not done, each worded to follow `while`; empty if all is done. */
  readonly doubts: readonly string[];
}

type Changed = Pick<SignedPeriod, 'state' | 'preparedBy' | 'reviewedBy' | 'isStale'>;

function refused(code: string, message: string): Result<never, Refusal> {
  return failed({ code, message });
}

function prepared(period: SignedPeriod, by: string): Result<Changed, Refusal> {
  if (period.state === 'closed') return refused('period_closed', phrase('ledger.signOff.periodIsClosed', { period: periodText(period) }));
  return success({ state: 'prepared', preparedBy: by, reviewedBy: null, isStale: false });
}

function reviewed(period: SignedPeriod, by: string): Result<Changed, Refusal> {
  const name = periodText(period);
  if (period.state !== 'prepared') {
    const first = period.state === 'open' ? phrase('ledger.signOff.itHasToBePrepared') : phrase('ledger.signOff.itCannotBeReviewedAgain');
    return refused('wrong_state', `${name} is ${period.state}: ${first}.`);
  }
  if (period.isStale) return refused('period_stale', phrase('ledger.signOff.changedSinceItWasPrepared', { name }));
  if (period.preparedBy !== null && maybeSamePerson(by, period.preparedBy)) {
    return refused('same_person', phrase('ledger.signOff.wasPreparedBySomebodyElse', { name, preparedBy: period.preparedBy }));
  }
  return success({ state: 'reviewed', preparedBy: period.preparedBy, reviewedBy: by, isStale: false });
}

function closed(period: SignedPeriod, { reason }: SignOff, { doubts }: SignedFigures): Result<Changed, Refusal> {
  const name = periodText(period);
  if (period.state !== 'reviewed') {
    const first = period.state === 'closed' ? phrase('ledger.signOff.itCannotBeClosedAgain') : phrase('ledger.signOff.itHasToBeReviewed');
    return refused('wrong_state', `${name} is ${period.state}: ${first}.`);
  }
  if (period.isStale) return refused('period_stale', phrase('ledger.signOff.changedSinceItWasReviewed', { name }));
  if (doubts.length > 0 && !isGiven(reason)) {
    return refused('unexplained_difference', phrase('ledger.signOff.cannotBeClosedWhileUnless', { name, doubts: listed(doubts) }));
  }
  return success({ state: 'closed', preparedBy: period.preparedBy, reviewedBy: period.reviewedBy, isStale: false });
}

function reopened(period: SignedPeriod, { reason }: SignOff): Result<Changed, Refusal> {
  const name = periodText(period);
  if (period.state !== 'closed') return refused('wrong_state', phrase('ledger.signOff.isOnlyAClosedPeriod', { name, state: period.state }));
  if (!isGiven(reason)) return refused('reason_missing', phrase('ledger.signOff.isReopenedWithAReason', { name }));
  return success({ state: 'open', preparedBy: null, reviewedBy: null, isStale: false });
}

/** A reason must contain a letter. */
function isGiven(text: string | null): boolean {
  return text !== null && /\p{L}/u.test(text);
}

/** Returns the new state of a period after a signature, or why it is refused. The preparer must not review; the reviewer may close. */
export function signed(period: SignedPeriod, signOff: SignOff, figures: SignedFigures): Result<Changed, Refusal> {
  const by = signOff.by.trim();
  if (!isName(by) && signOff.kind !== 'reopen')
    return refused('name_missing', phrase('ledger.signOff.isSignedWithAName', { period: periodText(period) }));
  switch (signOff.kind) {
    case 'prepare':
      return prepared(period, by);
    case 'review':
      return reviewed(period, by);
    case 'close':
      return closed(period, signOff, figures);
    case 'reopen':
      return reopened(period, signOff);
  }
}

/** Last day that a date can name. */
const LAST_DAY = present(dayFromParts(9999, 12, 31), 'the last day of the calendar');

/**
 * Returns the period after the existing ones: the rest of the month after the last one, the month of `day` if there are none, or null if the last one
 * ends with the calendar.
 */
export function nextPeriod(periods: readonly PeriodSpan[], day: number): PeriodSpan | null {
  const last = periods.reduce<PeriodSpan | null>((latest, period) => (latest === null || period.to > latest.to ? period : latest), null);
  if (last === null) return monthOf(day);
  return last.to >= LAST_DAY ? null : { from: last.to + 1, to: monthOf(last.to + 1).to };
}

/**
 * Returns why a new period cannot be added to the existing ones, or null if it can: it must follow the last one or precede the first one directly.
 */
export function faultOfPeriod(period: PeriodSpan, periods: readonly PeriodSpan[]): Refusal | null {
  if (period.from > period.to) {
    return {
      code: 'period_reversed',
      message: phrase('ledger.order.thePeriodEndsOnBefore', { to: dayText(period.to), from: dayText(period.from) }),
    };
  }
  const crossed = periods.find((other) => other.from <= period.to && other.to >= period.from);
  if (crossed !== undefined) {
    const isSame = crossed.from === period.from && crossed.to === period.to;
    const message = isSame
      ? phrase('ledger.order.thePeriodIsThereAlready', { period: periodText(period) })
      : phrase('ledger.order.overlapsThePeriodPeriodsFollow', { period: periodText(period), crossed: periodText(crossed) });
    return { code: 'period_overlaps', message };
  }
  if (periods.length === 0) return null;
  const first = Math.min(...periods.map(({ from }) => from));
  const last = Math.max(...periods.map(({ to }) => to));
  if (period.from === last + 1 || period.to === first - 1) return null;
  const [from, to] = period.from > last ? [last + 1, period.from - 1] : [period.to + 1, first - 1];
  const message = phrase('ledger.order.wouldLeaveAGap', { period: periodText(period), from: dayText(from), to: dayText(to) });
  return { code: 'period_gap', message };
}

/**
 * Returns the closed period that a day belongs to: the first one that ends on or after it, because a statement covers everything up to its last day.
 * Returns null if there is none. A match belongs to the last day of its records, so one that reaches past a closed period changes nothing in it.
 */
export function closedPeriodOf<P extends PeriodSpan & { readonly state: string }>(day: number, periods: readonly P[]): P | null {
  const closed = periods.filter(({ state, to }) => state === 'closed' && to >= day);
  return closed.reduce<P | null>((first, period) => (first === null || period.to < first.to ? period : first), null);
}
