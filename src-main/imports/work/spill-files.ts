import { closeSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../../database/database.ts';
import type { SpillRoom, SpilledBytes } from '../../domain/collections/spilled-counts.ts';
import { HELD_TEXTS } from '../../domain/collections/text-counts.ts';
import { systemRandom } from '../../platform/system.ts';

/** Where spilled files stand while very many rows are read. Plain data. */
export interface SpillPlace {
  /** The data folder. The imported rows go there as well: without room on this disk the import fails anyway. */
  readonly folder: string;
  /** Without it as many as `TextCounts` says. */
  readonly heldTexts: number | undefined;
}

const NAME_BYTES = 16;
const NAME = /^tieout-reading-[\da-f]{32}\.tmp$/;

/** The folder of a book. */
export function folderOf({ path: book }: Database): string {
  return path.dirname(book);
}

/**
 * Files that only this process sees. They lose their name once they are open, so the system frees their room however the process ends. Where the
 * system does not allow that, they are removed when they are closed, and after a crash at the next start (`clearSpillFiles`).
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

  /** Closes those that are open still. */
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
    this.#descriptor = orSaid(file, () => openSync(file, 'wx+', 0o600));
    this.#removeName();
  }

  #removeName(): void {
    try {
      rmSync(this.#file, { force: true });
      this.#isNamed = false;
    } catch {
      // Not while it is open, on this system: it is tried again once it is closed, and at the next start.
    }
  }

  readonly write = (bytes: Uint8Array, at: number): void => {
    orSaid(this.#file, () => {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#descriptor, bytes, done, bytes.length - done, at + done);
    });
  };

  readonly read = (into: Uint8Array, at: number): void => {
    orSaid(this.#file, () => {
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

/** Does some work with a file; where that fails, says what the file is for. Keeps the system's code, by which a full disk is known. */
function orSaid<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the folder ${path.dirname(file)} must take a temporary file while a file of so many rows is read, and did not (${reason}): make it writable, and import the file again`;
    throw Object.assign(new Error(message, { cause: error }), error instanceof Error && 'code' in error ? { code: error.code } : {});
  }
}

/** Removes what is left of them by a process that died. */
export function clearSpillFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!NAME.test(name)) continue;
    try {
      rmSync(path.join(folder, name), { force: true });
    } catch {
      // Somebody has it open: the next start removes it.
    }
  }
}
