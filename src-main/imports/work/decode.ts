import path from 'node:path';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, rmSync, type Stats, statSync, writeSync } from 'node:fs';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import {
  beginsPacked,
  type FileSource,
  PACKED_HEAD,
  type PackedFile,
  partsOfZip,
  STATEMENT_LIMITS,
  unpackedFile,
  type Unreadable,
} from '../../domain/statement/index.ts';
import type { Database } from '../../database/database.ts';
import type { SpilledBytes, SpillRoom } from '../../domain/collections/spilled-counts.ts';
import { HELD_TEXTS } from '../../domain/collections/text-counts.ts';
import { systemRandom } from '../../platform/system.ts';

/** The reason why a file could not be read at all. */
export interface FileFault {
  readonly code: 'file_unreadable' | 'too_large';
  readonly message: string;
  readonly row: null;
  readonly column: null;
}

/** The location of a file: on the disk, or within an archive on the disk. */
interface PlaceOfFile {
  readonly path: string;
  readonly filename: string;
  /** The name of the file within a zip archive of several files. */
  readonly part?: string | null;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: phrase('imports.decode.gone'),
  EISDIR: phrase('imports.decode.isFolder'),
  EACCES: phrase('imports.decode.denied'),
  EPERM: phrase('imports.decode.denied'),
};
const HEAD_BYTES = 1024 * 1024;
const STRETCH_BYTES = 16 * 1024;

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface GivenBytes {
  /** The file that the archive holds; null if the given file is no archive. */
  readonly packed: PackedFile | null;
  /** The bytes of a file that begins like an archive but is none, such as a workbook; null if they were not read. */
  readonly given: Uint8Array | null;
}

/** The file that was unpacked last. First its name is asked for and later its content, so one unpacking serves both as long as memory keeps it. */
let latest: { readonly key: string; readonly file: WeakRef<PackedFile> } | null = null;

function unpackedAt(descriptor: number, { filename, part = null }: PlaceOfFile): Result<GivenBytes, Unreadable> {
  const { dev, ino, size, mtimeMs } = fstatSync(descriptor);
  const key = [dev, ino, size, mtimeMs, part ?? ''].join('/');
  const known = latest?.key === key ? latest.file.deref() : undefined;
  if (known !== undefined) return success({ packed: known, given: null });
  const given = packedBytes(descriptor);
  if (given === null) return success({ packed: null, given });
  const unpacked = unpackedFile(given, filename, part);
  if (!unpacked.ok) return unpacked;
  if (unpacked.value !== null) latest = { key, file: new WeakRef(unpacked.value) };
  return success({ packed: unpacked.value, given });
}

/**
 * Returns the file within a chosen archive. Null if the file is no archive, or cannot be opened or unpacked; in that case reading it reports the
 * reason.
 */
export function packedAt(place: PlaceOfFile): PackedFile | null {
  const opened = orUnreadable<PackedFile | null, Unreadable>(place.filename, () => {
    const descriptor = openSync(place.path, 'r');
    try {
      const unpacked = unpackedAt(descriptor, place);
      return unpacked.ok ? success(unpacked.value.packed) : unpacked;
    } finally {
      closeSync(descriptor);
    }
  });
  return opened.ok ? opened.value : null;
}

/** Each file of an archive becomes an import of its own. */
const MOST_PARTS = 100;

/**
 * Returns the names of the files in a zip archive of several files, sorted; none for any other file. Fails with a sentence for the user if there are
 * too many.
 */
export function partsAt(path: string, name: string): Result<readonly string[], string> {
  const parts = orUnreadable<readonly string[], never>(path, () => {
    const descriptor = openSync(path, 'r');
    try {
      const given = packedBytes(descriptor);
      return success(given === null ? [] : partsOfZip(given));
    } finally {
      closeSync(descriptor);
    }
  });
  if (!parts.ok) return success([]);
  if (parts.value.length <= MOST_PARTS) return success(parts.value);
  return failed(phrase('imports.decode.tooManyParts', { name, files: parts.value.length, most: MOST_PARTS }));
}

/** Returns the bytes of a file that begins like an archive; null for other files and for those that are too large to be read whole. */
function packedBytes(descriptor: number): Uint8Array | null {
  const begun = fstatSync(descriptor);
  const head = Buffer.alloc(PACKED_HEAD);
  if (!begun.isFile() || begun.size > STATEMENT_LIMITS.fileBytes || readSync(descriptor, head, 0, PACKED_HEAD, 0) < PACKED_HEAD)
    return null;
  return beginsPacked(head) ? readFileSync(descriptor) : null;
}

function tooLarge(): FileFault {
  const megabytes = Math.round(STATEMENT_LIMITS.fileBytes / 1024 / 1024);
  const message = phrase('imports.decode.tooLarge', { megabytes: String(megabytes) });
  return { code: 'too_large', message, row: null, column: null };
}

function orUnreadable<T, E>(filename: string, work: () => Result<T, E | FileFault>): Result<T, E | FileFault> {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
    const message = phrase('imports.decode.unreadable', { filename, reason });
    return failed({ code: 'file_unreadable', message, row: null, column: null });
  }
}

/** An open file that can be read in pieces or whole, any number of times. The caller must close it. */
export interface OpenFile extends FileSource {
  /** Whether the file is streamed if it is a text table. */
  readonly isLarge: boolean;
  /** Returns the whole content. */
  readonly bytes: () => Result<Uint8Array, Unreadable | FileFault>;
  /** Returns the SHA-256 of the content. It is known after the file was read to its end once. */
  readonly sha256: () => string;
  readonly close: () => void;
}

/**
 * Returns whether a file is too large on the disk to be read whole. A packed file may be smaller than this limit and exceed it once it is unpacked.
 */
export function isLargeAt({ path }: Pick<PlaceOfFile, 'path'>, wholeBytes: number = STATEMENT_LIMITS.wholeBytes): boolean {
  try {
    return statSync(path).size > wholeBytes;
  } catch {
    return false;
  }
}

/** Opens a chosen file, from its archive if it is in one. Fails with a message for the user if that is impossible. */
export function openFile(place: PlaceOfFile, wholeBytes: number = STATEMENT_LIMITS.wholeBytes): Result<OpenFile, Unreadable | FileFault> {
  return orUnreadable<OpenFile, Unreadable>(place.filename, () => {
    const descriptor = openSync(place.path, 'r');
    let isTaken = false;
    try {
      const begun = fstatSync(descriptor);
      const unpacked = unpackedAt(descriptor, place);
      if (!unpacked.ok) return unpacked;
      const held = unpacked.value.packed?.bytes ?? unpacked.value.given;
      isTaken = held === null && begun.isFile() && begun.size > wholeBytes;
      return success(isTaken ? onDisk(descriptor, begun, place.filename) : inMemory(held ?? readFileSync(descriptor), wholeBytes));
    } finally {
      if (!isTaken) closeSync(descriptor);
    }
  });
}

function inMemory(bytes: Uint8Array, wholeBytes: number): OpenFile {
  return {
    byteLength: bytes.length,
    head: bytes.subarray(0, HEAD_BYTES),
    isLarge: bytes.length > wholeBytes,
    *stretches() {
      for (let at = 0; at < bytes.length; at += STRETCH_BYTES) yield bytes.subarray(at, at + STRETCH_BYTES);
    },
    bytes: () => success(bytes),
    sha256: () => sha256Of(bytes),
    close: () => undefined,
  };
}

function onDisk(descriptor: number, begun: Stats, filename: string): OpenFile {
  const buffer = Buffer.alloc(STRETCH_BYTES);
  const head = Buffer.alloc(HEAD_BYTES);
  let digest = '';
  let whole: Uint8Array | null = null;
  return {
    byteLength: begun.size,
    head: head.subarray(0, readSync(descriptor, head, 0, HEAD_BYTES, 0)),
    isLarge: true,
    *stretches() {
      const hash = digest === '' ? createHash('sha256') : null;
      for (let at = 0; ;) {
        const length = readSync(descriptor, buffer, 0, STRETCH_BYTES, at);
        if (length === 0) break;
        at += length;
        const stretch = buffer.subarray(0, length);
        hash?.update(stretch);
        yield stretch;
      }
      const { size, mtimeMs } = fstatSync(descriptor);
      // The file is read more than once, and each reading must see the same content.
      if (size !== begun.size || mtimeMs !== begun.mtimeMs) throw new Error(`${filename} was changed while it was read`);
      if (hash !== null) digest = hash.digest('hex');
    },
    bytes: () => {
      if (begun.size > STATEMENT_LIMITS.fileBytes) return failed(tooLarge());
      return orUnreadable<Uint8Array, Unreadable>(filename, () => success((whole ??= readFileSync(descriptor))));
    },
    sha256: () => (whole === null ? digest : sha256Of(whole)),
    close: () => closeSync(descriptor),
  };
}

/** The location and limits of temporary files that are used when a file has very many rows. Plain data, so that another thread can get it. */
export interface SpillPlace {
  /** The data folder. The imported rows are stored there too, so an import that finds no space on this disk would fail anyway. */
  readonly folder: string;
  /** Number of texts that are kept in memory; undefined for the default of `TextCounts`. */
  readonly heldTexts: number | undefined;
}

const NAME_BYTES = 16;
const NAME = /^tieout-reading-[\da-f]{32}\.tmp$/;

/** Returns the folder of a book. */
export function folderOf({ path: book }: Database): string {
  return path.dirname(book);
}

/**
 * Temporary files that only this process can see. Each loses its name as soon as it is open, so that the system frees its space however the process
 * ends. On a system that does not allow this, a file is removed when it is closed, or after a crash by `clearSpillFiles` at the next start.
 */
export class SpillFiles implements SpillRoom {
  readonly #folder: string;
  readonly #open = new Set<SpillFile>();
  readonly heldTexts: number;

  constructor({ folder, heldTexts = HELD_TEXTS }: SpillPlace) {
    this.#folder = folder;
    this.heldTexts = heldTexts;
  }

  readonly open = (): SpilledBytes => {
    const name = `tieout-reading-${Buffer.from(systemRandom.bytes(NAME_BYTES)).toString('hex')}.tmp`;
    const file = new SpillFile(path.join(this.#folder, name), (closed) => this.#open.delete(closed));
    this.#open.add(file);
    return file;
  };

  /** Closes all files that are still open. */
  close(): void {
    for (const file of this.#open) file.close();
  }
}

class SpillFile implements SpilledBytes {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #onClosed: (file: SpillFile) => void;
  #isNamed = true;
  #isOpen = true;

  constructor(file: string, onClosed: (file: SpillFile) => void) {
    this.#file = file;
    this.#onClosed = onClosed;
    this.#descriptor = withPurpose(file, () => openSync(file, 'wx+', 0o600));
    this.#removeName();
  }

  #removeName(): void {
    try {
      rmSync(this.#file, { force: true });
      this.#isNamed = false;
    } catch {
      // This system does not remove an open file. It is removed when it is closed, or at the next start.
    }
  }

  readonly write = (bytes: Uint8Array, at: number): void => {
    withPurpose(this.#file, () => {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
    });
  };

  readonly read = (into: Uint8Array, at: number): void => {
    withPurpose(this.#file, () => {
      for (let done = 0; done < into.length;) {
        const length = readSync(this.#descriptor, into, done, into.length - done, at + done);
        if (length === 0) throw new Error('it has become shorter');
        done += length;
      }
    });
  };

  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onClosed(this);
    closeSync(this.#descriptor);
    if (this.#isNamed) this.#removeName();
  };
}

/**
 * Runs work on a temporary file. An error gets a message that names the purpose of the file, and keeps the code of the system, which identifies a
 * full disk.
 */
function withPurpose<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = phrase('imports.decode.noTemporaryFile', { folder: path.dirname(file), reason });
    throw Object.assign(new Error(message, { cause: error }), error instanceof Error && 'code' in error ? { code: error.code } : {});
  }
}

/** Removes temporary files that a process left when it died. */
export function clearSpillFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!NAME.test(name)) continue;
    try {
      rmSync(path.join(folder, name), { force: true });
    } catch {
      // Another process has it open. The next start removes it.
    }
  }
}
