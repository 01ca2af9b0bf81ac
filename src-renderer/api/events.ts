import type { BookEvent } from '../../src-shared/contract/index.ts';

/** A command that was chosen in the application's menu. */
interface MenuCommand {
  readonly kind: 'command';
  readonly command: string;
}
/** The service does not answer. The window tries to reach it until it does. */
interface Lost {
  readonly kind: 'lost';
}
/** The connection was lost and is back. Everything on the screen may be out of date. */
interface Reconnected {
  readonly kind: 'reconnected';
}
/** This window made a change that can be undone. */
interface Done {
  readonly kind: 'done';
  readonly undoId: number;
  readonly label: string;
}
/** The service does not know this window, or no longer does. */
interface SignedOut {
  readonly kind: 'signed_out';
}
export type WindowEvent = BookEvent | MenuCommand | Lost | Reconnected | Done | SignedOut;

/** Returns the event, or null for a kind that this window does not know. */
export function readEvent(given: unknown): WindowEvent | null {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return null;
  if (given.kind === 'changed' || given.kind === 'job') return given as BookEvent;
  if (given.kind === 'command' && 'command' in given && typeof given.command === 'string') {
    return { kind: 'command', command: given.command };
  }
  return null;
}

/**
 * Distributes the window's events. A listener must not throw, because the listeners after it would miss the event. `subscribe` returns the function
 * that ends the subscription.
 */
export interface EventHub {
  readonly publish: (event: WindowEvent) => void;
  readonly subscribe: (listener: (event: WindowEvent) => void) => () => void;
}

/** Creates a hub that passes every event to all listeners, in the order of arrival. */
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
