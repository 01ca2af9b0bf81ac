import { expect, test } from 'vitest';
import type { BookEvent } from '../../../../src-shared/contract/index.ts';
import { activity } from '../../../../src-renderer/state/activity.ts';

type Areas = Extract<BookEvent, { kind: 'changed' }>['areas'];

const changed = (...areas: Areas): BookEvent => ({ kind: 'changed', revision: 1, areas, reconciliation_id: null });

test('a change of the book is saved, and how a sync gets on is none', () => {
  activity.getState().hear(changed('records', 'sync'), 1);
  expect(activity.getState().savedAtMs).toBe(1);
  activity.getState().hear(changed('sync'), 2);
  expect(activity.getState().savedAtMs).toBe(1);
});
