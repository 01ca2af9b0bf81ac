import type { RuleBody, SidedRecord, WouldBeMatch } from '../../../src-shared/contract/index.ts';
import { PREVIEW_LIMITS } from '../../../src-shared/contract/rules/rule-preview.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { BacktestRequest, PreviewFound, PreviewRequest } from '../../jobs/protocol.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { recordsById } from '../../records/store/records.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { recordViews } from '../../service/views.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { findRule, type RuleRow } from '../store/rules.ts';
import type { PreviewOutcome } from '../work/rule-previews.ts';
import { checkRule, newRuleRow } from './rule-input.ts';
import { unknownReconciliation } from './rules.ts';

/** The number of matches whose records are read before other work gets its turn. */
const MATCHES_A_TURN = 50;

/** Returns the matches of a sample with their records; leaves out records deleted since. */
async function withRecords<T extends WouldBeMatch>(
  context: ServiceContext,
  caller: Caller,
  reconciliationId: number,
  sample: readonly T[],
): Promise<(T & { readonly records: SidedRecord[] })[]> {
  const shown: (T & { readonly records: SidedRecord[] })[] = [];
  for (let start = 0; start < sample.length; start += MATCHES_A_TURN) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    const part = sample.slice(start, start + MATCHES_A_TURN);
    const ids = part.flatMap((match) => [...match.side_a_record_ids, ...match.side_b_record_ids]);
    const rows = recordsById(context.database, caller.environmentId, ids);
    const views = new Map(recordViews(context.database, rows, reconciliationId, context.clock.today()).map((view) => [view.id, view]));
    const sided = (recordIds: readonly number[], side: 'a' | 'b'): SidedRecord[] =>
      recordIds.flatMap((id) => {
        const view = views.get(id);
        return view === undefined ? [] : [{ ...view, side }];
      });
    for (const match of part) {
      shown.push({ ...match, records: [...sided(match.side_a_record_ids, 'a'), ...sided(match.side_b_record_ids, 'b')] });
    }
  }
  return shown;
}

/** Returns the refusal for a preview or backtest without a result; `what` is the subject of its sentences. */
function refusalOf(outcome: Exclude<PreviewOutcome, { readonly end: 'completed' | 'missing' }>, what: 'preview' | 'back-test') {
  switch (outcome.end) {
    case 'failed': {
      const path = outcome.ruleId === null ? outcome.path : '';
      return refuse(outcome.code, outcome.message, [{ path, code: outcome.code, message: outcome.message }]);
    }
    case 'too_long':
      return refuse(
        'preview_too_long',
        phrase('rules.rulePreview.theTookLongerThanSeconds', {
          what,
          seconds: PREVIEW_LIMITS.seconds,
          isWhat: what === 'preview' ? 'yes' : 'no',
        }),
      );
    case 'too_many':
      return refuse('preview_unavailable', phrase('rules.rulePreview.onePreviewIsBeingWorked', { waiting: PREVIEW_LIMITS.waiting }));
    case 'cancelled':
      return refuse('preview_unavailable', phrase('rules.rulePreview.theWasStoppedBeforeIt', { what }));
    case 'broken':
      return refuse('internal_error', phrase('rules.rulePreview.tieoutFailedInANothing', { what }));
  }
}

/** Returns the request of a preview: the rule as it would be stored, except for its place in the list. */
function requestOf(caller: Caller, input: Parameters<Handlers['rules.preview']>[1], createdAtMs: number): PreviewRequest {
  const { reconciliation_id: reconciliationId, replaces, sample, ...body } = input;
  const row = newRuleRow(body, { reconciliationId, priority: 0, source: 'user', createdAtMs });
  const rule = { ...row, priority: body.priority ?? null };
  return { environmentId: caller.environmentId, reconciliationId, rule, replaces: replaces ?? null, sample };
}

function previewRule(context: ServiceContext): Handlers['rules.preview'] {
  return async (caller, input) => {
    const { database, clock, previews } = context;
    const { reconciliation_id: reconciliationId, replaces } = input;
    if (findReconciliation(database, caller.environmentId, reconciliationId) === undefined) return unknownReconciliation(reconciliationId);
    if (replaces !== undefined && findRule(database, caller.environmentId, replaces)?.reconciliation_id !== reconciliationId) {
      const message = phrase('rules.rulePreview.reconciliationHasNoRule', { reconciliationId, replaces });
      return refuseField('unknown_reference', 'replaces', message);
    }
    const faults = checkRule(input, propertyTypesBySide(database, reconciliationId));
    if (faults !== null) return faults;
    const outcome = await previews.run(requestOf(caller, input, clock.nowMs()), caller.gone);
    if (outcome.end === 'missing') return unknownReconciliation(reconciliationId);
    if (outcome.end !== 'completed') return refusalOf(outcome, 'preview');
    const found: PreviewFound = outcome.found;
    return answer({ ...found, sample: await withRecords(context, caller, reconciliationId, found.sample) });
  };
}

export function rulePreviewHandlers(context: ServiceContext): Pick<Handlers, 'rules.preview'> {
  return { 'rules.preview': previewRule(context) };
}

interface Asked {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
  readonly examples: number;
}

/** Returns the requested period and its caller, or a refusal if it ends before it begins. */
function askedBy(caller: Caller, { date_from: from, date_to: to, examples }: Asked) {
  if (from !== undefined && to !== undefined && to < from) {
    return refuseField('validation_failed', 'date_to', phrase('rules.rulePreview.dateToIsBeforeDateFromName', { to, from }));
  }
  const period = { firstDay: from === undefined ? null : dayFromIso(from), lastDay: to === undefined ? null : dayFromIso(to) };
  const asked = {
    kind: 'backtest',
    environmentId: caller.environmentId,
    ...period,
    examples,
    isOfWindow: caller.surface === 'app',
  } as const;
  return { ok: true, value: asked } as const;
}

/** Returns the comparisons of a stored rule. */
function storedBody({ id, filters, group_by: groupBy }: RuleRow): Partial<RuleBody> {
  return { filters: storedJson('rules.filters', filters, id), group_by: storedJson('rules.group_by', groupBy, id) };
}

/** Runs a backtest. `gone` is the answer if the reconciliation was deleted meanwhile. */
async function worked<Gone>(context: ServiceContext, caller: Caller, request: BacktestRequest, gone: Gone) {
  const outcome = await context.previews.backtest(request, caller.gone);
  if (outcome.end === 'missing') return gone;
  if (outcome.end !== 'completed') return refusalOf(outcome, 'back-test');
  return answer({ ...outcome.found, examples: await withRecords(context, caller, request.reconciliationId, outcome.found.examples) });
}

export function backtestHandlers(
  context: ServiceContext,
): Pick<Handlers, 'rules.backtest' | 'rules.backtest_unsaved' | 'rules.cancel_backtests'> {
  const { database, clock, previews } = context;
  return {
    'rules.backtest': async (caller, input) => {
      const rule = findRule(database, caller.environmentId, input.id);
      if (rule === undefined) return missing('rule', input.id);
      const asked = askedBy(caller, input);
      if (!asked.ok) return asked;
      const { reconciliation_id: reconciliationId } = rule;
      // The types of its fields may have been declared differently since.
      const faults = checkRule(storedBody(rule), propertyTypesBySide(database, reconciliationId), rule);
      if (faults !== null) return faults;
      return worked(context, caller, { ...asked.value, reconciliationId, rule, ruleId: rule.id }, missing('rule', input.id));
    },
    'rules.backtest_unsaved': async (caller, input) => {
      const { reconciliation_id: reconciliationId, date_from, date_to, examples, ...body } = input;
      if (findReconciliation(database, caller.environmentId, reconciliationId) === undefined)
        return unknownReconciliation(reconciliationId);
      const asked = askedBy(caller, { date_from, date_to, examples });
      if (!asked.ok) return asked;
      const faults = checkRule(body, propertyTypesBySide(database, reconciliationId));
      if (faults !== null) return faults;
      const rule = newRuleRow(body, { reconciliationId, priority: 0, source: 'user', createdAtMs: clock.nowMs() });
      const gone = unknownReconciliation(reconciliationId);
      return worked(context, caller, { ...asked.value, reconciliationId, rule, ruleId: null }, gone);
    },
    'rules.cancel_backtests': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      return answer({ stopped: previews.cancelBacktests(caller.environmentId, input.id) });
    },
  };
}
