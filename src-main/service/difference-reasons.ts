import type { DifferenceCode, DifferenceReason, FieldError } from '../../src-shared/contract/index.ts';
import { phrase } from '../../src-shared/words/say.ts';
import type { MatchRow } from '../database/rows.ts';
import { answer, refuse } from './answers.ts';

/** The input of a call about the difference of its match. */
interface DifferenceInput {
  readonly create_adjustment: boolean;
  readonly adjustment_reason?: string | null | undefined;
  readonly difference_reason?: { readonly code: DifferenceCode; readonly note?: string | null | undefined } | null | undefined;
}

export interface DifferenceSaid {
  readonly isAdjusted: boolean;
  /** The description of the adjustment. */
  readonly words: string | null;
  readonly reason: DifferenceReason | null;
}

const trimmed = (text: string | null | undefined): string | null => {
  const words = text?.trim() ?? '';
  return words === '' ? null : words;
};

function refused(path: string, code: FieldError['code'], message: string) {
  return refuse('validation_failed', message, [{ path, code, message }]);
}

/** Returns what was said, or a refusal of contradictions. A text given once, as the note or as the adjustment's reason, is used for both. */
export function differenceSaid({ create_adjustment: isAdjusted, adjustment_reason, difference_reason }: DifferenceInput) {
  const words = trimmed(adjustment_reason);
  if (words !== null && !isAdjusted) {
    const message = phrase('requests.differenceReasons.adjustmentReasonGoesWithAnAdjustment');
    return refused('adjustment_reason', 'reason_without_adjustment', message);
  }
  if (isAdjusted && difference_reason?.code === 'left_open') {
    const message = phrase('requests.differenceReasons.anAdjustmentLeavesNothingOpen');
    return refused('difference_reason.code', 'left_open_with_adjustment', message);
  }
  const note = trimmed(difference_reason?.note);
  const said: DifferenceSaid = {
    isAdjusted,
    words: words ?? note,
    reason: difference_reason === null || difference_reason === undefined ? null : { code: difference_reason.code, note: note ?? words },
  };
  return answer(said);
}

/** Refuses a reason without a difference: it would be kept for ever. */
export function reasonWithoutDifference() {
  return refused('difference_reason', 'reason_without_difference', phrase('requests.differenceReasons.theSidesOfThisMatch'));
}

/** Returns the columns of a match that hold its reason. */
export function reasonColumns(reason: DifferenceReason | null) {
  return { difference_code: reason?.code ?? null, difference_note: reason?.note ?? null };
}

type Explained = Pick<MatchRow, 'difference' | 'adjustment_id' | 'difference_code' | 'difference_note'>;

/** Returns the reason of a match; null if it has none, or if the lines balance now, as they may under another sign convention. */
export function reasonOf({ difference, adjustment_id, difference_code: code, difference_note: note }: Explained): DifferenceReason | null {
  if (code === null || (difference === 0 && adjustment_id === null)) return null;
  return { code: code as DifferenceCode, note };
}
