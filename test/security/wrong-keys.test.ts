import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCountedLog } from '../../src-main/transport/http/server.ts';
import { createSlowdown } from '../../src-main/transport/access/guards.ts';
import { REFUSAL_WORDS } from '../../src-main/transport/http/server.ts';
import { ask, memoryLog, startTestServer } from '../contract/support.ts';

describe('keys that are not valid', () => {
  it('are answered at once 20 times, then later each time, up to 2 seconds', () => {
    const wait = createSlowdown(20, { monotonicMs: () => 0 });
    const waits = Array.from({ length: 100 }, () => wait('machine'));
    expect(waits.slice(0, 23)).toEqual([...Array.from({ length: 20 }, () => 0), 50, 100, 150]);
    expect([waits[58], waits[59], waits[60], waits[99]]).toEqual([1_950, 2_000, 2_000, 2_000]);
    expect(wait('other machine')).toBe(0);
  });

  it('are forgotten at one a second', () => {
    let nowMs = 0;
    const wait = createSlowdown(20, { monotonicMs: () => nowMs });
    for (let tried = 0; tried < 100; tried += 1) wait('machine');
    nowMs = 78_000;
    expect(wait('machine')).toBe(150);
    nowMs = 1_000_000;
    expect(wait('machine')).toBe(0);
  });

  it('slow down nobody who has a valid one, and each is still told that it is not', async () => {
    const log = memoryLog();
    const server = await startTestServer({ log });
    onTestFinished(server.close);
    const order: string[] = [];
    const tries = Array.from({ length: 30 }, async (_, index) => {
      const answer = await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': `wrong-${index}` } });
      order.push('wrong');
      return answer.status;
    });
    await vi.waitFor(() => expect(order).toHaveLength(20));
    const valid = await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': server.apiKey } });
    order.push('valid');
    expect(valid.status).toBe(200);
    expect(new Set(await Promise.all(tries))).toEqual(new Set([401]));
    // The last wrong one waits for half a second: the valid one, sent after it, overtakes it.
    expect(order.indexOf('valid')).toBeLessThan(order.length - 1);
  });

  it('are slowed down for the window as well', async () => {
    const server = await startTestServer();
    onTestFinished(server.close);
    let answered = 0;
    const tries = Array.from({ length: 30 }, async () => {
      await ask(server.port, '/app/book', { headers: { 'x-tieout-window': 'wrong' } });
      answered += 1;
    });
    await vi.waitFor(() => expect(answered).toBeGreaterThanOrEqual(20));
    await ask(server.port, '/v1/data_streams', { headers: { 'x-api-key': server.apiKey } });
    expect(answered).toBeLessThan(30);
    await Promise.all(tries);
  });
});

describe('the log of refusals', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('tells 50 a minute one by one and counts the rest', () => {
    const log = memoryLog();
    const teller = createCountedLog(log, REFUSAL_WORDS);
    for (let sent = 0; sent < 1_050; sent += 1) teller.warn(sent % 10 === 0 ? 403 : 401, { path: `/${sent}` });
    expect(log.lines).toHaveLength(50);
    vi.advanceTimersByTime(60_000);
    expect(log.lines.slice(50)).toEqual([
      { level: 'warning', message: 'More requests were refused', detail: { count: 1_000, of_which: { 401: 900, 403: 100 }, seconds: 60 } },
    ]);
    teller.warn(401, { path: '/again' });
    expect(log.lines.at(-1)).toEqual({ level: 'warning', message: 'A request was refused', detail: { path: '/again' } });
    vi.advanceTimersByTime(600_000);
    expect(log.lines).toHaveLength(52);
  });

  it('tells what it has counted when the server stops', () => {
    const log = memoryLog();
    const teller = createCountedLog(log, REFUSAL_WORDS);
    for (let sent = 0; sent < 51; sent += 1) teller.warn(401, {});
    teller.end();
    expect(log.lines.at(-1)?.detail).toMatchObject({ count: 1, of_which: { 401: 1 } });
    expect(vi.getTimerCount()).toBe(0);
  });
});
