import { expect, test } from 'vitest';
import { addedBy } from '../../support/book-versions.ts';

test('migration 34 adds what a run says of sides that share no currency', () => {
  expect(addedBy(34)).toEqual(['runs: no_shared_currency TEXT']);
});
