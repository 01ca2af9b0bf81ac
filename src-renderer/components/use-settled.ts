import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 180;
const TEXTS = 'input, textarea';

/**
 * Returns a value once the typing pauses, so that no letter asks the service by itself. It is there at once when it was not typed, as by a menu, and when
 * the field is left: what is then decided, selected or saved is what the field says.
 */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  const settle = useEffectEvent((newest: T = value) => setSettled(() => newest));
  useEffect(() => {
    const isTyped = document.activeElement?.matches(TEXTS) === true;
    const timer = setTimeout(() => settle(value), isTyped ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [value]);
  useEffect(() => {
    const left = (): void => settle();
    document.addEventListener('focusout', left);
    return () => document.removeEventListener('focusout', left);
  }, []);
  return settled;
}
