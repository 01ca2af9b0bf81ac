import { describe, expect, test } from 'vitest';
import { BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { openTestBook, testFolder } from '../../support/books/backend.ts';

const ORDERS = 12;

/** Orders, and payments that carry the order's number in their text. */
const orders = () => ({
  a: numbered(ORDERS, (index) => ({ external_id: `a${index}`, metadata: { order_id: `ORD-${700 + index * 7}` } })),
  b: numbered(ORDERS, (index) => ({ external_id: `b${index}`, description: `CARD ORD-${700 + index * 7} thanks` })),
});

async function ordersBook() {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, orders(), []);
  const { id } = reconciliation;
  return { book, id, status: () => book.client.get('proposals.agent_status', { id }) };
}

type Status = Awaited<ReturnType<Awaited<ReturnType<typeof ordersBook>>['status']>>;
const stepsOf = ({ progress }: Status) => progress.map(({ step }) => step);

describe('the agent status', () => {
  test('before any search is idle, and counts what is open', async () => {
    const { status } = await ordersBook();
    expect(await status()).toEqual({
      status: 'idle',
      last_run_at: null,
      progress: [],
      reasoning: null,
      rules_count: 0,
      unmatched_count: 2 * ORDERS,
    });
  });

  test('goes from running to idle, with steps in their order and the evidence in one paragraph', async () => {
    const { book, id, status } = await ordersBook();
    await book.client.get('proposals.create', { id });
    const waiting = await status();
    expect([waiting.status, waiting.last_run_at, stepsOf(waiting)]).toEqual(['running', null, ['asked']]);
    book.clock.advance(1_000);
    book.work();
    const ended = await status();
    expect(ended).toMatchObject({ status: 'idle', last_run_at: '2026-07-01T09:00:01.000Z', rules_count: 0, unmatched_count: 2 * ORDERS });
    expect(stepsOf(ended).filter((step) => step !== 'trying')).toEqual(['asked', 'reading', 'comparing', 'completed']);
    expect(stepsOf(ended)).toContain('trying');
    expect(ended.progress.map(({ at }) => at).toSorted()).toEqual(ended.progress.map(({ at }) => at));
    expect(ended.progress.at(-1)?.message).toBe('2 rules were proposed for review.');
    expect(ended.reasoning).toMatch(
      /^Looked at 12 records of side A and 12 records of side B, and tried \d+ candidate rules? on them, the strictest first\. 2 were proposed, each tried by itself: “By evidence: [^”]+” ties 24 of 24 records \(high confidence\)\. “Order id equals ORD-\\d\+ in description, same amount” ties 24 of 24 records \(medium confidence\)\. None matches anything until a person takes it into use\.$/,
    );
  });

  test('counts active rules, and records that no match holds: a proposed match leaves them open', async () => {
    const { book, id, status } = await ordersBook();
    await book.client.get('rules.replace', {
      id,
      rules: [{ filters: { rules: [{ key: 'amount', value: 'amount' }] }, outcome: 'propose' }, BY_EXTERNAL_ID],
    });
    await book.run(id);
    expect(await status()).toMatchObject({ status: 'idle', rules_count: 2, unmatched_count: 2 * ORDERS, progress: [] });
    const [match] = (await book.client.get('matches.list', { reconciliation_id: id })).data;
    await book.client.get('matches.confirm', { id: match?.id ?? 0 });
    expect(await status()).toMatchObject({ unmatched_count: 2 * ORDERS - 2 });
  });

  test('of a failed search says why; results of the last completed one stay', async () => {
    const { book, id, status } = await ordersBook();
    await book.client.get('proposals.create', { id });
    book.work();
    const good = await status();
    await book.client.get('proposals.create', { id });
    book.clock.advance(5_000);
    // As a worker without room on the disk leaves it.
    book.database.connection.exec(
      `UPDATE runs SET status = 'failed', error_message = 'The disk is full.', completed_at = ${book.clock.nowMs()} WHERE status = 'pending'; UPDATE jobs SET status = 'failed'`,
    );
    const failed = await status();
    expect(failed).toMatchObject({ status: 'failed', last_run_at: '2026-07-01T09:00:05.000Z', reasoning: good.reasoning });
    expect(failed.progress.at(-1)).toEqual({ step: 'failed', message: 'The disk is full.', at: '2026-07-01T09:00:05.000Z' });
  });

  test('of a search that was cancelled is idle and says so', async () => {
    const { book, id, status } = await ordersBook();
    await book.client.get('proposals.create', { id });
    book.work({ isCancelled: () => true });
    const cancelled = await status();
    expect([cancelled.status, cancelled.progress.at(-1)?.step, cancelled.reasoning]).toEqual(['idle', 'cancelled', null]);
  });

  test('reports a search that found nothing, and why', async () => {
    const book = openQuietBook();
    const { reconciliation } = await setUpPair(book.client, { a: numbered(3), b: [] }, []);
    await book.client.get('proposals.create', { id: reconciliation.id });
    book.work();
    const { status, reasoning, progress } = await book.client.get('proposals.agent_status', { id: reconciliation.id });
    expect([status, reasoning]).toEqual(['idle', expect.stringContaining('Side B has no record')]);
    expect(progress.at(-1)?.message).toBe(reasoning);
  });

  test('survives a restart: the steps and the outcome of the last search are answered, one that was stopped begins anew and says so', async () => {
    const { book, id, status } = await ordersBook();
    await book.client.get('proposals.create', { id });
    let looks = 0;
    // Stopped in the middle, as by a process that dies: the run is still under way in the book.
    expect(() =>
      book.work({
        onStep: () => {
          looks += 1;
          if (looks === 3) throw new Error('the process dies');
        },
      }),
    ).toThrow('the process dies');
    book.database.connection.exec("UPDATE jobs SET status = 'running'");
    expect(stepsOf(await status())).toContain('reading');
    book.recover();
    expect(await status()).toMatchObject({ status: 'running' });
    book.work();
    const ended = await status();
    expect(stepsOf(ended).slice(0, 3)).toEqual(['asked', 'resumed', 'reading']);
    expect(stepsOf(ended).filter((step) => step === 'reading')).toHaveLength(1);
    book.recover();
    expect(await status()).toEqual(ended);
  });

  test('is answered for what an earlier version found, which kept neither steps nor reasoning', async () => {
    const { book, id, status } = await ordersBook();
    await book.client.get('proposals.create', { id });
    book.work();
    book.database.connection.exec(`UPDATE runs SET proposals = '{"rules":1,"nothing":null}'`);
    const { progress, reasoning } = await status();
    expect(progress.map(({ step }) => step)).toEqual(['asked', 'completed']);
    expect(reasoning).toBe('Looked at 24 records of both sides. 1 rule was proposed for review.');
  });

  test('is refused for a reconciliation that is not there, or of the other environment', async () => {
    const { book, id } = await ordersBook();
    expect((await book.client.refusal('proposals.agent_status', { id: 99 })).code).toBe('not_found');
    expect((await book.testEnvironment.refusal('proposals.agent_status', { id })).code).toBe('not_found');
  });

  test('is the same over a whole backend, while its worker works and after it closed and opened again', { timeout: 30_000 }, async () => {
    const folder = testFolder();
    const book = await openTestBook(folder);
    const { reconciliation } = await setUpPair(book.client, orders(), []);
    const { id } = reconciliation;
    const run = await book.client.get('proposals.create', { id });
    expect((await book.client.get('proposals.agent_status', { id })).status).toBe('running');
    await book.ended({
      id: book.events.flatMap((event) => (event.kind === 'job' && event.run_id === run.id ? [event.job_id] : []))[0] ?? 1,
    });
    const ended = await book.client.get('proposals.agent_status', { id });
    expect([ended.status, ended.progress.at(-1)?.step]).toEqual(['idle', 'completed']);
    await book.close();
    const again = await openTestBook(folder);
    expect(await again.client.get('proposals.agent_status', { id })).toEqual(ended);
  });
});
