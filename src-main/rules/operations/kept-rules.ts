import type { RuleBody } from '../../../src-shared/contract/index.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller } from '../../service/handler.ts';
import { insertRule, nextPriority, updateRule } from '../store/rules.ts';
import { newRuleRow, ruleChange } from './rule-input.ts';

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
