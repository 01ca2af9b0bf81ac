import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

const FOLDER_LENGTH = 4_000;
const folderInput = z
  .string()
  .min(1)
  .max(FOLDER_LENGTH)
  .meta({ description: 'Full path of a folder, or of a file in it that names the book, such as `book.tieout`' });

const knownBook = z
  .object({
    folder: z.string(),
    name: z.string().meta({ description: 'As it was when it was open last' }),
    opened_at: common.timestamp,
    state: z.enum(['open', 'here', 'in_use', 'gone']).meta({
      description: '`open`: in this Tieout; `in_use`: another Tieout has it open; `gone`: its folder has no book any more',
    }),
    left_at: z.string().nullable().meta({ description: 'Where it was before it was moved, as long as that is still there' }),
  })
  .meta({ id: 'KnownBook' });
export type KnownBook = z.output<typeof knownBook>;

const bookList = z
  .object({
    folder: z.string().meta({ description: 'Of the book that is open' }),
    books: z.array(knownBook).meta({ description: 'The ones that were open in a window on this computer, the newest first' }),
    new_books: z.string().meta({ description: 'The folder beside which new books are suggested, with the mark between names of folders' }),
  })
  .meta({ id: 'BookList' });
export type BookList = z.output<typeof bookList>;

const SHARED = { surface: 'app', permission: 'read_write', status: 200, output: bookList } as const;
/** Why another book did not take the place of the open one. */
const REFUSALS = ['conflict', 'book_unavailable', 'backup_failed'] as const;

export const books = {
  'books.list': operation({
    id: 'books.list',
    method: 'GET',
    path: '/books',
    summary: 'The book that is open, and the others that windows on this computer had open',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: bookList,
    example: {},
  }),
  'books.open': operation({
    ...SHARED,
    id: 'books.open',
    method: 'POST',
    path: '/books/open',
    summary: 'Open the book of another folder in place of the one that is open; where that fails, the one that was open stays',
    input: z.strictObject({ folder: folderInput }),
    errors: REFUSALS,
    example: { folder: '/books/harbour-lane' },
  }),
  'books.create': operation({
    ...SHARED,
    id: 'books.create',
    method: 'POST',
    path: '/books/create',
    summary: 'Make a new book in a folder that is empty or not there yet, and open it',
    input: z.strictObject({ folder: folderInput, name: common.name }),
    errors: REFUSALS,
    example: { folder: '/books/harbour-lane', name: 'Harbour Lane' },
  }),
  'books.move': operation({
    ...SHARED,
    id: 'books.move',
    method: 'POST',
    path: '/books/move',
    summary: 'Copy the open book with its backups into an empty folder, check the copy, and go on there; the old folder stays as it was',
    input: z.strictObject({ folder: folderInput }),
    errors: REFUSALS,
    example: { folder: '/books/moved' },
  }),
  'books.forget': operation({
    ...SHARED,
    id: 'books.forget',
    method: 'POST',
    path: '/books/forget',
    summary: 'Take a book off the list of recent ones; its folder is left as it is',
    input: z.strictObject({ folder: folderInput }),
    example: { folder: '/books/harbour-lane' },
  }),
} as const;
