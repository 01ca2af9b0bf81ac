import { randomBytes } from 'node:crypto';
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

/** Does not keep a process alive. */
export const systemAlarm: Alarm = {
  after: (delayMs, work) => {
    const timer = setTimeout(work, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * By the first objects that some code makes, V8 guesses how long all later ones live; the first rows of a file live long, and then the others lie where it seldom
 * looks, many megabytes of them. From now on it does not guess, in this whole process. Electron's V8 takes no flags so late.
 */
export function guessNoLifetimes(): void {
  if (process.versions['electron'] === undefined) setFlagsFromString('--no-allocation-site-pretenuring');
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** One JSON line an entry on stderr, so that stdout stays free for answers. */
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
