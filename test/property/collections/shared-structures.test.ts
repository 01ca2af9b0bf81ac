import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { FloatList, IntList } from '../../../src-main/domain/collections/growable-array.ts';
import { HashTable, PairCodes } from '../../../src-main/domain/collections/hash-table.ts';
import { RadixSorter, sortRanges } from '../../../src-main/domain/collections/radix-sort.ts';
import { firstNumbers } from '../../../src-main/domain/collections/typed-arrays.ts';
import { runs } from '../../support/long.ts';

/** Few and near, so that many are equal; or anywhere. */
const numbersUpTo = (most: number) =>
  fc.oneof(fc.nat(3), fc.nat(3_000), fc.nat(most), fc.constantFrom(0, most, most - 1)).map((number) => Math.min(number, most));

it('a radix sort orders as a stable sort by comparing does', () => {
  const sorter = new RadixSorter();
  fc.assert(
    fc.property(fc.array(numbersUpTo(2 ** 32 - 1), { maxLength: 300 }), (numbers) => {
      const [keys, order] = [Uint32Array.from(numbers), firstNumbers(numbers.length)];
      const expected = [...order].toSorted((left, right) => (numbers[left] ?? 0) - (numbers[right] ?? 0));
      sorter.sort(keys, order, Math.max(0, ...numbers));
      expect([...order]).toEqual(expected);
      expect([...keys]).toEqual(expected.map((place) => numbers[place]));
    }),
    { numRuns: runs(200) },
  );
});

it.each([
  ['near', 1, 3_000],
  ['further apart than 32 bits', 4_000_000_007, 1_000_000],
  ['no whole numbers', 0.25, 3_000],
  ['below zero', -7, 50_000],
])('ranges are sorted one by one, values %s', (_, step, most) => {
  fc.assert(
    fc.property(fc.array(fc.nat(most), { minLength: 600, maxLength: 1_800 }), (numbers) => {
      const values = Float64Array.from(numbers, (number) => number * step);
      const middle = numbers.length >> 2;
      const byValue = (left: number, right: number) => (values[left] ?? 0) - (values[right] ?? 0) || left - right;
      const all = [...firstNumbers(numbers.length)];
      const sorted = sortRanges(firstNumbers(numbers.length), Int32Array.of(0, middle, numbers.length), values);
      expect([...sorted]).toEqual([...all.slice(0, middle).toSorted(byValue), ...all.slice(middle).toSorted(byValue)]);
    }),
    { numRuns: runs(8) },
  );
});

it('a list that grows holds what was put into it, zeros included', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 100 }), (numbers) => {
      for (const list of [new IntList(), new FloatList(), new IntList(new Int32Array(0))]) {
        for (const number of numbers) list.push(number);
        expect([list.length, ...numbers.map((__, index) => list.at(index))]).toEqual([numbers.length, ...numbers]);
      }
    }),
  );
});

it('a table of hashes finds each code behind its hash, however many share one', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(5), fc.integer()), { maxLength: 300 }), (hashes) => {
      const table = new HashTable(2);
      for (const [code, hash] of hashes.entries()) {
        let slot = table.first(hash);
        while (table.codeAt(slot) >= 0) slot = table.after(slot, hash);
        table.put(slot, hash, code);
      }
      for (const hash of new Set([...hashes, 17])) {
        const found: number[] = [];
        for (let slot = table.first(hash); table.codeAt(slot) >= 0; slot = table.after(slot, hash)) found.push(table.codeAt(slot));
        expect(new Set(found)).toEqual(new Set(hashes.flatMap((other, code) => (other === hash ? [code] : []))));
      }
    }),
    { numRuns: runs(200) },
  );
});

it('pairs have codes by order of appearance', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.oneof(fc.nat(4), fc.integer()), fc.oneof(fc.nat(4), fc.integer())), { maxLength: 300 }), (pairs) => {
      const codes = new PairCodes();
      const seen = new Map<string, number>();
      for (const [first, second] of pairs) {
        const known = seen.get(`${first} ${second}`);
        expect(codes.find(first, second)).toBe(known ?? -1);
        expect(codes.codeOf(first, second)).toBe(known ?? seen.size);
        seen.set(`${first} ${second}`, known ?? seen.size);
      }
      expect(codes.count).toBe(seen.size);
    }),
    { numRuns: runs(200) },
  );
});
