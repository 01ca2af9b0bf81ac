import { describe, expect, it, test } from 'vitest';
import { ruleShape } from '../../../src-main/domain/matching/rules/rule-shape.ts';
import type { Proposals } from '../../../src-main/domain/proposals/types.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { BANK_FILE, expectedGroups, LEDGER_FILE } from '../../fixtures/sample-book.ts';
import { activated, committedKeys, numbers, orderBook, proposed, statementRecords } from '../../support/books/proposal-book.ts';
import { engineRecord, engineRule } from '../../support/inputs/matching-records.ts';

const words = ({ proposals }: Proposals): string[] => proposals.map(({ body }) => body.description ?? '');

function shapeOf({ proposals }: Proposals, index: number): string {
  const body = proposals[index]?.body;
  if (body === undefined) return '';
  return ruleShape({ filters: body.filters, cardinality: body.cardinality, group_by: body.group_by, rollup: null });
}

describe('orders and the payments for them', () => {
  const ORDERS = 1_200;
  const PAID = 0.8 * ORDERS;
  const book = orderBook(ORDERS, 7);
  const found = proposed(book);

  it('are tied by the reference, by the order in the text, and by batches that add up', () => {
    expect(words(found)).toEqual([
      'Order id equals reference, amounts up to 0.50 apart',
      'Order id equals ORD-\\d+ in description, amounts up to 0.50 apart',
      'Several records of side A together, batch id equals batch ref, adding up to the amount',
    ]);
    expect(found.proposals.map(({ confidence }) => confidence)).toEqual(['high', 'high', 'high']);
    expect(found.nothing).toBeNull();
  });

  it('are proposed as rules that can be read and changed', () => {
    expect(found.proposals[1]?.body.filters.rules).toEqual([
      {
        key: 'metadata.order_id',
        value: 'description',
        transforms: { value: [{ name: 'extract', args: { pattern: 'ORD-\\d+' } }] },
      },
      { key: 'signed_amount', value: 'signed_amount', tolerance_amount: 50, tolerance_unit: 'minor' },
    ]);
    expect(found.proposals[2]?.body).toMatchObject({
      cardinality: 'many_to_one',
      group_by: ['metadata.batch_id'],
      rollup: { group_by_kind: 'identifier', many_side: 'a' },
    });
  });

  it('say how much of the sample each ties by itself', () => {
    const [byReference, byText, byBatch] = found.proposals;
    const sampled = book.sideA.length + book.sideB.length;
    expect(found.proposals.map((each) => each.sampled)).toEqual([sampled, sampled, sampled]);
    expect(byText?.matched).toBe(2 * PAID);
    expect(byReference?.matched ?? 0).toBeGreaterThan(2 * 0.65 * PAID);
    expect(byReference?.matched ?? 0).toBeLessThan(2 * 0.75 * PAID);
    expect(byBatch?.matched ?? 0).toBeGreaterThan(0.15 * ORDERS);
  });

  it('are all found once the rules are activated, and no pair is false', () => {
    expect(new Set(committedKeys(activated(found, book)))).toEqual(book.truth);
  });

  it('are not tied by amount and date, which would say no more than chance', () => {
    expect(words(found).filter((each) => each.includes('days apart'))).toEqual([]);
  });

  it('give batches on the other side when the sides are swapped', () => {
    const swapped = { sideA: book.sideB, sideB: book.sideA };
    const back = proposed(swapped);
    expect(words(back)).toEqual([
      'Reference equals order id, amounts up to 0.50 apart',
      'ORD-\\d+ in description equals order id, amounts up to 0.50 apart',
      'Several records of side B together, batch ref equals batch id, adding up to the amount',
    ]);
    expect(new Set(committedKeys(activated(back, swapped)))).toEqual(book.truth);
  });

  it('leave out what is a rule already, what was dismissed, and what running rules tie', () => {
    const excludedShapes = new Set([shapeOf(found, 0)]);
    expect(words(proposed({ ...book, excludedShapes }))).toEqual(words(found).slice(1));
    const active = found.proposals.slice(0, 2).map(({ body }, index) => engineRule(index + 1, body.filters.rules));
    expect(words(proposed({ ...book, active }))).toEqual(words(found).slice(2));
  });
});

describe('deposits whose slip only the ledger names', () => {
  const SLIPS = 40;
  const sideA: EngineRecord[] = [];
  const sideB: EngineRecord[] = [];
  const truth = new Set<string>();
  for (let slip = 0; slip < SLIPS; slip += 1) {
    const amounts = Array.from({ length: 2 + (slip % 5) }, (_, place) => 1_003 + 617 * slip + 97 * place * place);
    const members = amounts.map((amountMinor, place) => {
      const id = 1_000 + 10 * slip + place;
      const description = `Receipt ${id}`;
      return engineRecord(id, { amountMinor, day: 20_600 + slip + (place % 3), description, metadata: { slip: String(401 + slip) } });
    });
    const amountMinor = amounts.reduce((sum, amount) => sum + amount, 0);
    sideA.push(...members);
    sideB.push(engineRecord(1 + slip, { amountMinor, day: 20_603 + slip, description: 'COUNTER DEPOSIT' }));
    truth.add([...members.map(({ id }) => id), 1 + slip].toSorted((left, right) => left - right).join());
  }
  const book = { sideA, sideB };

  it.each([
    ['A', book],
    ['B', { sideA: sideB, sideB: sideA }],
  ])('are proposed as groups of that slip on side %s, and are all found', (side, sides) => {
    const found = proposed(sides);
    expect(words(found)[0]).toBe(`Records of side ${side} with one slip together, adding up to the amount, at most 3 days apart`);
    expect(new Set(committedKeys(activated(found, sides)))).toEqual(truth);
  });

  it('are no rule where the totals of the slips are no deposits', () => {
    const others = sideB.map((record) => ({ ...record, amountMinor: record.amountMinor + 5 }));
    expect(words(proposed({ sideA, sideB: others })).filter((each) => each.includes('slip'))).toEqual([]);
  });
});

describe('the sample book', () => {
  const ledgerIds = 10_000;
  const book = { sideA: statementRecords(LEDGER_FILE, ledgerIds), sideB: statementRecords(BANK_FILE, 0) };
  const found = proposed(book);

  it('is tied by its references first', () => {
    expect(words(found)[0]).toBe('Same reference, same amount');
    expect(found.proposals[0]?.confidence).toBe('high');
  });

  it('has no pair committed that does not stand in the known result', () => {
    const groupOf = new Map<number, number>();
    for (const [index, { bank, ledger }] of expectedGroups.entries()) {
      for (const { row } of bank) groupOf.set(row, index);
      for (const { row } of ledger) groupOf.set(ledgerIds + row, index);
    }
    const keys = committedKeys(activated(found, book));
    expect(keys.length).toBeGreaterThan(150);
    const strangers = keys.filter((key) => new Set(key.split(',').map((id) => groupOf.get(Number(id)))).size !== 1);
    expect(strangers).toEqual([]);
  });

  it('says that the sign convention is wrong where it is, and proposes nothing', () => {
    const contrary = proposed({ ...book, signConvention: 'opposite' });
    expect(contrary.proposals).toEqual([]);
    expect(contrary.nothing).toContain('sign convention');
  });

  it('needs no settled sign convention', () => {
    expect(words(proposed({ ...book, signConvention: 'any' }))).toEqual(words(found));
  });
});

describe('a cash book and its bank statement', () => {
  // Vouchers stand as the details of the bank's lines; one deposit is three receipts, some lines are on one side alone, two differ.
  const receipts: readonly (readonly [string, number, number])[] = [
    ['RCT-0601', 1, 182_050],
    ['DD-RENT', 5, -240_000],
    ['FPO-WAGES', 7, -318_000],
    ['RCT-0608', 8, 214_075],
    ['INV-2026-035', 10, -74_260],
    ['DD-ELEC', 12, -31_890],
    ['RCT-0615', 15, 197_520],
    ['RCT-MILLER', 16, 50_000],
    ['DD-INS', 22, -9_650],
    ['RCT-BARISTA', 23, 12_840],
  ];
  const line = (id: number, [code, day, signed]: readonly [string | null, number, number], side: 'book' | 'bank'): EngineRecord =>
    engineRecord(id, {
      day: 20_604 + day,
      amountMinor: Math.abs(signed),
      direction: signed < 0 ? 'debit' : 'credit',
      description: side === 'book' ? `Entry of day ${day}` : code,
      metadata: side === 'book' && code !== null ? { voucher: code } : {},
    });
  const inBookAlone = [
    ['TRF-5567', 25, -100_000],
    ['RCT-W1', 27, 30_000],
    ['RCT-W2', 28, 25_000],
    ['RCT-W3', 29, 35_000],
  ] as const;
  const inBankAlone = [
    ['TRF-998812', 25, -100_000],
    ['DEP-0629', 29, 90_000],
    ['CHG-Q2', 3, -3_000],
    ['INT-JUN', 30, 1_215],
  ] as const;
  const transposed = { book: ['INV-2214', 20, -89_100] as const, bank: ['INV-2214', 20, -81_900] as const };
  const sideA = [...receipts, ...inBookAlone, transposed.book].map((each, index) => line(index + 1, each, 'book'));
  const sideB = [...receipts, ...inBankAlone, transposed.bank].map((each, index) => line(index + 101, each, 'bank'));

  it('are tied by the voucher, and by nothing that would hide a difference or tie lines whose vouchers differ', () => {
    const found = proposed({ sideA, sideB });
    expect(words(found)).toEqual(['Voucher equals description, same amount']);
    const keys = committedKeys(activated(found, { sideA, sideB }));
    expect(keys.toSorted()).toEqual(receipts.map((_, index) => `${index + 1},${index + 101}`).toSorted());
  });
});

/** Pairs that lie within two days of each other, with amounts of their own. */
function pairs(count: number, a: (index: number) => Partial<EngineRecord>, b: (index: number) => Partial<EngineRecord>) {
  const next = numbers(count);
  const sideA: EngineRecord[] = [];
  const sideB: EngineRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const amountMinor = 1_000 + next(9_000_000);
    const day = 20_000 + next(300);
    sideA.push(engineRecord(index + 1, { day, amountMinor, ...a(index) }));
    sideB.push(engineRecord(100_000 + index, { day: day + next(3), amountMinor, ...b(index) }));
  }
  return { sideA, sideB };
}

describe('what ties records', () => {
  it('is found after transforms: other case, other signs, leading zeros', () => {
    const codes = pairs(
      60,
      (index) => ({ externalId: `ab-${1_000 + index * 7}` }),
      (index) => ({ reference: `AB ${1_000 + index * 7}` }),
    );
    expect(proposed(codes).proposals[0]?.body.filters.rules[0]).toMatchObject({
      transforms: { key: ['alphanumeric_only', 'uppercase'], value: ['alphanumeric_only', 'uppercase'] },
    });
    const zeros = pairs(
      60,
      (index) => ({ externalId: `000${1_000 + index * 7}` }),
      (index) => ({ reference: `${1_000 + index * 7}` }),
    );
    expect(proposed(zeros).proposals[0]?.body.filters.rules[0]).toMatchObject({
      transforms: { key: ['digits_only', 'strip_leading_zeros'], value: ['digits_only', 'strip_leading_zeros'] },
    });
  });

  it('is found behind a word inside a text', () => {
    const book = pairs(
      80,
      (index) => ({ reference: `${40_000 + index * 13}` }),
      (index) => ({ description: `Payment 20${index} invoice no. ${40_000 + index * 13} thank you` }),
    );
    const found = proposed(book);
    expect(found.proposals[0]?.matched).toBe(160);
    expect(JSON.stringify(found.proposals[0]?.body.filters)).toContain('extract');
  });

  it('is found by `contains` where no pattern finds it', () => {
    const names = (index: number): string =>
      `${['Q7', 'zz9x', '5-KL', 'm/8', 'T.3a', '77b', 'x1-y2', 'A/1/b'][index % 8] ?? ''}${index * 37}w`;
    const book = pairs(
      64,
      (index) => ({ description: `thanks ${names(index)} and ${names((index * 5 + 1_000) % 5_000)} done` }),
      (index) => ({ reference: names(index) }),
    );
    expect(words(proposed(book))[0]).toBe('Description contains reference, same amount');
  });

  it('are opposite signs under `any`, by a rule that says so', () => {
    const book = pairs(
      40,
      (index) => ({ reference: `R${index * 3}`, direction: 'credit' }),
      (index) => ({ reference: `R${index * 3}`, direction: 'debit' }),
    );
    const found = proposed({ ...book, signConvention: 'any' });
    expect(found.proposals[0]?.body.filters.rules[1]).toEqual({
      key: 'signed_amount',
      value: 'signed_amount',
      transforms: { value: 'negate' },
    });
    expect(found.proposals[0]?.matched).toBe(80);
  });

  it('is a fee in percent where differences grow with the amounts', () => {
    const plain = pairs(
      80,
      (index) => ({ reference: `R${index * 3}` }),
      (index) => ({ reference: `R${index * 3}` }),
    );
    const sideB = plain.sideB.map((record) => ({ ...record, amountMinor: record.amountMinor - Math.round(record.amountMinor * 0.029) }));
    expect(proposed({ ...plain, sideB }).proposals[0]?.body.filters.rules[1]).toMatchObject({ tolerance_unit: 'percent' });
  });

  it('is the amount and the date where nothing else is there, and only while that says more than chance', () => {
    const none = (): Partial<EngineRecord> => ({});
    const found = proposed(pairs(200, none, none));
    expect(words(found)).toEqual(['Same amount, at most 2 days apart']);
    expect(found.proposals[0]?.body).toMatchObject({ outcome: 'match', commit_certainty: ['unique'] });
    const next = numbers(3);
    const priced = (): Partial<EngineRecord> => ({ amountMinor: 500 + next(3), day: 20_000 + next(300) });
    expect(proposed(pairs(300, priced, priced)).proposals).toEqual([]);
  });

  it('are days that add up', () => {
    const next = numbers(11);
    const sideA: EngineRecord[] = [];
    const sideB: EngineRecord[] = [];
    for (let day = 20_000; day < 20_120; day += 1) {
      let sum = 0;
      for (let sale = 0; sale < 6; sale += 1) {
        const amountMinor = 100 + next(90_000);
        sum += amountMinor;
        sideA.push(engineRecord(sideA.length + 1, { day, amountMinor }));
      }
      sideB.push(engineRecord(50_000 + day, { day: day + 1, amountMinor: sum }));
    }
    const found = proposed({ sideA, sideB });
    expect(found.proposals.map(({ body }) => body.group_by)).toEqual([['date']]);
    expect(found.proposals[0]?.matched).toBe(sideA.length + sideB.length);
  });
});

describe('what people matched', () => {
  const fees = pairs(
    120,
    (index) => ({ description: `Shop ${index % 40}` }),
    (index) => ({ description: `SHOP, ${index % 40}` }),
  );
  // A third of the amounts are off by up to 8 %, which no tolerance from data alone would allow.
  const sideB = fees.sideB.map((record, index) => ({
    ...record,
    amountMinor: record.amountMinor - Math.floor((record.amountMinor * (index % 9)) / 100),
  }));
  const known = fees.sideA.slice(0, 30).map(({ id }, index) => ({ aIds: [id], bIds: [sideB[index]?.id ?? 0] }));

  it('becomes a rule: what the pairs have in common, how far their amounts and days lie apart', () => {
    const found = proposed({ sideA: fees.sideA, sideB, known });
    const learned = found.proposals.find(({ body }) => body.description?.includes('learnt'));
    expect(learned?.body.description).toMatch(/learnt from \d+ matches made by people/);
    expect(JSON.stringify(learned?.body.filters)).toContain('percent');
    const truth = new Map(fees.sideA.map(({ id }, index) => [`${id},${sideB[index]?.id ?? 0}`, true]));
    const keys = committedKeys(activated(found, { sideA: fees.sideA, sideB }));
    expect(keys.filter((key) => !truth.has(key))).toEqual([]);
  });

  it('keeps a rule that contradicts it from counting at once', () => {
    const book = pairs(
      40,
      (index) => ({ reference: `R${index * 3}`, amountMinor: 5_000, day: 20_000 }),
      (index) => ({ reference: `R${index * 3}`, amountMinor: 5_000, day: 20_000 }),
    );
    const crossed = book.sideA.slice(0, 10).map(({ id }, index) => ({ aIds: [id], bIds: [book.sideB[(index + 1) % 10]?.id ?? 0] }));
    const counting = proposed({ ...book, known: crossed }).proposals.filter(({ body }) => body.outcome === 'match');
    expect(counting.filter(({ body }) => JSON.stringify(body.filters.rules[0]).includes('reference'))).toEqual([]);
  });
});

describe('found once: chance of few pairs', () => {
  // A rule by amount and days tied three pairs of 490, all of them false. Days turned round once showed no pair by chance, so it was proposed to commit what it ties.
  test('few pairs by amount and days are not committed, since nothing shows how many of them are chance', () => {
    const book = orderBook(600, 22_074);
    const keys = committedKeys(activated(proposed(book), book));
    expect(keys.length).toBeGreaterThan(450);
    expect(keys.filter((key) => !book.truth.has(key))).toEqual([]);
  });
});
