const AGAIN_MS = 2_000;
const DATA = 'data: ';

interface ServerEvents {
  readonly url: string;
  /** The page's own `EventSource` cannot send any, so it is not used. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  /** One message, parsed. */
  readonly onMessage: (message: unknown) => void;
  /** The stream is open; `again` when it was before, so that something may have been missed. */
  readonly onOpen: (again: boolean) => void;
  /** The server does not know this window; it is not asked again. */
  readonly onRefused: () => void;
}

/** Hears the server's events; where the stream breaks off, it is opened again until the server refuses. Never rejects. */
export async function hearServer(events: ServerEvents): Promise<void> {
  let hasOpened = false;
  for (;;) {
    try {
      const response = await events.fetch(events.url, { headers: events.headers, cache: 'no-store' });
      if (response.status === 401) return events.onRefused();
      if (response.ok && response.body !== null) {
        events.onOpen(hasOpened);
        hasOpened = true;
        await readMessages(response.body, events.onMessage);
      }
    } catch {
      // The server went away, or is not there yet.
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Messages of server-sent events: blocks of lines with a blank line behind them. What holds no data is a sign of life. */
async function readMessages(body: ReadableStream<Uint8Array>, onMessage: (message: unknown) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = `${rest}${decoder.decode(part.value, { stream: true })}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n').filter((line) => line.startsWith(DATA));
      if (lines.length > 0) onMessage(JSON.parse(lines.map((line) => line.slice(DATA.length)).join('\n')));
    }
  }
}
