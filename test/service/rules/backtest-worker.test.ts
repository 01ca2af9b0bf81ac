import { expect, test } from 'vitest';
import { RulePreviews } from '../../../src-main/rules/work/rule-previews.ts';
import type { BacktestRequest } from '../../../src-main/jobs/protocol.ts';
import { newRuleRow } from '../../../src-main/rules/operations/rule-input.ts';
import { openTestBook, testLog } from '../../support/books/backend.ts';
import { untilSeen } from '../../support/processes/until-seen.ts';
import { BY_AMOUNT, numbered, setUpPair } from '../../support/books/lines.ts';

const REQUEST: BacktestRequest = {
  kind: 'backtest',
  environmentId: 1,
  reconciliationId: 1,
  rule: newRuleRow(BY_AMOUNT, { reconciliationId: 1, priority: 10, source: 'user', createdAtMs: 0 }),
  ruleId: null,
  firstDay: null,
  lastDay: null,
  examples: 5,
  isOfWindow: true,
};

async function folderWithPairs(options: { readonly limitMs?: number } = {}) {
  const book = await openTestBook();
  await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_AMOUNT]);
  return { book, previews: new RulePreviews({ dataFolder: book.folder, log: testLog(), ...options }) };
}

test('a back-test runs on its own thread', async () => {
  const { book } = await folderWithPairs();
  const found = await book.client.get('rules.backtest', { id: 1 });
  expect(found).toMatchObject({ matches: 3, unjudged: 3, precision: null });
  expect(found.examples.map((example) => example.records.map((record) => record.external_id))).toEqual([
    ['x1', 'x1'],
    ['x2', 'x2'],
    ['x3', 'x3'],
  ]);
  expect(await book.client.get('rules.cancel_backtests', { id: 1 })).toEqual({ stopped: 0 });
});

test("the window stops its own back-tests, running or waiting, and no other caller's", async () => {
  const { previews } = await folderWithPairs();
  const ends = await untilSeen('cancelled', async () => {
    const asked = [REQUEST, { ...REQUEST }, { ...REQUEST, isOfWindow: false }].map((request) => previews.backtest(request));
    expect([previews.cancelBacktests(1, 9), previews.cancelBacktests(2, 1)]).toEqual([0, 0]);
    expect(previews.cancelBacktests(1, 1)).toBe(2);
    const [working, ...waiting] = (await Promise.all(asked)).map(({ end }) => end);
    expect(waiting).toEqual(['cancelled', 'completed']);
    return working;
  });
  expect(ends).toContain('cancelled');
  expect(previews.cancelBacktests(1, 1)).toBe(0);
});

test('the messages of a stopped back-test, and of one that takes too long', async () => {
  const { book, previews } = await folderWithPairs({ limitMs: 0 });
  expect(await untilSeen('too_long', async () => (await previews.backtest(REQUEST)).end)).toContain('too_long');
  const stopped = 'preview_unavailable The back-test was stopped before it had a result: ask for it again.';
  const said = await untilSeen(stopped, async () => {
    const running = book.client.call('rules.backtest', { id: 1 });
    await book.client.get('rules.cancel_backtests', { id: 1 });
    const answer = await running;
    return answer.ok ? undefined : `${answer.error.code} ${answer.error.message}`;
  });
  expect(said).toContain(stopped);
});

test('a caller that goes away stops it as well, and a missing reconciliation is reported', async () => {
  const { previews } = await folderWithPairs();
  const ends = await untilSeen('cancelled', async () => {
    const gone = new AbortController();
    const running = previews.backtest(REQUEST, gone.signal);
    gone.abort();
    return (await running).end;
  });
  expect(ends).toContain('cancelled');
  expect(await previews.backtest({ ...REQUEST, reconciliationId: 9 })).toEqual({ end: 'missing' });
});
