import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { lineOf } from '../../support/inputs/evidence-records.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { runs } from '../../support/long.ts';

const DAY = 20_500;
/** Lines of which a book learns that amounts and days agree. */
const PLAIN = 50;

type Spent = Readonly<Record<'day' | 'amount', number> & Record<'text', string>>;

/** Returns a book with plain pairs, and with the given lines of either side besides. */
function bookOf(a: readonly Spent[], b: readonly Spent[]): { readonly a: EngineRecord[]; readonly b: EngineRecord[] } {
  const plain = Array.from({ length: PLAIN }, (_, number) => ({
    day: number,
    amount: 3_000 + 17 * number,
    text: `FOXHOLLOW TOOLS ${number}`,
  }));
  const side = (name: 'a' | 'b', lines: readonly Spent[]): EngineRecord[] =>
    [...plain, ...lines].map(({ day, amount, text }, place) =>
      lineOf(name, place + 1, { on: isoFromDay(DAY + day), amountMinor: amount, direction: 'debit', description: text }),
    );
  return { a: side('a', a), b: side('b', b) };
}

/** Returns the links of a run, and the ids that more than one of them holds. */
function linked(book: ReturnType<typeof bookOf>): { readonly links: ReturnType<typeof weigh>['links']; readonly twice: readonly number[] } {
  const { links } = weigh(inputOf({ ...book, percent: null }));
  const seen = new Set<number>();
  const ids = links.flatMap(({ aIds, bIds }) => [...aIds, ...bIds]);
  return { links, twice: ids.filter((id) => seen.size === seen.add(id).size) };
}

it('two equal lines take one each of two different partners', () => {
  const cafe: Spent = { day: 10, amount: 850, text: 'STATION CAFE' };
  const breakfasts: Spent[] = ['H Jarrowfield', 'A Carrow'].map((name) => ({ ...cafe, text: `Breakfast, ${name}` }));
  for (const [a, b] of [
    [[cafe, cafe], breakfasts],
    [breakfasts, [cafe, cafe]],
  ] as const) {
    const { links, twice } = linked(bookOf(a, b));
    expect([links.filter(({ aIds }) => (aIds[0] ?? 0) > PLAIN).length, twice]).toEqual([2, []]);
  }
});

it('no line of any book is in two links of a run', () => {
  const line = fc.record({
    day: fc.integer({ min: 10, max: 12 }),
    amount: fc.constantFrom(850, 1_495, 2_345),
    text: fc.constantFrom('STATION CAFE', 'Breakfast, H Jarrowfield', 'Breakfast, A Carrow', 'POST OFFICE'),
  });
  const sides = fc.array(line, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(sides, sides, (a, b) => {
      expect(linked(bookOf(a, b)).twice).toEqual([]);
    }),
    { numRuns: runs(1_000, 60) },
  );
});
