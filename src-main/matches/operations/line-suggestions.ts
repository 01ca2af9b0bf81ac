import type { LineSuggestion, SignConvention } from '../../../src-shared/contract/index.ts';
import { EVIDENCE_BITS } from '../../../src-shared/contract/matches/matches.ts';
import { LINE_SUGGESTION_LIMITS } from '../../../src-shared/contract/matches/sum-suggestions.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { matchDifference, netsOf } from '../../../src-shared/values/balancing.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { closedOver, closedSpansOfReconciliation } from '../../close/store/closed-spans.ts';
import type { RecordWithStream, Side } from '../../database/rows.ts';
import { separationKey } from '../../domain/matching/index.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { documentsOf, strengthOf, suggestionsFor, type SuggestionReason } from '../../domain/suggestions/suggest.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { idsOfPhrase } from '../../records/store/record-search.ts';
import { recordsById } from '../../records/store/records.ts';
import { recordsOfMoney } from '../../records/store/same-money.ts';
import { engineRecordsById, recordsOfStreams, signConventionOf } from '../../records/work/engine-input.ts';
import { answer, missing } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { type ReasonedMatch, withReasons } from '../../service/match-reasons.ts';
import { matchView } from '../../service/views.ts';
import { matchesById, matchesOfRecords, membersOf } from '../store/matches.ts';
import { separationKeys } from '../store/separations.ts';
import type { Sided } from './adjustments.ts';
import { freeRecordsOnSides } from './manual-match.ts';
import { lineViews, openRecordsNear } from './sum-suggestions.ts';

const { days: DAYS, candidates: CANDIDATES, far: FAR, suggestions: WANTED } = LINE_SUGGESTION_LIMITS;
/** Records of the line's amount are looked for so many days around it. The nearest are taken of so many that are read of a stream. */
const MONEY = { days: 366, read: 5_000 } as const;
/** References of the line that are looked for in the whole book. */
const REFERENCES = 8;
/** The most records of a proposal that are listed. */
const MEMBERS = 100;

interface Question {
  readonly reconciliationId: number;
  readonly convention: SignConvention;
  readonly record: Sided;
  readonly line: EngineRecord;
  readonly streams: Readonly<Record<Side, readonly number[]>>;
}

const otherSide = (side: Side): Side => (side === 'a' ? 'b' : 'a');

/** Returns ids of records far from the line that have its amount, on the other side, or one of its references. */
function idsFarAway(
  { database, search: words }: ServiceContext,
  caller: Caller,
  { record, line, streams, convention }: Question,
): Set<number> {
  const ids = new Set<number>();
  const own = record.direction === 1 ? 1 : 0;
  const directions = convention === 'any' ? ([0, 1] as const) : [convention === 'same' ? own : own === 1 ? (0 as const) : (1 as const)];
  const money = streams[otherSide(record.side)].flatMap((streamId) =>
    directions.flatMap((direction) =>
      recordsOfMoney(
        database,
        caller.environmentId,
        streamId,
        { currency: record.currency, direction, amounts: [record.amount] },
        MONEY.read,
      ),
    ),
  );
  const away = (day: number): number => Math.abs(day - record.day);
  const near = money.filter(({ day }) => away(day) <= MONEY.days);
  const nearest = near.toSorted((left, right) => away(left.day) - away(right.day) || left.id - right.id);
  for (const { id } of nearest.slice(0, FAR)) ids.add(id);
  const named = words.with(({ isSearchable }) =>
    (isSearchable ? documentsOf(line).slice(0, REFERENCES) : []).flatMap((reference) => idsOfPhrase(database, reference, FAR)),
  );
  for (const id of named) ids.add(id);
  ids.delete(record.id);
  return ids;
}

/** Returns the open records of a side to look at: those near the line, and those of `far` that are open and on this side. */
async function candidates({ database }: ServiceContext, question: Question, side: Side, far: ReadonlySet<number>) {
  const { reconciliationId, record, streams } = question;
  const near = await openRecordsNear(database, {
    reconciliationId,
    streamIds: streams[side],
    picked: [record],
    days: DAYS,
    limit: CANDIDATES,
  });
  const known = new Set(near.records.map(({ id }) => id));
  const others = recordsOfStreams(
    database,
    streams[side],
    [...far].filter((id) => !known.has(id)),
  ).filter(({ currency }) => currency === record.currency);
  const ids = others.map(({ id }) => id);
  const taken = new Set(
    matchesOfRecords(database, ids, reconciliationId)
      .filter(({ status }) => status === 'matched')
      .map((held) => held.record_id),
  );
  return { records: [...near.records, ...others.filter(({ id }) => !taken.has(id))], isCut: near.isCut };
}

/** A suggestion before its records are shown. */
interface Found {
  readonly ids: readonly number[];
  readonly score: number;
  readonly match: ReasonedMatch | null;
  readonly reasons: LineSuggestion['reasons'];
}

/** A proposal of evidence is worth its likelihood, another one what its certainty says. */
function worthOfProposal({ likelihood, certainty }: ReturnType<typeof matchView>): number {
  if (likelihood !== null) return 4 + 9 * likelihood;
  return certainty === 'unique' ? 13 : certainty === 'contested' ? 5.5 : 9.5;
}

function reasonsOfProposal({ explanation, evidence }: ReasonedMatch): LineSuggestion['reasons'] {
  const first = { kind: 'proposal', strength: 'strong', words: phrase('matches.refusals.proposedByARule') } as const;
  const field = { amount: 'amount', date: 'day', text: 'party', reference: 'reference', rivals: 'rivals' } as const;
  if (evidence.length === 0) {
    return [first, ...explanation.map((words) => ({ kind: 'proposal' as const, strength: 'fair' as const, words }))];
  }
  return [
    first,
    ...evidence.map((item) => ({
      kind: field[item.field],
      strength: item.bits < 0 ? ('against' as const) : item.bits >= EVIDENCE_BITS.strong ? ('strong' as const) : ('fair' as const),
      words: item.words,
    })),
  ];
}

/** Returns the proposals that hold a record. */
function proposalsOf({ database }: ServiceContext, { reconciliationId, record }: Question): Found[] {
  const ids = matchesOfRecords(database, [record.id], reconciliationId)
    .filter(({ status }) => status === 'proposed')
    .map((held) => held.match_id);
  if (ids.length === 0) return [];
  const members = Map.groupBy(membersOf(database, ids, MEMBERS + 1), (member) => member.match_id);
  return withReasons(database, matchesById(database, ids)).flatMap((match) => {
    const others = (members.get(match.id) ?? []).filter(({ id }) => id !== record.id);
    if (others.length === 0 || match.record_count > MEMBERS) return [];
    return [{ ids: others.map(({ id }) => id), score: worthOfProposal(matchView(match)), match, reasons: reasonsOfProposal(match) }];
  });
}

/** Returns the best of all, each set of records once: a proposal rather than the same records found anew. */
function bestOf(found: readonly Found[]): Found[] {
  const bySet = new Map<string, Found>();
  for (const each of found) {
    const key = separationKey(each.ids);
    const known = bySet.get(key);
    if (known === undefined) bySet.set(key, each);
    else bySet.set(key, { ...known, score: Math.max(known.score, each.score) });
  }
  return [...bySet.values()].toSorted((left, right) => right.score - left.score).slice(0, WANTED);
}

/** Adds that some of a suggestion's records stand in another proposal, which a match would displace. */
function withDisplaced(found: Found, proposed: ReadonlyMap<number, readonly number[]>): Found {
  const displaced = found.ids.some((id) => (proposed.get(id) ?? []).some((matchId) => matchId !== found.match?.id));
  const reason = { kind: 'proposal', strength: 'against', words: phrase('matches.refusals.partOfAnotherProposal') } as const;
  return displaced ? { ...found, reasons: [...found.reasons, reason] } : found;
}

async function search(context: ServiceContext, caller: Caller, question: Question) {
  const { database } = context;
  const { reconciliationId, record, line, convention } = question;
  const far = idsFarAway(context, caller, question);
  const own = await candidates(context, question, record.side, far);
  const others = await candidates(context, question, otherSide(record.side), far);
  const separated = new Set(separationKeys(database, reconciliationId));
  const closed = closedSpansOfReconciliation(database, reconciliationId);
  const mayMatch = (records: readonly { readonly id: number; readonly day: number }[]): boolean =>
    !separated.has(separationKey(records.map(({ id }) => id))) &&
    closedOver(closed, Math.max(...records.map(({ day }) => day))) === undefined;
  const computed = suggestionsFor({
    line,
    side: record.side,
    convention,
    own: own.records,
    others: others.records,
    mayMatch,
    wanted: WANTED,
  });
  const proposals = proposalsOf(context, question).filter(({ ids }) =>
    mayMatch([record, ...recordsById(database, caller.environmentId, ids)]),
  );
  const found = bestOf([
    ...proposals,
    ...computed.map(({ own: ofOwn, others: ofOthers, score, reasons }) => ({
      ids: [...ofOwn, ...ofOthers].map(({ id }) => id),
      score,
      match: null,
      reasons: [...reasons] satisfies SuggestionReason[],
    })),
  ]);
  const proposed = Map.groupBy(
    matchesOfRecords(
      database,
      found.flatMap(({ ids }) => ids),
      reconciliationId,
    ).filter(({ status }) => status === 'proposed'),
    (held) => held.record_id,
  );
  const byRecord = new Map([...proposed].map(([id, held]) => [id, held.map(({ match_id }) => match_id)]));
  return { found: found.map((each) => withDisplaced(each, byRecord)), own, others };
}

/** Returns suggestions as the window shows them, with differences at the finest scale of all their records. */
function shown(context: ServiceContext, caller: Caller, question: Question, found: readonly Found[]) {
  const { record, convention, reconciliationId, streams } = question;
  const rows = new Map(
    recordsById(context.database, caller.environmentId, [...new Set(found.flatMap(({ ids }) => ids))]).map((row) => [row.id, row]),
  );
  const side = ({ stream_id: streamId }: RecordWithStream): Side => (streams.a.includes(streamId) ? 'a' : 'b');
  const lines = lineViews(context, reconciliationId, [...rows.values()], (id) => side(present(rows.get(id), 'record')));
  const scale = [record, ...rows.values()].reduce((finest, row) => Math.max(finest, row.decimal_places), 0);
  const suggestions = found.map(({ ids, score, match, reasons }): LineSuggestion => {
    const records = ids.flatMap((id) => lines.get(id) ?? []);
    const sided = [record, ...ids.flatMap((id) => rows.get(id) ?? []).map((row) => ({ ...row, side: side(row) }))];
    const apart = matchDifference(sided, convention) ?? 0;
    return {
      kind: match !== null ? 'proposal' : records.length > 1 ? 'group' : 'line',
      strength: strengthOf({ score }),
      match_id: match?.id ?? null,
      likelihood: match === null ? null : matchView(match).likelihood,
      records: records.toSorted((left, right) => (left.side + left.date < right.side + right.date ? -1 : 1)),
      difference: apart * 10 ** (scale - netsOf(sided).scale),
      reasons: [...reasons],
    };
  });
  return { currency: record.currency, decimal_places: scale, suggestions };
}

function suggest(context: ServiceContext): Handlers['matches.suggest'] {
  return async (caller, input) => {
    const { database } = context;
    const reconciliation = findReconciliation(database, caller.environmentId, input.reconciliation_id);
    if (reconciliation === undefined) return missing('reconciliation', input.reconciliation_id);
    const picked = freeRecordsOnSides(database, caller, reconciliation, [input.record_id]);
    if (!picked.ok) return picked;
    const question: Question = {
      reconciliationId: reconciliation.id,
      convention: signConventionOf(reconciliation.sign_convention),
      record: present(picked.value[0], 'record'),
      line: present(engineRecordsById(database, [input.record_id])[0], 'record'),
      streams: streamIdsBySide(database, reconciliation.id),
    };
    const { found, own, others } = await search(context, caller, question);
    const { side } = question.record;
    return answer({
      ...shown(context, caller, question, found),
      searched: [
        { side: otherSide(side), candidates: others.records.length, is_cut: others.isCut },
        { side, candidates: own.records.length, is_cut: own.isCut },
      ],
    });
  };
}

export function lineSuggestionHandlers(context: ServiceContext): Pick<Handlers, 'matches.suggest'> {
  return { 'matches.suggest': suggest(context) };
}
