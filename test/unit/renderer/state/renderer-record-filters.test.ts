import { beforeEach, describe, expect, it } from 'vitest';
import { dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { nothingFoundText, recordStateText } from '../../../../src-renderer/format/record-words.ts';
import { placeFrom, placeText } from '../../../../src-renderer/state/places.ts';
import { askedOf, filtersOf, isFiltered, NO_FILTERS, placesOf, useRecordFilters } from '../../../../src-renderer/state/record-filters.ts';

const bank = { key: 'bank', name: 'Bank', currency: 'GBP' };
const euro = { key: 'euro', name: 'Euro account', currency: 'EUR' };
const yen = { key: 'yen', name: 'Yen account', currency: 'JPY' };
const any = { key: 'any', name: 'Any', currency: null };

describe('the place of the records', () => {
  it.each(['/records', '/records?stream=bank%20%26%20co'])('%s is read as it is written', (text) => {
    expect(placeText(placeFrom(text))).toBe(text);
  });

  it('has no stream when none is given', () => {
    expect(placeFrom('/records?stream=')).toEqual({ screen: 'records', streamKey: null });
  });
});

describe('decimal places of listed amounts', () => {
  it('are those of the stream, or of all streams when these are equal', () => {
    expect(placesOf(['yen'], [bank, yen])).toBe(0);
    expect(placesOf([], [bank, euro])).toBe(2);
  });

  it('are unknown when they differ, or when a stream takes any currency', () => {
    expect([placesOf([], [bank, yen]), placesOf(['any'], [bank, any]), placesOf([], [bank, any]), placesOf([], [])]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('the query of the filters', () => {
  const reading = { today: dayFromIso('2026-11-28') ?? 0, isDayFirst: true };
  const of = (part: Partial<typeof NO_FILTERS>, streams = [bank, euro]) => askedOf({ ...NO_FILTERS, ...part }, streams, reading);

  it('is everything without filters', () => {
    expect(of({})).toEqual({ asked: {}, faults: {} });
  });

  it('has every filter, with amounts in minor units', () => {
    const all = {
      search: ' rent ',
      streamKey: 'bank',
      state: 'open',
      from: '2026-06-01',
      to: '2026-06-30',
      least: '200',
      most: '1,500.25',
    } as const;
    expect(of(all)).toEqual({
      faults: {},
      asked: {
        q: 'rent',
        data_stream_key: 'bank',
        status: 'unreconciled',
        date_from: '2026-06-01',
        date_to: '2026-06-30',
        amount_min: 20_000,
        amount_max: 150_025,
      },
    });
    expect(of({ least: '−250' }).asked).toEqual({ amount_min: 25_000 });
    expect(of({ least: '200' }, [yen]).asked).toEqual({ amount_min: 200 });
  });

  it.each([
    ['matched', { status: 'reconciled' }],
    ['overdue', { overdue: true }],
    ['returns', { reversal: true }],
  ] as const)('narrows to %s', (state, asked) => {
    expect(of({ state }).asked).toEqual(asked);
  });

  it.each<[string, ReturnType<typeof of>['asked']]>([
    ['rent >1000', { q: 'rent', amount_min: 100_001 }],
    ['350.00', { amount_min: 35_000, amount_max: 35_000 }],
    ['>100 <=500', { amount_min: 10_001, amount_max: 50_000 }],
    ['-25..-10', { direction: 'debit', amount_min: 1_000, amount_max: 2_500 }],
    ['>=+0.01', { direction: 'credit', amount_min: 1 }],
    ['<=-0.01', { direction: 'debit', amount_min: 1 }],
    ['2026-06', { date_from: '2026-06-01', date_to: '2026-06-30' }],
    ['age:>30', { date_to: '2026-10-28' }],
    ['age:<=7 01/11..25/11', { date_from: '2026-11-21', date_to: '2026-11-25' }],
    ['account:"Euro account" is:open', { data_stream_key: 'euro', status: 'unreconciled' }],
    ['account:gone', { data_stream_key: 'gone' }],
    ['party:"Yarrowgate Vets" 1275', { q: '1275 Yarrowgate Vets' }],
    ['is:return', { reversal: true }],
  ])('has what is typed into the search: %s', (search, asked) => {
    expect(of({ search })).toEqual({ asked, faults: {} });
  });

  it('has every account of the field and of the chips, and amounts where all of them have the same decimals', () => {
    const search = 'account:"euro" account:"Bank" account:"euro" >5';
    const asked = { data_stream_key: 'yen,euro,bank', q: '>5' };
    expect(of({ search, streamKey: 'yen' }, [bank, euro, yen]).asked).toEqual(asked);
    expect(of({ search }, [bank, euro, yen]).asked).toEqual({ data_stream_key: 'euro,bank', amount_min: 501 });
  });

  it('keeps within the fields what is typed beside them', () => {
    const fields = { from: '2026-06-10', least: '50', most: '200' };
    expect(of({ ...fields, search: '2026-06 >10 <100' }).asked).toEqual({
      date_from: '2026-06-10',
      date_to: '2026-06-30',
      amount_min: 5_000,
      amount_max: 9_999,
    });
  });

  it('leaves an amount a text where it could mean different sizes', () => {
    expect(of({ search: '>1000' }, [bank, yen]).asked).toEqual({ q: '>1000' });
    expect(of({ search: '-5..5' }).asked).toEqual({ q: '-5..+5' });
  });

  it('are those of a view, without what is no filter', () => {
    expect(filtersOf({ search: '>5', streamKey: 'bank', state: 'open', more: 'x' })).toEqual({
      ...NO_FILTERS,
      search: '>5',
      streamKey: 'bank',
      state: 'open',
    });
    expect(filtersOf({ state: 'gone' })).toEqual(NO_FILTERS);
  });

  it('omits what is invalid and reports it at its field', () => {
    expect(of({ from: '2026-02-30', least: '12.3456', most: 'much' })).toEqual({
      asked: {},
      faults: {
        from: 'This day is not on the calendar',
        least: 'Digits with up to 2 decimals, such as 1234.50',
        most: 'Digits with up to 2 decimals, such as 1234.50',
      },
    });
    expect(of({ least: '1.5' }, [yen]).faults).toEqual({ least: 'A whole number, such as 1200' });
  });

  it('reports bounds that leave nothing between them', () => {
    expect(of({ from: '2026-06-30', to: '2026-06-01', least: '20', most: '10' }).faults).toEqual({
      to: 'This day is before the first one',
      most: 'This is less than the first amount',
    });
  });

  it('has no bounds of amounts with different decimals', () => {
    expect(of({ least: '20', most: '30' }, [bank, yen])).toEqual({ asked: {}, faults: {} });
  });
});

describe('the filters of the window', () => {
  beforeEach(() => useRecordFilters.getState().clear());

  it('change only as requested until they are cleared', () => {
    const { change } = useRecordFilters.getState();
    change({ search: 'rent' });
    change({ state: 'open' });
    expect(useRecordFilters.getState().filters).toEqual({ ...NO_FILTERS, search: 'rent', state: 'open' });
    expect(isFiltered(useRecordFilters.getState().filters)).toBe(true);
    useRecordFilters.getState().clear();
    expect(isFiltered(useRecordFilters.getState().filters)).toBe(false);
  });
});

describe('words for lines', () => {
  it('name the state of a line', () => {
    const overdue = [{ reconciliation_id: 1, overdue_at: '2026-06-30T00:00:00Z' }];
    expect(recordStateText({ status: 'reconciled', overdue })).toBe('Matched');
    expect(recordStateText({ status: 'unreconciled', overdue: [] })).toBe('Open');
    expect(recordStateText({ status: 'unreconciled', overdue })).toBe('Overdue');
  });

  it('say that nothing was found', () => {
    expect(nothingFoundText('', false)).toBe('No line fits these filters.');
    expect(nothingFoundText('rent', false)).toBe('No line has these words and fits the other filters.');
    expect(nothingFoundText('rent', true)).toContain('so far');
  });
});
