import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Answer, ask, startTestServer, windowHeaders } from '../contract/support.ts';

/**
 * Browsers send a cookie of 127.0.0.1 to every port of it. A second local server, opened in the same browser, took it from its own
 * requests and sent it back with whatever else the window sent.
 */
it('nothing that a browser sends to other ports opens the window’s door, least of all a permanent key', async () => {
  const uiFolder = mkdtempSync(path.join(tmpdir(), 'tieout-ports-'));
  writeFileSync(path.join(uiFolder, 'index.html'), '<!doctype html><title>Tieout</title>');
  const server = await startTestServer({ uiFolder });
  onTestFinished(async () => {
    await server.close();
    rmSync(uiFolder, { recursive: true });
  });
  // The browser opens both addresses of the window, and whatever the window asks for.
  const opened: Answer[] = [];
  for (const url of [server.uiUrl, server.newUiUrl()].map((each) => new URL(each ?? ''))) {
    opened.push(await ask(server.port, `${url.pathname}${url.search}`));
  }
  opened.push(await ask(server.port, '/app/book', { headers: windowHeaders(server) }));
  const cookies = opened.flatMap(({ headers }) => headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0] ?? '');
  expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(cookies).toEqual([]);

  // What the second server has seen of the browser, and all that it can put together from it.
  const seen = new Promise<http.IncomingHttpHeaders>((resolve) => {
    const second = http.createServer((request, answer) => {
      resolve(request.headers);
      answer.end();
      second.close();
    });
    second.listen(0, '127.0.0.1', () => {
      const { port } = second.address() as { port: number };
      void ask(port, '/', { headers: { cookie: cookies.join('; '), referer: `http://127.0.0.1:${server.port}/` } });
    });
  });
  const { cookie = '' } = await seen;
  const issue = JSON.stringify({ environment: 'live', permission: 'read_write', name: 'Stolen' });
  const guesses: Record<string, string>[] = [
    {},
    { 'x-tieout-window': '1' },
    { 'x-tieout-window': '1', origin: `http://127.0.0.1:${server.port}` },
  ];
  for (const guess of guesses) {
    const headers = { ...guess, cookie, 'content-type': 'application/json' };
    const answer = await ask(server.port, '/app/api_keys', { method: 'POST', headers, body: issue });
    expect([answer.status, answer.json?.['code']]).toEqual([401, 'unauthorized']);
  }
});
