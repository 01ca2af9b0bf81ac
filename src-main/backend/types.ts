import type { BookEvent } from '../../src-shared/contract/index.ts';
import type { ChosenFile } from '../../src-shared/contract/wire.ts';
import type { Result } from '../../src-shared/values/result.ts';
import type { Alarm, Clock, Log, Printer, Random, Secrets } from '../platform/ports.ts';
import type { Caller, Dispatch, EnvironmentName } from '../service/handler.ts';
import type { SyncAnswers } from '../sync/work/answers.ts';
import type { SyncResult } from '../sync/work/sync-result.ts';
import type { Verified } from '../sync/work/verify.ts';

export interface BackendOptions {
  /** Folder of the book; made when missing. Holds `book.sqlite` and what belongs to it. */
  readonly dataFolder: string;
  readonly clock: Clock;
  /** The system's without it. */
  readonly alarm?: Alarm;
  readonly random: Random;
  readonly log: Log;
  /** Without it no report is printed to a PDF. */
  readonly printer?: Printer;
  /** The platform's secret store; without it keys of remotes lie in an encrypted file. */
  readonly secrets?: Secrets;
  /** What it is started as, for who finds the folder in use: `tieout reconcile`. */
  readonly startedAs?: string;
  /** Version shown to people. */
  readonly version: string;
  /**
   * What is done with a book that is gone or damaged. `refuse`, which holds where nothing is said: the start fails. `read`: a damaged one of which something can be
   * read is opened, and nothing in it can be changed. `rescue`, for windows: the same, and where nothing can be read the backend answers what is wrong,
   * restores a backup or begins a new book.
   */
  readonly whenUnsound?: 'refuse' | 'read' | 'rescue';
}

/** Why a backend did not start: one sentence for the user. */
export interface StartFailure {
  readonly code:
    | 'folder_in_use'
    | 'newer_version'
    | 'folder_unusable'
    | 'storage_full'
    | 'damaged'
    | 'other_program'
    | 'book_missing'
    | 'book_empty';
  readonly message: string;
}

export interface HttpOptions {
  /** IP address to listen on; this machine's loopback when left out. */
  readonly address?: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Folder of the built renderer; null serves no window. */
  readonly uiFolder: string | null;
  /** Whether `/v1` and `/docs` are served as well as the window; they are when left out. */
  readonly programs?: boolean;
  /** Origins and names that are let in beside those of the settings. */
  readonly allowedOrigins?: readonly string[];
  readonly hostNames?: readonly string[];
  /** Environment of the session key and of the window. */
  readonly environment: EnvironmentName;
  /** Requests that one key may send, a second and at once; what is left out is 200 and 1,000. */
  readonly limits?: { readonly requestsPerSecond?: number; readonly requestBurst?: number; readonly wrongKeysAtOnce?: number };
}

export interface HttpServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT/v1`, or the address that it listens on. */
  readonly baseUrl: string;
  /** `http://127.0.0.1:PORT/#token=...`: the window, while the server lives. The secret stands behind `#`, which is sent to nobody. Null without a UI folder. */
  readonly uiUrl: string | null;
  /** Session key: live, read_write, in memory only. */
  readonly apiKey: string;
  /** `http://127.0.0.1:PORT/open/...`: leads to the window once, within 15 seconds. For command lines, which other users of the machine can read. */
  readonly newUiUrl: () => string | null;
  readonly close: () => Promise<void>;
}

/** What a sync is told. */
export interface SyncOptions {
  readonly environment: EnvironmentName;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What a person said to what a sync stopped with before. */
  readonly answers?: SyncAnswers;
  /** Tells what is going on. */
  readonly note: (words: string) => void;
  readonly signal: AbortSignal;
  /** So many deletions are allowed where they want a person's word; none without it. */
  readonly acceptDeletions?: number;
  /** The system's without it. */
  readonly fetch?: typeof globalThis.fetch;
  /** Waits before a request is sent again; by the clock of the machine without it. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

export interface BookSync {
  readonly run: (options: SyncOptions & { readonly preview: boolean }) => Promise<SyncResult>;
  /** Syncs, compares both sides again, and puts to a person what still differs. */
  readonly repair: (options: SyncOptions) => Promise<SyncResult>;
  readonly verify: (options: SyncOptions) => Promise<Result<Verified, { readonly code: string; readonly message: string }>>;
}

/** The electron-free service. `startBackend(options)` in backend.ts answers one. */
export interface Backend {
  readonly dispatch: Dispatch;
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  /** A caller with every right, for the window (`app`) or the command line (`cli`). */
  readonly ownCaller: (environment: EnvironmentName, actor: 'app' | 'cli') => Caller;
  /** Hands out a token for a file that the user chose in a dialog or on the command line; `part`: which one of a zip archive with several. */
  readonly registerFile: (
    path: string,
    part?: string,
  ) => Result<ChosenFile, StartFailure | { readonly code: 'file_unreadable'; readonly message: string }>;
  readonly serveHttp: (options: HttpOptions) => Promise<HttpServer>;
  /** For a window: from now on the address for other programs is open as the settings say. */
  readonly openLocalPort: () => Promise<void>;
  /** Brings the book and a remote together; `sync.verify` compares them. One at a time. */
  readonly sync: BookSync;
  /** Packs columns for the runs to come now, and not when it is quiet; ends when that is done, or stopped. Tells ids done and to do. */
  readonly packColumns: (onProgress: (packed: number, total: number) => void, signal: AbortSignal) => Promise<void>;
  /** What a process that was stopped or killed left to do or to clear: whether anything is, and seeing it through until it is done, or `signal` says so. */
  readonly leftWork: {
    readonly isAny: () => boolean;
    readonly finish: (signal: AbortSignal) => Promise<void>;
  };
  /** What the person should know of the book before anything else: that it can only be read, or cannot be opened; null where it is as ever. */
  readonly trouble: () => string | null;
  /** Stops jobs (they resume or start anew next time), closes the database, frees the folder. */
  readonly close: () => Promise<void>;
}
