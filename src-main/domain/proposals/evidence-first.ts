import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { DEFAULT_BUDGET } from '../../../src-shared/contract/rules/rules.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { findMatches, ruleShape } from '../matching/index.ts';
import { asRule, confidenceOf } from './dry-run.ts';
import { proposeRules, sampled } from './propose.ts';
import type { KnownMatch, Proposal, ProposalControl, ProposalInput, Proposals, ProposedBody } from './types.ts';

/** Share of weighing the sample in the progress. */
const OF_WEIGHING = 0.5;

/** Returns the rule of evidence of the preset, as a proposal. */
function evidenceBody(): ProposedBody {
  const preset = present(presetRules('evidence')[0], 'rule of the preset');
  return {
    filters: preset.filters,
    outcome: 'match',
    commit_certainty: ['unique', 'best', 'interchangeable'],
    cardinality: 'one_to_one',
    group_by: [],
    rollup: null,
    description: preset.description ?? '',
    method: 'evidence',
    budget: DEFAULT_BUDGET,
  };
}

interface Weighed {
  readonly proposal: Proposal;
  /** Records of the links that it would commit. */
  readonly links: readonly KnownMatch[];
}

/** Weighs the sample by evidence alone. Returns null if nothing is committed, or when cancelled. */
function weighed(input: ProposalInput, control: ProposalControl): Weighed | null {
  const { a, b } = sampled(input);
  const body = evidenceBody();
  const { signConvention, types, separations } = input;
  const result = findMatches({ sideA: a, sideB: b, rules: [asRule(body)], signConvention, types, separations }, control);
  if (!result.ok) return null;
  const links = [...result.value.matches].filter(({ status }) => status === 'matched');
  const outcome = result.value.rules[0]?.evidence?.outcome.committed;
  if (links.length === 0 || outcome === undefined) return null;
  const matched = links.reduce((sum, { aIds, bIds }) => sum + aIds.length + bIds.length, 0);
  const confidence = confidenceOf(outcome.expectedWrong / links.length);
  return { proposal: { body, confidence, matched, sampled: a.length + b.length }, links };
}

/**
 * Runs `proposeRules` with the rule of evidence before all others. Its links also measure the other rules: the share of a rule's matches that
 * contradict them determines the confidence.
 *
 * @returns null when cancelled
 */
export function proposeEvidenceFirst(input: ProposalInput, control: ProposalControl): Proposals | null {
  const share = (from: number, to: number): ProposalControl => ({
    ...control,
    onProgress: (done, total) => control.onProgress(Math.floor((from + ((to - from) * done) / Math.max(1, total)) * STEPS), STEPS),
  });
  const first = weighed(input, share(0, OF_WEIGHING));
  if (control.isCancelled()) return null;
  const found = proposeRules({ ...input, trusted: first?.links ?? [] }, share(OF_WEIGHING, 1));
  if (found === null || first === null) return found;
  const isThere = input.excludedShapes.has(ruleShape(first.proposal.body)) || input.active.some(({ evidence }) => evidence !== undefined);
  return isThere ? found : { ...found, proposals: [first.proposal, ...found.proposals], nothing: null };
}

const STEPS = 1_000;
