import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs';
import type { FileSource } from '../../domain/statement/large/bytes.ts';
import { STATEMENT_LIMITS } from '../../domain/statement/limits.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';

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

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist (any more)',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};
const HEAD_BYTES = 1024 * 1024;
const STRETCH_BYTES = 16 * 1024;

/** Reads a chosen file whole; a file that cannot be opened is an unreadable one with words. */
export function readFileBytes(path: string, filename: string): Result<FileBytes, FileFault> {
  return orUnopened(filename, () => {
    const descriptor = openSync(path, 'r');
    try {
      if (fstatSync(descriptor).size > STATEMENT_LIMITS.fileBytes) return failed(tooLarge(filename));
      const bytes = readFileSync(descriptor);
      return success({ bytes, sha256: createHash('sha256').update(bytes).digest('hex') });
    } finally {
      closeSync(descriptor);
    }
  });
}

function tooLarge(filename: string): FileFault {
  const megabytes = Math.round(STATEMENT_LIMITS.fileBytes / 1024 / 1024);
  const message = `${filename} is larger than ${megabytes} MB, and only tables as text (CSV) may be, without decisions about single rows. Split it by period and import the parts.`;
  return { code: 'too_large', message, row: null, column: null };
}

function orUnopened<T>(filename: string, work: () => Result<T, FileFault>): Result<T, FileFault> {
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
export interface OpenFile extends FileSource {
  /** Of all bytes; known once they were read to their end. */
  readonly sha256: () => string;
  readonly close: () => void;
}

/** Opens a file that is too large to be read whole; null for any other. */
export function openLargeFile(
  path: string,
  filename: string,
  wholeBytes: number = STATEMENT_LIMITS.wholeBytes,
): Result<OpenFile | null, FileFault> {
  return orUnopened(filename, () => {
    const descriptor = openSync(path, 'r');
    const begun = fstatSync(descriptor);
    if (!begun.isFile() || begun.size <= wholeBytes) {
      closeSync(descriptor);
      return success(null);
    }
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(descriptor, head, 0, HEAD_BYTES, 0);
    return success(openFile(descriptor, begun, head.subarray(0, length), filename));
  });
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
