const KEY = 'tieout-reconciliation';

/** The reconciliation that was opened last in this window, or before it. */
export function lastReconciliation(): number | null {
  const id = Number(localStorage.getItem(KEY));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

export function rememberReconciliation(id: number): void {
  localStorage.setItem(KEY, String(id));
}
