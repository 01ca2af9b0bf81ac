import type { FieldError, SignConvention } from '../../../src-shared/contract/index.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import type { Preset } from '../../../src-shared/contract/rules/rules.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { signEvidence, signEvidenceByAmount } from '../../domain/matching/index.ts';
import { freeRecords } from '../../records/work/engine-input.ts';
import { newRuleRow } from '../../rules/operations/rule-input.ts';
import { insertRule } from '../../rules/store/rules.ts';
import { openRun } from '../../runs/store/runs.ts';
import { answer, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { refusedStreams } from '../../service/period-lock.ts';
import { RESERVED_KEYS, reservedStream } from '../../service/reserved-streams.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import {
  deleteOverdueMarksOfStreams,
  deleteProposalsOfStreams,
  matchedRecordsOfStreams,
  replaceSides,
  type SideIds,
  streamIdsBySide,
} from '../store/reconciliations.ts';

/** The given sides; a side that a change omits stays as it is. */
interface GivenSides {
  readonly side_a_stream_ids?: readonly number[] | undefined;
  readonly side_b_stream_ids?: readonly number[] | undefined;
}

/** The result of a change of the sides. Proposals and overdue marks of removed streams are dropped. */
interface SidesChange extends SideIds {
  readonly added: readonly number[];
  readonly removed: readonly number[];
  readonly droppedProposals: number;
  readonly droppedOverdueMarks: number;
}

/** Returns the keys of the existing streams, by id. */
function knownStreams(read: ReadHandle, environmentId: number, ids: readonly number[]): ReadonlyMap<number, string> {
  const rows = read.all(
    query.selectFrom('streams').select(['id', 'key']).where('environment_id', '=', environmentId).where('id', 'in', ids),
  );
  return new Map(rows.map((row) => [row.id, row.key]));
}

/** Returns the fault of a list entry that names Tieout's own stream. */
export function reservedSide(path: string): readonly FieldError[] {
  return reservedStream(path, phrase('reconciliations.reconciliationSides.itsRecordsStandInTheirMatchesAlready')).error.errors;
}

/** Returns the faults of ids that name no stream, or a stream that cannot be on a side. */
function streamFaults(ids: readonly number[] | undefined, field: string, known: ReadonlyMap<number, string>): FieldError[] {
  return (ids ?? []).flatMap((id, index) => {
    const key = known.get(id);
    if (key !== undefined) return RESERVED_KEYS.has(key) ? reservedSide(`${field}.${index}`) : [];
    const message = phrase('reconciliations.reconciliationSides.thereIsNoDataStream', { id });
    return [{ path: `${field}.${index}`, code: 'unknown_reference', message }];
  });
}

/** Returns a fault for every entry of a list that is on the other side too. */
export function onBothSides<T>(given: readonly T[], other: readonly T[], field: string, nameOf: (stream: T) => string): FieldError[] {
  return given.flatMap((stream, index) => {
    if (!other.includes(stream)) return [];
    const message = phrase('reconciliations.onBothSides', { account: nameOf(stream) });
    return [{ path: `${field}.${index}`, code: 'stream_on_both_sides', message }];
  });
}

/** Refuses with all faults and the sentence of the first; returns null if there are none. */
export function sidesRefusal(faults: readonly FieldError[]) {
  const [first] = faults;
  if (first === undefined) return null;
  const own = (['unknown_reference', 'reserved_key'] as const).find((code) => code === first.code);
  return refuse(own ?? 'validation_failed', first.message, faults);
}

/** Returns the faults of the sides after a change, each at its place in the given lists. */
export function faultsOfSides(read: ReadHandle, environmentId: number, given: GivenSides, sides: SideIds): FieldError[] {
  const known = knownStreams(read, environmentId, [...new Set([...sides.a, ...sides.b])]);
  const { side_a_stream_ids: a, side_b_stream_ids: b } = given;
  const unfit = [...streamFaults(a, 'side_a_stream_ids', known), ...streamFaults(b, 'side_b_stream_ids', known)];
  const both =
    b === undefined ? onBothSides(a ?? [], sides.b, 'side_a_stream_ids', String) : onBothSides(b, sides.a, 'side_b_stream_ids', String);
  return [...unfit, ...both.filter((fault) => !unfit.some((other) => other.path === fault.path))];
}

function matchesRefusal(write: WriteHandle, reconciliationId: number, removed: readonly number[]) {
  const errors = matchedRecordsOfStreams(write, reconciliationId, removed).map(({ side, key, name, records }) => {
    const message = phrase('reconciliations.hasMatches', { key, name, side: side.toUpperCase(), records });
    return { path: `side_${side}_stream_ids`, code: 'stream_has_matches', message };
  });
  return errors.length === 0 ? null : refuse('stream_has_matches', errors.map((error) => error.message).join(' '), errors);
}

/**
 * Changes the streams on the sides of a reconciliation, or refuses; returns null if they are unchanged. Drops proposals of records that leave, which
 * the next run computes anew, and their overdue marks.
 */
export function changeSides(write: WriteHandle, reconciliation: ReconciliationRow, given: GivenSides) {
  const before = streamIdsBySide(write, reconciliation.id);
  const after: SideIds = { a: [...new Set(given.side_a_stream_ids ?? before.a)], b: [...new Set(given.side_b_stream_ids ?? before.b)] };
  const refusal = sidesRefusal(faultsOfSides(write, reconciliation.environment_id, given, after));
  if (refusal !== null) return refusal;
  // A stream that changes sides leaves one of them: members are stored with their side.
  const removed = [...before.a.filter((id) => !after.a.includes(id)), ...before.b.filter((id) => !after.b.includes(id))];
  const added = [...after.a.filter((id) => !before.a.includes(id)), ...after.b.filter((id) => !before.b.includes(id))];
  if (removed.length === 0 && added.length === 0) return answer(null);
  const open = openRun(write, reconciliation.id);
  if (open !== undefined) {
    return refuse('run_in_progress', phrase('reconciliations.refusals.runOfThisReconciliationIsInProgress', { id: open.id }));
  }
  const matched = matchesRefusal(write, reconciliation.id, removed);
  if (matched !== null) return matched;
  const closed = refusedStreams(write, reconciliation.id, [...added, ...removed]);
  if (closed !== null) return closed;
  const change: SidesChange = {
    ...after,
    added,
    removed,
    droppedProposals: deleteProposalsOfStreams(write, reconciliation.id, removed),
    droppedOverdueMarks: deleteOverdueMarksOfStreams(
      write,
      reconciliation.id,
      removed.filter((id) => !added.includes(id)),
    ),
  };
  replaceSides(write, reconciliation.id, after);
  return answer(change);
}

/** Whether each member's record belongs to a stream that is still on the member's side. */
export function stillOnTheirSides(
  read: ReadHandle,
  reconciliationId: number,
  members: readonly { readonly stream_id: number; readonly side: 'a' | 'b' }[],
): boolean {
  const sides = streamIdsBySide(read, reconciliationId);
  return members.every((member) => sides[member.side].includes(member.stream_id));
}

/** The number of records of a side that are read to determine the sign: enough, and fast. */
const EVIDENCE_RECORDS = 20_000;

interface SettledSign {
  readonly convention: Exclude<SignConvention, 'any'>;
  readonly same: number;
  readonly opposite: number;
  /** Whether nothing in the data indicated either, so that the usual one was assumed. */
  readonly assumed: boolean;
}

/**
 * Determines whether books and bank have the same signs: from pairs with equal references, else from amounts that occur once on either side within
 * three days, else from the ledger's header.
 */
export function settleSign(
  context: ServiceContext,
  sides: { readonly a: readonly StreamRow[]; readonly b: readonly StreamRow[] },
): SettledSign {
  const read = (streams: readonly StreamRow[]) =>
    freeRecords(
      context.database,
      0,
      streams.map((stream) => stream.id),
      EVIDENCE_RECORDS,
    );
  const sideA = read(sides.a);
  const sideB = read(sides.b);
  for (const evidence of [signEvidence(sideA, sideB), signEvidenceByAmount(sideA, sideB)]) {
    if (evidence.same !== evidence.opposite) {
      return { ...evidence, convention: evidence.same > evidence.opposite ? 'same' : 'opposite', assumed: false };
    }
  }
  const literal = (streams: readonly StreamRow[]) => streams.some((stream) => stream.literal_debit_credit === 1);
  return { same: 0, opposite: 0, convention: literal(sides.a) === literal(sides.b) ? 'same' : 'opposite', assumed: true };
}

/** Inserts the rules of a preset. Reconciliations created by the app or the command line start with them, unless another preset is named. */
export function insertPreset(write: WriteHandle, reconciliationId: number, atMs: number, preset?: Preset): void {
  for (const [position, body] of presetRules(preset).entries()) {
    insertRule(write, newRuleRow(body, { reconciliationId, priority: (position + 1) * 10, source: 'default', createdAtMs: atMs }));
  }
}
