import path from 'node:path';
import { say } from '../../src-shared/words/say.ts';
import { stateOfFolder } from '../book/store/book-folder.ts';
import { KnownBooks } from '../book/store/known-books.ts';
import { userDataFolder } from '../platform/system.ts';
import { timestampOf } from '../service/answers.ts';
import { EXIT, type ExitCode, type Output } from './output.ts';
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

export function forgetBook(folder: string, output: Output): ExitCode {
  const named = path.resolve(folder);
  new KnownBooks(userDataFolder()).forget(named);
  output.print({ folder: named }, [say('commands.books.forgotten', { folder: named })]);
  return EXIT.fine;
}

/** Moves a book, in the running Tieout where one has it open. */
export function moveBook(folder: string, options: CommonOptions, output: Output): Promise<ExitCode> {
  return withSession('books', options, output, async ({ client }) => {
    const moved = await client.get('books.move', { folder: path.resolve(folder) });
    const from = path.resolve(options.data);
    output.print({ folder: moved.folder, left_at: from }, [say('commands.books.moved', { folder: moved.folder, from })]);
    return EXIT.fine;
  });
}
