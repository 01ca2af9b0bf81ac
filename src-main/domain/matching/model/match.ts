import type { Certainty, EvidenceItem } from '../../../../src-shared/contract/index.ts';
import type { RuleEvidence } from '../../evidence/model/link.ts';

/**
 * Cost of the best pairing without a pair, less that of the best pairing: missing pairs, then days, then units at the scale of the component, then
 * edits. The first figure that is not 0 is positive; later ones may be negative.
 */
export interface Margin {
  readonly pairs: number;
  readonly days: number;
  readonly units: number;
  readonly edits: number;
}

/** A match as the engine finds it; `matchExplainer` explains it. */
export interface FoundMatch {
  readonly ruleId: number;
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
  readonly status: 'matched' | 'proposed';
  readonly certainty: Certainty;
  /** In minor units at the finer scale, A minus B under the sign convention. */
  readonly differenceMinor: number;
  /** For a `best` pair: the additional cost of the best pairing without it; left out if unknown. */
  readonly margin?: Margin;
  /** For a match of evidence: its packed weight, see `packWeight`. */
  readonly weight?: number;
}

export interface EngineMatch extends FoundMatch {
  /** Values that identify the match, joined by `|`; null if there are none. */
  readonly groupKey: string | null;
  /** One sentence for each condition that held. */
  readonly explanation: readonly string[];
  /** For a match of evidence: the same sentences with the bits of each kind. */
  readonly evidence?: readonly EvidenceItem[];
}

export interface RuleOutcome {
  readonly ruleId: number;
  readonly matches: number;
  readonly records: number;
  readonly proposed: number;
  /** For a rule with a time window: number of groups that fit a record in everything but the window. */
  readonly outsideWindow: number;
  /**
   * Number of single records whose search for a sum was cut off, or, for a one-to-one rule, of records without a partner whose search was cut off.
   * Null for other rules, and if every search was complete.
   */
  readonly gaveUp: number | null;
  /** For a one-to-one rule: number of matches and proposals in components that were solved exactly. Null for other rules. */
  readonly exact: number | null;
  /** For a rule of evidence only. */
  readonly evidence?: RuleEvidence;
}

/** Certainties by their stored number. */
export const CERTAINTIES: readonly Certainty[] = ['unique', 'best', 'interchangeable', 'contested'];

/** Returns the stored form of a margin: pairs, days, units and edits as a JSON array without trailing zeros. */
export function marginText({ pairs, days, units, edits }: Margin): string {
  // Written out for speed; there are hundreds of thousands of margins.
  if (edits !== 0) return `[${pairs},${days},${units},${edits}]`;
  if (units !== 0) return `[${pairs},${days},${units}]`;
  if (days !== 0) return `[${pairs},${days}]`;
  return pairs === 0 ? '[]' : `[${pairs}]`;
}

export function marginOf([pairs = 0, days = 0, units = 0, edits = 0]: readonly number[]): Margin {
  return { pairs, days, units, edits };
}

/** Returns a margin in the shape of the contract. */
export function marginView({ pairs, days, units, edits }: Margin) {
  return { pairs, days, minor_units: units, edits };
}
