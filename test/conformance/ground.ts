import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Backend } from '../../src-main/backend/types.ts';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { ERRORS } from '../../src-shared/contract/index.ts';
import type { Caller } from '../../src-main/service/handler.ts';
import { clientOf, createParityBook, fixedClock, settled } from '../contract/parity-book.ts';
import { testAlarm } from '../support/faults/alarm.ts';
import { holdJobs } from '../support/processes/built-worker.ts';
import { echoHandlers, memoryLog, startTestServer } from '../contract/support.ts';
import type { Ground } from './service.ts';

/** Rules that wait for a review; each can be activated or dismissed once, and no operation makes one. */
const PROPOSED_RULES = 90;
/** Longer than any share of time that work in the background takes at once. */
const LONG_MS = 1_000;
const NO_LIMIT = 1_000_000_000;

/** The servers that the proofs speak to, and what ends them. */
export async function startGround(): Promise<{ ground: Ground; close: () => Promise<void> }> {
  const book = await createParityBook(PROPOSED_RULES);
  const alarm = testAlarm();
  let monotonicMs = 0;
  let stepMs = 0;
  const clock = { ...fixedClock, monotonicMs: () => (monotonicMs += stepMs) };
  const backend = await book.open('conformance', { clock, alarm });
  const client = clientOf(backend);
  // The clock of the parity book stands still, so that a limit would never let go.
  const limits = { requestsPerSecond: NO_LIMIT, requestBurst: NO_LIMIT, wrongKeysAtOnce: NO_LIMIT };
  await importAch(backend);
  const server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits });
  const read = await client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Reader' });
  const test = await client.get('api_keys.issue', { environment: 'test', permission: 'read_write', name: 'Tester' });
  const revoked = await client.get('api_keys.issue', { environment: 'live', permission: 'read_write', name: 'Lost' });
  await client.get('api_keys.revoke', { id: revoked.id });
  const slow = await backend.serveHttp({
    port: 0,
    uiFolder: null,
    environment: 'live',
    limits: { requestsPerSecond: 1, requestBurst: 2, wrongKeysAtOnce: NO_LIMIT },
  });
  const failing = await startTestServer({ dispatch: createDispatch(failingHandlers(), memoryLog()) });
  const proposed = (await client.get('rules.list', { reconciliation_id: 1 }))
    .filter((rule) => rule.status === 'proposed')
    .map(({ id }) => id);
  let words = 0;
  return {
    ground: {
      port: server.port,
      keys: { live: server.apiKey, read: read.key, test: test.key, revoked: revoked.key },
      slow,
      failing,
      proposedRule() {
        const next = proposed.shift();
        assert(next !== undefined, 'a proposed rule is left');
        return next;
      },
      pass: alarm.advance,
      async slowly(work) {
        stepMs = LONG_MS;
        try {
          return await work();
        } finally {
          stepMs = 0;
        }
      },
      async held(work) {
        const release = holdJobs();
        try {
          return await work();
        } finally {
          release();
        }
      },
      unique: (word) => `${word}-${(words += 1)}`,
    },
    async close() {
      await Promise.all([server.close(), slow.close(), failing.close()]);
      await backend.close();
      book.remove();
    },
  };
}

/** A file of one payment, which no operation of `/v1` imports: into the stream `ach`. */
async function importAch(backend: Backend): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-conformance-'));
  const file = path.join(folder, 'payments.ach');
  const lines = [
    '101 23138010412104288221906240000A094101Federal Reserve Bank   My Bank Name',
    '5200Name on Account                     121042882 PPDREG.SALARY      260602   1121042880000001',
    '627231380104987654321        0000005000ID-1           Jane Doe                0000000000000001',
    '820000000100231380100000000050000000000000000121042882',
    '9000001000001000000010023138010000000005000000000000000',
  ];
  writeFileSync(file, lines.map((line) => `${line.padEnd(94)}\n`).join(''));
  const chosen = backend.registerFile(file);
  assert(chosen.ok, 'the file was just written');
  const { id } = await clientOf(backend).get('imports.start', { file_token: chosen.value.token, stream_key: 'ach', stream_name: 'ACH' });
  const job = await settled(backend, id);
  assert(job.status === 'completed', `the payments are imported: ${job.error_message ?? job.status}`);
  rmSync(folder, { recursive: true });
}

/** Streams whose key is an error code answer that error; the others fail in an unforeseen way. */
function failingHandlers() {
  return echoHandlers({
    'streams.get': (_: Caller, input: unknown) => {
      const { key } = input as { key: string };
      if (!Object.hasOwn(ERRORS, key)) throw new Error(`secret of ${key}`);
      return { ok: false, error: { code: key, message: `Answered with ${key}.` } };
    },
  });
}
