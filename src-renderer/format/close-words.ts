import type { PeriodOpenItem, PeriodStatement, Reconciliation, ReconciliationPeriod, RecordItem } from '../../src-shared/contract/index.ts';
import { plainAmount } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

export type ItemStatus = NonNullable<PeriodOpenItem['note']>['status'];

/** Returns the service's sentence with a true minus sign in front of its amounts. */
export function withMinus(sentence: string): string {
  return sentence.replaceAll(/(^|[\s(])-(?=\d)/g, '$1\u2212');
}

export type Tone = 'matched' | 'open' | 'bad' | 'quiet';

export interface StateWords {
  readonly text: string;
  readonly tone: Tone;
}

const STATES: Readonly<Record<ReconciliationPeriod['state'], StateWords>> = {
  open: { text: say('close.states.open.text'), tone: 'open' },
  prepared: { text: say('close.states.prepared.text'), tone: 'open' },
  reviewed: { text: say('close.states.reviewed.text'), tone: 'open' },
  closed: { text: say('close.states.closed.text'), tone: 'matched' },
};

/** Returns the state of a period. It is `Reconciled` only when it is closed and the figures of all currencies agree. */
export function stateWords(
  { state, stale }: Pick<ReconciliationPeriod, 'state' | 'stale'>,
  doubts?: readonly Pick<PeriodStatement['doubts'][number], 'amount'>[],
): StateWords {
  if (stale) return { text: say('close.stale', { text: STATES[state].text }), tone: 'open' };
  if (state !== 'closed' || doubts === undefined) return STATES[state];
  if (doubts.length === 0) return { text: say('close.reconciled'), tone: 'matched' };
  const differs = doubts.some(({ amount }) => amount !== null);
  return { text: differs ? say('close.closedWithADifference') : say('close.closedNotProved'), tone: 'open' };
}

/** Returns reference and description of a line. When one begins with the other, only the longer one. */
export function lineName({ reference, description }: Pick<PeriodOpenItem, 'reference' | 'description'>): string {
  const [first, second] = [(reference ?? '').trim(), (description ?? '').trim()];
  const both = second.startsWith(first) ? second : first.startsWith(second) ? first : `${first} ${second}`;
  return both === '' ? say('close.noText') : both;
}

const METADATA = 'metadata.';

/** Returns reference and description of a record. The reference comes from the field that its stream names. */
export function recordTexts(
  record: Pick<RecordItem, 'external_id' | 'description' | 'metadata' | 'data_stream_key'>,
  { side_a_streams: a, side_b_streams: b }: Pick<Reconciliation, 'side_a_streams' | 'side_b_streams'>,
): Pick<PeriodOpenItem, 'reference' | 'description'> {
  const field = [...a, ...b].find(({ key }) => key === record.data_stream_key)?.reference_field ?? null;
  const named = field?.startsWith(METADATA) === true ? record.metadata[field.slice(METADATA.length)] : null;
  const reference = typeof named === 'string' || typeof named === 'number' ? String(named) : record.external_id;
  return { reference, description: record.description };
}

/** Returns the name of a line within a sentence. */
export function lineLabel({ reference, description }: Pick<PeriodOpenItem, 'reference' | 'description'>): string {
  return (reference ?? '').trim() || (description ?? '').trim() || say('close.aLineWithoutAText');
}

/** Returns an addition as people write it, `12,500.00 − 1,219.51`. */
export function sumText(first: number, second: number, decimalPlaces: number): string {
  const sign = second < 0 ? '\u2212' : '+';
  return `${plainAmount(first, decimalPlaces)} ${sign} ${plainAmount(Math.abs(second), decimalPlaces)}`;
}

/** Returns the initials of a name, for a narrow column. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : ''];
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase();
}
