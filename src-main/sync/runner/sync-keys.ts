import path from 'node:path';
import { SYNC_KEYS_FILE } from '../../book/store/book-folder.ts';
import type { Random, Secrets } from '../../platform/ports.ts';
import { KeyNotKept, type KeyOwner, type SyncKeys } from '../operations/sync-life.ts';
import { isOf, type KeyEntry, readEntries, writeEntries } from './keys-file.ts';
import { knownSecrets, machineSecret, secretFiles } from './machine-secret.ts';
import { sealed, unsealed } from './sealing.ts';

interface KeysOptions {
  readonly dataFolder: string;
  /** Null where the platform has no secret store. */
  readonly secrets: Secrets | null;
  readonly random: Random;
  /** Where the secret of the machine lies; the user's settings without it. */
  readonly configFolder?: string;
}

type Kept = 'secret_store' | 'encrypted_file';

/** A sealed key is good for its remote alone: who writes another address into the file does not get it sent there. */
const aboutOf = ({ environment, baseUrl }: KeyOwner): string => `${environment}\n${baseUrl}`;

function keyWithin(opened: string | null, owner: KeyOwner): string | null {
  const about = `${aboutOf(owner)}\n`;
  return opened !== null && opened.startsWith(about) ? opened.slice(about.length) : null;
}

class KeyKeeper implements SyncKeys {
  readonly #options: KeysOptions;
  readonly #file: string;
  readonly #secretFiles: readonly string[];
  /** Sealed keys that were opened: what can be opened once is not opened again only to see that it can. */
  readonly #opened = new Set<string>();
  #hasStore: boolean;
  #before: Promise<unknown> = Promise.resolve();

  constructor(options: KeysOptions) {
    this.#options = options;
    this.#file = path.join(options.dataFolder, SYNC_KEYS_FILE);
    this.#secretFiles = secretFiles(options.dataFolder, options.configFolder);
    this.#hasStore = options.secrets !== null;
  }

  readonly place: SyncKeys['place'] = () => (this.#hasStore ? 'secret_store' : 'encrypted_file');

  readonly where: SyncKeys['where'] = async (owner) => {
    const entry = this.#entryOf(owner);
    if (entry === undefined) return 'none';
    if (!this.#opened.has(entry.sealed) && (await this.#open(entry, owner)) === null) return 'none';
    return entry.sealed_by;
  };

  readonly read: SyncKeys['read'] = async (owner) => {
    const entry = this.#entryOf(owner);
    return entry === undefined ? null : this.#open(entry, owner);
  };

  readonly keep: SyncKeys['keep'] = (owner, key) =>
    this.#inTurn(async () => {
      const entry = (await this.#sealedByStore(owner, key)) ?? (await this.#sealedByFile(owner, key));
      writeEntries(this.#file, [...this.#without(owner), entry]);
    });

  readonly forget: SyncKeys['forget'] = (owner) => this.#inTurn(async () => writeEntries(this.#file, this.#without(owner)));

  #entryOf(owner: KeyOwner): KeyEntry | undefined {
    return readEntries(this.#file).find(isOf(owner));
  }

  #without(owner: KeyOwner): KeyEntry[] {
    const isIt = isOf(owner);
    return readEntries(this.#file).filter((entry) => !isIt(entry));
  }

  async #open(entry: KeyEntry, owner: KeyOwner): Promise<string | null> {
    const bytes = Buffer.from(entry.sealed, 'base64');
    const key = entry.sealed_by === 'secret_store' ? await this.#openByStore(bytes, owner) : await this.#openByFile(bytes, owner);
    if (key !== null) this.#opened.add(entry.sealed);
    return key;
  }

  async #openByStore(bytes: Uint8Array, owner: KeyOwner): Promise<string | null> {
    const { secrets } = this.#options;
    const opened = secrets === null ? null : await secrets.open(bytes).catch(() => null);
    return keyWithin(opened, owner);
  }

  async #openByFile(bytes: Uint8Array, owner: KeyOwner): Promise<string | null> {
    for (const secret of knownSecrets(this.#secretFiles)) {
      const key = await unsealed(bytes, aboutOf(owner), secret);
      if (key !== null) return key;
    }
    return null;
  }

  /** A store that does not work after all is none from now on; what it sealed before may still open. */
  async #sealedByStore(owner: KeyOwner, key: string): Promise<KeyEntry | null> {
    const { secrets } = this.#options;
    if (secrets === null || !this.#hasStore) return null;
    const bytes = await secrets.seal(`${aboutOf(owner)}\n${key}`).catch(() => null);
    // What it cannot open again is lost at once.
    const isGood = bytes !== null && keyWithin(await secrets.open(bytes).catch(() => null), owner) === key;
    this.#hasStore = isGood;
    return isGood ? entryOf(owner, 'secret_store', bytes) : null;
  }

  async #sealedByFile(owner: KeyOwner, key: string): Promise<KeyEntry> {
    const { random } = this.#options;
    const secret = machineSecret(this.#secretFiles, random);
    if (secret === null) {
      throw new KeyNotKept(`The key cannot be kept: neither ${this.#secretFiles.join(' nor ')} can be written.`);
    }
    return entryOf(owner, 'encrypted_file', await sealed(key, aboutOf(owner), secret, random));
  }

  /** One change of the file at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#before.then(work);
    this.#before = own.catch(() => {});
    return own;
  }
}

function entryOf({ environment, baseUrl }: KeyOwner, sealedBy: Kept, bytes: Uint8Array): KeyEntry {
  return { environment, base_url: baseUrl, sealed_by: sealedBy, sealed: Buffer.from(bytes).toString('base64') };
}

/** The keys of remotes, beside the book of a folder: sealed by the platform's secret store where there is one. See the README on what that protects against. */
export function openSyncKeys(options: KeysOptions): SyncKeys {
  return new KeyKeeper(options);
}
