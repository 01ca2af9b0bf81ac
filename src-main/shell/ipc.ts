import { ipcMain, type IpcMainInvokeEvent, type WebFrameMain } from 'electron';
import { CHANNELS, type ChosenFile, type Opened, type Outcome } from '../../src-shared/contract/wire.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { say } from '../../src-shared/words/say.ts';
import type { Log } from '../platform/ports.ts';
import { isAppUrl } from './app-pages.ts';

interface IpcActions {
  readonly request: (operation: unknown, input: unknown) => Promise<Outcome<unknown>>;
  readonly chooseFile: (event: IpcMainInvokeEvent) => Promise<readonly ChosenFile[]>;
  readonly takeOpened: () => Promise<Opened>;
}

/** Answers the window's messages. The sender of each one is checked first; a refused message is logged and answered with an error. */
export function answerIpc(actions: IpcActions, log: Log): void {
  const handle = (channel: string, answer: (event: IpcMainInvokeEvent, ...input: unknown[]) => Promise<unknown>): void => {
    ipcMain.handle(channel, async (event: IpcMainInvokeEvent, ...input: unknown[]) => {
      const checked = checkSender(event);
      if (checked.ok) return answer(event, ...input);
      log.warning('A message was refused', { channel, reason: checked.error });
      throw new Error(`Tieout refused this message: ${checked.error}.`);
    });
  };
  handle(CHANNELS.request, (_, operation, input) => actions.request(operation, input));
  handle(CHANNELS.chooseFile, (event) => actions.chooseFile(event));
  handle(CHANNELS.takeOpened, () => actions.takeOpened());
}

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
