import type { ReadHandle } from '../../database/database.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';

type Counted = Readonly<Record<string, number>>;

function counts(read: ReadHandle, of: Readonly<Record<string, string>>, id: number): Counted {
  const sql = `SELECT ${Object.entries(of)
    .map(([name, select]) => `(${select}) AS ${name}`)
    .join(', ')}`;
  return read.prepare<[{ id: number }], Record<string, number>>(sql).get({ id }) ?? {};
}

/** Counts the records of matches that count as matched. */
const MATCHED = `SELECT coalesce(sum(m.record_count), 0) FROM matches m WHERE m.status = 'matched' AND ${VISIBLE_MATCH}`;

/** Returns how much is deleted with a stream. Matches that hold its records belong to their reconciliation. */
export function extentOfStream(read: ReadHandle, streamId: number): Counted {
  return counts(
    read,
    {
      records: `SELECT count(*) FROM records r WHERE r.stream_id = @id AND ${PUBLISHED_RECORD}`,
      properties: 'SELECT count(*) FROM property_definitions WHERE stream_id = @id',
      exceptions: 'SELECT count(*) FROM exceptions WHERE stream_id = @id',
    },
    streamId,
  );
}

/** Returns how much is deleted with a reconciliation; `matched` is the number of records that its matches hold. */
export function extentOfReconciliation(read: ReadHandle, id: number): Counted {
  return counts(
    read,
    {
      matches: `SELECT count(*) FROM matches m WHERE m.reconciliation_id = @id AND ${VISIBLE_MATCH}`,
      rules: 'SELECT count(*) FROM rules WHERE reconciliation_id = @id',
      notes: 'SELECT count(*) FROM open_item_notes WHERE reconciliation_id = @id',
      periods: 'SELECT count(*) FROM reconciliation_periods WHERE reconciliation_id = @id',
      overdue: 'SELECT count(*) FROM overdue_records WHERE reconciliation_id = @id',
      matched: `${MATCHED} AND m.reconciliation_id = @id`,
    },
    id,
  );
}

export function extentOfAccount(read: ReadHandle, id: number): Counted {
  return counts(read, { balances: 'SELECT count(*) FROM bank_account_balances WHERE bank_account_id = @id' }, id);
}

/** Returns the count of each resource in an environment. */
export function extentOfBook(read: ReadHandle, environmentId: number): Counted {
  const inReconciliations = 'JOIN reconciliations c ON c.id = x.reconciliation_id WHERE c.environment_id = @id';
  return counts(
    read,
    {
      accounts: 'SELECT count(*) FROM bank_accounts WHERE environment_id = @id',
      streams: "SELECT count(*) FROM streams WHERE environment_id = @id AND key <> 'adjustments'",
      records: `SELECT count(*) FROM records r WHERE r.environment_id = @id AND ${PUBLISHED_RECORD}`,
      reconciliations: 'SELECT count(*) FROM reconciliations WHERE environment_id = @id',
      rules: `SELECT count(*) FROM rules x ${inReconciliations}`,
      matches: `SELECT count(*) FROM matches m JOIN reconciliations c ON c.id = m.reconciliation_id WHERE c.environment_id = @id AND ${VISIBLE_MATCH}`,
      stories: 'SELECT count(*) FROM stories WHERE environment_id = @id',
      imports: "SELECT count(*) FROM import_batches WHERE environment_id = @id AND id > 0 AND writing = 0 AND source <> 'bulk_api'",
      notes: `SELECT count(*) FROM open_item_notes x ${inReconciliations}`,
      periods: `SELECT count(*) FROM reconciliation_periods x ${inReconciliations}`,
      matched: `${MATCHED} AND m.reconciliation_id IN (SELECT id FROM reconciliations WHERE environment_id = @id)`,
    },
    environmentId,
  );
}

export function streamIdOfKey(read: ReadHandle, environmentId: number, key: string): number | null {
  return (
    read.prepare<[number, string], { id: number }>('SELECT id FROM streams WHERE environment_id = ? AND key = ?').get(environmentId, key)
      ?.id ?? null
  );
}

/** The objects that belong to an object, by their sync resource. */
const BELONGING: Readonly<Record<string, readonly (readonly [resource: string, select: string])[]>> = {
  streams: [
    ['records', 'SELECT id FROM records WHERE stream_id = ?'],
    ['properties', 'SELECT id FROM property_definitions WHERE stream_id = ?'],
    ['imports', 'SELECT id FROM import_batches WHERE stream_id = ?'],
  ],
  reconciliations: [
    ['matches', 'SELECT id FROM matches WHERE reconciliation_id = ?'],
    ['rules', 'SELECT id FROM rules WHERE reconciliation_id = ?'],
  ],
  accounts: [['balances', 'SELECT id FROM bank_account_balances WHERE bank_account_id = ?']],
};

/** Returns the ids of everything that belongs to an object, by resource. */
export function idsBelonging(read: ReadHandle, resource: string, id: number): (readonly [resource: string, ids: number[]])[] {
  return (BELONGING[resource] ?? []).map(([child, select]) => [
    child,
    read
      .prepare<[number], { id: number }>(select)
      .all(id)
      .map((row) => row.id),
  ]);
}
