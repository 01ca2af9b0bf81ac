import path from 'node:path';
import { app, type BrowserWindow, safeStorage, shell } from 'electron';
import type { BookList } from '../src-shared/contract/book/books.ts';
import type { Output } from '../src-shared/contract/index.ts';
import { BOOK_FILE } from './book/store/book-folder.ts';
import { bookAt, KnownBooks } from './book/store/known-books.ts';
import { stderrLog, userDataFolder } from './platform/system.ts';
import { type BackendConnection, connectBackend } from './shell/backend-connection.ts';
import { askPerson, chooseFile, chooseFolder, setMenu, showFatal, showRefused, showUnopened, tellPerson } from './shell/dialogs.ts';
import { createOpenedThings, readArguments } from './shell/opened.ts';
import { preloadScript, profileFolder, rendererFolder } from './shell/places.ts';
import { processPrinter } from './shell/print-to-pdf.ts';
import { createUpdates, readUpdateSettings, resolverRules } from './shell/updates.ts';
import {
  answerIpc,
  cutOffNetwork,
  declareAppScheme,
  guardEveryPage,
  letUpdaterThrough,
  mainWindow,
  openWindow,
  sendToWindows,
  serveAppScheme,
} from './shell/window.ts';
import type { Secrets } from './platform/ports.ts';
import packageFile from '../package.json' with { type: 'json' };

/** Backends that protect nothing: without a keyring, Electron on Linux uses a password from its public source code. */
const NO_STORE: ReadonlySet<string> = new Set(['basic_text', 'unknown']);

/**
 * Returns the secret store of the platform (Keychain, Data Protection API, or the keyring of the desktop); null where there is none. Call it once
 * Electron is ready. The store is first used when a secret is encrypted or decrypted, because macOS may ask the person then.
 */
function platformSecrets(): Secrets | null {
  if (process.platform === 'linux' && NO_STORE.has(safeStorage.getSelectedStorageBackend())) return null;
  return {
    encrypt: async (text) => ((await safeStorage.isAsyncEncryptionAvailable()) ? safeStorage.encryptStringAsync(text) : null),
    decrypt: async (encrypted) => {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(encrypted));
      return result;
    },
  };
}

const log = stderrLog();
const userFolder = userDataFolder();
const started = readArguments(process.argv.slice(1), process.env, userFolder, {
  bookAt,
  chosen: () => new KnownBooks(userFolder).chosen(),
});
/** Closes the book. There is none before the application has started. */
let closeBook = async (): Promise<void> => {};
const updateSettings = readUpdateSettings(userFolder);
const updates = createUpdates({
  settings: updateSettings,
  userFolder,
  version: packageFile.version,
  // Set by the portable program as it unpacks itself.
  isPortable: process.env['PORTABLE_EXECUTABLE_FILE'] !== undefined,
  load: async () => (await import('electron-updater')).autoUpdater,
  letThrough: letUpdaterThrough,
  ask: (question, yes) => askPerson(show(), question, yes),
  tell: (words) => tellPerson(show(), words),
  closeBook: async () => {
    await closeBook();
    // The new version may start before this one has ended.
    app.releaseSingleInstanceLock();
  },
  startAgain: () => {
    app.relaunch();
    app.quit();
  },
  log,
});
/** Files and links that macOS hands over before the application is ready. */
const early: string[] = [];
let open = (things: readonly string[], _folder: string): void => void early.push(...things);
// A named book has its own profile, so that it can be open beside the user's own book.
if (started.isNamed) app.setPath('userData', profileFolder(started.dataFolder));

function show(): BrowserWindow {
  const open = mainWindow();
  if (open === undefined) {
    return openWindow({ preloadScript: preloadScript(), stateFile: path.join(app.getPath('userData'), 'window-state.json') });
  }
  if (open.isMinimized()) open.restore();
  open.focus();
  return open;
}

/** Opens the book of a folder in the window, or says why not. The window notices by itself that it shows another book. */
async function openBook(backend: BackendConnection, folder: string): Promise<void> {
  const opened = await backend.request('books.open', { folder });
  if (!opened.ok) await showUnopened(show(), opened.error.message);
}

type Listed = Pick<BookList, 'folder' | 'books'>;

/** Sets the menu with the folder of the open book, and the other books. */
function showMenu(backend: BackendConnection, { folder, books }: Listed): void {
  const pick = (command: string) => () => sendToWindows({ kind: 'command', command });
  setMenu({
    importStatement: pick('import'),
    newBook: pick('new_book'),
    openBook: pick('open_book'),
    recent: books.filter(({ state }) => state === 'here'),
    openRecent: (other) => void openBook(backend, other),
    showSettings: pick('settings'),
    openBookFolder: () => void shell.openPath(folder),
    lookForUpdates: () => void updates.look(),
    showAbout: () => app.showAboutPanel(),
  });
}

/** Sets the menu anew with the books as they are now known. */
async function refreshMenu(backend: BackendConnection): Promise<void> {
  const listed = await backend.request('books.list', {});
  if (listed.ok) showMenu(backend, listed.value as BookList);
}

/** Shows the file of the open book, or of a backup, in the system's file manager. The page names no path: the service says where each lies. */
async function showInFolder(backend: BackendConnection, backup: string | null): Promise<void> {
  if (backup === null) {
    const listed = await backend.request('books.list', {});
    if (listed.ok) shell.showItemInFolder(path.join((listed.value as BookList).folder, BOOK_FILE));
    return;
  }
  const listed = await backend.request('backups.list', {});
  if (!listed.ok) return;
  const { folder, backups } = listed.value as Output<'backups.list'>;
  if (backups.some(({ name }) => name === backup)) shell.showItemInFolder(path.join(folder, backup));
}

function run(): void {
  const backend: BackendConnection = connectBackend({
    script: new URL('./backend-worker.js', import.meta.url),
    data: { dataFolder: started.dataFolder, userFolder, version: packageFile.version, environment: started.environment },
    listeners: [sendToWindows, (event) => event.kind === 'changed' && event.areas.includes('book') && void refreshMenu(backend)],
    printer: processPrinter,
    secrets: platformSecrets(),
    onFatal: (message) => {
      showFatal(message);
      app.exit(1);
    },
    log,
  });
  let isBookClosed = false;
  closeBook = async () => {
    await backend.close();
    isBookClosed = true;
  };
  app.on('before-quit', (event) => {
    if (isBookClosed) return;
    event.preventDefault();
    void closeBook().then(() => app.quit());
  });
  const opened = createOpenedThings({
    programFolder: import.meta.dirname,
    bookAt,
    openBook: (folder) => void openBook(backend, folder),
    registerFile: (file) => backend.registerFile(file),
    onOpened: () => sendToWindows({ kind: 'command', command: 'opened' }),
    onRefused: (name, message) => void showRefused(show(), `${name}: ${message}`),
    log,
  });
  open = opened.add;
  opened.add([...early, ...started.named], process.cwd());
  answerIpc(
    {
      request: (operation, input) => backend.request(operation, input),
      chooseFile: () => chooseFile(show(), (file) => backend.registerFile(file)),
      chooseFolder: (purpose) => chooseFolder(show(), purpose),
      showInFolder: (backup) => showInFolder(backend, backup),
      takeOpened: () => opened.take(),
    },
    log,
  );
  guardEveryPage(log);
  serveAppScheme(rendererFolder());
  showMenu(backend, { folder: started.dataFolder, books: [] });
  void refreshMenu(backend);
  app.on('second-instance', (_, args, folder) => {
    show();
    opened.add(readArguments(args.slice(1), {}, '').named, folder);
  });
  app.on('activate', () => void show());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit());
  show();
}

/**
 * Starts the application once Electron is ready. The top level does not await it, because Electron becomes ready only after this module has been
 * evaluated.
 */
async function runWhenReady(): Promise<void> {
  try {
    await app.whenReady();
    run();
  } catch (error) {
    showFatal(`Tieout could not start: ${error instanceof Error ? error.message : String(error)}`);
    app.exit(1);
  }
}

app.on('open-file', (event, file) => {
  event.preventDefault();
  open([file], '/');
});
app.on('open-url', (event, link) => {
  event.preventDefault();
  open([link], '/');
});
app.enableSandbox();
declareAppScheme();
cutOffNetwork(resolverRules(updateSettings));
if (app.requestSingleInstanceLock()) void runWhenReady();
else app.quit();
