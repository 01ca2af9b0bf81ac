import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { systemClock } from '../platform/system.ts';
import { say } from '../../src-shared/words/say.ts';

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
