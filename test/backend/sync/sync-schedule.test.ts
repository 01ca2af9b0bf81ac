import { describe, expect, onTestFinished, test } from 'vitest';
import { openBook } from '../../../src-main/book/store/book.ts';
import type { Database, ReadHandle } from '../../../src-main/database/database.ts';
import type { SyncStart } from '../../../src-main/sync/operations/sync-life.ts';
import { SyncSchedule } from '../../../src-main/sync/runner/open-syncs.ts';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { emptyResult } from '../../../src-main/sync/work/sync-result.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import { folderWithNewBook, testClock, testLog, type TestLog } from '../../support/books/backend.ts';
import { testAlarm } from '../../support/faults/alarm.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Remote {
  readonly every?: number | null;
  readonly whenOnline?: boolean;
  readonly syncedMinutesAgo?: number | null;
  readonly environment?: number;
}

/** A book with remotes whose schedule runs by a clock that the test turns. */
class Scheduled {
  readonly clock = testClock();
  readonly alarm = testAlarm();
  readonly log: TestLog = testLog();
  readonly started: string[] = [];
  readonly orders: SyncStart[] = [];
  readonly activities = new Map<number, SyncActivity>();
  readonly database: Database;
  schedule: SyncSchedule;
  addresses = new Set(['10.0.0.7']);
  isServing = true;
  kept: 'encrypted_file' | 'none' = 'encrypted_file';
  /** How the next sync ends. */
  ends: string | null = null;
  refusal: string | null = null;
  #remotes = 0;

  constructor() {
    const opened = openBook(folderWithNewBook());
    assert(opened.ok, 'a new book opens');
    this.database = opened.value;
    this.schedule = this.begun();
    onTestFinished(() => {
      this.schedule.close();
      this.database.close();
    });
  }

  /** As after a start of Tieout. */
  begun(): SyncSchedule {
    return new SyncSchedule({
      database: this.database,
      clock: this.clock,
      alarm: this.alarm,
      random: { bytes: (count) => new Uint8Array(count) },
      log: this.log,
      keys: { where: async () => this.kept },
      activity: (id) => this.activities.get(id) ?? null,
      start: async (order) => this.#start(order),
      isServing: () => this.isServing,
      addresses: () => this.addresses,
    });
  }

  remote({ every = 60, whenOnline = false, syncedMinutesAgo = 0, environment = 1 }: Remote = {}): number {
    this.#remotes += 1;
    const id = this.#remotes;
    const syncedAt = syncedMinutesAgo === null ? null : this.clock.nowMs() - syncedMinutesAgo * MINUTE;
    this.database.write((write) =>
      write
        .prepare<unknown[], unknown>(
          `INSERT INTO sync_remotes(id, environment_id, name, base_url, kind, seed, created_at, last_synced_at, every_minutes, when_online)
           VALUES (?, ?, 'Head office', ?, 'tieout', 's', 0, ?, ?, ?)`,
        )
        .run(id, environment, `https://remote-${id}/v1`, syncedAt, every, whenOnline ? 1 : 0),
    );
    if (syncedAt !== null) this.#ran(id, syncedAt, null);
    this.schedule.rescheduled();
    return id;
  }

  #ran(id: number, atMs: number, code: string | null): void {
    const result = JSON.stringify({
      ...emptyResult('https://head.office/v1', false),
      error: code === null ? null : { code, message: 'why' },
    });
    this.database.write((write) => {
      write
        .prepare<unknown[], unknown>(
          "INSERT INTO sync_runs(remote_id, what, started_by, started_at, ended_at, result) VALUES (?, 'sync', 'schedule', ?, ?, ?)",
        )
        .run(id, atMs, atMs, result);
      if (code === null) write.prepare<unknown[], unknown>('UPDATE sync_remotes SET last_synced_at = ? WHERE id = ?').run(atMs, id);
    });
  }

  #start(order: SyncStart) {
    if (this.refusal !== null) return failed({ code: this.refusal, message: 'why' });
    this.started.push(`${order.remoteId} ${order.trigger}`);
    this.orders.push(order);
    if (this.ends === 'never') this.underWay(order.remoteId, true);
    else this.#ran(order.remoteId, this.clock.nowMs(), this.ends);
    return success(null);
  }

  underWay(id: number, isIt: boolean): void {
    const activity = { what: 'sync', run_id: 1, ended_at: isIt ? null : new Date(this.clock.nowMs()).toISOString(), error: null };
    this.activities.set(id, activity as SyncActivity);
  }

  /** Turns the time on, five seconds at a time, and lets what rings end. */
  async turn(milliseconds: number): Promise<string[]> {
    const before = this.started.length;
    for (let left = milliseconds; left > 0; left -= 5 * SECOND) {
      const step = Math.min(left, 5 * SECOND);
      this.clock.advance(step);
      this.alarm.advance(step);
      for (let turn = 0; turn < 6; turn += 1) await Promise.resolve();
    }
    return this.started.slice(before);
  }

  nextMinutes(id: number): number | null {
    const at = this.schedule.nextAtMs(id);
    return at === null ? null : (at - this.clock.nowMs()) / MINUTE;
  }
}

test('a remote is synced every so many minutes from the end of the last sync', async () => {
  const book = new Scheduled();
  const id = book.remote({ every: 60, syncedMinutesAgo: 10 });
  expect(book.nextMinutes(id)).toBe(50);
  expect(await book.turn(49 * MINUTE)).toEqual([]);
  expect(await book.turn(2 * MINUTE)).toEqual(['1 schedule']);
  expect(book.orders).toEqual([{ remoteId: 1, environment: 'live', what: 'sync', trigger: 'schedule', same: [], acceptDeletions: 0 }]);
  expect(await book.turn(2 * HOUR + 2 * MINUTE)).toEqual(['1 schedule', '1 schedule']);
});

test('a time that was missed is made up once after a start, and not before the person had a moment', async () => {
  const book = new Scheduled();
  book.remote({ every: 15, syncedMinutesAgo: 24 * 60, environment: 2 });
  book.schedule.close();
  book.schedule = book.begun();
  expect(await book.turn(4 * SECOND)).toEqual([]);
  expect(await book.turn(10 * MINUTE)).toEqual(['1 schedule']);
  expect(book.orders[0]?.environment).toBe('test');
});

test.each([
  ['by hand alone', { every: null }],
  ['never synced: the first one wants a preview', { syncedMinutesAgo: null, whenOnline: true }],
] satisfies [string, Remote][])('nothing starts by itself: %s', async (_, remote) => {
  const book = new Scheduled();
  const id = book.remote({ every: 15, ...remote });
  expect(book.nextMinutes(id)).toBeNull();
  expect(await book.turn(5 * HOUR)).toEqual([]);
});

test('nothing starts where nobody is served; it does once somebody is', async () => {
  const book = new Scheduled();
  book.remote({ every: 15, syncedMinutesAgo: 60 });
  book.isServing = false;
  expect(await book.turn(30 * MINUTE)).toEqual([]);
  book.isServing = true;
  book.schedule.rescheduled();
  expect(await book.turn(5 * SECOND)).toEqual(['1 schedule']);
});

test('nothing starts without a key; with it again it does', async () => {
  const book = new Scheduled();
  const id = book.remote({ every: 15, syncedMinutesAgo: 60 });
  book.kept = 'none';
  expect(await book.turn(30 * MINUTE)).toEqual([]);
  expect(book.nextMinutes(id)).toBeNull();
  book.kept = 'encrypted_file';
  expect(await book.turn(2 * MINUTE)).toEqual(['1 schedule']);
});

test('nothing starts while a sync of any remote is under way, and one at a time', async () => {
  const book = new Scheduled();
  const [one, other] = [book.remote({ every: 15, syncedMinutesAgo: 60 }), book.remote({ every: 15, syncedMinutesAgo: 60 })];
  book.underWay(other, true);
  expect(await book.turn(20 * MINUTE)).toEqual([]);
  expect(book.nextMinutes(other)).toBeNull();
  expect(book.nextMinutes(one)).toBeLessThan(0);
  book.underWay(other, false);
  book.ends = 'never';
  book.schedule.rescheduled();
  expect(await book.turn(10 * MINUTE)).toEqual(['1 schedule']);
  book.ends = null;
  book.underWay(one, false);
  expect(await book.turn(2 * MINUTE)).toEqual(['1 schedule', '2 schedule']);
});

test('after failures the interval doubles, up to six times; a success brings it back', async () => {
  const book = new Scheduled();
  const id = book.remote({ every: 60 });
  book.ends = 'remote_failed';
  expect(await book.turn(61 * MINUTE)).toEqual(['1 schedule']);
  expect(book.nextMinutes(id)).toBeGreaterThan(118);
  await book.turn(2 * HOUR);
  expect(book.nextMinutes(id)).toBeGreaterThan(237);
  await book.turn(4 * HOUR);
  expect(book.nextMinutes(id)).toBeGreaterThan(355);
  book.ends = null;
  await book.turn(6 * HOUR + MINUTE);
  expect(book.started.length).toBe(4);
  expect(book.nextMinutes(id)).toBeLessThan(61);
});

test('a start that is refused is a failure; one that comes while another runs is none', async () => {
  const book = new Scheduled();
  const id = book.remote({ every: 60, syncedMinutesAgo: 60 });
  book.refusal = 'sync_in_progress';
  await book.turn(2 * MINUTE);
  expect(book.nextMinutes(id)).toBeLessThanOrEqual(0);
  book.refusal = 'remote_unusable';
  await book.turn(2 * MINUTE);
  expect(book.nextMinutes(id)).toBeGreaterThan(115);
  expect(book.log.lines).toEqual(['warning: a sync could not start by itself {"remote":1,"code":"remote_unusable"}']);
});

test('a sync that ended without an entry counts as tried', async () => {
  const book = new Scheduled();
  const id = book.remote({ every: 60, syncedMinutesAgo: 60 });
  const ended = new Date(book.clock.nowMs()).toISOString();
  book.activities.set(id, {
    what: 'sync',
    run_id: null,
    ended_at: ended,
    cancelled: false,
    error: { code: 'unreachable', message: 'why' },
  } as SyncActivity);
  expect(book.nextMinutes(id)).toBe(120);
});

test('when the network comes back, those that want it are synced, each in its turn', async () => {
  const book = new Scheduled();
  book.remote({ every: null, whenOnline: true, syncedMinutesAgo: 30 });
  book.remote({ every: null, whenOnline: false, syncedMinutesAgo: 30 });
  book.remote({ every: null, whenOnline: true, syncedMinutesAgo: 30 });
  expect(await book.turn(5 * MINUTE)).toEqual([]);
  book.addresses = new Set();
  expect(await book.turn(5 * MINUTE)).toEqual([]);
  book.addresses = new Set(['192.168.1.5']);
  expect(await book.turn(MINUTE)).toEqual(['1 network', '3 network']);
  expect(await book.turn(HOUR)).toEqual([]);
});

test('another address just after a sync is no reason for one', async () => {
  const book = new Scheduled();
  book.remote({ every: null, whenOnline: true, syncedMinutesAgo: 0 });
  await book.turn(15 * SECOND);
  book.addresses = new Set(['10.0.0.7', '10.0.0.8']);
  expect(await book.turn(5 * MINUTE)).toEqual([]);
});

test('a remote that did not answer is tried again by growing waits where the network is waited for', async () => {
  const book = new Scheduled();
  const id = book.remote({ every: null, whenOnline: true, syncedMinutesAgo: 30 });
  book.ends = 'unreachable';
  book.addresses = new Set([...book.addresses, '10.0.0.9']);
  expect(await book.turn(30 * SECOND)).toEqual(['1 network']);
  expect(book.nextMinutes(id)).toBeLessThanOrEqual(1);
  expect(await book.turn(MINUTE)).toEqual(['1 network']);
  expect(book.nextMinutes(id)).toBeGreaterThan(1);
  book.ends = null;
  expect(await book.turn(2 * MINUTE)).toEqual(['1 network']);
  expect(book.nextMinutes(id)).toBeNull();
});

test('without a remote that asks for it nothing wakes', async () => {
  const book = new Scheduled();
  book.remote({ every: null });
  await book.turn(10 * SECOND);
  expect(book.alarm.pending()).toBe(0);
  book.schedule.close();
  book.schedule.rescheduled();
  expect(book.alarm.pending()).toBe(0);
});

describe('found once: schedule on a damaged book', () => {
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
});
