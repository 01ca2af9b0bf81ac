import type { Database } from '../../../src-main/database/database.ts';
import type { Call } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';

export type RecordsAsked = Call<'records.list'>;

interface Seen {
  readonly id: number;
  readonly stream: string;
  readonly batch_id: number | null;
  readonly source: string | null;
  readonly bulk_request_id: number | null;
  readonly day: number;
  readonly value_day: number | null;
  readonly amount: number;
  readonly direction: number;
  readonly currency: string;
  readonly description: string | null;
  readonly external_id: string | null;
  readonly metadata: string;
  readonly created_at: number;
  readonly overdue: number;
  readonly is_reversal: number;
  /** JSON list of `[match, reconciliation]` for the matches of the record. */
  readonly matches: string;
}

const EVERYTHING = `
  SELECT r.*, s.key AS stream, b.source,
    (SELECT q.bulk_request_id FROM bulk_request_streams q WHERE q.batch_id = r.batch_id) AS bulk_request_id,
    EXISTS (SELECT 1 FROM overdue_records o WHERE o.record_id = r.id) AS overdue,
    EXISTS (SELECT 1 FROM reversals v WHERE v.record_id = r.id AND v.mark ->> 'by' = 'format') AS is_reversal,
    (SELECT json_group_array(json_array(m.match_id, m.reconciliation_id)) FROM match_records m WHERE m.record_id = r.id) AS matches
  FROM records r JOIN streams s ON s.id = r.stream_id LEFT JOIN import_batches b ON b.id = r.batch_id WHERE r.environment_id = 1`;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

function valuesOf(value: unknown): string[] {
  if (value === null) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(valuesOf) : [String(value)];
}

/** Whether all words of `q` occur. Signs inside a word make it a phrase within one value; the last word may be the beginning of one. */
function holds(row: Seen, q: string): boolean {
  const values = [row.description, row.external_id, ...valuesOf(JSON.parse(row.metadata))].map((value) => wordsOf(value ?? ''));
  const phrases = q
    .split(/\s+/u)
    .map(wordsOf)
    .filter((phrase) => phrase.length > 0);
  return phrases.every((phrase, place) =>
    values.some((words) =>
      words.some((_, start) =>
        phrase.every((word, step) => {
          const isBeginning = place === phrases.length - 1 && step === phrase.length - 1;
          const there = words[start + step];
          return isBeginning ? there?.startsWith(word) === true : there === word;
        }),
      ),
    ),
  );
}

const SIDES: Readonly<Record<'a' | 'b', string>> = { a: 'ledger', b: 'bank' };

function passes(row: Seen, asked: RecordsAsked): boolean {
  const matches = JSON.parse(row.matches) as [number, number][];
  const inReconciliation = matches.filter(([, id]) => asked.reconciliation_id === undefined || id === Number(asked.reconciliation_id));
  const isReconciled = inReconciliation.length > 0;
  const same = (wanted: unknown, value: unknown) => wanted === undefined || String(wanted) === String(value);
  const atLeast = (bound: number | undefined, value: number) => bound === undefined || value >= bound;
  const atMost = (bound: number | undefined, value: number) => bound === undefined || value <= bound;
  const day = (iso: string | undefined) => (iso === undefined ? undefined : (dayFromIso(iso) ?? undefined));
  const ms = (timestamp: string | undefined) => (timestamp === undefined ? undefined : Date.parse(timestamp));
  return (
    same(asked.data_stream_key, row.stream) &&
    (asked.reconciliation_id === undefined || Object.values(SIDES).includes(row.stream)) &&
    (asked.side === undefined || row.stream === SIDES[asked.side]) &&
    (asked.reconciliation_match_id === undefined || matches.some(([id]) => id === Number(asked.reconciliation_match_id))) &&
    same(asked.import_batch_id, row.batch_id) &&
    same(asked.bulk_request_id, row.bulk_request_id) &&
    same(asked.source, row.source) &&
    same(asked.external_id, row.external_id) &&
    (asked.status === undefined || ['reconciled', 'matched'].includes(asked.status) === isReconciled) &&
    atLeast(day(asked.date_from), row.day) &&
    atMost(day(asked.date_to), row.day) &&
    (asked.value_date_from === undefined || (row.value_day !== null && atLeast(day(asked.value_date_from), row.value_day))) &&
    (asked.value_date_to === undefined || (row.value_day !== null && atMost(day(asked.value_date_to), row.value_day))) &&
    atLeast(asked.amount_min, row.amount) &&
    atMost(asked.amount_max, row.amount) &&
    atLeast(ms(asked.created_after), row.created_at) &&
    atMost(ms(asked.created_before), row.created_at) &&
    (asked.direction === undefined || (asked.direction === 'credit') === (row.direction === 1)) &&
    same(asked.currency, row.currency) &&
    (asked.overdue === undefined || asked.overdue === (row.overdue === 1)) &&
    (asked.reversal === undefined || asked.reversal === (row.is_reversal === 1)) &&
    (asked.q === undefined || holds(row, asked.q))
  );
}

/** Returns the comparison of two rows in a list; negative when the left one comes first. */
function order(sort: RecordsAsked['sort']): (left: Seen, right: Seen) => number {
  const name = sort ?? '-created_at';
  const sign = name.startsWith('-') ? -1 : 1;
  const column = ({ created_at: 'created_at', date: 'day', value_date: 'value_day', amount: 'amount' } as const)[
    name.replace('-', '') as 'created_at' | 'date' | 'value_date' | 'amount'
  ];
  // Rows without a value date come before all others.
  const value = (row: Seen): number => row[column] ?? -1_000_000;
  return (left, right) => sign * (value(left) - value(right)) || right.id - left.id;
}

/**
 * Returns the ids that GET /records should return, without any index: reads, filters and sorts every record of the live environment. The only
 * reconciliation has the streams `ledger` (side A) and `bank` (side B).
 */
export function recordsByReading(database: Database, asked: RecordsAsked): number[] {
  const rows = database.prepare<[], Seen>(EVERYTHING).all();
  return rows
    .filter((row) => passes(row, asked))
    .toSorted(order(asked.sort))
    .map((row) => row.id);
}
