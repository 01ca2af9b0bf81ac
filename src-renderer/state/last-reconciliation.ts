const KEY = 'tieout-reconciliation';

/** Returns the reconciliation that was opened last, in this or an earlier window; null when there is none. */
export function lastReconciliation(): number | null {
  const id = Number(localStorage.getItem(KEY));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export function rememberReconciliation(id: number): void {
  localStorage.setItem(KEY, String(id));
}
