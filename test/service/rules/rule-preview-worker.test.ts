import { expect, test } from 'vitest';
import { RulePreviews } from '../../../src-main/rules/work/rule-previews.ts';
import type { PreviewRequest } from '../../../src-main/jobs/protocol.ts';
import { newRuleRow } from '../../../src-main/rules/operations/rule-input.ts';
import { PREVIEW_LIMITS } from '../../../src-shared/contract/rules/rule-preview.ts';
import { openTestBook, testLog } from '../../support/books/backend.ts';
import { untilSeen } from '../../support/processes/until-seen.ts';
import { BY_AMOUNT, numbered, setUpPair } from '../../support/books/lines.ts';
import { openTestDatabase } from '../../support/books/quiet-book.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';

const REQUEST: PreviewRequest = {
  environmentId: 1,
  reconciliationId: 1,
  rule: { ...newRuleRow(BY_AMOUNT, { reconciliationId: 1, priority: 10, source: 'user', createdAtMs: 0 }), priority: null },
  replaces: null,
  sample: 20,
};

/** A book with three pairs, and previews of it that answer to this test alone. */
async function folderWithPairs(options: { readonly limitMs?: number } = {}) {
  const book = await openTestBook();
  await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const log = testLog();
  return { book, log, previews: new RulePreviews({ dataFolder: book.folder, log, ...options }) };
}

test('a preview runs on its own thread, and does not change the book', async () => {
  const { book } = await folderWithPairs();
  const reader = openTestDatabase(book.folder);
  // The index of words goes on by itself after a while.
  const indexed = ['search_state', 'search_changes'];
  const before = dumpBook(reader, indexed);
  const found = await book.client.get('rules.preview', { reconciliation_id: 1, ...BY_AMOUNT, priority: 1 });
  expect(found).toMatchObject({ matches: 3, taken_from: [{ rule_id: 1, matches: 3 }] });
  expect(found.sample.map((match) => match.records.map((record) => record.external_id))).toEqual([
    ['x1', 'x1'],
    ['x2', 'x2'],
    ['x3', 'x3'],
  ]);
  expect(dumpBook(reader, indexed)).toEqual(before);
  expect(book.log.lines).toEqual([]);
});

test('while a preview waits for its thread, the service answers and writes', async () => {
  const { book } = await folderWithPairs();
  const order: string[] = [];
  const preview = book.client.get('rules.preview', { reconciliation_id: 1, ...BY_AMOUNT }).then(() => order.push('preview'));
  await book.client.get('streams.create', { key: 'meanwhile', name: 'Meanwhile' });
  order.push('write');
  await preview;
  expect(order).toEqual(['write', 'preview']);
});

test('one runs at a time, a limited number wait in order, and one more is refused', async () => {
  const { previews } = await folderWithPairs();
  const ended: number[] = [];
  const all = Array.from({ length: PREVIEW_LIMITS.waiting + 2 }, async (_, index) => {
    const outcome = await previews.run(REQUEST);
    ended.push(index);
    return outcome.end;
  });
  const last = PREVIEW_LIMITS.waiting + 1;
  expect(await Promise.all(all)).toEqual([...Array.from({ length: last }, () => 'completed'), 'too_many']);
  expect(ended).toEqual([last, ...Array.from({ length: last }, (_, index) => index)]);
  expect((await previews.run(REQUEST)).end).toBe('completed');
});

test('the message of a refused one says how many wait', async () => {
  const { book } = await folderWithPairs();
  const calls = Array.from({ length: PREVIEW_LIMITS.waiting + 2 }, () =>
    book.client.call('rules.preview', { reconciliation_id: 1, ...BY_AMOUNT }),
  );
  const refused = (await Promise.all(calls)).flatMap((outcome) => (outcome.ok ? [] : [outcome.error]));
  expect(refused).toEqual([
    {
      code: 'preview_unavailable',
      message: 'One preview is being worked out and 4 wait, which is as many as may: try again when one of them has ended.',
    },
  ]);
});

test('an Idempotency-Key is free again after a preview that could not be made', async () => {
  const { book } = await folderWithPairs();
  const calls = (idempotencyKey: string) =>
    book.backend.dispatch(
      'rules.preview',
      { reconciliation_id: 1, ...BY_AMOUNT },
      { ...book.backend.ownCaller('live', 'app'), idempotencyKey },
    );
  const all = await Promise.all(Array.from({ length: PREVIEW_LIMITS.waiting + 2 }, (_, index) => calls(`key ${index}`)));
  expect(all.map((outcome) => outcome.ok)).toEqual([...all.slice(1).map(() => true), false]);
  expect(await calls(`key ${PREVIEW_LIMITS.waiting + 1}`)).toMatchObject({ ok: true, value: { matches: 0 } });
});

test('without a waiting caller, a running preview stops and a waiting one leaves the queue', async () => {
  const { previews } = await folderWithPairs();
  const ends = await untilSeen('cancelled', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const running = previews.run(REQUEST, first.signal);
    const waiting = previews.run(REQUEST, second.signal);
    const third = previews.run(REQUEST);
    first.abort();
    second.abort();
    expect(await waiting).toEqual({ end: 'cancelled' });
    const { end } = await running;
    expect((await third).end).toBe('completed');
    return end;
  });
  expect(ends).toContain('cancelled');
  const late = new AbortController();
  late.abort();
  expect(await previews.run(REQUEST, late.signal)).toEqual({ end: 'cancelled' });
  expect((await previews.run(REQUEST)).end).toBe('completed');
});

test('a preview that takes too long is stopped', async () => {
  const { previews } = await folderWithPairs({ limitMs: 0 });
  expect(await untilSeen('too_long', async () => (await previews.run(REQUEST)).end)).toContain('too_long');
});

test('closing stops all of them', async () => {
  const { previews } = await folderWithPairs();
  const all = [previews.run(REQUEST), previews.run(REQUEST), previews.run(REQUEST)];
  await previews.close();
  const [working, ...waiting] = await Promise.all(all);
  expect(['cancelled', 'completed']).toContain(working?.end);
  expect(waiting).toEqual([{ end: 'cancelled' }, { end: 'cancelled' }]);
  expect(await previews.run(REQUEST)).toEqual({ end: 'cancelled' });
});

test('a removed reconciliation, and a thread that fails', async () => {
  const { previews, log } = await folderWithPairs();
  expect(await previews.run({ ...REQUEST, reconciliationId: 9 })).toEqual({ end: 'missing' });
  expect(log.lines).toEqual([]);
  expect(await previews.run({ ...REQUEST, rule: { ...REQUEST.rule, filters: 'no JSON' } })).toEqual({ end: 'broken' });
  expect(log.lines).toEqual([expect.stringContaining('error: a preview broke')]);
  expect((await previews.run(REQUEST)).end).toBe('completed');
});
