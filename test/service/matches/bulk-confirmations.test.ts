import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { addLines, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const byInvoice = (description: string, key: string): RuleBody => ({
  description,
  outcome: 'propose',
  filters: { rules: [{ key: `metadata.${key}`, value: `metadata.${key}`, operand: 'eq' }] },
});

/** Makes a book with one proposal for each difference; every third one is found by the second rule. */
async function proposedBook(differences: readonly number[]) {
  const book = openQuietBook();
  const line = (at: number, less: number) => ({
    amount: 10_000 + at * 1_000 - less,
    date: '2026-06-10',
    description: `Invoice ${at}`,
    metadata: { [at % 3 === 2 ? 'order' : 'invoice']: `INV-${at}` },
  });
  const lines = { a: differences.map((_, at) => line(at, 0)), b: differences.map((less, at) => line(at, less)) };
  const pair = await setUpPair(book.client, lines, [byInvoice('By invoice', 'invoice'), byInvoice('By order', 'order')]);
  const { id } = pair.reconciliation;
  await book.run(id);
  const listed = async (status: 'proposed' | 'matched') =>
    (await book.client.get('matches.list', { reconciliation_id: id, status, limit: 100 })).data.toSorted((one, other) => one.id - other.id);
  return { ...book, ...pair, id, listed };
}

const BANK_CHARGE = { create_adjustment: true, difference_reason: { code: 'bank_charge', note: 'Fees of June' } } as const;

describe('proposals confirmed together', () => {
  test('are exactly those that are chosen by difference and rule; undo makes them the proposals that they were', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -80, max: 80 }), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 1, max: 80 }),
        fc.constantFrom(undefined, 1, 2),
        async (differences, most, rule) => {
          const { client, id, listed } = await proposedBook(differences);
          const before = await listed('proposed');
          expect(before).toHaveLength(differences.length);
          const choice = { id, most_difference: most, ...(rule === undefined ? {} : { rule_id: rule }) };
          const chosen = before.filter(
            (match) => Math.abs(match.difference) <= most && (rule === undefined || match.reconciliation_rule_id === rule),
          );
          const differing = chosen.filter(({ difference }) => difference !== 0).length;
          const figures = { count: chosen.length, differing, rated: 0, expected_wrong: 0 };
          expect(await client.get('confirmations.expect', choice)).toEqual(figures);
          const done = await client.get('confirmations.create', { ...choice, ...BANK_CHARGE });
          expect(done).toMatchObject({ ...figures, is_more: false });
          const matched = await listed('matched');
          expect(matched.map((match) => match.id)).toEqual(chosen.map((match) => match.id));
          for (const [at, match] of matched.entries()) {
            const had = chosen[at]?.difference !== 0;
            expect(match).toMatchObject({ difference: 0, confirmed_in_bulk: true });
            expect(match.adjustment_record_id !== null).toBe(had);
            expect(match.difference_reason).toEqual(had ? BANK_CHARGE.difference_reason : null);
          }
          if (done.count === 0) return;
          expect(await client.get('confirmations.undo', { id, match_ids: done.match_ids })).toEqual({ count: done.count });
          expect(await listed('proposed')).toEqual(before);
        },
      ),
      { numRuns: 6 },
    );
  });

  test('are only those that are selected, where some are', async () => {
    const { client, id, listed } = await proposedBook([0, 30, 0, 0]);
    const proposed = await listed('proposed');
    const [first, second, left] = proposed.filter(({ difference }) => difference === 0);
    const differing = proposed.find(({ difference }) => difference !== 0);
    const match_ids = [first, differing, second].map((match) => String(match?.id));
    const done = await client.get('confirmations.create', { id, match_ids });
    // The one with a difference was selected, and yet no difference was allowed.
    expect([done.count, done.match_ids.toSorted()]).toEqual([2, [first?.id, second?.id].toSorted()]);
    expect((await listed('proposed')).map((match) => match.id)).toEqual([differing?.id, left?.id].toSorted());
  });

  test('say in the audit log which differences were adjusted, and why', async () => {
    const { client, id, database } = await proposedBook([0, 30, 90]);
    await client.get('confirmations.create', { id, most_difference: 50, ...BANK_CHARGE });
    expect(auditEntries(database, 'matches.confirmed_in_bulk')).toMatchObject([
      { detail: { most_difference: 50, adjusted: true, difference_reason: BANK_CHARGE.difference_reason } },
    ]);
  });

  test('are refused a reason where no difference is chosen', async () => {
    const { client, id, listed } = await proposedBook([0, 30]);
    expect(await client.refusal('confirmations.create', { id, ...BANK_CHARGE })).toMatchObject({ code: 'validation_failed' });
    expect(await listed('matched')).toEqual([]);
  });
});

describe('proposals rejected together', () => {
  test('are exactly those that a search finds and that are selected; they stay apart until one undo brings them back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -80, max: 80 }), { minLength: 1, maxLength: 9 }),
        fc.constantFrom<readonly [string, (match: { difference: number; reconciliation_rule_id: number | null }) => boolean]>(
          ['', () => true],
          ['difference:<=0.40', ({ difference }) => Math.abs(difference) <= 40],
          ['difference:>0', ({ difference }) => difference !== 0],
          ['rule:"By order"', (match) => match.reconciliation_rule_id === 2],
          ['rule:1 likely:unknown', (match) => match.reconciliation_rule_id === 1],
          ['likely:>=50', () => false],
          ['by:hand', () => false],
          ['by:rule >1 Invoice', () => true],
        ),
        fc.boolean(),
        async ([...differences], [search, fits], isSelected) => {
          const { client, id, listed, run } = await proposedBook(differences);
          const before = await listed('proposed');
          const selected = before.filter((_, at) => !isSelected || at % 2 === 0);
          const chosen = selected.filter(fits).map((match) => match.id);
          const window = await client.get('matches.window', { reconciliation_id: id, status: 'proposed', search });
          expect(window.data.map(({ match }) => match.id).toSorted((one, other) => one - other)).toEqual(
            before.filter(fits).map((match) => match.id),
          );
          expect(window.total_count).toBe(before.filter(fits).length);
          const ids = isSelected ? { match_ids: selected.map((match) => String(match.id)) } : {};
          const done = await client.get('rejections.create', { id, search, ...ids });
          expect(done).toMatchObject({ count: chosen.length, is_more: false });
          expect(done.match_ids.toSorted((one, other) => one - other)).toEqual(chosen);
          await run(id);
          expect(await listed('proposed')).toHaveLength(before.length - chosen.length);
          if (chosen.length === 0 || chosen.length < before.length) return;
          expect(await client.get('rejections.undo', { id, match_ids: done.match_ids })).toEqual({ count: done.count });
          expect((await listed('proposed')).map((match) => match.id)).toEqual(chosen);
        },
      ),
      { numRuns: 12 },
    );
  });

  test.each(['confirmations.create', 'rejections.create'] as const)(
    'found once: %s, done again, decided a proposal that a run had found since',
    async (decide) => {
      const { client, id, listed, run } = await proposedBook([0, 0]);
      await client.get(decide, { id, search: '' });
      await client.get('undo.take_back', {});
      // A run finds the same proposals anew, and another one.
      const later = { amount: 77_000, metadata: { invoice: 'INV-LATER' } };
      for (const stream of ['ledger', 'bank']) await addLines(client, stream, [later]);
      await run(id);
      const since = await listed('proposed');
      expect(since).toHaveLength(3);
      expect(await client.refusal('undo.redo', {})).toMatchObject({
        code: 'changed_since',
        message: expect.stringContaining('Nothing of it is left to change.'),
      });
      expect(await listed('proposed')).toEqual(since);
    },
  );

  test('come back all or not at all', async () => {
    const { client, id, aIds, bIds, listed } = await proposedBook([0, 0, 0]);
    const { match_ids } = await client.get('rejections.create', { id, search: '' });
    await client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[1] ?? 0, bIds[1] ?? 0] });
    expect(await client.refusal('rejections.undo', { id, match_ids })).toMatchObject({ code: 'records_not_matchable' });
    expect(await listed('proposed')).toEqual([]);
  });
});

test('a search of matches finds those of which one line meets all terms, with the sums of both sides', async () => {
  const { client, id } = await proposedBook([0, 30, 0]);
  const found = await client.get('matches.window', { reconciliation_id: id, status: 'proposed', search: '110.00 "Invoice 1"' });
  expect(found.total_count).toBe(1);
  expect(found.totals.map(({ side, net, records }) => [side, net, records])).toEqual([
    ['a', 11_000, 1],
    ['b', 10_970, 1],
  ]);
  const nothing = await client.get('matches.window', { reconciliation_id: id, status: 'proposed', search: '110.00 "Invoice 2"' });
  expect(nothing).toMatchObject({ total_count: 0, totals: [] });
  const expected = await client.get('confirmations.expect', { id, search: 'difference:<=0.50', most_difference: 50 });
  expect(expected).toMatchObject({ count: 3, differing: 1 });
});
