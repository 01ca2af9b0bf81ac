import type { FastifyInstance } from 'fastify';
import type { BookEvent } from '../../../src-shared/contract/index.ts';
import { sendFailure } from './errors.ts';

const RECONNECT_MS = 2_000;
const OPEN_STREAMS = 64;
/** A window that does not read is let go; it reconnects and asks for the newest revision. */
const UNREAD_BYTES = 1024 * 1024;

interface EventStreamOptions {
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  readonly heartbeatMs: number;
}

/** Serves `GET /app/events`: one BookEvent as JSON a message. Answers a function that ends all open streams. */
export function registerEventStream(app: FastifyInstance, options: EventStreamOptions): () => void {
  const endings = new Set<() => void>();
  app.get('/app/events', { exposeHeadRoute: false }, (request, reply) => {
    if (endings.size >= OPEN_STREAMS) {
      return sendFailure(request, reply, { code: 'rate_limited', message: `At most ${OPEN_STREAMS} windows can listen at a time.` });
    }
    const raw = reply.raw;
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' };
    reply.hijack();
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200);
    const write = (text: string) => {
      raw.write(text);
      if (raw.writableLength > UNREAD_BYTES) raw.destroy();
    };
    write(`retry: ${RECONNECT_MS}\n\n`);
    const unsubscribe = options.subscribe((event) => write(`data: ${JSON.stringify(event)}\n\n`));
    const heartbeat = setInterval(() => write(': still here\n\n'), options.heartbeatMs);
    const end = () => {
      unsubscribe();
      clearInterval(heartbeat);
      endings.delete(end);
      raw.end();
    };
    endings.add(end);
    raw.on('close', end);
    raw.on('error', end);
    return reply;
  });
  return () => {
    for (const end of endings) end();
  };
}
