import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { dayTyped, readingAt } from '../../../src-renderer/format/dates.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { readLineTerms } from '../../../src-shared/values/line-filter.ts';
import {
  COMPUTERS_CHOICE,
  currencyText,
  dateText,
  FIRST_NOTATION,
  grouped,
  inNotation,
  type Notation,
  notation,
  notationOf,
  numberText,
  takeNotation,
  yearlessDayText,
} from '../../../src-shared/values/notation.ts';
import { say } from '../../../src-shared/words/say.ts';

afterEach(() => takeNotation(FIRST_NOTATION));

const NOW = Date.parse('2026-06-30T12:00:00.000Z');
const LOCALES = [
  'en-GB',
  'en-US',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'fr-CA',
  'sv-SE',
  'ja-JP',
  'pt-BR',
  'ar-EG',
  'pl-PL',
  'es-ES',
  'hu-HU',
];

describe('the notation of a computer', () => {
  it.each([
    ['en-GB', '30/06/2026', '1,234,567.50', 1, 'A4'],
    ['en-US', '06/30/2026', '1,234,567.50', 0, 'Letter'],
    ['en-CA', '2026-06-30', '1,234,567.50', 0, 'Letter'],
    ['en-IN', '30/06/2026', '12,34,567.50', 0, 'A4'],
    ['de-DE', '30/06/2026', '1.234.567,50', 1, 'A4'],
    ['fr-FR', '30/06/2026', '1\u00A0234\u00A0567,50', 1, 'A4'],
    ['sv-SE', '2026-06-30', '1\u00A0234\u00A0567,50', 1, 'A4'],
    ['es-ES', '30/06/2026', '1.234.567,50', 1, 'A4'],
  ] as const)('of %s', (locale, day, number, week, paper) => {
    const found = notationOf(COMPUTERS_CHOICE, locale);
    expect(found).toMatchObject({ week, paper });
    expect(inNotation(found, () => [dateText('2026-06-30'), grouped('1234567.50')])).toEqual([day, number]);
  });

  it.each(LOCALES)('can be told apart in every number and day, of %s', (locale) => {
    const found = notationOf(COMPUTERS_CHOICE, locale);
    expect(found.groups).not.toBe(found.decimal);
    expect(found.groups).toHaveLength(1);
    expect(['dmy', 'mdy', 'ymd']).toContain(found.days);
  });
});

describe('a choice', () => {
  it('holds against the locale', () => {
    const chosen = notationOf({ days: 'ymd', decimal: ',', week: 'saturday', paper: 'A4' }, 'en-US');
    expect(chosen).toEqual({ days: 'ymd', decimal: ',', groups: '.', lakhs: false, week: 6, paper: 'A4' });
  });

  it('ends with the work, also with work that fails', () => {
    expect(() =>
      inNotation(notationOf(COMPUTERS_CHOICE, 'en-US'), () => {
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(notation()).toBe(FIRST_NOTATION);
  });
});

const NOTATIONS: readonly Notation[] = LOCALES.map((locale) => notationOf(COMPUTERS_CHOICE, locale));
const ANY = fc.constantFrom(...NOTATIONS);

describe('every notation', () => {
  it('writes days that its own field and its own filter read as they are', () => {
    fc.assert(
      fc.property(ANY, fc.integer({ min: 0, max: 40_000 }), (each, day) => {
        inNotation(each, () => {
          const iso = isoFromDay(day);
          expect(dayTyped(dateText(iso), NOW)).toBe(iso);
          expect(readLineTerms(dateText(iso), readingAt(NOW)).days).toEqual([{ from: day, to: day }]);
          const thisYear = dayFromIso(`2026${iso.slice(4)}`) ?? 20_500;
          expect(dayTyped(yearlessDayText(thisYear), NOW)).toBe(isoFromDay(thisYear));
        });
      }),
    );
  });

  it('keeps each digit, its order and its sign', () => {
    fc.assert(
      fc.property(ANY, fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.constantFrom('', '.05', '.500'), (each, whole, rest) => {
        const text = `${whole}${rest}`;
        const written = inNotation(each, () => grouped(text));
        const [head = '', tail] = written.split(each.decimal);
        expect(`${head.replaceAll(each.groups, '')}${tail === undefined ? '' : `.${tail}`}`).toBe(text);
      }),
    );
  });
});

describe('a number', () => {
  it('within a sentence is written as all others', () => {
    takeNotation(notationOf(COMPUTERS_CHOICE, 'de-DE'));
    expect(say('count.lines', { count: 12_345 })).toBe('12.345 lines');
    expect(numberText(1_234.56, 1)).toBe('1.234,6');
  });

  it('of money has the sign of its currency in front', () => {
    expect(currencyText('-1234.50', 'GBP')).toBe('-£1,234.50');
    expect(currencyText('10.00', 'CHF')).toBe('CHF\u00A010.00');
    expect(currencyText('10.00', 'points')).toBe('10.00 points');
  });
});

describe('a day that is typed', () => {
  it.each([
    ['30/06/2026', '2026-06-30'],
    ['30.6.26', '2026-06-30'],
    ['30 6', '2026-06-30'],
    ['2026-06-30', '2026-06-30'],
    ['2026/6/30', '2026-06-30'],
    ['31/06/2026', null],
    ['06/30/2026', null],
    ['30', null],
    ['30/06/226', null],
    ['tomorrow', null],
    ['', null],
  ])('%s is %s', (text, iso) => {
    expect(dayTyped(text, NOW)).toBe(iso);
  });

  it('has the month first where the book has it first', () => {
    takeNotation({ ...FIRST_NOTATION, days: 'mdy' });
    expect(dayTyped('06/03/2026', NOW)).toBe('2026-06-03');
    expect(dayTyped('6/3', NOW)).toBe('2026-06-03');
  });
});
