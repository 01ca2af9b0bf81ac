import type { Result } from '../../src-shared/values/result.ts';

/** The time that the service sees. Tests pass fixed ports of this file; `system.ts` has the real ones. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly nowMs: () => number;
  /** The host's local calendar day, as days since 1970-01-01. */
  readonly today: () => number;
  /** Milliseconds of a clock that only goes forward, for durations. */
  readonly monotonicMs: () => number;
}

/** Runs work once, later. Tests pass an alarm whose time they control. */
export interface Alarm {
  /** Calls `work` after `delayMs` milliseconds. Returns a function that cancels it. */
  readonly after: (delayMs: number, work: () => void) => () => void;
}

export interface Random {
  /** Returns `count` bytes that cannot be guessed. */
  readonly bytes: (count: number) => Uint8Array;
}

export interface Printer {
  /** Returns a page of HTML as the bytes of a PDF. Fails with one sentence that says why it was not printed. */
  readonly pdfOf: (html: string) => Promise<Result<Uint8Array, string>>;
}

/** The secret store of the platform. Only the same user of the same machine can decrypt what it encrypts. */
export interface Secrets {
  /** Returns the encrypted text, which may be written to the disk; null where the store does not work. May reject. */
  readonly encrypt: (text: string) => Promise<Uint8Array | null>;
  /** Returns the text; null where another store encrypted it, or the store refuses. May reject. */
  readonly decrypt: (encrypted: Uint8Array) => Promise<string | null>;
}

export interface Log {
  readonly info: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
  readonly warning: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
  readonly error: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
}
