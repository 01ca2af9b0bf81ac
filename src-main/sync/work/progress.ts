import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import type { Counted } from './sync-result.ts';

export type SyncPhase = SyncActivity['phase'];

/** The state of a remote that does not answer and is tried again; times in milliseconds since 1970. */
export interface Waiting {
  readonly sinceMs: number;
  readonly tries: number;
  readonly of: number;
  readonly nextAtMs: number;
  readonly givesUpAtMs: number;
  readonly reason: string;
}

/** Receives the progress of a sync. */
export interface SyncProgress {
  readonly phase: (phase: SyncPhase) => void;
  /** The sync has an entry in the history; `backup` names the backup that it made. */
  readonly begun: (runId: number, backup: string | null) => void;
  /** The sync begins with a kind of object; for records, with a stream. */
  readonly at: (counted: Counted, stream: string | null) => void;
  readonly moved: (way: 'sent' | 'received', counted: Counted, stream: string | null, by: number) => void;
  /** Null when the remote answers again. */
  readonly waits: (waiting: Waiting | null) => void;
}

export const SILENT: SyncProgress = { phase: () => {}, begun: () => {}, at: () => {}, moved: () => {}, waits: () => {} };
