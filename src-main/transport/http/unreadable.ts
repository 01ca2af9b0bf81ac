import { STATUS_CODES } from 'node:http';
import { ERRORS, type Failure } from '../../../src-shared/contract/index.ts';
import { failureBody } from './errors.ts';

/** What to answer to bytes that became no request, by the code of the parser's or the clock's error. */
export function unreadableFailure(code: string): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', message: 'The request did not arrive whole in time. Send it again in one go.' };
  }
  return { code: 'malformed_header', message: 'The request cannot be read: its headers are malformed or too large.' };
}

/** The answer as it goes over a socket that has neither request nor reply. */
export function unreadableRequest(failure: Failure, requestId: string): string {
  const { status } = ERRORS[failure.code];
  const body = JSON.stringify(failureBody(failure, '', requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
