import { type BrowserWindow, dialog } from 'electron';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { say } from '../../src-shared/words/say.ts';

/**
 * Lets the user choose statements. The backend gets the paths and returns a token for each; the window gets tokens, names and sizes. Returns an empty
 * list when the user cancels. A file that cannot be read is reported in a dialog and left out.
 */
export async function chooseFile(
  window: BrowserWindow,
  registerFile: (path: string) => Promise<Outcome<ChosenFile>>,
): Promise<readonly ChosenFile[]> {
  const choice = await dialog.showOpenDialog(window, {
    title: say('shell.dialogs.chooseStatements'),
    properties: ['openFile', 'multiSelections'],
    filters: [
      {
        name: say('shell.dialogs.statements'),
        extensions: [
          'csv',
          'tsv',
          'txt',
          'xlsx',
          'xls',
          'pdf',
          'ofx',
          'qfx',
          'qif',
          'xml',
          'sta',
          'mt940',
          '940',
          '942',
          'bai',
          'bai2',
          'ach',
          'zip',
          'gz',
        ],
      },
      { name: say('shell.dialogs.allFiles'), extensions: ['*'] },
    ],
  });
  const chosen: ChosenFile[] = [];
  for (const path of choice.canceled ? [] : choice.filePaths) {
    const registered = await registerFile(path);
    if (registered.ok) chosen.push(registered.value);
    else await showRefused(window, registered.error.message);
  }
  return chosen;
}

/** Says why a file cannot be used. Resolves when the user has closed the message. */
export async function showRefused(window: BrowserWindow, detail: string): Promise<void> {
  await dialog.showMessageBox(window, { type: 'error', message: say('shell.dialogs.thisFileCannotBeUsed'), detail });
}

/** Shows why the application cannot continue. Blocks until the user closes the message. */
export function showFatal(message: string): void {
  process.stderr.write(`${message}\n`);
  dialog.showErrorBox(say('shell.dialogs.tieoutHasToClose'), message);
}
