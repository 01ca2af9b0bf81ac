import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Unreadable } from '../../domain/statement/types.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';

export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist (any more)',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
};

/** Reads a chosen file whole; a file that cannot be opened is an unreadable one with words. */
export function readFileBytes(
  path: string,
  filename: string,
): Result<FileBytes, Omit<Unreadable, 'code'> & { readonly code: 'file_unreadable' }> {
  try {
    const bytes = readFileSync(path);
    return success({ bytes, sha256: createHash('sha256').update(bytes).digest('hex') });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = REASONS[code] ?? (error instanceof Error ? error.message : String(error));
    return failed({
      code: 'file_unreadable',
      message: `${filename} cannot be opened: ${reason}. Choose another file.`,
      row: null,
      column: null,
    });
  }
}
