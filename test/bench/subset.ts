import { performance } from 'node:perf_hooks';
import { matchRecords } from '../../src-main/domain/matching/engine.ts';
import type { EngineMatch } from '../../src-main/domain/matching/model/match.ts';
import type { EngineRule } from '../../src-main/domain/matching/model/rule.ts';
import { UNDECLARED } from '../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../src-main/domain/records/record.ts';
import { assert } from '../../src-shared/values/assert.ts';

const RECORDS = 10_000;
const DEPOSITS = 2_500;
const DAYS = 365;
/** Grouped deposits in shops of their own, as `group_by` segments them, and all in one heap. */
const SCENES = [
  { shops: 200, lookback: 3, most: 6 },
  { shops: 200, lookback: 3, most: 3 },
  { shops: 20, lookback: 3, most: 3 },
  { shops: 1, lookback: 3, most: 6 },
] as const;

interface Made {
  readonly sideA: EngineRecord[];
  readonly sideB: EngineRecord[];
  /** By deposit: the ids of the receipts that it is made of; none for deposits of something else. */
  readonly truth: ReadonlyMap<number, string>;
}

/** Park and Miller's generator: the same numbers on every machine. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Deposits of 2 to 5 receipts up to three days old, receipts that were never deposited, and deposits of something else. */
function made(shops: number): Made {
  const next = numbers(7);
  const sideA: EngineRecord[] = [];
  const sideB: EngineRecord[] = [];
  const truth = new Map<number, string>();
  const record = (id: number, amountMinor: number, day: number, shop: number): EngineRecord => ({
    id,
    amountMinor,
    decimalPlaces: 2,
    direction: 'credit',
    valueDay: null,
    day,
    currency: 'GBP',
    description: `line ${id}`,
    externalId: null,
    streamKey: 's',
    reference: null,
    metadata: { shop: `S${shop}` },
  });
  const amount = (): number => 100 + Math.floor(Math.exp(next() * 7) * 100);
  const receipt = (day: number, shop: number): EngineRecord => {
    const line = record(sideA.length + 1, amount(), day, shop);
    sideA.push(line);
    return line;
  };
  for (let deposit = 0; deposit < DEPOSITS; deposit += 1) {
    const day = 20_000 + Math.floor(next() * DAYS);
    const shop = Math.floor(next() * shops);
    const lines = Array.from({ length: 2 + Math.floor(next() * 4) }, () => receipt(day - Math.floor(next() * 4), shop));
    const id = 1_000_001 + deposit;
    const sum = lines.reduce((total, line) => total + line.amountMinor, 0);
    sideB.push(record(id, sum, day, shop));
    truth.set(id, lines.map((line) => line.id).join());
  }
  while (sideA.length < RECORDS) receipt(20_000 + Math.floor(next() * DAYS), Math.floor(next() * shops));
  while (sideB.length < RECORDS) {
    sideB.push(record(1_000_001 + sideB.length, amount() * 3, 20_000 + Math.floor(next() * DAYS), Math.floor(next() * shops)));
  }
  return { sideA, sideB, truth };
}

function ruleOf({ lookback, most }: (typeof SCENES)[number]): EngineRule {
  return {
    id: 1,
    priority: 1,
    filters: { rules: [{ key: 'signed_amount', value: 'signed_amount' }] },
    outcome: 'match',
    commitCertainty: ['unique', 'interchangeable'],
    cardinality: 'many_to_one',
    groupBy: ['metadata.shop'],
    rollup: { group_by_kind: 'subset', lookback_days: lookback, date_field: 'date', max_records: most },
  };
}

function isTrue({ aIds, bIds }: EngineMatch, truth: Made['truth']): boolean {
  return truth.get(bIds[0] ?? 0) === [...aIds].toSorted((left, right) => left - right).join();
}

/** Time per single record, and what becomes of them, at 10,000 open records a side of which 2,500 are deposits of 2 to 5 receipts. */
export function subset(): unknown {
  return {
    bench: 'subset',
    records_a_side: RECORDS,
    deposits_of_receipts: DEPOSITS,
    scenes: SCENES.map((scene) => {
      const { sideA, sideB, truth } = made(scene.shops);
      const rules = [ruleOf(scene)];
      const started = performance.now();
      const result = matchRecords(
        { sideA, sideB, rules, signConvention: 'same', types: UNDECLARED, separations: new Set() },
        { onProgress: () => {}, isCancelled: () => false },
      );
      const ms = performance.now() - started;
      assert(result.ok, 'the engine answers');
      const { matches, rules: outcomes } = result.value;
      const committed = matches.filter((match) => match.status === 'matched');
      const proposed = matches.filter((match) => match.status === 'proposed');
      return {
        ...scene,
        ms_per_record: Number((ms / sideB.length).toFixed(3)),
        committed: committed.length,
        committed_true: committed.filter((match) => isTrue(match, truth)).length,
        proposed: proposed.length,
        proposed_true: proposed.filter((match) => isTrue(match, truth)).length,
        gave_up: outcomes[0]?.gaveUp ?? 0,
      };
    }),
  };
}
