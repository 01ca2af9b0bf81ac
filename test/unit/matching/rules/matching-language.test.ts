import { describe, expect, it } from 'vitest';
import { editDistance } from '../../../../src-main/domain/matching/comparison/condition-test.ts';
import { monthOf } from '../../../../src-main/domain/matching/comparison/read-columns.ts';
import { compileTransforms } from '../../../../src-main/domain/matching/rules/transforms.ts';
import type { MetadataTypes, PropertyType } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import type { Condition, TransformInput } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { businessDayOf, dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { engineRecord, engineRule, matched } from '../../../support/inputs/matching-records.ts';

type Given = Partial<EngineRecord> & { on?: string };

/** Whether one condition ties two records. */
function ties(condition: Condition, a: Given, b: Given, types?: MetadataTypes): boolean {
  const sides = { sideA: [engineRecord(1, a)], sideB: [engineRecord(101, b)] };
  return matched({ ...sides, rules: [engineRule(1, [condition])], ...(types === undefined ? {} : { types }) }).matches.length === 1;
}

function changed(transform: TransformInput | TransformInput[], text: string): string {
  const compiled = compileTransforms(transform, 'transforms.key', []);
  return present(compiled, 'transforms').texts.reduce((value, step) => step(value), text);
}

const money = (amountMinor: number, decimalPlaces = 2, currency = 'GBP'): Given => ({ amountMinor, decimalPlaces, currency });
const on = (date: string): Given => ({ on: date });
const text = (reference: string | null): Given => ({ reference });
const AMOUNT = { key: 'amount', value: 'amount' };
const DATE = { key: 'date', value: 'date' };
const REFERENCE = { key: 'reference', value: 'reference' };

describe('operands', () => {
  it.each<[Condition['operand'], boolean, boolean, boolean]>([
    ['eq', false, true, false],
    ['neq', true, false, true],
    ['gt', false, false, true],
    ['gte', false, true, true],
    ['lt', true, false, false],
    ['lte', true, true, false],
    ['eq_or_missing', false, true, false],
  ])('%s of less, the same and more', (operand, less, same, more) => {
    const expected = [less, same, more];
    expect([999, 1000, 1001].map((units) => ties({ ...AMOUNT, operand }, money(units), money(1000)))).toEqual(expected);
    expect(['2026-06-24', '2026-06-25', '2026-06-26'].map((day) => ties({ ...DATE, operand }, on(day), on('2026-06-25')))).toEqual(
      expected,
    );
    expect(['A9', 'B1', 'B2'].map((word) => ties({ ...REFERENCE, operand }, text(word), text('B1')))).toEqual(expected);
  });

  it('a missing value makes every condition false but eq_or_missing', () => {
    for (const operand of ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'in', 'not_in'] as const) {
      for (const blank of [null, '', ' ', '\u00a0', '\ufeff\t']) {
        expect(ties({ ...REFERENCE, operand }, text(blank), text('x'))).toBe(false);
        expect(ties({ ...REFERENCE, operand }, text('x'), text(blank))).toBe(false);
      }
    }
    expect(ties({ ...REFERENCE, operand: 'eq_or_missing' }, text('\u00a0'), text('x'))).toBe(true);
  });

  it('a value that a transform empties is missing', () => {
    const digits = { ...REFERENCE, transforms: { key: 'digits_only' as const } };
    expect(ties(digits, text('no digits'), text('7'))).toBe(false);
    expect(ties({ ...digits, operand: 'neq' }, text('no digits'), text('7'))).toBe(false);
    expect(ties({ ...digits, operand: 'eq_or_missing' }, text('no digits'), text('7'))).toBe(true);
  });

  it('contains looks for B in A, letter by letter', () => {
    expect(ties({ ...REFERENCE, operand: 'contains' }, text('INV-7 paid'), text('INV-7'))).toBe(true);
    expect(ties({ ...REFERENCE, operand: 'contains' }, text('INV-7'), text('INV-7 paid'))).toBe(false);
    expect(ties({ ...REFERENCE, operand: 'contains' }, text('inv-7 paid'), text('INV-7'))).toBe(false);
  });

  it.each<[string, unknown, boolean | null]>([
    ['a JSON array', ['R0', 'R1'], true],
    ['a JSON array without it', ['R0', 'R11'], false],
    ['text split on commas', 'R0, R1 ,R2', true],
    ['a JSON array in a text', '["R0","R1"]', true],
    ['a single text', 'R1', true],
    ['an empty array', [], null],
    ['blank members', ['', null], null],
    ['no list at all', null, null],
    ['an object', { R1: 1 }, null],
    ['members that are objects beside it', [{}, 'R1'], true],
  ])('in and not_in of %s', (_what, list, isIn) => {
    const condition = { key: 'reference', value: 'metadata.list' };
    const b = { metadata: { list } };
    expect(ties({ ...condition, operand: 'in' }, text('R1'), b)).toBe(isIn === true);
    expect(ties({ ...condition, operand: 'not_in' }, text('R1'), b)).toBe(isIn === false);
  });

  it('lists of numbers and dates compare as such, transforms go to each member', () => {
    const list = { metadata: { list: ['9.990', 10, 'n/a'] } };
    expect(ties({ key: 'amount', value: 'metadata.list', operand: 'in' }, money(999), list)).toBe(true);
    expect(
      ties({ key: 'date', value: 'metadata.list', operand: 'in' }, on('2026-06-25'), { metadata: { list: '2026-06-24,2026-06-25' } }),
    ).toBe(true);
    const digits = { key: 'reference', value: 'metadata.list', operand: 'in', transforms: { value: 'digits_only' } } as const;
    expect(ties(digits, text('12'), { metadata: { list: 'INV-11,INV-12' } })).toBe(true);
  });

  it('lists are looked up, not tried pair by pair', () => {
    const many = (firstId: number, content: (index: number) => Given) =>
      Array.from({ length: 3_000 }, (_, index) => engineRecord(firstId + index, content(index)));
    const sideA = many(1, (index) => ({ reference: `R${index}` }));
    const sideB = many(100_001, (index) => ({ metadata: { list: [`R${index}`, `S${index}`] } }));
    const rules = [engineRule(1, [{ key: 'reference', value: 'metadata.list', operand: 'in' }])];
    expect(matched({ sideA, sideB, rules }).matches).toHaveLength(3_000);
  });
});

describe('tolerances', () => {
  const within = (tolerance_amount: number, tolerance_unit?: Condition['tolerance_unit']) => ({ tolerance_amount, tolerance_unit });
  const apart = (tolerance: object, a: Given, b: Given) => ties({ ...AMOUNT, ...tolerance }, a, b);

  it('percent of the larger magnitude, inclusive and exact', () => {
    expect(apart(within(10, 'percent'), money(1000), money(900))).toBe(true);
    expect(apart(within(10, 'percent'), money(900), money(1000))).toBe(true);
    expect(apart(within(10, 'percent'), money(1000), money(899))).toBe(false);
    expect(apart(within(0.1, 'percent'), money(3000), money(2997))).toBe(true);
    expect(apart(within(0.1, 'percent'), money(2999), money(2996))).toBe(false);
    expect(apart(within(99.9, 'percent'), money(1000), money(1))).toBe(true);
    expect(apart(within(99.8, 'percent'), money(1000), money(1))).toBe(false);
    expect(apart(within(1, 'percent'), money(0), money(0))).toBe(true);
    expect(apart(within(50, 'percent'), money(0), money(1))).toBe(false);
    expect(apart(within(100, 'percent'), money(0), money(1))).toBe(true);
    const most = Number.MAX_SAFE_INTEGER;
    expect(apart(within(0.0001, 'percent'), money(most), money(most - 9_007_199_254))).toBe(true);
    expect(apart(within(0.0001, 'percent'), money(most), money(most - 9_007_199_255))).toBe(false);
  });

  it('percent of signed amounts knows the sign', () => {
    const signed = { key: 'signed_amount', value: 'signed_amount', tolerance_unit: 'percent' } as const;
    const debit = (units: number): Given => ({ ...money(units), direction: 'debit' });
    expect(ties({ ...signed, tolerance_amount: 10 }, debit(1000), debit(910))).toBe(true);
    expect(ties({ ...signed, tolerance_amount: 10 }, debit(1000), money(1000))).toBe(false);
    expect(ties({ ...signed, tolerance_amount: 200 }, debit(1000), money(1000))).toBe(true);
    expect(ties({ ...signed, tolerance_amount: 199.99 }, debit(1000), money(1000))).toBe(false);
  });

  it('dollar is whole currency units, floored to minor units', () => {
    expect(apart(within(0.5, 'dollar'), money(1000), money(950))).toBe(true);
    expect(apart(within(0.5, 'dollar'), money(1000), money(949))).toBe(false);
    expect(apart(within(0.509, 'dollar'), money(1000), money(949))).toBe(false);
    expect(apart(within(2.9, 'dollar'), money(100, 0, 'JPY'), money(102, 0, 'JPY'))).toBe(true);
    expect(apart(within(2.9, 'dollar'), money(100, 0, 'JPY'), money(103, 0, 'JPY'))).toBe(false);
    expect(apart(within(0.0019, 'dollar'), money(1000, 3, 'KWD'), money(1001, 3, 'KWD'))).toBe(true);
    expect(apart(within(0.0019, 'dollar'), money(1000, 3, 'KWD'), money(1002, 3, 'KWD'))).toBe(false);
  });

  it('minor is the default for numbers, at the finer scale', () => {
    expect(apart(within(5), money(1000), money(1005))).toBe(true);
    expect(apart(within(5), money(1000), money(1006))).toBe(false);
    expect(apart(within(5), money(1000), money(10_005, 3))).toBe(true);
    expect(apart(within(5), money(1000), money(10_006, 3))).toBe(false);
    expect(apart(within(5), money(10, 0), money(1005, 2))).toBe(true);
  });

  it('numbers of metadata are currency units', () => {
    const total = { key: 'metadata.total', value: 'amount' };
    expect(ties(total, { metadata: { total: 14.99 } }, money(1499))).toBe(true);
    expect(ties(total, { metadata: { total: '14.990' } }, money(1499))).toBe(true);
    expect(ties(total, { metadata: { total: 1499 } }, money(1499, 0, 'JPY'))).toBe(false);
    expect(ties(total, { currency: 'JPY', metadata: { total: 1499 } }, money(1499, 0, 'JPY'))).toBe(true);
    expect(ties({ ...total, tolerance_amount: 0.1, tolerance_unit: 'dollar' }, { metadata: { total: 15.09 } }, money(1499))).toBe(true);
    expect(ties({ ...total, tolerance_amount: 10 }, { metadata: { total: 15.095 } }, money(1499))).toBe(false);
    // 0.1 + 0.2 is no 0.3 for a float; here it is.
    expect(ties({ ...total, tolerance_amount: 20 }, { metadata: { total: 0.3 } }, money(10))).toBe(true);
  });

  it('day is the default for dates', () => {
    expect(ties({ ...DATE, tolerance_amount: 3 }, on('2026-06-25'), on('2026-06-28'))).toBe(true);
    expect(ties({ ...DATE, tolerance_amount: 3 }, on('2026-06-25'), on('2026-06-29'))).toBe(false);
  });

  it('month is the same month of the same year, whatever the amount', () => {
    const month = { ...DATE, tolerance_unit: 'month', tolerance_amount: 99 } as const;
    expect(ties(month, on('2026-06-01'), on('2026-06-30'))).toBe(true);
    expect(ties(month, on('2026-06-30'), on('2026-07-01'))).toBe(false);
    expect(ties(month, on('2025-06-30'), on('2026-06-30'))).toBe(false);
    expect([monthOf(0), monthOf(-1), monthOf(present(dayFromIso('2024-02-29'), 'day'))]).toEqual([0, -1, 649]);
  });

  it.each([
    ['2026-06-26', '2026-06-29', 1, 'Friday to Monday is one step'],
    ['2026-06-27', '2026-06-29', 0, 'Saturday counts as Monday'],
    ['2026-06-28', '2026-06-29', 0, 'and so does Sunday'],
    ['2026-06-27', '2026-06-28', 0, 'both days of a weekend are one'],
    ['2026-06-26', '2026-06-27', 1, 'Friday to Saturday is a step'],
    ['2026-06-22', '2026-06-29', 5, 'a week is five'],
    ['2026-06-28', '2026-06-26', 1, 'backwards as well'],
    ['2026-06-19', '2026-07-04', 11, 'two weeks and a day'],
    ['1969-12-26', '1969-12-29', 1, 'before 1970 too'],
  ])('business days from %s to %s: %i (%s)', (from, to, steps) => {
    const business = (tolerance_amount: number) => ({ ...DATE, tolerance_amount, tolerance_unit: 'business_day' as const });
    expect(ties(business(steps), on(from), on(to))).toBe(true);
    expect(steps > 0 && ties(business(steps - 1), on(from), on(to))).toBe(false);
    const day = (iso: string) => businessDayOf(present(dayFromIso(iso), iso));
    expect(Math.abs(day(from) - day(to))).toBe(steps);
  });

  it.each([
    ['kitten', 'sitting', 3],
    ['CA', 'ABC', 2],
    ['INV-7', 'IVN-7', 1],
    ['abc', '', 3],
    ['😀a', 'a😀', 1],
    ['😀', '😁', 1],
    ['a', 'b', 1],
    ['ab', 'ba', 1],
    ['same', 'same', 0],
  ])('edits from %s to %s: %i', (left, right, edits) => {
    expect(editDistance(left, right, 10)).toBe(edits);
    expect(editDistance(left, right, Math.max(0, edits - 1))).toBe(edits);
  });

  it('edit is the default for texts, and fewer edits come first where days and amounts are alike', () => {
    expect(ties({ ...REFERENCE, tolerance_amount: 1 }, text('INV-7'), text('INV-8'))).toBe(true);
    expect(ties({ ...REFERENCE, tolerance_amount: 1 }, text('INV-7'), text('INV-89'))).toBe(false);
    const sideB = [engineRecord(101, { reference: 'INV-89' }), engineRecord(102, { reference: 'INV-8' })];
    const { matches } = matched({
      sideA: [engineRecord(1, { reference: 'INV-7' })],
      sideB,
      rules: [engineRule(1, [{ ...REFERENCE, tolerance_amount: 2 }])],
    });
    expect(matches).toMatchObject([{ bIds: [102], certainty: 'best' }]);
  });
});

describe('transforms', () => {
  it.each<[TransformInput | TransformInput[], string, string]>([
    ['lowercase', 'ÄBC İ', 'äbc i̇'],
    ['uppercase', 'straße', 'STRASSE'],
    ['trim', '\u00a0 \ufeffx y\t', 'x y'],
    ['alphanumeric_only', 'É-7/№ x_2', 'É7x2'],
    ['alphanumeric_only', 'e\u0301!', 'é'],
    ['digits_only', 'INV-007/2', '0072'],
    ['digits_only', '١٢٣', ''],
    ['strip_leading_zeros', '00700', '700'],
    ['strip_leading_zeros', '000', ''],
    ['strip_leading_zeros', ' 07', ' 07'],
    ['remove_accents', 'Crème Brûlée Łódź Ærø straße', 'Creme Brulee Lodz AEro strasse'],
    ['remove_accents', 'e\u0301', 'e'],
    ['words', 'Smith,  John; smith & SON', 'john smith son'],
    [{ name: 'first_n_chars', args: { n: 2 } }, '😀😁😂', '😀😁'],
    [{ name: 'last_n_chars', args: { n: 2 } }, '😀😁😂', '😁😂'],
    [{ name: 'last_n_chars', args: { n: 9 } }, 'abc', 'abc'],
    [{ name: 'extract', args: { pattern: 'INV-(\\d+)' } }, 'paid INV-0012 today', '0012'],
    [{ name: 'extract', args: { pattern: 'ORD-\\d+' } }, 'none here', ''],
    [[{ name: 'extract', args: { pattern: 'INV-(\\d+)' } }, 'strip_leading_zeros'], 'INV-0012', '12'],
    [['strip_leading_zeros', 'digits_only'], 'A-007', '007'],
    [['digits_only', 'strip_leading_zeros'], 'A-007', '7'],
  ])('%j of %s is %s', (transform, given, expected) => {
    expect(changed(transform, given)).toBe(expected);
  });

  it('absolute and negate change numbers', () => {
    const a: Given = { metadata: { total: '-10.00' } };
    expect(ties({ key: 'metadata.total', value: 'amount' }, a, {})).toBe(false);
    expect(ties({ key: 'metadata.total', value: 'amount', transforms: { key: 'absolute' } }, a, {})).toBe(true);
    expect(ties({ key: 'metadata.total', value: 'amount', transforms: { key: ['negate'] } }, a, {})).toBe(true);
    const signed: Condition = { key: 'signed_amount', value: 'signed_amount', transforms: { value: 'negate' } };
    expect(ties(signed, {}, { direction: 'debit' })).toBe(true);
    expect(ties(signed, {}, {})).toBe(false);
  });

  it('a number out of a text', () => {
    const pattern = { name: 'extract', args: { pattern: 'EUR ([0-9.]+)' } } as const;
    const condition: Condition = { key: 'description', value: 'amount', transforms: { key: pattern } };
    expect(ties(condition, { description: 'fee EUR 10.00 incl.' }, {})).toBe(true);
    expect(ties(condition, { description: 'fee EUR 10.0.0' }, {})).toBe(false);
  });
});

describe('types of metadata', () => {
  const declared = (a: PropertyType, b: PropertyType = a): MetadataTypes => ({ a: new Map([['x', a]]), b: new Map([['x', b]]) });
  const X = { key: 'metadata.x', value: 'metadata.x' };
  const x = (value: unknown): Given => ({ metadata: { x: value } });

  it.each<[PropertyType, unknown, unknown, boolean]>([
    ['number', 10, '10.00', true],
    ['number', '10', 'ten', false],
    ['date', '2026-06-25', '2026-06-25', true],
    ['date', '2026-06-31', '2026-06-31', false],
    ['datetime', '2026-06-25T23:59:00+02:00', '2026-06-25 08:00', true],
    ['datetime', '2026-06-25T25h', '2026-06-25', false],
    ['string', '10', '10.00', false],
    ['string', 10, '10', true],
    ['boolean', true, 'TRUE', true],
    ['boolean', 'yes', 'yes', false],
  ])('%s: %j and %j', (type, a, b, isEqual) => {
    expect(ties(X, x(a), x(b), declared(type))).toBe(isEqual);
  });

  it('order numbers as numbers and texts as texts', () => {
    expect(ties({ ...X, operand: 'gt' }, x('10'), x('9'), declared('number'))).toBe(true);
    expect(ties({ ...X, operand: 'gt' }, x('10'), x('9'), declared('string'))).toBe(false);
  });

  it('dots reach into objects', () => {
    expect(ties({ key: 'metadata.order.id', value: 'reference' }, { metadata: { order: { id: 7 } } }, text('7'))).toBe(true);
  });
});

describe('currencies', () => {
  it('must be shared unless a condition names them', () => {
    const euro: Given = { currency: 'EUR' };
    expect(ties(AMOUNT, {}, euro)).toBe(false);
    expect(ties({ key: 'currency', value: 'currency', operand: 'neq' }, {}, euro)).toBe(true);
    expect(ties({ key: 'metadata.currency', value: 'currency' }, { metadata: { currency: 'EUR' } }, euro)).toBe(true);
  });
});

describe('explanations of the language', () => {
  function sentences(condition: Condition, a: Given, b: Given): readonly string[] {
    const { matches } = matched({ sideA: [engineRecord(1, a)], sideB: [engineRecord(101, b)], rules: [engineRule(1, [condition])] });
    return present(matches[0], 'match').explanation;
  }

  it.each<[string, Condition, Given, Given]>([
    [
      'Reference ORD-7 on side A equals description Paid ORD-7 (read as ORD-7) on side B.',
      { key: 'reference', value: 'description', transforms: { value: { name: 'extract', args: { pattern: 'ORD-\\d+' } } } },
      text('ORD-7'),
      { description: 'Paid ORD-7' },
    ],
    [
      'Reference INV-7 on side A and reference INV-8 on side B are 1 edit apart (allowed: 2).',
      { ...REFERENCE, tolerance_amount: 2 },
      text('INV-7'),
      text('INV-8'),
    ],
    [
      'Amount 10.00 GBP and 9.90 GBP are 0.10 apart (allowed: 1.5 percent of the larger).',
      { ...AMOUNT, tolerance_amount: 1.5, tolerance_unit: 'percent' },
      money(1000),
      money(990),
    ],
    [
      'Amount 10.00 GBP and 9.90 GBP are 0.10 apart (allowed: 0.50).',
      { ...AMOUNT, tolerance_amount: 0.5, tolerance_unit: 'dollar' },
      money(1000),
      money(990),
    ],
    ['Amount 10.00 GBP is more than 9.90 GBP by 0.10.', { ...AMOUNT, operand: 'gt' }, money(1000), money(990)],
    [
      'Dates 2026-06-26 and 2026-06-29 are 1 business day apart (allowed: 2).',
      { ...DATE, tolerance_amount: 2, tolerance_unit: 'business_day' },
      on('2026-06-26'),
      on('2026-06-29'),
    ],
    [
      'Dates 2026-06-27 and 2026-06-29 count as the same business day.',
      { ...DATE, tolerance_amount: 0, tolerance_unit: 'business_day' },
      on('2026-06-27'),
      on('2026-06-29'),
    ],
    [
      'Dates 2026-06-01 and 2026-06-30 are in the same month, 29 days apart.',
      { ...DATE, tolerance_unit: 'month' },
      on('2026-06-01'),
      on('2026-06-30'),
    ],
    [
      'Date 2026-06-26 on side A is later than date 2026-06-25 on side B by 1 day.',
      { ...DATE, operand: 'gt' },
      on('2026-06-26'),
      on('2026-06-25'),
    ],
    [
      'Reference R1 on side A is one of list R0, R1 on side B.',
      { key: 'reference', value: 'metadata.list', operand: 'in' },
      text('R1'),
      { metadata: { list: 'R0,R1' } },
    ],
    [
      'Reference INV-7 paid on side A contains reference INV-7 on side B.',
      { ...REFERENCE, operand: 'contains' },
      text('INV-7 paid'),
      text('INV-7'),
    ],
    [
      'Total -10.00 (read as 10.00 GBP) equals amount 10.00 GBP.',
      { key: 'metadata.total', value: 'amount', transforms: { key: 'absolute' } },
      { metadata: { total: -10 } },
      {},
    ],
  ])('%s', (expected, condition, a, b) => {
    expect(sentences(condition, a, b)).toEqual([expected]);
  });
});
