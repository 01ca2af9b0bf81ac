import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';

const MEMORY_FOLDER = '/dev/shm';
const ROOM_FOR_BOOKS = 8_000_000_000;

/** Where there is room for books in memory: they are written to the disk tens of thousands of times, and none of them has to outlive a power cut. */
function placeOfBooks(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, freemem()) < ROOM_FOR_BOOKS ? tmpdir() : MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
}

/** One folder for all that the tests of a run write; it goes with the run, whatever its processes left. */
export function setup(): () => void {
  const folder = mkdtempSync(path.join(placeOfBooks(), 'tieout-tests-'));
  process.env['TMPDIR'] = folder;
  // What a test writes with the user's settings goes there as well.
  process.env['XDG_CONFIG_HOME'] = path.join(folder, 'config');
  process.env['APPDATA'] = path.join(folder, 'config');
  // What processes and threads load is compiled once for the run.
  process.env['NODE_COMPILE_CACHE'] = path.join(folder, 'compiled');
  // Processes that are ending still write to it.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
