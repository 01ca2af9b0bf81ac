import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../../src-main/domain/collections/id-set.ts';
import {
  ANY_NUMBER,
  packedValueBytes,
  packNumbers,
  packValues,
  unpackNumbers,
  unpackValues,
  valueRoom,
} from '../../../src-main/domain/records/packed-values.ts';
import {
  joinedValues,
  noValues,
  pickedValues,
  valueAt,
  type ValueColumn,
  valueColumnBuilder,
} from '../../../src-main/domain/records/value-column.ts';
import { referenceText } from '../../../src-main/records/work/engine-input.ts';
import { referenceValues } from '../../../src-main/records/work/pack-reader.ts';
import { anyCharacter } from '../../support/inputs/any-character.ts';

const integers = fc.oneof(
  fc.array(fc.maxSafeInteger()),
  fc.array(fc.integer({ min: -3, max: 300 })),
  fc.array(fc.integer({ min: 1_000_000, max: 1_000_200 })),
  fc.array(fc.constant(-7)),
);
const NOTHING_INK = fc.string({ unit: fc.constantFrom(' ', '\u00a0', 'x', 'é', '\ufeff') });
const value = fc.oneof(
  fc.constant(null),
  fc.string({ unit: anyCharacter }),
  NOTHING_INK,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.array(fc.nat()),
);

function columnOf(values: readonly unknown[]): ValueColumn {
  const builder = valueColumnBuilder(0);
  for (const one of values) builder.add(one);
  return builder.finished();
}

const all = (column: ValueColumn): unknown[] => Array.from(column.kinds, (_, place) => valueAt(column, place));

test('numbers are unpacked as they were packed, at any place of an array; cut or lengthened bytes are none', () => {
  fc.assert(
    fc.property(integers, fc.nat({ max: 9 }), fc.integer({ min: -40, max: 40 }), (numbers, from, cut) => {
      const packed = packNumbers(Float64Array.from(numbers));
      const into = new Float64Array(from + numbers.length);
      expect(unpackNumbers(packed, numbers.length, into, from, ANY_NUMBER)).toBe(true);
      expect([...into.subarray(from)]).toEqual(numbers.map((number) => number + 0));
      const other = new Uint8Array(Math.max(0, packed.length + cut));
      other.set(packed.subarray(0, other.length));
      expect(unpackNumbers(other, numbers.length, into, from, ANY_NUMBER)).toBe(cut === 0);
      const bounds = { least: Math.min(...numbers), most: Math.max(...numbers) };
      expect(unpackNumbers(packed, numbers.length, into, from, bounds)).toBe(true);
      const isBelow = unpackNumbers(packed, numbers.length, into, from, { ...bounds, most: bounds.most - 1 });
      expect(isBelow).toBe(numbers.length === 0);
    }),
  );
});

test('values are unpacked as they were packed, picked and joined as they stand', () => {
  fc.assert(
    fc.property(fc.array(value), fc.array(value), fc.array(fc.nat({ max: 1_000 })), (left, right, picks) => {
      const [a, b] = [columnOf(left), columnOf(right)];
      const placesOf = (count: number) => Int32Array.from({ length: count }, (_, place) => place);
      const parts = [packValues(a, placesOf(left.length)), packValues(b, placesOf(right.length))];
      const room = valueRoom(
        left.length + right.length,
        parts.reduce((sum, part) => sum + (packedValueBytes(part) ?? 0), 0),
      );
      expect(parts.map((part, index) => unpackValues(part, [left, right][index]?.length ?? 0, room))).toEqual([true, true]);
      const together = [...all(a), ...all(b)];
      expect(all(room.column)).toEqual(together);
      expect(all(joinedValues([a, noValues(2), b]))).toEqual([...all(a), null, null, ...all(b)]);
      const places = Int32Array.from(together.length === 0 ? [] : picks.map((pick) => pick % together.length));
      expect(all(pickedValues(room.column, places))).toEqual(Array.from(places, (place) => together[place]));
      const repacked = packValues(room.column, places);
      const again = valueRoom(places.length, packedValueBytes(repacked) ?? 0);
      expect(unpackValues(repacked, places.length, again)).toBe(true);
      expect(all(again.column)).toEqual(Array.from(places, (place) => together[place]));
    }),
  );
});

test('references made of a column are those of the records', () => {
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const expected = values.map((one) => referenceText('metadata.key', { description: null, external_id: null }, { key: one }));
      expect(all(referenceValues(columnOf(values)))).toEqual(expected);
    }),
  );
});

test('a set of ids has what was added within its bounds, near or far apart', () => {
  const id = fc.oneof(fc.integer({ min: -5, max: 100 }), fc.integer({ min: 2 ** 40, max: 2 ** 40 + 9 }));
  fc.assert(
    fc.property(fc.array(id), fc.array(id), fc.nat({ max: 90 }), (ids, others, most) => {
      const [own, bound] = [IdSet.of(ids), new IdSet(3, most + 3)];
      for (const one of ids) bound.add(one);
      const kept = new Set(ids.filter((one) => one >= 3 && one <= most + 3));
      expect([own.isEmpty, bound.isEmpty]).toEqual([ids.length === 0, kept.size === 0]);
      for (const one of [...ids, ...others]) expect([own.has(one), bound.has(one)]).toEqual([ids.includes(one), kept.has(one)]);
    }),
  );
});
