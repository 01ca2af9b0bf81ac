import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differencesOf, moneyText, netDifference, plainAmount, sumsOf } from '../../../../src-renderer/format/money.ts';
import { MAX_AMOUNT_MINOR } from '../../../../src-shared/values/money.ts';

const line = (amount: number, direction: 'credit' | 'debit', currency = 'GBP', decimal_places = 2) => ({
  amount,
  direction,
  currency,
  decimal_places,
});

describe('amounts as people read them', () => {
  it.each([
    [123_450, 2, '1,234.50'],
    [-5, 2, '\u22120.05'],
    [0, 2, '0.00'],
    [1_234, 0, '1,234'],
    [1_234, 3, '1.234'],
  ])('formats %d at scale %d as %s', (minor, scale, text) => {
    expect(plainAmount(minor, scale)).toBe(text);
  });

  it('keeps every digit of the largest amount', () => {
    expect(plainAmount(MAX_AMOUNT_MINOR, 2)).toBe('90,071,992,547,409.91');
    expect(plainAmount(-MAX_AMOUNT_MINOR, 2)).toBe('\u221290,071,992,547,409.91');
  });

  it('keeps every digit of any amount and never writes a hyphen', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR }), fc.integer({ min: 0, max: 8 }), (minor, scale) => {
        const text = plainAmount(minor, scale);
        const digits = text.replaceAll(/[^0-9]/g, '').replace(/^0+/, '');
        expect(digits).toBe(minor === 0 ? '' : String(Math.abs(minor)));
        expect(text).not.toContain('-');
        expect(text.startsWith('\u2212')).toBe(minor < 0);
      }),
    );
  });

  it('names the currency', () => {
    expect(moneyText(-123_450, 'GBP', 2)).toBe('\u2212£1,234.50');
    expect(moneyText(500, 'JPY', 0)).toBe('¥500');
  });

  it('puts a code that is no currency after the figure', () => {
    expect(moneyText(500, '', 2)).toBe('5.00');
    expect(moneyText(500, 'points', 2)).toBe('5.00 points');
  });
});

describe('sums of picked lines', () => {
  it('adds credits and subtracts debits, one sum per currency', () => {
    expect(sumsOf([line(500, 'credit'), line(120, 'debit'), line(7, 'credit', 'EUR')])).toEqual([
      { currency: 'EUR', decimal_places: 2, net: 7 },
      { currency: 'GBP', decimal_places: 2, net: 380 },
    ]);
  });

  it('adds amounts of two scales at the finer one, in either order', () => {
    const coarse = line(3, 'credit', 'GBP', 0);
    const fine = line(1_255, 'debit', 'GBP', 3);
    expect(sumsOf([coarse, fine])).toEqual([{ currency: 'GBP', decimal_places: 3, net: 1_745 }]);
    expect(sumsOf([fine, coarse])).toEqual(sumsOf([coarse, fine]));
  });
});

describe('the difference of two sides', () => {
  it.each([
    ['same', 500, 480, 20],
    ['opposite', 500, -480, 20],
    ['any', -500, 480, 20],
    ['any', 480, -500, -20],
  ] as const)('under %s of %d and %d is %d', (convention, netA, netB, difference) => {
    expect(netDifference(netA, netB, convention)).toBe(difference);
  });

  it('includes a currency of one side only', () => {
    const a = [{ currency: 'GBP', decimal_places: 2, net: 100 }];
    const b = [
      { currency: 'EUR', decimal_places: 2, net: 40 },
      { currency: 'GBP', decimal_places: 2, net: 100 },
    ];
    expect(differencesOf(a, b, 'same')).toEqual([
      { currency: 'GBP', decimal_places: 2, net: 0 },
      { currency: 'EUR', decimal_places: 2, net: -40 },
    ]);
  });

  it('compares two scales at the finer one', () => {
    const a = [{ currency: 'GBP', decimal_places: 0, net: 3 }];
    const b = [{ currency: 'GBP', decimal_places: 2, net: 290 }];
    expect(differencesOf(a, b, 'same')).toEqual([{ currency: 'GBP', decimal_places: 2, net: 10 }]);
  });
});
