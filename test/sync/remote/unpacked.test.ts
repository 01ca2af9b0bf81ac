import { expect, test } from 'vitest';
import { systemClock } from '../../../src-main/platform/system.ts';
import { Http } from '../../../src-main/sync/work/remote-http.ts';
import { testRandom } from '../../support/books/backend.ts';

test.each([
  ['http://127.0.0.1:8000/v1', 'identity'],
  ['http://localhost:8000/v1', 'identity'],
  ['http://[::1]:8000/v1', 'identity'],
  ['http://192.168.1.7:8000/v1', null],
  ['https://books.example.com/v1', null],
])('%s is asked for pages that are packed as %s', async (baseUrl, encoding) => {
  const asked: (string | null)[] = [];
  const http = new Http(baseUrl, 'key', {
    fetch: (_url, init) => {
      asked.push(new Headers(init?.headers).get('accept-encoding'));
      return Promise.resolve(Response.json({}));
    },
    wait: () => Promise.resolve(),
    clock: systemClock,
    random: testRandom(),
    signal: new AbortController().signal,
    waits: () => {},
  });
  await http.send({ method: 'GET', path: '/records', isRepeatable: true });
  expect(asked).toEqual([encoding]);
});
