import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readServerEvents } from '../../../../src-renderer/api/connection.ts';

/** A server that gives these answers in order and repeats the last one. */
function follow(answers: readonly (() => Response)[]) {
  const received: unknown[] = [];
  const asked: (readonly [string, HeadersInit | undefined])[] = [];
  const ended = readServerEvents({
    url: 'http://127.0.0.1:1/app/events',
    headers: { 'x-tieout-window': 'secret' },
    fetch: async (url, init) => {
      asked.push([String(url), init?.headers]);
      return answers[Math.min(asked.length, answers.length) - 1]?.() ?? Response.error();
    },
    onMessage: (message) => received.push(message),
    onLost: () => received.push('lost'),
    onOpen: (again) => received.push(again ? 'open again' : 'open'),
    onRefused: () => received.push('refused'),
  });
  return { received, asked, ended };
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

  it('arrive one by one, however the stream is split', async () => {
    const text = 'retry: 2000\n\ndata: {"kind":"a"}\n\n: still here\n\ndata: {"name":"Zürich"}\n\ndata: [1,\ndata: 2]\n\n';
    const bytes = new TextEncoder().encode(text);
    const cuts = [[bytes], Array.from(bytes, (byte) => new Uint8Array([byte]))];
    for (const parts of cuts) {
      const { received, asked, ended } = follow([stream(...parts), refused]);
      await vi.advanceTimersByTimeAsync(2_000);
      await ended;
      expect(received).toEqual(['open', { kind: 'a' }, { name: 'Zürich' }, [1, 2], 'lost', 'refused']);
      expect(asked[0]).toEqual(['http://127.0.0.1:1/app/events', { 'x-tieout-window': 'secret' }]);
    }
  });

  it('are requested again when the stream ends, until the server is back', async () => {
    const down = () => {
      throw new TypeError('Failed to fetch');
    };
    const busy = () => new Response('{}', { status: 429 });
    const { received, asked, ended } = follow([stream('data: 1\n\nda'), down, busy, stream('data: 2\n\n'), refused]);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(8_000);
    await ended;
    expect(received).toEqual(['open', 1, 'lost', 'lost', 'lost', 'open again', 2, 'lost', 'refused']);
  });

  it('are lost from the beginning where the server does not answer the first request', async () => {
    const { received, ended } = follow([() => Response.error(), stream('data: 1\n\n'), refused]);
    await vi.advanceTimersByTimeAsync(8_000);
    await ended;
    expect(received).toEqual(['lost', 'open again', 1, 'lost', 'refused']);
  });

  it('are not requested again when the server does not know the window', async () => {
    const { received, asked, ended } = follow([refused]);
    await ended;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([received, asked.length]).toEqual([['refused'], 1]);
  });
});
