import type { WebFrameMain } from 'electron';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { isAppUrl } from './app-pages.ts';

/** The parts of an IPC event that tell who sent it. Frames are compared by their node in the frame tree, never as objects. */
interface Sender {
  readonly senderFrame: Pick<WebFrameMain, 'url' | 'parent' | 'frameTreeNodeId'> | null;
  readonly sender: { readonly mainFrame: Pick<WebFrameMain, 'frameTreeNodeId'> };
}

/**
 * Whether a message comes from the application's own page: the top frame of its window, showing an address of `app://tieout/`.
 * A frame inside the page, a page that was navigated away, and a frame that is already gone are refused with the reason.
 */
export function checkSender(event: Sender): Result<true, string> {
  const frame = event.senderFrame;
  if (frame === null) return failed('the frame that sent it is gone');
  if (frame.parent !== null || frame.frameTreeNodeId !== event.sender.mainFrame.frameTreeNodeId)
    return failed('a frame inside the page sent it');
  if (!isAppUrl(frame.url)) return failed(`a page of ${URL.canParse(frame.url) ? new URL(frame.url).origin : 'no address'} sent it`);
  return success(true);
}
