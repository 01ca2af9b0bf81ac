import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { BY_AMOUNT, BY_EXTERNAL_ID, type LineInput, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const ORDERS = 12;

/** Orders, and payments that carry the order's number in their text. */
function orders(): { readonly a: LineInput[]; readonly b: LineInput[] } {
  return {
    a: numbered(ORDERS, (index) => ({ external_id: `a${index}`, metadata: { order_id: `ORD-${700 + index * 7}` } })),
    b: numbered(ORDERS, (index) => ({ external_id: `b${index}`, description: `CARD ORD-${700 + index * 7} thanks` })),
  };
}

async function ordersBook(rules: Parameters<typeof setUpPair>[2] = []) {
  const book = openQuietBook();
  const pair = await setUpPair(book.client, orders(), rules);
  const { id } = pair.reconciliation;
  const propose = async () => {
    const started = await book.client.get('proposals.create', { id });
    book.work();
    return book.client.get('runs.get', { id, run_id: started.id });
  };
  const all = () => book.client.get('rules.list', { reconciliation_id: id });
  /** Without the rule of evidence, which is proposed before all others. */
  const list = async () => (await all()).filter(({ method }) => method === 'conditions');
  return { book, pair, id, propose, all, list };
}

const words = (rules: readonly { readonly description: string | null }[]) => rules.map(({ description }) => description);
const BY_ORDER = 'Order id equals ORD-\\d+ in description, same amount';

describe('proposals', () => {
  test('are waiting rules with the results a run would have; the run counts them and matches nothing', async () => {
    const { book, id, all } = await ordersBook();
    const started = await book.client.get('proposals.create', { id });
    expect(started).toMatchObject({
      status: 'pending',
      kind: 'batch',
      mode: 'commit',
      trigger: 'manual',
      proposals: { rules: 0, nothing: null },
    });
    expect(book.work()).toEqual({ end: 'completed' });
    expect(await book.client.get('runs.get', { id, run_id: started.id })).toMatchObject({
      status: 'completed',
      progress: 100,
      matches: 0,
      matched_records: 0,
      total_records: 2 * ORDERS,
      proposals: { rules: 2, nothing: null },
    });
    const rules = await all();
    expect(rules).toMatchObject([
      { method: 'evidence', budget: 10, status: 'proposed', source: 'ai', priority: 10, confidence: 'high' },
      {
        description: BY_ORDER,
        status: 'proposed',
        source: 'ai',
        priority: 20,
        confidence: 'medium',
        sample_match_rate: `${2 * ORDERS}/${2 * ORDERS}`,
      },
    ]);
    expect((await book.client.get('matches.list', { reconciliation_id: id })).data).toEqual([]);
    expect(auditEntries(book.database, 'rules.proposed').map(({ detail }) => detail)).toEqual([
      { run_id: started.id, reconciliation_id: id, rule_ids: rules.map((rule) => rule.id), replaced_rule_ids: [], nothing: null },
    ]);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
  });

  test('work as described once they are activated', async () => {
    const { book, id, propose, list } = await ordersBook();
    await propose();
    await book.client.get('rules.activate', { id: (await list())[0]?.id ?? 0 });
    expect(await book.run(id)).toMatchObject({ matches: ORDERS, proposals: null });
  });

  test('found again keep their id; untouched ones that are not found again go, edited ones stay', async () => {
    const { book, propose, list } = await ordersBook();
    await propose();
    const [first] = await list();
    await propose();
    expect((await list()).map((rule) => rule.id)).toEqual([first?.id]);
    await book.client.get('rules.update', { id: first?.id ?? 0, description: 'Mine' });
    await propose();
    expect(words(await list())).toEqual(['Mine']);
    await book.client.get('rules.update', { id: first?.id ?? 0, filters: BY_AMOUNT.filters });
    await propose();
    expect(words(await list())).toEqual(['Mine', BY_ORDER]);
    // The orders go: what was proposed for them goes as well, but not what a person changed.
    book.database.connection.exec("UPDATE records SET metadata = '{}', description = NULL");
    await propose();
    const left = await list();
    expect(words(left)).not.toContain(BY_ORDER);
    expect(words(left)).toContain('Mine');
    const { replaced_rule_ids: replaced } = auditEntries(book.database, 'rules.proposed').at(-1)?.detail ?? {};
    expect(replaced).toHaveLength(1);
  });

  test('exclude dismissed ones, and the run says why it found nothing', async () => {
    const { book, propose, all } = await ordersBook();
    await propose();
    for (const { id } of await all()) await book.client.get('rules.dismiss', { id });
    const again = await propose();
    expect(await all()).toEqual([]);
    expect(again.proposals?.rules).toBe(0);
    expect(again.proposals?.nothing).toContain('dismissed');
  });

  test('are looked for beside active rules as well, and add to them', async () => {
    const { propose, list } = await ordersBook([BY_EXTERNAL_ID]);
    expect((await propose()).proposals).toEqual({ rules: 2, nothing: null });
    expect((await list()).map(({ status, priority }) => [status, priority])).toEqual([
      ['active', 10],
      ['proposed', 30],
    ]);
  });

  test('learn from what people matched: a fee that no tolerance of the data would allow', async () => {
    const book = openQuietBook();
    const a = numbered(20, (index) => ({ external_id: `a${index}`, amount: 10_000 + index * 977, description: `Shop ${index}` }));
    const b = a.map((line, index) => ({
      ...line,
      external_id: `b${index}`,
      amount: line.amount - Math.floor(line.amount / (12 + index)),
      description: `shop, ${index}`,
    }));
    const pair = await setUpPair(book.client, { a, b }, []);
    const { id } = pair.reconciliation;
    for (let index = 0; index < 8; index += 1) {
      await book.client.get('matches.create', {
        reconciliation_id: id,
        record_ids: [pair.aIds[index] ?? 0, pair.bIds[index] ?? 0],
      });
    }
    await book.client.get('proposals.create', { id });
    book.work();
    const rules = await book.client.get('rules.list', { reconciliation_id: id });
    expect(words(rules).join()).toContain('learnt from 8 matches made by people');
  });

  test('of sides without records end with the reason', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: [] }, []);
    const { id: runId } = await book.client.get('proposals.create', { id: reconciliation.id });
    book.work();
    const ended = await book.client.get('runs.get', { id: reconciliation.id, run_id: runId });
    expect(ended.proposals?.nothing).toContain('Side B has no record');
  });

  test('are refused for what is not there, and while a run is in progress', async () => {
    const { book, id } = await ordersBook();
    expect((await book.client.refusal('proposals.create', { id: 99 })).code).toBe('not_found');
    await book.client.get('proposals.create', { id });
    expect((await book.client.refusal('proposals.create', { id })).code).toBe('run_in_progress');
    expect((await book.testEnvironment.refusal('proposals.create', { id })).code).toBe('not_found');
  });

  test('leave nothing when they are cancelled, at whatever step', async () => {
    for (const stopAfter of [0, 1, 5]) {
      const { book, id, list } = await ordersBook();
      const { id: runId } = await book.client.get('proposals.create', { id });
      let looks = 0;
      const end = book.work({ isCancelled: () => (looks += 1) > stopAfter });
      expect(end).toEqual({ end: 'cancelled' });
      expect(await book.client.get('runs.get', { id, run_id: runId })).toMatchObject({ status: 'cancelled' });
      expect(await list()).toEqual([]);
    }
  });

  test('are calculated again after a stop in the middle', async () => {
    const { book, id, list } = await ordersBook();
    const { id: runId } = await book.client.get('proposals.create', { id });
    book.database.connection.exec("UPDATE jobs SET status = 'running'; UPDATE runs SET status = 'running', started_at = 5");
    book.recover();
    expect(await book.client.get('runs.get', { id, run_id: runId })).toMatchObject({ status: 'pending', started_at: null });
    book.work();
    expect(words(await list())).toEqual([BY_ORDER]);
  });

  test('tell their progress as records', async () => {
    const { book, id } = await ordersBook();
    await book.client.get('proposals.create', { id });
    const steps: [string, number][] = [];
    book.work({ onStep: (phase, processed) => steps.push([phase, processed]) });
    expect(steps[0]).toEqual(['reading', 0]);
    expect(steps.at(-1)).toEqual(['proposing', 2 * ORDERS]);
  });
});

describe('a run without an active rule', () => {
  async function started(book: QuietBook, id: number) {
    const run = await book.client.get('runs.start', { id });
    book.work();
    return book.client.get('runs.get', { id, run_id: run.id });
  }

  test('proposes rules while both sides have records', async () => {
    const { book, id, list } = await ordersBook();
    expect(await started(book, id)).toMatchObject({ status: 'completed', matches: 0, proposals: { rules: 2, nothing: null } });
    expect(words(await list())).toEqual([BY_ORDER]);
    // Proposals alone are no active rule.
    expect(await started(book, id)).toMatchObject({ proposals: { rules: 2 } });
  });

  test('is refused where a side is empty, and as a dry run', async () => {
    const { book, id } = await ordersBook();
    expect(await book.client.refusal('runs.start', { id, mode: 'dry_run' })).toMatchObject({ code: 'invalid_rule' });
    const empty = openQuietBook();
    const { reconciliation } = await setUpPair(empty.client, { a: [], b: numbered(2) }, []);
    expect(await empty.client.refusal('runs.start', { id: reconciliation.id })).toEqual({
      code: 'invalid_rule',
      message: 'This reconciliation has no active rule, so a run could match nothing: add a rule first.',
    });
  });
});
