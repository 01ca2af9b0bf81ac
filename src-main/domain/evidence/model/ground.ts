import type { Field } from '../../records/fields.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { CommittedLinks } from './committed.ts';
import type { Coverage, PeoplesPairs } from './input.ts';
import type { EvidenceParameters } from './parameters.ts';

/** All lines of a side, matched or not, in content order, and the fields whose words and references are compared. */
export interface GroundOfSide {
  readonly all: RecordColumns;
  readonly fields: readonly Field[];
  readonly coverage?: Coverage | undefined;
}

/** Data that rules of evidence need in addition to the free records. */
export interface EvidenceGround {
  readonly a: GroundOfSide;
  readonly b: GroundOfSide;
  readonly people: PeoplesPairs;
  /** Called once a rule has read the texts of all lines. */
  readonly onTextsRead: (ruleId: number) => void;
  /** Returns the parameters that an earlier run learned for a rule, or null to learn them from this book. */
  readonly parametersOf: (ruleId: number) => EvidenceParameters | null;
  readonly committedBefore: CommittedLinks;
}
