import { statSync } from 'node:fs';
import path from 'node:path';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { type KnownSignOff, knownSignOffs, lostSignOffs } from '../../close/store/sign-offs.ts';
import { Database, type ReadHandle } from '../../database/database.ts';
import { periodText } from '../../domain/ledger/index.ts';
import { readAnchor } from '../store/audit-anchor.ts';
import { listBackups } from '../store/backup-files.ts';
import { BOOK_FILE, stateOfFolder } from '../store/book-folder.ts';
import { setting } from '../store/settings.ts';

/** The risks that a person has accepted before a backup replaces a book. */
export interface RestoreWords {
  /** Whether it may be a backup of another book. */
  readonly anotherBook: boolean;
  /** The number of the book's sign-offs that the backup may lack. */
  readonly loseSignOffs: number;
  /** Whether it is accepted although it was changed without Tieout. */
  readonly acceptChanges: boolean;
}

export const NO_WORDS: RestoreWords = { anotherBook: false, loseSignOffs: 0, acceptChanges: false };

/** A fact that a person must know and allow before a backup replaces a book. */
export interface RestoreQuestion {
  readonly about: 'another_book' | 'lose_sign_offs';
  readonly message: string;
}

/** The identity of the book in a file, and its sign-offs. */
export interface KnownBook {
  readonly id: string | null;
  readonly name: string | null;
  readonly reconciliations: readonly string[];
  readonly signOffs: readonly KnownSignOff[];
}

export function knownBook(read: ReadHandle): KnownBook {
  return {
    id: setting(read, 'book_id'),
    name: setting(read, 'book_name'),
    reconciliations: read
      .prepare<[], { name: string }>('SELECT name FROM reconciliations ORDER BY id')
      .all()
      .map(({ name }) => name),
    signOffs: knownSignOffs(read),
  };
}

/** Returns the book in a file that may be damaged or of another version; null if it is unreadable. */
function knownBookIn(file: string): KnownBook | null {
  let database: Database | undefined;
  try {
    database = new Database(file, { synchronous: 'FULL', isReadOnly: true });
    return knownBook(database);
  } catch {
    return null;
  } finally {
    database?.close();
  }
}

/**
 * Returns the book that a backup replaces. If that is missing or unreadable, takes its identity from the anchor beside it, and its sign-offs from its
 * newest backup. Returns null if nothing is known.
 */
export function bookInPlace(dataFolder: string, backup: string): KnownBook | null {
  if (stateOfFolder(dataFolder) === 'present') {
    const there = knownBookIn(path.join(dataFolder, BOOK_FILE));
    if (there !== null) return there;
  }
  const anchor = readAnchor(dataFolder);
  const id = anchor === null || anchor === 'unreadable' ? undefined : anchor.book;
  if (id === undefined) return null;
  for (const { file, facts } of listBackups(dataFolder)) {
    if (facts === null || isSameFile(file, backup)) continue;
    const saved = knownBookIn(file);
    if (saved?.id === id) return saved;
  }
  return { id, name: null, reconciliations: [], signOffs: [] };
}

function isSameFile(left: string, right: string): boolean {
  const [one, other] = [left, right].map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

const DONE: Readonly<Record<KnownSignOff['kind'], string>> = {
  prepare: 'prepared',
  review: 'reviewed',
  close: 'closed',
  reopen: 'reopened',
};
const DAY_MS = 86_400_000;

function signOffText({ reconciliation, firstDay, lastDay, kind, by, atMs }: KnownSignOff): string {
  const period = periodText({ from: firstDay, to: lastDay });
  return phrase('book.restoreQuestions.signatureIsNotInTheBackup', {
    period,
    reconciliation,
    done: DONE[kind],
    by,
    floor: isoFromDay(Math.floor(atMs / DAY_MS)),
  });
}

const MOST_NAMES = 3;
const SHORT_ID = 8;

/** Returns the name by which a person knows a book. */
function nameText({ id, name, reconciliations }: KnownBook): string {
  const more = reconciliations.length > MOST_NAMES ? ' and others' : '';
  const names = reconciliations.slice(0, MOST_NAMES).map((each) => `“${each}”`);
  const holds = names.length === 0 ? '' : `, with ${names.join(', ')}${more}`;
  // Two books may have the same name.
  const short = id === null ? phrase('book.restoreQuestions.withoutAnIdentity') : id.slice(0, SHORT_ID);
  return `${name === null || name === '' ? phrase('book.restoreQuestions.theBook', { short }) : `“${name}” (${short})`}${holds}`;
}

/** Returns the questions before a backup replaces the book, except those that were allowed. */
export function questionsOf(backup: KnownBook, there: KnownBook | null, words: RestoreWords): RestoreQuestion[] {
  if (there === null) return [];
  const questions: RestoreQuestion[] = [];
  if (backup.id !== there.id && !words.anotherBook) {
    questions.push({
      about: 'another_book',
      message: phrase('book.restoreQuestions.backupIsOfAnotherBook', { name: nameText(backup), name2: nameText(there) }),
    });
  }
  const lost = lostSignOffs(there.signOffs, backup.signOffs);
  // An allowance for fewer sign-offs was for others.
  if (lost.length > words.loseSignOffs) {
    questions.push(...lost.map((signOff) => ({ about: 'lose_sign_offs' as const, message: signOffText(signOff) })));
  }
  return questions;
}
