import { type BrowserWindow, dialog } from 'electron';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';

/**
 * Lets the user choose a statement. The path goes to the backend, which answers a token; the window gets the token, the
 * name and the size. Null when the user changed their mind, or when the file could not be read (they were told).
 */
export async function chooseFile(
  window: BrowserWindow,
  registerFile: (path: string) => Promise<Outcome<ChosenFile>>,
): Promise<ChosenFile | null> {
  const choice = await dialog.showOpenDialog(window, {
    title: 'Choose a statement',
    properties: ['openFile'],
    filters: [
      {
        name: 'Statements',
        extensions: ['csv', 'tsv', 'txt', 'xlsx', 'xls', 'ofx', 'qfx', 'qif', 'xml', 'sta', 'mt940', '940', '942', 'bai', 'bai2', 'ach'],
      },
      { name: 'All files', extensions: ['*'] },
    ],
  });
  const [path] = choice.filePaths;
  if (choice.canceled || path === undefined) return null;
  const registered = await registerFile(path);
  if (registered.ok) return registered.value;
  await dialog.showMessageBox(window, { type: 'error', message: 'This file cannot be used', detail: registered.error.message });
  return null;
}

/** Tells why the application cannot go on. Blocks until it is read. */
export function tellFatal(message: string): void {
  process.stderr.write(`${message}\n`);
  dialog.showErrorBox('Tieout has to close', message);
}
