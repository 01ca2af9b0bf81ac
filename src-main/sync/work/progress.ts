import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import type { Counted } from './sync-result.ts';

export type SyncPhase = SyncActivity['phase'];

/** A remote that does not answer is tried again. Milliseconds since 1970. */
export interface Waiting {
  readonly sinceMs: number;
  readonly tries: number;
  readonly of: number;
  readonly nextAtMs: number;
  readonly givesUpAtMs: number;
  readonly reason: string;
}

/** Hears how a sync gets on. */
export interface SyncProgress {
  readonly phase: (phase: SyncPhase) => void;
  /** It has an entry in the history, and before a first sync a backup. */
  readonly begun: (runId: number, backup: string | null) => void;
  /** It is at a kind of object, of records at a stream. */
  readonly at: (counted: Counted, stream: string | null) => void;
  readonly moved: (way: 'sent' | 'received', counted: Counted, stream: string | null, by: number) => void;
  /** Null: the remote answers again. */
  readonly waits: (waiting: Waiting | null) => void;
}

export const SILENT: SyncProgress = { phase: () => {}, begun: () => {}, at: () => {}, moved: () => {}, waits: () => {} };
