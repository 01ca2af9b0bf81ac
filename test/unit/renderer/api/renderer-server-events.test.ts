import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hearServer } from '../../../../src-renderer/api/connection.ts';

/** A server that answers one after the other of these, and then for ever the last one. */
function heard(answers: readonly (() => Response)[]) {
  const told: unknown[] = [];
  const asked: (readonly [string, HeadersInit | undefined])[] = [];
  const ended = hearServer({
    url: 'http://127.0.0.1:1/app/events',
    headers: { 'x-tieout-window': 'secret' },
    fetch: async (url, init) => {
      asked.push([String(url), init?.headers]);
      return answers[Math.min(asked.length, answers.length) - 1]?.() ?? Response.error();
    },
    onMessage: (message) => told.push(message),
    onOpen: (again) => told.push(again ? 'open again' : 'open'),
    onRefused: () => told.push('refused'),
  });
  return { told, asked, ended };
}

const stream =
  (...parts: readonly (string | Uint8Array)[]) =>
  () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const part of parts) controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
          controller.close();
        },
      }),
    );
const refused = () => new Response('{}', { status: 401 });

describe('the events of the server', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('are told one by one, however they are cut on the way', async () => {
    const text = 'retry: 2000\n\ndata: {"kind":"a"}\n\n: still here\n\ndata: {"name":"Zürich"}\n\ndata: [1,\ndata: 2]\n\n';
    const bytes = new TextEncoder().encode(text);
    const cuts = [[bytes], Array.from(bytes, (byte) => new Uint8Array([byte]))];
    for (const parts of cuts) {
      const { told, asked, ended } = heard([stream(...parts), refused]);
      await vi.advanceTimersByTimeAsync(2_000);
      await ended;
      expect(told).toEqual(['open', { kind: 'a' }, { name: 'Zürich' }, [1, 2], 'refused']);
      expect(asked[0]).toEqual(['http://127.0.0.1:1/app/events', { 'x-tieout-window': 'secret' }]);
    }
  });

  it('are asked for again when the stream ends, and until the server is back', async () => {
    const down = () => {
      throw new TypeError('Failed to fetch');
    };
    const busy = () => new Response('{}', { status: 429 });
    const { told, asked, ended } = heard([stream('data: 1\n\nda'), down, busy, stream('data: 2\n\n'), refused]);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(8_000);
    await ended;
    expect(told).toEqual(['open', 1, 'open again', 2, 'refused']);
  });

  it('are asked for no more by a window that the server does not know', async () => {
    const { told, asked, ended } = heard([refused]);
    await ended;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([told, asked.length]).toEqual([['refused'], 1]);
  });
});
