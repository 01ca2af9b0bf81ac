type Signature = 'prepare' | 'review' | 'close' | 'reopen';

const keyOf = (signature: Signature): string => `tieout-signed-${signature}`;

/** Who signed so last in this window; empty where nobody has, or nothing can be kept. */
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
    // A window that keeps nothing asks again.
  }
}
