import { lostBook } from '../book/store/book.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import { CommandError, EXIT, type Output } from './output.ts';
import { say } from '../../src-shared/words/say.ts';

/** Throws a `CommandError` where a folder has no book, or its book is gone or empty. For commands that do not make one. */
export function requireBook(dataFolder: string): void {
  const lost = lostBook(dataFolder);
  if (lost !== null) throw new CommandError(EXIT.environment, lost.code, lost.message);
  if (stateOfFolder(dataFolder) !== 'new') return;
  throw new CommandError(EXIT.usage, 'no_book', say('commands.requireBook.thereIsNoBook', { dataFolder }));
}

/** Notes that a command makes a new book, where the folder has none. */
export function noteNewBook(dataFolder: string, output: Output): void {
  if (stateOfFolder(dataFolder) === 'new') output.note(say('commands.requireBook.thereIsNoBookInYet', { dataFolder }));
}
