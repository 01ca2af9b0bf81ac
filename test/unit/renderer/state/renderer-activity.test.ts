import { expect, test } from 'vitest';
import type { BookEvent } from '../../../../src-shared/contract/index.ts';
import { activity } from '../../../../src-renderer/state/run-progress.ts';

type Areas = Extract<BookEvent, { kind: 'changed' }>['areas'];

const changed = (...areas: Areas): BookEvent => ({ kind: 'changed', revision: 1, areas, reconciliation_id: null });

test('a change of the book counts as saved, the progress of a sync does not', () => {
  activity.getState().receive(changed('records', 'sync'), 1);
  expect(activity.getState().savedAtMs).toBe(1);
  activity.getState().receive(changed('sync'), 2);
  expect(activity.getState().savedAtMs).toBe(1);
});
