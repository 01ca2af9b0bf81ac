import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { type Result, success } from '../../../../src-shared/values/result.ts';
import { IdSet } from '../../collections/id-set.ts';
import type { EvidenceGround } from '../../evidence/model/ground.ts';
import type { RuleEvidence } from '../../evidence/model/link.ts';
import { packWeight } from '../../evidence/model/weight.ts';
import { weighEvidence } from '../../evidence/weigh-evidence.ts';
import { differenceOfRows } from '../../records/amount-difference.ts';
import { idAt, type RecordColumns } from '../../records/record-columns.ts';
import { pairTest, ruleView } from '../comparison/predicate.ts';
import { readColumns } from '../comparison/read-columns.ts';
import type { MatchCollector } from '../matches/match-columns.ts';
import { separatedPairs, separatedSets } from '../matches/separations.ts';
import type { EngineFailure } from '../model/input.ts';
import type { Watch } from '../model/watch.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import type { CompiledRule } from '../rules/compile.ts';
import type { ReadyRule } from '../rules/ready-rules.ts';

/** Input of a rule of evidence. */
interface Weighing {
  readonly ready: ReadyRule;
  readonly free: { readonly a: RecordColumns; readonly b: RecordColumns };
  readonly ground: EvidenceGround;
  readonly signConvention: SignConvention;
  readonly separations: ReadonlySet<string>;
  readonly watch: Watch;
  readonly found: MatchCollector;
}

/** Result of a rule of evidence, in addition to its matches. */
interface Weighed extends RuleEvidence {
  /** Records that it matched or proposed. */
  readonly used: IdSet;
}

/** Matches free records that the evidence makes likely enough, and proposes those that it makes likely. */
export function weighRule({ ready, free, ground, signConvention, separations, watch, found }: Weighing): Result<Weighed, EngineFailure> {
  const { rule } = ready;
  const terms = present(rule.evidence, 'terms of a rule of evidence');
  const used: number[] = [];
  const sides = {
    a: { free: free.a, all: allOf(free.a, ground.a.all), fields: ground.a.fields, coverage: ground.a.coverage },
    b: { free: free.b, all: allOf(free.b, ground.b.all), fields: ground.b.fields, coverage: ground.b.coverage },
  };
  const isApart = separations.size === 0 ? null : separatedSets(separations);
  const weighed = weighEvidence(
    {
      rule: { id: rule.id, ...terms },
      ...sides,
      signConvention,
      isBarred: barred(ready.compiled, free, signConvention, separations),
      isBarredOfAll: () => barred(ready.compiled, { a: sides.a.all, b: sides.b.all }, signConvention, separations),
      isApart: (ids) => isApart?.holds(ids) === true,
      people: ground.people,
      onTextsRead: () => ground.onTextsRead(rule.id),
      parameters: ground.parametersOf(rule.id),
      committedBefore: ground.committedBefore,
      watch,
    },
    ({ aIds, bIds, status, certainty, differenceMinor, weight }) => {
      found.add({
        ruleId: rule.id,
        aIds,
        bIds,
        status: rule.outcome === 'match' ? status : 'proposed',
        certainty,
        differenceMinor,
        weight: packWeight(weight),
      });
      used.push(...aIds, ...bIds);
    },
  );
  if (!weighed.ok) return weighed;
  return success({ ...weighed.value, used: IdSet.of(used) });
}

/** Returns the free records if nothing is matched, so that both are the same object. */
function allOf(free: RecordColumns, all: RecordColumns): RecordColumns {
  return all.count === free.count ? free : all;
}

/** Returns whether a pair of rows must not be matched: a person separated it, the rule's filters do not hold, or its difference cannot be stored. */
function barred(
  rule: CompiledRule,
  { a, b }: Weighing['free'],
  convention: SignConvention,
  separations: ReadonlySet<string>,
): (rowA: number, rowB: number) => boolean {
  const pairs = separations.size === 0 ? null : separatedPairs(separations);
  const differenceAt = differenceOfRows(a, b, convention);
  const isBarred = (rowA: number, rowB: number): boolean =>
    pairs?.separates(idAt(a, rowA), idAt(b, rowB)) === true || differenceAt(rowA, rowB) === null;
  // Evidence always requires equal currencies, so that condition needs no test.
  if (rule.leaves.every(saysSameCurrency)) return isBarred;
  const holds = pairTest(ruleView({ rule, columns: readColumns(rule, a, b, convention), sideA: a, sideB: b, isBarred }));
  return (rowA, rowB) => !holds(rowA, rowB);
}

function saysSameCurrency({ key, value, operand }: Leaf): boolean {
  const isChanged = key.transforms.names.length + value.transforms.names.length > 0;
  return key.field.name === 'currency' && value.field.name === 'currency' && operand === 'eq' && !isChanged;
}
