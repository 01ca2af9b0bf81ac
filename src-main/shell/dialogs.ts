import { app, type BrowserWindow, dialog, Menu, type MenuItemConstructorOptions } from 'electron';
import type { ChosenFile, FolderPurpose, Outcome } from '../../src-shared/contract/wire.ts';
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

/** Lets the user choose the folder of a book. Returns null when the user cancels. */
export async function chooseFolder(window: BrowserWindow, purpose: FolderPurpose): Promise<string | null> {
  const isNew = purpose === 'new_book';
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    title: say(isNew ? 'shell.dialogs.chooseNewFolder' : 'shell.dialogs.chooseBook'),
    properties: ['openDirectory', ...(isNew ? (['createDirectory', 'promptToCreate'] as const) : [])],
  });
  return canceled ? null : (filePaths[0] ?? null);
}

/** Asks a question whose answer is yes or not now. */
export async function askPerson(window: BrowserWindow, message: string, yes: string): Promise<boolean> {
  const buttons = [yes, say('shell.updates.notNow')];
  const { response } = await dialog.showMessageBox(window, { type: 'question', message, buttons, defaultId: 0, cancelId: 1 });
  return response === 0;
}

export async function tellPerson(window: BrowserWindow, detail: string): Promise<void> {
  await dialog.showMessageBox(window, { type: 'info', message: say('shell.updates.title'), detail });
}

/** Says why a book cannot be opened. Resolves when the user has closed the message. */
export async function showUnopened(window: BrowserWindow, detail: string): Promise<void> {
  await dialog.showMessageBox(window, { type: 'error', message: say('shell.dialogs.thisBookCannotBeOpened'), detail });
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
  /** Opens the dialog of a new book, and of another one. */
  readonly newBook: () => void;
  readonly openBook: () => void;
  /** The other books that were open, the newest first. */
  readonly recent: readonly { readonly name: string; readonly folder: string }[];
  readonly openRecent: (folder: string) => void;
  /** Opens the settings screen. */
  readonly showSettings: () => void;
  /** Shows the book's folder in the system's file manager. */
  readonly openBookFolder: () => void;
  readonly lookForUpdates: () => void;
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
        { type: 'separator' },
        { label: say('shell.menu.newBook'), accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.newBook() },
        { label: say('shell.menu.openBook'), accelerator: 'CmdOrCtrl+O', click: () => actions.openBook() },
        { label: say('shell.menu.recentBooks'), submenu: recentBooks(actions) },
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
    { role: 'help', submenu: [{ label: say('shell.menu.lookForUpdates'), click: () => actions.lookForUpdates() }, about] },
  ];
}

/** Two books may have one name, so each entry has its folder too. */
function recentBooks({ recent, openRecent }: MenuActions): MenuItemConstructorOptions[] {
  if (recent.length === 0) return [{ label: say('shell.menu.noRecentBooks'), enabled: false }];
  return recent.map(({ name, folder }) => ({ label: `${name.replaceAll('&', '&&')} – ${folder}`, click: () => openRecent(folder) }));
}

export function setMenu(actions: MenuActions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, !app.isPackaged, actions)));
}
