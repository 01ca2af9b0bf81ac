import { separationKey } from '../../../src-main/domain/matching/model/input.ts';
import type { EngineRule } from '../../../src-main/domain/matching/model/rule.ts';
import type { Condition, RuleGroup } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { inContentOrder } from '../../../src-main/domain/records/content.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { held } from './rule-reference.ts';

/** A many_to_one rule over a small number of records. Metadata is undeclared; the separations are keys by `separationKey`. */
export interface RollupCase {
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  readonly rule: EngineRule;
  readonly convention: 'any' | 'same' | 'opposite';
  readonly separations: ReadonlySet<string>;
}

export interface RollupTie {
  /** Ids, ascending. */
  readonly many: readonly number[];
  readonly single: number;
  readonly certainty: string;
}

interface RecordGroup {
  readonly members: readonly EngineRecord[];
  readonly lastDay: number;
  readonly firstDay: number;
}

/** Returns an amount in thousandths of a currency unit. Records of the tests have scales up to 3. */
function thousandths(record: EngineRecord): number {
  return record.amountMinor * 10 ** (3 - record.decimalPlaces);
}

function signed(record: EngineRecord): number {
  return (record.direction === 'credit' ? 1 : -1) * thousandths(record);
}

/** Returns a record whose amount is the net of a cohort. */
function total(members: readonly EngineRecord[]): EngineRecord {
  const scale = Math.max(...members.map((member) => member.decimalPlaces));
  const net = members.reduce((sum, member) => sum + signed(member), 0) / 10 ** (3 - scale);
  return { ...present(members[0], 'a member'), amountMinor: Math.abs(net), direction: net < 0 ? 'debit' : 'credit', decimalPlaces: scale };
}

const OWN = new Set(['amount', 'signed_amount']);

/**
 * Returns which single records take which cohorts, literally as the specification says: each single record tries each cohort in turn, each member is
 * tested anew, and days are counted one by one.
 */
export function rollups(given: RollupCase): RollupTie[] {
  const { rule, separations } = given;
  const isMany = rule.rollup?.many_side ?? 'a';
  const [many, single] = isMany === 'a' ? [given.sideA, given.sideB] : [given.sideB, given.sideA];
  const isByDate = (rule.rollup?.group_by_kind ?? 'date') === 'date';
  const singles = inContentOrder(single);
  const options = new Map(singles.map((one) => [one, isByDate ? runsFor(given, many, one) : identifiersFor(given, many, one)]));
  const used = new Set<EngineRecord>();
  const ties: RollupTie[] = [];
  for (const one of singles) {
    const own = options.get(one) ?? [];
    const taken = own.find(
      ({ members }) =>
        !members.some((member) => used.has(member)) && !separations.has(separationKey([one.id, ...members.map((member) => member.id)])),
    );
    if (taken === undefined) continue;
    for (const member of taken.members) used.add(member);
    const isWanted = singles.some(
      (other) =>
        other !== one && (options.get(other) ?? []).some(({ members }) => members.some((member) => taken.members.includes(member))),
    );
    const certainty = isWanted || (own.length > 1 && !isByDate) ? 'contested' : own.length > 1 ? 'best' : 'unique';
    ties.push({ many: taken.members.map(({ id }) => id).toSorted((left, right) => left - right), single: one.id, certainty });
  }
  return ties;
}

function fieldText(record: EngineRecord, name: string): string | null {
  const value: unknown = name.startsWith('metadata.')
    ? record.metadata[name.slice('metadata.'.length)]
    : record[name as 'description' | 'reference' | 'currency'];
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function dayOf({ rule }: RollupCase, record: EngineRecord): number | null {
  const name = (rule.rollup?.group_by_kind ?? 'date') === 'date' ? (rule.groupBy[0] ?? 'date') : (rule.rollup?.date_field ?? 'date');
  if (name === 'date') return record.day;
  if (name === 'value_date') return record.valueDay;
  const text = fieldText(record, name);
  return text === null ? null : Date.parse(`${text}T00:00:00Z`) / 86_400_000;
}

function isInWindow(given: RollupCase, member: EngineRecord, one: EngineRecord): boolean {
  const lookback = given.rule.rollup?.lookback_days ?? null;
  if (lookback === null) return true;
  const day = dayOf(given, member);
  return day !== null && day <= one.day && day >= one.day - lookback;
}

function identifiersFor(given: RollupCase, many: readonly EngineRecord[], one: EngineRecord): RecordGroup[] {
  const cohorts = new Map<string, EngineRecord[]>();
  for (const record of inContentOrder(many)) {
    const values = given.rule.groupBy.map((name) => fieldText(record, name));
    if (values.includes(null)) continue;
    const key = JSON.stringify(values);
    cohorts.set(key, [...(cohorts.get(key) ?? []), record]);
  }
  const fitting = [...cohorts.values()].filter(
    (members) => members.every((member) => isInWindow(given, member, one)) && fits(given, members, one),
  );
  const apart = (members: readonly EngineRecord[]) => Math.abs(Math.max(...members.map(({ day }) => day)) - one.day);
  const missing = (members: readonly EngineRecord[]) => Math.abs(balance(given, total(members), one));
  return fitting
    .toSorted((left, right) => apart(left) - apart(right) || missing(left) - missing(right))
    .map((members) => ({ members, lastDay: 0, firstDay: 0 }));
}

function runsFor(given: RollupCase, many: readonly EngineRecord[], one: EngineRecord): RecordGroup[] {
  const segments = given.rule.groupBy.slice(1);
  const passing = many.filter(
    (record) =>
      record.currency === one.currency &&
      dayOf(given, record) !== null &&
      isInWindow(given, record, one) &&
      segments.every((name) => fieldText(record, name) !== null && fieldText(record, name) === fieldText(one, name)) &&
      // A condition on the total applies to the whole run, so it is ignored here.
      holdsFor(given, given.rule.filters, record, one, null),
  );
  const days = passing.map((record) => dayOf(given, record) ?? 0);
  const cohorts: RecordGroup[] = [];
  for (let last = Math.max(...days); last >= Math.min(...days); last -= 1) {
    for (let first = last; first >= Math.min(...days); first -= 1) {
      const members = passing.filter((_, index) => (days[index] ?? 0) >= first && (days[index] ?? 0) <= last);
      // A day without rows adds nothing at either end.
      if (!days.includes(first) || !days.includes(last) || !fits(given, members, one)) continue;
      cohorts.push({ members, lastDay: last, firstDay: first });
    }
  }
  return cohorts;
}

function balance(given: RollupCase, sum: EngineRecord, one: EngineRecord): number {
  if (given.convention === 'any') return thousandths(sum) - thousandths(one);
  return signed(sum) - (given.convention === 'opposite' ? -1 : 1) * signed(one);
}

function fits(given: RollupCase, members: readonly EngineRecord[], one: EngineRecord): boolean {
  if (new Set(members.map(({ currency }) => currency)).size > 1) return false;
  const sum = total(members);
  return members.every((member) => {
    if (member.currency !== one.currency) return false;
    const isExact = Math.abs(balance(given, sum, one)) === 0;
    return holdsFor(given, given.rule.filters, member, one, sum) && (isExact || isBalanced(given, given.rule.filters, member, one, sum));
  });
}

function pairOf(given: RollupCase, record: EngineRecord, one: EngineRecord) {
  const isMany = (given.rule.rollup?.many_side ?? 'a') === 'a';
  return { a: isMany ? record : one, b: isMany ? one : record, isOpposite: given.convention === 'opposite', types: UNDECLARED };
}

function isOfTotal({ rule }: RollupCase, condition: Condition): boolean {
  return OWN.has((rule.rollup?.many_side ?? 'a') === 'a' ? condition.key : condition.value);
}

function leafHolds(given: RollupCase, condition: Condition, member: EngineRecord, one: EngineRecord, sum: EngineRecord | null): boolean {
  if (!isOfTotal(given, condition)) return held(pairOf(given, member, one), condition) !== null;
  return sum === null || held(pairOf(given, sum, one), condition) !== null;
}

/** Whether the tree holds for a member, with the total for its amounts. Without a total, conditions on it count as true. */
function holdsFor(given: RollupCase, group: RuleGroup, member: EngineRecord, one: EngineRecord, sum: EngineRecord | null): boolean {
  const holds = (child: Condition | RuleGroup): boolean =>
    'rules' in child ? holdsFor(given, child, member, one, sum) : leafHolds(given, child, member, one, sum);
  return group.operand === 'or' ? group.rules.some(holds) : group.rules.every(holds);
}

/** Whether a true branch has a condition on the amounts within whose tolerance the nets balance. */
function isBalanced(given: RollupCase, group: RuleGroup, member: EngineRecord, one: EngineRecord, sum: EngineRecord): boolean {
  if (group.operand !== 'or' && !holdsFor(given, group, member, one, sum)) return false;
  return group.rules.some((child) => {
    if ('rules' in child) return isBalanced(given, child, member, one, sum);
    if (!leafHolds(given, child, member, one, sum) || !OWN.has(child.key) || !OWN.has(child.value)) return false;
    if (child.operand !== undefined && child.operand !== 'eq') return false;
    const own = given.convention === 'any' ? 'amount' : 'signed_amount';
    return held(pairOf(given, sum, one), { ...child, key: own, value: own, transforms: undefined }) !== null;
  });
}
