import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Cut {
  /** The address of a server, with the way to it over here. */
  readonly through: (url: string) => string;
  /** Cuts the connection at the first statement with this text, once. */
  readonly cutAt: (text: string) => void;
  /** Whether it was cut since. */
  readonly isCut: () => boolean;
  readonly stop: () => void;
}

/** Stands between a client and a server on this machine, and cuts the connection when it hears a statement. */
export async function startCut(serverUrl: string): Promise<Cut> {
  const { port: serverPort } = new URL(serverUrl.replace(/^[^:]*:/, 'http:'));
  let text = '';
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const to = connect(Number(serverPort), '127.0.0.1');
    for (const [from, other] of [
      [client, to],
      [to, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => other.destroy());
      from.on('close', () => other.destroy());
    }
    client.on('data', (data) => {
      if (text !== '' && data.includes(text)) {
        text = '';
        for (const socket of sockets) socket.destroy();
        sockets.clear();
        return;
      }
      to.write(data);
    });
    to.on('data', (data) => client.write(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => url.replace(`:${serverPort}`, `:${port}`),
    cutAt: (of) => {
      text = of;
    },
    isCut: () => text === '',
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
