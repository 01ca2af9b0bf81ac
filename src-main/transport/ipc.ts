import type { Outcome } from '../../src-shared/contract/wire.ts';
import type { Caller, Dispatch } from '../service/handler.ts';

/** Answers one message of the bridge. Input and outcome are plain JSON values, so structured clone carries them unchanged. Never rejects. */
export type IpcHandler = (operation: unknown, input: unknown) => Promise<Outcome<unknown>>;

/**
 * Creates the handler of messages for one caller. The shell must have checked the sender. The handler does not depend on Electron, so a port of a
 * worker thread can use it as well.
 */
export function createIpcHandler(dispatch: Dispatch, caller: Caller): IpcHandler {
  return async (operation, input) => {
    if (typeof operation !== 'string') {
      return { ok: false, error: { code: 'not_found', message: 'A request names its operation as text.' } };
    }
    return dispatch(operation, input, caller);
  };
}
