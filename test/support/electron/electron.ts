import { answerRoute } from './browser-window.ts';
import { defaultSession, sessionOf } from './session.ts';
import { state, type Invoke, type SchemeHandler } from './state.ts';
import './control.ts';

/**
 * The stand-in for the module `electron`, as far as main.ts and the shell use it. Pages are real Chromium, driven through playwright-core. What an
 * operating system would show (menus, dialogs) is recorded, and answered as the test asks.
 */
export { app } from './app.ts';
export { BrowserWindow } from './browser-window.ts';

state.answerRoute = answerRoute;

const record = (name: string, detail: unknown): void => void state.calls.push({ name, detail });

export const ipcMain = {
  handle: (channel: string, handler: Invoke): void => {
    if (state.invokeHandlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    state.invokeHandlers.set(channel, handler);
  },
};

export const dialog = {
  showOpenDialog: async (_: unknown, options: unknown): Promise<{ canceled: boolean; filePaths: string[] }> => {
    record('dialog.showOpenDialog', options);
    const path = state.nextFile;
    state.nextFile = null;
    return path === null ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [path] };
  },
  showMessageBox: async (_: unknown, options: unknown): Promise<{ response: number }> => {
    record('dialog.showMessageBox', options);
    return { response: 0 };
  },
  showErrorBox: (title: string, content: string): void => record('dialog.showErrorBox', { title, content }),
};

export const Menu = {
  buildFromTemplate: (template: readonly unknown[]): readonly unknown[] => template,
  setApplicationMenu: (menu: readonly unknown[]): void => {
    state.menu = menu;
  },
};

export const shell = {
  openExternal: async (url: string): Promise<void> => record('shell.openExternal', url),
  showItemInFolder: (path: string): void => record('shell.showItemInFolder', path),
  openPath: async (path: string): Promise<string> => {
    record('shell.openPath', path);
    return '';
  },
};

/** A secret store that inverts bits. With `TIEOUT_STANDIN_KEYRING=none` the desktop has no keyring. */
const turned = (bytes: Uint8Array): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
export const safeStorage = {
  getSelectedStorageBackend: (): string => {
    if (!state.isReady) return 'unknown';
    return process.env['TIEOUT_STANDIN_KEYRING'] === 'none' ? 'basic_text' : 'gnome_libsecret';
  },
  isAsyncEncryptionAvailable: async (): Promise<boolean> => true,
  encryptStringAsync: async (text: string): Promise<Buffer> => turned(Buffer.from(text)),
  decryptStringAsync: async (sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> => ({
    result: turned(sealed).toString(),
    shouldReEncrypt: false,
  }),
};

export const session = { defaultSession, fromPartition: sessionOf };

export const protocol = {
  registerSchemesAsPrivileged: (): void => {
    if (state.isReady) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
  },
  handle: (scheme: string, handler: SchemeHandler): void => {
    if (!state.isReady) throw new Error('protocol.handle can only be used after app is ready');
    state.schemes.set(scheme, handler);
  },
};

export const nativeTheme = { shouldUseDarkColors: false };
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] };
