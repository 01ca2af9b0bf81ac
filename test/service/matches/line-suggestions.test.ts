import { describe, expect, test } from 'vitest';
import { BY_AMOUNT_PROPOSED, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import type { RuleBody } from '../../../src-shared/contract/index.ts';

type Convention = 'any' | 'same' | 'opposite';

async function bookOf(a: readonly LineInput[], b: readonly LineInput[], convention: Convention = 'same', rules: readonly RuleBody[] = []) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, { a, b }, rules, convention);
  const asked = (id: number | undefined) => ({ reconciliation_id: pair.reconciliation.id, record_id: id ?? 0 });
  const suggest = async (id: number | undefined) => (await book.client.get('matches.suggest', asked(id))).suggestions;
  return { ...book, ...pair, asked, suggest };
}

type Suggested = Awaited<ReturnType<Awaited<ReturnType<typeof bookOf>>['suggest']>>[number] | undefined;

const idsOf = (found: Suggested) => found?.records.map(({ id }) => id).toSorted((left, right) => left - right) ?? [];
const wordsOf = (found: Suggested) => found?.reasons.map(({ words }) => words) ?? [];

/** Receipts of two deposit slips and others, of which some add up to the first deposit by chance. */
const RECEIPTS: readonly LineInput[] = [
  { amount: 4_179, date: '2026-06-09', description: 'Cheque Underhollow Press', metadata: { slip: 'DEP-0612' } },
  { amount: 7_969, date: '2026-06-10', description: 'Cheque Yarrowgate Vets', metadata: { slip: 'DEP-0612' } },
  { amount: 4_710, date: '2026-06-11', description: 'Cheque Jessopmead Florists', metadata: { slip: 'DEP-0612' } },
  { amount: 24_320, date: '2026-06-12', description: 'Cheque Yarrowgate Vets', metadata: { slip: 'DEP-0612' } },
  { amount: 20_000, date: '2026-06-12', description: 'Kilnmarsh Ceramics', metadata: { slip: 'DEP-0619' } },
  { amount: 21_178, date: '2026-06-12', description: 'Oakfurrow Joinery', metadata: { slip: 'DEP-0619' } },
  { amount: 1_000, date: '2026-06-12', description: 'Ivorstoke Envelopes', metadata: { slip: 'DEP-0619' } },
];

const slipOf = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('suggestions beside a line', () => {
  test.each([
    ['carries the number of its slip', 'COUNTER DEPOSIT DEP-0612'],
    ['does not', 'COUNTER DEPOSIT'],
  ])('a deposit that %s comes to the receipts of its slip before any chance sum', async (_, description) => {
    const { suggest, aIds, bIds } = await bookOf(RECEIPTS, [{ amount: 41_178, date: '2026-06-12', description }]);
    const [first, second] = await suggest(bIds[0]);
    expect(idsOf(first)).toEqual(slipOf(4).map((index) => aIds[index]));
    expect(first).toMatchObject({ kind: 'group', strength: 'strong', difference: 0, match_id: null });
    expect(wordsOf(first).join('. ')).toContain('DEP-0612');
    expect(idsOf(second)).toEqual([aIds[4], aIds[5]]);
    expect(second).toMatchObject({ strength: 'weak' });
  });

  test('a receipt comes to its deposit with the other receipts of the slip, side A first', async () => {
    const { suggest, aIds, bIds } = await bookOf(RECEIPTS, [{ amount: 41_178, date: '2026-06-12', description: 'COUNTER DEPOSIT' }]);
    const [first] = await suggest(aIds[1]);
    expect(first).toMatchObject({ kind: 'group', strength: 'strong', difference: 0 });
    expect(first?.records.map(({ side, id }) => [side, id])).toEqual([
      ['a', aIds[0]],
      ['a', aIds[2]],
      ['a', aIds[3]],
      ['b', bIds[0]],
    ]);
  });

  test('a group that shares a reference comes although its sum is only near, and says by how much', async () => {
    const { suggest, aIds, bIds } = await bookOf(RECEIPTS, [{ amount: 41_000, date: '2026-06-12', description: 'DEPOSIT DEP-0612' }]);
    const [first] = await suggest(bIds[0]);
    expect(idsOf(first)).toEqual(slipOf(4).map((index) => aIds[index]));
    expect(first).toMatchObject({ strength: 'fair', difference: 178 });
    expect(first?.reasons).toContainEqual({ kind: 'amount', strength: 'against', words: 'The amounts differ by 1.78' });
  });

  test('an exact part of the lines of a reference comes before all of them', async () => {
    const { suggest, aIds, bIds } = await bookOf(RECEIPTS, [{ amount: 36_999, date: '2026-06-12', description: 'DEPOSIT DEP-0612' }]);
    const [first, second] = await suggest(bIds[0]);
    expect(idsOf(first)).toEqual([1, 2, 3].map((index) => aIds[index]));
    expect(first?.difference).toBe(0);
    expect(idsOf(second)).toEqual(slipOf(4).map((index) => aIds[index]));
  });

  test('the invoices of one party come to a payment of the party', async () => {
    const invoices: readonly LineInput[] = [
      { amount: -30_000, date: '2026-06-02', description: 'Nettlecress Dental invoice' },
      { amount: -12_345, date: '2026-06-05', description: 'Nettlecress Dental invoice' },
      { amount: -42_000, date: '2026-06-05', description: 'Dovelatch Packaging' },
      { amount: -345, date: '2026-06-05', description: 'Plumstile Textiles' },
    ];
    const { suggest, aIds, bIds } = await bookOf(invoices, [{ amount: -42_345, date: '2026-06-07', description: 'NETTLECRESS DENTAL' }]);
    const [first, second] = await suggest(bIds[0]);
    expect(idsOf(first)).toEqual([aIds[0], aIds[1]]);
    expect(first).toMatchObject({ strength: 'strong' });
    expect(wordsOf(first)).toContain('Same party: NETTLECRESS DENTAL');
    expect(idsOf(second)).toEqual([aIds[2], aIds[3]]);
  });

  test('single lines come by what they have in common: reference, party, amount, days', async () => {
    const { suggest, aIds, bIds } = await bookOf(
      [
        { amount: 10_000, date: '2026-06-10', description: 'Fennimoor Garage' },
        { amount: 10_000, date: '2026-06-20', description: 'Larkspindle Crafts INV-26104' },
        { amount: 9_999, date: '2026-06-10', description: 'Fennimoor Garage' },
        { amount: 10_000, date: '2026-05-01', description: 'Saltmarrow Boats' },
        { amount: 777, date: '2026-06-10', description: 'Otters' },
      ],
      [{ amount: 10_000, date: '2026-06-10', description: 'LARKSPINDLE INV-26104' }],
    );
    const found = await suggest(bIds[0]);
    expect(found.map((each) => idsOf(each)[0])).toEqual([aIds[1], aIds[0], aIds[3]]);
    expect(found.map(({ strength }) => strength)).toEqual(['strong', 'fair', 'weak']);
    expect(wordsOf(found[0])).toEqual(expect.arrayContaining(['Same reference: INV-26104', 'Same amount, 100.00', '10 days apart']));
  });

  const conventions: readonly (readonly [Convention, number, number])[] = [
    ['same', 500, 500],
    ['opposite', 500, -500],
    ['any', 500, -500],
  ];
  test.each(conventions)('signs under %s', async (convention, own, other) => {
    const { suggest, aIds, bIds } = await bookOf([{ amount: own }], [{ amount: other }, { amount: 77 }], convention);
    expect((await suggest(aIds[0])).map(idsOf)).toEqual([[bIds[0]]]);
    expect((await suggest(bIds[0])).map(idsOf)).toEqual([[aIds[0]]]);
  });

  test('a proposal comes first with its match, and a pair that was rejected not at all', async () => {
    const lines = [{ amount: 500, description: 'Rent' }];
    const { suggest, client, run, reconciliation, aIds, bIds } = await bookOf(lines, lines, 'same', [BY_AMOUNT_PROPOSED]);
    await run(reconciliation.id);
    const [first, ...more] = await suggest(aIds[0]);
    expect(more).toEqual([]);
    expect(idsOf(first)).toEqual([bIds[0]]);
    expect(first?.kind).toBe('proposal');
    expect(wordsOf(first)[0]).toBe('Proposed by a rule');
    await client.get('matches.remove', { id: first?.match_id ?? 0 });
    expect(await suggest(aIds[0])).toEqual([]);
  });

  test('lines that are matched, of another currency or of no side are no candidates, and are refused', async () => {
    const { suggest, client, asked, reconciliation, aIds, bIds } = await bookOf(
      [{ amount: 500 }, { amount: 500 }, { amount: 500, currency: 'EUR' }],
      [{ amount: 500 }, { amount: 500 }],
    );
    await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[0] ?? 0] });
    expect((await suggest(bIds[1])).map(idsOf)).toEqual([[aIds[1]]]);
    expect(await client.refusal('matches.suggest', asked(bIds[0]))).toMatchObject({ code: 'records_not_matchable' });
    expect(await client.refusal('matches.suggest', asked(999))).toMatchObject({ code: 'records_not_matchable' });
    expect(await client.refusal('matches.suggest', { ...asked(bIds[1]), reconciliation_id: 99 })).toMatchObject({ code: 'not_found' });
  });

  test('far away the amount and the reference find what no day does', async () => {
    const { suggest, aIds, bIds } = await bookOf(
      [
        { amount: 12_300, date: '2026-01-05', description: 'Instalment PO-8402' },
        { amount: 45_600, date: '2026-01-06', description: 'Annual fee' },
        { amount: 1, date: '2026-01-06', description: 'Annual fee' },
      ],
      [
        { amount: 12_000, date: '2026-06-10', description: 'KILNMARSH PO-8402' },
        { amount: 45_600, date: '2026-06-10', description: 'FEE OF THE YEAR' },
      ],
    );
    expect((await suggest(bIds[1])).map(idsOf)).toEqual([[aIds[1]]]);
    expect((await suggest(bIds[0])).map(idsOf)).toEqual([[aIds[0]]]);
  });

  test('what a closed period would refuse is no suggestion', async () => {
    const { suggest, client, reconciliation, aIds, bIds } = await bookOf(
      [
        { amount: 500, date: '2026-06-10' },
        { amount: 500, date: '2026-07-02' },
      ],
      [{ amount: 500, date: '2026-06-10' }],
    );
    expect((await suggest(bIds[0])).map(idsOf)).toEqual([[aIds[0]], [aIds[1]]]);
    const { id } = await client.get('periods.create', { reconciliation_id: reconciliation.id, from: '2026-06-01', to: '2026-06-30' });
    await client.get('periods.prepare', { id, by: 'Ann Ash' });
    await client.get('periods.review', { id, by: 'Bob Birch' });
    await client.get('periods.close', { id, by: 'Bob Birch', unexplained_reason: 'No balance is stated' });
    expect((await suggest(bIds[0])).map(idsOf)).toEqual([[aIds[1]]]);
  });

  test('the lines of any order give the same suggestions', async () => {
    const deposit: readonly LineInput[] = [{ amount: 41_178, date: '2026-06-12', description: 'COUNTER DEPOSIT' }];
    const told = async (receipts: readonly LineInput[]) => {
      const { suggest, bIds } = await bookOf(receipts, deposit);
      return (await suggest(bIds[0])).map(({ records, reasons, strength }) => [
        records.map(({ amount }) => amount).toSorted(),
        reasons,
        strength,
      ]);
    };
    expect(await told(RECEIPTS.toReversed())).toEqual(await told(RECEIPTS));
  });

  test('of many lines the nearest are looked at, with those of the same amount, and the answer says so', async () => {
    const { client, database, asked, bIds } = await bookOf([{ amount: 100 }], [{ amount: 40_000, date: '2026-06-10' }]);
    database.connection.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, metadata, dedupe_key, created_at)
      SELECT 1, 1, 20614 + i % 3, 20 * i, 1, 'USD', 2, '{}', 'x' || i, 0 FROM n`);
    const found = await client.get('matches.suggest', asked(bIds[0]));
    expect(found.searched).toMatchObject([
      { side: 'a', candidates: 2001, is_cut: true },
      { side: 'b', candidates: 0, is_cut: false },
    ]);
    expect(found.suggestions[0]).toMatchObject({ kind: 'line', difference: 0 });
  });
});
