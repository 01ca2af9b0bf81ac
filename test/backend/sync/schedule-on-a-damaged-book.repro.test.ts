import { expect, test } from 'vitest';
import type { ReadHandle } from '../../../src-main/database/database.ts';
import { SyncSchedule } from '../../../src-main/sync/runner/sync-schedule.ts';
import { failed } from '../../../src-shared/values/result.ts';
import { testClock, testLog } from '../../support/books/backend.ts';
import { testAlarm } from '../../support/faults/alarm.ts';

const broken = (): never => {
  throw new Error('database disk image is malformed');
};

test('where the remotes of a book cannot be read nothing starts by itself, and Tieout goes on', async () => {
  const [alarm, log] = [testAlarm(), testLog()];
  const schedule = new SyncSchedule({
    database: { all: broken, first: broken, prepare: broken } as unknown as ReadHandle,
    clock: testClock(),
    alarm,
    random: { bytes: (count) => new Uint8Array(count) },
    log,
    keys: { where: async () => 'none' },
    activity: () => null,
    start: async () => failed({ code: 'conflict', message: 'never' }),
    isServing: () => true,
    addresses: () => new Set(),
  });
  alarm.advance(5_000);
  await expect.poll(() => log.lines.length).toBe(2);
  expect(() => schedule.rescheduled()).not.toThrow();
  schedule.close();
});
