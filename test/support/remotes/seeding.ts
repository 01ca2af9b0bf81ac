import type { Remote } from './remote.ts';
import type {
  AccountRow,
  BalanceRow,
  BatchRow,
  Direction,
  MatchRow,
  Metadata,
  ReconciliationRow,
  RecordRow,
  RuleRow,
  StoryRow,
  StreamRow,
} from './rows.ts';
import type { RemoteState } from './state.ts';

interface RecordSeed {
  /** Signed amount; a debit is negative. */
  readonly amount?: number;
  readonly date?: string;
  readonly currency?: string;
  readonly description?: string | null;
  readonly external_id?: string | null;
  readonly metadata?: Metadata | null;
  readonly batch?: BatchRow | null;
  /** Needed where the amount is 0 and so has no sign. */
  readonly direction?: Direction;
}

/** Adds rows to a remote without its endpoints, as if people had made them there. */
export class Seeding {
  readonly #state: RemoteState;

  constructor({ state }: Pick<Remote, 'state'>) {
    this.#state = state;
  }

  stream(key: string, { name = key, type = 'api' }: { readonly name?: string; readonly type?: string } = {}): StreamRow {
    const state = this.#state;
    return state.put(state.streams, { id: state.nextId(), key, name, description: null, type });
  }

  batch(
    stream: StreamRow,
    { filename = 'june.csv', source = 'csv_upload' }: Partial<Pick<BatchRow, 'filename' | 'source'>> = {},
  ): BatchRow {
    const state = this.#state;
    return state.put(state.batches, { id: state.nextId(), streamId: stream.id, source, filename, created_at: state.now() });
  }

  record(stream: StreamRow, seed: RecordSeed = {}): RecordRow {
    const { amount = 1250, date = '2026-06-10', currency = 'USD', description = null, external_id = null, metadata = null } = seed;
    const state = this.#state;
    const now = state.now();
    return state.putRecord({
      id: state.nextId(),
      streamId: stream.id,
      amount: Math.abs(amount),
      direction: seed.direction ?? (amount < 0 ? 'debit' : 'credit'),
      date,
      currency,
      decimal_places: 2,
      description,
      metadata,
      external_id,
      batchId: seed.batch?.id ?? null,
      bulkId: null,
      created_at: now,
      updated_at: now,
    });
  }

  reconciliation(name: string, sideA: readonly StreamRow[], sideB: readonly StreamRow[], run_type = 'continuous'): ReconciliationRow {
    const state = this.#state;
    const ids = (side: readonly StreamRow[]): number[] => side.map(({ id }) => id);
    const sides = { sideA: ids(sideA), sideB: ids(sideB) };
    return state.put(state.reconciliations, { id: state.nextId(), name, run_type, ...sides, created_at: state.now() });
  }

  rule({ id }: ReconciliationRow, change: Partial<Omit<RuleRow, 'id' | 'reconciliation_id'>> = {}): RuleRow {
    const state = this.#state;
    return state.put(state.rules, {
      id: state.nextId(),
      reconciliation_id: id,
      filters: { condition: 'AND', rules: [{ key: 'amount', value: 'amount' }] },
      priority: 10,
      group_by: [],
      cardinality: 'one_to_one',
      rollup: null,
      description: null,
      source: 'user',
      status: 'active',
      confidence: null,
      sample_match_rate: null,
      created_at: state.now(),
      ...change,
    });
  }

  /** Adds a rule with a condition that Tieout does not support. */
  strangeRule(reconciliation: ReconciliationRow): RuleRow {
    const filters = { condition: 'AND', rules: [{ key: 'description', value: 'description', operand: 'sounds_like', loudness: 11 }] };
    return this.rule(reconciliation, { filters, priority: 20, description: 'By ear' });
  }

  match({ id }: ReconciliationRow, records: readonly RecordRow[], { status = 'confirmed', rule }: MatchSeed = {}): MatchRow {
    const state = this.#state;
    return state.putMatch({
      id: state.nextId(),
      status,
      group_key: null,
      reconciliation_id: id,
      reconciliation_rule_id: rule?.id ?? null,
      recordIds: records.map((record) => record.id),
      created_at: state.now(),
    });
  }

  /** Adds a story. Each reconciliation after the first is given with the stream that it shares with the one before. */
  story(name: string, first: ReconciliationRow, ...rest: readonly (readonly [ReconciliationRow, StreamRow])[]): StoryRow {
    const state = this.#state;
    const chain = [[first, null] as const, ...rest];
    const links = chain.map(([reconciliation, shared], at) => ({
      id: state.nextId(),
      position: at + 1,
      reconciliation_id: reconciliation.id,
      shared_data_stream_id: shared?.id ?? null,
    }));
    return state.put(state.stories, { id: state.nextId(), name, links, created_at: state.now() });
  }

  account(name: string, currency: string | null = 'USD'): AccountRow {
    const state = this.#state;
    const now = state.now();
    return state.put(state.accounts, { id: state.nextId(), name, currency, created_at: now, updated_at: now });
  }

  balance(account: AccountRow, date: string, amount_cents: number, balance_type = 'closing_ledger'): BalanceRow {
    const state = this.#state;
    const now = state.now();
    const row = { id: state.nextId(), bank_account_id: account.id, date, balance_type, amount_cents, created_at: now, updated_at: now };
    return state.put(state.balances, row);
  }
}

interface MatchSeed {
  readonly status?: string;
  readonly rule?: RuleRow;
}

/**
 * Adds a small month: two streams, records with and without batch and external_id, a matched pair, a proposed one, and a rule that Tieout does not
 * support.
 */
export function seedMonth(remote: Pick<Remote, 'state'>) {
  const seed = new Seeding(remote);
  const [bank, ledger] = [seed.stream('bank', { name: 'Bank', type: 'csv' }), seed.stream('ledger', { name: 'Ledger' })];
  const batch = seed.batch(bank);
  const rent = seed.record(bank, { amount: -120_000, date: '2026-06-01', description: 'Rent June', external_id: 'B-1', batch });
  const sale = seed.record(bank, { amount: 45_20, date: '2026-06-12', description: 'Sale', batch, metadata: { counterparty: 'Ada' } });
  const lost = seed.record(bank, { amount: 999, date: '2026-06-30', description: 'No batch' });
  const yen = seed.record(bank, { amount: 5000, currency: 'JPY', date: '2026-06-15', external_id: 'B-4', batch });
  const booked = seed.record(ledger, { amount: 120_000, date: '2026-06-01', description: 'Rent', external_id: 'L-1' });
  const sold = seed.record(ledger, { amount: -45_20, date: '2026-06-12', description: 'Sale to Ada', external_id: 'L-2' });
  // Runs do not start by themselves, so that only the test matches records.
  const main = seed.reconciliation('Bank and ledger', [bank], [ledger], 'batch');
  const rule = seed.rule(main, { description: 'Amount' });
  const strange = seed.strangeRule(main);
  const match = seed.match(main, [rent, booked], { rule });
  const proposal = seed.match(main, [sale, sold], { status: 'proposed', rule });
  const story = seed.story('From bank to ledger', main);
  const account = seed.account('Current account');
  const balance = seed.balance(account, '2026-06-30', 1_234_56);
  return { bank, ledger, batch, rent, sale, lost, yen, booked, sold, main, rule, strange, match, proposal, story, account, balance };
}

export type SeededMonth = ReturnType<typeof seedMonth>;
