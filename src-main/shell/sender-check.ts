import type { IpcMainInvokeEvent } from 'electron';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { isAppUrl } from './protocol.ts';

/** The parts of an IPC event that tell who sent it. */
export type Sender = Pick<IpcMainInvokeEvent, 'senderFrame'> & {
  readonly sender: { readonly mainFrame: IpcMainInvokeEvent['sender']['mainFrame'] };
};

/**
 * Whether a message comes from the application's own page: the top frame of its window, showing an address of `app://tieout/`.
 * A frame inside the page, a page that was navigated away, and a frame that is already gone are refused with the reason.
 */
export function checkSender(event: Sender): Result<true, string> {
  const frame = event.senderFrame;
  if (frame === null) return failed('the frame that sent it is gone');
  if (frame.parent !== null || frame !== event.sender.mainFrame) return failed('a frame inside the page sent it');
  if (!isAppUrl(frame.url)) return failed(`a page of ${URL.canParse(frame.url) ? new URL(frame.url).origin : 'no address'} sent it`);
  return success(true);
}
