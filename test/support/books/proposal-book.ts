import fs from 'node:fs';
import type { EngineResult } from '../../../src-main/domain/matching/engine-run.ts';
import { separationKey } from '../../../src-main/domain/matching/model/input.ts';
import type { EngineRule } from '../../../src-main/domain/matching/model/rule.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import { asRule } from '../../../src-main/domain/proposals/dry-run.ts';
import { proposeRules } from '../../../src-main/domain/proposals/propose.ts';
import type { ProposalInput, Proposals } from '../../../src-main/domain/proposals/types.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { readStatement } from '../../../src-main/domain/statement/read.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { engineRecord, matched } from '../inputs/matching-records.ts';

/** Records of both sides, and the groups that truly belong together. */
interface ProposalBook {
  readonly sideA: readonly EngineRecord[];
  readonly sideB: readonly EngineRecord[];
  /** Keys of the true groups by `separationKey`. */
  readonly truth: ReadonlySet<string>;
}

/** Returns a generator of integers below a bound, determined by the seed. */
export function numbers(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

const PRICES = [499, 999, 1_499, 1_999, 4_999, 9_999];
const NOISE = ['SEPA CR', 'ACH CREDIT', 'POS', 'WIRE IN', 'CARD SETTLEMENT'];
const DAY = 20_089;
const DAYS = 365;

/**
 * Returns orders and the bank lines that pay them. Of 100 orders, 80 are paid one by one within 3 days, 4 % of these less a fee of up to 0.50; 15 are
 * paid in batches; 5 are not paid. Of 100 single payments, 70 have the order in their reference and all have it in their text. A third of the amounts
 * are one of six prices, so that amount and date alone are often wrong.
 */
export function orderBook(orders: number, seed: number): ProposalBook {
  const next = numbers(seed);
  const amount = (): number => (next(3) === 0 ? present(PRICES[next(PRICES.length)], 'price') : 100 + next(2_000_000));
  const sideA: EngineRecord[] = [];
  const sideB: EngineRecord[] = [];
  const truth = new Set<string>();
  const pay = (day: number, amountMinor: number, text: string, metadata: Record<string, unknown>): EngineRecord => {
    const record = engineRecord(1_000_000 + sideB.length, {
      day,
      amountMinor,
      description: `${NOISE[next(5)] ?? ''} ${next(999_999)} ${text}`,
      metadata,
    });
    sideB.push(record);
    return record;
  };
  const order = (day: number, amountMinor: number, metadata: Record<string, unknown>): EngineRecord => {
    const number = `ORD-${10_000_000 + sideA.length * 7}`;
    const record = engineRecord(sideA.length + 1, {
      day,
      amountMinor,
      description: `Order for ${['Ana', 'Ben', 'Cy', 'Dee'][next(4)] ?? ''}`,
      metadata: { order_id: number, customer: `C${100 + next(orders / 12)}`, ...metadata },
    });
    sideA.push(record);
    return record;
  };
  for (let index = 0; index < orders * 0.8; index += 1) {
    const made = order(DAY + next(DAYS), amount(), {});
    const fee = next(25) === 0 ? 1 + next(50) : 0;
    const number = String(made.metadata['order_id']);
    const paid = pay(made.day + next(4), made.amountMinor - fee, `${number} ACME LTD`, next(10) < 7 ? { reference: number } : {});
    truth.add(separationKey([made.id, paid.id]));
  }
  for (let left = Math.floor(orders * 0.15), batch = 0; left > 0; batch += 1) {
    const day = DAY + next(DAYS);
    const key = `BATCH-${(batch * 7_919 + 46_656).toString(36).toUpperCase()}`;
    const members = Array.from({ length: Math.min(left, 2 + next(20)) }, () => order(day, amount(), { batch_id: key }));
    const sum = members.reduce((total, { amountMinor }) => total + amountMinor, 0);
    const paid = pay(day + next(4), sum, `PAYOUT ${key}`, { batch_ref: key });
    truth.add(separationKey([...members.map(({ id }) => id), paid.id]));
    left -= members.length;
  }
  for (let index = 0; index < orders * 0.05; index += 1) {
    order(DAY + next(DAYS), amount(), {});
    pay(DAY + next(DAYS), amount(), 'TRANSFER', {});
  }
  return { sideA, sideB, truth };
}

/** Returns an input for proposals; by default the signs are the same and nothing is known. */
export function proposalInput(given: Partial<ProposalInput>): ProposalInput {
  return {
    sideA: [],
    sideB: [],
    known: [],
    active: [],
    signConvention: 'same',
    types: UNDECLARED,
    separations: new Set(),
    excludedShapes: new Set(),
    ...given,
  };
}

/** Returns the proposals for an input. */
export function proposed(given: Partial<ProposalInput>): Proposals {
  return present(proposeRules(proposalInput(given), { onProgress: () => {}, isCancelled: () => false }), 'proposals');
}

/** Returns the result of all proposed rules once they are activated. */
export function activated({ proposals }: Proposals, book: Pick<ProposalBook, 'sideA' | 'sideB'>): EngineResult {
  const rules = proposals.map(({ body }, index): EngineRule => ({ ...asRule(body), id: index + 1, priority: index + 1 }));
  return matched({ sideA: book.sideA, sideB: book.sideB, rules });
}

/** Returns the keys of the groups that a result matches for good. */
export function committedKeys({ matches }: EngineResult): string[] {
  return matches.filter(({ status }) => status === 'matched').map(({ aIds, bIds }) => separationKey([...aIds, ...bIds]));
}

/** Returns the lines of a statement as records of the engine; an id is `base` plus the row of the file. */
export function statementRecords(file: string, base: number): EngineRecord[] {
  const unwatched = { onProgress: () => {}, isCancelled: () => false };
  const reading = readStatement(fs.readFileSync(file), { filename: file.replace(/^.*[\\/]/, ''), currency: 'GBP' }, unwatched);
  if (!reading.ok) throw new Error(reading.error.message);
  return reading.value.lines.map(
    ({ row, day, valueDay, amountMinor, direction, currency, decimalPlaces, description, externalId, metadata }) => ({
      id: base + row,
      day,
      valueDay,
      amountMinor,
      direction,
      currency,
      decimalPlaces,
      description,
      externalId,
      metadata,
      streamKey: 'file',
      reference: typeof metadata['reference'] === 'string' && metadata['reference'] !== '' ? metadata['reference'] : null,
    }),
  );
}
