import type { Result } from '../../src-shared/values/result.ts';

/** What the service takes from outside itself. Tests bring fixed ones; `system.ts` has the real ones. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly nowMs: () => number;
  /** The host's local calendar day, as days since 1970-01-01. */
  readonly today: () => number;
  /** Milliseconds of a clock that only goes forward, for durations. */
  readonly monotonicMs: () => number;
}

/** Wakes once. Tests bring one whose time they turn on. */
export interface Alarm {
  /** Does `work` after some milliseconds; answers what calls it off. */
  readonly after: (delayMs: number, work: () => void) => () => void;
}

export interface Random {
  /** Unguessable bytes. */
  readonly bytes: (count: number) => Uint8Array;
}

/** Prints pages. */
export interface Printer {
  /** A page of HTML as the bytes of a PDF; else one sentence on why it was not printed. */
  readonly pdfOf: (html: string) => Promise<Result<Uint8Array, string>>;
}

export interface Log {
  readonly info: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
  readonly warning: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
  readonly error: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
}
