import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ask, rounded, run, serve, type Served } from './product.ts';

const RECORDS = Number(process.env['TIEOUT_BENCH_RECORDS'] ?? 100_000);
const CHUNK = 1_000;
const LOOK_MS = 50;

function itemsOf(chunk: number): unknown[] {
  return Array.from({ length: CHUNK }, (_, index) => {
    const number = chunk * CHUNK + index;
    return {
      data_stream_key: 'bank',
      date: `2026-${String((number % 12) + 1).padStart(2, '0')}-${String((number % 28) + 1).padStart(2, '0')}`,
      amount: 1 + ((number * 7_919) % 100_000),
      direction: number % 10 === 0 ? 'debit' : 'credit',
      currency: 'GBP',
      description: `Order ${number} card payment`,
      external_id: `order-${number}`,
    };
  });
}

interface Polled {
  readonly id: number;
  readonly status: string;
}

async function ended(served: Served, { id }: Polled): Promise<void> {
  while ((await ask<Polled>(served, 'GET', `/bulk_requests/${id}?limit=1`)).status !== 'completed')
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The bulk requests alone: while one is worked on, the next is on its way, as sync does it. Answers milliseconds. */
async function bulkAlone(served: Served): Promise<number> {
  await ask(served, 'POST', '/data_streams', { key: 'bank', name: 'Bank' });
  const startedMs = performance.now();
  let working: Promise<void> = Promise.resolve();
  for (let chunk = 0; chunk < RECORDS / CHUNK; chunk += 1) {
    const sending = ask<Polled>(served, 'POST', '/records/bulk', { records: itemsOf(chunk), on_conflict: 'skip' });
    const [sent] = await Promise.all([sending, working]);
    working = ended(served, sent);
  }
  await working;
  return performance.now() - startedMs;
}

/** The most memory a process has held so far, in MB. */
function peakMb(pid: number): number {
  try {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(found?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** One sync in a process of its own. */
async function synced(data: string, served: Served, keyFile: string): Promise<{ readonly ms: number; readonly peak: number }> {
  let peak = 0;
  let timer: NodeJS.Timeout | undefined;
  const { document } = await run(['sync', '--data', data, '--remote', served.baseUrl, '--key-file', keyFile], (pid) => {
    timer = setInterval(() => (peak = Math.max(peak, peakMb(pid))), LOOK_MS);
  });
  clearInterval(timer);
  return { ms: (document as { duration_ms: number }).duration_ms, peak };
}

/** 100,000 records pushed to and pulled from another Tieout, beside the same bulk requests without sync around them. */
export async function sync(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  const at = (name: string): string => path.join(folder, name);
  const keyOf = ({ apiKey }: Served): string => {
    writeFileSync(at('key'), apiKey);
    return at('key');
  };
  const source = await serve(at('source'));
  const bulkMs = await bulkAlone(source);
  // A book is begun by a start.
  await (await serve(at('pulled'))).stop();
  const pulled = await synced(at('pulled'), source, keyOf(source));
  await source.stop();
  const target = await serve(at('target'));
  const pushed = await synced(at('pulled'), target, keyOf(target));
  const nothing = await synced(at('pulled'), target, keyOf(target));
  await target.stop();
  rmSync(folder, { recursive: true });
  return {
    bench: 'sync',
    records: RECORDS,
    bulk_ms: rounded(bulkMs),
    push_ms: pushed.ms,
    pull_ms: pulled.ms,
    push_throughput: rounded(bulkMs / pushed.ms),
    pull_throughput: rounded(bulkMs / pulled.ms),
    nothing_new_ms: nothing.ms,
    push_peak_mb: rounded(pushed.peak),
    pull_peak_mb: rounded(pulled.peak),
  };
}
