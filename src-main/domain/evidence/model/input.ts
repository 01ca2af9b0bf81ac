import type { MaxDifferenceInput, SignConvention } from '../../../../src-shared/contract/index.ts';
import type { Watch } from '../../matching/model/watch.ts';
import type { Field } from '../../records/fields.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { CommittedLinks } from './committed.ts';
import type { EvidenceParameters } from './parameters.ts';

/**
 * What the files of a side say about its days: nothing; that they cover all days from the first to the last, so that no file is missing; or besides,
 * by balances that agree from line to line, that no line of theirs is missing.
 */
export type Coverage = 'open' | 'days' | 'proved';

/** A rule of method `evidence`. */
interface EvidenceRule {
  readonly id: number;
  /** Accepted number of expected wrong links per 10,000 committed ones. */
  readonly budget: number;
  /**
   * Largest difference of a committed link, in minor units or as a percentage of the larger amount. With null, links with a difference are only
   * proposed.
   */
  readonly maxDifference: MaxDifferenceInput | null;
}

/** One side of the book. */
export interface EvidenceSide {
  /** Lines that may be matched, in content order. */
  readonly free: RecordColumns;
  /**
   * All lines, matched or not, in content order. Frequencies, lags and u-probabilities are counted over these. It is the same object as `free` if
   * nothing is matched.
   */
  readonly all: RecordColumns;
  /** Fields whose words and references are compared. The description comes first if the side has one. */
  readonly fields: readonly Field[];
  readonly coverage?: Coverage | undefined;
}

/** Decisions of people about pairs of record ids (side A, side B). */
export interface PeoplesPairs {
  readonly confirmed: readonly (readonly [number, number])[];
  readonly rejected: readonly (readonly [number, number])[];
  /** Aliases that a person removed. They stay removed whatever pairs people confirm. */
  readonly removedAliases: readonly { readonly a: string; readonly b: string }[];
}

export interface EvidenceInput {
  readonly rule: EvidenceRule;
  readonly a: EvidenceSide;
  readonly b: EvidenceSide;
  readonly signConvention: SignConvention;
  /**
   * Returns whether a pair must not be matched, because of a separation, the rule's filters or a difference that cannot be stored. Takes rows of
   * `free`.
   */
  readonly isBarred: (rowA: number, rowB: number) => boolean;
  /** Returns the same function for rows of `all`. It is called only if earlier runs committed links. */
  readonly isBarredOfAll: () => (rowA: number, rowB: number) => boolean;
  /** Returns whether a person separated exactly these records. */
  readonly isApart: (ids: readonly number[]) => boolean;
  readonly people: PeoplesPairs;
  /** Called once the texts of all lines are read. Evidence does not read them again. */
  readonly onTextsRead: () => void;
  /** Parameters of an earlier run, or null to learn them from this book. */
  readonly parameters: EvidenceParameters | null;
  readonly committedBefore: CommittedLinks;
  readonly watch: Watch;
}
