import { app, Menu, type MenuItemConstructorOptions } from 'electron';

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
  const about: MenuItemConstructorOptions = { label: 'About Tieout', click: () => actions.showAbout() };
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: '&Import…', accelerator: 'CmdOrCtrl+I', click: () => actions.importStatement() },
        { label: 'Open book &folder', click: () => actions.openBookFolder() },
        { label: '&Settings…', accelerator: 'CmdOrCtrl+,', click: () => actions.showSettings() },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit', label: '&Close' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
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
