import type { Alarm } from '../../platform/ports.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Syncing } from './book-sync.ts';
import type { LateSync } from './late-sync.ts';
import { SyncRunner } from './sync-runner.ts';
import { SyncSchedule } from './sync-schedule.ts';

interface SyncsOptions {
  readonly context: ServiceContext;
  readonly syncing: Syncing;
  readonly alarm: Alarm;
  readonly isServing: () => boolean;
  readonly isReadOnly: boolean;
}

/** Opens the runner and the schedule of an open book. A read-only book has no schedule. */
export function openSyncs(
  { context, syncing, alarm, isServing, isReadOnly }: SyncsOptions,
  sync: LateSync,
): { readonly close: () => Promise<void> } {
  const { database, clock, random, log } = context;
  const runner = new SyncRunner({
    context,
    syncing,
    keys: sync.keys,
    alarm,
    fetch: (input, init) => globalThis.fetch(input, init),
    onEnded: () => sync.rescheduled(),
  });
  const { start, activity } = runner;
  const schedule = isReadOnly
    ? null
    : new SyncSchedule({ database, clock, alarm, random, log, keys: sync.keys, activity, start, isServing });
  sync.attach(runner, schedule);
  return {
    close: async () => {
      schedule?.close();
      await runner.close();
    },
  };
}
