import { useState } from 'react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { type Seen, timeLeftText } from '../../format/time-left.ts';
import { useSeconds } from './use-seconds.ts';

/** How long a sync still moves things, by its pace since it was first seen moving or last had to wait. */
export function useTimeLeft({ phase, waits, done, total }: SyncActivity): string | null {
  const now: Seen = { atMs: useSeconds(), done };
  const [first, setFirst] = useState<Seen | null>(null);
  const isMoving = phase === 'moving' && waits === null;
  if (isMoving !== (first !== null)) setFirst(isMoving ? now : null);
  return first === null ? null : timeLeftText(first, now, total);
}
