import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { AmountTerm } from '../../../src-shared/values/line-filter.ts';
import { hasLineTerms, type MatchTerms } from '../../../src-shared/values/match-filter.ts';
import { query, type ReadHandle } from '../../database/database.ts';
import type { MatchRow, Side } from '../../database/rows.ts';
import { type LineSum, selectLines, withinAmount } from '../../records/store/lines.ts';
import { SIGNED, SUM_BASE } from '../../records/store/records.ts';
import { MEMBER_ID, MEMBER_SIDE, MEMBERS } from './match-members.ts';
import { matchesById, VISIBLE_MATCH } from './matches.ts';

/** Bounds as stored log odds; null for no bound. */
type LogOddsTerm = { readonly least: number | null; readonly most: number | null; readonly isOpen: boolean } | 'unknown';

/** The terms of a search among the matches of a reconciliation. */
export interface MatchSearch {
  readonly reconciliationId: number;
  readonly status: MatchRow['status'];
  /** The streams of both sides. */
  readonly streamIds: readonly number[];
  readonly terms: Omit<MatchTerms, 'likelihoods'>;
  readonly likelihoods: readonly LogOddsTerm[];
  /** The day from which ages count. */
  readonly today: number;
  /** The words of the terms as a query of the word index, as in `LineFilter`. */
  readonly words: string | null;
  readonly notSearched: number;
}

const ORIGINS = { hand: 'manual', rule: 'rule', sync: 'sync' } as const;
/** Zero has the same size at any scale. */
const NO_SCALE = sql`0`;
/** The scale of a match's difference: the finest of its lines. */
const SCALE = sql.raw(
  `(SELECT max(of.decimal_places) FROM (SELECT r.decimal_places FROM ${MEMBERS} CROSS JOIN records r ON r.id = ${MEMBER_ID}) of)`,
);

function ofLikelihood(term: LogOddsTerm): RawBuilder<SqlBool> {
  if (term === 'unknown') return sql<SqlBool>`m.likelihood IS NULL`;
  const { least, most, isOpen } = term;
  const from = least === null ? sql`1` : sql`m.likelihood ${sql.raw(isOpen ? '>' : '>=')} ${least}`;
  const to = most === null ? sql`1` : sql`m.likelihood ${sql.raw(isOpen ? '<' : '<=')} ${most}`;
  return sql<SqlBool>`(m.likelihood IS NOT NULL AND ${from} AND ${to})`;
}

function ofDifference(term: AmountTerm): RawBuilder<SqlBool> {
  const none = withinAmount(term, sql`0`, NO_SCALE);
  return sql<SqlBool>`CASE WHEN m.difference = 0 THEN ${none} ELSE ${withinAmount(term, sql`abs(m.difference)`, SCALE)} END`;
}

/** A number is the id of a rule; anything else occurs in its description. */
function ofRule(rule: string): RawBuilder<SqlBool> {
  if (/^\d{1,15}$/u.test(rule)) return sql<SqlBool>`m.rule_id = ${Number(rule)}`;
  const pattern = `%${rule.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`;
  return sql<SqlBool>`m.rule_id IN (SELECT id FROM rules WHERE description LIKE ${pattern} ESCAPE '\\')`;
}

/** Returns the conditions of a search on a match `m`, all of which apply. */
function searchConditions(search: MatchSearch): readonly RawBuilder<SqlBool>[] {
  const { reconciliationId, streamIds, terms, likelihoods, today, words, notSearched } = search;
  const anyOf = (parts: readonly RawBuilder<SqlBool>[]) => (parts.length === 0 ? [] : [sql<SqlBool>`(${sql.join(parts, sql` OR `)})`]);
  const lines = selectLines({ reconciliationId, streamIds, status: 'all', terms: terms.lines, today, words, notSearched }).select('r.id');
  const held = sql<SqlBool>`m.id IN (SELECT mr.match_id FROM match_records mr
    WHERE mr.reconciliation_id = ${reconciliationId} AND mr.record_id IN (${lines}))`;
  return [
    ...(hasLineTerms(terms) ? [held] : []),
    ...likelihoods.map(ofLikelihood),
    ...terms.differences.map(ofDifference),
    ...anyOf(terms.rules.map(ofRule)),
    ...anyOf(terms.origins.map((origin) => sql<SqlBool>`m.origin = ${ORIGINS[origin]}`)),
    ...anyOf(terms.certainties.map((certainty) => sql<SqlBool>`m.certainty = ${certainty}`)),
  ];
}

/** Selects the ids of the matches that a search finds. */
function foundIds(search: MatchSearch): RawBuilder<Pick<MatchRow, 'id'>> {
  const conditions = searchConditions(search).map((condition) => sql`AND ${condition}`);
  return sql`SELECT m.id FROM matches m INDEXED BY matches_status WHERE m.reconciliation_id = ${search.reconciliationId}
    AND m.status = ${search.status} AND ${sql.raw(VISIBLE_MATCH)} ${sql.join(conditions, sql` `)}`;
}

function all<T>(read: ReadHandle, text: RawBuilder<T>): T[] {
  return read.all<T>({ compile: () => text.compile(query) });
}

/** Returns a window of the matches that a search finds: the most likely first, or the newest. */
export function windowOfFound(
  read: ReadHandle,
  search: MatchSearch,
  page: { readonly byLikelihood: boolean; readonly offset: number; readonly limit: number },
): MatchRow[] {
  const order = sql.raw(page.byLikelihood ? 'm.likelihood DESC NULLS LAST, m.id DESC' : 'm.id DESC');
  const found = sql<Pick<MatchRow, 'id'>>`${foundIds(search)} ORDER BY ${order} LIMIT ${page.limit} OFFSET ${page.offset}`;
  const places = new Map(all(read, found).map(({ id }, place) => [id, place]));
  return matchesById(read, [...places.keys()]).toSorted((left, right) => (places.get(left.id) ?? 0) - (places.get(right.id) ?? 0));
}

export function countFound(read: ReadHandle, search: MatchSearch): number {
  return all(read, sql<{ n: number }>`SELECT count(*) AS n FROM (${foundIds(search)})`)[0]?.n ?? 0;
}

/** The lines of one side of some matches. */
export interface SideSum extends LineSum {
  readonly side: Side;
}

/** Returns the sums of the lines of the matches that a search finds, by side and currency. */
export function sumFound(read: ReadHandle, search: MatchSearch): SideSum[] {
  const [side, id, signed, base] = [sql.raw(MEMBER_SIDE), sql.raw(MEMBER_ID), sql.raw(SIGNED), sql.raw(String(SUM_BASE))];
  return all(
    read,
    sql<SideSum>`SELECT ${side} AS side, r.currency, r.decimal_places, count(*) AS records,
        sum((${signed}) / ${base}) AS high, sum((${signed}) % ${base}) AS low
      FROM (${foundIds(search)}) found CROSS JOIN matches m ON m.id = found.id CROSS JOIN ${sql.raw(MEMBERS)} CROSS JOIN records r ON r.id = ${id}
      GROUP BY 1, r.currency, r.decimal_places ORDER BY 1, r.currency, r.decimal_places`,
  );
}

/** A proposal that waits for a person, with the log odds that it is right; null if its rule has none. */
export type FoundProposal = Pick<MatchRow, 'id' | 'likelihood' | 'difference'>;

/** Which proposals of a reconciliation are meant. */
export interface ProposalChoice {
  readonly reconciliationId: number;
  /** Null for any, also for none. */
  readonly leastLogOdds: number | null;
  readonly ruleId: number | null;
  /** Null for all. */
  readonly matchIds: readonly number[] | null;
  /** In minor units, whatever the sign of the difference; null for any. */
  readonly mostDifference: number | null;
  /** Null for all. */
  readonly search: MatchSearch | null;
}

/** Returns visible proposals of a choice, the most likely first, those without a likelihood last. */
export function chosenProposals(read: ReadHandle, choice: ProposalChoice, limit: number): FoundProposal[] {
  const { reconciliationId, leastLogOdds: least, ruleId, matchIds, mostDifference, search } = choice;
  const source = sql.raw(least === null ? 'matches_status' : 'matches_likelihood');
  const conditions = [
    ...(least === null ? [] : [sql<SqlBool>`m.likelihood IS NOT NULL AND m.likelihood >= ${least}`]),
    ...(ruleId === null ? [] : [sql<SqlBool>`m.rule_id = ${ruleId}`]),
    ...(matchIds === null ? [] : [sql<SqlBool>`m.id IN (SELECT value FROM json_each(${JSON.stringify(matchIds)}))`]),
    ...(mostDifference === null ? [] : [sql<SqlBool>`m.difference BETWEEN ${-mostDifference} AND ${mostDifference}`]),
    ...(search === null ? [] : searchConditions(search)),
  ];
  return all(
    read,
    sql<FoundProposal>`SELECT m.id, m.likelihood, m.difference FROM matches m INDEXED BY ${source}
      WHERE m.reconciliation_id = ${reconciliationId} AND m.status = 'proposed'
        ${sql.join(
          conditions.map((condition) => sql`AND ${condition}`),
          sql` `,
        )}
        AND ${sql.raw(VISIBLE_MATCH)} ORDER BY m.likelihood DESC NULLS LAST, m.id DESC LIMIT ${limit}`,
  );
}
