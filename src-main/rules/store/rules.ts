import { storedJson } from '../../database/json-columns.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type RuleRow = Row<'rules'>;

/** Returns rules in the order in which they run: by priority, then id. */
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

/** `confidence` and `sample_match_rate` belong to rules that a search proposed. */
type Rating = 'confidence' | 'sample_match_rate';
/** The columns that an active rule of conditions leaves at their defaults. */
type Unusual = 'method' | 'budget' | 'max_difference' | 'paused' | 'paused_reason';
type NewRule = Omit<RuleRow, 'id' | 'edited' | Rating | Unusual> & Partial<Pick<RuleRow, Rating | Unusual>>;
/** The columns that the body of a rule determines. */
export type RuleOfBody = Omit<RuleRow, 'id' | 'edited' | Rating>;

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

export function deleteRulesOf(write: WriteHandle, reconciliationId: number): void {
  write.run(query.deleteFrom('rules').where('reconciliation_id', '=', reconciliationId));
}

/** Whether runs use a rule. */
export function isInUse({ status, paused }: Pick<RuleRow, 'status' | 'paused'>): boolean {
  return status === 'active' && paused === 0;
}

/** Removes a rule and keeps it, so that undo can restore it unchanged. */
export function removeRule(write: WriteHandle, rule: RuleRow, atMs: number): void {
  write.run(query.deleteFrom('rules').where('id', '=', rule.id));
  write.run(
    query
      .insertInto('removed_rules')
      .values({ rule_id: rule.id, reconciliation_id: rule.reconciliation_id, body: JSON.stringify(rule), removed_at: atMs }),
  );
}

export function findRemovedRule(read: ReadHandle, environmentId: number, id: number): RuleRow | undefined {
  const row = read.first(
    query
      .selectFrom('removed_rules as g')
      .innerJoin('reconciliations as c', 'c.id', 'g.reconciliation_id')
      .select('g.body')
      .where('c.environment_id', '=', environmentId)
      .where('g.rule_id', '=', id),
  );
  return row === undefined ? undefined : storedJson('removed_rules.body', row.body, id);
}

/** Restores a rule under its own id. */
export function restoreRule(write: WriteHandle, rule: RuleRow): void {
  write.run(query.deleteFrom('removed_rules').where('rule_id', '=', rule.id));
  write.run(query.insertInto('rules').values(rule));
}

/** Remembers the comparisons of a dismissed rule: see `ruleShape`. */
export function dismissShape(write: WriteHandle, reconciliationId: number, shape: string, atMs: number): void {
  write.run(
    query
      .insertInto('dismissed_shapes')
      .values({ reconciliation_id: reconciliationId, shape, dismissed_at: atMs })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

export function forgetShape(write: WriteHandle, reconciliationId: number, shape: string): void {
  write.run(query.deleteFrom('dismissed_shapes').where('reconciliation_id', '=', reconciliationId).where('shape', '=', shape));
}

/** Returns the shapes that a person dismissed in a reconciliation. */
export function dismissedShapes(read: ReadHandle, reconciliationId: number): string[] {
  return read
    .all(query.selectFrom('dismissed_shapes').select('shape').where('reconciliation_id', '=', reconciliationId))
    .map(({ shape }) => shape);
}

/** Whether a rule was proposed from the data and no person has edited it since, so that a later proposal may replace it. */
export function isUntouchedProposal(rule: Pick<RuleRow, 'status' | 'source' | 'edited'>): boolean {
  return rule.status === 'proposed' && rule.source === 'ai' && rule.edited === 0;
}
