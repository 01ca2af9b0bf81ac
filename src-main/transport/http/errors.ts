import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, type Failure } from '../../../src-shared/contract/index.ts';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Log } from '../../platform/ports.ts';

const MEBIBYTE = 1024 * 1024;

/** Returns the body of a failure: the members of RFC 9457, and the plain strings that other clients read. */
export function failureBody(failure: Failure, instance: string, requestId: string) {
  const { status, title } = ERRORS[failure.code];
  return {
    type: `urn:tieout:error:${failure.code}`,
    title,
    status,
    detail: failure.message,
    instance,
    code: failure.code,
    message: failure.message,
    error: failure.message,
    errors: failure.errors ?? [],
    request_id: requestId,
  };
}

export const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Returns what a cell of a spreadsheet shows in place of a value. */
export function cellText(why: string): string {
  return `#TIEOUT! ${why}`;
}

const FORMAT = /[?&]format=(json|csv|text)(?=&|$)/;

/** Whether the answer goes into a cell: all behind a sheet link, unless JSON is asked for, and a figure with `format=text`. */
function isForCell({ url }: FastifyRequest): boolean {
  const format = FORMAT.exec(url)?.[1];
  return (format === 'text' && url.startsWith('/v1/figures/')) || (url.startsWith('/sheet/') && format !== 'json');
}

/**
 * Sends a failure with the status of its code, as problem+json when the client accepts that. A cell gets a short text. Behind a sheet link it comes with
 * status 200, since a spreadsheet shows the text of no other.
 */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  if (isForCell(request)) {
    const { status } = ERRORS[failure.code];
    return reply
      .code(request.url.startsWith('/sheet/') ? 200 : status)
      .type(TEXT_TYPE)
      .send(cellText(failure.message));
  }
  const wantsProblem = request.headers.accept?.toLowerCase().includes('application/problem+json') ?? false;
  return reply
    .code(ERRORS[failure.code].status)
    .type(wantsProblem ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8')
    .send(JSON.stringify(failureBody(failure, pathOf(request), request.id)));
}

/** Returns the path of a request without its query, which may hold private text. */
export function pathOf(request: Pick<FastifyRequest, 'url'>): string {
  const end = request.url.indexOf('?');
  return end === -1 ? request.url : request.url.slice(0, end);
}

export function bodyTooLarge(limitBytes: number = LIMITS.bodyBytes): Failure {
  const limit = limitBytes >= MEBIBYTE ? `${Math.floor(limitBytes / MEBIBYTE)} MiB` : `${limitBytes} bytes`;
  return { code: 'payload_too_large', message: phrase('requests.errors.bodyIsLargerThanSendIt', { limit }) };
}

/** Thrown while a body is read; carries the failure to answer. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Returns the failure behind an error that the HTTP layer threw. An unknown error is a bug: it is logged, and answered without details. */
export function failureOfError(error: FastifyError | RequestError, request: FastifyRequest, log: Log): Failure {
  if (error instanceof RequestError) return error.failure;
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(request.routeOptions.bodyLimit);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return { code: 'unsupported_media_type', message: phrase('requests.errors.sendTheBodyAsJson') };
  }
  if (String(code).startsWith('Z_')) return { code: 'malformed_json', message: phrase('requests.errors.theBodyIsNotWhole') };
  if (code === 'FST_ERR_BAD_URL' || statusCode === 403 || statusCode === 404) return nothingHere;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return {
      code: 'malformed_header',
      message: phrase('requests.errors.theRequestCannotBeRead', { statusCodes: STATUS_CODES[statusCode] ?? statusCode }),
    };
  }
  if (code === 'ENOSPC' || code === 'SQLITE_FULL') {
    return { code: 'storage_full', message: phrase('requests.errors.diskIsFull') };
  }
  if (/^SQLITE_(?:CORRUPT|NOTADB)/u.test(String(code))) {
    log.error('The book is damaged', { request_id: request.id });
    const message = phrase('requests.errors.theFileOfTheBook');
    return { code: 'book_damaged', message };
  }
  log.error('A request failed', { request_id: request.id, error: error.stack ?? error.message });
  return {
    code: 'internal_error',
    message: phrase('requests.errors.tieoutFailedTheLogTells', { id: request.id }),
  };
}

export const nothingHere: Failure = { code: 'not_found', message: phrase('requests.errors.thereIsNothingAtThisAddress') };
