import { contract, type Failure, type Operation, type OperationId } from '../../src-shared/contract/index.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import type { Log } from '../platform/ports.ts';
import type { Caller, Dispatch, Handlers } from '../service/handler.ts';
import { validateInput } from './validation/validation.ts';

const FULL_DISK_CODES: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

interface DispatchOptions {
  readonly newRequestId?: () => string;
  /** What is wrong with the file of the book, as far as can be seen in a moment, where a handler failed for a reason that it does not know. */
  readonly faultOfBook?: (error: unknown) => string | null;
}

interface AnyHandler {
  (caller: Caller, input: unknown): Outcome<unknown> | Promise<Outcome<unknown>>;
  readonly replay?: (caller: Caller) => Outcome<unknown> | null;
}

/**
 * The one door to the service, for every transport: operation known, open to the caller, permitted, input valid, and only
 * then its handler. Never throws. What a handler throws is a bug (or a full disk): the log gets it with a request id, the
 * caller gets a sentence with that id and nothing else.
 */
export function createDispatch(
  handlers: Handlers,
  log: Log,
  { newRequestId = countedIds(), faultOfBook = () => null }: DispatchOptions = {},
): Dispatch {
  return async (operation, input, caller) => {
    if (!isOperation(operation) || !isOpenTo(contract[operation], caller)) {
      return refuse({ code: 'not_found', message: `There is no operation ${JSON.stringify(operation)} here.` });
    }
    const spec: Operation = contract[operation];
    if (spec.permission === 'read_write' && caller.permission === 'read') return refuse(readOnlyKey(operation));
    try {
      // The table of handlers is typed member by member; by name it can only be called with its own input.
      const handler = handlers[operation] as unknown as AnyHandler;
      const replayed = caller.idempotencyKey === undefined ? null : (handler.replay?.(caller) ?? null);
      if (replayed !== null) return replayed;
      const valid = validateInput(spec, input);
      if (!valid.ok) return refuse(valid.error);
      return withDamage(await handler(caller, valid.value), faultOfBook);
    } catch (error) {
      return refuse(failureOfThrown(error, operation, log, newRequestId(), faultOfBook));
    }
  };
}

function isOperation(name: string): name is OperationId {
  return Object.hasOwn(contract, name);
}

/** Enough to find the entry in a log whose lines carry the time. */
function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `failure-${count}`;
  };
}

function isOpenTo(spec: Operation, caller: Caller): boolean {
  return spec.surface === 'public' || caller.surface === 'app';
}

function refuse(error: Failure): Outcome<never> {
  return { ok: false, error };
}

function readOnlyKey(operation: OperationId): Failure {
  return {
    code: 'permission_denied',
    message: `This key may only read, and ${operation} changes data. Use a key with the permission read_write.`,
  };
}

function failureOfThrown(
  error: unknown,
  operation: OperationId,
  log: Log,
  requestId: string,
  faultOfBook: (error: unknown) => string | null,
): Failure {
  if (isFullDisk(error)) {
    log.error('The disk is full', { operation, request_id: requestId });
    return { code: 'storage_full', message: 'The disk is full, so nothing was changed. Free some space and try again.' };
  }
  const code = sqliteCode(error);
  if (code.startsWith('SQLITE_READONLY')) {
    log.error('The book cannot be written', { operation, request_id: requestId });
    return {
      code: 'book_read_only',
      message:
        'The book cannot be written any more, so nothing was changed: see whether its disk can still be written, and start Tieout again.',
    };
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    log.error('The book is damaged', { operation, request_id: requestId });
    return { code: 'book_damaged', message: 'The file of the book is damaged where this is stored.' };
  }
  const fault = faultOfBook(error);
  if (fault !== null) {
    log.error('The book is damaged', { operation, request_id: requestId, fault });
    return damaged(fault);
  }
  log.error('An operation failed', {
    operation,
    request_id: requestId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return { code: 'internal_error', message: `Tieout failed in ${operation}. The log tells why, under request ${requestId}. ${IF_AGAIN}` };
}

function damaged(fault: string): Failure {
  return { code: 'book_damaged', message: `The file of the book is damaged (${fault}), so this cannot be answered.` };
}

/** A handler answers for work on another thread that failed there. */
function withDamage(outcome: Outcome<unknown>, faultOfBook: (error: unknown) => string | null): Outcome<unknown> {
  if (outcome.ok || outcome.error.code !== 'internal_error') return outcome;
  const fault = faultOfBook(outcome.error);
  return fault === null ? refuse({ ...outcome.error, message: `${outcome.error.message} ${IF_AGAIN}` }) : refuse(damaged(fault));
}

const IF_AGAIN = 'If it happens again, tieout verify says whether the book is damaged; then restore a backup.';

function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isFullDisk(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && FULL_DISK_CODES.has(error.code);
}
