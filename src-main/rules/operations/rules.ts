import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { ruleShape } from '../../domain/matching/index.ts';
import { insertPreset } from '../../reconciliations/operations/reconciliation-sides.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { openRun } from '../../runs/store/runs.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { partOf } from '../../service/paging.ts';
import { ruleView } from '../../service/views.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import {
  deleteRulesOf,
  dismissShape,
  findRemovedRule,
  findRule,
  forgetShape,
  insertRule,
  listRules,
  nextPriority,
  removeRule,
  restoreRule,
  type RuleChange,
  type RuleRow,
  updateRule,
} from '../store/rules.ts';
import { checkRule, checkRules, newRuleRow, ruleChange } from './rule-input.ts';

function audited(write: WriteHandle, context: ServiceContext, caller: Caller, action: string, rule: RuleRow): void {
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs: context.clock.nowMs(),
    actor: caller.actor,
    action,
    detail: { rule_id: rule.id, reconciliation_id: rule.reconciliation_id, filters: storedJson('rules.filters', rule.filters, rule.id) },
  });
}

const shapeOf = (rule: RuleRow): string => ruleShape(ruleView(rule));

/** Activates a proposed rule. A repetition is a conflict, as with every change of state; clients that may repeat send an Idempotency-Key. */
function activateRule(context: ServiceContext): Handlers['rules.activate'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findRule(write, caller.environmentId, input.id);
      if (found === undefined) return missing('rule', input.id);
      if (found.status !== 'proposed') {
        return refuse('rule_not_proposed', phrase('rules.rules.ruleIsActiveAlready', { id: found.id }));
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

/** Dismisses a proposed rule and returns it as it was. */
function dismissRule(context: ServiceContext): Handlers['rules.dismiss'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findRule(write, caller.environmentId, input.id);
      if (found === undefined) return missing('rule', input.id);
      if (found.status !== 'proposed') {
        const words = phrase('rules.rules.onlyAProposedRuleCanBeDismissed');
        return refuse('rule_not_proposed', phrase('rules.rules.ruleIsActiveAnd', { id: found.id, words }));
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
        return refuse('conflict', phrase('rules.rules.ruleIsThereSoThereIsNothing', { id: input.id }));
      }
      const removed = findRemovedRule(write, caller.environmentId, input.id);
      if (removed === undefined) return missing(phrase('rules.rules.deletedRule'), input.id);
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
        return refuse('conflict', phrase('rules.rules.theRulesOfThisReconciliation', { ids: ids === '' ? 'none' : ids }));
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

/** Returns the handlers of a person's decisions about rules: activate or dismiss proposed ones, restore deleted ones, and reorder. */
function ruleReviewHandlers(
  context: ServiceContext,
): Pick<Handlers, 'rules.activate' | 'rules.dismiss' | 'rules.restore' | 'rules.reorder'> {
  return {
    'rules.activate': activateRule(context),
    'rules.dismiss': dismissRule(context),
    'rules.restore': restoreRemovedRule(context),
    'rules.reorder': reorderRules(context),
  };
}

export function unknownReconciliation(id: number) {
  const message = phrase('rules.rules.thereIsNoReconciliationInThisEnvironment', { id });
  return refuseField('unknown_reference', 'reconciliation_id', message);
}

function createRule(context: ServiceContext): Handlers['rules.create'] {
  return (caller, input) => {
    const { database, clock } = context;
    const { reconciliation_id: reconciliationId, ...body } = input;
    const nowMs = clock.nowMs();
    const outcome = database.write((write) => {
      if (findReconciliation(write, caller.environmentId, reconciliationId) === undefined) return unknownReconciliation(reconciliationId);
      const faults = checkRule(body, propertyTypesBySide(write, reconciliationId));
      if (faults !== null) return faults;
      const place = { reconciliationId, priority: nextPriority(write, reconciliationId), source: 'user' as const, createdAtMs: nowMs };
      const id = insertRule(write, newRuleRow(body, place));
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'rule.created',
        detail: { rule_id: id, ...input },
      });
      return answer(ruleView(present(findRule(write, caller.environmentId, id), 'rule')));
    });
    if (outcome.ok) context.changed(['rules'], reconciliationId);
    return outcome;
  };
}

/** Confidence and sample rate belong to what the rule compared before, so an edit removes them. */
const UNRATED = { confidence: null, sample_match_rate: null };

function comparesTheSame(before: RuleRow, change: RuleChange): boolean {
  return ruleShape(ruleView({ ...before, ...change })) === ruleShape(ruleView(before));
}

function updateRuleHandler(context: ServiceContext): Handlers['rules.update'] {
  return (caller, input) => {
    const { database, clock } = context;
    const { id: _, ...body } = input;
    const change = ruleChange(body);
    const outcome = database.write((write) => {
      const stored = findRule(write, caller.environmentId, input.id);
      if (stored === undefined) return missing('rule', input.id);
      const faults = checkRule(body, propertyTypesBySide(write, stored.reconciliation_id), stored);
      if (faults !== null) return faults;
      updateRule(write, input.id, { ...change, edited: 1, ...(comparesTheSame(stored, change) ? {} : UNRATED) });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: clock.nowMs(),
        actor: caller.actor,
        action: 'rule.updated',
        detail: { rule_id: input.id, change },
      });
      return answer(ruleView(present(findRule(write, caller.environmentId, input.id), 'rule')));
    });
    if (outcome.ok) context.changed(['rules'], outcome.value.reconciliation_id);
    return outcome;
  };
}

/** Replaces all rules of a reconciliation, or adds some, in the given order; one wrong rule refuses all. */
function replaceRules(context: ServiceContext): Handlers['rules.replace'] {
  return (caller, input) => {
    const { database, clock } = context;
    const nowMs = clock.nowMs();
    const audit = (write: WriteHandle, action: string, detail: Readonly<Record<string, unknown>>) =>
      appendAudit(write, { environmentId: caller.environmentId, atMs: nowMs, actor: caller.actor, action, detail });
    const outcome = database.write((write) => {
      if (findReconciliation(write, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const faults = checkRules(input.rules, propertyTypesBySide(write, input.id));
      if (faults !== null) return faults;
      if (openRun(write, input.id) !== undefined) {
        return refuse('run_in_progress', phrase('rules.rules.aRunOfThisReconciliation'));
      }
      if (!input.keep) deleteRulesOf(write, input.id);
      const first = nextPriority(write, input.id);
      for (const [position, body] of input.rules.entries()) {
        const place = { reconciliationId: input.id, priority: first + position * 10, source: 'user' as const, createdAtMs: nowMs };
        const id = insertRule(write, newRuleRow(body, place));
        if (input.keep) audit(write, 'rule.created', { rule_id: id, reconciliation_id: input.id, ...body });
      }
      if (!input.keep) audit(write, 'rules.replaced', { reconciliation_id: input.id, rules: input.rules });
      return answer(listRules(write, input.id));
    });
    if (!outcome.ok) return outcome;
    context.changed(['rules'], input.id);
    return answer(outcome.value.map(ruleView));
  };
}

/** Replaces default rules by those of a preset; each can be restored. */
function takePreset(context: ServiceContext): Handlers['rules.take_preset'] {
  return (caller, { id, preset }) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      if (findReconciliation(write, caller.environmentId, id) === undefined) return missing('reconciliation', id);
      if (openRun(write, id) !== undefined) {
        return refuse('run_in_progress', phrase('rules.rules.aRunOfThisReconciliation'));
      }
      const [removed, kept] = [true, false].map((isDefault) =>
        listRules(write, id).filter(({ source }) => (source === 'default') === isDefault),
      );
      for (const rule of removed ?? []) removeRule(write, rule, atMs);
      insertPreset(write, id, atMs, preset);
      const rules = listRules(write, id);
      const added = rules.filter((rule) => !(kept ?? []).some((old) => old.id === rule.id));
      const ids = { removed_rule_ids: (removed ?? []).map((rule) => rule.id), added_rule_ids: added.map((rule) => rule.id) };
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs,
        actor: caller.actor,
        action: 'rules.preset_taken',
        detail: { reconciliation_id: id, preset, ...ids },
      });
      return answer({ rules: rules.map(ruleView), ...ids });
    });
    if (outcome.ok) context.changed(['rules'], id);
    return outcome;
  };
}

export function ruleHandlers(
  context: ServiceContext,
): Pick<
  Handlers,
  | 'rules.replace'
  | 'rules.take_preset'
  | 'rules.create'
  | 'rules.list'
  | 'rules.get'
  | 'rules.update'
  | 'rules.remove'
  | 'rules.activate'
  | 'rules.dismiss'
  | 'rules.restore'
  | 'rules.reorder'
> {
  const { database, clock } = context;
  return {
    ...ruleReviewHandlers(context),
    'rules.replace': replaceRules(context),
    'rules.take_preset': takePreset(context),
    'rules.create': createRule(context),
    'rules.list': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.reconciliation_id) === undefined) {
        return unknownReconciliation(input.reconciliation_id);
      }
      return answer(partOf(listRules(database, input.reconciliation_id), input).map(ruleView));
    },
    'rules.get': (caller, input) => {
      const found = findRule(database, caller.environmentId, input.id);
      return found === undefined ? missing('rule', input.id) : answer(ruleView(found));
    },
    'rules.update': updateRuleHandler(context),
    'rules.remove': (caller, input) => {
      const reconciliationId = database.write((write) => {
        const found = findRule(write, caller.environmentId, input.id);
        if (found === undefined) return null;
        removeRule(write, found, clock.nowMs());
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs: clock.nowMs(),
          actor: caller.actor,
          action: 'rule.deleted',
          detail: {
            rule_id: found.id,
            reconciliation_id: found.reconciliation_id,
            filters: storedJson('rules.filters', found.filters, found.id),
          },
        });
        return found.reconciliation_id;
      });
      if (reconciliationId === null) return missing('rule', input.id);
      context.changed(['rules'], reconciliationId);
      return answer(null);
    },
  };
}

interface KeptRule {
  readonly id: number | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reason: string;
}

/** Keeps a rule of another instance that cannot be used here: unchanged, and paused with the reason. Returns its id. */
export function keepRefusedRule(context: ServiceContext, caller: Caller, { id, fields, reason }: KeptRule): number {
  const { database, clock } = context;
  const { reconciliation, ...rest } = fields;
  const reconciliationId = Number(reconciliation);
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  // Its body is not checked, because no run reads a paused rule.
  const body = given as unknown as RuleBody;
  const nowMs = clock.nowMs();
  const kept = database.write((write) => {
    const place = { reconciliationId, priority: nextPriority(write, reconciliationId), source: 'user' as const, createdAtMs: nowMs };
    if (id !== null) updateRule(write, id, { ...ruleChange(body), paused: 1, paused_reason: reason, edited: 1 });
    const row = {
      ...newRuleRow({ ...body, method: 'conditions' }, place),
      rollup: body.rollup === undefined ? null : JSON.stringify(body.rollup),
    };
    const ruleId = id ?? insertRule(write, { ...row, paused: 1, paused_reason: reason });
    appendAudit(write, {
      environmentId: caller.environmentId,
      atMs: nowMs,
      actor: caller.actor,
      action: id === null ? 'rule.created' : 'rule.updated',
      detail: { rule_id: ruleId, reconciliation_id: reconciliationId, ...fields, paused_reason: reason },
    });
    return ruleId;
  });
  context.changed(['rules'], reconciliationId);
  return kept;
}
