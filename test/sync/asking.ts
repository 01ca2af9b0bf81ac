import { onTestFinished } from 'vitest';
import type { Remote } from '../support/remotes/remote.ts';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

type Ask = (request: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<Asked>;

/** Starts a remote until the test ends; answers what asks it, such as `ask('GET /reconciliations?limit=5')`. */
export async function asking(remote: Remote): Promise<Ask> {
  await remote.start();
  onTestFinished(() => remote.stop());
  return async (request, body, headers) => {
    const [method = '', path = ''] = request.split(' ');
    const answer = await fetch(path.startsWith('http') ? path : `${remote.baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': remote.key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };
}
