import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const ROOM_FOR_BOOKS = 8_000_000_000;

/**
 * Returns a folder in memory where there is room for books, because tests write to them tens of thousands of times and none must survive a power cut;
 * else the temporary folder.
 */
function placeOfBooks(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) < ROOM_FOR_BOOKS ? tmpdir() : MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
}

/** Makes one folder for all files of a test run; it is removed after the run, whatever its processes left. */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(placeOfBooks(), 'tieout-tests-'));
  process.env['TMPDIR'] = folder;
  // Settings of the user that a test writes go there as well.
  process.env['XDG_DATA_HOME'] = path.join(folder, 'config');
  process.env['XDG_CONFIG_HOME'] = path.join(folder, 'config');
  process.env['APPDATA'] = path.join(folder, 'config');
  // Code that processes and threads load is compiled once per run.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  // Processes that are ending may still write to it.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
