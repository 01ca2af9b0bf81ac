import type { MessagePort } from 'node:worker_threads';
import type { Database } from '../../database/database.ts';
import { type KeptGroup, MatchCollector, type MatchExtent, type MatchRoom } from '../../domain/matching/index.ts';
import type { ThreadStart } from '../../jobs/protocol.ts';
import { heartbeat } from '../../jobs/heartbeat.ts';
import { systemClock } from '../../platform/system.ts';
import { type RowsOfRun, RowWriter, RUN_CACHE_KIB } from './match-writer.ts';

/** Starts a thread that writes the matches of a run while another one searches. */
export interface RowsStart extends ThreadStart {
  readonly kind: 'write_matches';
  readonly dataFolder: string;
  readonly rows: RowsOfRun;
  /** The shared memory that holds the matches. */
  readonly room: MatchRoom;
  /** Not 0: no further matches. Shared. */
  readonly stopped: Int32Array;
}

/** A command to the thread: the matches found so far and whether these are all; make a checkpoint; or end. */
export type RowsCommand = { readonly found: MatchExtent; readonly isAll: boolean } | 'checkpoint' | 'end';
/** An event of the thread: the number written, or why it failed. */
export type RowsProgress = { readonly written: number } | { readonly failed: string; readonly code: string | null };

/** Writes the matches of a run as they are reported, until the last one or until it is stopped. */
export function writeRowsOnThread(database: Database, { rows, room, stopped }: RowsStart, port: MessagePort): Promise<void> {
  const isCancelled = (): boolean => {
    heartbeat.beat();
    return Atomics.load(stopped, 0) !== 0;
  };
  const writer = new RowWriter({ database, clock: systemClock, isCancelled }, rows);
  const groups = new Map<number, KeptGroup>();
  database.leaveParentsUnchecked();
  database.beginUnseenWrites({ cacheKib: RUN_CACHE_KIB, isVouchedFor: true });
  const report = (written: number): void => port.postMessage({ written } satisfies RowsProgress);
  /** Carries out a command; returns false at the end. */
  const heed = (word: RowsCommand): boolean => {
    if (word === 'end') return false;
    if (word !== 'checkpoint') {
      for (const [place, group] of word.found.groups) groups.set(place, group);
      if (!writer.write(new MatchCollector(room, word.found, groups), word.isAll, report)) return false;
      // Makes a checkpoint while the other thread writes members, so that less is left for the end of the run.
      if (word.isAll) database.checkpoint();
      return true;
    }
    database.checkpoint();
    return true;
  };
  return new Promise<void>((resolve, reject) => {
    port.on('message', (word: RowsCommand) => {
      try {
        if (!heed(word)) resolve();
      } catch (error) {
        reject(error as Error);
      }
    });
  })
    .catch((error: unknown) => port.postMessage(failureOf(error) satisfies RowsProgress))
    .finally(() => port.close());
}

function failureOf(error: unknown): RowsProgress {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  return { failed: error instanceof Error ? error.message : String(error), code };
}
