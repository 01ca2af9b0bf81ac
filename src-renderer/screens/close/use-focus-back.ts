import { useEffect } from 'react';

/** Gives the keyboard back, when a dialog goes, to what had it before; to the period where that has gone. */
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
