import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { BACKUPS_FOLDER, isAlive } from './book-folder.ts';
import { BESIDE, removeDatabase } from './private-files.ts';

/** Why a backup was made; part of its name. */
const BACKUP_KINDS = ['by_hand', 'daily', 'before_migration', 'before_restore', 'before_sync', 'before_changes'] as const;
export type BackupKind = (typeof BACKUP_KINDS)[number];

/** Facts by which a copy is recognised as equal. `head` is the hash of the newest entry of the audit log; null if there is none. */
export interface BookFacts {
  readonly records: number;
  readonly audit_entries: number;
  readonly head: string | null;
}

/** A stored backup. `facts` are null if Tieout did not write or check it. */
export interface StoredBackup {
  readonly name: string;
  readonly file: string;
  readonly kind: BackupKind | null;
  readonly madeAtMs: number;
  readonly bytes: number;
  readonly facts: BookFacts | null;
}

interface Note extends BookFacts {
  readonly bytes: number;
  /** The SHA-256 of the whole file, in hexadecimal. */
  readonly sha256: string;
}

const ENDING = '.sqlite';
const NOTE_ENDING = '.json';
const NAME = /^book-(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-([a-z_]+?)(?:-\d+)?\.sqlite$/;
/** The suffix of a backup that is being written, followed by the process id. */
const WRITING = '.writing-';

export function backupsFolder(dataFolder: string): string {
  return path.join(dataFolder, BACKUPS_FOLDER);
}

/** Returns a name such as `book-20260630-080000-daily.sqlite`, in UTC. */
export function backupName(kind: BackupKind, atMs: number): string {
  const stamp = new Date(atMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `book-${stamp}-${kind}${ENDING}`;
}

/** Returns a path for a new backup; a second one within the same second gets a number. */
export function newBackupFile(dataFolder: string, kind: BackupKind, atMs: number): string {
  const file = path.join(backupsFolder(dataFolder), backupName(kind, atMs));
  for (let number = 2; ; number += 1) {
    const next = number === 2 ? file : file.replace(/\.sqlite$/, `-${number - 1}${ENDING}`);
    if (!existsSync(next)) return next;
  }
}

export function noteFile(backup: string): string {
  return `${backup}${NOTE_ENDING}`;
}

export function noteOf({ records, audit_entries, head }: BookFacts, { bytes, sha256 }: Pick<Note, 'bytes' | 'sha256'>): string {
  return `${JSON.stringify({ bytes, sha256, records, audit_entries, head } satisfies Note)}\n`;
}

function readNote(backup: string): Partial<Note> | null {
  try {
    return JSON.parse(readFileSync(noteFile(backup), 'utf8')) as Partial<Note> | null;
  } catch {
    return null;
  }
}

/** Returns the digest that was noted when a backup was written; null if there is none. */
export function notedDigest(backup: string): string | null {
  const { sha256 } = readNote(backup) ?? {};
  return typeof sha256 === 'string' ? sha256 : null;
}

/** Returns the facts noted when a backup was checked; null if the note is missing, unreadable, or of a file of another length. */
function factsOf(backup: string, bytes: number): BookFacts | null {
  const note = readNote(backup);
  if (note?.bytes !== bytes || typeof note.records !== 'number' || typeof note.audit_entries !== 'number') return null;
  return { records: note.records, audit_entries: note.audit_entries, head: typeof note.head === 'string' ? note.head : null };
}

/** Returns the backups of a book, newest first; empty if there is no folder for them. */
export function listBackups(dataFolder: string): StoredBackup[] {
  const folder = backupsFolder(dataFolder);
  if (!existsSync(folder)) return [];
  const found: { readonly backup: StoredBackup; readonly writtenAtMs: number }[] = [];
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const stat = name.endsWith(ENDING) ? statSync(file, { throwIfNoEntry: false }) : undefined;
    if (stat?.isFile() !== true) continue;
    const [, year, month, day, hour, minute, second, kind] = NAME.exec(name) ?? [];
    const madeAtMs = year === undefined ? stat.mtimeMs : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
    const backup = {
      name,
      file,
      kind: BACKUP_KINDS.find((known) => known === kind) ?? null,
      madeAtMs: Number.isNaN(madeAtMs) ? stat.mtimeMs : madeAtMs,
      bytes: stat.size,
      facts: factsOf(file, stat.size),
    };
    found.push({ backup, writtenAtMs: stat.mtimeMs });
  }
  // Names have no fractions of seconds, so the time of the file decides between equal ones.
  return found
    .toSorted(
      (left, right) =>
        right.backup.madeAtMs - left.backup.madeAtMs ||
        right.writtenAtMs - left.writtenAtMs ||
        (left.backup.name < right.backup.name ? 1 : -1),
    )
    .map(({ backup }) => backup);
}

/** Returns the backup to restore: the newest that was checked, or else the newest of all. */
export function newestBackup(dataFolder: string): StoredBackup | null {
  const all = listBackups(dataFolder);
  return all.find(({ facts }) => facts !== null) ?? all[0] ?? null;
}

/** Deletes the backups that need not be kept (`toPrune`), and unfinished ones of dead processes. Leaves files alone that Tieout did not write. */
export function pruneBackups(dataFolder: string, nowMs: number): void {
  const folder = backupsFolder(dataFolder);
  const own = listBackups(dataFolder).filter(({ kind, file }) => kind !== null && existsSync(noteFile(file)));
  const prunable = own.map(({ name, madeAtMs, kind, facts }): Prunable => ({
    name,
    madeAtMs,
    isByHand: kind === 'by_hand',
    isForUndo: kind === 'before_changes',
    isGood: facts !== null,
  }));
  for (const name of toPrune(prunable, nowMs)) {
    rmSync(path.join(folder, name), { force: true });
    rmSync(noteFile(path.join(folder, name)), { force: true });
  }
  clearLeftOvers(folder, nowMs, true);
}

/**
 * Deletes unfinished backups that dead processes left in a folder. `isOwn` says whether the folder is Tieout's; in any other, files that do not look
 * like a book stay.
 */
export function clearLeftOvers(folder: string, nowMs: number, isOwn: boolean): void {
  if (!existsSync(folder)) return;
  const left = readdirSync(folder).filter((name) => isLeftOver(folder, name, nowMs));
  // The companions of a database are deleted with it.
  const books = left.filter((name) => !BESIDE.some((ending) => name.endsWith(ending)) && (isOwn || isPartOfBook(path.join(folder, name))));
  for (const name of books) removeDatabase(path.join(folder, name));
  const isOfBook = (name: string): boolean =>
    BESIDE.some((ending) => name.endsWith(ending) && !left.includes(name.slice(0, -ending.length)));
  for (const name of left.filter(isOfBook)) rmSync(path.join(folder, name), { force: true });
}

const FILE_HEAD = Buffer.from('SQLite format 3\0');

/** Whether a file is empty or begins as a database does; more is not certain of an unfinished copy. */
function isPartOfBook(file: string): boolean {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(file, 'r');
    const head = Buffer.alloc(FILE_HEAD.length);
    return readSync(descriptor, head, 0, head.length, 0) === 0 || head.equals(FILE_HEAD) || head.every((byte) => byte === 0);
  } catch {
    return false;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** Returns the name under which a backup is written until it is complete. */
export function writingName(target: string): string {
  return `${target}${WRITING}${process.pid}`;
}

/** Whether a dead process left the file. Its id may belong to another process by now, but that did not write a file older than itself. */
function isLeftOver(folder: string, name: string, nowMs: number): boolean {
  const [, pid] = /\.writing-(\d+)(?:-\w+)?$/.exec(name) ?? [];
  if (pid === undefined) return false;
  if (Number(pid) !== process.pid) return !isAlive(Number(pid));
  const writtenAtMs = statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
  return writtenAtMs < nowMs - process.uptime() * 1_000;
}

/** The facts that decide which backups are deleted. */
export interface Prunable {
  readonly name: string;
  readonly madeAtMs: number;
  /** Whether a person asked for it. */
  readonly isByHand: boolean;
  /** Whether it was made only so that a sync without deletions can be undone. */
  readonly isForUndo?: boolean;
  /** Whether it was checked when it was written, and still has the same length. */
  readonly isGood: boolean;
}

export const KEPT_DAYS = 14;
export const KEPT_MONTHS = 12;
/** Only this many of the newest such syncs can be undone; a schedule makes many of them a day. */
const KEPT_FOR_UNDO = 5;
const DAY_MS = 86_400_000;

/** Returns the months since the year 0, in UTC. */
function monthOf(atMs: number): number {
  const date = new Date(atMs);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/**
 * Returns the names of the backups to delete. Keeps all for 14 days, and the last good one of each of the last 12 months. A backup that a person
 * asked for is never deleted, nor is the last good one. A backup that is not good does not count as the last of a month.
 */
export function toPrune(backups: readonly Prunable[], nowMs: number): string[] {
  const newestFirst = backups.toSorted((left, right) => right.madeAtMs - left.madeAtMs || (left.name < right.name ? 1 : -1));
  const months = new Set<number>();
  const thisMonth = monthOf(nowMs);
  let hasGood = false;
  let forUndo = 0;
  return newestFirst
    .filter(({ madeAtMs, isByHand, isGood, isForUndo = false }) => {
      if (isForUndo) {
        forUndo += 1;
        return forUndo > KEPT_FOR_UNDO || nowMs - madeAtMs >= KEPT_DAYS * DAY_MS;
      }
      const month = monthOf(madeAtMs);
      const isLastOfMonth = isGood && !months.has(month) && thisMonth - month < KEPT_MONTHS;
      const isLastGood = isGood && !hasGood;
      if (isGood) {
        months.add(month);
        hasGood = true;
      }
      return !(isByHand || isLastGood || isLastOfMonth || nowMs - madeAtMs < KEPT_DAYS * DAY_MS);
    })
    .map(({ name }) => name);
}
