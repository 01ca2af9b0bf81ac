import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { type AmountTerm, type LineState, type LineTerms, minorBounds } from '../../../src-shared/values/line-filter.ts';
import { query, type ReadHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';
import { NOT_IN_WRITING_BATCH, SIGNED, SUM_BASE } from './records.ts';
import { IS_REVERSAL } from './reversals.ts';

type LineStatus = 'matched' | 'proposed' | 'unmatched' | 'open' | 'all';
export type LineSort = 'date' | 'value_date' | 'amount' | 'description' | 'external_id';

export interface LineFilter {
  readonly reconciliationId: number;
  readonly streamIds: readonly number[];
  readonly status: LineStatus;
  /** The text that a person searches for. Its words must occur in description, external id or a value of the metadata; ASCII letters match in either case. */
  readonly terms: LineTerms | undefined;
  /** The day from which ages count, if the terms have ages. */
  readonly today?: number | undefined;
  /** The words of the terms as a query of the word index, which ignores case and accents; lines that it finds match too. */
  readonly words: string | null;
  /** The number of records that the index did not cover at the time: with a larger index the same words find more. */
  readonly notSearched: number;
}

/** The most decimal places of an amount. */
const MOST_PLACES = 8;
const SIGNED_AMOUNT = sql.raw(SIGNED);

const inMatch = (reconciliationId: number, status: 'matched' | 'proposed' | null) => sql`EXISTS (
  SELECT 1 FROM match_records mr JOIN matches m ON m.id = mr.match_id
  WHERE mr.record_id = r.id AND mr.reconciliation_id = ${reconciliationId}
  ${status === null ? sql`` : sql`AND m.status = ${status}`} AND ${sql.raw(VISIBLE_MATCH)})`;

/** Whether a line is in a state, in one reconciliation. */
function inState(state: LineState, reconciliationId: number): RawBuilder<SqlBool> {
  switch (state) {
    case 'open':
      return sql<SqlBool>`NOT ${inMatch(reconciliationId, 'matched')}`;
    case 'matched':
    case 'proposed':
      return sql<SqlBool>`${inMatch(reconciliationId, state)}`;
    case 'unproposed':
      return sql<SqlBool>`NOT ${inMatch(reconciliationId, 'proposed')}`;
    case 'overdue':
      return sql<SqlBool>`EXISTS (SELECT 1 FROM overdue_records o WHERE o.record_id = r.id AND o.reconciliation_id = ${reconciliationId})`;
    case 'return':
      return sql<SqlBool>`${sql.raw(IS_REVERSAL)}`;
  }
}

function statusCondition(filter: LineFilter) {
  switch (filter.status) {
    case 'matched':
    case 'proposed':
      return sql<SqlBool>`${inMatch(filter.reconciliationId, filter.status)}`;
    case 'unmatched':
      return sql<SqlBool>`NOT ${inMatch(filter.reconciliationId, null)}`;
    case 'open':
      return sql<SqlBool>`NOT ${inMatch(filter.reconciliationId, 'matched')}`;
    case 'all':
      return sql<SqlBool>`1`;
  }
}

/** Whether a value (never a key) of the metadata contains the words. */
function inMetadata(words: string, pattern: string) {
  const exact = sql<SqlBool>`EXISTS (SELECT 1 FROM json_tree(r.metadata) j WHERE j.atom LIKE ${pattern} ESCAPE '\\')`;
  // Comparing the stored text first is much faster, but it escapes these characters.
  return /["\\\p{Cc}]/u.test(words) ? exact : sql<SqlBool>`(r.metadata LIKE ${pattern} ESCAPE '\\' AND ${exact})`;
}

function inIndex(words: string | null) {
  return words === null ? sql<SqlBool>`0` : sql<SqlBool>`r.id IN (SELECT rowid FROM record_words WHERE record_words MATCH ${words})`;
}

function inText(words: string) {
  const pattern = `%${words.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`;
  return sql<SqlBool>`(r.description LIKE ${pattern} ESCAPE '\\' OR r.external_id LIKE ${pattern} ESCAPE '\\' OR ${inMetadata(words, pattern)})`;
}

/** Whether the party, or the description that names it, contains a text. */
function ofParty(name: string) {
  const pattern = `%${name.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`;
  return sql<SqlBool>`(r.description LIKE ${pattern} ESCAPE '\\' OR json_extract(r.metadata, '$.counterparty') LIKE ${pattern} ESCAPE '\\')`;
}

function between(value: RawBuilder<unknown>, least: number | null, most: number | null) {
  return sql<SqlBool>`(${value} >= ${least ?? -Number.MAX_SAFE_INTEGER} AND ${value} <= ${most ?? Number.MAX_SAFE_INTEGER})`;
}

/** An amount of the terms is in whole units of the currency, so that its bounds in minor units depend on the scale of the value. */
export function withinAmount(term: AmountTerm, value: RawBuilder<unknown>, scale: RawBuilder<unknown>) {
  const scales = Array.from({ length: MOST_PLACES + 1 }, (_, places) => {
    const { least, most } = minorBounds(term, places);
    return sql`WHEN ${places} THEN ${between(value, least, most)}`;
  });
  return sql<SqlBool>`CASE ${scale} ${sql.join(scales, sql` `)} END`;
}

const ofAmount = (term: AmountTerm) => withinAmount(term, term.isSigned ? SIGNED_AMOUNT : sql`r.amount`, sql`r.decimal_places`);

/** Returns the conditions of what a person searches for, all of which apply. */
function conditionsOf(terms: LineTerms, { words, today = 0, reconciliationId }: LineFilter): readonly RawBuilder<SqlBool>[] {
  const anyOf = (parts: readonly RawBuilder<SqlBool>[]) => (parts.length === 0 ? [] : [sql<SqlBool>`(${sql.join(parts, sql` OR `)})`]);
  const spelled = sql<SqlBool>`(${sql.join(terms.words.map(inText), sql` AND `)})`;
  return [
    ...(terms.words.length === 0 ? [] : [sql<SqlBool>`(${spelled} OR ${inIndex(words)})`]),
    ...terms.numbers.map((digits) => {
      const amount = ofAmount({ least: digits, most: digits, isOpen: false, isSigned: false });
      return sql<SqlBool>`(${amount} OR ${inText(digits)})`;
    }),
    ...terms.amounts.map(ofAmount),
    ...terms.days.map(({ from, to }) => between(sql`r.day`, from, to)),
    ...terms.ages.map(({ from, to }) => between(sql`(${today} - r.day)`, from, to)),
    ...anyOf(terms.accounts.map((key) => sql<SqlBool>`r.stream_id IN (SELECT id FROM streams WHERE key = ${key} OR name = ${key})`)),
    ...anyOf(terms.parties.map(ofParty)),
    ...terms.states.map((state) => inState(state, reconciliationId)),
  ];
}

/** Selects the lines `r` that pass a filter. */
export function selectLines(filter: LineFilter) {
  let select = query.selectFrom('records as r').where('r.stream_id', 'in', filter.streamIds).where(NOT_IN_WRITING_BATCH);
  if (filter.status !== 'all') select = select.where(statusCondition(filter));
  for (const condition of filter.terms === undefined ? [] : conditionsOf(filter.terms, filter)) select = select.where(condition);
  return select;
}

const SORT_COLUMNS = {
  date: sql`r.day`,
  value_date: sql`r.value_day`,
  amount: SIGNED_AMOUNT,
  description: sql`r.description`,
  external_id: sql`r.external_id`,
} as const;

/** Returns a window of lines. Sorts ids only, because whole lines would have to be carried along. */
export function windowOfLines(
  read: ReadHandle,
  filter: LineFilter,
  page: { readonly sort: LineSort; readonly descending: boolean; readonly offset: number; readonly limit: number },
): RecordWithStream[] {
  const order = page.descending ? 'desc' : 'asc';
  const ids = selectLines(filter)
    .select('r.id')
    .orderBy(SORT_COLUMNS[page.sort], order)
    .orderBy('r.id', order)
    .offset(page.offset)
    .limit(page.limit);
  const places = new Map(read.all(ids).map(({ id }, place) => [id, place]));
  const rows = read.all(
    query
      .selectFrom('records as r')
      .innerJoin('streams as s', 's.id', 'r.stream_id')
      .selectAll('r')
      .select('s.key as data_stream_key')
      .where('r.id', 'in', [...places.keys()]),
  );
  return rows.toSorted((left, right) => (places.get(left.id) ?? 0) - (places.get(right.id) ?? 0));
}

export function countLines(read: ReadHandle, filter: LineFilter): number {
  return read.first(selectLines(filter).select(sql<number>`count(*)`.as('n')))?.n ?? 0;
}

/** The number and the signed sum of lines that share a currency and its scale. The sum is in two parts, as in `LineTotal`. */
export interface LineSum {
  readonly currency: string;
  readonly decimal_places: number;
  readonly records: number;
  readonly high: number;
  readonly low: number;
}

/** Returns the sums of lines that were read, in the order of `sumLines`. */
export function sumsOfRows(rows: readonly Pick<RecordWithStream, 'amount' | 'direction' | 'currency' | 'decimal_places'>[]): LineSum[] {
  const base = Number(SUM_BASE);
  const sums = new Map<string, LineSum>();
  for (const { amount, direction, currency, decimal_places } of rows) {
    const key = `${currency} ${decimal_places}`;
    const signed = direction === 1 ? amount : -amount;
    const { records, high, low } = sums.get(key) ?? { records: 0, high: 0, low: 0 };
    const parts = { high: high + Math.trunc(signed / base), low: low + (signed % base) };
    sums.set(key, { currency, decimal_places, records: records + 1, ...parts });
  }
  return [...sums.values()].toSorted((one, other) =>
    one.currency === other.currency ? one.decimal_places - other.decimal_places : one.currency < other.currency ? -1 : 1,
  );
}

/** Returns the sums of the lines that pass a filter, by currency. */
export function sumLines(read: ReadHandle, filter: LineFilter): LineSum[] {
  const base = sql.raw(String(SUM_BASE));
  return read.all(
    selectLines(filter)
      .select(['r.currency', 'r.decimal_places'])
      .select(sql<number>`count(*)`.as('records'))
      .select(sql<number>`sum((${SIGNED_AMOUNT}) / ${base})`.as('high'))
      .select(sql<number>`sum((${SIGNED_AMOUNT}) % ${base})`.as('low'))
      .groupBy(['r.currency', 'r.decimal_places'])
      .orderBy('r.currency')
      .orderBy('r.decimal_places'),
  );
}
