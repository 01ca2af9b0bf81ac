import { separationKey } from '../../../src-main/domain/matching/model/input.ts';
import type { Certainty, RuleGroup } from '../../../src-shared/contract/index.ts';
import type { MetadataTypes } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { held, type Held, type ReferencePair } from './rule-reference.ts';

/**
 * A small case for brute force: the oracle finds the pairs that fit, every way to pair them, the best of these, and the certainty of each pair,
 * without a line of the engine.
 */
export interface OracleCase {
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  readonly filters: RuleGroup;
  readonly isOpposite: boolean;
  readonly types: MetadataTypes;
  readonly separations: ReadonlySet<string>;
}

interface Fit {
  readonly days: number;
  readonly units: number;
  readonly edits: number;
}
type Matching = readonly (readonly [number, number])[];

interface OracleAnswer {
  readonly pairs: number;
  readonly days: number;
  readonly units: number;
  readonly edits: number;
  readonly optimal: readonly Matching[];
  readonly certainty: (a: number, b: number) => Certainty;
  readonly distance: (matching: Matching) => Fit;
  /** Returns how much worse the best matching without a pair is: in pairs, days, units at three places, edits. */
  readonly margin: (a: number, b: number) => Fit & { readonly pairs: number };
}

/** Returns an amount at three places, the finest scale that the generators make. */
function thousandths(record: EngineRecord): number {
  return record.amountMinor * 10 ** (3 - record.decimalPlaces);
}

function signed(record: EngineRecord, isTurned: boolean): number {
  return thousandths(record) * (record.direction === 'credit' ? 1 : -1) * (isTurned ? -1 : 1);
}

function evaluate(group: RuleGroup, pair: ReferencePair): Held[] | null {
  const found = group.rules.map((child) => {
    if ('rules' in child) return evaluate(child, pair);
    const found = held(pair, child);
    return found === null ? null : [found];
  });
  if (group.operand === 'or') return found.find((member) => member !== null) ?? null;
  return found.some((member) => member === null) ? null : found.flatMap((member) => member ?? []);
}

function namesCurrency(group: RuleGroup): boolean {
  return group.rules.some((child) => ('rules' in child ? namesCurrency(child) : child.key === 'currency' || child.value === 'currency'));
}

function fitOf(given: OracleCase, a: EngineRecord, b: EngineRecord): Fit | null {
  if (given.separations.has(separationKey([a.id, b.id]))) return null;
  if (a.currency !== b.currency && !namesCurrency(given.filters)) return null;
  const members = evaluate(given.filters, { a, b, isOpposite: given.isOpposite, types: given.types });
  if (members === null) return null;
  const sum = (kind: Held['kind']): number | null => {
    const measured = members.filter((member) => member.kind === kind && member.distance !== null);
    return measured.length === 0 ? null : measured.reduce((total, member) => total + (member.distance ?? 0), 0);
  };
  return {
    days: sum('date') ?? Math.abs(a.day - b.day),
    units: sum('number') ?? Math.abs(signed(a, false) - signed(b, given.isOpposite)),
    edits: sum('text') ?? 0,
  };
}

/** Returns everything that a person can see of a record. A record in a separated pair equals no other. */
function looks(given: OracleCase, record: EngineRecord): string {
  const isSeparated = [...given.separations].some((key) => key.split(',').includes(String(record.id)));
  return JSON.stringify(isSeparated ? { ...record } : { ...record, id: 0 });
}

export function oracle(given: OracleCase): OracleAnswer {
  const fits = given.sideA.map((a) => given.sideB.map((b) => fitOf(given, a, b)));
  const all: Matching[] = [];
  const extend = (row: number, used: ReadonlySet<number>, chosen: Matching): void => {
    if (row === given.sideA.length) {
      all.push(chosen);
      return;
    }
    extend(row + 1, used, chosen);
    for (const [column, fit] of (fits[row] ?? []).entries()) {
      if (fit !== null && !used.has(column)) extend(row + 1, new Set([...used, column]), [...chosen, [row, column]]);
    }
  };
  extend(0, new Set(), []);
  const distance = (matching: Matching): Fit => ({
    days: matching.reduce((total, [a, b]) => total + (fits[a]?.[b]?.days ?? Number.NaN), 0),
    units: matching.reduce((total, [a, b]) => total + (fits[a]?.[b]?.units ?? Number.NaN), 0),
    edits: matching.reduce((total, [a, b]) => total + (fits[a]?.[b]?.edits ?? Number.NaN), 0),
  });
  const compare = (left: Matching, right: Matching): number => {
    const [l, r] = [distance(left), distance(right)];
    return right.length - left.length || l.days - r.days || l.units - r.units || l.edits - r.edits;
  };
  const best = all.reduce((found, matching) => (compare(matching, found) < 0 ? matching : found), all[0] ?? []);
  const optimal = all.filter((matching) => compare(matching, best) === 0);
  const kinds = (matching: Matching, a: number, b: number): number =>
    matching.filter(([x, y]) => sameLooks(given, given.sideA, x, a) && sameLooks(given, given.sideB, y, b)).length;
  const certainty = (a: number, b: number): Certainty => {
    const others = (fits[a] ?? []).filter((fit) => fit !== null).length + fits.filter((row) => row[b] !== null).length;
    if (others === 2) return 'unique';
    if (optimal.every((matching) => matching.some(([x, y]) => x === a && y === b))) return 'best';
    const seen = new Set(optimal.map((matching) => kinds(matching, a, b)));
    return seen.size === 1 ? 'interchangeable' : 'contested';
  };
  const margin = (a: number, b: number): Fit & { readonly pairs: number } => {
    const others = all.filter((matching) => !matching.some(([x, y]) => x === a && y === b));
    const next = others.reduce((found, matching) => (compare(matching, found) < 0 ? matching : found), others[0] ?? []);
    const [most, less] = [distance(best), distance(next)];
    const pairs = best.length - next.length;
    return { pairs, days: less.days - most.days, units: less.units - most.units, edits: less.edits - most.edits };
  };
  return { pairs: best.length, ...distance(best), optimal, certainty, distance, margin };
}

function sameLooks(given: OracleCase, records: readonly EngineRecord[], left: number, right: number): boolean {
  const [a, b] = [records[left], records[right]];
  return a !== undefined && b !== undefined && looks(given, a) === looks(given, b);
}
