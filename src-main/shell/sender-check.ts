import type { WebFrameMain } from 'electron';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { isAppUrl } from './app-pages.ts';
import { say } from '../../src-shared/words/say.ts';

/** The parts of an IPC event that identify its sender. Frames are compared by their node in the frame tree, not as objects. */
interface Sender {
  readonly senderFrame: Pick<WebFrameMain, 'url' | 'parent' | 'frameTreeNodeId'> | null;
  readonly sender: { readonly mainFrame: Pick<WebFrameMain, 'frameTreeNodeId'> };
}

/**
 * Returns success where a message comes from the application's own page: the top frame of its window, at an address of `app://tieout/`. Otherwise
 * returns why it is refused: a frame inside the page, a page that was navigated away, or a frame that no longer exists.
 */
export function checkSender(event: Sender): Result<true, string> {
  const frame = event.senderFrame;
  if (frame === null) return failed(say('shell.senderCheck.theFrameThatSent'));
  if (frame.parent !== null || frame.frameTreeNodeId !== event.sender.mainFrame.frameTreeNodeId)
    return failed(say('shell.senderCheck.aFrameInsideThePageSentIt'));
  if (!isAppUrl(frame.url))
    return failed(
      say('shell.senderCheck.aPageOfSent', {
        noAddress: URL.canParse(frame.url) ? new URL(frame.url).origin : say('shell.senderCheck.noAddress'),
      }),
    );
  return success(true);
}
