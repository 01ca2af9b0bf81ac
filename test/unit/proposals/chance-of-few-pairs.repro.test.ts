import { expect, test } from 'vitest';
import { activated, committedKeys, orderBook, proposed } from '../../support/books/proposal-book.ts';

// A rule by amount and days tied three pairs of 490, all of them false. Days turned round once showed no pair by chance, so it was proposed to commit what it ties.
test('few pairs by amount and days are not committed, since nothing shows how many of them are chance', () => {
  const book = orderBook(600, 22_074);
  const keys = committedKeys(activated(proposed(book), book));
  expect(keys.length).toBeGreaterThan(450);
  expect(keys.filter((key) => !book.truth.has(key))).toEqual([]);
});
