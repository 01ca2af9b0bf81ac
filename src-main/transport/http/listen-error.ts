import type { ErrorCode, Failure } from '../../../src-shared/contract/index.ts';

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
    const message = `Port ${port} is in use. Choose another port, let Tieout take a free one, or close the program that uses it.`;
    return { code: 'port_in_use', message, errors: [{ path: 'port', code: 'port_in_use', message: 'is in use' }] };
  }
  if (code === 'EACCES') {
    const message = `Port ${port} may not be used by this user. Choose one above 1023, or let Tieout take a free one.`;
    return { code: 'port_not_usable', message, errors: [{ path: 'port', code: 'port_not_usable', message: 'may not be used' }] };
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'ENETUNREACH') {
    const message = `This machine does not have the address ${address}. Give one that it has, 127.0.0.1 for this machine alone, or 0.0.0.0 for all of them.`;
    const fault = { path: 'address', code: 'address_not_here', message: 'is not an address of this machine' };
    return { code: 'address_not_here', message, errors: [fault] };
  }
  if (typeof code !== 'string') return null;
  const message = `Port ${port} of ${address} cannot be listened on (${code}). Choose another port, or let Tieout take a free one.`;
  return { code: 'port_not_usable', message, errors: [{ path: 'port', code: 'port_not_usable', message: 'cannot be listened on' }] };
}
