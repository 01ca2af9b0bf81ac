import { describe, expect, test } from 'vitest';
import { newestLearned } from '../../../src-main/rules/store/evidence.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { addLines, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const BUYERS = ['Miller', 'Baxter', 'Keller', 'Santos', 'Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Novak', 'Rossi', 'Haddad', 'Walsh'];
const PASSING = ['Zimmermann', 'Abernathy', 'Castellano', 'Ferreira', 'Hawthorne'];
const OTHERS = 56;
const NAMES = { a: 'SWIFT LOGISTICS', b: 'J MARLOWE' };
const TIED = `"J MARLOWE" stands for "SWIFT LOGISTICS": tied 3 times by people`;

const dateOf = (day: number): string => `2026-0${Math.floor(day / 28) + 3}-${String((day % 28) + 1).padStart(2, '0')}`;

/** Invoices that are paid with their number, by whom they were written to. */
const others = (side: 'a' | 'b'): LineInput[] =>
  Array.from({ length: OTHERS }, (_, index) => ({
    amount: 10_007 + index * 1_313,
    date: dateOf(index + (side === 'a' ? 0 : 1 + (index % 4))),
    description: `${BUYERS[index % BUYERS.length] ?? ''} INV-${4_100 + index * 7}`,
  }));

/** Bills of a customer that J Marlowe pays; somebody who owes nothing pays as much on the same day, so that only a name can tell. */
function bill(number: number): { readonly a: LineInput; readonly b: LineInput[] } {
  const amount = 90_017 + number * 2_741;
  const paid = dateOf(number * 11 + 3);
  return {
    a: { amount, date: dateOf(number * 11 + 1), description: 'Swift Logistics' },
    b: [
      { amount, date: paid, description: 'J MARLOWE' },
      { amount, date: paid, description: PASSING[number] ?? '' },
    ],
  };
}

async function marlowe() {
  const book = openQuietBook();
  const bills = [0, 1, 2, 3].map(bill);
  const lines = { a: [...others('a'), ...bills.map(({ a }) => a)], b: [...others('b'), ...bills.flatMap(({ b }) => b)] };
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, lines, presetRules('evidence'));
  const { id } = reconciliation;
  const { client } = book;
  const pairOf = (number: number): [number, number] => [aIds[OTHERS + number] ?? 0, bIds[OTHERS + 2 * number] ?? 0];
  const tie = (number: number) => client.get('matches.create', { reconciliation_id: id, record_ids: pairOf(number) });
  /** The match that holds a record, and the sentence about its names. */
  const matchOf = async (recordId: number) => {
    const { data } = await client.get('matches.list', { reconciliation_id: id, limit: 100 });
    for (const match of data) {
      const records = await client.get('records.list', { reconciliation_match_id: match.id });
      const ids = records.data.map((record) => record.id).toSorted((left, right) => left - right);
      if (ids.includes(recordId)) return { ids, status: match.status, text: match.evidence.find(({ field }) => field === 'text')?.words };
    }
    return null;
  };
  const aliases = async () => (await client.get('evidence.get', { id })).learned?.aliases;
  return { ...book, id, pairOf, tie, matchOf, aliases };
}

describe('names that a person matches three times', () => {
  test('match the fourth pair in the next run, are listed with their matches, and have no weight while they are removed', async () => {
    const { client, run, id, pairOf, tie, matchOf, aliases, database } = await marlowe();
    await run(id);
    const [fourth] = pairOf(3);
    expect((await matchOf(fourth))?.status).not.toBe('matched');
    for (const number of [0, 1]) await tie(number);
    await run(id);
    expect(await aliases()).toEqual([]);
    expect((await matchOf(fourth))?.status).not.toBe('matched');
    await tie(2);
    await run(id);
    expect(await matchOf(fourth)).toMatchObject({ ids: pairOf(3), status: 'matched', text: expect.stringContaining(TIED) });
    const matches = [0, 1, 2].map(pairOf).map(([a, b]) => ({ a_record_id: a, b_record_id: b }));
    expect(await aliases()).toEqual([{ ...NAMES, matches }]);
    const words = (await client.get('evidence.get', { id })).learned?.words;
    const from = (await client.get('evidence.get', { id })).learned?.lags.map((bin) => bin.from_day) ?? [];
    expect(from.length).toBeGreaterThan(2);
    expect(from).toEqual(from.toSorted((one, other) => one - other));
    expect(words?.at(-1)).toBe('One pair of names was tied by people often enough to count as the same.');

    const version = newestLearned(database, id)?.version;
    const fifth = bill(4);
    const [added] = await addLines(client, 'ledger', [fifth.a]);
    const [paid] = await addLines(client, 'bank', fifth.b);
    const [aId, bId] = [added?.id ?? 0, paid?.id ?? 0];
    await client.get('evidence.remove_alias', { id, ...NAMES });
    expect(await aliases()).toEqual([]);
    expect((await client.get('evidence.get', { id })).learned?.words).toEqual(words?.slice(0, -1));
    await run(id);
    const without = await matchOf(aId);
    expect(without?.status).not.toBe('matched');
    expect(without?.text ?? '').not.toContain('stands for');
    // What was learned is used again, and yet the names are two.
    expect(newestLearned(database, id)?.version).toBe(version);
    // What was committed stays, and says what it was committed for.
    expect(await matchOf(fourth)).toMatchObject({ status: 'matched', text: expect.stringContaining(TIED) });

    await client.get('evidence.restore_alias', { id, ...NAMES });
    expect(await aliases()).toEqual([{ ...NAMES, matches }]);
    await run(id);
    expect(await matchOf(aId)).toMatchObject({ ids: [aId, bId], status: 'matched', text: expect.stringContaining(TIED) });
    expect(newestLearned(database, id)?.version).toBe(version);
  });

  test('are separate again once a person separates one of the three matches', async () => {
    const { client, run, id, tie, aliases } = await marlowe();
    const tied = [await tie(0), await tie(1), await tie(2)];
    await run(id);
    expect(await aliases()).toMatchObject([NAMES]);
    await client.get('matches.remove', { id: tied[1]?.id ?? 0 });
    await run(id);
    expect(await aliases()).toEqual([]);
  });

  test('stay removed when the model is learned again', async () => {
    const { client, run, id, tie, matchOf, pairOf, aliases } = await marlowe();
    for (const number of [0, 1, 2]) await tie(number);
    await client.get('evidence.remove_alias', { id, ...NAMES });
    await run(id);
    await client.get('evidence.relearn', { id });
    await run(id);
    expect(await aliases()).toEqual([]);
    expect((await matchOf(pairOf(3)[0]))?.status).not.toBe('matched');
    await client.get('evidence.restore_alias', { id, ...NAMES });
    await run(id);
    expect(await aliases()).toMatchObject([NAMES]);
    expect((await matchOf(pairOf(3)[0]))?.status).toBe('matched');
  });
});
