import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { phrase } from '../../../src-shared/words/say.ts';
import { SYNC_KEYS_FILE } from '../../book/store/book-folder.ts';
import { makePrivateFolder, tighten } from '../../book/store/private-files.ts';
import type { Random, Secrets } from '../../platform/ports.ts';
import { KeyNotKept, type KeyOwner, type SyncKeys } from '../operations/sync-life.ts';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const derive = promisify<string | Uint8Array, Uint8Array, number, Buffer>(scrypt);

/** Returns salt, nonce, tag and encrypted text. `about` is authenticated but not stored; decryption needs the same value. */
async function encrypted(text: string, about: string, secret: Uint8Array, random: Random): Promise<Buffer> {
  const salt = random.bytes(SALT_BYTES);
  const nonce = random.bytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, await derive(secret, salt, KEY_BYTES), nonce);
  cipher.setAAD(Buffer.from(about));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]);
}

/** Returns the text, or null if the secret or `about` differs or the bytes were changed. */
async function decrypted(bytes: Uint8Array, about: string, secret: Uint8Array): Promise<string | null> {
  const nonceAt = SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  if (bytes.byteLength <= bodyAt) return null;
  const key = await derive(secret, bytes.subarray(0, nonceAt), KEY_BYTES);
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(nonceAt, tagAt), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(bytes.subarray(tagAt, bodyAt));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

const FILE = 'machine-secret';
const BYTES = 32;
const TEXT = /^[0-9a-f]{64}$/;

/** Returns the folder in which programs of this user keep their settings. */
function configFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const home = os.homedir();
  const { XDG_CONFIG_HOME: chosen, APPDATA: roaming } = environment;
  if (process.platform === 'win32') return path.join(roaming ?? path.join(home, 'AppData', 'Roaming'), 'Tieout');
  if (chosen !== undefined && path.isAbsolute(chosen)) return path.join(chosen, 'tieout');
  return process.platform === 'darwin' ? path.join(home, 'Library', 'Application Support', 'Tieout') : path.join(home, '.config', 'tieout');
}

function secretIn(file: string): Buffer | null {
  try {
    const text = readFileSync(file, 'latin1').trim();
    if (!TEXT.test(text)) return null;
    tighten(file);
    return Buffer.from(text, 'hex');
  } catch {
    return null;
  }
}

/** Returns a new secret, or null if the file cannot be written or holds something else. */
function madeIn(file: string, random: Random): Buffer | null {
  const secret = Buffer.from(random.bytes(BYTES));
  try {
    makePrivateFolder(path.dirname(file));
    writeFileSync(file, `${secret.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch {
    // Another Tieout may have created the file at the same time.
    return secretIn(file);
  }
}

/** Returns the files that may hold the secret, none within the data folder: in the user's settings, then beside the data folder. */
function secretFiles(dataFolder: string, folder = configFolder()): readonly string[] {
  const data = path.resolve(dataFolder);
  return [path.join(folder, FILE), path.join(path.dirname(data), `${path.basename(data)}-${FILE}`)];
}

/** Returns the existing secrets, in the order of `files`. */
function knownSecrets(files: readonly string[]): Buffer[] {
  return files.flatMap((file) => secretIn(file) ?? []);
}

/** Returns the secret of this machine and user, and creates it if there is none. Returns null if no file can be written. */
function machineSecret(files: readonly string[], random: Random): Buffer | null {
  const [known] = knownSecrets(files);
  if (known !== undefined) return known;
  for (const file of files) {
    const made = madeIn(file, random);
    if (made !== null) return made;
  }
  return null;
}

interface KeyEntry {
  readonly environment: string;
  readonly base_url: string;
  readonly sealed_by: 'secret_store' | 'encrypted_file';
  /** The encrypted key, in base64. */
  readonly sealed: string;
}

const FORMAT = 1;

function isEntry(value: unknown): value is KeyEntry {
  if (typeof value !== 'object' || value === null) return false;
  const entry = value as Record<string, unknown>;
  const isText = ['environment', 'base_url', 'sealed'].every((name) => typeof entry[name] === 'string');
  return isText && (entry['sealed_by'] === 'secret_store' || entry['sealed_by'] === 'encrypted_file');
}

/** Returns the entries of the file, or none if it is missing or unreadable: the person then enters the keys again. */
function readEntries(file: string): KeyEntry[] {
  try {
    const body = JSON.parse(readFileSync(file, 'utf8')) as { readonly format?: unknown; readonly keys?: unknown };
    return body.format === FORMAT && Array.isArray(body.keys) ? body.keys.filter(isEntry) : [];
  } catch {
    return [];
  }
}

/** Replaces the file by renaming, so that it is never half written. */
function writeEntries(file: string, keys: readonly KeyEntry[]): void {
  if (keys.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  const next = `${file}.next`;
  rmSync(next, { force: true });
  writeFileSync(next, `${JSON.stringify({ format: FORMAT, keys }, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(next, file);
}

const isOf =
  ({ environment, baseUrl }: KeyOwner) =>
  (entry: KeyEntry): boolean =>
    entry.environment === environment && entry.base_url === baseUrl;

interface KeysOptions {
  readonly dataFolder: string;
  /** Null if the platform has no secret store. */
  readonly secrets: Secrets | null;
  readonly random: Random;
  /** The folder of the machine's secret; the user's settings by default. */
  readonly configFolder?: string;
}

type Kept = 'secret_store' | 'encrypted_file';

/** Returns the text that binds an encrypted key to its remote: another address written into the file does not receive the key. */
const aboutOf = ({ environment, baseUrl }: KeyOwner): string => `${environment}\n${baseUrl}`;

function keyWithin(opened: string | null, owner: KeyOwner): string | null {
  const about = `${aboutOf(owner)}\n`;
  return opened !== null && opened.startsWith(about) ? opened.slice(about.length) : null;
}

class KeyKeeper implements SyncKeys {
  readonly #options: KeysOptions;
  readonly #file: string;
  readonly #secretFiles: readonly string[];
  /** Encrypted keys that were decrypted before, so that `where` need not decrypt them again. */
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
      const entry = (await this.#encryptedByStore(owner, key)) ?? (await this.#encryptedByFile(owner, key));
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
    const opened = secrets === null ? null : await secrets.decrypt(bytes).catch(() => null);
    return keyWithin(opened, owner);
  }

  async #openByFile(bytes: Uint8Array, owner: KeyOwner): Promise<string | null> {
    for (const secret of knownSecrets(this.#secretFiles)) {
      const key = await decrypted(bytes, aboutOf(owner), secret);
      if (key !== null) return key;
    }
    return null;
  }

  /** Encrypts with the platform's store. Once the store fails it is not used for new keys; keys that it encrypted before may still open. */
  async #encryptedByStore(owner: KeyOwner, key: string): Promise<KeyEntry | null> {
    const { secrets } = this.#options;
    if (secrets === null || !this.#hasStore) return null;
    const bytes = await secrets.encrypt(`${aboutOf(owner)}\n${key}`).catch(() => null);
    // Decrypts at once: a key that cannot be decrypted again would be lost.
    const isGood = bytes !== null && keyWithin(await secrets.decrypt(bytes).catch(() => null), owner) === key;
    this.#hasStore = isGood;
    return isGood ? entryOf(owner, 'secret_store', bytes) : null;
  }

  async #encryptedByFile(owner: KeyOwner, key: string): Promise<KeyEntry> {
    const { random } = this.#options;
    const secret = machineSecret(this.#secretFiles, random);
    if (secret === null) {
      throw new KeyNotKept(phrase('sync.syncKeys.theKeyCannotBeKept', { secretFiles: this.#secretFiles.join(' nor ') }));
    }
    return entryOf(owner, 'encrypted_file', await encrypted(key, aboutOf(owner), secret, random));
  }

  /** Runs changes of the file one after another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = this.#before.then(work);
    this.#before = own.catch(() => {});
    return own;
  }
}

function entryOf({ environment, baseUrl }: KeyOwner, sealedBy: Kept, bytes: Uint8Array): KeyEntry {
  return { environment, base_url: baseUrl, sealed_by: sealedBy, sealed: Buffer.from(bytes).toString('base64') };
}

/**
 * Returns the keys of remotes, kept beside the book of a folder and encrypted by the platform's secret store where there is one. The README says what
 * that protects against.
 */
export function openSyncKeys(options: KeysOptions): SyncKeys {
  return new KeyKeeper(options);
}
