import type { Failure } from './errors.ts';

/** The answer of an operation on either transport. Safe for JSON: no Date, no bigint, no significant undefined. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T; readonly meta?: AnswerMeta | undefined }
  | { readonly ok: false; readonly error: Failure; readonly meta?: AnswerMeta | undefined };

/** The content of HTTP headers: where to poll a started operation, whether the answer is a replay, and how to undo it. */
export interface AnswerMeta {
  readonly location?: string;
  readonly replayed?: boolean;
  readonly retryAfterSeconds?: number;
  /** For an undoable write by the window or the command line: the entry that `undo.take_back` names, and its label. */
  readonly undo?: { readonly id: number; readonly label: string };
}

/** The IPC channels; preload, main and the test's stand-in use the same names. */
export const CHANNELS = {
  request: 'tieout:request',
  event: 'tieout:event',
  chooseFile: 'tieout:choose-file',
  takeOpened: 'tieout:take-opened',
  chooseFolder: 'tieout:choose-folder',
  showInFolder: 'tieout:show-in-folder',
} as const;

/** A file that the user chose; its path stays on the main side. */
export interface ChosenFile {
  readonly token: string;
  readonly name: string;
  readonly byteLength: number;
}

/** The files and the link into the window that the system asked the application to open. */
export interface Opened {
  readonly files: readonly ChosenFile[];
  /** The place of the link, as the window's address names it behind `#`; null without a link. */
  readonly place: string | null;
}

/** What a folder is chosen for. */
export type FolderPurpose = 'book' | 'new_book';

/** The object that preload exposes as `window.tieout`. */
export interface Bridge {
  readonly request: (operation: string, input: unknown) => Promise<Outcome<unknown>>;
  /** Passes each event to the listener. Returns the function that ends this. */
  readonly subscribe: (listener: (event: unknown) => void) => () => void;
  /** Resolves to an empty list if the user cancels. */
  readonly chooseFile: () => Promise<readonly ChosenFile[]>;
  /** Shows the system's dialog for a folder, that of a book or an empty one for a book. Resolves to its path; null if the user cancels. */
  readonly chooseFolder: (purpose: FolderPurpose) => Promise<string | null>;
  /** Shows the file of the open book, or that of one of its backups, in the system's file manager. A name that no backup has shows nothing. */
  readonly showInFolder: (backup: string | null) => Promise<void>;
  /** Resolves to what the system asked to open since the last call; an event `opened` says that there is something. */
  readonly takeOpened: () => Promise<Opened>;
}
