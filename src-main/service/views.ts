import type {
  ImportBatch,
  Match,
  Reconciliation,
  ReconciliationSummary,
  RecordItem,
  Rule,
  Run,
  Stream,
} from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { namedCurrency, NO_CURRENCY } from '../../src-shared/values/money.ts';
import { capitalized } from '../../src-shared/values/english.ts';
import { keyNameOf } from '../book/store/api-keys.ts';
import { jobOfRun } from '../book/store/jobs.ts';
import { actorText } from '../close/work/words.ts';
import type { ReadHandle } from '../database/database.ts';
import { storedJson } from '../database/json-columns.ts';
import type { ReconciliationRow, RecordWithStream } from '../database/rows.ts';
import { probabilityOf } from '../domain/evidence/model/weight.ts';
import { marginOf, marginView } from '../domain/matching/index.ts';
import { compareText } from '../domain/records/content.ts';
import { reasonInWords } from '../domain/statement/index.ts';
import { alternativeDescriptionsOf, type AlternativeDescriptionWithFile } from '../imports/store/alternative-descriptions.ts';
import type { ImportBatchRow } from '../imports/store/import-batches.ts';
import { totalIn } from '../imports/work/figures.ts';
import { percent } from '../jobs/protocol.ts';
import { matchesOfRecords, type MemberRow, membersOf } from '../matches/store/matches.ts';
import type { ReconciliationTotals } from '../reconciliations/store/figures.ts';
import { sideStreams } from '../reconciliations/store/reconciliations.ts';
import { overdueMarks, type OverdueRow } from '../records/store/exceptions.ts';
import { SUM_BASE } from '../records/store/records.ts';
import { type ReversalOfRecord, reversalsOf, reversersOf } from '../records/store/reversals.ts';
import { signConventionOf } from '../records/work/engine-input.ts';
import { searchNotes } from '../rules/store/proposals.ts';
import type { RuleRow } from '../rules/store/rules.ts';
import { lastFinishedRun, openRun, type RunRow } from '../runs/store/runs.ts';
import { type StreamRow, streamsById } from '../streams/store/streams.ts';
import { timestampOf, timestampOrNull } from './answers.ts';
import type { ServiceContext } from './context.ts';
import { reasonOf } from './difference-reasons.ts';
import type { ReasonedMatch } from './match-reasons.ts';

/** The number of matched records that a record shows. */
const SHOWN_MATCHED_RECORDS = 100;

export function streamView(row: StreamRow, records: ReadonlyMap<number, number>): Stream {
  return {
    key: row.key,
    name: row.name,
    id: row.id,
    description: row.description,
    type: row.type,
    bank_account_id: row.bank_account_id,
    currency: row.currency,
    reference_field: row.reference_field,
    read_by: row.read_by,
    batch_lines: row.batch_lines,
    record_count: records.get(row.id) ?? 0,
  };
}

export function batchView(row: ImportBatchRow): ImportBatch {
  const totals = storedJson('import_batches.totals', row.totals, row.id);
  const total = totalIn(totals, row.currency ?? row.stream_currency);
  const [credits, debits] = [total?.credits ?? 0, total?.debits ?? 0];
  return {
    id: row.id,
    data_stream_key: row.data_stream_key,
    source: row.source as ImportBatch['source'],
    filename: row.filename,
    record_count: row.kept,
    total_credits: credits,
    total_debits: debits,
    net_amount: credits - debits,
    currency: namedCurrency(total?.currency ?? NO_CURRENCY),
    decimal_places: total?.decimal_places ?? 2,
    date_range_start: row.date_start === null ? null : isoFromDay(row.date_start),
    date_range_end: row.date_end === null ? null : isoFromDay(row.date_end),
    created_at: timestampOf(row.created_at),
    records_url: `/v1/import_batches/${row.id}/records`,
    format: row.format,
    sha256: row.sha256,
    byte_length: row.byte_length,
    file_kept: row.kept_bytes !== null,
    kept: row.kept,
    skipped: row.skipped,
    rejected: row.rejected,
    opening_balance: row.opening_balance,
    closing_balance: row.closing_balance,
    proof: row.proof as ImportBatch['proof'],
    recipe: storedJson('import_batches.recipe', row.recipe, row.id),
    totals,
  };
}

export function ruleView(row: RuleRow): Rule {
  return {
    id: row.id,
    reconciliation_id: row.reconciliation_id,
    filters: storedJson('rules.filters', row.filters, row.id),
    priority: row.priority,
    group_by: storedJson('rules.group_by', row.group_by, row.id),
    cardinality: row.cardinality as Rule['cardinality'],
    rollup: storedJson('rules.rollup', row.rollup, row.id),
    description: row.description,
    source: row.source as Rule['source'],
    status: row.status as Rule['status'],
    outcome: row.outcome as Rule['outcome'],
    commit_certainty: storedJson('rules.commit_certainty', row.commit_certainty, row.id),
    method: row.method as Rule['method'],
    budget: row.budget,
    max_difference: storedJson('rules.max_difference', row.max_difference, row.id),
    paused: row.paused === 1,
    paused_reason: row.paused_reason,
    created_at: timestampOf(row.created_at),
    ...(row.confidence === null ? {} : { confidence: row.confidence as Rule['confidence'] }),
    ...(row.sample_match_rate === null ? {} : { sample_match_rate: row.sample_match_rate }),
  };
}

function proposalsView(row: RunRow): Run['proposals'] {
  const { rules, nothing } = searchNotes(row);
  return { rules, nothing };
}

/** Returns a run as the contract has it. `live` has the counts of a run in progress. */
/** Returns who asked for a run, in words; null if its job is not known. */
function startedBy(read: ReadHandle, runId: number): string | null {
  const job = jobOfRun(read, runId);
  if (job === undefined) return null;
  const { actor } = storedJson('jobs.payload:run', job.payload, job.id);
  return keyNameOf(read, actor) ?? capitalized(actorText(actor));
}

function runView(read: ReadHandle, row: RunRow, live: { readonly processed: number; readonly total: number } | null): Run {
  const processed = live?.processed ?? row.processed_records;
  const total = live?.total ?? row.total_records;
  return {
    id: row.id,
    reconciliation_id: row.reconciliation_id,
    total_records: total,
    processed_records: processed,
    examined_records: row.examined_records,
    matched_records: row.matched_records,
    rule_summary: storedJson('runs.rule_summary', row.rule_summary, row.id),
    progress: row.status === 'completed' ? 100 : percent(processed, total),
    started_at: timestampOrNull(row.started_at),
    completed_at: timestampOrNull(row.completed_at),
    kind: row.kind as Run['kind'],
    mode: row.mode as Run['mode'],
    status: row.status as Run['status'],
    trigger: row.cause as Run['trigger'],
    started_by: startedBy(read, row.id),
    proposed_matches: row.proposed_matches,
    matches: row.matches,
    matched_side_a: row.matched_side_a,
    matched_side_b: row.matched_side_b,
    undone_at: timestampOrNull(row.undone_at),
    error_message: row.error_message,
    no_shared_currency: storedJson('runs.no_shared_currency', row.no_shared_currency, row.id),
    proposals: row.proposals === null ? null : proposalsView(row),
  };
}

export function matchView(row: ReasonedMatch): Match {
  return {
    id: row.id,
    status: row.status,
    group_key: row.group_key,
    reconciliation_id: row.reconciliation_id,
    reconciliation_rule_id: row.rule_id,
    created_at: timestampOf(row.created_at),
    record_count: row.record_count,
    origin: row.origin as Match['origin'],
    difference: row.difference,
    certainty: row.certainty as Match['certainty'],
    margin: row.margin === null ? null : marginView(marginOf(storedJson('matches.margin', row.margin, row.id))),
    explanation: [...row.explanation],
    likelihood: row.likelihood === null ? null : probabilityOf(row.likelihood),
    evidence: [...row.evidence],
    confirmed_by: row.confirmed_by,
    confirmed_in_bulk: row.confirmed_in_bulk === 1,
    adjustment_record_id: row.adjustment_id,
    difference_reason: reasonOf(row),
  };
}

type Matched = RecordItem['matched_records'][number];

function matchedRecord(member: MemberRow, reconciliation: { readonly id: number; readonly name: string }): Matched {
  return {
    id: member.id,
    amount: member.amount,
    direction: member.direction === 1 ? 'credit' : 'debit',
    currency: member.currency,
    decimal_places: member.decimal_places,
    description: member.description,
    date: isoFromDay(member.day),
    external_id: member.external_id,
    data_stream_key: member.data_stream_key,
    reconciliation_id: reconciliation.id,
    reconciliation_name: reconciliation.name,
  };
}

function recordView(
  row: RecordWithStream,
  matched: readonly Matched[],
  matchedTotal: number,
  overdue: readonly OverdueRow[],
  isReconciled: boolean,
  today: number,
  reversal: ReversalView,
  alternatives: readonly AlternativeDescriptionWithFile[],
): RecordItem {
  return {
    id: row.id,
    amount: row.amount,
    direction: row.direction === 1 ? 'credit' : 'debit',
    date: isoFromDay(row.day),
    data_stream_key: row.data_stream_key,
    currency: row.currency,
    decimal_places: row.decimal_places,
    description: row.description,
    metadata: storedJson('records.metadata', row.metadata, row.id),
    status: isReconciled ? 'reconciled' : 'unreconciled',
    external_id: row.external_id,
    matched_records: [...matched],
    matched_records_total: matchedTotal,
    days_unreconciled: isReconciled ? null : Math.max(0, today - row.day),
    overdue: overdue.map((mark) => ({ reconciliation_id: mark.reconciliation_id, overdue_at: timestampOf(mark.overdue_at) })),
    // An id below 0 is that of a wipe's batch, which gathered records without a batch.
    import_batch_id: row.batch_id !== null && row.batch_id > 0 ? row.batch_id : null,
    ...reversal,
    created_at: timestampOf(row.created_at),
    value_date: row.value_day === null ? null : isoFromDay(row.value_day),
    other_files: alternatives.map(alternativeView),
  };
}

function alternativeView(row: AlternativeDescriptionWithFile): RecordItem['other_files'][number] {
  return {
    import_batch_id: row.batch_id,
    filename: row.filename,
    imported_at: timestampOf(row.batch_created_at),
    date: isoFromDay(row.day),
    value_date: row.value_day === null ? null : isoFromDay(row.value_day),
    description: row.description,
    external_id: row.external_id,
  };
}

/** Returns records as the contract has them. Status and matched records are derived from matches, in the given reconciliation or else in any. */
export function recordViews(
  read: ReadHandle,
  rows: readonly RecordWithStream[],
  reconciliationId: number | null,
  today: number,
): RecordItem[] {
  const ids = rows.map((row) => row.id);
  const held = matchesOfRecords(read, ids, reconciliationId).filter((found) => found.status === 'matched');
  const members = Map.groupBy(
    membersOf(read, [...new Set(held.map((found) => found.match_id))], SHOWN_MATCHED_RECORDS + 1),
    (member) => member.match_id,
  );
  const heldByRecord = Map.groupBy(held, (found) => found.record_id);
  const sizes = matchSizes(
    read,
    held.map((found) => found.match_id),
  );
  const marks = Map.groupBy(overdueMarks(read, ids), (mark) => mark.record_id);
  const reversalOf = reversalViews(read, ids);
  const alternatives = Map.groupBy(alternativeDescriptionsOf(read, ids), (alternative) => alternative.record_id);
  return rows.map((row) => {
    const own = heldByRecord.get(row.id) ?? [];
    const matched = own.flatMap((found) =>
      (members.get(found.match_id) ?? [])
        .filter((member) => member.id !== row.id)
        .map((member) => matchedRecord(member, { id: found.reconciliation_id, name: found.reconciliation_name })),
    );
    const total = own.reduce((sum, found) => sum + (sizes.get(found.match_id) ?? 1) - 1, 0);
    return recordView(
      row,
      matched.slice(0, SHOWN_MATCHED_RECORDS),
      total,
      marks.get(row.id) ?? [],
      own.length > 0,
      today,
      reversalOf(row.id),
      alternatives.get(row.id) ?? [],
    );
  });
}

function matchSizes(read: ReadHandle, matchIds: readonly number[]): Map<number, number> {
  const rows = read
    .prepare<[string], { id: number; record_count: number }>(
      'SELECT m.id, m.record_count FROM json_each(?) j JOIN matches m ON m.id = j.value',
    )
    .all(JSON.stringify([...new Set(matchIds)]));
  return new Map(rows.map((row) => [row.id, row.record_count]));
}

/** The members of a record that concern returns and reversals. */
type ReversalView = Pick<RecordItem, 'reverses_record_id' | 'reversed_by_record_id' | 'reversal_reason'>;

/** Returns the reversals of some records, by id. Words in a text count only if the reversed line is known. */
function reversalViews(read: ReadHandle, ids: readonly number[]): (id: number) => ReversalView {
  const marked = new Map(reversalsOf(read, ids).map((row) => [row.record_id, row]));
  const reversers = new Map(reversersOf(read, ids).map((row) => [row.record_id, row.reversed_by]));
  return (id) => ({
    reverses_record_id: marked.get(id)?.reverses_record_id ?? null,
    reversed_by_record_id: reversers.get(id) ?? null,
    reversal_reason: reasonOfRow(marked.get(id)),
  });
}

function reasonOfRow(row: ReversalOfRecord | undefined): string | null {
  if (row === undefined) return null;
  const { by, reason } = storedJson('reversals.mark', row.mark, row.record_id);
  return by === 'words' && row.reverses_record_id === null ? null : reasonInWords(by, reason);
}

/** Returns a run with the counts of the worker that runs it. */
export function liveRunView(context: ServiceContext, row: RunRow): Run {
  const open = row.status === 'pending' || row.status === 'running';
  const job = open ? jobOfRun(context.database, row.id) : undefined;
  const progress = job === undefined ? null : context.queue.progressOf(job.id);
  const unstored = job === undefined ? null : context.queue.unstoredEnd(job.id);
  return runView(context.database, unstored === null ? row : { ...row, status: 'failed', error_message: unstored }, progress);
}

/** `records` is the number of records of each stream. */
export function reconciliationViews(
  context: ServiceContext,
  rows: readonly ReconciliationRow[],
  records: ReadonlyMap<number, number>,
): Reconciliation[] {
  const { database } = context;
  const links = sideStreams(
    database,
    rows.map((row) => row.id),
  );
  const environmentId = rows[0]?.environment_id ?? 0;
  const streams = new Map(
    streamsById(database, environmentId, [...new Set(links.map((link) => link.stream_id))]).map((row) => [
      row.id,
      streamView(row, records),
    ]),
  );
  const side = (id: number, name: 'a' | 'b') =>
    links
      .filter((link) => link.reconciliation_id === id && link.side === name)
      .map((link) => present(streams.get(link.stream_id), 'stream of a side'));
  return rows.map((row) => {
    const current = openRun(database, row.id);
    const last = lastFinishedRun(database, row.id);
    return {
      id: row.id,
      name: row.name,
      run_type: row.run_type === 'batch' ? 'batch' : 'continuous',
      side_a_streams: side(row.id, 'a'),
      side_b_streams: side(row.id, 'b'),
      created_at: timestampOf(row.created_at),
      current_run: current === undefined ? null : liveRunView(context, current),
      last_run: last === undefined ? null : runView(database, last, null),
      sign_convention: signConventionOf(row.sign_convention),
    };
  });
}

type SideSummary = ReconciliationSummary['side_a'];
type Total = SideSummary['totals'][number];

/** The figures of one currency and scale, or a part of them; nets in minor units. */
interface Part {
  readonly currency: string;
  readonly decimal_places: number;
  readonly records: number;
  readonly matched: number;
  readonly proposed: number;
  readonly net: bigint;
  readonly matchedNet: bigint;
  readonly proposedNet: bigint;
  readonly adjusted: bigint;
}

const sumOf = ({ high, low }: { readonly high: number; readonly low: number }): bigint => BigInt(high) * SUM_BASE + BigInt(low);

/** Returns the parts of a side: its matched, open and proposed lines, and its adjustments. */
function partsOf(name: 'a' | 'b', { lines, adjustments }: ReconciliationTotals): Part[] {
  const none = { records: 0, matched: 0, proposed: 0, net: 0n, matchedNet: 0n, proposedNet: 0n, adjusted: 0n };
  return [
    ...lines
      .filter(({ side }) => side === name)
      .map(({ currency, decimal_places, records, state, ...sums }): Part => {
        const net = sumOf(sums);
        const matched = state === 'matched' ? { matched: records, matchedNet: net } : {};
        const proposed = state === 'proposed' ? { proposed: records, proposedNet: net } : {};
        return { ...none, currency, decimal_places, records, net, ...matched, ...proposed };
      }),
    ...adjustments
      .filter(({ side }) => side === name)
      .map(({ currency, decimal_places, ...sums }): Part => ({ ...none, currency, decimal_places, adjusted: sumOf(sums) })),
  ];
}

function countsOf(parts: readonly Part[]) {
  const sum = (member: 'records' | 'matched' | 'proposed') => parts.reduce((count, part) => count + part[member], 0);
  const [records, matched, proposed] = [sum('records'), sum('matched'), sum('proposed')];
  return { records, matched, open: records - matched, proposed, unmatched: records - matched };
}

/** Returns the figures of one currency at its finest scale; null if a sum exceeds 2^53-1. Open is computed as the rest, so that the lines add up. */
function totalOf(currency: string, parts: readonly Part[]): Total | null {
  const scale = Math.max(...parts.map((part) => part.decimal_places));
  const sum = (member: 'net' | 'matchedNet' | 'proposedNet' | 'adjusted') =>
    parts.reduce((total, part) => total + part[member] * 10n ** BigInt(scale - part.decimal_places), 0n);
  const [net, matched] = [sum('net'), sum('matchedNet')];
  const nets = {
    net: Number(net),
    matched_net: Number(matched),
    open_net: Number(net - matched),
    proposed_net: Number(sum('proposedNet')),
    unmatched_net: Number(net - matched),
    adjusted_net: Number(sum('adjusted')),
  };
  if (!Object.values(nets).every((value) => Number.isSafeInteger(value))) return null;
  return { currency, decimal_places: scale, ...countsOf(parts), ...nets };
}

/** Returns one total per currency: most lines first, then by code. */
function sideOf(parts: readonly Part[]): SideSummary | null {
  const totals = [...Map.groupBy(parts, (part) => part.currency)].map(([currency, own]) => totalOf(currency, own));
  const whole = totals.filter((total) => total !== null);
  if (whole.length < totals.length) return null;
  return {
    ...countsOf(parts),
    totals: whole.toSorted((left, right) => right.records - left.records || compareText(left.currency, right.currency)),
  };
}

/** Returns what is matched, proposed and open on both sides; null if a sum is out of range. */
export function summaryOf(id: number, totals: ReconciliationTotals): ReconciliationSummary | null {
  const [a, b] = [sideOf(partsOf('a', totals)), sideOf(partsOf('b', totals))];
  if (a === null || b === null) return null;
  const { matches, proposedMatches, differingMatches } = totals;
  return {
    reconciliation_id: id,
    matches,
    proposed_matches: proposedMatches,
    differing_matches: differingMatches,
    side_a: a,
    side_b: b,
  };
}
