import type { MaxDifferenceInput, SignConvention } from '../../../../src-shared/contract/index.ts';
import type { Watch } from '../../matching/model/watch.ts';
import type { Field } from '../../records/fields.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { CommittedLinks } from './committed.ts';
import type { EvidenceParameters } from './parameters.ts';

/** What a rule of method `evidence` asks for. */
interface EvidenceRule {
  readonly id: number;
  /** Expected wrong links per 10,000 committed ones that are accepted. */
  readonly budget: number;
  /** The largest difference that a committed link may leave: minor units, or a percentage of the larger amount. Null: what leaves one is only proposed. */
  readonly maxDifference: MaxDifferenceInput | null;
}

/** One side of the book. */
export interface EvidenceSide {
  /** Lines that may be tied, in content order. */
  readonly free: RecordColumns;
  /** All lines, tied or not, in content order: frequencies, lags and look-alikes are counted over these. The same object as `free` where nothing is tied. */
  readonly all: RecordColumns;
  /** Fields whose words and references are compared. The first is the description, where there is one. */
  readonly fields: readonly Field[];
  /** As in `GroundOfSide`. */
  readonly isCovered?: boolean | undefined;
}

/** Pairs of record ids (side A, side B) that people decided. */
export interface PeoplesPairs {
  readonly confirmed: readonly (readonly [number, number])[];
  readonly rejected: readonly (readonly [number, number])[];
  /** Names that a person says are not the same, whatever was tied. */
  readonly removedAliases: readonly { readonly a: string; readonly b: string }[];
}

export interface EvidenceInput {
  readonly rule: EvidenceRule;
  readonly a: EvidenceSide;
  readonly b: EvidenceSide;
  readonly signConvention: SignConvention;
  /** Whether a pair may be tied at all: separations, the rule's filters, a difference that cannot be stored. Rows of `free`. */
  readonly isBarred: (rowA: number, rowB: number) => boolean;
  /** The same of rows of `all`; asked for only where something is committed. */
  readonly isBarredOfAll: () => (rowA: number, rowB: number) => boolean;
  /** Whether exactly these records were taken apart by a person. */
  readonly isApart: (ids: readonly number[]) => boolean;
  readonly people: PeoplesPairs;
  /** Told once the texts of all lines are read: evidence looks at none of them again. */
  readonly onTextsRead: () => void;
  /** What an earlier run learned; null: it is learned from this book. */
  readonly parameters: EvidenceParameters | null;
  readonly committedBefore: CommittedLinks;
  readonly watch: Watch;
}
