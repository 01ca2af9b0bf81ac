import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { MetadataTypes } from '../../records/fields.ts';
import type { EngineRecord } from '../../records/record.ts';
import type { EngineRule } from './rule.ts';

/** A line and its reversal, by id. */
export interface ReturnedLine {
  readonly originalId: number;
  readonly returnId: number;
}

/** Returns the key of a set of records in `separations`: ids ascending, joined by commas. */
export function separationKey(ids: readonly number[]): string {
  return [...ids].toSorted((left, right) => left - right).join(',');
}

export interface EngineInput {
  /** Free records of side A, which are in no `matched` match of this reconciliation. The result does not depend on their order. */
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  readonly rules: readonly EngineRule[];
  readonly signConvention: SignConvention;
  /** Declared types of the metadata fields of the sides' streams. */
  readonly types: MetadataTypes;
  /** Groups that a person separated, as keys by `separationKey`. The engine never matches exactly these records again. */
  readonly separations: ReadonlySet<string>;
  /** Lines with a reversal on their own side; none if left out. */
  readonly returned?: readonly ReturnedLine[];
  /**
   * Days since 1970-01-01. A match whose records are all dated on or before it is proposed instead of matched, because their period is closed. None
   * if left out.
   */
  readonly closedThrough?: number | null;
}

/** Reason why a run has no result. `ruleId` names the rule at fault; a cancelled run has none. */
export interface EngineFailure {
  readonly code: 'cancelled' | 'invalid_rule' | 'too_many_candidates';
  readonly message: string;
  readonly ruleId?: number;
  /** Path of the rule's member at fault, if it is not `filters`. */
  readonly path?: string;
}

export const CANCELLED: EngineFailure = { code: 'cancelled', message: phrase('rules.input.theRunWasCancelledNothing') };
