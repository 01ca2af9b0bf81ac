import type { Failure } from './errors.ts';

/** The answer of an operation on either transport. JSON-safe: no Date, no bigint, no undefined that matters. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly meta?: AnswerMeta | undefined }
  | { readonly ok: false; readonly error: Failure; readonly meta?: AnswerMeta | undefined };

/** What travels in HTTP headers: where a started thing can be polled, whether the answer is a replay, and how it is taken back. */
export interface AnswerMeta {
  readonly location?: string;
  readonly replayed?: boolean;
  readonly retryAfterSeconds?: number;
  /** Of a write by the window or the command line that can be taken back: the entry that `undo.take_back` names, and what was done. */
  readonly undo?: { readonly id: number; readonly label: string };
}

/** IPC channels, the same names in preload, main and the stand-in. */
export const CHANNELS = {
  request: 'tieout:request',
  event: 'tieout:event',
  chooseFile: 'tieout:choose-file',
} as const;

/** A file the user chose; the path stays on the main side. */
export interface ChosenFile {
  readonly token: string;
  readonly name: string;
  readonly byteLength: number;
}

/** What preload exposes as `window.tieout`. */
export interface Bridge {
  readonly request: (operation: string, input: unknown) => Promise<Outcome<unknown>>;
  readonly subscribe: (listener: (event: unknown) => void) => () => void;
  /** None when the user changed their mind. */
  readonly chooseFile: () => Promise<readonly ChosenFile[]>;
}
