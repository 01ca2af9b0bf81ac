import type { ApiKey, Certainty, ColumnRole, ImportRecipe, Match, Reconciliation, Run } from '../../src-shared/contract/index.ts';
import { countText } from './counts.ts';
import { agoText } from './dates.ts';
import { say } from '../../src-shared/words/say.ts';

export const ROLE_LABELS: Readonly<Record<ColumnRole, string>> = {
  date: say('common.roleLabels.date'),
  value_date: say('common.roleLabels.valueDate'),
  amount: say('common.roleLabels.amount'),
  paid_in: say('common.roleLabels.paidIn'),
  paid_out: say('common.roleLabels.paidOut'),
  direction: say('common.roleLabels.direction'),
  currency: say('common.roleLabels.currency'),
  description: say('common.roleLabels.description'),
  reference: say('common.roleLabels.reference'),
  external_id: say('common.roleLabels.externalId'),
  balance: say('common.roleLabels.balance'),
  status: say('common.roleLabels.status'),
  account: say('common.roleLabels.account'),
  metadata: say('common.roleLabels.metadata'),
  ignored: say('common.roleLabels.ignored'),
};

export const CERTAINTY_LABELS: Readonly<Record<Certainty, string>> = {
  unique: say('common.certaintyLabels.unique'),
  best: say('common.certaintyLabels.best'),
  interchangeable: say('common.certaintyLabels.interchangeable'),
  contested: say('common.certaintyLabels.contested'),
};

export const CERTAINTY_MEANINGS: Readonly<Record<Certainty, string>> = {
  unique: say('common.certaintyMeanings.unique'),
  best: say('common.certaintyMeanings.best'),
  interchangeable: say('common.certaintyMeanings.interchangeable'),
  contested: say('common.certaintyMeanings.contested'),
};

export const SIGN_LABELS: Readonly<Record<Reconciliation['sign_convention'], string>> = {
  any: say('common.signLabels.any'),
  same: say('common.signLabels.same'),
  opposite: say('common.signLabels.opposite'),
};

export const SIGN_MEANINGS: Readonly<Record<Reconciliation['sign_convention'], string>> = {
  any: say('common.signMeanings.any'),
  same: say('common.signMeanings.same'),
  opposite: say('common.signMeanings.opposite'),
};

/** Returns a sentence that explains how the sign convention was found, for the end of the setup. */
export function signEvidenceSentence(evidence: { readonly same: number; readonly opposite: number; readonly assumed: boolean }): string {
  if (evidence.assumed) {
    return say('common.words.theLinesDidNotShowIt');
  }
  const { same, opposite } = evidence;
  return say('common.words.seenFromLinesWithEqual', { same, opposite: countText(opposite) });
}

export const SIGN_MODEL_LABELS: Readonly<Record<NonNullable<ImportRecipe['sign_model']>, string>> = {
  signed: say('common.signModelLabels.signed'),
  signed_inverted: say('common.signModelLabels.signedInverted'),
  signed_credits: say('common.signModelLabels.signedCredits'),
  direction: say('common.signModelLabels.direction'),
  direction_and_sign: say('common.signModelLabels.directionAndSign'),
  columns: say('common.signModelLabels.columns'),
  columns_with_signs: say('common.signModelLabels.columnsWithSigns'),
  columns_swapped: say('common.signModelLabels.columnsSwapped'),
};

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': say('common.delimiters.comma'),
  ';': say('common.delimiters.semicolon'),
  '\t': say('common.delimiters.tab'),
  '|': say('common.delimiters.verticalBar'),
  ' ': say('common.delimiters.space'),
};
export function delimiterText(delimiter: string): string {
  return DELIMITERS[delimiter] ?? delimiter;
}

const DATE_ORDERS: Readonly<Record<string, string>> = {
  dmy: say('common.dateOrders.dmy'),
  mdy: say('common.dateOrders.mdy'),
  ymd: say('common.dateOrders.ymd'),
};
export function dateOrderText(order: string | null): string {
  return order === null ? say('common.words.notNeeded') : (DATE_ORDERS[order.toLowerCase()] ?? order);
}

const DECIMAL_MARKS: Readonly<Record<string, string>> = { '.': say('common.decimalMarks.point'), ',': say('common.decimalMarks.comma') };
export function decimalMarkText(mark: string | null): string {
  return mark === null ? 'none' : (DECIMAL_MARKS[mark] ?? mark);
}

/** Returns a snake_case code of the contract as text: `two_columns` is `Two columns`. */
export function plainWords(code: string): string {
  const text = code.replaceAll('_', ' ').trim();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export const RUN_TYPE_MEANINGS: Readonly<Record<Reconciliation['run_type'], string>> = {
  continuous: say('common.runTypeMeanings.continuous'),
  batch: say('common.runTypeMeanings.batch'),
};

/** Explanations of the switch that is labelled `Runs by itself`. */
export const RUN_TYPE_HINTS: Readonly<Record<Reconciliation['run_type'], string>> = {
  continuous: say('common.runTypeHints.continuous'),
  batch: say('common.runTypeHints.batch'),
};

const TRIGGER_WORDS: Readonly<Record<Run['trigger'], string>> = {
  manual: say('common.triggerWords.manual'),
  agent: say('common.triggerWords.agent'),
  record_created: say('common.triggerWords.recordCreated'),
  rule_activated: say('common.triggerWords.ruleActivated'),
};

export function runOriginText(run: Pick<Run, 'trigger'>): string {
  return TRIGGER_WORDS[run.trigger];
}

/** Returns the result of a run that proposes rules. */
export function proposalsText({ rules }: NonNullable<Run['proposals']>): string {
  return rules === 0 ? say('common.words.noRuleFoundInTheData') : say('common.words.rulesProposed', { rules });
}

/** Returns the last run in one sentence. `nowMs` is in milliseconds since 1970. */
export function runSentence(run: Run, nowMs: number): string {
  const at = run.completed_at ?? run.started_at;
  const when = { automatic: run.kind === 'continuous' ? 'yes' : 'no', ago: at === null ? '' : ` ${agoText(at, nowMs)}` };
  if (run.status === 'cancelled') return say('common.words.lastRunCancelledNothing', when);
  if (run.status === 'failed')
    return say('common.words.lastRunFailed', { ...when, errorMessage: run.error_message ?? say('common.words.noReasonWasGiven') });
  if (run.proposals !== null) return say('common.words.lookedForRules', { ...when, proposals: proposalsText(run.proposals) });
  return say('common.words.lastRunNewMatches', {
    ...when,
    isTest: run.mode === 'dry_run' ? 'yes' : 'no',
    matches: run.matches,
    proposed: run.proposed_matches,
    isUndone: run.undone_at === null ? 'no' : 'yes',
  });
}

/** Returns who made a match. `rule` is the description of its rule, if known. */
export function originText(match: Pick<Match, 'origin' | 'reconciliation_rule_id'>, rule: string | null): string {
  if (match.origin === 'manual') return say('common.words.byHand');
  if (match.origin === 'sync') return say('common.words.fromSync');
  return (
    rule ??
    (match.reconciliation_rule_id === null
      ? say('common.words.byARuleSinceDeleted')
      : say('common.words.rule', { reconciliationRuleId: match.reconciliation_rule_id }))
  );
}

/** Returns a stream key made from a name, with the characters that a key may have. */
export function keyFromName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\u0300-\u036F]/g, '')
    .replaceAll(/[^a-z0-9_.-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, 100);
}

export const ENVIRONMENT_LABELS: Readonly<Record<ApiKey['environment'], string>> = {
  live: say('common.environmentLabels.live'),
  test: say('common.environmentLabels.test'),
};

export const PERMISSION_LABELS: Readonly<Record<ApiKey['permission'], string>> = {
  read: say('common.permissionLabels.read'),
  read_write: say('common.permissionLabels.readWrite'),
};
