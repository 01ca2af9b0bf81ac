import type { BookEvent } from '../../src-shared/contract/index.ts';

/** Asked for by the application's menu. */
interface MenuCommand {
  readonly kind: 'command';
  readonly command: string;
}
/** The window was away: whatever it shows may be old. */
interface Reconnected {
  readonly kind: 'reconnected';
}
/** A change of this window was made that can be taken back. */
interface Done {
  readonly kind: 'done';
  readonly undoId: number;
  readonly label: string;
}
/** The service does not know this window, or no longer. */
interface SignedOut {
  readonly kind: 'signed_out';
}
export type WindowEvent = BookEvent | MenuCommand | Reconnected | Done | SignedOut;

/** Tells what arrived; null for a kind this window does not know. */
export function readEvent(given: unknown): WindowEvent | null {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return null;
  if (given.kind === 'changed' || given.kind === 'job') return given as BookEvent;
  if (given.kind === 'command' && 'command' in given && typeof given.command === 'string') {
    return { kind: 'command', command: given.command };
  }
  return null;
}

export interface EventHub {
  readonly publish: (event: WindowEvent) => void;
  readonly subscribe: (listener: (event: WindowEvent) => void) => () => void;
}

/** Hands every event to all listeners, in the order they came. */
export function createEventHub(): EventHub {
  const listeners = new Set<(event: WindowEvent) => void>();
  return {
    publish(event) {
      for (const listener of listeners) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
