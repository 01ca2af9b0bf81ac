import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestLog } from './faults.ts';

/** A server at another origin, to which a redirect or a link leads. It logs requests and returns an empty page. */
export class Stranger {
  readonly log = new RequestLog();
  readonly #server = http.createServer((request, response) => {
    const { method = 'GET', url: path = '/', headers } = request;
    this.log.add({ method, path, headers, body: null }).status = 200;
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [], has_more: false, offset: 0 }));
  });

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => resolve());
    });
    return this;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
