import type { Remote } from './remote.ts';
import type { RecordRow } from './rows.ts';
import type { RemoteState } from './state.ts';

const byText = (a: unknown, b: unknown): number => {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Returns the fields by which a person recognises a record. */
function content(state: RemoteState, row: RecordRow) {
  const { date, currency, description, external_id, metadata } = row;
  return {
    stream: state.streamOf(row).key,
    date,
    amount: row.direction === 'debit' ? 0 - row.amount : row.amount,
    currency,
    description,
    external_id,
    metadata,
  };
}

/** Returns all content of a remote in a form that two books can be compared by: without ids and times, in a fixed order. */
export function contentOf({ state }: Pick<Remote, 'state'>) {
  const rows = <Row, Shape>(table: ReadonlyMap<number, Row>, shape: (row: Row) => Shape): Shape[] =>
    [...table.values()].map(shape).toSorted(byText);
  const keys = (ids: readonly number[]) => ids.map((id) => state.streams.get(id)?.key ?? null);
  const named = (id: number) => state.reconciliations.get(id)?.name ?? null;
  const record = (id: number) => {
    const row = state.records.get(id);
    return row === undefined ? null : content(state, row);
  };
  return {
    streams: rows(state.streams, ({ key, name, type }) => ({ key, name, type })),
    records: rows(state.records, (row) => content(state, row)),
    reconciliations: rows(state.reconciliations, ({ name, sideA, sideB }) => ({ name, a: keys(sideA), b: keys(sideB) })),
    rules: rows(state.rules, ({ reconciliation_id, filters, priority, group_by, cardinality, rollup, description }) => ({
      reconciliation: named(reconciliation_id),
      priority,
      filters,
      group_by,
      cardinality,
      rollup,
      description,
    })),
    matches: rows(state.matches, ({ reconciliation_id, status, recordIds }) => ({
      reconciliation: named(reconciliation_id),
      status,
      records: recordIds.map(record).toSorted(byText),
    })),
    stories: rows(state.stories, ({ name, links }) => ({ name, chain: links.map(({ reconciliation_id }) => named(reconciliation_id)) })),
    accounts: rows(state.accounts, ({ name, currency }) => ({ name, currency })),
    balances: rows(state.balances, ({ bank_account_id, date, balance_type, amount_cents }) => ({
      account: state.accounts.get(bank_account_id)?.name ?? null,
      date,
      balance_type,
      amount_cents,
    })),
    overdue: state.overdue
      .map(({ recordId, reconciliationId }) => ({ record: record(recordId), reconciliation: named(reconciliationId) }))
      .toSorted(byText),
  };
}
