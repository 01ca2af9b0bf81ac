import { lostBook } from '../book/store/book.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import { CommandError, EXIT, type Output } from './output.ts';

/** Refuses a folder that has no book to work on, and one whose book is gone or empty: the command makes none. */
export function requireBook(dataFolder: string): void {
  const lost = lostBook(dataFolder);
  if (lost !== null) throw new CommandError(EXIT.environment, lost.code, lost.message);
  if (stateOfFolder(dataFolder) !== 'new') return;
  throw new CommandError(EXIT.usage, 'no_book', `There is no book in ${dataFolder}: give the --data folder of one.`);
}

/** Says that a command makes a book, where there is none. */
export function noteNewBook(dataFolder: string, output: Output): void {
  if (stateOfFolder(dataFolder) === 'new') output.note(`There is no book in ${dataFolder} yet: a new one is made.`);
}
