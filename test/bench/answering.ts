import path from 'node:path';
import { benchFiles } from './data/data.ts';
import { quantile, rounded, run, serve, type Served } from './product.ts';

const LINES = 100_000;
const REST_QUESTIONS = 300;

async function ask(served: Served, url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${served.baseUrl}${url}`, {
    ...init,
    headers: { 'x-api-key': served.apiKey, 'content-type': 'application/json', ...init.headers },
  });
}

/** Asks a page of records again and again until `done` says so; answers each question's milliseconds. */
async function questions(served: Served, done: () => Promise<boolean> | boolean): Promise<number[]> {
  const times: number[] = [];
  for (;;) {
    const startedMs = performance.now();
    const answer = await ask(served, '/records?data_stream_key=ledger&sort=date&limit=100');
    await answer.arrayBuffer();
    times.push(performance.now() - startedMs);
    if (times.length % 10 === 0 && (await done())) return times;
  }
}

function figures(times: readonly number[], rest: readonly number[]): Record<string, number> {
  return {
    questions: times.length,
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
    max_ms: rounded(Math.max(...times)),
    p99_ratio: rounded(quantile(times, 0.99) / quantile(rest, 0.99)),
  };
}

export interface Window {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The window's own way in: the secret behind `#` of its address. */
export function openWindow({ baseUrl, uiUrl }: Served): Window {
  return { origin: baseUrl.replace(/\/v1$/, ''), headers: { 'x-tieout-window': new URL(uiUrl).hash.replace('#token=', '') } };
}

/** Uploads a file and has it imported; answers whether that is over. */
export async function importByWindow({ origin, headers }: Window, file: string, streamKey: string): Promise<() => Promise<boolean>> {
  const { openAsBlob } = await import('node:fs');
  const sent = await fetch(`${origin}/app/files?name=bank.csv`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: await openAsBlob(file),
  });
  const { token } = (await sent.json()) as { token: string };
  const started = await fetch(`${origin}/app/imports`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ file_token: token, stream_key: streamKey }),
  });
  const { id } = (await started.json()) as { id: number };
  return async () => {
    const job = (await (await fetch(`${origin}/app/jobs/${id}`, { headers })).json()) as { status: string };
    return job.status !== 'running' && job.status !== 'pending';
  };
}

/** Answers while an import and a run of 100,000 lines a side go on. */
export async function answering(): Promise<Record<string, unknown>> {
  const files = benchFiles(LINES);
  const book = path.join(files.folder, 'book');
  await run(['import', files.ledger, '--data', book, '--stream', 'ledger']);
  const served = await serve(book);
  let asked = 0;
  const rest = await questions(served, () => (asked += 10) >= REST_QUESTIONS);
  const importing = await questions(served, await importByWindow(openWindow(served), files.bank, 'bank'));
  const streams = (await (await ask(served, '/data_streams')).json()) as { id: number }[];
  const created = await ask(served, '/reconciliations', {
    method: 'POST',
    body: JSON.stringify({
      name: 'bench',
      run_type: 'batch',
      sign_convention: 'same',
      side_a_stream_ids: [streams[0]?.id],
      side_b_stream_ids: [streams[1]?.id],
    }),
  });
  const { id } = (await created.json()) as { id: number };
  const filters = {
    rules: [
      { key: 'reference', value: 'reference' },
      { key: 'signed_amount', value: 'signed_amount' },
    ],
  };
  await ask(served, '/reconciliation_rules', { method: 'POST', body: JSON.stringify({ reconciliation_id: id, filters }) });
  await ask(served, `/reconciliations/${id}/runs`, { method: 'POST', body: '{}' });
  const running = await questions(served, async () => {
    const found = (await (await ask(served, `/reconciliations/${id}`)).json()) as { current_run: unknown };
    return found.current_run === null;
  });
  await served.stop();
  return {
    bench: 'answering',
    lines_a_side: LINES,
    at_rest: figures(rest, rest),
    during_import: figures(importing, rest),
    during_run: figures(running, rest),
  };
}
