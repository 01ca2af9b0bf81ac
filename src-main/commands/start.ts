import path from 'node:path';
import { stderrLog, userDataFolder } from '../platform/system.ts';
import type { EnvironmentName } from '../service/handler.ts';
import { startWindow } from '../shell/start.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import { KnownBooks } from '../book/store/known-books.ts';
import { noteNewBook } from './session.ts';
import { buildSampleBook } from './demo.ts';
import { CommandError, type Output } from './output.ts';
import { say } from '../../src-shared/words/say.ts';

export interface StartOptions {
  /** Undefined means the book that was chosen last in a window, else the user's own, and the sample book, built at its first use, until there is one. */
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
  const ownBook = path.join(userDataFolder(), 'book');
  const chosen = options.data ?? new KnownBooks(userDataFolder()).chosen() ?? undefined;
  const named = chosen ?? (stateOfFolder(ownBook) === 'new' ? undefined : ownBook);
  const dataFolder = named ?? path.join(userDataFolder(), 'sample-book');
  if (named === undefined) {
    const built = await sampleBook(dataFolder, output);
    output.note(
      built ? say('commands.start.sampleBookBuiltIn', { dataFolder }) : say('commands.start.openingTheSampleBook', { dataFolder }),
    );
  } else noteNewBook(dataFolder, output);
  return startWindow({ dataFolder, log: stderrLog(), startBackend, environment: options.environment });
}
