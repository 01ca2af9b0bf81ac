import { safeStorage } from 'electron';
import type { Secrets } from '../platform/ports.ts';

/** On Linux Electron falls back to a password that stands in its source; that keeps nothing from anybody. */
const NO_STORE: ReadonlySet<string> = new Set(['basic_text', 'unknown']);

/**
 * The secret store of the platform: Keychain, the Data Protection API, or the desktop's keyring. Null where there is none. Ask once Electron is ready. The store itself
 * is first touched when a secret is sealed or opened, since macOS may ask the person then.
 */
export function platformSecrets(): Secrets | null {
  if (process.platform === 'linux' && NO_STORE.has(safeStorage.getSelectedStorageBackend())) return null;
  return {
    seal: async (text) => ((await safeStorage.isAsyncEncryptionAvailable()) ? safeStorage.encryptStringAsync(text) : null),
    open: async (sealed) => {
      if (!(await safeStorage.isAsyncEncryptionAvailable())) return null;
      const { result } = await safeStorage.decryptStringAsync(Buffer.from(sealed));
      return result;
    },
  };
}
