import path from 'node:path';
import { app, BrowserWindow, shell } from 'electron';
import packageFile from '../package.json' with { type: 'json' };
import { CHANNELS } from '../src-shared/contract/wire.ts';
import { stderrLog } from './platform/system.ts';
import { readArguments } from './shell/arguments.ts';
import { connectBackend } from './shell/backend-connection.ts';
import { chooseFile, showFatal } from './shell/dialogs.ts';
import { answerIpc } from './shell/ipc.ts';
import { setMenu } from './shell/menu.ts';
import { processPrinter } from './shell/print-to-pdf.ts';
import { preloadScript, profileFolder, rendererFolder } from './shell/places.ts';
import { declareAppScheme, serveAppScheme } from './shell/protocol.ts';
import { platformSecrets } from './shell/secret-store.ts';
import { cutOffNetwork, guardEveryPage, openWindow } from './shell/window.ts';

const log = stderrLog();
const started = readArguments(process.argv.slice(1), process.env, app.getPath('userData'));
// A named book has its own profile, so that it can be open beside the user's own book.
if (started.isNamed) app.setPath('userData', profileFolder(started.dataFolder));

function show(): BrowserWindow {
  const [open] = BrowserWindow.getAllWindows();
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
  answerIpc(
    {
      request: (operation, input) => backend.request(operation, input),
      chooseFile: () => chooseFile(show(), (file) => backend.registerFile(file)),
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
  app.on('second-instance', () => void show());
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

app.enableSandbox();
declareAppScheme();
cutOffNetwork();
if (app.requestSingleInstanceLock()) void runWhenReady();
else app.quit();
