type Signature = 'prepare' | 'review' | 'close' | 'reopen';

const keyOf = (signature: Signature): string => `tieout-signed-${signature}`;

/** Returns the name that last gave this signature on this machine; empty when there is none or the storage is not available. */
export function lastSigner(signature: Signature): string {
  try {
    return localStorage.getItem(keyOf(signature)) ?? '';
  } catch {
    return '';
  }
}

export function rememberSigner(signature: Signature, name: string): void {
  try {
    localStorage.setItem(keyOf(signature), name);
  } catch {
    // The storage is not available, so the window asks again.
  }
}
