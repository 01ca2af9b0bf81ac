import type { ErrorCode, Failure } from '../../../src-shared/contract/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';

type ListenCode = Extract<ErrorCode, 'port_in_use' | 'port_not_usable' | 'address_not_here'>;

/** Thrown by the start of a server that cannot listen. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly failure: Failure<ListenCode>;
  constructor(failure: Failure<ListenCode>, cause: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** Returns a ListenError with a sentence for a system error; an unknown error is returned as it is. */
export function listenError(error: unknown, address: string, port: number): unknown {
  const failure = listenFailure(error instanceof Error && 'code' in error ? error.code : null, address, port);
  return failure === null ? error : new ListenError(failure, error);
}

function listenFailure(code: unknown, address: string, port: number): Failure<ListenCode> | null {
  if (code === 'EADDRINUSE') {
    const message = phrase('requests.listenError.portIsInUseChoose', { port });
    return {
      code: 'port_in_use',
      message,
      errors: [{ path: 'port', code: 'port_in_use', message: phrase('requests.listenError.isInUse') }],
    };
  }
  if (code === 'EACCES') {
    const message = phrase('requests.listenError.portMayNotBeUsed', { port });
    return {
      code: 'port_not_usable',
      message,
      errors: [{ path: 'port', code: 'port_not_usable', message: phrase('requests.listenError.mayNotBeUsed') }],
    };
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'ENETUNREACH') {
    const message = phrase('requests.listenError.thisMachineDoesNotHaveTheAddress', { address });
    const fault = { path: 'address', code: 'address_not_here', message: phrase('requests.listenError.isNotAnAddressOfThisMachine') };
    return { code: 'address_not_here', message, errors: [fault] };
  }
  if (typeof code !== 'string') return null;
  const message = phrase('requests.listenError.portOfCannotBeListened', { port, address, code });
  return {
    code: 'port_not_usable',
    message,
    errors: [{ path: 'port', code: 'port_not_usable', message: phrase('requests.listenError.cannotBeListenedOn') }],
  };
}
