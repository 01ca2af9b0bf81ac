import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import { CHANNELS, type ChosenFile, type Opened, type Outcome } from '../../src-shared/contract/wire.ts';
import type { Log } from '../platform/ports.ts';
import { checkSender } from './app-pages.ts';

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
