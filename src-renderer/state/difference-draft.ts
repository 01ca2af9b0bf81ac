import type { DifferenceCode, DifferenceReason } from '../../src-shared/contract/index.ts';

/** What becomes of a difference: a record takes it away, or it stays. */
type Outcome = 'adjust' | 'open';

/** What was answered so far. Each way keeps its own type, so that looking at the other loses nothing. */
export interface DifferenceDraft {
  readonly outcome: Outcome;
  /** Null until one is chosen: none is assumed. */
  readonly adjusted: DifferenceCode | null;
  readonly open: DifferenceCode;
  readonly note: string;
}

export const NEW_DIFFERENCE: DifferenceDraft = { outcome: 'adjust', adjusted: null, open: 'left_open', note: '' };

/** As matches are made and confirmed with it. */
export interface DifferenceAnswer {
  readonly create_adjustment: boolean;
  readonly difference_reason: DifferenceReason;
}

/** What is missing, a sentence at its field. */
export interface DifferenceFaults {
  readonly type?: string;
  readonly note?: string;
}

export const isNoteRequired = ({ outcome, open }: DifferenceDraft): boolean => outcome === 'adjust' || open !== 'left_open';

export function faultsOf(draft: DifferenceDraft): DifferenceFaults {
  return {
    ...(draft.outcome === 'adjust' && draft.adjusted === null ? { type: 'Choose what the difference is.' } : {}),
    ...(isNoteRequired(draft) && draft.note.trim() === '' ? { note: 'Say why. It is kept with the match.' } : {}),
  };
}

/** Null while something is missing. */
export function answerOf(draft: DifferenceDraft): DifferenceAnswer | null {
  const isAdjusted = draft.outcome === 'adjust';
  const code = isAdjusted ? draft.adjusted : draft.open;
  if (code === null || Object.keys(faultsOf(draft)).length > 0) return null;
  const note = draft.note.trim();
  return { create_adjustment: isAdjusted, difference_reason: { code, note: note === '' ? null : note } };
}
