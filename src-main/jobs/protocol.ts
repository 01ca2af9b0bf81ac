import type { Problem } from '../../src-shared/contract/index.ts';
import type { EngineRule } from '../domain/matching/types.ts';

/** What a worker is started with. The job's row says the rest. */
export interface JobStart {
  readonly dataFolder: string;
  readonly jobId: number;
  /** One Int32: 0 go on, 1 cancelled by a person, 2 the book closes. */
  readonly cancel: SharedArrayBuffer;
}

export const CANCEL = { none: 0, byPerson: 1, closing: 2 } as const;

/** What a worker tells while it works; how it ended stands in the job's row. */
export interface JobProgress {
  readonly phase: string;
  readonly processed: number;
  readonly total: number;
}

/** What a worker says when it cannot even store that it failed. */
export interface JobLastWords {
  readonly lastWords: string;
}
export type JobMessage = JobProgress | JobLastWords;

export interface ImportPayload {
  readonly path: string;
  readonly filename: string;
  readonly streamKey: string | null;
  readonly streamName: string | null;
  readonly currency: string | null;
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
  readonly dryRun: boolean;
  readonly actor: string;
}

export interface RunPayload {
  readonly reconciliationId: number;
  readonly runId: number;
  /** Rules of a rehearsal, which are not stored; their ids are their places from 1. Without them the stored rules run. */
  readonly rules?: readonly EngineRule[];
  readonly actor: string;
}

/** The operation's row says the rest. */
export interface StreamOperationPayload {
  readonly operationId: number;
}

/** Problems kept in a result; the count of all of them stands beside. */
export const MAX_KEPT_PROBLEMS = 1_000;

/** Rejected and fatal ones first: those are what a person must act on. */
export function keptProblems(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MAX_KEPT_PROBLEMS) return [...problems];
  const weight = { fatal: 0, rejected: 1, note: 2 };
  return problems.toSorted((left, right) => weight[left.severity] - weight[right.severity]).slice(0, MAX_KEPT_PROBLEMS);
}
