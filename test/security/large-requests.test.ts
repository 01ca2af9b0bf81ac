import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../src-shared/contract/common.ts';
import { faultOfSize } from '../../src-main/transport/validation/json-body.ts';
import { ask, jsonHeaders, startTestServer, type TestServer } from '../contract/support.ts';

const list = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, index) => item(index)).join(',');
const members = (count: number) => `{${list(count, (index) => `"m${index}":1`)}}`;
const codeOf = (text: string) => faultOfSize(Buffer.from(text))?.code ?? null;

describe('what a body holds is counted before it is parsed', () => {
  it.each([
    ['members of one object', members(LIMITS.jsonMembers), members(LIMITS.jsonMembers + 1), 'too_many_members'],
    [
      'members of an object inside',
      `[{"a":${members(LIMITS.jsonMembers)}}]`,
      `[{"a":${members(LIMITS.jsonMembers + 1)}}]`,
      'too_many_members',
    ],
    ['values of a list', `[${list(LIMITS.jsonValues - 1, () => '1')}]`, `[${list(LIMITS.jsonValues, () => '1')}]`, 'too_many_values'],
    [
      'objects of a list',
      `[${list(LIMITS.jsonValues / 2 - 1, () => '{"a":1}')}]`,
      `[${list(LIMITS.jsonValues / 2, () => '{"a":1}')}]`,
      'too_many_values',
    ],
    [
      'a text',
      JSON.stringify(['x'.repeat(LIMITS.jsonItemBytes - 10)]),
      JSON.stringify(['x'.repeat(LIMITS.jsonItemBytes)]),
      'too_large_item',
    ],
    [
      'an item of a list',
      JSON.stringify({ records: [1, { notes: Array.from({ length: 10 }, () => 'x'.repeat(100_000)) }, 1] }),
      JSON.stringify({ records: [1, { notes: Array.from({ length: 11 }, () => 'x'.repeat(100_000)) }, 1] }),
      'too_large_item',
    ],
    [
      'the last item of a list',
      JSON.stringify({ records: [{ notes: Array.from({ length: 10 }, () => 'x'.repeat(100_000)) }] }),
      JSON.stringify({ records: [{ notes: Array.from({ length: 11 }, () => 'x'.repeat(100_000)) }] }),
      'too_large_item',
    ],
    ['lists in lists', '['.repeat(LIMITS.jsonValues - 1), '['.repeat(LIMITS.jsonValues), 'too_many_values'],
  ])('%s', (_, most, more, code) => {
    expect([codeOf(most), codeOf(more)]).toEqual([null, code]);
  });

  it.each([
    ['text', { records: [{}, { description: 'x'.repeat(LIMITS.jsonItemBytes) }, {}] }, 'records.1.description'],
    [
      'text in a list',
      { a: 1, records: [{}, { metadata: { 'a "b", {c': ['y', 'x'.repeat(LIMITS.jsonItemBytes)] } }] },
      'records.1.metadata.a \\"b\\", {c.1',
    ],
    ['item', { records: [1, {}, { notes: Array.from({ length: 11 }, () => 'x'.repeat(100_000)) }, 1] }, 'records.2'],
    ['last item', { records: [1, { notes: Array.from({ length: 11 }, () => 'x'.repeat(100_000)) }] }, 'records.1'],
    ['object', { records: [{}, { metadata: JSON.parse(members(LIMITS.jsonMembers + 1)) as object }] }, 'records.1.metadata'],
  ])('and the refusal names the %s', (_, body, path) => {
    const fault = faultOfSize(Buffer.from(JSON.stringify(body)));
    expect(fault?.path).toBe(path);
    expect(fault?.message).toContain(` at ${path} `);
  });

  it('and what stands in texts is not', () => {
    const text = `${'{,'.repeat(LIMITS.jsonValues)}\\"[`;
    for (const body of [JSON.stringify(text), JSON.stringify({ [text]: [text, '\\', '\\"'] }), `"${','.repeat(LIMITS.jsonValues + 1)}`]) {
      expect(codeOf(body)).toBeNull();
    }
    expect(codeOf(`["\\\\",${list(LIMITS.jsonValues, () => '1')}]`)).toBe('too_many_values');
  });

  it('empty ones and blanks are none', () => {
    expect(codeOf(`[${list(LIMITS.jsonValues / 2, () => ' [ \n ] ')}]`)).toBeNull();
    expect([codeOf(''), codeOf('{'), codeOf(']]]}'), codeOf('"')]).toEqual([null, null, null, null]);
  });
});

describe('a body with a million members that nobody knows', () => {
  const million = members(1_000_000);
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it.each(['/v1/data_streams', '/v1/records/bulk'])('is refused by %s without being parsed', async (path) => {
    const parsed = vi.spyOn(JSON, 'parse');
    const answer = await ask(server.port, path, { method: 'POST', headers: jsonHeaders(server.apiKey), body: million });
    const sizes = parsed.mock.calls.map(([text]) => String(text).length);
    parsed.mockRestore();
    expect(answer.status).toBe(422);
    expect(answer.json).toMatchObject({ code: 'validation_failed', errors: [{ path: '', code: 'too_many_members' }] });
    expect(answer.json?.['message']).toBe('The body has an object with more than 5,000 members. Send fewer, or in several requests.');
    expect(Math.max(0, ...sizes)).toBeLessThan(10_000);
  });

  it('as a list is refused likewise', async () => {
    const body = `{"records":[${list(1_000_000, () => '{}')}]}`;
    const answer = await ask(server.port, '/v1/records/bulk', { method: 'POST', headers: jsonHeaders(server.apiKey), body });
    expect([answer.status, answer.json?.['message']]).toEqual([
      422,
      'The body holds more than 250,000 values. Send fewer, or in several requests.',
    ]);
  });

  it('the largest of usual requests is none', async () => {
    const item = (index: number) =>
      JSON.stringify({
        data_stream_key: 'bank',
        date: '2026-06-01',
        amount: index,
        metadata: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, at])),
      });
    const body = `{"records":[${list(1_000, item)}]}`;
    const answer = await ask(server.port, '/v1/records/bulk', { method: 'POST', headers: jsonHeaders(server.apiKey), body });
    expect(answer.status).toBe(202);
  });
});
