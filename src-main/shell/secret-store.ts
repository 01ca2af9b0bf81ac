import { safeStorage } from 'electron';
import type { Secrets } from '../platform/ports.ts';

/** Backends that protect nothing: without a keyring, Electron on Linux uses a password from its public source code. */
const NO_STORE: ReadonlySet<string> = new Set(['basic_text', 'unknown']);

/**
 * Returns the secret store of the platform (Keychain, Data Protection API, or the keyring of the desktop); null where there is none. Call it once
 * Electron is ready. The store is first used when a secret is encrypted or decrypted, because macOS may ask the person then.
 */
export function platformSecrets(): Secrets | null {
  if (process.platform === 'linux' && NO_STORE.has(safeStorage.getSelectedStorageBackend())) return null;
  return {
    encrypt: async (text) => ((await safeStorage.isAsyncEncryptionAvailable()) ? safeStorage.encryptStringAsync(text) : null),
    decrypt: async (encrypted) => {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(encrypted));
      return result;
    },
  };
}
