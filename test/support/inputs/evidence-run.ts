import { NOTHING_COMMITTED } from '../../../src-main/domain/evidence/model/committed.ts';
import type { EvidenceInput } from '../../../src-main/domain/evidence/model/input.ts';
import type { EvidenceLink, RuleEvidence } from '../../../src-main/domain/evidence/model/link.ts';
import { weighEvidence } from '../../../src-main/domain/evidence/weigh-evidence.ts';
import { columnsInContentOrder } from '../../../src-main/domain/records/content-order.ts';
import { type Field, fieldOf } from '../../../src-main/domain/records/fields.ts';
import { columnsOfRecords } from '../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import type { EvidenceSet } from '../../bench/data/evidence-sets.ts';

const WATCH = { advance: () => undefined, finishStage: () => undefined, beginStage: () => undefined, isCancelled: () => false };

/** Returns the fields of a side that hold texts: description, external id, metadata. */
export function fieldsOf(records: readonly EngineRecord[]): Field[] {
  const keys = new Set<string>();
  let hasExternalId = false;
  for (const { metadata, externalId } of records.slice(0, 1_000)) {
    for (const key of Object.keys(metadata)) keys.add(`metadata.${key}`);
    hasExternalId ||= externalId !== null;
  }
  return ['description', ...(hasExternalId ? ['external_id'] : []), ...keys].map(fieldOf).filter((field) => field !== null);
}

export function inputOf(set: Pick<EvidenceSet, 'a' | 'b' | 'percent'>, given: Partial<EvidenceInput> = {}): EvidenceInput {
  const side = (records: readonly EngineRecord[]): EvidenceInput['a'] => {
    const columns = columnsInContentOrder(columnsOfRecords(records));
    return { free: columns, all: columns, fields: fieldsOf(records) };
  };
  return {
    rule: { id: 1, budget: 10, maxDifference: set.percent === null ? null : { percent: set.percent } },
    a: side(set.a),
    b: side(set.b),
    signConvention: 'same',
    isBarred: () => false,
    isBarredOfAll: () => () => false,
    isApart: () => false,
    people: { confirmed: [], rejected: [], removedAliases: [] },
    onTextsRead: () => undefined,
    parameters: null,
    committedBefore: NOTHING_COMMITTED,
    watch: WATCH,
    ...given,
  };
}

export function weigh(input: EvidenceInput): RuleEvidence & { readonly links: EvidenceLink[] } {
  const links: EvidenceLink[] = [];
  const weighed = weighEvidence(input, (link) => links.push(link));
  if (!weighed.ok) throw new Error(weighed.error.message);
  return { ...weighed.value, links };
}

interface Figures {
  readonly links: number;
  readonly committed: number;
  readonly wrongCommitted: number;
  /** Precision of committed links, 0 to 1. */
  readonly precision: number;
  readonly recall: number;
  readonly f1OfAll: number;
  /** Links with at least a likelihood: number, expected wrong ones and observed wrong ones. */
  readonly at: readonly { readonly least: number; readonly count: number; readonly expected: number; readonly wrong: number }[];
}

/** Returns whether a pair is true, or is told apart from a true one by nothing, as two payments of one text, day and amount are. */
function truthOf({ a, b, truth }: EvidenceSet): (pair: string) => boolean {
  const contents = new Map<number, string>();
  for (const [side, records] of [a, b].entries())
    for (const { id, ...content } of records) contents.set(id, `${side} ${JSON.stringify(content)}`);
  const contentOf = (pair: string): string =>
    pair
      .split(',')
      .map((id) => contents.get(Number(id)) ?? '')
      .join('\n');
  const alike = new Set([...truth].map(contentOf));
  return (pair) => truth.has(pair) || alike.has(contentOf(pair));
}

/** Counts links pair by pair against the true pairs whose records are both in the set. */
export function figuresOf(set: EvidenceSet, links: readonly EvidenceLink[]): Figures {
  const isTrue = truthOf(set);
  const [idsA, idsB] = [new Set(set.a.map(({ id }) => id)), new Set(set.b.map(({ id }) => id))];
  let possible = 0;
  for (const link of set.truth) {
    const [a = 0, b = 0] = link.split(',').map(Number);
    if (idsA.has(a) && idsB.has(b)) possible += 1;
  }
  const pairsOf = ({ aIds, bIds }: EvidenceLink): string[] => aIds.flatMap((a) => bIds.map((b) => `${a},${b}`));
  const isWrong = (link: EvidenceLink): boolean => pairsOf(link).some((pair) => !isTrue(pair));
  const count = (some: readonly EvidenceLink[]): { all: number; right: number } => {
    const pairs = some.flatMap(pairsOf);
    return { all: pairs.length, right: pairs.filter(isTrue).length };
  };
  const committed = links.filter(({ status }) => status === 'matched');
  const [ofCommitted, ofAll] = [count(committed), count(links)];
  return {
    links: possible,
    committed: committed.length,
    wrongCommitted: committed.filter(isWrong).length,
    precision: ofCommitted.right / Math.max(1, ofCommitted.all),
    recall: ofCommitted.right / Math.max(1, possible),
    f1OfAll: (2 * ofAll.right) / Math.max(1, ofAll.all + possible),
    at: [0.5, 0.9, 0.99, 0.999].map((least) => {
      const some = links.filter(({ weight }) => weight.logOdds / 64 >= Math.log2(least / (1 - least)));
      const expected = some.reduce((sum, { weight }) => sum + 1 / (1 + 2 ** (weight.logOdds / 64)), 0);
      return { least, count: some.length, expected, wrong: some.filter(isWrong).length };
    }),
  };
}
