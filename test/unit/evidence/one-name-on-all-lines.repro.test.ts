import { expect, test } from 'vitest';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { lineOf } from '../../support/inputs/evidence-records.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';

/** Of a word on every line no siblings were counted, and yet each line was taken for the sibling of all: experience alone said that these repeat amounts. */
test('lines that all carry one word are tied by amounts that stand once on each side', () => {
  const count = 5_000;
  const side = (which: 'a' | 'b') =>
    Array.from({ length: count }, (_, at) =>
      lineOf(which, at, {
        description: `Line ${at}`,
        amountMinor: at * 100 + 50,
        on: isoFromDay(20_600 + (at % 28)),
        externalId: `${which}-${at}`,
      }),
    );
  const { links } = weigh(inputOf({ a: side('a'), b: side('b'), percent: null }));
  expect(links.filter(({ status }) => status === 'matched')).toHaveLength(count);
});
