import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import type { MetadataTypes } from '../../records/fields.ts';
import type { EngineRecord } from '../../records/record.ts';
import type { EngineRule } from './rule.ts';

/** A line and the one that takes it back, by their ids. */
export interface ReturnedLine {
  readonly originalId: number;
  readonly returnId: number;
}

/** Key of a set of records for `separations`: ids ascending, joined by commas. */
export function separationKey(ids: readonly number[]): string {
  return [...ids].toSorted((left, right) => left - right).join(',');
}

export interface EngineInput {
  /** Free records of side A: not in a `matched` match of this reconciliation. Any order; the result does not depend on it. */
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  readonly rules: readonly EngineRule[];
  readonly signConvention: SignConvention;
  /** What the sides' streams declare their metadata fields to hold. */
  readonly types: MetadataTypes;
  /** Groups that a person took apart: keys by `separationKey`. The engine never ties exactly these records again. */
  readonly separations: ReadonlySet<string>;
  /** Lines that are taken back by another one of their side. Left out: none. */
  readonly returned?: readonly ReturnedLine[];
  /** Days since 1970-01-01. A match whose records are all dated on or before it is proposed, not matched: their period is closed. Left out: none. */
  readonly closedThrough?: number | null;
}

/** Why a run gave no result. `ruleId` names the rule at fault; a cancelled run has none. */
export interface EngineFailure {
  readonly code: 'cancelled' | 'invalid_rule' | 'too_many_candidates';
  readonly message: string;
  readonly ruleId?: number;
  /** The member of the rule at fault, where it is not `filters`. */
  readonly path?: string;
}

export const CANCELLED: EngineFailure = { code: 'cancelled', message: 'The run was cancelled; nothing was matched.' };
