import type { BookEvent } from '../../src-shared/contract/index.ts';
import type { ChosenFile } from '../../src-shared/contract/wire.ts';
import type { Result } from '../../src-shared/values/result.ts';
import type { Alarm, Clock, Log, Printer, Random, Secrets } from '../platform/ports.ts';
import type { Caller, Dispatch, EnvironmentName } from '../service/handler.ts';
import type { SyncAnswers } from '../sync/work/answers.ts';
import type { SyncResult } from '../sync/work/sync-result.ts';
import type { Verified } from '../sync/work/verify.ts';

export interface BackendOptions {
  /** The folder of the book, created if missing. Holds `book.sqlite` and its companions. */
  readonly dataFolder: string;
  /** The user's own folder, with the list of the books that windows had open; missing where no window is served. */
  readonly userFolder?: string;
  readonly clock: Clock;
  /** The system's alarm by default. */
  readonly alarm?: Alarm;
  readonly random: Random;
  readonly log: Log;
  /** Without it no report can be printed to a PDF. */
  readonly printer?: Printer;
  /** The platform's secret store; without it, keys of remotes are in an encrypted file. */
  readonly secrets?: Secrets;
  /** How this process was started, shown to others that find the folder in use: `tieout reconcile`. */
  readonly startedAs?: string;
  /** The version shown to people. */
  readonly version: string;
  /**
   * How to treat a missing or damaged book. `refuse` (the default): the start fails. `read`: opens a damaged book that is partly readable, read-only.
   * `rescue`, for windows: like `read`; and if nothing is readable, the backend answers what is wrong, and can restore a backup or begin a new book.
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
  /** The IP address to listen on; this machine's loopback by default. */
  readonly address?: string;
  /** The port; 0 takes a free one. */
  readonly port: number;
  /** The folder of the built renderer; null serves no window. */
  readonly uiFolder: string | null;
  /** Whether `/v1` and `/docs` are served beside the window; true by default. */
  readonly programs?: boolean;
  /** Origins and host names that are allowed in addition to those of the settings. */
  readonly allowedOrigins?: readonly string[];
  readonly hostNames?: readonly string[];
  /** The environment of the session key and of the window. */
  readonly environment: EnvironmentName;
  /** Requests that one key may send per second and in a burst; 200 and 1,000 by default. */
  readonly limits?: { readonly requestsPerSecond?: number; readonly requestBurst?: number; readonly wrongKeysAtOnce?: number };
}

export interface HttpServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT/v1`, or the same at the address that it listens on. */
  readonly baseUrl: string;
  /**
   * `http://127.0.0.1:PORT/#token=...`: opens the window while the server lives. The secret is after the `#`, which browsers send to no server. Null
   * without a UI folder.
   */
  readonly uiUrl: string | null;
  /** The session key: live, read_write, in memory only. */
  readonly apiKey: string;
  /**
   * Returns `http://127.0.0.1:PORT/open/...`, which opens the window once within 15 seconds. For command lines, which other users of the machine can
   * read.
   */
  readonly newUiUrl: () => string | null;
  readonly close: () => Promise<void>;
}

/** The options of a sync. */
export interface SyncOptions {
  readonly environment: EnvironmentName;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A person's answers to questions of earlier syncs. */
  readonly answers?: SyncAnswers;
  /** Called with messages about the progress. */
  readonly note: (words: string) => void;
  readonly signal: AbortSignal;
  /** The number of deletions that are allowed although they need permission; none by default. */
  readonly acceptDeletions?: number;
  /** The system's fetch by default. */
  readonly fetch?: typeof globalThis.fetch;
  /** Waits before a request is repeated; by the machine's clock by default. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

export interface BookSync {
  readonly run: (options: SyncOptions & { readonly preview: boolean }) => Promise<SyncResult>;
  /** Syncs, compares both sides again, and presents what still differs. */
  readonly repair: (options: SyncOptions) => Promise<SyncResult>;
  readonly verify: (options: SyncOptions) => Promise<Result<Verified, { readonly code: string; readonly message: string }>>;
}

/** The service without Electron. `startBackend(options)` in backend.ts returns one. */
export interface Backend {
  readonly dispatch: Dispatch;
  readonly subscribe: (listener: (event: BookEvent) => void) => () => void;
  /** Returns a caller with every right, for the window (`app`) or the command line (`cli`). */
  readonly ownCaller: (environment: EnvironmentName, actor: 'app' | 'cli') => Caller;
  /** Returns a token for a file that the user chose in a dialog or on the command line. `part` names a part of a zip archive with several. */
  readonly registerFile: (
    path: string,
    part?: string,
  ) => Result<ChosenFile, StartFailure | { readonly code: 'file_unreadable'; readonly message: string }>;
  readonly serveHttp: (options: HttpOptions) => Promise<HttpServer>;
  /** Opens the address for other programs as the settings say, from now on; for a window. */
  readonly openLocalPort: () => Promise<void>;
  /** Syncs the book with a remote; `sync.verify` only compares. Runs one at a time. */
  readonly sync: BookSync;
  /** Packs columns for coming runs now, instead of in a quiet moment. Resolves when done or stopped; reports ids done and in all. */
  readonly packColumns: (onProgress: (packed: number, total: number) => void, signal: AbortSignal) => Promise<void>;
  /** The work that a stopped or killed process left: whether there is any, and finishing it until done or `signal` aborts. */
  readonly leftWork: {
    readonly isAny: () => boolean;
    readonly finish: (signal: AbortSignal) => Promise<void>;
  };
  /** Returns what a person must know about the book first: that it is read-only, or cannot be opened; else null. */
  readonly trouble: () => string | null;
  /** Stops jobs (they resume or restart next time), closes the database, and frees the folder. */
  readonly close: () => Promise<void>;
}
