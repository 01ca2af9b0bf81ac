import { create } from 'zustand';
import type { Call, Output, Stream } from '../../src-shared/contract/index.ts';
import { dayFromIso } from '../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../src-shared/values/money.ts';
import { say } from '../../src-shared/words/say.ts';
import { signedMinorOfText } from '../../src-shared/values/amount-input.ts';
import type { RecordState } from '../format/record-words.ts';

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

/** Returns the decimal places of all listed amounts. Null when they differ or are unknown, so that no bound fits all amounts. */
export function placesOf(streamKey: string | null, streams: readonly Scaled[]): number | null {
  const shown = streamKey === null ? streams : streams.filter(({ key }) => key === streamKey);
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

/** Returns the service's query for the filters. `places` comes from `placesOf`; when it is null, amounts do not filter. */
export function askedOf(filters: RecordFilters, places: number | null): Understood {
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
      places === 0 ? say('records.recordFilters.aWholeNumberSuch') : say('records.recordFilters.digitsWithUpToDecimals', { places });
    return undefined;
  };
  const bounds = { date_from: day('from'), date_to: day('to'), amount_min: amount('least'), amount_max: amount('most') };
  if (bounds.date_from !== undefined && bounds.date_to !== undefined && bounds.date_from > bounds.date_to) {
    faults.to = say('records.recordFilters.thisDayIsBefore');
  }
  if (bounds.amount_min !== undefined && bounds.amount_max !== undefined && bounds.amount_min > bounds.amount_max) {
    faults.most = say('records.recordFilters.thisIsLessThanTheFirstAmount');
  }
  const search = filters.search.trim();
  return {
    faults,
    asked: {
      ...STATES[filters.state],
      ...(search === '' ? {} : { q: search }),
      ...(filters.streamKey === null ? {} : { data_stream_key: filters.streamKey }),
      ...(Object.fromEntries(Object.entries(bounds).filter(([, bound]) => bound !== undefined)) as Asked),
    },
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
