// Imports nothing that loads SQLite: the main thread of the shell reads the list before there is a service.
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BOOK_FILE, stateOfFolder } from './book-folder.ts';

/** A small file in a book's folder. The system opens it with Tieout, which opens the book that lies beside it. */
const BOOK_LINK = 'book.tieout';
const LINK_EXTENSION = '.tieout';
const MOST_KEPT = 20;

/** A book that a window of this user had open. */
export interface KnownBookEntry {
  readonly folder: string;
  readonly name: string;
  readonly openedAtMs: number;
  /** Where it was before it was moved. */
  readonly leftAt: string | null;
}

interface KeptList {
  readonly books: readonly KnownBookEntry[];
  /** The book that a person chose last; a start that names none opens it. */
  readonly chosen: string | null;
}

const NOTHING: KeptList = { books: [], chosen: null };

function isEntry(value: unknown): value is KnownBookEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { folder, name, openedAtMs, leftAt } = value as Record<string, unknown>;
  return (
    typeof folder === 'string' &&
    path.isAbsolute(folder) &&
    typeof name === 'string' &&
    Number.isSafeInteger(openedAtMs) &&
    (leftAt === null || typeof leftAt === 'string')
  );
}

/** The list of the books that this user's windows had open, in a file of the user's own folder. Another Tieout may write it at the same time. */
export class KnownBooks {
  readonly #file: string;

  constructor(userFolder: string) {
    this.#file = path.join(userFolder, 'books.json');
  }

  /** Returns the list, the newest first. A file that cannot be read counts as an empty list. */
  read(): KeptList {
    try {
      const { books, chosen } = JSON.parse(readFileSync(this.#file, 'utf8')) as Partial<Record<keyof KeptList, unknown>>;
      return { books: Array.isArray(books) ? books.filter(isEntry) : [], chosen: typeof chosen === 'string' ? chosen : null };
    } catch {
      return NOTHING;
    }
  }

  /** Returns the folder that a start without a name opens: the book that a person chose last, as long as it is there. */
  chosen(): string | null {
    const { chosen } = this.read();
    return chosen !== null && stateOfFolder(chosen) === 'present' ? chosen : null;
  }

  /** Puts a book at the head of the list. */
  remember(
    book: Omit<KnownBookEntry, 'leftAt'>,
    { isChosen, movedFrom }: { readonly isChosen: boolean; readonly movedFrom?: string },
  ): void {
    const { books, chosen } = this.read();
    const leftAt = movedFrom ?? books.find(({ folder }) => folder === book.folder)?.leftAt ?? null;
    const others = books.filter(({ folder }) => folder !== book.folder && folder !== movedFrom);
    this.#write({ books: [{ ...book, leftAt }, ...others].slice(0, MOST_KEPT), chosen: isChosen ? book.folder : chosen });
  }

  forget(folder: string): void {
    const { books, chosen } = this.read();
    this.#write({ books: books.filter((book) => book.folder !== folder), chosen: chosen === folder ? null : chosen });
  }

  /** Without space for the file the list stays as it was. */
  #write(list: KeptList): void {
    const writing = `${this.#file}.writing-${process.pid}`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(writing, JSON.stringify(list), { mode: 0o600 });
      renameSync(writing, this.#file);
    } catch {
      // The list is a convenience; no book depends on it.
    }
  }
}

/** Returns the absolute path that a person named: typed, pasted with quotes, below the home folder, or by a file in it that names the book. Null where it is none. */
export function folderNamed(text: string): string | null {
  const bare = unquoted(text);
  const whole = /^~(?:[/\\]|$)/.test(bare) ? path.join(os.homedir(), bare.slice(1)) : bare;
  if (!path.isAbsolute(whole)) return null;
  const named = path.resolve(whole);
  const isFile = path.basename(named) === BOOK_FILE || path.extname(named) === LINK_EXTENSION;
  return isFile ? path.dirname(named) : named;
}

const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/, '$2');

/** Returns the folder of the book that a file or a folder stands for: `NAME.tieout` beside a book, or its folder; null for any other. */
export function bookAt(place: string): string | null {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return stateOfFolder(place) === 'present' ? place : null;
  return found?.isFile() === true && path.extname(place).toLowerCase() === LINK_EXTENSION ? path.dirname(place) : null;
}

/** Puts the file into a book's folder by which the system opens the book with Tieout. Does nothing where it cannot be written. */
export function writeBookLink(folder: string, text: string): void {
  try {
    writeFileSync(path.join(folder, BOOK_LINK), `${text}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // It is there already, or the disk can only be read.
  }
}
