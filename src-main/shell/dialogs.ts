import { app, type BrowserWindow, dialog, Menu, type MenuItemConstructorOptions } from 'electron';
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

interface MenuActions {
  /** Opens the import screen. */
  readonly importStatement: () => void;
  /** Opens the settings screen. */
  readonly showSettings: () => void;
  /** Shows the book's folder in the system's file manager. */
  readonly openBookFolder: () => void;
  readonly showAbout: () => void;
}

/** Returns the template of the application menu. */
function menuTemplate(platform: NodeJS.Platform, mayInspect: boolean, actions: MenuActions): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin';
  const about: MenuItemConstructorOptions = { label: say('shell.menu.aboutTieout'), click: () => actions.showAbout() };
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: say('shell.menu.file'),
      submenu: [
        { label: say('shell.menu.import'), accelerator: 'CmdOrCtrl+I', click: () => actions.importStatement() },
        { label: say('shell.menu.openBookFolder'), click: () => actions.openBookFolder() },
        { label: say('shell.menu.settings'), accelerator: 'CmdOrCtrl+,', click: () => actions.showSettings() },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit', label: say('shell.menu.close') },
      ],
    },
    { role: 'editMenu' },
    {
      label: say('shell.menu.view'),
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        { role: 'reload' },
        ...(mayInspect ? [{ role: 'toggleDevTools' } as const] : []),
      ],
    },
    { role: 'help', submenu: [about] },
  ];
}

export function setMenu(actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, !app.isPackaged, actions)));
}
