import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areAlike, broughtInContentOrder, columnsInContentOrder } from '../../../src-main/domain/records/content-order.ts';
import { compareText, inContentOrder, visibleContent } from '../../../src-main/domain/records/content.ts';
import { numberCodes, TextCodes } from '../../../src-main/domain/records/dictionary-encoding.ts';
import { lookUp } from '../../../src-main/domain/records/fields.ts';
import { bareRecords, columnsOfRecords, pickRows, recordsOf } from '../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { comparePlaces, valueAt, type ValueColumn, valueColumnBuilder } from '../../../src-main/domain/records/value-column.ts';
import { INCOMPARABLE } from '../../../src-main/domain/records/values.ts';
import { textMember } from '../../../src-main/records/work/row-columns.ts';
import { quickTest, runs } from '../../support/long.ts';

/** Texts of one to three bytes a unit, halves of pairs among them. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '߿', 'ࠀ', '￿', '😀', '\ud83d', '\udc00', ' ', '\0'), maxLength: 4 });
/** Texts that end with a number are looked up by it: those of one length and beginning, others that nearly are, and no numbers at all. */
const reference = fc
  .tuple(
    fc.constantFrom('', 'A-', 'A-', 'B-', 'A', '9'),
    fc.constantFrom('', '000', '0', '999999'),
    fc.nat({ max: 1_200 }),
    fc.constantFrom('', '', '', 'x'),
  )
  .map((parts) => parts.join(''));
/** Many of them, so that tables grow. */
const lookedUp = fc.oneof(text, { arbitrary: reference, weight: 5 });
const value = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, undefined, INCOMPARABLE, true, false, 0, -1.5, 1e300, [], ['a', 1], { a: { b: null } }),
);

const record: fc.Arbitrary<Omit<EngineRecord, 'id'>> = fc.record({
  amountMinor: fc.constantFrom(0, 1, 1000, 1001, Number.MAX_SAFE_INTEGER),
  decimalPlaces: fc.constantFrom(0, 2, 2, 3),
  direction: fc.constantFrom('credit' as const, 'debit' as const),
  day: fc.constantFrom(-1, 20_000, 20_000, 20_000, 9_000_000),
  valueDay: fc.constantFrom(null, null, 20_000, 20_001),
  currency: fc.constantFrom('EUR', 'GBP'),
  description: fc.oneof(fc.constantFrom(null, '', 'x'), text),
  externalId: fc.constantFrom(null, '', 'x', 'y'),
  reference: fc.constantFrom(null, '', 'x', 'y'),
  streamKey: fc.constantFrom('s', 't'),
  metadata: fc.constantFrom({}, { a: 1 }, { a: 1, b: 2 }, { b: 2, a: 1 }),
});
const records = fc
  .array(record, { minLength: 1, maxLength: 12 })
  .chain((contents) => fc.shuffledSubarray([...contents, ...contents], { minLength: 1 }))
  .map((contents) => contents.map((content, index) => ({ id: index + 1, ...content })));

describe('columns', () => {
  it('give back every value as it was', () => {
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const builder = valueColumnBuilder(values.length >> 1);
        for (const each of values) builder.add(each);
        const column = builder.finished();
        expect(values.map((_, place) => valueAt(column, place))).toEqual(values.map((each) => each ?? null));
      }),
    );
  });

  quickTest('order texts as code units do, and give equal texts equal codes, from whichever column', () => {
    fc.assert(
      fc.property(fc.array(lookedUp, { minLength: 1, size: 'large' }), fc.array(lookedUp, { minLength: 1 }), (left, right) => {
        const builder = valueColumnBuilder(0);
        for (const each of left) builder.addText(each);
        const column = builder.finished();
        const other = valueColumnBuilder(0);
        for (const each of right) other.addText(each);
        const second = other.finished();
        const codes = new TextCodes();
        const known = new Map<number, string>();
        for (const [place, each] of left.entries()) {
          expect(Math.sign(comparePlaces(column, place, 0))).toBe(compareText(each, left[0] ?? ''));
        }
        const codesOf = (of: ValueColumn, places: readonly number[]): Int32Array => {
          const found = new Int32Array(places.length);
          codes.codesOf(of, Int32Array.from(places), places.length, found);
          return found;
        };
        const places = left.map((_, place) => place);
        for (const [at, code] of codesOf(column, places).entries()) known.set(code, left[at] ?? '');
        expect(codesOf(column, places.toReversed()).toReversed()).toEqual(codesOf(column, places));
        for (const [place, each] of right.entries()) known.set(codesOf(second, [place])[0] ?? -1, each);
        for (const each of [...left, ...right]) known.set(codes.codeOfText(each), each);
        expect([...known].map(([code, each]) => [codes.textOf(code), each])).toEqual([...known].map(([, each]) => [each, each]));
        expect(known.size).toBe(new Set([...left, ...right]).size);
      }),
    );
  });

  it('give equal numbers equal codes, wide ones too', () => {
    const number = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -3, max: 3 }), fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 40n }));
    fc.assert(
      fc.property(fc.array(number, { maxLength: 200 }), (numbers) => {
        const codes = numberCodes(numbers.length);
        const first = numbers.map(codes.codeOf);
        expect(numbers.map(codes.codeOf)).toEqual(first);
        expect(new Set(first).size).toBe(new Set(numbers).size);
      }),
    );
  });

  it('stand in the order of content, whatever is read whole for it', () => {
    fc.assert(
      fc.property(records, (given) => {
        const ordered = columnsInContentOrder(columnsOfRecords(given));
        expect(recordsOf(ordered)).toEqual(inContentOrder(given));
        expect(bareRecords(broughtInContentOrder(columnsOfRecords(given)))).toEqual(bareRecords(ordered));
      }),
      { numRuns: runs(500, 100) },
    );
  });

  it('know which records look alike', () => {
    fc.assert(
      fc.property(records, fc.infiniteStream(fc.nat({ max: 2 })), (given, keys) => {
        const columns = columnsInContentOrder(columnsOfRecords(given));
        const rows = Int32Array.from(given.keys()).filter(() => keys.next().value === 0);
        fc.pre(rows.length > 0);
        const contents = new Set(recordsOf(pickRows(columns, rows)).map(visibleContent));
        expect(areAlike(columns, rows, 0, rows.length)).toBe(contents.size === 1);
      }),
      { numRuns: runs(500, 100) },
    );
  });
});

describe('a member of stored metadata', () => {
  it('is found without parsing all of it, or left to parsing', () => {
    const key = fc.oneof(
      { arbitrary: fc.constantFrom('a', 'b'), weight: 6 },
      { arbitrary: fc.constantFrom('a.b', 'a":', ',"a', 'a\\', '{', '}', 'é', 'constructor'), weight: 3 },
      { arbitrary: text, weight: 1 },
    );
    const leaf = fc.oneof(fc.constantFrom<unknown>('a', '"a":', '{"a":"x"}', ',"a":"', '\\', '"', 1, true, null), text);
    const metadata = fc.dictionary(key, fc.oneof({ arbitrary: leaf, weight: 4 }, { arbitrary: fc.dictionary(key, leaf), weight: 1 }));
    let told = 0;
    fc.assert(
      fc.property(metadata, key, (given, path) => {
        const stored = JSON.stringify(given);
        const found = textMember(path)(stored);
        if (found === undefined) return;
        if (found !== null) told += 1;
        expect(found).toBe(lookUp(JSON.parse(stored), path) ?? null);
      }),
      { numRuns: runs(5_000, 1_000) },
    );
    expect(told).toBeGreaterThan(runs(100, 20));
  });
});
