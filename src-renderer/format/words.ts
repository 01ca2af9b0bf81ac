import type { ApiKey, Certainty, ColumnRole, ImportRecipe, Match, Reconciliation, Run } from '../../src-shared/contract/index.ts';
import { counted, countText } from './counts.ts';
import { agoText } from './dates.ts';

export const ROLE_LABELS: Readonly<Record<ColumnRole, string>> = {
  date: 'Date',
  value_date: 'Value date',
  amount: 'Amount',
  paid_in: 'Money in',
  paid_out: 'Money out',
  direction: 'Direction',
  currency: 'Currency',
  description: 'Description',
  reference: 'Reference',
  external_id: 'Transaction id',
  balance: 'Balance',
  status: 'Booked or pending',
  account: 'Own account',
  metadata: 'Kept as a field',
  ignored: 'Not used',
};

export const CERTAINTY_LABELS: Readonly<Record<Certainty, string>> = {
  unique: 'Unique',
  best: 'Best fit',
  interchangeable: 'Interchangeable',
  contested: 'Contested',
};

export const CERTAINTY_MEANINGS: Readonly<Record<Certainty, string>> = {
  unique: 'No other line fitted the rule.',
  best: 'Other lines fitted too, but every other choice is worse.',
  interchangeable: 'Another choice is just as good, between lines that look the same.',
  contested: 'Another choice is just as good, and the lines differ: a person should decide.',
};

export const SIGN_LABELS: Readonly<Record<Reconciliation['sign_convention'], string>> = {
  any: 'Signs not compared',
  same: 'Same signs',
  opposite: 'Opposite signs',
};

export const SIGN_MEANINGS: Readonly<Record<Reconciliation['sign_convention'], string>> = {
  any: 'Amounts are compared by size alone; the sign plays no part.',
  same: 'Money in on side A is money in on side B.',
  opposite: 'Money in on side A is money out on side B, as in a ledger that mirrors the bank.',
};

/** Returns a sentence that explains how the sign convention was found, for the end of the setup. */
export function signEvidenceSentence(evidence: { readonly same: number; readonly opposite: number; readonly assumed: boolean }): string {
  if (evidence.assumed) {
    return 'The lines did not show it, so this was assumed. Look at the first matches before you rely on it.';
  }
  const { same, opposite } = evidence;
  return `Seen from lines with equal references and amounts: ${counted(same, 'pair')} with the same sign, ${countText(opposite)} with the opposite.`;
}

export const SIGN_MODEL_LABELS: Readonly<Record<NonNullable<ImportRecipe['sign_model']>, string>> = {
  signed: 'Minus is money out',
  signed_inverted: 'Minus is money in',
  signed_credits: 'CR or a plus is money in, the rest is money out',
  direction: 'A column says the direction',
  direction_and_sign: 'A column says it, a minus turns it round',
  columns: 'As the two columns say',
  columns_with_signs: 'As the two columns say, a minus turns it round',
  columns_swapped: 'The two columns the other way round',
};

const DELIMITERS: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'vertical bar', ' ': 'space' };
export function delimiterText(delimiter: string): string {
  return DELIMITERS[delimiter] ?? delimiter;
}

const DATE_ORDERS: Readonly<Record<string, string>> = { dmy: 'day, month, year', mdy: 'month, day, year', ymd: 'year, month, day' };
export function dateOrderText(order: string | null): string {
  return order === null ? 'not needed' : (DATE_ORDERS[order.toLowerCase()] ?? order);
}

const DECIMAL_MARKS: Readonly<Record<string, string>> = { '.': 'point', ',': 'comma' };
export function decimalMarkText(mark: string | null): string {
  return mark === null ? 'none' : (DECIMAL_MARKS[mark] ?? mark);
}

/** Returns a snake_case code of the contract as text: `two_columns` is `Two columns`. */
export function plainWords(code: string): string {
  const text = code.replaceAll('_', ' ').trim();
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export const RUN_TYPE_MEANINGS: Readonly<Record<Reconciliation['run_type'], string>> = {
  continuous: 'Runs by itself when lines, rules or streams change.',
  batch: 'Runs only when somebody presses Run.',
};

/** Explanations of the switch that is labelled `Runs by itself`. */
export const RUN_TYPE_HINTS: Readonly<Record<Reconciliation['run_type'], string>> = {
  continuous: 'When lines, rules or streams change.',
  batch: 'Off: only when somebody presses Run.',
};

const TRIGGER_WORDS: Readonly<Record<Run['trigger'], string>> = {
  manual: 'By hand',
  agent: 'By an agent',
  record_created: 'By itself, after new lines',
  rule_activated: 'By itself, after a change of rules',
};

export function runOriginText(run: Pick<Run, 'trigger'>): string {
  return TRIGGER_WORDS[run.trigger];
}

/** Returns the result of a run that proposes rules. */
export function proposalsText({ rules }: NonNullable<Run['proposals']>, locale?: string): string {
  return rules === 0 ? 'no rule found in the data' : `${counted(rules, 'rule', 'rules', locale)} proposed`;
}

/** Returns the last run in one sentence. `nowMs` is in milliseconds since 1970. */
export function runSentence(run: Run, nowMs: number, locale?: string): string {
  const at = run.completed_at ?? run.started_at;
  const ago = `${run.kind === 'continuous' ? ' by itself' : ''}${at === null ? '' : ` ${agoText(at, nowMs, locale)}`}`;
  if (run.status === 'cancelled') return `Last run cancelled${ago}; nothing of it was kept.`;
  if (run.status === 'failed') return `Last run failed${ago}: ${run.error_message ?? 'no reason was given'}`;
  if (run.proposals !== null) return `Looked for rules${ago}: ${proposalsText(run.proposals, locale)}.`;
  const proposed = run.proposed_matches === 0 ? '' : `, ${counted(run.proposed_matches, 'proposal', 'proposals', locale)}`;
  const test = run.mode === 'dry_run' ? ' (nothing stored)' : '';
  const undone = run.undone_at === null ? '' : '; the matches were taken back';
  return `Last run${ago}${test}: ${counted(run.matches, 'new match', 'new matches', locale)}${proposed}${undone}.`;
}

/** Returns who made a match. `rule` is the description of its rule, if known. */
export function originText(match: Pick<Match, 'origin' | 'reconciliation_rule_id'>, rule: string | null): string {
  if (match.origin === 'manual') return 'By hand';
  if (match.origin === 'sync') return 'From sync';
  return rule ?? (match.reconciliation_rule_id === null ? 'By a rule since deleted' : `Rule ${match.reconciliation_rule_id}`);
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

export const ENVIRONMENT_LABELS: Readonly<Record<ApiKey['environment'], string>> = { live: 'Live', test: 'Test' };

export const PERMISSION_LABELS: Readonly<Record<ApiKey['permission'], string>> = { read: 'Read', read_write: 'Read and write' };
