import { create } from 'zustand';
import type { Call, Output, Stream } from '../../src-shared/contract/index.ts';
import { dayFromIso, isoFromDay } from '../../src-shared/values/civil-date.ts';
import {
  type AmountTerm,
  type LineState,
  type LineTerms,
  minorBounds,
  readLineTerms,
  type Reading,
  writeAmountTerm,
} from '../../src-shared/values/line-filter.ts';
import { decimalPlacesOf } from '../../src-shared/values/money.ts';
import { typedAmount } from '../format/money.ts';
import { say } from '../../src-shared/words/say.ts';
import { signedMinorOfText } from '../../src-shared/values/amount-input.ts';
import { RECORD_STATES, type RecordState } from '../format/record-words.ts';

/** The filters of the list of lines, as text that the user types. Empty text means no filter. */
export interface RecordFilters {
  readonly search: string;
  readonly streamKey: string | null;
  readonly state: RecordState;
  readonly from: string;
  readonly to: string;
  /** Amounts in the currency of the lines, compared without signs. */
  readonly least: string;
  readonly most: string;
}

export const NO_FILTERS: RecordFilters = { search: '', streamKey: null, state: 'all', from: '', to: '', least: '', most: '' };

export const isFiltered = (filters: RecordFilters): boolean =>
  Object.entries(NO_FILTERS).some(([name, value]) => filters[name as keyof RecordFilters] !== value);

interface RecordFilterStore {
  readonly filters: RecordFilters;
  readonly change: (part: Partial<RecordFilters>) => void;
  readonly clear: () => void;
}

/** The filters stay while the user visits other screens. */
export const useRecordFilters = create<RecordFilterStore>()((set) => ({
  filters: NO_FILTERS,
  change: (part) => set(({ filters }) => ({ filters: { ...filters, ...part } })),
  clear: () => set({ filters: NO_FILTERS }),
}));

type Scaled = Pick<Stream, 'key' | 'currency'>;
type Listed = Pick<Stream, 'key' | 'currency' | 'name'>;

/** Returns the keys of the accounts that the filters name, each once: of the field and of the chips. None of them is all accounts. */
export function namedAccounts(filters: RecordFilters, streams: readonly Listed[], reading: Reading): readonly string[] {
  const named = readLineTerms(filters.search, reading).accounts.map(
    (account) => streams.find(({ key, name }) => key === account || name === account)?.key ?? account,
  );
  return [...new Set(filters.streamKey === null ? named : [filters.streamKey, ...named])];
}

/** Returns the decimal places of the amounts of some accounts, of all without one. Null when they differ or are unknown, so that no bound fits all amounts. */
export function placesOf(accounts: readonly string[], streams: readonly Scaled[]): number | null {
  const shown = accounts.length === 0 ? streams : streams.filter(({ key }) => accounts.includes(key));
  const places = new Set(shown.map(({ currency }) => (currency === null ? null : decimalPlacesOf(currency))));
  const [only = null] = places;
  return places.size === 1 ? only : null;
}

type Asked = Omit<Call<'records.list'>, 'sort' | 'limit' | 'offset' | 'cursor'>;

const STATES: Readonly<Record<RecordState, Asked>> = {
  all: {},
  open: { status: 'unreconciled' },
  matched: { status: 'reconciled' },
  overdue: { overdue: true },
  returns: { reversal: true },
};

/** Errors by field. A field with an error does not filter. */
export type FilterFaults = Partial<Readonly<Record<'from' | 'to' | 'least' | 'most', string>>>;

interface Understood {
  readonly asked: Asked;
  readonly faults: FilterFaults;
}

const laterOf = (one: string | undefined, two: string | undefined): string | undefined =>
  one === undefined || (two !== undefined && two > one) ? two : one;
const earlierOf = (one: string | undefined, two: string | undefined): string | undefined =>
  one === undefined || (two !== undefined && two < one) ? two : one;

/** Returns what the list asks for a term about an amount; undefined where the list has no such filter, so that the term stays a text. */
function amountAsked(term: AmountTerm, places: number | null): Asked | undefined {
  if (places === null) return undefined;
  const { least, most } = minorBounds(term, places);
  const bounds = (from: number | null, to: number | null): Asked => ({
    ...(from === null ? {} : { amount_min: from }),
    ...(to === null ? {} : { amount_max: to }),
  });
  if (!term.isSigned) return bounds(least, most);
  if (least !== null && least >= 0) return { direction: 'credit', ...bounds(least, most) };
  return most !== null && most <= 0 ? { direction: 'debit', ...bounds(-most, least === null ? null : -least) } : undefined;
}

const STATE_TERMS: Partial<Readonly<Record<LineState, Asked>>> = {
  open: STATES.open,
  matched: STATES.matched,
  overdue: STATES.overdue,
  return: STATES.returns,
};

/** Returns the query of what is typed into the search. The list has one bound of each kind: of several the narrowest counts. */
function searchAsked(terms: LineTerms, places: number | null, { today }: Reading): Asked {
  const amounts = terms.amounts.map((term) => ({ term, asked: amountAsked(term, places) }));
  const bounds = amounts.flatMap(({ asked }) => (asked === undefined ? [] : [asked]));
  const texts = [
    ...terms.words,
    ...terms.numbers,
    ...terms.parties,
    ...amounts.flatMap(({ term, asked }) => (asked === undefined ? [writeAmountTerm(term)] : [])),
  ];
  const days = [
    ...terms.days,
    ...terms.ages.map(({ from, to }) => ({ from: to === null ? null : today - to, to: from === null ? null : today - from })),
  ];
  const least = bounds.flatMap(({ amount_min: size }) => size ?? []);
  const most = bounds.flatMap(({ amount_max: size }) => size ?? []);
  const first = days.flatMap(({ from }) => from ?? []);
  const last = days.flatMap(({ to }) => to ?? []);
  return {
    ...Object.assign({}, ...terms.states.map((state) => STATE_TERMS[state] ?? {})),
    ...(texts.length === 0 ? {} : { q: texts.join(' ') }),
    ...Object.assign({}, ...bounds),
    ...(least.length === 0 ? {} : { amount_min: Math.max(...least) }),
    ...(most.length === 0 ? {} : { amount_max: Math.min(...most) }),
    ...(first.length === 0 ? {} : { date_from: isoFromDay(Math.max(...first)) }),
    ...(last.length === 0 ? {} : { date_to: isoFromDay(Math.min(...last)) }),
  };
}

/** Returns the service's query for the filters. Amounts do not filter where those of the listed accounts have different decimals. */
export function askedOf(filters: RecordFilters, streams: readonly Listed[], reading: Reading): Understood {
  const terms = readLineTerms(filters.search, reading);
  const accounts = namedAccounts(filters, streams, reading);
  const places = placesOf(accounts, streams);
  const faults: { -readonly [Field in keyof FilterFaults]: string } = {};
  const day = (field: 'from' | 'to'): string | undefined => {
    const text = filters[field];
    if (text === '') return undefined;
    if (dayFromIso(text) !== null) return text;
    faults[field] = say('records.recordFilters.thisDayIsNotOnTheCalendar');
    return undefined;
  };
  const amount = (field: 'least' | 'most'): number | undefined => {
    const text = filters[field].trim();
    if (text === '' || places === null) return undefined;
    const minor = signedMinorOfText(text, places);
    if (minor !== null) return Math.abs(minor);
    faults[field] =
      places === 0
        ? say('records.recordFilters.aWholeNumberSuch')
        : say('records.recordFilters.digitsWithUpToDecimals', { places, example: typedAmount(123_450, 2) });
    return undefined;
  };
  const bounds = { date_from: day('from'), date_to: day('to'), amount_min: amount('least'), amount_max: amount('most') };
  if (bounds.date_from !== undefined && bounds.date_to !== undefined && bounds.date_from > bounds.date_to) {
    faults.to = say('records.recordFilters.thisDayIsBefore');
  }
  if (bounds.amount_min !== undefined && bounds.amount_max !== undefined && bounds.amount_min > bounds.amount_max) {
    faults.most = say('records.recordFilters.thisIsLessThanTheFirstAmount');
  }
  const searched = searchAsked(terms, places, reading);
  const both = {
    date_from: laterOf(bounds.date_from, searched.date_from),
    date_to: earlierOf(bounds.date_to, searched.date_to),
    amount_min: Math.max(bounds.amount_min ?? -1, searched.amount_min ?? -1),
    amount_max: Math.min(bounds.amount_max ?? Infinity, searched.amount_max ?? Infinity),
  };
  return {
    faults,
    asked: {
      ...searched,
      ...STATES[filters.state],
      ...(accounts.length === 0 ? {} : { data_stream_key: accounts.join(',') }),
      ...(both.date_from === undefined ? {} : { date_from: both.date_from }),
      ...(both.date_to === undefined ? {} : { date_to: both.date_to }),
      ...(both.amount_min < 0 ? {} : { amount_min: both.amount_min }),
      ...(both.amount_max === Infinity ? {} : { amount_max: both.amount_max }),
    },
  };
}

/** Returns the filters that a view keeps. Another version may have kept fields that are no filter here. */
export function filtersOf(kept: Readonly<Record<string, string>>): RecordFilters {
  const text = (field: string): string => kept[field] ?? '';
  return {
    search: text('search'),
    streamKey: text('streamKey') === '' ? null : text('streamKey'),
    state: RECORD_STATES.find((state) => state === text('state')) ?? NO_FILTERS.state,
    from: text('from'),
    to: text('to'),
    least: text('least'),
    most: text('most'),
  };
}

/** The part of the lines that a search covers. */
export interface SearchReach {
  /** The number of lines found. */
  readonly found: number;
  /** The most lines that are not indexed yet; 0 when the search is complete or there is none. */
  readonly notSearched: number;
  /** Sums of the lines found, by currency; none without a search. */
  readonly totals?: Output<'lines.window'>['totals'];
}

const FIRST_LOOK_MS = 1_500;
const LONGEST_WAIT_MS = 10_000;
const SLOWER = 1.5;

/**
 * Repeats a search until it covers all lines, at growing intervals, and passes each answer to `report`. `ask` returns null when it failed. Returns a
 * function that stops it.
 */
export function followReach(ask: () => Promise<SearchReach | null>, report: (reach: SearchReach) => void): () => void {
  let waitMs = FIRST_LOOK_MS;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = () => {
    timer = setTimeout(() => void look(), waitMs);
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * SLOWER);
  };
  const look = async () => {
    const reach = await ask();
    if (isOver) return;
    if (reach !== null) report(reach);
    if (reach === null || reach.notSearched > 0) plan();
  };
  plan();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
