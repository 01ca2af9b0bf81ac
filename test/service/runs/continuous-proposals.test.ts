import { expect, test } from 'vitest';
import { QUIET_MS } from '../../../src-main/runs/work/continuous-runs.ts';
import { continuousOf } from '../../support/books/continuous-book.ts';
import { addLines, BY_AMOUNT, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

/** A continuous reconciliation without a rule. */
async function bookWithoutRules(a: number, b: number, sameReference = true) {
  const book = openQuietBook();
  const continuous = continuousOf(book);
  const reference = (side: string) => (index: number) => ({
    external_id: `${side}${index}`,
    metadata: sameReference ? { order: `N${900 + index * 3}` } : {},
    amount: sameReference ? 100 + index * 37 : 100,
  });
  const pair = await setUpPair(book.client, { a: numbered(a, reference('a')), b: numbered(b, reference('b')) }, []);
  const { id } = pair.reconciliation;
  await book.client.get('reconciliations.update', { id, run_type: 'continuous' });
  continuous.wait();
  const runs = async () => (await book.client.get('runs.list', { id })).data;
  const rules = () => book.client.get('rules.list', { reconciliation_id: id });
  let added = 0;
  const add = async (count: number) => {
    added += 1;
    await addLines(
      book.client,
      'ledger',
      numbered(count, (index) => ({ external_id: `n${added}-${index}`, amount: 100 })),
    );
    continuous.wait();
  };
  return { book, id, ...continuous, runs, rules, add };
}

test('a continuous reconciliation without rules proposes some once, not again for each record', async () => {
  const { work, started, runs, rules, add } = await bookWithoutRules(6, 6);
  expect(started()).toBe(1);
  work();
  expect(await runs()).toMatchObject([{ kind: 'continuous', trigger: 'record_created', status: 'completed', proposals: { rules: 2 } }]);
  expect(await rules()).toMatchObject([
    { status: 'proposed', source: 'ai', method: 'evidence' },
    { status: 'proposed', source: 'ai' },
  ]);
  for (let turn = 0; turn < 3; turn += 1) await add(8);
  expect(started()).toBe(1);
});

test('nor after a person dismissed what was proposed', async () => {
  const { book, work, started, rules, add } = await bookWithoutRules(6, 6);
  work();
  await book.client.get('rules.dismiss', { id: (await rules())[0]?.id ?? 0 });
  await add(40);
  expect(started()).toBe(1);
});

test('where nothing was found it looks again once there are twice as many records', async () => {
  const { work, started, runs, add } = await bookWithoutRules(5, 5, false);
  work();
  expect(await runs()).toMatchObject([{ proposals: { rules: 0 } }]);
  await add(9);
  expect(started()).toBe(1);
  await add(1);
  expect(started()).toBe(2);
});

test('waits until both sides have records', async () => {
  const { book, wait, started } = await bookWithoutRules(6, 0);
  expect(started()).toBe(0);
  await addLines(book.client, 'bank', numbered(1));
  wait();
  expect(started()).toBe(1);
});

test('a rule activated meanwhile starts a run that matches', async () => {
  const { book, work, wait, started, runs, rules } = await bookWithoutRules(6, 6);
  work();
  await book.client.get('rules.activate', { id: (await rules())[0]?.id ?? 0 });
  wait();
  expect(started()).toBe(2);
  work();
  expect(await runs()).toMatchObject([{ trigger: 'rule_activated', matches: 6, proposals: null }, {}]);
});

test('a person who starts a run takes the waiting one over, and what it does is decided then', async () => {
  const { book, id, started } = await bookWithoutRules(6, 6);
  expect(started()).toBe(1);
  await book.client.get('rules.create', { reconciliation_id: id, ...BY_AMOUNT });
  const taken = await book.client.get('runs.start', { id });
  expect(taken).toMatchObject({ kind: 'batch', proposals: null });
  book.work();
  expect(await book.client.get('runs.get', { id, run_id: taken.id })).toMatchObject({ matches: 6 });
});

test('proposals asked for leave a matching run that is due where it is', async () => {
  const book = openQuietBook();
  const continuous = continuousOf(book);
  const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(3) });
  const { id } = pair.reconciliation;
  await book.client.get('reconciliations.update', { id, run_type: 'continuous' });
  await book.client.get('proposals.create', { id });
  continuous.wait(QUIET_MS);
  expect(continuous.started()).toBe(0);
  book.work();
  continuous.wait(QUIET_MS);
  expect(continuous.started()).toBe(1);
  // One that waits is not turned into something else.
  expect((await book.client.refusal('proposals.create', { id })).code).toBe('run_in_progress');
});
