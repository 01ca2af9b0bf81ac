import { describe, expect, it } from 'vitest';
import { moneyText } from '../../../src-main/commands/output.ts';
import { decimalPlacesOf, decimalText, signedMinor } from '../../../src-shared/values/money.ts';

describe('money', () => {
  it.each([
    [0, 2, '0.00'],
    [5, 2, '0.05'],
    [-5, 2, '-0.05'],
    [-123_450, 2, '-1234.50'],
    [1_234_567, 0, '1234567'],
    [-1_234, 3, '-1.234'],
    [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
  ])('writes %i at scale %i as %s', (minor, scale, text) => {
    expect(decimalText(minor, scale)).toBe(text);
  });

  it('groups thousands for people', () => {
    expect(moneyText(123_456_789, 2, 'GBP')).toBe('1,234,567.89 GBP');
    expect(moneyText(-100_000, 2, null)).toBe('-1,000.00');
    expect(moneyText(-999, 2, null)).toBe('-9.99');
    expect(moneyText(1_000, 0, 'JPY')).toBe('1,000 JPY');
  });

  it('knows the decimal places of ISO 4217, whatever the case', () => {
    expect(['USD', 'jpy', 'KWD', 'CLF', 'XXX'].map(decimalPlacesOf)).toEqual([2, 0, 3, 4, 2]);
  });

  it('counts credits up and debits down', () => {
    expect([signedMinor(7, 'credit'), signedMinor(7, 'debit')]).toEqual([7, -7]);
  });
});
