import { storedJson } from '../../database/json-columns.ts';
import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import type { BacktestRequest } from '../../jobs/protocol.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { findRule, type RuleRow } from '../store/rules.ts';
import { checkRule, newRuleRow } from './rule-input.ts';
import { refusalOf, withRecords } from './rule-preview.ts';
import { unknownReconciliation } from './rules.ts';

interface Asked {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
  readonly examples: number;
}

/** Returns the requested period and its caller, or a refusal if it ends before it begins. */
function askedBy(caller: Caller, { date_from: from, date_to: to, examples }: Asked) {
  if (from !== undefined && to !== undefined && to < from) {
    return refuseField('validation_failed', 'date_to', `date_to (${to}) is before date_from (${from}): name a period that has days.`);
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
