import type {
  DifferenceReason,
  PeriodOpenItem,
  PeriodStatement,
  Reconciliation,
  ReconciliationPeriod,
  RecordItem,
} from '../../src-shared/contract/index.ts';
import { reasonText } from './difference-words.ts';
import { plainAmount } from './money.ts';

type Slot = PeriodOpenItem['side'];
type Cause = PeriodOpenItem['causes'][number];
export type ItemStatus = NonNullable<PeriodOpenItem['note']>['status'];

/** A sentence of the service with a true minus in front of its amounts. */
export function withMinus(sentence: string): string {
  return sentence.replaceAll(/(^|[\s(])-(?=\d)/g, '$1\u2212');
}

export type Tone = 'matched' | 'open' | 'bad' | 'quiet';

export interface StateWords {
  readonly text: string;
  readonly tone: Tone;
}

const STATES: Readonly<Record<ReconciliationPeriod['state'], StateWords>> = {
  open: { text: 'Open', tone: 'open' },
  prepared: { text: 'Prepared', tone: 'open' },
  reviewed: { text: 'Reviewed', tone: 'open' },
  closed: { text: 'Closed', tone: 'matched' },
};

/** The state of a period; reconciled only where it is closed and the figures of all currencies agree. */
export function stateWords(
  { state, stale }: Pick<ReconciliationPeriod, 'state' | 'stale'>,
  doubts?: readonly Pick<PeriodStatement['doubts'][number], 'amount'>[],
): StateWords {
  if (stale) return { text: `${STATES[state].text}, stale`, tone: 'open' };
  if (state !== 'closed' || doubts === undefined) return STATES[state];
  if (doubts.length === 0) return { text: 'Reconciled', tone: 'matched' };
  const differs = doubts.some(({ amount }) => amount !== null);
  return { text: differs ? 'Closed with a difference' : 'Closed, not proved', tone: 'open' };
}

export const STATUS_WORDS: Readonly<Record<ItemStatus, string>> = {
  open: 'Open',
  in_transit: 'In transit',
  outstanding: 'Outstanding',
  to_be_booked: 'To be booked',
  bank_error: 'Bank error',
  book_error: 'Book error',
  timing: 'Timing',
  disputed: 'Disputed',
};

const CAUSE_WORDS: Readonly<Record<Cause['kind'], string>> = {
  reference_differs: 'Same amount, other reference',
  amount_differs: 'Same reference, other amount',
  transposed_digits: 'Digits transposed',
  sign_reversed: 'Sign reversed',
  duplicate: 'Stands twice',
  adds_up: 'Adds up with other lines',
  near_cut_off: 'Near the cut-off',
  bank_charge: 'Bank charge, not booked',
  interest: 'Interest, not booked',
  deposit_in_transit: 'Deposit in transit',
  outstanding_payment: 'Payment outstanding',
  long_outstanding: 'Outstanding for long',
  unbooked: 'Not booked yet',
  broken_import: 'Running balance breaks',
};

const ONE_SIDE = 'On one side only';
/** Where no side is a bank, nothing is to be booked from one. */
const NEUTRAL_CAUSE_WORDS: Partial<typeof CAUSE_WORDS> = {
  bank_charge: 'Charge, on one side only',
  interest: 'Interest, on one side only',
  deposit_in_transit: ONE_SIDE,
  outstanding_payment: ONE_SIDE,
  long_outstanding: ONE_SIDE,
  unbooked: ONE_SIDE,
};

/** The likeliest cause in a few words. */
export function causeWords(item: Pick<PeriodOpenItem, 'causes'>, isNeutral: boolean): string {
  const kind = item.causes[0]?.kind;
  if (kind === undefined) return 'Not known';
  return (isNeutral ? NEUTRAL_CAUSE_WORDS[kind] : undefined) ?? CAUSE_WORDS[kind];
}

/** What both sides are called: `Bank` and `Books`, or `Side A` and `Side B` where no side is a bank. */
export function sideWords(statement: Pick<PeriodStatement, 'bank_side'>): Readonly<Record<Slot, string>> {
  return statement.bank_side === null ? { bank: 'Side A', books: 'Side B' } : { bank: 'Bank', books: 'Books' };
}

/** The same within a sentence: `the bank`, `side A`. */
export function sideInWords(statement: Pick<PeriodStatement, 'bank_side'>): Readonly<Record<Slot, string>> {
  return statement.bank_side === null ? { bank: 'side A', books: 'side B' } : { bank: 'the bank', books: 'the books' };
}

type Source = PeriodStatement['balance_sources']['bank']['opening'];
export function sourceWords(source: Source): string {
  if (source === null) return '';
  return { entered: 'entered', stated: 'stated by file', carried_forward: 'carried forward' }[source];
}

/** Of stated balance less opening balance and lines: `Lines missing from the bank’s file, or too many`. */
export function missingLabel(statement: Pick<PeriodStatement, 'bank_side'>, slot: Slot): string {
  const where = statement.bank_side !== null && slot === 'bank' ? 'the bank’s file' : sideInWords(statement)[slot];
  return `Lines missing from ${where}, or too many`;
}

/** What people know a line by: its reference and its words, each once. */
export function lineName({ reference, description }: Pick<PeriodOpenItem, 'reference' | 'description'>): string {
  const [first, second] = [(reference ?? '').trim(), (description ?? '').trim()];
  const both = second.startsWith(first) ? second : first.startsWith(second) ? first : `${first} ${second}`;
  return both === '' ? 'no text' : both;
}

const METADATA = 'metadata.';

/** Reference and words of a record, the reference by the field that its stream names. */
export function recordTexts(
  record: Pick<RecordItem, 'external_id' | 'description' | 'metadata' | 'data_stream_key'>,
  { side_a_streams: a, side_b_streams: b }: Pick<Reconciliation, 'side_a_streams' | 'side_b_streams'>,
): Pick<PeriodOpenItem, 'reference' | 'description'> {
  const field = [...a, ...b].find(({ key }) => key === record.data_stream_key)?.reference_field ?? null;
  const named = field?.startsWith(METADATA) === true ? record.metadata[field.slice(METADATA.length)] : null;
  const reference = typeof named === 'string' || typeof named === 'number' ? String(named) : record.external_id;
  return { reference, description: record.description };
}

/** By what a line is named in a sentence. */
export function lineLabel({ reference, description }: Pick<PeriodOpenItem, 'reference' | 'description'>): string {
  return (reference ?? '').trim() || (description ?? '').trim() || 'a line without a text';
}

/** `12,500.00 − 1,219.51`: an addition as it is written down. */
export function sumText(first: number, second: number, decimalPlaces: number): string {
  const sign = second < 0 ? '\u2212' : '+';
  return `${plainAmount(first, decimalPlaces)} ${sign} ${plainAmount(Math.abs(second), decimalPlaces)}`;
}

/** Initials of a name, for a narrow column. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase();
}

/** Why the sides of a match differ, as it was said; `adjustment` is what a person wrote on the record that makes it even. */
export function differenceWords(reason: DifferenceReason | null, adjustment: string | null): string {
  return reason === null ? (adjustment ?? 'No reason was given') : reasonText(reason);
}
