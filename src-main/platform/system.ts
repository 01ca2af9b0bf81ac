import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { dayFromParts } from '../../src-shared/values/civil-date.ts';
import { present } from '../../src-shared/values/assert.ts';
import type { Alarm, Clock, Log, Random } from './ports.ts';

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  today: () => {
    const now = new Date();
    return present(dayFromParts(now.getFullYear(), now.getMonth() + 1, now.getDate()), 'today');
  },
  monotonicMs: () => performance.now(),
};

/** An alarm whose timers do not keep the process alive. */
export const systemAlarm: Alarm = {
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Turns V8's pretenuring off for the whole process. V8 guesses from the first objects of a place in the code how long all later ones live. The first
 * rows of a file live long, so it would allocate many megabytes of short-lived rows in the old generation, which it seldom collects. Does nothing in
 * Electron, whose V8 takes no flags after its start.
 */
export function disablePretenuring(): void {
  if (process.versions['electron'] === undefined) setFlagsFromString('--no-allocation-site-pretenuring');
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** Returns a log that writes one JSON line per entry to stderr, so that stdout has only answers. */
export function stderrLog(level: 'info' | 'warning' | 'error' = 'warning'): Log {
  const levels = ['info', 'warning', 'error'];
  const write = (name: string, message: string, detail?: Readonly<Record<string, unknown>>) => {
    if (levels.indexOf(name) < levels.indexOf(level)) return;
    process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level: name, message, ...detail })}\n`);
  };
  return {
    info: (message, detail) => write('info', message, detail),
    warning: (message, detail) => write('warning', message, detail),
    error: (message, detail) => write('error', message, detail),
  };
}

export const silentLog: Log = { info: () => {}, warning: () => {}, error: () => {} };

/**
 * Returns the folder with `package.json`, which Electron starts: the repository, or the packed application. It is searched upwards from this file,
 * because bundling moves the file.
 */
export function applicationFolder(): string {
  let folder = import.meta.dirname;
  while (!fs.existsSync(path.join(folder, 'package.json'))) {
    const above = path.dirname(folder);
    if (above === folder) throw new Error(`no package.json above ${import.meta.dirname}`);
    folder = above;
  }
  return folder;
}

/** Returns the folder for a user's own data by the convention of the system, which the window uses as well. */
export function userDataFolder(): string {
  const home = os.homedir();
  if (process.platform === 'win32') return path.join(process.env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Tieout');
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Tieout');
  return path.join(process.env['XDG_DATA_HOME'] ?? path.join(home, '.local', 'share'), 'tieout');
}
