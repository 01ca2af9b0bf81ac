import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { ruleShape } from '../../domain/matching/index.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { ruleView } from '../../service/views.ts';
import {
  dismissShape,
  findRemovedRule,
  findRule,
  forgetShape,
  listRules,
  removeRule,
  restoreRule,
  type RuleRow,
  updateRule,
} from '../store/rules.ts';

function audited(write: WriteHandle, context: ServiceContext, caller: Caller, action: string, rule: RuleRow): void {
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs: context.clock.nowMs(),
    actor: caller.actor,
    action,
    detail: { rule_id: rule.id, reconciliation_id: rule.reconciliation_id, filters: JSON.parse(rule.filters) as unknown },
  });
}

const shapeOf = (rule: RuleRow): string => ruleShape(ruleView(rule));

/** A repetition is a conflict, as with every other change of state; who may have to repeat sends an Idempotency-Key. */
function activateRule(context: ServiceContext): Handlers['rules.activate'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findRule(write, caller.environmentId, input.id);
      if (found === undefined) return missing('rule', input.id);
      if (found.status !== 'proposed') {
        return refuse('rule_not_proposed', `Rule ${found.id} is active already, so there is nothing to activate.`);
      }
      updateRule(write, found.id, { status: 'active' });
      audited(write, context, caller, 'rule.activated', found);
      return answer(present(findRule(write, caller.environmentId, found.id), 'rule'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['rules'], outcome.value.reconciliation_id);
    return answer(ruleView(outcome.value));
  };
}

/** Answers the rule as it was. */
function dismissRule(context: ServiceContext): Handlers['rules.dismiss'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findRule(write, caller.environmentId, input.id);
      if (found === undefined) return missing('rule', input.id);
      if (found.status !== 'proposed') {
        const words = 'only a proposed rule can be dismissed. Delete it if it is not wanted.';
        return refuse('rule_not_proposed', `Rule ${found.id} is active, and ${words}`);
      }
      const atMs = context.clock.nowMs();
      removeRule(write, found, atMs);
      dismissShape(write, found.reconciliation_id, shapeOf(found), atMs);
      audited(write, context, caller, 'rule.dismissed', found);
      return answer(found);
    });
    if (!outcome.ok) return outcome;
    context.changed(['rules'], outcome.value.reconciliation_id);
    return answer(ruleView(outcome.value));
  };
}

function restoreRemovedRule(context: ServiceContext): Handlers['rules.restore'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      if (findRule(write, caller.environmentId, input.id) !== undefined) {
        return refuse('conflict', `Rule ${input.id} is there, so there is nothing to bring back.`);
      }
      const removed = findRemovedRule(write, caller.environmentId, input.id);
      if (removed === undefined) return missing('deleted rule', input.id);
      restoreRule(write, removed);
      forgetShape(write, removed.reconciliation_id, shapeOf(removed));
      audited(write, context, caller, 'rule.restored', removed);
      return answer(present(findRule(write, caller.environmentId, removed.id), 'rule'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['rules'], outcome.value.reconciliation_id);
    return answer(ruleView(outcome.value));
  };
}

function reorderRules(context: ServiceContext): Handlers['rules.reorder'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      if (findReconciliation(write, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const byId = new Map(listRules(write, input.id).map((rule) => [rule.id, rule]));
      const named = new Set(input.rule_ids);
      if (named.size !== input.rule_ids.length || named.size !== byId.size || [...named].some((id) => !byId.has(id))) {
        const ids = [...byId.keys()].join(', ');
        return refuse('conflict', `The rules of this reconciliation are ${ids === '' ? 'none' : ids} now: name each of them once.`);
      }
      for (const [position, id] of input.rule_ids.entries()) {
        const priority = (position + 1) * 10;
        if (byId.get(id)?.priority !== priority) updateRule(write, id, { priority });
      }
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'rules.reordered',
        detail: { reconciliation_id: input.id, rule_ids: input.rule_ids },
      });
      return answer(listRules(write, input.id));
    });
    if (!outcome.ok) return outcome;
    context.changed(['rules'], input.id);
    return answer(outcome.value.map(ruleView));
  };
}

/** What a person decides of rules: proposed ones are taken into use or dismissed, deleted ones come back, and the order in which they run. */
export function ruleReviewHandlers(
  context: ServiceContext,
): Pick<Handlers, 'rules.activate' | 'rules.dismiss' | 'rules.restore' | 'rules.reorder'> {
  return {
    'rules.activate': activateRule(context),
    'rules.dismiss': dismissRule(context),
    'rules.restore': restoreRemovedRule(context),
    'rules.reorder': reorderRules(context),
  };
}
