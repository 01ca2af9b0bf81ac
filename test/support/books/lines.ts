import { newRuleRow } from '../../../src-main/rules/operations/rule-input.ts';
import type { Database } from '../../../src-main/database/database.ts';
import { insertRule } from '../../../src-main/rules/store/rules.ts';
import type { RecordItem, Reconciliation, RuleBody } from '../../../src-shared/contract/index.ts';
import type { Client } from '../../../src-shared/client/client.ts';

export interface LineInput {
  readonly date?: string;
  readonly value_date?: string | null;
  readonly amount: number;
  readonly direction?: 'credit' | 'debit';
  readonly currency?: string;
  readonly decimal_places?: number;
  readonly description?: string;
  readonly external_id?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export const BY_EXTERNAL_ID: RuleBody = { filters: { rules: [{ key: 'external_id', value: 'external_id' }] } };
export const BY_AMOUNT: RuleBody = { filters: { rules: [{ key: 'signed_amount', value: 'signed_amount' }] } };
export const BY_AMOUNT_PROPOSED: RuleBody = { ...BY_AMOUNT, outcome: 'propose' };

export async function addLines(client: Client, streamKey: string, lines: readonly LineInput[]): Promise<RecordItem[]> {
  const added: RecordItem[] = [];
  for (const line of lines) {
    added.push(
      await client.get('records.create', { data_stream_key: streamKey, date: '2026-06-10', ...line, metadata: { ...line.metadata } }),
    );
  }
  return added;
}

export interface Pair {
  readonly reconciliation: Reconciliation;
  readonly a: readonly RecordItem[];
  readonly b: readonly RecordItem[];
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
}

/** Makes the streams `ledger` (side A) and `bank` (side B) with lines, and a reconciliation of them with rules. */
export async function setUpPair(
  client: Client,
  lines: { readonly a: readonly LineInput[]; readonly b: readonly LineInput[] },
  rules: readonly RuleBody[] = [BY_EXTERNAL_ID],
  signConvention: 'any' | 'same' | 'opposite' = 'same',
): Promise<Pair> {
  const ledger = await client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  const bank = await client.get('streams.create', { key: 'bank', name: 'Bank' });
  const a = await addLines(client, 'ledger', lines.a);
  const b = await addLines(client, 'bank', lines.b);
  const reconciliation = await client.get('reconciliations.create', {
    name: 'June',
    run_type: 'batch',
    side_a_stream_ids: [ledger.id],
    side_b_stream_ids: [bank.id],
    sign_convention: signConvention,
  });
  if (rules.length > 0) await client.get('rules.replace', { id: reconciliation.id, rules: [...rules] });
  return { reconciliation, a, b, aIds: a.map((row) => row.id), bIds: b.map((row) => row.id) };
}

/** Returns lines that match by external id: `x1`..`xn`, with amounts 100, 200, ... */
export function numbered(count: number, change: (index: number) => Partial<LineInput> = () => ({})): LineInput[] {
  return Array.from({ length: count }, (_, index) => ({ amount: (index + 1) * 100, external_id: `x${index + 1}`, ...change(index) }));
}

/** Stores a proposed rule, as a run that proposes rules does; returns its id. */
export function proposeRule(database: Database, reconciliationId: number, body: RuleBody = BY_AMOUNT, priority = 100): number {
  const place = { reconciliationId, priority, source: 'default' as const, createdAtMs: 7 };
  const proposed = { source: 'ai', status: 'proposed', confidence: 'high', sample_match_rate: '3/4' };
  return database.write((write) => insertRule(write, { ...newRuleRow(body, place), ...proposed }));
}
