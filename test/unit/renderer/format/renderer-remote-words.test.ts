import { expect, test } from 'vitest';
import { markLabel, markOf, markText, mostUrgent, scheduleText, statusParts } from '../../../../src-renderer/format/remote-words.ts';
import type { SyncRemote } from '../../../../src-shared/contract/index.ts';

const NOW = new Date(2026, 6, 3, 12, 0).getTime();
const at = (hours: number, minutes: number, seconds = 0): string => new Date(2026, 6, 3, hours, minutes, seconds).toISOString();

const SYNCED = {
  state: 'agrees',
  progress: null,
  waiting: 0,
  to_decide: 0,
  next_at: null,
  last_synced_at: at(10, 42),
  key_kept: 'encrypted_file',
} as const satisfies Partial<SyncRemote>;

const status = (remote: Parameters<typeof statusParts>[0]): string => statusParts(remote, NOW).join(' · ');

test('the status bar shows the state of a remote in a few words', () => {
  expect(status(SYNCED)).toBe('Synced 10:42');
  expect(status({ ...SYNCED, state: 'to_decide', waiting: 1, to_decide: 6 })).toBe('Synced 10:42 · 1 change waiting · 6 to decide');
  expect(status({ ...SYNCED, state: 'under_way', progress: 72, waiting: 358 })).toBe('Syncing, 72 %');
  expect(status({ ...SYNCED, state: 'under_way' })).toBe('Syncing');
  expect(status({ ...SYNCED, state: 'no_network', next_at: at(12, 15, 12) })).toBe('No network · next try 12:15:12');
  expect(status({ ...SYNCED, state: 'no_network', next_at: '2026-07-09T09:00:00.000Z' })).toBe('No network · next try 09/07/2026');
  expect(status({ ...SYNCED, state: 'not_synced', last_synced_at: null, waiting: 1_772 })).toBe('Not synced yet · 1,772 changes waiting');
  expect(status({ ...SYNCED, state: 'asks', waiting: 3 })).toBe('Sync asks you · 3 changes waiting');
  expect(status({ ...SYNCED, state: 'deletions_wait' })).toBe('Deletions wait for your approval');
  expect(status({ ...SYNCED, state: 'failed', waiting: 3 })).toBe('Sync failed · 3 changes waiting');
  expect(status({ ...SYNCED, key_kept: 'none', last_synced_at: '2026-06-01T09:00:00.000Z' })).toBe('Synced 01/06/2026 · API key missing');
});

test('the mark in the header has a sentence for screen readers, and a figure', () => {
  const waiting = { ...SYNCED, state: 'not_synced', waiting: 772 } as const;
  expect(markLabel(waiting, null, NOW)).toBe('Sync: not synced yet, 772 changes waiting');
  expect(markLabel(SYNCED, 'Head office', NOW)).toBe('Sync with Head office: synced 10:42');
  expect([markText(waiting), markText(SYNCED)]).toEqual(['772', '']);
  expect(markText({ state: 'under_way', progress: 72, waiting: 358 })).toBe('72 %');
  expect(markText({ state: 'under_way', progress: null, waiting: 358 })).toBe('');
  expect(markText({ state: 'no_network', progress: null, waiting: 358 })).toBe('358');
});

test('each state has its own shape, and the most urgent of several remotes is shown', () => {
  const of = (state: SyncRemote['state'], keyKept: SyncRemote['key_kept'] = 'secret_store') => ({ state, key_kept: keyKept });
  const states = ['under_way', 'failed', 'no_network', 'to_decide', 'waiting', 'not_synced', 'agrees'] as const;
  expect(states.map((state) => markOf(of(state)))).toEqual(['under_way', 'broken', 'open', 'open', 'waiting', 'none', 'done']);
  // Everything that waits for a person has the same mark.
  expect([markOf(of('asks')), markOf(of('deletions_wait'))]).toEqual(['open', 'open']);
  expect(markOf(of('agrees', 'none'))).toBe('broken');
  const [agrees, waiting, missing] = [of('agrees'), of('waiting'), of('agrees', 'none')];
  expect(mostUrgent([agrees, waiting])).toBe(waiting);
  expect(mostUrgent([agrees, waiting, missing])).toBe(missing);
  expect(mostUrgent([])).toBeNull();
});

test('a schedule is named as in the select, any other interval by its minutes', () => {
  expect(scheduleText({ every_minutes: null, when_online: false })).toBe('by hand');
  expect(scheduleText({ every_minutes: 240, when_online: true })).toBe('every 4 hours, and when the network comes back');
  expect(scheduleText({ every_minutes: 30, when_online: false })).toBe('every 30 minutes');
});
