import type { SidedRecord, WouldBeMatch } from '../../../src-shared/contract/index.ts';
import { PREVIEW_LIMITS } from '../../../src-shared/contract/rules/rule-preview.ts';
import type { PreviewFound, PreviewRequest } from '../../jobs/protocol.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { recordsById } from '../../records/store/records.ts';
import { answer, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { recordViews } from '../../service/views.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { findRule } from '../store/rules.ts';
import type { PreviewOutcome } from '../work/rule-previews.ts';
import { checkRule, newRuleRow } from './rule-input.ts';
import { unknownReconciliation } from './rules.ts';

/** The number of matches whose records are read before other work gets its turn. */
const MATCHES_A_TURN = 50;

/** Returns the matches of a sample with their records; leaves out records deleted since. */
export async function withRecords<T extends WouldBeMatch>(
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
export function refusalOf(outcome: Exclude<PreviewOutcome, { readonly end: 'completed' | 'missing' }>, what: 'preview' | 'back-test') {
  switch (outcome.end) {
    case 'failed': {
      const path = outcome.ruleId === null ? outcome.path : '';
      return refuse(outcome.code, outcome.message, [{ path, code: outcome.code, message: outcome.message }]);
    }
    case 'too_long':
      return refuse(
        'preview_too_long',
        `The ${what} took longer than ${PREVIEW_LIMITS.seconds} seconds and was stopped: ${what === 'preview' ? 'narrow the rule, or start a dry run, which may take its time' : 'narrow the rule, or the period'}.`,
      );
    case 'too_many':
      return refuse(
        'preview_unavailable',
        `One preview is being worked out and ${PREVIEW_LIMITS.waiting} wait, which is as many as may: try again when one of them has ended.`,
      );
    case 'cancelled':
      return refuse('preview_unavailable', `The ${what} was stopped before it had a result: ask for it again.`);
    case 'broken':
      return refuse('internal_error', `Tieout failed in a ${what}; nothing was changed. The log tells why.`);
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
      const message = `Reconciliation ${reconciliationId} has no rule ${replaces}.`;
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
