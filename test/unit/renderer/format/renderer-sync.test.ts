import { describe, expect, it } from 'vitest';
import type { SyncActivity, SyncConflict, SyncPlanRow, SyncRun, SyncUnsure } from '../../../../src-shared/contract/index.ts';
import {
  bracketWords,
  groupsOf,
  keyed,
  movesOf,
  neighbourOf,
  partsOf,
  sumsOf,
  undecidedOf,
} from '../../../../src-renderer/format/sync-resources.ts';
import {
  differenceOf,
  endingOf,
  fingerprint,
  rowsOf,
  runOrigin,
  shareOf,
  sideSumText,
  stepsOf,
  sumText,
  timeLeftText,
} from '../../../../src-renderer/format/sync-words.ts';

const planRow = (resource: SyncPlanRow['resource'], given: Partial<SyncPlanRow>): SyncPlanRow => ({
  resource,
  here: 0,
  send: 0,
  agree: 0,
  to_decide: 0,
  receive: 0,
  there: 0,
  stays_here: 0,
  stays_there: 0,
  ...given,
});

describe('the figures of a plan', () => {
  const rows = [
    planRow('records', { here: 10, send: 3, agree: 6, to_decide: 1, receive: 2, there: 9 }),
    planRow('overdue', { here: 4, send: 4, agree: null, there: null }),
    planRow('changes', { here: null, send: 5, agree: null, receive: 1, there: null }),
    planRow('unmatched', { here: null, agree: null, there: null }),
  ];

  it('add up on each side; changes are not part of it, because they are no objects', () => {
    const { objects, others } = partsOf({ rows });
    const sums = sumsOf(objects);
    expect(sums.here).toBe(sums.send + sums.agree + sums.to_decide + sums.stays_here);
    expect(sums.there).toBe(sums.agree + sums.to_decide + sums.receive + sums.stays_there);
    expect(others.map(({ resource }) => resource)).toEqual(['changes']);
  });

  it('include everything that moves', () => {
    expect(movesOf({ rows })).toMatchObject({ send: 12, receive: 3, to_decide: 1 });
  });

  it('have equations, with a name when there is room', () => {
    expect(bracketWords('Here', 'send', 0)).toBe('Here = send + agree + to decide');
    expect(bracketWords('Head office', 'receive', 2)).toBe('Head office = agree + to decide + receive + stays');
    expect(bracketWords('A name that is a good deal too long', 'receive', 0)).toBe('There = agree + to decide + receive');
  });
});

const ACTIVITY: SyncActivity = {
  remote_id: 1,
  what: 'sync',
  trigger: 'by_hand',
  run_id: 7,
  started_at: '2026-07-03T10:00:00.000Z',
  ended_at: null,
  phase: 'moving',
  now: 'Cash book',
  backup: { name: 'before', bytes: 18_400_000 },
  done: 414,
  total: 772,
  rows: [],
  waits: null,
  happened: [],
  cancelled: false,
  error: null,
};

describe('the steps of a sync', () => {
  it('are before, at and after the current one', () => {
    expect(stepsOf(ACTIVITY).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'Backed up done',
      'Connected done',
      'Compared done',
      'Moving now',
      'Verify to_come',
    ]);
    expect(stepsOf(ACTIVITY)[3]?.words).toEqual(['414 of 772', 'Cash book']);
  });

  it('include a backup only when one is made', () => {
    expect(stepsOf({ ...ACTIVITY, backup: null })).toHaveLength(4);
    expect(stepsOf({ ...ACTIVITY, what: 'preview', phase: 'comparing' })).toHaveLength(2);
  });

  it('have no share when the end is unknown', () => {
    expect(shareOf({ done: 5, total: null })).toBeNull();
    expect(shareOf({ done: 0, total: 0 })).toBe(100);
    expect(shareOf({ done: 1, total: 4 })).toBe(25);
  });
});

describe('the result of a sync', () => {
  const none = { count: 0, here: 0, there: 0 };
  const run = {
    deletions: none,
    sent_total: 61,
    received_total: 148,
    to_decide: 1,
    refused: [],
    state: 'to_decide',
    what: 'sync',
  } as unknown as SyncRun;
  const ended = { ...ACTIVITY, ended_at: '2026-07-03T10:01:00.000Z' };

  it('says what moved and what waits', () => {
    expect(endingOf(ACTIVITY, run)).toBeNull();
    expect(endingOf(ended, run)).toEqual({
      tone: 'open',
      title: 'Synced',
      words: 'Sent 61, received 148. 1 item waits for your decision.',
    });
    const still = { ...run, sent_total: 0, received_total: 0, to_decide: 0, state: 'agrees' } as SyncRun;
    expect(endingOf(ended, still)?.words).toBe('Nothing had to be sent or received.');
  });

  it('says how much was deleted on which side', () => {
    const words = (here: number, there: number, state: SyncRun['state'] = 'agrees') =>
      endingOf(ended, { ...run, to_decide: 0, state, deletions: { ...run.deletions, count: here + there, here, there } })?.words;
    expect(words(558, 0)).toBe('Sent 61, received 148; deleted 558 here.');
    expect(words(2, 1)).toBe('Sent 61, received 148; deleted 2 here and 1 there.');
    expect(words(558, 0, 'deletions_wait')).toBe('Sent 61, received 148.');
  });

  it('says why the sync broke off, and that nothing is lost', () => {
    const broken = { ...ended, error: { code: 'remote_unusable', message: 'Head office does not answer.' } };
    expect(endingOf(broken, run)?.words).toBe(
      'Head office does not answer. What was already sent or received stays: sent 61, received 148.',
    );
    expect(endingOf({ ...broken, what: 'preview' }, undefined)?.words).toBe('Head office does not answer.');
  });

  it('names its origin', () => {
    expect(runOrigin({ trigger: 'by_hand', what: 'sync', is_first: true })).toBe('first sync');
    expect(runOrigin({ trigger: 'schedule', what: 'sync', is_first: false })).toBe('on schedule');
    expect(runOrigin({ trigger: 'command', what: 'repair', is_first: false })).toBe('repair, on the command line');
  });
});

describe('entries to decide', () => {
  const conflict = (id: number, changes: boolean, choice: string | null) => ({ id, changes_figures: changes, choice }) as SyncConflict;
  const unsure = (id: number, choice: string | null) => ({ id, choice }) as SyncUnsure;
  const conflicts = [conflict(1, false, null), conflict(2, true, null), conflict(3, true, 'keep_local')];
  const groups = groupsOf(conflicts, [unsure(1, null), unsure(2, 'send_again')]);

  it('are listed with those first that change a figure; decided ones are separate', () => {
    expect(undecidedOf(groups).map(({ key }) => key)).toEqual(['conflict-2', 'conflict-1', 'unsure-1']);
    expect(groups.decided.map(({ key }) => key)).toEqual(['conflict-3', 'unsure-2']);
  });

  it('are passed through in both directions, and the list wraps around', () => {
    const open = undecidedOf(groups);
    expect(neighbourOf(open, 'conflict-2', 1)).toBe('conflict-1');
    expect(neighbourOf(open, 'unsure-1', 1)).toBe('conflict-2');
    expect(neighbourOf(open, 'conflict-3', 1)).toBe('conflict-2');
    expect(neighbourOf(open.slice(0, 1), 'conflict-2', 1)).toBeNull();
    expect(neighbourOf([], null, 1)).toBeNull();
  });
});

describe('the agreement of both sides', () => {
  const sums = (count: number, sum: number | string) => ({ count, sum, hash: 'a41c90e2ff' });
  const row = { resource: 'records', decimal_places: 2, local: sums(1_212, 4_821_035), remote: sums(1_211, 4_814_605) } as const;

  it('is shown in sums, differences and fingerprints', () => {
    expect(fingerprint('a41c90e2ff')).toBe('a41c 90e2');
    expect(differenceOf(row)).toEqual({ count: 1, sum: 6_430n });
    expect(sideSumText(row, 6_430n)).toBe('64.30');
    expect(sideSumText({ ...row, resource: 'matches' }, 460)).toBe('460');
  });

  it('keeps every digit of sums beyond what a number holds', () => {
    expect(sumText('-90071992547409930099', 2)).toBe('−900,719,925,474,099,300.99');
  });

  it('lists rows that differ first, then those that wait for a decision', () => {
    const rows = [
      { ...row, name: 'equal', equal: true, to_decide: 0 },
      { ...row, name: 'waits', equal: false, to_decide: 1 },
      { ...row, name: 'differs', equal: false, to_decide: 0 },
    ].map((each) => ({ ...each, currency: 'GBP', differences: [], more: 0 }));
    expect(rowsOf({ rows }, 'records').map(({ name }) => name)).toEqual(['differs', 'waits', 'equal']);
  });
});

it('keys of lists distinguish equal items', () => {
  expect(keyed(['a', 'b', 'a'], (text) => text).map(({ key }) => key)).toEqual(['a', 'b', 'a 1']);
});

it('the remaining time follows from the speed so far, and not from a single moment', () => {
  const left = (atMs: number, done: number, total: number | null = 1_000) => timeLeftText({ atMs: 0, done: 100 }, { atMs, done }, total);
  expect([left(3_000, 400), left(5_000, 100), left(5_000, 400, null), left(5_000, 1_000)]).toEqual([null, null, null, null]);
  expect([left(5_000, 900), left(5_000, 300), left(5_000, 130), left(60_000, 101)]).toEqual([
    'a few seconds left',
    'about 20 s left',
    'about 3 min left',
    'about 15 h left',
  ]);
});
