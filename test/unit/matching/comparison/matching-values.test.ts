import { describe, expect, it } from 'vitest';
import { present } from '../../../../src-shared/values/assert.ts';
import type { Term } from '../../../../src-main/domain/matching/rules/compile-leaf.ts';
import { fieldOf } from '../../../../src-main/domain/records/fields.ts';
import { readDay, readNumber, readText } from '../../../../src-main/domain/matching/rules/terms.ts';
import { NO_TRANSFORMS } from '../../../../src-main/domain/matching/rules/transforms.ts';
import { differenceAtFinerScale, INCOMPARABLE, parseDecimal, unitsAt } from '../../../../src-main/domain/records/values.ts';
import { engineRecord } from '../../../support/inputs/matching-records.ts';

const field = (name: string): Term => ({ field: present(fieldOf(name), name), type: null, transforms: NO_TRANSFORMS });

describe('decimals', () => {
  it('reads plain decimals and nothing else', () => {
    expect(parseDecimal('14.99')).toEqual({ units: 1499, scale: 2 });
    expect(parseDecimal(' -3 ')).toEqual({ units: -3, scale: 0 });
    expect(parseDecimal('14.9900')).toEqual({ units: 1499, scale: 2 });
    expect(parseDecimal('1e-7')).toEqual({ units: 1, scale: 7 });
    expect(parseDecimal('1.5e+3')).toEqual({ units: 1500, scale: 0 });
    expect(parseDecimal('-0.00')).toEqual({ units: 0, scale: 0 });
    expect(parseDecimal('900719925474099312345')).toEqual({ units: 900719925474099312345n, scale: 0 });
    for (const text of ['', 'n/a', '1,234.50', '1.', '.5', '0x10', 'Infinity', '1e999', '1'.repeat(30)])
      expect(parseDecimal(text)).toBeNull();
  });

  it('compares at the finer scale', () => {
    expect(unitsAt({ units: 15, scale: 1 }, 3)).toBe(1500);
    expect(differenceAtFinerScale({ units: 1000, scale: 2 }, { units: 9999, scale: 3 })).toBe(1);
    expect(Object.is(differenceAtFinerScale({ units: 0, scale: 0 }, { units: 0, scale: 0 }), 0)).toBe(true);
    expect(differenceAtFinerScale({ units: Number.MAX_SAFE_INTEGER, scale: 2 }, { units: -1, scale: 2 })).toBeNull();
    expect(differenceAtFinerScale({ units: Number.MAX_SAFE_INTEGER, scale: 0 }, { units: Number.MAX_SAFE_INTEGER, scale: 2 })).toBeNull();
  });
});

describe('fields', () => {
  it('treats empty and blank text as missing and leaves other text as it is', () => {
    expect(readText(field('reference'), engineRecord(1, { reference: ' \t' }))).toBeNull();
    expect(readText(field('reference'), engineRecord(1, { reference: ' R1' }))).toBe(' R1');
    expect(readText(field('external_id'), engineRecord(1))).toBeNull();
    expect(readText(field('data_stream_key'), engineRecord(1))).toBe('stream');
  });

  it('reaches into metadata, own properties only', () => {
    const record = engineRecord(1, { metadata: { order: { id: 'A1', 'x.y': 7 }, 'flat.key': 'F', list: [1], paid: true, none: null } });
    expect(readText(field('metadata.order.id'), record)).toBe('A1');
    expect(readText(field('metadata.order.x.y'), record)).toBe('7');
    expect(readText(field('metadata.flat.key'), record)).toBe('F');
    expect(readText(field('metadata.paid'), record)).toBe('true');
    expect(readText(field('metadata.none'), record)).toBeNull();
    expect(readText(field('metadata.order.toString'), record)).toBeNull();
    expect(readText(field('metadata.__proto__'), record)).toBeNull();
    expect(readText(field('metadata.list'), record)).toBe(INCOMPARABLE);
  });

  it('reads metadata as a number or a date when compared with one', () => {
    const record = engineRecord(1, { metadata: { price: 14.99, due: '2026-06-25', bad: '2026-02-30', blank: '' } });
    expect(readNumber(field('metadata.price'), record, 'a', 'same')).toEqual({ units: 1499, scale: 2 });
    expect(readNumber(field('metadata.due'), record, 'a', 'same')).toBe(INCOMPARABLE);
    expect(readDay(field('metadata.due'), record)).toBe(record.day);
    expect(readDay(field('metadata.bad'), record)).toBe(INCOMPARABLE);
    expect(readDay(field('metadata.blank'), record)).toBeNull();
  });

  it('turns the sign of side B under `opposite` alone', () => {
    const debit = engineRecord(1, { direction: 'debit' });
    const units = (side: 'a' | 'b', convention: 'any' | 'same' | 'opposite') => readNumber(field('signed_amount'), debit, side, convention);
    expect(units('b', 'opposite')).toEqual({ units: 1000, scale: 2 });
    expect(units('a', 'opposite')).toEqual({ units: -1000, scale: 2 });
    expect(units('b', 'same')).toEqual({ units: -1000, scale: 2 });
    expect(units('b', 'any')).toEqual({ units: -1000, scale: 2 });
    expect(readNumber(field('amount'), debit, 'b', 'opposite')).toEqual({ units: 1000, scale: 2 });
  });
});
