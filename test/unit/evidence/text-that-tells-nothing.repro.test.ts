import { expect, test } from 'vitest';
import { BookWriter } from '../../bench/data/evidence-generators.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';

/** Of many names pairs are drawn by what they share: texts that share nothing with anything were then counted as names that differ, and `missing` seemed to speak for a pair. */
test('a text of common words alone is as neutral as none, however many names there are', () => {
  const book = new BookWriter(5);
  for (let at = 0; at < 1_400; at += 1) {
    const name = `${book.name()} ${String.fromCharCode(97 + (at % 26), 97 + ((at * 7) % 26), 97 + ((at * 11) % 26), 97 + (at % 17))}`;
    const [day, amount] = [book.int(300), 1_000 + book.int(900_000)];
    const a = book.line('a', day, amount, name);
    book.pair(a, book.line('b', day + 1, amount, at % 2 === 0 ? 'PAID' : name.toUpperCase()));
  }
  const missing = weigh(inputOf(book.set('paid'))).parameters.text.find(({ name }) => name === 'missing');
  expect(missing?.u).toBeCloseTo(0.5, 1);
  expect((missing?.m ?? 0) / (missing?.u ?? 1)).toBeCloseTo(1, 1);
});
