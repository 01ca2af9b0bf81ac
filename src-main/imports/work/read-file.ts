import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
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

export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Why a file could not be read at all. */
export interface FileFault {
  readonly code: 'file_unreadable' | 'too_large';
  readonly message: string;
  readonly row: null;
  readonly column: null;
}

/** Which file: one on the disk, or one in an archive there. */
interface PlaceOfFile {
  readonly path: string;
  readonly filename: string;
  /** Its name in a zip archive that holds several. */
  readonly part?: string | null;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist (any more)',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};
const HEAD_BYTES = 1024 * 1024;
const STRETCH_BYTES = 16 * 1024;

/** Reads a chosen file whole, out of its archive if it is in one; a file that cannot be opened is an unreadable one with words. */
export function readFileBytes(place: PlaceOfFile): Result<FileBytes, Unreadable | FileFault> {
  return orUnopened<FileBytes, Unreadable>(place.filename, () => {
    const descriptor = openSync(place.path, 'r');
    try {
      if (fstatSync(descriptor).size > STATEMENT_LIMITS.fileBytes) return failed(tooLarge());
      const unpacked = unpackedAt(descriptor, place);
      if (!unpacked.ok) return unpacked;
      const bytes = unpacked.value.packed?.bytes ?? unpacked.value.given ?? readFileSync(descriptor);
      return success({ bytes, sha256: sha256Of(bytes) });
    } finally {
      closeSync(descriptor);
    }
  });
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface GivenBytes {
  /** What was in the archive; null where the file is none. */
  readonly packed: PackedFile | null;
  /** Of a file that begins as an archive does and is none, such as a workbook; null where they were not read. */
  readonly given: Uint8Array | null;
}

/** What was taken out of an archive last. Its name is asked for first and its content later, and one unpacking does for both while memory has it. */
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

/** What is in a chosen archive; null where the file is none, cannot be opened, or cannot be unpacked, which is told when it is read. */
export function packedAt(place: PlaceOfFile): PackedFile | null {
  const opened = orUnopened<PackedFile | null, Unreadable>(place.filename, () => {
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

/** Files of one archive that are taken at once, whoever asks: each is an import of its own. */
const MOST_PARTS = 100;

/** Returns the files in a zip archive that holds several, in the order of their names: none for any other file, and a sentence where there are too many. */
export function partsAt(path: string, name: string): Result<readonly string[], string> {
  const parts = orUnopened<readonly string[], never>(path, () => {
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
  return failed(
    `${name} holds ${parts.value.length} files, and up to ${MOST_PARTS} of one archive are taken at once. Unpack it and choose some of them.`,
  );
}

/** The bytes of a file that begins as an archive and is no larger than what is read whole, or null. */
function packedBytes(descriptor: number): Uint8Array | null {
  const begun = fstatSync(descriptor);
  const head = Buffer.alloc(PACKED_HEAD);
  if (!begun.isFile() || begun.size > STATEMENT_LIMITS.fileBytes || readSync(descriptor, head, 0, PACKED_HEAD, 0) < PACKED_HEAD)
    return null;
  return beginsPacked(head) ? readFileSync(descriptor) : null;
}

function tooLarge(): FileFault {
  const megabytes = Math.round(STATEMENT_LIMITS.fileBytes / 1024 / 1024);
  const message = `The file is larger than ${megabytes} MB, and only tables as text (CSV) may be, without decisions about single rows. Split it by period and import the parts.`;
  return { code: 'too_large', message, row: null, column: null };
}

function orUnopened<T, E>(filename: string, work: () => Result<T, E | FileFault>): Result<T, E | FileFault> {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
    const message = `${filename} cannot be opened: ${reason}. Choose another file.`;
    return failed({ code: 'file_unreadable', message, row: null, column: null });
  }
}

/** A file that is read in stretches, as often as needed. To be closed. */
interface OpenFile extends FileSource {
  /** Of all bytes; known once they were read to their end. */
  readonly sha256: () => string;
  readonly close: () => void;
}

/** Whether a file is too large to be read whole as it lies on the disk: one that is packed may be so once it is unpacked. */
export function isLargeAt({ path }: Pick<PlaceOfFile, 'path'>, wholeBytes: number = STATEMENT_LIMITS.wholeBytes): boolean {
  try {
    return statSync(path).size > wholeBytes;
  } catch {
    return false;
  }
}

/** Opens a file that is too large to be read whole; null for any other. */
export function openLargeFile(
  place: PlaceOfFile,
  wholeBytes: number = STATEMENT_LIMITS.wholeBytes,
): Result<OpenFile | null, Unreadable | FileFault> {
  const { path, filename } = place;
  return orUnopened<OpenFile | null, Unreadable>(filename, () => {
    const descriptor = openSync(path, 'r');
    const begun = fstatSync(descriptor);
    const unpacked = unpackedAt(descriptor, place);
    if (!unpacked.ok || unpacked.value.packed !== null) {
      closeSync(descriptor);
      return unpacked.ok ? success(openedInMemory(unpacked.value.packed?.bytes ?? new Uint8Array(), wholeBytes)) : unpacked;
    }
    if (!begun.isFile() || begun.size <= wholeBytes) {
      closeSync(descriptor);
      return success(null);
    }
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(descriptor, head, 0, HEAD_BYTES, 0);
    return success(openFile(descriptor, begun, head.subarray(0, length), filename));
  });
}

/** What was in an archive, if it is too large to be read whole: as a file on the disk is, so that its rows are held by nobody. */
function openedInMemory(bytes: Uint8Array, wholeBytes: number): OpenFile | null {
  if (bytes.length <= wholeBytes) return null;
  return {
    byteLength: bytes.length,
    head: bytes.subarray(0, HEAD_BYTES),
    *stretches() {
      for (let at = 0; at < bytes.length; at += STRETCH_BYTES) yield bytes.subarray(at, at + STRETCH_BYTES);
    },
    sha256: () => sha256Of(bytes),
    close: () => undefined,
  };
}

function openFile(descriptor: number, begun: Stats, head: Uint8Array, filename: string): OpenFile {
  let digest = '';
  const buffer = Buffer.alloc(STRETCH_BYTES);
  return {
    byteLength: begun.size,
    head,
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
      // It is read more than once, and must be the same each time.
      if (size !== begun.size || mtimeMs !== begun.mtimeMs) throw new Error(`${filename} was changed while it was read`);
      if (hash !== null) digest = hash.digest('hex');
    },
    sha256: () => digest,
    close: () => closeSync(descriptor),
  };
}
