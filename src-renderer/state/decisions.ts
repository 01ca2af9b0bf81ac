import { createStore } from 'zustand/vanilla';
import type { DifferenceCode, DifferenceReason, Failure, Match, MatchGroup } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import type { Connection } from '../api/use-operation.ts';

type Client = Connection['client'];

export type Verdict = 'confirm' | 'reject' | 'unmatch';

/** A decision about one match. The row shows it at once; the service hears of it in its turn. */
export interface Decision {
  readonly group: MatchGroup;
  readonly verdict: Verdict;
  /** The treatment of the difference when a proposal that has one is confirmed. */
  readonly answer?: DifferenceAnswer;
}

/** A decision that the service refused, with its reason. */
export interface FailedDecision extends Decision {
  readonly failure: Failure;
}

interface Decisions {
  /** The decided matches by id. A mark without `doneAt` is of a decision that the service has not answered yet. */
  readonly marks: ReadonlyMap<number, { readonly verdict: Verdict; readonly doneAt: number | null }>;
  readonly failed: readonly FailedDecision[];
}

export const decisions = createStore<Decisions>()(() => ({ marks: new Map(), failed: [] }));

/** It counts what happens to the list of decisions, so that an answer can be told from one that was asked for earlier. */
let moment = 0;
/** The decision that was made last. Each one is sent when the one before it is answered, so that undo takes them back in order. */
let last: Promise<unknown> = Promise.resolve();

/** Sends a change when all decisions before it are answered, and those after it when it is. */
export function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const answered = last.then(change);
  last = answered.catch(() => null);
  return answered;
}

function setMark(id: number, mark: { readonly verdict: Verdict; readonly doneAt: number | null } | null): void {
  const marks = new Map(decisions.getState().marks);
  if (mark === null) marks.delete(id);
  else marks.set(id, mark);
  decisions.setState({ marks });
}

async function send(client: Client, { group, verdict, answer }: Decision): Promise<Failure | null> {
  const { id } = group.match;
  const outcome =
    verdict === 'confirm' ? await client.call('matches.confirm', { id, ...answer }) : await client.call('matches.remove', { id });
  moment += 1;
  setMark(id, outcome.ok ? { verdict, doneAt: moment } : null);
  return outcome.ok ? null : outcome.error;
}

/** Marks a match as decided and sends the decision in its turn. Returns the failure if the service refuses, else null. */
export function decideAndAnswer(client: Client, decision: Decision): Promise<Failure | null> {
  const { id } = decision.group.match;
  moment += 1;
  setMark(id, { verdict: decision.verdict, doneAt: null });
  const others = decisions.getState().failed.filter(({ group }) => group.match.id !== id);
  decisions.setState({ failed: others });
  return inTurn(() => send(client, decision));
}

/** Does so, and lists the decision among the failed ones if the service refuses. */
export function decide(client: Client, decision: Decision): void {
  void decideAndAnswer(client, decision).then((failure) => {
    if (failure !== null) decisions.setState(({ failed }) => ({ failed: [...failed, { ...decision, failure }] }));
    return null;
  });
}

/** Whether the service has not answered all decisions yet. */
export const areDecisionsWaiting = (): boolean =>
  decisions
    .getState()
    .marks.values()
    .some(({ doneAt }) => doneAt === null);

/** Resolves once all decisions made so far are answered. */
export async function decisionsAnswered(): Promise<void> {
  for (let waited: unknown = null; waited !== last;) {
    waited = last;
    await last;
  }
}

export function forgetFailed(): void {
  decisions.setState({ failed: [] });
}

type Listed = Pick<Match, 'id' | 'status'>;

/** Whether a match of a list is decided: a proposal that was confirmed is no decided match of the list of matches. */
export function isMarked(match: Listed, marks: Decisions['marks'] = decisions.getState().marks): boolean {
  const mark = marks.get(match.id);
  return mark !== undefined && (mark.verdict === 'unmatch') === (match.status === 'matched');
}

/** Returns the moment to compare later with those of decisions. */
export const decisionMoment = (): number => moment;

/**
 * Removes the marks of matches that an answer of the service still lists although it was asked for after they were decided: their decision was taken
 * back. Returns their ids.
 */
export function takeReturned(listed: readonly Listed[], askedAt: number): number[] {
  const { marks } = decisions.getState();
  const returned = listed
    .filter((match) => {
      const doneAt = marks.get(match.id)?.doneAt ?? null;
      return doneAt !== null && doneAt <= askedAt && isMarked(match, marks);
    })
    .map(({ id }) => id);
  if (returned.length > 0) {
    const left = new Map(marks);
    for (const id of returned) left.delete(id);
    decisions.setState({ marks: left });
  }
  return returned;
}

/** The decision about a difference: an adjustment removes it, or it stays. */
type Outcome = 'adjust' | 'open';

/** The answers so far. Each outcome keeps its own type, so that switching between them loses nothing. */
export interface DifferenceDraft {
  readonly outcome: Outcome;
  /** Null until the user chooses one. There is no default. */
  readonly adjusted: DifferenceCode | null;
  readonly open: DifferenceCode;
  readonly note: string;
}

export const NEW_DIFFERENCE: DifferenceDraft = { outcome: 'adjust', adjusted: null, open: 'left_open', note: '' };

/** The members of a request that makes or confirms a match. */
export interface DifferenceAnswer {
  readonly create_adjustment: boolean;
  readonly difference_reason: DifferenceReason;
}

/** The missing answers, as one sentence per field. */
export interface DifferenceFaults {
  readonly type?: string;
  readonly note?: string;
}

export const isNoteRequired = ({ outcome, open }: DifferenceDraft): boolean => outcome === 'adjust' || open !== 'left_open';

export function faultsOf(draft: DifferenceDraft): DifferenceFaults {
  return {
    ...(draft.outcome === 'adjust' && draft.adjusted === null ? { type: say('matches.differenceDraft.chooseWhatTheDifference') } : {}),
    ...(isNoteRequired(draft) && draft.note.trim() === '' ? { note: say('matches.differenceDraft.sayWhyItIsKept') } : {}),
  };
}

/** Returns the answer, or null while something is missing. */
export function answerOf(draft: DifferenceDraft): DifferenceAnswer | null {
  const isAdjusted = draft.outcome === 'adjust';
  const code = isAdjusted ? draft.adjusted : draft.open;
  if (code === null || Object.keys(faultsOf(draft)).length > 0) return null;
  const note = draft.note.trim();
  return { create_adjustment: isAdjusted, difference_reason: { code, note: note === '' ? null : note } };
}
