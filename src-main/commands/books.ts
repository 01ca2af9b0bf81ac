import path from 'node:path';
import { say } from '../../src-shared/words/say.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import { folderNamed, KnownBooks } from '../book/store/known-books.ts';
import { userDataFolder } from '../platform/system.ts';
import { timestampOf } from '../service/answers.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type CommonOptions, withSession } from './session.ts';

/** Lists the books that windows of this user had open. No book needs to be open for it. */
export function listBooks(output: Output): ExitCode {
  const books = new KnownBooks(userDataFolder()).read().books.map(({ folder, name, openedAtMs, leftAt }) => ({
    folder,
    name,
    opened_at: timestampOf(openedAtMs),
    is_there: stateOfFolder(folder) === 'present',
    left_at: leftAt,
  }));
  const lines = books.map(({ folder, name, opened_at: openedAt, is_there: isThere }) =>
    isThere ? say('commands.books.line', { folder, name, openedAt }) : say('commands.books.gone', { folder, name }),
  );
  output.print(books, lines.length === 0 ? [say('commands.books.none')] : lines);
  return EXIT.fine;
}

/** Returns the folder that a person names: as the window takes it, or from the folder in which the command runs. An empty name is no folder. */
function namedFolder(text: string): string {
  if (text.trim() === '') throw new CommandError(EXIT.usage, 'no_folder', say('commands.books.noFolder'));
  return folderNamed(text) ?? path.resolve(text);
}

export function forgetBook(folder: string, output: Output): ExitCode {
  const named = namedFolder(folder);
  new KnownBooks(userDataFolder()).forget(named);
  output.print({ folder: named }, [say('commands.books.forgotten', { folder: named })]);
  return EXIT.fine;
}

/** Moves a book, in the running Tieout where one has it open. */
export function moveBook(folder: string, options: CommonOptions, output: Output): Promise<ExitCode> {
  const to = namedFolder(folder);
  return withSession('books', options, output, async ({ client }) => {
    const moved = await client.get('books.move', { folder: to });
    const from = path.resolve(options.data);
    output.print({ folder: moved.folder, left_at: from }, [say('commands.books.moved', { folder: moved.folder, from })]);
    return EXIT.fine;
  });
}
