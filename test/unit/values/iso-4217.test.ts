import { data } from 'currency-codes';
import { expect, test } from 'vitest';
import { currencyCode, isCurrencyCell } from '../../../src-main/domain/statement/vocabulary/currencies.ts';
import { CURRENCY_PLACES, decimalPlacesOf } from '../../../src-shared/values/money.ts';

/** Codes that ISO 4217 gave out after the package's list was published. */
const NEWER: readonly (readonly [string, number])[] = [['XCG', 2]];
/** Drawing rights, units of account, metals, tests, none: the list gives them no minor unit. */
const NO_MONEY = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

test('the list of currencies is that of ISO 4217, with its decimal places', () => {
  const listed = data.filter(({ code }) => !NO_MONEY.has(code)).map(({ code, digits }) => [code, digits] as const);
  const byCode = (entries: Iterable<readonly [string, number]>) => [...entries].toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(byCode(CURRENCY_PLACES)).toEqual(byCode([...listed, ...NEWER]));
  expect(['JPY', 'HUF', 'ISK', 'UGX', 'KWD', 'CLF', 'EEK'].map(decimalPlacesOf)).toEqual([0, 2, 0, 0, 3, 4, 2]);
});

test('former currencies are no active ones, and are still read', () => {
  const former = ['EEK', 'HRK', 'LTL', 'LVL', 'RUR', 'SKK', 'ZWL'];
  expect(former.filter((code) => CURRENCY_PLACES.has(code))).toEqual([]);
  expect(former.map(currencyCode)).toEqual(former);
  expect(isCurrencyCell('DEM')).toBe(true);
});
