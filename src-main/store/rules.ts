import { query, type ReadHandle, type Row, type WriteHandle } from './database.ts';

export type RuleRow = Row<'rules'>;

/** In the order they run: priority, then id. */
export function listRules(read: ReadHandle, reconciliationId: number): RuleRow[] {
  return read.all(
    query.selectFrom('rules').selectAll().where('reconciliation_id', '=', reconciliationId).orderBy('priority').orderBy('id'),
  );
}

export function findRule(read: ReadHandle, environmentId: number, id: number): RuleRow | undefined {
  return read.first(
    query
      .selectFrom('rules as u')
      .innerJoin('reconciliations as c', 'c.id', 'u.reconciliation_id')
      .selectAll('u')
      .where('c.environment_id', '=', environmentId)
      .where('u.id', '=', id),
  );
}

export type NewRule = Omit<RuleRow, 'id'>;

export function insertRule(write: WriteHandle, rule: NewRule): number {
  return write.run(query.insertInto('rules').values(rule)).lastInsertId;
}

export function nextPriority(read: ReadHandle, reconciliationId: number): number {
  const row = read
    .prepare<[number], { top: number | null }>('SELECT max(priority) AS top FROM rules WHERE reconciliation_id = ?')
    .get(reconciliationId);
  return (row?.top ?? 0) + 10;
}

export type RuleChange = Partial<Omit<RuleRow, 'id' | 'reconciliation_id' | 'created_at'>>;

export function updateRule(write: WriteHandle, id: number, change: RuleChange): void {
  if (Object.keys(change).length > 0) write.run(query.updateTable('rules').set(change).where('id', '=', id));
}

export function deleteRule(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('rules').where('id', '=', id));
}

export function deleteRulesOf(write: WriteHandle, reconciliationId: number): void {
  write.run(query.deleteFrom('rules').where('reconciliation_id', '=', reconciliationId));
}
