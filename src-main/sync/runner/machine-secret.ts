import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makePrivateFolder, tighten } from '../../book/store/private-files.ts';
import type { Random } from '../../platform/ports.ts';

const FILE = 'machine-secret';
const BYTES = 32;
const TEXT = /^[0-9a-f]{64}$/;

/** Where programs of this user keep their settings. */
export function configFolder(environment: Readonly<Record<string, string | undefined>> = process.env): string {
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

/** A new secret; null where the file cannot be written, or holds something else. */
function madeIn(file: string, random: Random): Buffer | null {
  const secret = Buffer.from(random.bytes(BYTES));
  try {
    makePrivateFolder(path.dirname(file));
    writeFileSync(file, `${secret.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch {
    // Another Tieout may have made it in this moment.
    return secretIn(file);
  }
}

/** Places of the secret, outside of the data folder: with the user's settings, else beside the data folder. */
export function secretFiles(dataFolder: string, folder = configFolder()): readonly string[] {
  const data = path.resolve(dataFolder);
  return [path.join(folder, FILE), path.join(path.dirname(data), `${path.basename(data)}-${FILE}`)];
}

/** The secrets there are, the usual place first. */
export function knownSecrets(files: readonly string[]): Buffer[] {
  return files.flatMap((file) => secretIn(file) ?? []);
}

/** The secret of this machine and user, made where there is none; null where no place can be written. */
export function machineSecret(files: readonly string[], random: Random): Buffer | null {
  const [known] = knownSecrets(files);
  if (known !== undefined) return known;
  for (const file of files) {
    const made = madeIn(file, random);
    if (made !== null) return made;
  }
  return null;
}
