import { describe, expect, test } from 'vitest';
import { newestLearned } from '../../../src-main/rules/store/evidence.ts';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { addLines, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const NAMES = ['Miller', 'Baxter', 'Keller', 'Santos', 'Okafor', 'Lindqvist', 'Moreau', 'Tanaka', 'Novak', 'Rossi'];
const DAYS = 28;
/** So many invoices are named by their number on both sides: what a small book makes certain. */
const NUMBERED = 10;

/** Invoices and their payments a day or two later: the name on both sides, the number of the invoice on both sides of the first ten. */
function invoices(count: number): { readonly a: LineInput[]; readonly b: LineInput[] } {
  const of = (index: number): LineInput => ({
    amount: 10_007 + index * 1_313,
    date: `2026-06-${String((index % (DAYS - 2)) + 1).padStart(2, '0')}`,
    description: `${NAMES[index % NAMES.length] ?? ''} invoice`,
    external_id: `a${index}`,
    metadata: { invoice: index < NUMBERED ? `INV-${4_100 + index * 7}` : '' },
  });
  const paid = (index: number): LineInput => ({
    ...of(index),
    date: `2026-06-${String((index % (DAYS - 2)) + 2).padStart(2, '0')}`,
    description: `PAYMENT ${(NAMES[index % NAMES.length] ?? '').toUpperCase()}${index < NUMBERED ? ` INV-${4_100 + index * 7}` : ''}`,
    external_id: `b${index}`,
    metadata: {},
  });
  const indices = Array.from({ length: count }, (_, index) => index);
  return { a: indices.map(of), b: indices.map(paid) };
}

async function invoiceBook(rules: readonly RuleBody[] = presetRules('evidence'), count = 30) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, invoices(count), rules);
  return { ...book, ...pair, id: pair.reconciliation.id };
}

describe('a run by evidence', () => {
  test('matches what belongs together, and says with each match how likely it is and why', async () => {
    const { client, run, id, aIds, bIds } = await invoiceBook();
    const ended = await run(id);
    expect(ended).toMatchObject({ status: 'completed', error_message: null });
    const { data } = await client.get('matches.list', { reconciliation_id: id, limit: 100 });
    const matched = data.filter(({ status }) => status === 'matched');
    expect(matched.length).toBeGreaterThanOrEqual(NUMBERED);
    for (const match of matched) {
      expect(match.likelihood).toBeGreaterThanOrEqual(0.99);
      expect(match.evidence.map(({ field }) => field)).toEqual(expect.arrayContaining(['amount', 'date', 'reference']));
      expect(match.explanation).toEqual(match.evidence.map(({ words }) => words));
      const [a, b] = (await client.get('records.list', { reconciliation_match_id: match.id })).data
        .map((row) => row.id)
        .toSorted((left, right) => left - right);
      expect(bIds.indexOf(b ?? 0)).toBe(aIds.indexOf(a ?? 0));
    }
  });

  test('says how many links it expects to be wrong, and what other budgets would change', async () => {
    const { run, id } = await invoiceBook();
    const { rule_summary: summary, matches } = await run(id);
    const evidence = summary['1']?.evidence;
    expect(evidence).toMatchObject({ leans_on_prior: true, capped_lines: 0, learned_version: 1, reviews: 0 });
    expect(evidence?.at_budgets.map(({ budget }) => budget)).toEqual([1, 10, 100]);
    expect(evidence?.expected_wrong).toBeLessThanOrEqual(matches * 0.001 + 0.05);
    expect(evidence?.words[0]).toMatch(new RegExp(`^${matches} links are certain enough to be matched: `));
    expect(evidence?.words.at(-1)).toBe('With 30 lines this book is too small to learn from, so general experience decided.');
  });

  test('proposes what leaves a difference, unless the rule allows it', async () => {
    const { client, run, id } = await invoiceBook();
    await addLines(client, 'ledger', [
      { amount: 99_999, date: '2026-06-10', description: 'Zimmermann invoice', metadata: { invoice: 'INV-9001' } },
    ]);
    await addLines(client, 'bank', [{ amount: 99_949, date: '2026-06-11', description: 'PAYMENT ZIMMERMANN INV-9001' }]);
    await run(id);
    const proposed = async () => (await client.get('matches.list', { reconciliation_id: id, status: 'proposed', limit: 100 })).data;
    const differing = async () => (await proposed()).filter(({ difference }) => difference !== 0);
    expect(await differing()).toMatchObject([{ difference: 50, certainty: 'unique' }]);
    await client.get('rules.update', { id: 1, max_difference: { minor: 50 } });
    await run(id);
    expect(await differing()).toEqual([]);
    const { data } = await client.get('matches.list', { reconciliation_id: id, status: 'matched', limit: 100 });
    expect(data.map(({ difference }) => difference)).toContain(50);
  });

  test('gets records that earlier rules leave, and never a pair that a person separated', async () => {
    const own: RuleBody = { filters: { rules: [{ key: 'metadata.invoice', value: 'description', operand: 'contains' }] }, priority: 1 };
    const { client, run, id } = await invoiceBook([...presetRules('evidence')]);
    await client.get('rules.create', { reconciliation_id: id, ...own, outcome: 'propose' });
    await run(id);
    const first = (await client.get('matches.list', { reconciliation_id: id, status: 'matched', limit: 1 })).data[0];
    await client.get('matches.remove', { id: first?.id ?? 0 });
    const again = await run(id);
    expect(again.matches).toBe(0);
  });
});

describe('the learned model', () => {
  test('is kept by version, described in words, and reused until it is discarded', async () => {
    const { client, run, id, database } = await invoiceBook();
    expect(await client.get('evidence.get', { id })).toEqual({ learned: null });
    await run(id);
    const { learned } = await client.get('evidence.get', { id });
    expect(learned).toMatchObject({ reconciliation_id: id, rule_id: 1, version: 1, lines_a: 30, lines_b: 30 });
    expect(learned?.words[0]).toBe('Learned from 30 lines of side A and 30 of side B.');
    expect(learned?.lags.reduce((sum, { m }) => sum + m, 0)).toBeCloseTo(1, 3);
    await run(id);
    expect(newestLearned(database, id)?.version).toBe(1);
    expect(await client.get('evidence.relearn', { id })).toEqual({ forgotten: true });
    expect(await client.get('evidence.relearn', { id })).toEqual({ forgotten: false });
    expect(await client.get('evidence.get', { id })).toEqual({ learned: null });
    await run(id);
    expect(newestLearned(database, id)).toMatchObject({ version: 3, format: expect.any(Number) });
    const versions = auditEntries(database, 'run.completed').map(({ detail }) => detail['learned']);
    expect(versions).toEqual([[expect.objectContaining({ rule_id: 1, version: 1 })], undefined, [expect.objectContaining({ version: 3 })]]);
  });

  test('is learned again when the book has grown by a quarter', async () => {
    const { client, run, id, database } = await invoiceBook();
    await run(id);
    await addLines(
      client,
      'bank',
      invoices(20).b.map((line) => ({ ...line, external_id: `more-${line.external_id ?? ''}` })),
    );
    await run(id);
    expect(newestLearned(database, id)?.version).toBe(2);
  });

  test('is not found for a reconciliation that does not exist', async () => {
    const { client } = await invoiceBook();
    expect(await client.refusal('evidence.get', { id: 99 })).toMatchObject({ code: 'not_found' });
    expect(await client.refusal('evidence.reviews', { id: 99 })).toMatchObject({ code: 'not_found' });
    expect(await client.refusal('evidence.relearn', { id: 99 })).toMatchObject({ code: 'not_found' });
  });
});

describe('proposals confirmed by their likelihood', () => {
  const proposing: RuleBody[] = presetRules('evidence').map((rule) => ({ ...rule, outcome: 'propose' }));

  test('are counted with the expected number of wrong ones, confirmed together, and proposals again after undo', async () => {
    const { client, run, id, database } = await invoiceBook(proposing);
    const { proposed_matches: proposed } = await run(id);
    const expected = await client.get('confirmations.expect', { id, least_likelihood: 0.99 });
    expect(expected.count).toBeGreaterThanOrEqual(20);
    expect(expected.expected_wrong).toBeLessThan(expected.count * 0.01);
    const done = await client.get('confirmations.create', { id, least_likelihood: 0.99 });
    expect(done).toMatchObject({ count: expected.count, is_more: false });
    expect(done.expected_wrong).toBeCloseTo(expected.expected_wrong);
    const [match] = (await client.get('matches.list', { reconciliation_id: id, status: 'matched', limit: 1 })).data;
    expect(match).toMatchObject({ origin: 'rule', confirmed_in_bulk: true, confirmed_by: expect.any(String) });
    expect(auditEntries(database, 'matches.confirmed_in_bulk')).toMatchObject([{ detail: { match_ids: done.match_ids } }]);
    expect(await client.get('confirmations.undo', { id, match_ids: done.match_ids })).toEqual({ count: done.count });
    const back = await client.get('matches.list', { reconciliation_id: id, status: 'proposed', limit: 100 });
    expect(back.total_count).toBe(proposed);
    const restored = back.data.find((each) => each.id === match?.id);
    expect(restored).toMatchObject({
      likelihood: match?.likelihood,
      evidence: match?.evidence,
      confirmed_by: null,
      confirmed_in_bulk: false,
    });
  });

  test('are listed the likeliest first', async () => {
    const { client, run, id } = await invoiceBook(proposing);
    await run(id);
    const { data } = await client.get('matches.window', { reconciliation_id: id, status: 'proposed', sort: 'likelihood', limit: 100 });
    const likelihoods = data.map(({ match }) => match.likelihood ?? 0);
    expect(likelihoods).toEqual(likelihoods.toSorted((left, right) => right - left));
  });
});

describe('a match whose evidence changed', () => {
  /** Thirty invoices are matched; then a line comes in that fits one of the payments as well as its invoice does. */
  async function changedBook() {
    const book = await invoiceBook();
    const { client, run, id, aIds, bIds } = book;
    await run(id);
    const twenty = invoices(NUMBERED).a[3];
    await addLines(client, 'ledger', [{ ...twenty, amount: twenty?.amount ?? 0, date: twenty?.date ?? '', external_id: 'a3-again' }]);
    const [added] = (await client.get('records.list', { external_id: 'a3-again' })).data;
    const reviews = async () => (await client.get('evidence.reviews', { id, limit: 100, offset: 0 })).data;
    return { ...book, matched: [aIds[3], bIds[3]], added: added?.id, reviews };
  }

  test('stays, and is shown for review, with matches that fit better or as well', async () => {
    const { client, run, id, reviews, matched } = await changedBook();
    const before = (await client.get('matches.list', { reconciliation_id: id, status: 'matched', limit: 100 })).data;
    expect(await reviews()).toEqual([]);
    const { rule_summary: summary } = await run(id);
    const after = (await client.get('matches.list', { reconciliation_id: id, status: 'matched', limit: 100 })).data;
    expect(after.map((match) => match.id)).toEqual(before.map((match) => match.id));
    const found = await reviews();
    expect(found).toHaveLength(1);
    expect(found[0]?.likelihood_before).toBeGreaterThan(0.99);
    expect(found[0]?.likelihood_now).toBeLessThan(0.97);
    const [record] = (await client.get('records.list', { reconciliation_match_id: found[0]?.match_id ?? 0 })).data;
    expect(matched).toContain(record?.id);
    expect(summary['1']?.evidence?.reviews).toBe(1);
  });

  test("is a person's decision once it is kept: no later run doubts it", async () => {
    const { client, run, id, reviews } = await changedBook();
    await run(id);
    const [review] = await reviews();
    await client.get('evidence.keep', { id: review?.match_id ?? 0 });
    expect(await reviews()).toEqual([]);
    await run(id);
    expect(await reviews()).toEqual([]);
  });

  test('is no longer shown when the competing records are removed', async () => {
    const { client, run, id, reviews, added } = await changedBook();
    await run(id);
    expect(await reviews()).toHaveLength(1);
    await client.get('records.remove', { id: added ?? 0 });
    await run(id);
    expect(await reviews()).toEqual([]);
  });
});
