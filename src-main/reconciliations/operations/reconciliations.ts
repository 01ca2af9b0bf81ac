import type { FieldError, Input } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { setSetting } from '../../book/store/settings.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { adjustmentIds } from '../../matches/store/adjustments.ts';
import { signConventionOf } from '../../records/work/engine-input.ts';
import { openRun } from '../../runs/store/runs.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { rebalance } from '../../matches/store/matches.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { refusedReconciliation } from '../../service/period-lock.ts';
import { reconciliationViews, summaryOf } from '../../service/views.ts';
import { RESERVED_KEYS } from '../../service/reserved-streams.ts';
import { streamByKey, type StreamRow } from '../../streams/store/streams.ts';
import {
  deleteReconciliation,
  findReconciliation,
  insertReconciliation,
  type NewReconciliation,
  pageReconciliations,
  updateReconciliation,
} from '../store/reconciliations.ts';
import { changeSides, faultsOfSides, insertPreset, onBothSides, reservedSide, settleSign, sidesRefusal } from './reconciliation-sides.ts';

type Handled =
  | 'reconciliations.create'
  | 'reconciliations.list'
  | 'reconciliations.get'
  | 'reconciliations.update'
  | 'reconciliations.remove'
  | 'reconciliations.set_up'
  | 'reconciliations.summary';

/** The number of adjustment ids that an audit entry names; the entry also has the count of all. */
const AUDITED_ADJUSTMENTS = 1_000;

function insertAudited(write: WriteHandle, caller: Caller, created: NewReconciliation): ReconciliationRow {
  const id = insertReconciliation(write, created);
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs: created.createdAtMs,
    actor: caller.actor,
    action: 'reconciliation.created',
    detail: { reconciliation_id: id, name: created.name, a: created.a, b: created.b, sign_convention: created.signConvention },
  });
  return present(findReconciliation(write, caller.environmentId, id), 'reconciliation');
}

function createReconciliation(context: ServiceContext): Handlers['reconciliations.create'] {
  return (caller, input) => {
    const sides = { a: input.side_a_stream_ids, b: input.side_b_stream_ids };
    const outcome = context.database.write((write) => {
      const refusal = sidesRefusal(faultsOfSides(write, caller.environmentId, input, sides));
      if (refusal !== null) return refusal;
      return answer(
        insertAudited(write, caller, {
          environmentId: caller.environmentId,
          name: input.name,
          runType: input.run_type,
          signConvention: input.sign_convention,
          createdAtMs: context.clock.nowMs(),
          ...sides,
        }),
      );
    });
    if (!outcome.ok) return outcome;
    context.changed(['reconciliations'], outcome.value.id);
    return answer(
      present(
        reconciliationViews(context, [outcome.value], context.figures.now('recordCounts', caller.environmentId))[0],
        'reconciliation',
      ),
    );
  };
}

function streamsByKey(context: ServiceContext, caller: Caller, keys: readonly string[], path: string) {
  const streams = new Map<string, StreamRow>();
  const faults: FieldError[] = [];
  for (const [index, key] of keys.entries()) {
    const stream = streamByKey(context.database, caller.environmentId, key);
    if (RESERVED_KEYS.has(key)) faults.push(...reservedSide(`${path}.${index}`));
    else if (stream !== undefined) streams.set(key, stream);
    else {
      const message = phrase('reconciliations.noAccount', { key });
      faults.push({ path: `${path}.${index}`, code: 'unknown_reference', message });
    }
  }
  return { streams: [...streams.values()], faults };
}

function setUp(context: ServiceContext): Handlers['reconciliations.set_up'] {
  return (caller, input: Input<'reconciliations.set_up'>) => {
    const a = streamsByKey(context, caller, input.side_a_keys, 'side_a_keys');
    const b = streamsByKey(context, caller, input.side_b_keys, 'side_b_keys');
    const both = onBothSides(input.side_b_keys, input.side_a_keys, 'side_b_keys', String);
    const refusal = sidesRefusal([
      ...a.faults,
      ...b.faults,
      ...both.filter((fault) => !b.faults.some((other) => other.path === fault.path)),
    ]);
    if (refusal !== null) return refusal;
    const ids = { a: a.streams.map((stream) => stream.id), b: b.streams.map((stream) => stream.id) };
    const sign =
      input.sign_convention === undefined
        ? settleSign(context, { a: a.streams, b: b.streams })
        : { convention: input.sign_convention, same: 0, opposite: 0, assumed: false };
    const nowMs = context.clock.nowMs();
    const row = context.database.write((write) => {
      const created = insertAudited(write, caller, {
        environmentId: caller.environmentId,
        name: input.name,
        runType: input.run_type,
        signConvention: sign.convention,
        createdAtMs: nowMs,
        ...ids,
      });
      if (input.default_rules) insertPreset(write, created.id, nowMs);
      if (input.temporary) setSetting(write, 'temporary_reconciliation', String(created.id));
      return created;
    });
    context.changed(['reconciliations', 'rules'], row.id);
    return answer({
      reconciliation: present(
        reconciliationViews(context, [row], context.figures.now('recordCounts', caller.environmentId))[0],
        'reconciliation',
      ),
      sign_evidence: { same: sign.same, opposite: sign.opposite, assumed: sign.assumed },
    });
  };
}

function updateHandler(context: ServiceContext): Handlers['reconciliations.update'] {
  return (caller, input) => {
    const { id, side_a_stream_ids: a, side_b_stream_ids: b, ...change } = input;
    const outcome = context.database.write((write) => {
      const before = findReconciliation(write, caller.environmentId, id);
      if (before === undefined) return missing('reconciliation', id);
      const convention = change.sign_convention ?? before.sign_convention;
      const isTurned = convention !== before.sign_convention;
      const closed = isTurned ? refusedReconciliation(write, id, 'close.lock.signs') : null;
      if (closed !== null) return closed;
      const sides = changeSides(write, before, { side_a_stream_ids: a, side_b_stream_ids: b });
      if (!sides.ok) return sides;
      if (change.sign_convention !== undefined && openRun(write, id) !== undefined) return runningAnswer();
      if (isTurned && !rebalance(write, id, signConventionOf(convention))) {
        const message = phrase('reconciliations.refusals.underThisSignConventionTheDifference');
        return refuseField('total_out_of_range', 'sign_convention', message);
      }
      updateReconciliation(write, id, change);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'reconciliation.updated',
        detail: { reconciliation_id: id, change: sides.value === null ? change : { ...change, sides: sides.value } },
      });
      return answer({ row: present(findReconciliation(write, caller.environmentId, id), 'reconciliation'), sides: sides.value });
    });
    if (!outcome.ok) return outcome;
    const { row, sides } = outcome.value;
    const isMore = sides !== null || change.sign_convention !== undefined;
    context.changed(isMore ? ['reconciliations', 'matches', 'records'] : ['reconciliations'], id);
    return answer(
      present(reconciliationViews(context, [row], context.figures.now('recordCounts', caller.environmentId))[0], 'reconciliation'),
    );
  };
}

function runningAnswer() {
  return refuse('run_in_progress', phrase('reconciliations.refusals.runOfThisReconciliation'));
}

function removeHandler(context: ServiceContext): Handlers['reconciliations.remove'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findReconciliation(write, caller.environmentId, input.id);
      if (found === undefined) return missing('reconciliation', input.id);
      if (openRun(write, found.id) !== undefined) return runningAnswer();
      const closed = refusedReconciliation(write, found.id, 'close.lock.signed');
      if (closed !== null) return closed;
      const adjustments = adjustmentIds(write, found.id);
      const storyIds = deleteReconciliation(write, found.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'reconciliation.deleted',
        detail: {
          reconciliation_id: found.id,
          name: found.name,
          story_ids: storyIds,
          adjustment_ids: adjustments.slice(0, AUDITED_ADJUSTMENTS),
          adjustments: adjustments.length,
        },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['reconciliations', 'rules', 'matches', 'records'], input.id);
    return outcome;
  };
}

export function reconciliationHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database, figures } = context;
  return {
    'reconciliations.create': createReconciliation(context),
    'reconciliations.list': (caller, input) =>
      whenRead(figures.of('recordCounts', caller.environmentId), (records) => {
        const start = pageStart(input, 'reconciliations -created_at');
        if (!start.ok) return start;
        const rows = pageReconciliations(database, caller.environmentId, start.value);
        return answer(
          pageAnswer(
            rows,
            start.value,
            'reconciliations -created_at',
            (row) => ({ value: row.created_at, id: row.id }),
            (shown) => reconciliationViews(context, shown, records),
          ),
        );
      }),
    'reconciliations.get': (caller, input) =>
      whenRead(figures.of('recordCounts', caller.environmentId), (records) => {
        const found = findReconciliation(database, caller.environmentId, input.id);
        if (found === undefined) return missing('reconciliation', input.id);
        return answer(present(reconciliationViews(context, [found], records)[0], 'reconciliation'));
      }),
    'reconciliations.update': updateHandler(context),
    'reconciliations.remove': removeHandler(context),
    'reconciliations.set_up': setUp(context),
    'reconciliations.summary': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      return whenRead(figures.of('reconciliationTotals', input.id), (totals) => {
        const summary = summaryOf(input.id, totals);
        return summary === null ? refuse('total_out_of_range', phrase('reconciliations.netTooLarge')) : answer(summary);
      });
    },
  };
}
