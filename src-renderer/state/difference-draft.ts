import type { DifferenceCode, DifferenceReason } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

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
