import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { say } from '../../src-shared/words/say.ts';
import type { Backend, BackendOptions, StartFailure } from '../backend/types.ts';
import type { Log } from '../platform/ports.ts';
import { applicationFolder, systemClock, systemRandom, userDataFolder } from '../platform/system.ts';
import type { EnvironmentName } from '../service/handler.ts';
import { findBrowser, hasDisplay, openAppWindow, sandboxArguments } from './browser.ts';
import { profileFolder, rendererFolder } from './places.ts';
import { processPrinter } from './print-to-pdf.ts';

interface StartWindowOptions {
  readonly dataFolder: string;
  readonly log: Log;
  /** `startBackend` of backend/backend.ts, passed in because the shell does not compose the backend. */
  readonly startBackend: (options: BackendOptions) => Promise<Result<Backend, StartFailure>>;
  readonly environment?: EnvironmentName;
  /** Finds Electron's runtime; tests pass their own. The default may download it. */
  readonly findElectron?: () => Promise<Result<string, string>>;
}

const EXIT_FINE = 0;
const EXIT_ENVIRONMENT = 3;
/** A browser that ends sooner has handed the address to a running one, or has failed; neither means that the window was closed. */
const HANDED_OVER_MS = 3_000;
const STOP_LIMIT_MS = 3_000;

const write = (line: string): void => void process.stderr.write(`${line}\n`);

/** Resolves with the signal that asks this process to stop. */
function stopSignal(): { readonly signal: Promise<NodeJS.Signals>; readonly isStopped: () => boolean } {
  let stopped = false;
  const signal = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        stopped = true;
        resolve(name);
      });
    }
  });
  return { signal, isStopped: () => stopped };
}

type Stop = ReturnType<typeof stopSignal>;

function ended(child: ChildProcess): Promise<{ readonly code: number | null; readonly afterMs: number }> {
  const startedMs = systemClock.monotonicMs();
  return new Promise((resolve) => {
    const settle = (code: number | null): void => resolve({ code, afterMs: systemClock.monotonicMs() - startedMs });
    child.once('error', () => settle(null));
    child.once('exit', (code) => settle(code));
  });
}

async function stopChild(child: ChildProcess, end: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await end;
  clearTimeout(late);
}

/** Runs Electron until its window is closed. Returns its exit code, or null when the runtime does not start on this machine. */
async function runElectron(program: string, options: StartWindowOptions, stop: Stop): Promise<number | null> {
  const environment = options.environment ?? 'live';
  const child = spawn(program, [...sandboxArguments(), applicationFolder(), '--data', options.dataFolder, '--environment', environment], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = ended(child);
  const first = await Promise.race([end, stop.signal]);
  if (typeof first === 'string') {
    await stopChild(child, end);
    return EXIT_FINE;
  }
  // No program, a missing system library (127) or a crash before the script ran: the browser may still work.
  return first.code === null || first.code === 127 ? null : first.code;
}

/** Opens the window in the installed browser, or prints its address. Resolves when the window is closed or a signal arrives. */
async function runBrowser(backend: Backend, options: StartWindowOptions, stop: Stop): Promise<void> {
  // The window has its own address. Other programs use the local port, where it is switched on.
  const environment = options.environment ?? 'live';
  const server = await backend.serveHttp({ port: 0, uiFolder: rendererFolder(), programs: false, environment });
  await backend.openLocalPort();
  const browser = hasDisplay() ? findBrowser() : null;
  if (server.uiUrl === null) throw new Error(say('shell.start.theRendererIsBuilt'));
  if (browser === null) {
    const why = hasDisplay() ? say('shell.start.noChromeChromiumOrEdgeWasFound') : say('shell.start.thereIsNoDisplay');
    write(say('shell.start.openThisAddressInABrowser', { why }));
    write(server.uiUrl);
    await stop.signal;
  } else {
    // Every user of the machine can read a command line, so this address works once.
    const child = openAppWindow(server.newUiUrl() ?? server.uiUrl, { browser, profileFolder: profileFolder(options.dataFolder) });
    const end = ended(child);
    const first = await Promise.race([end, stop.signal]);
    if (typeof first === 'string') await stopChild(child, end);
    else if (first.afterMs < HANDED_OVER_MS) {
      write(say('shell.start.ifNoWindowHasOpened'));
      write(server.uiUrl);
      await stop.signal;
    }
  }
  await server.close();
}

/**
 * Shows the book of a folder in a window: in Electron where there is a display and its runtime is found or can be downloaded, else in the installed
 * browser, with one line that says why. Without both it prints the address to open. Resolves when the window is closed or a signal arrives, with an
 * exit code: that of Electron, 0, or 3 when the book cannot be opened.
 */
export async function startWindow(options: StartWindowOptions): Promise<number> {
  const stop = stopSignal();
  if (hasDisplay()) {
    const electron = await (options.findElectron ?? findElectron)();
    if (stop.isStopped()) return EXIT_FINE;
    const code = electron.ok ? await runElectron(electron.value, options, stop) : null;
    if (code !== null) return code;
    write(say('shell.start.openingInTheBrowser', { itsRuntime: electron.ok ? say('shell.start.itsRuntimeDoesNotStart') : electron.error }));
  }
  const { dataFolder, log, startBackend } = options;
  const ports = { clock: systemClock, random: systemRandom, log };
  const started = await startBackend({
    dataFolder,
    userFolder: userDataFolder(),
    ...ports,
    startedAs: say('shell.start.itsWindow'),
    version: packageFile.version,
    printer: processPrinter,
    whenUnsound: 'rescue',
  });
  if (!started.ok) {
    write(started.error.message);
    return EXIT_ENVIRONMENT;
  }
  try {
    await runBrowser(started.value, options, stop);
  } finally {
    await started.value.close();
  }
  return EXIT_FINE;
}

const FETCH_LIMIT_MS = 5 * 60_000;
const STANDSTILL_LIMIT_MS = 30_000;

function packageFolder(): string | null {
  try {
    return path.dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  } catch {
    return null;
  }
}

function runtimeIn(folder: string): string | null {
  const pathFile = path.join(folder, 'path.txt');
  if (!fs.existsSync(pathFile)) return null;
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? path.join(folder, 'dist');
  const program = path.join(dist, fs.readFileSync(pathFile, 'utf8').trim());
  return fs.existsSync(program) ? program : null;
}

/** Returns the reason of an installer's failure, taken from its output. */
function reasonIn(output: string): string {
  const line = output.split('\n').find((text) => /error|code/i.test(text)) ?? '';
  const said = line
    .trim()
    .replace(/^\w*Error:\s*/, '')
    .slice(0, 160);
  return said === '' || said === 'fetch failed' ? say('shell.electronRuntime.thePlaceItIsDownloaded') : said;
}

/** Returns the bytes of all files below a folder, as the progress of a download or an unpacking. */
function bytesIn(folder: string): number {
  if (!fs.existsSync(folder)) return 0;
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.reduce(
    (sum, entry) =>
      sum + (entry.isFile() ? (fs.statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0),
    0,
  );
}

/**
 * Runs the installer of the electron package once. It is stopped when nothing grows for 30 seconds, or after five minutes. The installer prints no
 * progress without a terminal, so the progress is the size of its temporary folder.
 */
async function fetchRuntime(folder: string): Promise<Result<true, string>> {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-electron-'));
  const environment = { ...process.env, TMPDIR: temporary, TMP: temporary, TEMP: temporary };
  const child = spawn(process.execPath, [path.join(folder, 'install.js')], { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  const giveUp = (): void => void child.kill('SIGKILL');
  const signals = ['SIGTERM', 'SIGINT'] as const;
  for (const signal of signals) process.once(signal, giveUp);
  const startedMs = systemClock.monotonicMs();
  let grownMs = startedMs;
  let bytes = 0;
  const watch = setInterval(() => {
    const nowMs = systemClock.monotonicMs();
    const bytesNow = bytesIn(temporary) + bytesIn(path.join(folder, 'dist'));
    if (bytesNow !== bytes) grownMs = nowMs;
    bytes = bytesNow;
    if (nowMs - grownMs > STANDSTILL_LIMIT_MS || nowMs - startedMs > FETCH_LIMIT_MS) giveUp();
  }, 2_000);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = await new Promise<Result<true, string>>((resolve) => {
    child.once('error', (error) => resolve(failed(error.message)));
    child.once('close', (code, signal) => {
      if (signal !== null) resolve(failed(say('shell.electronRuntime.theDownloadCameTo')));
      else resolve(code === 0 ? success(true) : failed(reasonIn(output)));
    });
  });
  clearInterval(watch);
  for (const signal of signals) process.off(signal, giveUp);
  fs.rmSync(temporary, { recursive: true, force: true });
  return ended;
}

/**
 * Returns the path of Electron's runtime, which the electron package's installer downloads when it is missing. Fails with one line that says why
 * there is none.
 */
export async function findElectron(): Promise<Result<string, string>> {
  const folder = packageFolder();
  if (folder === null) return failed(say('shell.electronRuntime.theElectronPackageIsNotInstalled'));
  const present = runtimeIn(folder);
  if (present !== null) return success(present);
  const fetched = await fetchRuntime(folder);
  if (!fetched.ok) return failed(say('shell.electronRuntime.itsRuntimeIsNotOnThisMachine', { error: fetched.error }));
  const program = runtimeIn(folder);
  return program === null ? failed(say('shell.electronRuntime.itsRuntimeWasFetched')) : success(program);
}
