import path from 'node:path';
import { app, BrowserWindow, shell } from 'electron';
import packageFile from '../package.json' with { type: 'json' };
import { CHANNELS } from '../src-shared/contract/wire.ts';
import { stderrLog } from './platform/system.ts';
import { connectBackend } from './shell/backend-connection.ts';
import { chooseFile, setMenu, showFatal, showRefused } from './shell/dialogs.ts';
import { answerIpc, cutOffNetwork, declareAppScheme, guardEveryPage, mainWindow, openWindow, serveAppScheme } from './shell/window.ts';
import { createOpenedThings, readArguments } from './shell/opened.ts';
import { preloadScript, profileFolder, rendererFolder } from './shell/places.ts';
import { processPrinter } from './shell/print-to-pdf.ts';
import { platformSecrets } from './shell/secret-store.ts';

const log = stderrLog();
const started = readArguments(process.argv.slice(1), process.env, app.getPath('userData'));
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

function pushToWindows(event: unknown): void {
  for (const window of BrowserWindow.getAllWindows()) window.webContents.send(CHANNELS.event, event);
}

function run(): void {
  const backend = connectBackend({
    script: new URL('./backend-worker.js', import.meta.url),
    data: { dataFolder: started.dataFolder, version: packageFile.version, environment: started.environment },
    onEvent: pushToWindows,
    printer: processPrinter,
    secrets: platformSecrets(),
    onFatal: (message) => {
      showFatal(message);
      app.exit(1);
    },
    log,
  });
  let isBookClosed = false;
  const closeBook = async (): Promise<void> => {
    await backend.close();
    isBookClosed = true;
    app.quit();
  };
  app.on('before-quit', (event) => {
    if (isBookClosed) return;
    event.preventDefault();
    void closeBook();
  });
  const opened = createOpenedThings({
    programFolder: import.meta.dirname,
    registerFile: (file) => backend.registerFile(file),
    onOpened: () => pushToWindows({ kind: 'command', command: 'opened' }),
    onRefused: (name, message) => void showRefused(show(), `${name}: ${message}`),
    log,
  });
  open = opened.add;
  opened.add([...early, ...started.named], process.cwd());
  answerIpc(
    {
      request: (operation, input) => backend.request(operation, input),
      chooseFile: () => chooseFile(show(), (file) => backend.registerFile(file)),
      takeOpened: () => opened.take(),
    },
    log,
  );
  guardEveryPage(log);
  serveAppScheme(rendererFolder());
  setMenu({
    importStatement: () => pushToWindows({ kind: 'command', command: 'import' }),
    showSettings: () => pushToWindows({ kind: 'command', command: 'settings' }),
    openBookFolder: () => void shell.openPath(started.dataFolder),
    showAbout: () => app.showAboutPanel(),
  });
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
cutOffNetwork();
if (app.requestSingleInstanceLock()) void runWhenReady();
else app.quit();
