import os from 'node:os';
import path from 'node:path';
import { stderrLog } from '../platform/system.ts';
import type { EnvironmentName } from '../service/handler.ts';
import { startWindow } from '../shell/start.ts';
import { noteNewBook } from './session.ts';
import { buildSampleBook } from './demo.ts';
import { CommandError, type Output } from './output.ts';
import { say } from '../../src-shared/words/say.ts';

/** Returns the folder for a user's own data by the convention of the system. */
function userDataFolder(): string {
  const home = os.homedir();
  if (process.platform === 'win32') return path.join(process.env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Tieout');
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Tieout');
  return path.join(process.env['XDG_DATA_HOME'] ?? path.join(home, '.local', 'share'), 'tieout');
}

export interface StartOptions {
  /** Undefined means the sample book, built at its first use. */
  readonly data?: string | undefined;
  readonly environment: EnvironmentName;
}

/** Codes of failures for which the window itself offers ways out. */
const SHOWN_IN_WINDOW: ReadonlySet<string> = new Set(['book_missing', 'book_empty', 'damaged']);

/** Builds the sample book where it is missing; returns whether it did. */
async function sampleBook(dataFolder: string, output: Output): Promise<boolean> {
  try {
    return (await buildSampleBook({ data: dataFolder, environment: 'live', json: false }, output)).created;
  } catch (error) {
    if (error instanceof CommandError && SHOWN_IN_WINDOW.has(error.code)) return false;
    throw error;
  }
}

/** Opens the window on a book. */
export async function start(options: StartOptions, output: Output): Promise<number> {
  const { startBackend } = await import('../backend/backend.ts');
  const dataFolder = options.data ?? path.join(userDataFolder(), 'sample-book');
  if (options.data === undefined) {
    const built = await sampleBook(dataFolder, output);
    output.note(
      built ? say('commands.start.sampleBookBuiltIn', { dataFolder }) : say('commands.start.openingTheSampleBook', { dataFolder }),
    );
  } else noteNewBook(dataFolder, output);
  return startWindow({ dataFolder, log: stderrLog(), startBackend, environment: options.environment });
}
