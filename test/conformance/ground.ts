import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { ERRORS } from '../../src-shared/contract/index.ts';
import type { Caller } from '../../src-main/service/handler.ts';
import { clientOf, createParityBook, fixedClock } from '../contract/parity-book.ts';
import { testAlarm } from '../support/alarm.ts';
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
  const limits = { requestsPerSecond: NO_LIMIT, requestBurst: NO_LIMIT };
  const server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits });
  const read = await client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Reader' });
  const test = await client.get('api_keys.issue', { environment: 'test', permission: 'read_write', name: 'Tester' });
  const revoked = await client.get('api_keys.issue', { environment: 'live', permission: 'read_write', name: 'Lost' });
  await client.get('api_keys.revoke', { id: revoked.id });
  const slow = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live', limits: { requestsPerSecond: 1, requestBurst: 2 } });
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
      unique: (word) => `${word}-${(words += 1)}`,
    },
    async close() {
      await Promise.all([server.close(), slow.close(), failing.close()]);
      await backend.close();
      book.remove();
    },
  };
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
