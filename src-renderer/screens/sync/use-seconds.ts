import { useEffect, useState } from 'react';

/** Returns the time in milliseconds since 1970, updated every second while the component is mounted. */
export function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
