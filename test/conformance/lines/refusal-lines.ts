import { that } from '../that.ts';
import { type ErrorCode, ERRORS } from '../../../src-shared/contract/index.ts';
import { ask } from '../../contract/support.ts';
import { publicErrorCodes } from '../coverage.ts';
import type { Line } from '../line.ts';
import { type Body, bodyOf } from '../make.ts';
import { type Refusal, REFUSALS } from '../refusals.ts';
import type { Service } from '../service.ts';

/** Members of a failure by RFC 9457, and the strings that other kinds of client read. */
const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'message', 'error', 'errors', 'request_id'];

function expectFailure(body: Body, status: number, code: ErrorCode): void {
  that(Object.keys(body)).toEqual(that.arrayContaining(MEMBERS));
  that([body['status'], body['code']]).toEqual([status, code]);
  that([body['message'], body['error']]).toEqual([body['detail'], body['detail']]);
}

function refusalLine({ id, operation, request, body, status, code, path, words }: Refusal): Line {
  return {
    id: `refused.${id}`,
    says: `${status} ${code}${path === null ? '' : ` at ${path.slice(0, 40)}`}`,
    operations: [operation],
    codes: [code],
    async proves(service: Service) {
      const [method = 'GET', address = ''] = request.split(' ') as ['GET', string];
      const answer = await service.send({ method, path: address, key: 'live', headers: {}, body });
      const failure = bodyOf(answer, status);
      expectFailure(failure, status, code);
      for (const word of words) that(failure['message']).toContain(word);
      const paths = (failure['errors'] as { path: string }[]).map((fault) => fault.path);
      if (path !== null) that(paths).toContain(path);
    },
  };
}

/** The status of each code of the table, whatever answers it. */
function codeLine(code: ErrorCode): Line {
  const { status, title } = ERRORS[code];
  return {
    id: `error.${code}`,
    says: `is answered with ${status}`,
    operations: [],
    codes: [code],
    async proves({ failing }) {
      for (const [accept, type] of [
        ['application/json', 'application/json'],
        ['application/problem+json', 'application/problem+json'],
      ] as const) {
        const answer = await ask(failing.port, `/v1/data_streams/${code}`, { headers: { 'x-api-key': failing.apiKey, accept } });
        expectFailure(bodyOf(answer, status), status, code);
        that(answer.headers['content-type']).toContain(type);
        that(answer.json).toMatchObject({ title, instance: `/v1/data_streams/${code}` });
      }
    },
  };
}

export const refusalLines: readonly Line[] = [...REFUSALS.map(refusalLine), ...publicErrorCodes().map(codeLine)];
