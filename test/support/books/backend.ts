import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { startBackend } from '../../../src-main/backend/backend.ts';
import type { Backend } from '../../../src-main/backend/types.ts';
import { openBook } from '../../../src-main/book/store/book.ts';
import type { Alarm, Clock, Log, Printer, Random } from '../../../src-main/platform/ports.ts';
import { type Client, createClient } from '../../../src-shared/client/client.ts';
import type { BookEvent, Job } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';

export const TEST_START_MS = 1_782_896_400_000; // 2026-07-01T09:00:00Z
const TEST_TODAY = 20_635; // 2026-07-01
const WAIT_MS = 20_000;

/** A clock that moves only when a test advances it. */
export interface TestClock extends Clock {
  readonly advance: (milliseconds: number) => void;
}

export function testClock(): TestClock {
  let nowMs = TEST_START_MS;
  let ticks = 0;
  return {
    nowMs: () => nowMs,
    today: () => TEST_TODAY,
    monotonicMs: () => (ticks += 1),
    advance: (milliseconds) => {
      nowMs += milliseconds;
    },
  };
}

/** Returns a source of bytes that are the same in every run of a test. */
export function testRandom(seed = 7): Random {
  let state = seed;
  return {
    bytes: (count) =>
      Uint8Array.from({ length: count }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state >>> 24;
      }),
  };
}

export interface TestLog extends Log {
  readonly lines: string[];
}

/** Returns a log that keeps its lines, so that a test can assert that nothing went wrong. */
export function testLog(): TestLog {
  const lines: string[] = [];
  const keep = (level: string) => (message: string, detail?: Readonly<Record<string, unknown>>) => {
    lines.push(`${level}: ${message} ${JSON.stringify(detail ?? {})}`);
  };
  return { lines, info: keep('info'), warning: keep('warning'), error: keep('error') };
}

/** Returns a folder that is removed after the test. */
export function testFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let template: string | null = null;

/**
 * Returns a folder with an unused book, removed after the test. It is a copy of one that is made once per process, because making it takes ten times
 * as long.
 */
export function folderWithNewBook(): string {
  template ??= makeTemplate();
  const folder = testFolder();
  cpSync(template, folder, { recursive: true });
  return folder;
}

function makeTemplate(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-template-'));
  const opened = openBook(folder);
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  opened.value.close();
  return folder;
}

export type TestClient = Client & { readonly refusal: (operation: Parameters<Client['call']>[0], input: unknown) => Promise<Refused> };
interface Refused {
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

/** Returns a client whose `refusal` returns the error of a call. A call that should be refused and succeeds fails the test. */
export function testClient(backend: Pick<Backend, 'dispatch' | 'ownCaller'>, environment: 'live' | 'test' = 'live'): TestClient {
  const caller = backend.ownCaller(environment, 'app');
  const client = createClient((operation, input) => backend.dispatch(operation, input, caller));
  return {
    ...client,
    refusal: async (operation, input) => {
      const outcome = await backend.dispatch(operation, input, caller);
      assert(!outcome.ok, `${operation} is refused, but answered ${JSON.stringify(outcome)}`);
      return outcome.error;
    },
  };
}

export interface TestBook {
  readonly folder: string;
  readonly backend: Backend;
  readonly client: TestClient;
  readonly clock: TestClock;
  readonly log: TestLog;
  readonly events: readonly BookEvent[];
  /** Resolves with the job once it has ended. */
  readonly ended: (job: { readonly id: number }) => Promise<Job>;
  /** Starts a run and resolves with it once it has ended. */
  readonly run: (reconciliationId: number) => ReturnType<Client['get']> extends Promise<unknown> ? Promise<RunEnd> : never;
  /** Writes a file, imports it into a stream (in USD where it names no currency), and resolves with the ended job. */
  readonly importText: (streamKey: string, text: string | Uint8Array, options?: Readonly<Record<string, unknown>>) => Promise<Job>;
  readonly close: () => Promise<void>;
}
type RunEnd = Awaited<ReturnType<typeof runOf>>;
const runOf = (client: Client, id: number, runId: number) => client.get('runs.get', { id, run_id: runId });

/** Starts a whole backend on a temporary folder; closed and removed after the test. */
export async function openTestBook(folder = folderWithNewBook(), alarm?: Alarm, printer?: Printer): Promise<TestBook> {
  const clock = testClock();
  const log = testLog();
  const given = { ...(alarm === undefined ? {} : { alarm }), ...(printer === undefined ? {} : { printer }) };
  const ports = { clock, random: testRandom(), log, ...given };
  const started = await startBackend({ dataFolder: folder, ...ports, version: '0.0.0-test' });
  assert(started.ok, started.ok ? '' : started.error.message);
  const backend = started.value;
  const client = testClient(backend);
  const events: BookEvent[] = [];
  const watchers = new Set<() => void>();
  backend.subscribe((event) => {
    events.push(event);
    for (const watcher of watchers) watcher();
  });
  let closed = false;
  const close = async () => {
    if (!closed) await backend.close();
    closed = true;
  };
  onTestFinished(close);
  const jobEnded = (isIt: (event: Extract<BookEvent, { kind: 'job' }>) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no end within ${WAIT_MS} ms: ${log.lines.join('\n')}`)), WAIT_MS);
      const look = () => {
        const found = events.some((event) => event.kind === 'job' && event.phase === 'ended' && isIt(event));
        if (!found) return;
        clearTimeout(timer);
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  const ended: TestBook['ended'] = async (job) => {
    await jobEnded((event) => event.job_id === job.id);
    return client.get('jobs.get', { id: job.id });
  };
  let files = 0;
  return {
    folder,
    backend,
    client,
    clock,
    log,
    events,
    ended,
    close,
    run: async (reconciliationId) => {
      const run = await client.get('runs.start', { id: reconciliationId });
      await jobEnded((event) => event.run_id === run.id);
      return runOf(client, reconciliationId, run.id);
    },
    importText: async (streamKey, text, options = {}) => {
      files += 1;
      const file = path.join(folder, `statement-${files}.csv`);
      writeFileSync(file, text);
      const chosen = backend.registerFile(file);
      assert(chosen.ok, 'the file was just written');
      return ended(
        await client.get('imports.start', { file_token: chosen.value.token, stream_key: streamKey, currency: 'USD', ...options }),
      );
    },
  };
}
