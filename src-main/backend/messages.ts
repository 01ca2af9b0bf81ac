import type { BookEvent } from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import type { Result } from '../../src-shared/values/result.ts';
import type { EnvironmentName } from '../service/handler.ts';
import type { StartFailure } from './types.ts';

/** The data that the main thread passes to the backend's worker thread at its start. */
export interface BackendWorkerData {
  readonly dataFolder: string;
  /** The user's own folder. */
  readonly userFolder: string;
  readonly version: string;
  readonly environment: EnvironmentName;
  /** Whether the main thread can encrypt secrets. */
  readonly hasSecrets: boolean;
}

/** A message from the main thread to the backend. The sender chooses `id`, and the answer repeats it. */
export type ToBackend =
  | { readonly kind: 'request'; readonly id: number; readonly operation: unknown; readonly input: unknown }
  | { readonly kind: 'register-file'; readonly id: number; readonly path: string }
  | { readonly kind: 'printed'; readonly id: number; readonly pdf: Result<Uint8Array, string> }
  | { readonly kind: 'sealed'; readonly id: number; readonly sealed: Uint8Array | null }
  | { readonly kind: 'unsealed'; readonly id: number; readonly text: string | null }
  | { readonly kind: 'close'; readonly id: number };

/** A message from the backend to the main thread. */
export type FromBackend =
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly failure: StartFailure }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome<unknown> }
  | { readonly kind: 'file'; readonly id: number; readonly outcome: Outcome<ChosenFile> }
  /** Only the main thread of Electron can print. The backend numbers these requests itself. */
  | { readonly kind: 'print'; readonly id: number; readonly html: string }
  /** Only the main thread can use the platform's secret store. */
  | { readonly kind: 'seal'; readonly id: number; readonly text: string }
  | { readonly kind: 'unseal'; readonly id: number; readonly sealed: Uint8Array }
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'event'; readonly event: BookEvent };
