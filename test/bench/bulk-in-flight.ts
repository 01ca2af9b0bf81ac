import path from 'node:path';
import { benchFiles } from './data/data.ts';
import { ask, quantile, rounded, run, serve, type Served } from './product.ts';

const LINES = 50_000;
const REQUESTS = 100;
const ITEMS = 1_000;

function bodyOf(request: number): string {
  const records = Array.from({ length: ITEMS }, (_, index) => ({
    data_stream_key: 'bank',
    date: '2026-01-05',
    amount: 1 + index,
    currency: 'GBP',
    description: `Late payment ${request}-${index}`,
    external_id: `late-${request}-${index}`,
  }));
  return JSON.stringify({ records });
}

/** Sends all requests at once; answers how long each waited for its 202, and then for its end. */
async function sendAll(served: Served, bodies: readonly string[]): Promise<{ readonly accepted: number[]; readonly completed: number[] }> {
  const accepted: number[] = [];
  const completed: number[] = [];
  const send = async (body: string) => {
    const startedMs = performance.now();
    const { id } = await ask<{ id: number }>(served, 'POST', '/records/bulk', body);
    accepted.push(performance.now() - startedMs);
    while ((await ask<{ status: string }>(served, 'GET', `/bulk_requests/${id}?limit=1`)).status !== 'completed') {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    completed.push(performance.now() - startedMs);
  };
  await Promise.all(bodies.map(send));
  return { accepted, completed };
}

/** The run's end, looked for while everything else goes on. */
async function ended(served: Served, url: string, startedMs: number): Promise<{ readonly status: string; readonly runMs: number }> {
  for (;;) {
    const { status } = await ask<{ status: string }>(served, 'GET', url);
    if (['completed', 'failed', 'cancelled'].includes(status)) return { status, runMs: performance.now() - startedMs };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Pages of records, one after another, until `isOver`. */
async function pages(served: Served, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const startedMs = performance.now();
    await ask(served, 'GET', '/records?data_stream_key=ledger&sort=date&limit=100');
    times.push(performance.now() - startedMs);
  }
  return times;
}

/** 100,000 items in 100 requests at once, while a run of 50,000 lines a side goes on: nobody waits for the whole run. */
export async function bulkInFlight(): Promise<Record<string, unknown>> {
  const files = benchFiles(LINES);
  const book = path.join(files.folder, 'book');
  await run(['import', files.ledger, '--data', book, '--stream', 'ledger']);
  await run(['import', files.bank, '--data', book, '--stream', 'bank']);
  const served = await serve(book);
  const streams = await ask<{ id: number; key: string }[]>(served, 'GET', '/data_streams');
  const idOf = (key: string) => streams.find((stream) => stream.key === key)?.id;
  const bodies = Array.from({ length: REQUESTS }, (_, request) => bodyOf(request));
  const created = {
    name: 'bench',
    run_type: 'batch',
    sign_convention: 'same',
    side_a_stream_ids: [idOf('ledger')],
    side_b_stream_ids: [idOf('bank')],
  };
  const { id } = await ask<{ id: number }>(served, 'POST', '/reconciliations', JSON.stringify(created));
  const filters = { rules: [{ key: 'metadata.Reference', value: 'metadata.Reference' }] };
  await ask(served, 'POST', '/reconciliation_rules', JSON.stringify({ reconciliation_id: id, filters }));
  const startedMs = performance.now();
  const started = await ask<{ id: number }>(served, 'POST', `/reconciliations/${id}/runs`, '{}');
  const running = ended(served, `/reconciliations/${id}/runs/${started.id}`, startedMs);
  let isOver = false;
  const asking = pages(served, () => isOver);
  const sent = await sendAll(served, bodies);
  isOver = true;
  const asked = await asking;
  const { status, runMs } = await running;
  await served.stop();
  const figures = (times: readonly number[]) => ({ p50_ms: rounded(quantile(times, 0.5)), p99_ms: rounded(quantile(times, 0.99)) });
  return {
    bench: 'bulk-in-flight',
    items: REQUESTS * ITEMS,
    run_status: status,
    run_ms: rounded(runMs),
    accepted: figures(sent.accepted),
    completed: figures(sent.completed),
    pages: { asked: asked.length, ...figures(asked) },
  };
}
