import { inContentOrder } from '../records/content.ts';
import { ruleShape } from '../matching/index.ts';
import type { EngineRecord } from '../records/record.ts';
import { type Candidate, inOrder, keyedCandidates, type KeyLink, keyLinks, type Sides } from './candidates.ts';
import { asRule, type Ground, type Free, judge, type Tied, tryRules, turned, unexplained } from './dry-run.ts';
import { learnedCandidates } from './learned.ts';
import { amountAndDate, containsCandidates, dayCandidates, type Habits, habitsOf } from './loose-candidates.ts';
import { type Reading, readingsOf } from './readings.ts';
import { countByDay, isSampled, planSample } from './sample.ts';
import {
  type KnownMatch,
  type Proposal,
  PROPOSAL_LIMITS,
  type ProposalControl,
  type ProposalInput,
  type Proposals,
  type ProposedBody,
} from './types.ts';
import { nothingFound } from './nothing-found.ts';
import { trueConfidence } from './true-confidence.ts';

/** A rule has to tie this many records that no stricter one does. */
const LEAST_GAIN = { records: 4, share: 0.01 } as const;
/** A rule by amounts and dates has to tie this many times what it would by chance; what it commits may be chance to this share. */
const CHANCE = { times: 2, committed: 0.02 } as const;
/** So far round days are turned, as shares of all days, to see what is tied by chance: once would often show nothing of what is rare. */
const TURNS = [1 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 6 / 8, 7 / 8] as const;
/** Records that chance may tie in all turns together though none were seen: three pairs, the rule of three for 95 %. */
const UNSEEN = 6;
/** Of what a rule says of matches of people, the share that it may say otherwise. */
const MOST_CONTRADICTIONS = 0.05;

/** Pairs of the other sign that say that the sign convention is wrong. */
const CONTRARY = { pairs: 5, times: 2 } as const;

interface Work {
  readonly input: ProposalInput;
  readonly ground: Ground;
  readonly known: readonly KnownMatch[];
  readonly sides: Sides;
  readonly readingsA: readonly Reading[];
  readonly readingsB: readonly Reading[];
  readonly step: () => void;
  /** Tells that candidates of a kind are tried now. */
  readonly tell: (message: string) => void;
  /** What a rule ties of the whole sample by itself; worked out once. */
  readonly alone: (body: ProposedBody) => Tied | null;
}

interface Accepted {
  readonly candidate: Candidate;
  readonly body: ProposedBody;
  readonly confidence: Proposal['confidence'];
  readonly gain: number;
}

/** Up to this many times the sample is looked at whole: so it is when the records were sampled before. */
const WHOLE = 3;

/** The records looked at, in the order of their content. */
export function sampled(input: Pick<ProposalInput, 'sideA' | 'sideB'>): Free {
  if (Math.max(input.sideA.length, input.sideB.length) <= WHOLE * PROPOSAL_LIMITS.sample) {
    return { a: inContentOrder(input.sideA), b: inContentOrder(input.sideB) };
  }
  const plan = planSample(countByDay(input.sideA), countByDay(input.sideB), PROPOSAL_LIMITS.sample);
  const take = (records: readonly EngineRecord[]) => inContentOrder(records.filter((record) => isSampled(plan, record)));
  return { a: take(input.sideA), b: take(input.sideB) };
}

/** Matches of people whose records are all in the sample. */
function knownOf(known: readonly KnownMatch[], { a, b }: Free): KnownMatch[] {
  const ids = [a, b].map((side) => new Set(side.map(({ id }) => id)));
  return known.filter(({ aIds, bIds }) => aIds.every((id) => ids[0]?.has(id)) && bIds.every((id) => ids[1]?.has(id)));
}

function mostDecimalPlaces(records: readonly EngineRecord[]): number {
  const counts = new Map<number, number>();
  for (const { decimalPlaces } of records) counts.set(decimalPlaces, (counts.get(decimalPlaces) ?? 0) + 1);
  return [...counts].toSorted((left, right) => right[1] - left[1] || left[0] - right[0])[0]?.[0] ?? 2;
}

function onceEach(work: (body: ProposedBody) => Tied | null): Work['alone'] {
  const known = new Map<ProposedBody, Tied | null>();
  return (body) => {
    const there = known.get(body);
    if (there !== undefined) return there;
    const found = work(body);
    known.set(body, found);
    return found;
  };
}

/** Days that a rule looks around a record. */
function reachOf({ filters, rollup }: ProposedBody): number {
  const windows = filters.rules.map((each) => ('rules' in each || each.key !== 'date' ? 0 : (each.tolerance_amount ?? 0)));
  return Math.max(rollup?.lookback_days ?? 0, ...windows);
}

/**
 * What a rule that nothing but amounts and dates (or a common name) stands on may do: count at once, wait for a person, or not be
 * proposed at all, measured against what it ties once no record has its counterpart any more.
 */
function soberly({ ground }: Work, candidate: Candidate, free: Free, records: number): Pick<Accepted, 'body' | 'confidence'> | null {
  const { body } = candidate;
  const others = TURNS.map((share) => turned(free, reachOf(body), share)).filter((other) => other !== null);
  const byChance = others.reduce((sum, other) => sum + (tryRules(ground, [asRule(body)], other)?.records ?? 0), 0);
  const turns = others.length;
  if (turns > 0 && records < CHANCE.times * (byChance / turns) + LEAST_GAIN.records) return null;
  if (turns > 0 && (byChance + UNSEEN) / turns <= CHANCE.committed * records) return { body, confidence: candidate.confidence };
  return { body: { ...body, outcome: 'propose', commit_certainty: ['unique', 'best', 'interchangeable'] }, confidence: 'low' };
}

/** What a candidate adds to the rules before it; null where that is not enough to propose it. */
function weigh(work: Work, candidate: Candidate, free: Free): { readonly accepted: Accepted; readonly left: Free } | null {
  const { ground, known } = work;
  const tied = tryRules(ground, [asRule(candidate.body)], free);
  const least = Math.max(LEAST_GAIN.records, LEAST_GAIN.share * Math.min(work.sides.a.length, work.sides.b.length));
  if (tied === null || tied.records < least) return null;
  const sober = candidate.isByChance
    ? soberly(work, candidate, free, tied.records)
    : { body: candidate.body, confidence: candidate.confidence };
  if (sober === null) return null;
  const { agrees, contradicts } = judge(tied.matches, known);
  if (contradicts > agrees) return null;
  const isDoubtful = contradicts > MOST_CONTRADICTIONS * (agrees + contradicts);
  const settled = isDoubtful ? ({ body: { ...sober.body, outcome: 'propose' }, confidence: 'low' } as const) : sober;
  const after = settled.body === candidate.body ? tied : tryRules(ground, [asRule(settled.body)], free);
  if (after === null) return null;
  return { accepted: { candidate, ...settled, gain: after.records }, left: after.left };
}

/** Goes through candidates from the strictest on; each sees what those before it left. */
class Selection {
  readonly accepted: Accepted[] = [];
  readonly shapes = new Set<string>();
  readonly work: Work;
  wereExcluded = 0;
  tried = 0;
  free: Free;

  constructor(work: Work, free: Free) {
    this.work = work;
    this.free = free;
  }

  /** @param by what the candidates stand on, for people */
  tryEach(by: string, candidates: readonly Candidate[]): void {
    if (candidates.length > 0) this.work.tell(`Trying ${by} on these records.`);
    for (const candidate of inOrder(candidates).slice(0, PROPOSAL_LIMITS.candidates)) {
      this.work.step();
      if (this.work.ground.isCancelled()) return;
      const shape = ruleShape(candidate.body);
      if (this.shapes.has(shape)) continue;
      this.shapes.add(shape);
      this.tried += 1;
      const found = weigh(this.work, candidate, this.free);
      if (found === null) continue;
      if (this.work.input.excludedShapes.has(shape)) {
        // What it ties is no reason for a looser rule: a person decided about these records' rule already.
        this.wereExcluded += 1;
        this.free = found.left;
        continue;
      }
      this.accepted.push(found.accepted);
      this.free = found.left;
    }
  }
}

function proposalsOf(work: Work, accepted: readonly Accepted[]): Proposal[] {
  const { sides, input } = work;
  const best = new Set(accepted.toSorted((left, right) => right.gain - left.gain).slice(0, PROPOSAL_LIMITS.proposals));
  return accepted
    .filter((each) => best.has(each))
    .map(({ body, confidence }) => {
      const alone = work.alone(body);
      const sure = trueConfidence(alone?.matches ?? [], input.trusted ?? [], confidence);
      return { body, confidence: sure, matched: alone?.records ?? 0, sampled: sides.a.length + sides.b.length };
    });
}

/** Whether keys tie records whose signs are not those that the reconciliation's sign convention says. */
function areContrary(links: readonly KeyLink[]): boolean {
  const agreeing = links.reduce((most, { evidence }) => Math.max(most, evidence.agreeing), 0);
  return links.some(({ evidence: { flipped } }) => flipped >= CONTRARY.pairs && flipped > CONTRARY.times * agreeing);
}

/** Everything that ties records of the sample by itself, then what people's matches have in common, then amounts and days. */
function select(work: Work, links: readonly KeyLink[], habits: Habits): Selection {
  const { input, ground, sides, readingsA, readingsB } = work;
  const running = input.active.length === 0 ? null : tryRules(ground, input.active, sides);
  const selection = new Selection(work, running?.left ?? sides);
  selection.tryEach('rules by fields that stand on both sides', [
    ...keyedCandidates(links, sides),
    ...containsCandidates(readingsA, readingsB, sides),
  ]);
  const made = [...(running?.matches ?? []), ...selection.accepted.flatMap(({ body }) => work.alone(body)?.matches ?? [])];
  selection.tryEach('rules learnt from matches of people', learnedCandidates(unexplained(made, work.known), readingsA, readingsB, sides));
  selection.tryEach('rules by amount and date', amountAndDate(habits, sides));
  const left = { a: selection.free.a.length, b: selection.free.b.length };
  selection.tryEach('rules by days that add up', dayCandidates(readingsA, readingsB, left, habits));
  return selection;
}

function comparingWords(counts: Proposals['sampled'], a: number, b: number): string {
  return `Comparing ${a} ways to read the ${counts.a} records of side A with ${b} of the ${counts.b} records of side B.`;
}

/**
 * Rules that the data itself speaks for: fields whose values stand on both sides, also inside texts and after transforms, groups that
 * add up, amounts and days where they say more than chance; and what people's own matches have in common. Each is run on a sample, and
 * kept where it adds to the stricter ones. The same records in any order give the same rules.
 *
 * @returns null when it was cancelled
 */
export function proposeRules(input: ProposalInput, control: ProposalControl): Proposals | null {
  const free = sampled(input);
  const counts = { a: free.a.length, b: free.b.length };
  const known = knownOf(input.known, free);
  const looked = { sampled: counts, known: known.length, tried: 0 };
  if (counts.a === 0 || counts.b === 0)
    return { proposals: [], ...looked, nothing: nothingFound({ counts, wereExcluded: 0, isContrary: false }) };
  const sides: Sides = { ...free, convention: input.signConvention, decimalPlaces: mostDecimalPlaces([...free.a, ...free.b]) };
  const readingsA = readingsOf(sides.a);
  const readingsB = readingsOf(sides.b);
  control.onStep?.('comparing', comparingWords(counts, readingsA.length, readingsB.length));
  const total = readingsA.length * readingsB.length + 2 * PROPOSAL_LIMITS.candidates + PROPOSAL_LIMITS.proposals;
  let done = 0;
  const step = (): void => {
    done += 1;
    control.onProgress(Math.min(done, total), total);
  };
  const { signConvention, types, separations, returned = [] } = input;
  const ground: Ground = { signConvention, types, separations, returned, isCancelled: control.isCancelled };
  const links = keyLinks(readingsA, readingsB, sides, () => {
    step();
    return !control.isCancelled();
  });
  if (links === null) return null;
  if (areContrary(links)) return { proposals: [], ...looked, nothing: nothingFound({ counts, wereExcluded: 0, isContrary: true }) };
  const work: Work = {
    input,
    ground,
    known,
    sides,
    readingsA,
    readingsB,
    step,
    tell: (message) => control.onStep?.('trying', message),
    alone: onceEach((body) => tryRules(ground, [asRule(body)], sides)),
  };
  const selection = select(work, links, habitsOf(links, sides));
  if (control.isCancelled()) return null;
  const proposals = proposalsOf(work, selection.accepted);
  if (control.isCancelled()) return null;
  const nothing = proposals.length > 0 ? null : nothingFound({ counts, wereExcluded: selection.wereExcluded, isContrary: false });
  control.onProgress(total, total);
  return { proposals, ...looked, tried: selection.tried, nothing };
}
