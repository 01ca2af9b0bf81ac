import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ChosenFile } from '../../../src-shared/contract/wire.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Random } from '../../platform/ports.ts';

interface Entry {
  readonly path: string;
  readonly name: string;
  /** The name of the file within a zip archive of several files; null for other files. */
  readonly part: string | null;
  /** Whether the file is an upload, which this class removes. */
  readonly temporary: boolean;
}

const MAX_TOKENS = 200;

/** Maps tokens to the files that the user chose, so that the renderer never sends a path. */
export class FileTokens {
  readonly #entries = new Map<string, Entry>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  register(
    filePath: string,
    options: { readonly name?: string; readonly part?: string | undefined; readonly temporary?: boolean } = {},
  ): Result<ChosenFile, { code: 'file_unreadable'; message: string }> {
    const name = options.name ?? path.basename(filePath);
    try {
      const stat = statSync(filePath);
      if (!stat.isFile()) return failed({ code: 'file_unreadable', message: phrase('imports.files.notAFile', { name }) });
      const token = Buffer.from(this.#random.bytes(18)).toString('base64url');
      this.#entries.set(token, { path: filePath, name, part: options.part ?? null, temporary: options.temporary ?? false });
      if (this.#entries.size > MAX_TOKENS) this.#forgetOldest();
      return success({ token, name, byteLength: stat.size });
    } catch (error) {
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      const reason = missing ? phrase('imports.files.gone') : error instanceof Error ? error.message : String(error);
      return failed({
        code: 'file_unreadable',
        message: phrase('imports.files.unreadable', { filename: filePath, reason }),
      });
    }
  }

  find(token: string): Pick<Entry, 'path' | 'name' | 'part' | 'temporary'> | undefined {
    return this.#entries.get(token);
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries;
    if (oldest === undefined) return;
    this.#entries.delete(oldest[0]);
    const { path: own, temporary } = oldest[1];
    // Several files of one archive share its path.
    if (temporary && !this.#entries.values().some((entry) => entry.path === own)) rmSync(own, { force: true });
  }

  /** Removes all uploads. */
  close(): void {
    for (const entry of this.#entries.values()) if (entry.temporary) rmSync(entry.path, { force: true });
    this.#entries.clear();
  }
}
