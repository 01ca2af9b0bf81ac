import type { Line, Output, SignConvention, SumSuggestion } from '../../../src-shared/contract/index.ts';
import { SUGGESTION_LIMITS } from '../../../src-shared/contract/matches/sum-suggestions.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { matchDifference, netsOf } from '../../../src-shared/values/balancing.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { RecordRow, RecordWithStream, Side } from '../../database/rows.ts';
import { findSums, isOnly, rangesToBalance, SUM_LIMITS, type SumCandidate, type SumsFound } from '../../domain/groups/sums.ts';
import { inContentOrder, visibleContent } from '../../domain/records/content.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { recordsById } from '../../records/store/records.ts';
import { freeRecordsOfDay, signConventionOf } from '../../records/work/engine-input.ts';
import { answer, missing, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { recordViews } from '../../service/views.ts';
import { matchesOfRecords } from '../store/matches.ts';
import type { Sided } from './adjustments.ts';
import { matchableRecords } from './manual-match.ts';

/** The most steps of a search, some 30 ms. */
const WORK = 600_000;

/** The picked lines, and the tolerated difference between the sides in minor units of their finest scale. */
interface Question {
  readonly reconciliationId: number;
  readonly convention: SignConvention;
  readonly picked: readonly Sided[];
  readonly tolerance: number;
  /** The most records of a suggestion. */
  readonly most: number;
}

interface Searched extends OpenRecords {
  readonly side: Side;
  /** The scale of all units: the finest of the picked lines and the examined records. */
  readonly scale: number;
  readonly found: SumsFound;
}

type Answered = Output<'matches.suggest_sums'>;

/** Returns the sides in order, first the one with the smaller net, which lacks something. */
function sidesInOrder(picked: readonly Sided[]): readonly Side[] {
  const { a, b } = netsOf(picked);
  const magnitude = (value: bigint) => (value < 0n ? -value : value);
  return magnitude(a) < magnitude(b) ? ['a', 'b'] : ['b', 'a'];
}

function signedUnitsOf(record: EngineRecord, scale: number): number {
  const units = record.amountMinor * 10 ** (scale - record.decimalPlaces);
  return record.direction === 'credit' ? units : -units;
}

/** Searches combinations of open records of a side. */
function search(question: Question, side: Side, open: OpenRecords): Searched {
  const { picked, convention, tolerance } = question;
  const days = picked.map((record) => record.day);
  const [first, last] = [Math.min(...days), Math.max(...days)];
  const records = inContentOrder(open.records);
  const nets = netsOf(picked);
  const scale = records.reduce((finest, record) => Math.max(finest, record.decimalPlaces), nets.scale);
  const factor = 10n ** BigInt(scale - nets.scale);
  const candidates = records.map<SumCandidate>((record) => ({
    units: signedUnitsOf(record, scale),
    days: Math.max(0, first - record.day, record.day - last),
    likeness: () => visibleContent(record),
  }));
  const found = findSums({
    candidates,
    ranges: rangesToBalance({ a: nets.a * factor, b: nets.b * factor }, side, convention, BigInt(tolerance) * factor),
    least: 1,
    most: question.most,
    work: WORK,
    wanted: SUGGESTION_LIMITS.suggestions,
  });
  return { ...open, records, side, scale, found };
}

/** Returns records as lines of a reconciliation, by id. */
export function lineViews(
  { database, clock }: ServiceContext,
  reconciliationId: number,
  rows: readonly RecordWithStream[],
  sideOf: (id: number) => Side,
): ReadonlyMap<number, Line> {
  const ids = rows.map(({ id }) => id);
  const held = new Map(matchesOfRecords(database, ids, reconciliationId).map((match) => [match.record_id, match]));
  return new Map(
    recordViews(database, rows, reconciliationId, clock.today()).map((view) => {
      const match = held.get(view.id);
      return [view.id, { ...view, side: sideOf(view.id), match_id: match?.match_id ?? null, match_status: match?.status ?? null }];
    }),
  );
}

function suggestionsOf(context: ServiceContext, caller: Caller, question: Question, searched: Searched): SumSuggestion[] {
  const { database } = context;
  const { reconciliationId, picked, convention } = question;
  const { side, records, scale, found } = searched;
  const members = found.combinations.map((combination) => combination.members.map((index) => present(records[index], 'candidate')));
  const ids = [...new Set(members.flat().map((record) => record.id))];
  const rows = recordsById(database, caller.environmentId, ids);
  const lines = lineViews(context, reconciliationId, rows, () => side);
  return members.map((combination) => {
    const days = combination.map((record) => record.day);
    const sided = rows.filter((row) => combination.some((record) => record.id === row.id)).map((row) => ({ ...row, side }));
    const apart = present(matchDifference([...picked, ...sided], convention), 'difference within the tolerance');
    return {
      side,
      records: combination.flatMap((record) => lines.get(record.id) ?? []),
      total: combination.reduce((sum, record) => sum + signedUnitsOf(record, scale), 0),
      difference: apart * 10 ** (scale - Math.max(...[...picked, ...sided].map((record) => record.decimal_places))),
      day_span: Math.max(...days) - Math.min(...days),
      is_only: isOnly(found, question.most) && !searched.isCut,
    };
  });
}

function answered(
  context: ServiceContext,
  caller: Caller,
  question: Question,
  difference: number,
  searched: readonly Searched[],
): Answered {
  const { picked } = question;
  const nets = netsOf(picked);
  const last = searched.at(-1);
  const scale = last?.scale ?? nets.scale;
  return {
    difference: difference * 10 ** (scale - nets.scale),
    currency: present(picked[0], 'line picked').currency,
    decimal_places: scale,
    suggestions: last === undefined ? [] : suggestionsOf(context, caller, question, last),
    searched: searched.map(({ side, records, isCut, found }) => ({
      side,
      candidates: records.length,
      is_cut: isCut,
      gave_up: found.gaveUp,
      known_up_to: found.knownUpTo,
    })),
  };
}

function suggestSums(context: ServiceContext): Handlers['matches.suggest_sums'] {
  return async (caller, input) => {
    const { database } = context;
    const reconciliation = findReconciliation(database, caller.environmentId, input.reconciliation_id);
    if (reconciliation === undefined) return missing('reconciliation', input.reconciliation_id);
    const picked = matchableRecords(database, caller, reconciliation, input.record_ids);
    if (!picked.ok) return picked;
    const convention = signConventionOf(reconciliation.sign_convention);
    const { tolerance, records: most } = input;
    const question: Question = { reconciliationId: reconciliation.id, convention, picked: picked.value, tolerance, most };
    const difference = matchDifference(picked.value, convention);
    if (difference === null || Math.abs(difference) > SUM_LIMITS.units) {
      return refuseField('validation_failed', 'record_ids', phrase('matches.refusals.differenceOfTheseRecordsIsBeyond'));
    }
    const streams = streamIdsBySide(database, reconciliation.id);
    const searched: Searched[] = [];
    for (const side of Math.abs(difference) <= input.tolerance ? [] : sidesInOrder(picked.value)) {
      const open = await openRecordsNear(database, {
        reconciliationId: reconciliation.id,
        streamIds: streams[side],
        picked: picked.value,
        days: input.days,
        limit: SUGGESTION_LIMITS.candidates,
      });
      searched.push(search(question, side, open));
      if ((searched.at(-1)?.found.count ?? 0) > 0) break;
    }
    return answer(answered(context, caller, question, difference, searched));
  };
}

export function sumSuggestionHandlers(context: ServiceContext): Pick<Handlers, 'matches.suggest_sums'> {
  return { 'matches.suggest_sums': suggestSums(context) };
}

/** Days (or records) that are read before other work gets its turn. */
const READS_A_TURN = 1_000;
const RECORDS_A_READ = 500;

export interface Nearby {
  readonly reconciliationId: number;
  readonly streamIds: readonly number[];
  readonly picked: readonly Pick<RecordRow, 'id' | 'day' | 'currency'>[];
  /** The number of days on either side of the picked records. */
  readonly days: number;
  readonly limit: number;
}

export interface OpenRecords {
  readonly records: readonly EngineRecord[];
  /** Whether there are more records within these days. */
  readonly isCut: boolean;
}

/** Yields the days to search, nearest first. */
function* daysByDistance(first: number, last: number, days: number): Generator<number> {
  for (let day = first; day <= last; day += 1) yield day;
  for (let apart = 1; apart <= days; apart += 1) {
    yield first - apart;
    yield last + apart;
  }
}

/** Returns open records near the picked ones and in their currency, nearest first. Reads day by day, so that other work need not wait. */
export async function openRecordsNear(read: ReadHandle, near: Nearby): Promise<OpenRecords> {
  const { reconciliationId, streamIds, picked, days, limit } = near;
  const taken = new Set(picked.map((record) => record.id));
  const currency = picked[0]?.currency;
  const pickedDays = picked.map((record) => record.day);
  const records: EngineRecord[] = [];
  // Yields before the first read, because the search of the other side has just used a turn.
  let sinceTurn = READS_A_TURN;
  for (const day of daysByDistance(Math.min(...pickedDays), Math.max(...pickedDays), days)) {
    for (const streamId of streamIds) {
      for (let afterId: number | null = 0; afterId !== null;) {
        const page = freeRecordsOfDay(read, { reconciliationId, streamId, day, afterId, limit: RECORDS_A_READ });
        for (const record of page.records) {
          if (record.currency !== currency || taken.has(record.id)) continue;
          if (records.length === limit) return { records, isCut: true };
          records.push(record);
        }
        afterId = page.lastId;
        sinceTurn += 1 + page.read;
        if (sinceTurn < READS_A_TURN) continue;
        sinceTurn = 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }
  return { records, isCut: false };
}
