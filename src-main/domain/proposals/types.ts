import type { Rollup, Rule, RuleBody, SignConvention } from '../../../src-shared/contract/index.ts';
import type { EngineRule, ReturnedLine } from '../matching/index.ts';
import type { MetadataTypes } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';

/** Records that a person tied: by a manual match, or by confirming one. */
export interface KnownMatch {
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
}

export interface ProposalInput {
  /** Free records and those of known matches, in any order: the result does not depend on it. */
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  readonly known: readonly KnownMatch[];
  /** What the evidence makes certain: how sure a rule is is measured by it. Left out: by how it was found. */
  readonly trusted?: readonly KnownMatch[];
  /** Rules that run already: a proposal has to add to them. */
  readonly active: readonly EngineRule[];
  readonly signConvention: SignConvention;
  readonly types: MetadataTypes;
  readonly separations: ReadonlySet<string>;
  /** Lines that are taken back by another one of their side, which active rules may hold back. Left out: none. */
  readonly returned?: readonly ReturnedLine[];
  /** Shapes (see `ruleShape`) that are not proposed: of rules that are there, and of dismissed ones. */
  readonly excludedShapes: ReadonlySet<string>;
}

export type Confidence = NonNullable<Rule['confidence']>;
export interface ProposedBody extends Required<Pick<RuleBody, 'filters' | 'outcome' | 'commit_certainty' | 'cardinality' | 'group_by'>> {
  readonly description: string;
  readonly rollup: Rollup | null;
  /** Of the rule of evidence; left out of rules of conditions. */
  readonly method?: 'evidence';
  readonly budget?: number;
}

export interface Proposal {
  readonly body: ProposedBody;
  readonly confidence: Confidence;
  /** Sampled records, of both sides together, that the rule ties when it runs alone. */
  readonly matched: number;
  readonly sampled: number;
}

export interface Proposals {
  /** In the order in which they should run. */
  readonly proposals: readonly Proposal[];
  readonly sampled: { readonly a: number; readonly b: number };
  /** Candidates that were run on the sample. */
  readonly tried: number;
  /** Matches of people that were learnt from. */
  readonly known: number;
  /** Why nothing is proposed, for people; null where something is. */
  readonly nothing: string | null;
}

export interface ProposalControl {
  /** Steps of a fixed number, each bounded by the size of the sample. */
  readonly onProgress: (done: number, total: number) => void;
  readonly isCancelled: () => boolean;
  /** A few times in a search: what begins now, for people. */
  readonly onStep?: ((step: 'comparing' | 'trying', message: string) => void) | undefined;
}

export const PROPOSAL_LIMITS = {
  proposals: 5,
  /** Records of a side that are looked at. */
  sample: 20_000,
  /** Metadata fields of a side that are looked at, the fullest first. */
  fields: 24,
  /** Ways to read a side's texts: fields as they are, and patterns found in them. */
  readings: 16,
  patternsOfField: 4,
  /** Characters of a text that are looked at for patterns. */
  textLength: 500,
  candidates: 16,
} as const;
