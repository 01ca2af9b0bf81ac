import { expect, test } from 'vitest';
import { LONGEST_WAIT_MS, QUIET_MS } from '../../../src-main/runs/work/continuous-runs.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../support/books/backend.ts';
import { testAlarm } from '../../support/faults/alarm.ts';

const WAIT_MS = 20_000;

/** Lets the backend work until something is so. */
async function until(book: TestBook, isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + WAIT_MS;
  while (!(await isSo())) {
    assert(performance.now() < deadlineMs, `it is so within ${WAIT_MS} ms: ${book.log.lines.join('\n')}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A whole backend with a reconciliation of `ledger` and `bank` by external id that runs by itself, on a time of its own. */
async function openContinuous() {
  const alarm = testAlarm();
  const book = await openTestBook(undefined, alarm);
  const { client } = book;
  const ledger = await client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  const bank = await client.get('streams.create', { key: 'bank', name: 'Bank' });
  const { id } = await client.get('reconciliations.create', { name: 'June', side_a_stream_ids: [ledger.id], side_b_stream_ids: [bank.id] });
  await client.get('rules.create', { reconciliation_id: id, filters: { rules: [{ key: 'external_id', value: 'external_id' }] } });
  const runs = async () => (await client.get('runs.list', { id })).data;
  const ended = async (count: number) => {
    await until(book, async () => (await runs()).filter((run) => run.status === 'completed').length === count);
  };
  return { book, client, alarm, id, runs, ended };
}

test('many bulk requests start few runs, and every line is matched in the end', async () => {
  const { book, client, alarm, id, runs, ended } = await openContinuous();
  const requests = 48;
  const stepMs = QUIET_MS / 4;
  let completed = 0;
  for (let request = 0; request < requests; request += 1) {
    const line = (key: string) => ({ data_stream_key: key, date: '2026-06-10', amount: 100, external_id: `x${request}` });
    const { id: bulkId } = await client.get('bulk_requests.create', { records: [line('ledger'), line('bank')] });
    await until(book, async () => (await client.get('bulk_requests.get', { id: bulkId })).status === 'completed');
    alarm.advance(stepMs);
    const open = (await runs()).length;
    if (open > completed) {
      await ended(open);
      completed = open;
    }
  }
  alarm.advance(LONGEST_WAIT_MS);
  await until(book, async () => (await client.get('matches.list', { reconciliation_id: id })).total_count === requests);
  const all = await runs();
  expect(all.map((run) => [run.kind, run.trigger])).toContainEqual(['continuous', 'record_created']);
  expect(all.length).toBeGreaterThanOrEqual(2);
  // Requests for 50 seconds: a run after each longest wait, and one in the end.
  expect(all.length).toBeLessThanOrEqual(Math.ceil((requests * stepMs) / LONGEST_WAIT_MS) + 1);
  expect(book.log.lines).toEqual([]);
});

test('an import starts a run, its undo another; what is due when Tieout stops runs after the next start', async () => {
  const { book, client, alarm, id, ended } = await openContinuous();
  const csv = (reference: string) =>
    `Date,Description,FITID,Amount\n2026-06-02,Rent,${reference}1,-12.00\n2026-06-03,Rent,${reference}2,-12.50\n`;
  await book.importText('ledger', csv('x'));
  const job = await book.importText('bank', csv('x'));
  alarm.advance(QUIET_MS);
  await ended(1);
  const matched = async () => (await client.get('matches.list', { reconciliation_id: id, status: 'matched' })).total_count;
  expect(await matched()).toBe(2);
  await client.get('import_batches.remove', { id: job.import_result?.batch_id ?? 0 });
  await client.get('records.create', { data_stream_key: 'bank', date: '2026-06-03', amount: -1250, external_id: 'x2' });
  expect(await matched()).toBe(0);
  await book.close();
  const later = testAlarm();
  const again = await openTestBook(book.folder, later);
  const laterRuns = async () => (await again.client.get('runs.list', { id })).data;
  expect(await laterRuns()).toHaveLength(1);
  later.advance(QUIET_MS);
  await until(again, async () => (await laterRuns())[0]?.id !== 1 && (await laterRuns())[0]?.status === 'completed');
  expect(await laterRuns()).toMatchObject([{ kind: 'continuous', trigger: 'record_created', matches: 1 }, { kind: 'continuous' }]);
});
