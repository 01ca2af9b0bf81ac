import { contract, type Failure, type Operation, type OperationId, readOfCreated } from '../../src-shared/contract/index.ts';
import { pathMembers } from '../../src-shared/contract/operation.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { phrase } from '../../src-shared/words/say.ts';
import type { Log } from '../platform/ports.ts';
import type { Caller, Dispatch, Handlers } from '../service/handler.ts';
import { validateInput } from './validation/validation.ts';

const FULL_DISK_CODES: ReadonlySet<unknown> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

interface DispatchOptions {
  readonly newRequestId?: () => string;
  /** Called with each operation before it runs. */
  readonly onAsked?: (operation: OperationId) => void;
  /** Returns what is wrong with the file of the book, by a quick check after an unexpected error; null where nothing is found. */
  readonly faultOfBook?: (error: unknown) => string | null;
}

interface AnyHandler {
  (caller: Caller, input: unknown): Outcome<unknown> | Promise<Outcome<unknown>>;
  readonly replay?: (caller: Caller) => Outcome<unknown> | null;
}

/**
 * Returns the only entry to the service, for every transport.
 *  A call is refused in this order: unknown operation, surface, permission, replayed answer, input. Only then the handler runs. Dispatch never throws
 * and never rejects. An exception of a handler is a bug or a full or damaged disk: the log gets it with a request id, and the caller gets a sentence
 * with that id and no details.
 */
export function createDispatch(
  handlers: Handlers,
  log: Log,
  { newRequestId = countedIds(), onAsked = () => {}, faultOfBook = () => null }: DispatchOptions = {},
): Dispatch {
  return async (operation, input, caller) => {
    if (!isOperation(operation) || !isOpenTo(contract[operation], caller)) {
      return refuse({
        code: 'not_found',
        message: phrase('requests.dispatch.thereIsNoOperationHere', { stringify: JSON.stringify(operation) }),
      });
    }
    const spec: Operation = contract[operation];
    if (spec.permission === 'read_write' && caller.permission === 'read') return refuse(readOnlyKey(operation));
    try {
      // The table types each handler with its own input, which a lookup by name cannot express.
      const handler = handlers[operation] as unknown as AnyHandler;
      const replayed = caller.idempotencyKey === undefined ? null : (handler.replay?.(caller) ?? null);
      if (replayed !== null) return withAddress(spec, replayed);
      const valid = validateInput(spec, input);
      if (!valid.ok) return refuse(valid.error);
      onAsked(operation);
      return withAddress(spec, withDamage(await handler(caller, valid.value), faultOfBook));
    } catch (error) {
      return refuse(failureOfThrown(error, operation, log, newRequestId(), faultOfBook));
    }
  };
}

function isOperation(name: string): name is OperationId {
  return Object.hasOwn(contract, name);
}

/** Returns a source of ids. A counter suffices, because the lines of the log have times. */
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
    message: phrase('requests.dispatch.thisKeyMayOnlyRead', { operation }),
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
    return { code: 'storage_full', message: phrase('requests.dispatch.diskIsFull') };
  }
  const code = sqliteCode(error);
  if (code.startsWith('SQLITE_READONLY')) {
    log.error('The book cannot be written', { operation, request_id: requestId });
    return {
      code: 'book_read_only',
      message: phrase('requests.dispatch.theBookCannotBeWritten'),
    };
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB') {
    log.error('The book is damaged', { operation, request_id: requestId });
    return { code: 'book_damaged', message: phrase('requests.dispatch.theFileOfTheBook') };
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
  return { code: 'internal_error', message: phrase('requests.dispatch.tieoutFailedInTheLog', { operation, requestId, ifAgain: IF_AGAIN }) };
}

function damaged(fault: string): Failure {
  return { code: 'book_damaged', message: phrase('requests.dispatch.bookIsDamagedWithFault', { fault }) };
}

/** Adds the address of what was created, where it can be read by itself. */
function withAddress(spec: Operation, outcome: Outcome<unknown>): Outcome<unknown> {
  const read = outcome.ok ? readOfCreated(spec) : null;
  if (!outcome.ok || read === null) return outcome;
  const [name = ''] = pathMembers(read.path);
  const id = (outcome.value as Readonly<Record<string, unknown>>)[name];
  if (typeof id !== 'string' && typeof id !== 'number') return outcome;
  return { ...outcome, meta: { location: `/v1${spec.path}/${encodeURIComponent(id)}`, ...outcome.meta } };
}

/** Adds the fault of the book to an internal error that a handler returns, such as one of another thread. */
function withDamage(outcome: Outcome<unknown>, faultOfBook: (error: unknown) => string | null): Outcome<unknown> {
  if (outcome.ok || outcome.error.code !== 'internal_error') return outcome;
  const fault = faultOfBook(outcome.error);
  return fault === null ? refuse({ ...outcome.error, message: `${outcome.error.message} ${IF_AGAIN}` }) : refuse(damaged(fault));
}

const IF_AGAIN = phrase('requests.dispatch.ifItHappensAgainTieout');

function sqliteCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isFullDisk(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && FULL_DISK_CODES.has(error.code);
}

/** Answers one message of the bridge. Input and outcome are plain JSON values, so structured clone carries them unchanged. Never rejects. */
export type IpcHandler = (operation: unknown, input: unknown) => Promise<Outcome<unknown>>;

/**
 * Creates the handler of messages for one caller. The shell must have checked the sender. The handler does not depend on Electron, so a port of a
 * worker thread can use it as well.
 */
export function createIpcHandler(dispatch: Dispatch, caller: Caller): IpcHandler {
  return async (operation, input) => {
    if (typeof operation !== 'string') {
      return { ok: false, error: { code: 'not_found', message: phrase('requests.dispatch.operationIsNoText') } };
    }
    return dispatch(operation, input, caller);
  };
}
