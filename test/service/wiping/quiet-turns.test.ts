import { expect, test } from 'vitest';
import { insertJob, openJobs, updateJob } from '../../../src-main/book/store/jobs.ts';
import { QuietTurns } from '../../../src-main/jobs/idle-scheduler.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { testAlarm } from '../../support/faults/alarm.ts';

const QUIET_MS = 100;

function turnsOf(turn: () => number | null) {
  const { database, log } = openQuietBook();
  const alarm = testAlarm();
  const turns = new QuietTurns({ database, alarm, log, quietMs: QUIET_MS, turn, trouble: 'nothing came of it' });
  return { database, log, alarm, turns };
}

function openJob(database: ReturnType<typeof turnsOf>['database']): void {
  database.write((write) => insertJob(write, { environmentId: 1, kind: 'import', payload: '{}', runId: null, createdAtMs: 0 }));
}

test('a turn starts after a quiet time, continues as long as it asks to, and ends', () => {
  const waits: (number | null)[] = [5, null];
  let came = 0;
  const { alarm, turns } = turnsOf(() => {
    came += 1;
    return waits.shift() ?? null;
  });
  turns.kick();
  alarm.advance(QUIET_MS - 1);
  turns.kick();
  alarm.advance(QUIET_MS - 1);
  expect([came, alarm.pending()]).toEqual([0, 1]);
  alarm.advance(1);
  expect([came, alarm.pending()]).toEqual([1, 1]);
  alarm.advance(5);
  expect([came, alarm.pending()]).toEqual([2, 0]);
  turns.wantWithin(7);
  turns.wantWithin(1);
  alarm.advance(7);
  expect([came, alarm.pending()]).toEqual([3, 0]);
});

test('endless kicks delay a turn only for a limited time', () => {
  let came = 0;
  const { alarm, turns } = turnsOf(() => {
    came += 1;
    return null;
  });
  for (let kick = 0; kick < 30; kick += 1) {
    turns.kick();
    alarm.advance(QUIET_MS - 1);
  }
  expect(came).toBe(1);
});

test('a turn yields to a job, for a limited time, and not again where the job ended meanwhile', () => {
  let came = 0;
  const { database, alarm, turns } = turnsOf(() => {
    came += 1;
    return null;
  });
  openJob(database);
  turns.kick();
  alarm.advance(QUIET_MS * 20);
  expect(came).toBe(0);
  alarm.advance(QUIET_MS);
  expect([came, alarm.pending()]).toEqual([1, 0]);
  turns.kick();
  alarm.advance(QUIET_MS * 3);
  expect(came).toBe(1);
  database.write((write) => openJobs(write).forEach(({ id }) => updateJob(write, id, { status: 'completed' })));
  alarm.advance(QUIET_MS);
  expect([came, alarm.pending()]).toEqual([2, 0]);
});

test('a single import is waited for as long as it takes, whatever else is written; a sequence of them is not', () => {
  let came = 0;
  const { database, alarm, turns } = turnsOf(() => {
    came += 1;
    return null;
  });
  openJob(database);
  const end = () => database.write((write) => openJobs(write).forEach(({ id }) => updateJob(write, id, { status: 'completed' })));
  const start = () => database.write((write) => openJobs(write).forEach(({ id }) => updateJob(write, id, { status: 'running' })));
  start();
  turns.kick();
  for (let kick = 0; kick < 100; kick += 1) {
    alarm.advance(QUIET_MS);
    turns.kick();
  }
  expect(came).toBe(0);
  end();
  alarm.advance(QUIET_MS);
  expect([came, alarm.pending()]).toEqual([1, 0]);
  turns.kick();
  for (let next = 0; next < 21; next += 1) {
    end();
    openJob(database);
    start();
    alarm.advance(QUIET_MS);
  }
  expect(came).toBe(2);
});

test('a failing turn is logged, and the next kick starts one', () => {
  let came = 0;
  const { alarm, turns, log } = turnsOf(() => {
    came += 1;
    if (came === 1) throw new Error('the file is gone');
    return null;
  });
  turns.kick();
  alarm.advance(QUIET_MS);
  expect([came, alarm.pending()]).toEqual([1, 0]);
  expect(log.lines).toEqual(['warning: nothing came of it {"error":"the file is gone"}']);
  turns.kick();
  alarm.advance(QUIET_MS);
  expect(came).toBe(2);
});

test('no turn starts after the end', () => {
  let came = 0;
  const { alarm, turns } = turnsOf(() => {
    came += 1;
    return null;
  });
  turns.kick();
  turns.close();
  turns.kick();
  turns.wantWithin(1);
  alarm.advance(QUIET_MS * 2);
  expect([came, alarm.pending(), turns.isClosing]).toEqual([0, 0, true]);
});
