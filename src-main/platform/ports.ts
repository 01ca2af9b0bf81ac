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

/** The secret store of the platform: what it seals, only the same user of the same machine opens. */
export interface Secrets {
  /** The text as bytes that may lie on the disk; null where the store does not work after all. */
  readonly seal: (text: string) => Promise<Uint8Array | null>;
  /** The text; null where it was sealed elsewhere, or the store does not give it. */
  readonly open: (sealed: Uint8Array) => Promise<string | null>;
}

export interface Log {
  readonly info: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
  readonly warning: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
  readonly error: (message: string, detail?: Readonly<Record<string, unknown>>) => void;
}
