import type { Outcome } from '../../src-shared/contract/wire.ts';
import type { Caller, Dispatch } from '../service/handler.ts';

/** Answers one message of the bridge. Input and outcome are plain JSON values, so structured clone carries them as they are. */
export type IpcHandler = (operation: unknown, input: unknown) => Promise<Outcome<unknown>>;

/**
 * The service over IPC, for one caller that the shell has already told apart (the sender check is the shell's). Knows no
 * electron: the shell or a worker thread's port feeds it.
 */
export function createIpcHandler(dispatch: Dispatch, caller: Caller): IpcHandler {
  return async (operation, input) => {
    if (typeof operation !== 'string') {
      return { ok: false, error: { code: 'not_found', message: 'A request names its operation as text.' } };
    }
    return dispatch(operation, input, caller);
  };
}
