import { useEffect } from 'react';

/** Returns the focus, when a dialog closes, to the element that had it; to the period when that element is gone. */
export function useFocusBack(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      setTimeout(() => {
        const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
        const next = isThere ? before : document.querySelector<HTMLElement>('[data-testid="period-menu"]');
        next?.focus({ preventScroll: true });
      });
    };
  }, []);
}
