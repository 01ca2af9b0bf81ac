import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import { say } from '../../src-shared/words/say.ts';

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
