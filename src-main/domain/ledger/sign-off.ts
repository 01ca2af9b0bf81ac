import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { PeriodSpan } from './input.ts';
import { listed } from './ledger-words.ts';
import { periodText } from './period-text.ts';
import { isName, maybeSamePerson } from './same-person.ts';

export type PeriodState = 'open' | 'prepared' | 'reviewed' | 'closed';
export type SignOffKind = 'prepare' | 'review' | 'close' | 'reopen';

export interface Refusal {
  readonly code: string;
  /** One sentence that names the period. */
  readonly message: string;
}

/** A period as it is signed. */
export interface SignedPeriod extends PeriodSpan {
  readonly state: PeriodState;
  readonly preparedBy: string | null;
  readonly reviewedBy: string | null;
  /** Something beneath it changed since it was prepared. */
  readonly isStale: boolean;
}

export interface SignOff {
  readonly kind: SignOffKind;
  /** Who signs. */
  readonly by: string;
  /** Of a reopening, and of a close whose figures do not agree; null for none. */
  readonly reason: string | null;
}

/** What the statement says when it is signed. */
export interface SignedFigures {
  /** Why the figures do not agree, each as it goes on from `while`; none where they do. */
  readonly doubts: readonly string[];
}

type Changed = Pick<SignedPeriod, 'state' | 'preparedBy' | 'reviewedBy' | 'isStale'>;

function refused(code: string, message: string): Result<never, Refusal> {
  return failed({ code, message });
}

function prepared(period: SignedPeriod, by: string): Result<Changed, Refusal> {
  if (period.state === 'closed') return refused('period_closed', `${periodText(period)} is closed: reopen it with a reason first.`);
  return success({ state: 'prepared', preparedBy: by, reviewedBy: null, isStale: false });
}

function reviewed(period: SignedPeriod, by: string): Result<Changed, Refusal> {
  const name = periodText(period);
  if (period.state !== 'prepared') {
    const first = period.state === 'open' ? 'it has to be prepared first' : 'it cannot be reviewed again';
    return refused('wrong_state', `${name} is ${period.state}: ${first}.`);
  }
  if (period.isStale) return refused('period_stale', `${name} has changed since it was prepared: prepare it again.`);
  if (period.preparedBy !== null && maybeSamePerson(by, period.preparedBy)) {
    return refused('same_person', `${name} was prepared by ${period.preparedBy}: somebody else has to review it.`);
  }
  return success({ state: 'reviewed', preparedBy: period.preparedBy, reviewedBy: by, isStale: false });
}

function closed(period: SignedPeriod, { reason }: SignOff, { doubts }: SignedFigures): Result<Changed, Refusal> {
  const name = periodText(period);
  if (period.state !== 'reviewed') {
    const first = period.state === 'closed' ? 'it cannot be closed again' : 'it has to be reviewed first';
    return refused('wrong_state', `${name} is ${period.state}: ${first}.`);
  }
  if (period.isStale) return refused('period_stale', `${name} has changed since it was reviewed: prepare it again.`);
  if (doubts.length > 0 && !isGiven(reason)) {
    return refused('unexplained_difference', `${name} cannot be closed while ${listed(doubts)}, unless a reason is given.`);
  }
  return success({ state: 'closed', preparedBy: period.preparedBy, reviewedBy: period.reviewedBy, isStale: false });
}

function reopened(period: SignedPeriod, { reason }: SignOff): Result<Changed, Refusal> {
  const name = periodText(period);
  if (period.state !== 'closed') return refused('wrong_state', `${name} is ${period.state}: only a closed period is reopened.`);
  if (!isGiven(reason)) return refused('reason_missing', `${name} is reopened with a reason only.`);
  return success({ state: 'open', preparedBy: null, reviewedBy: null, isStale: false });
}

/** A reason is in words: it has a letter. */
function isGiven(text: string | null): boolean {
  return text !== null && /\p{L}/u.test(text);
}

/** What a period becomes when somebody signs, or why it does not. The preparer may not review; whoever reviewed may close. */
export function signed(period: SignedPeriod, signOff: SignOff, figures: SignedFigures): Result<Changed, Refusal> {
  const by = signOff.by.trim();
  if (!isName(by) && signOff.kind !== 'reopen') return refused('name_missing', `${periodText(period)} is signed with a name only.`);
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
