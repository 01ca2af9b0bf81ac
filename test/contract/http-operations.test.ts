import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDispatch, createIpcHandler } from '../../src-main/transport/dispatch.ts';
import { createHttpTransport, type Transport } from '../../src-shared/client/client.ts';
import { contract, type Operation, OPERATION_IDS } from '../../src-shared/contract/index.ts';
import { queryMembers } from '../../src-shared/contract/operation.ts';
import { anyCharacter } from '../support/inputs/any-character.ts';
import { quickTest, runs } from '../support/long.ts';
import { appCaller, echoHandlers, memoryLog, startTestServer, type TestServer, windowHeaders } from './support.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tieout-operations-'));
const dispatch = createDispatch(echoHandlers(), memoryLog());
const overIpc = createIpcHandler(dispatch, appCaller);
let server: TestServer;
let overApp: Transport;
let overV1: Transport;

beforeAll(async () => {
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Tieout</title>');
  server = await startTestServer({ uiFolder: folder, dispatch });
  const origin = `http://127.0.0.1:${server.port}`;
  const headers = windowHeaders(server);
  overApp = createHttpTransport({ baseUrl: `${origin}/app`, fetch, headers });
  overV1 = createHttpTransport({ baseUrl: `${origin}/v1`, fetch, apiKey: server.apiKey });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const specOf = (id: (typeof OPERATION_IDS)[number]): Operation => contract[id];

describe('an operation over HTTP sees what it sees over IPC', () => {
  quickTest.each(OPERATION_IDS)('%s, its example', async (id) => {
    const expected = await overIpc(id, specOf(id).example);
    const answer = await overApp(id, specOf(id).example);
    // A 204 has no body, so the echo is lost; that the handler was reached is all that can be seen.
    expect(answer).toEqual(specOf(id).status === 204 ? { ok: true, value: null } : expected);
    expect((await overV1(id, specOf(id).example)).ok).toBe(specOf(id).surface === 'public');
  });

  quickTest.each(OPERATION_IDS.filter((id) => specOf(id).method !== 'GET'))('%s, the same refusal of an unknown field', async (id) => {
    const input = { ...specOf(id).example, nonsense: 'x' };
    const expected = await overIpc(id, input);
    expect(expected).toMatchObject({ ok: false, error: { code: 'unknown_field' } });
    const isSent = specOf(id).method !== 'DELETE' || queryMembers(specOf(id)).includes('nonsense');
    // The client sends only what the contract puts into a query; a body goes as it is.
    expect((await overApp(id, input)).ok).toBe(!isSent);
  });

  it('records.list, any text and number in its filters', async () => {
    const filters = fc.record(
      {
        data_stream_key: fc.string({ unit: anyCharacter }),
        external_id: fc.string(),
        amount_min: fc.integer(),
        limit: fc.integer({ min: -5, max: 200 }),
        offset: fc.nat(),
        reconciliation_id: fc.oneof(fc.string(), fc.integer()),
        direction: fc.constantFrom('credit', 'debit', ''),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, async (input) => {
        expect(await overApp('records.list', input)).toEqual(await overIpc('records.list', sentAsText(input)));
      }),
      { numRuns: runs(60, 6) },
    );
  });

  it('streams.get, any key in its path', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 40 }), async (key) => {
        fc.pre(key !== '.' && key !== '..');
        expect(await overApp('streams.get', { key })).toEqual(await overIpc('streams.get', { key }));
      }),
      { numRuns: runs(60, 6) },
    );
  });

  it('records.create, any JSON in its metadata', async () => {
    const base = { data_stream_key: 'bank', date: '2026-06-30', amount: 1 };
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), async (metadata) => {
        const input: unknown = JSON.parse(JSON.stringify({ ...base, metadata }));
        expect(await overApp('records.create', { ...base, metadata })).toEqual(await overIpc('records.create', input));
      }),
      { numRuns: runs(60, 6) },
    );
  });
});

/** Ids may be sent as integers or text; a query knows only text, and a lone surrogate has no UTF-8. */
function sentAsText(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      name === 'reconciliation_id' ? String(value) : typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  );
}
