import type { BookEvent, OperationId } from '../../src-shared/contract/index.ts';

/** Parts of the book that a `changed` event names. */
export type Area = Extract<BookEvent, { kind: 'changed' }>['areas'][number];

/** Which areas the answer of a read depends on. An operation that is not named depends on all of them. */
const AREAS: Partial<Readonly<Record<OperationId, readonly Area[]>>> = {
  'book.overview': ['streams', 'records', 'imports'],
  'book.home': ['reconciliations', 'streams', 'records', 'matches', 'runs', 'imports', 'bank_accounts'],
  'periods.list': ['reconciliations', 'streams', 'records', 'matches', 'runs', 'imports', 'bank_accounts'],
  'streams.list': ['streams', 'records', 'imports'],
  'streams.get': ['streams', 'records', 'imports'],
  'import_batches.list': ['imports', 'records', 'streams'],
  'import_batches.records': ['imports', 'records', 'matches'],
  'imports.rows': ['imports', 'records', 'streams'],
  'import_batches.get': ['imports', 'records'],
  'coverage.of_stream': ['imports', 'streams'],
  'reconciliations.list': ['reconciliations', 'streams', 'records', 'runs', 'imports'],
  'reconciliations.get': ['reconciliations', 'streams', 'records', 'runs', 'imports'],
  'reconciliations.summary': ['reconciliations', 'records', 'matches', 'runs', 'imports'],
  'separations.list': ['reconciliations', 'streams', 'records', 'matches', 'runs', 'imports'],
  'rules.list': ['rules', 'reconciliations'],
  'proposals.agent_status': ['rules', 'runs', 'matches', 'records', 'reconciliations', 'imports'],
  'evidence.get': ['rules', 'runs'],
  'evidence.reviews': ['matches', 'runs'],
  'confirmations.expect': ['matches', 'runs'],
  'coverage.of_account': ['imports', 'streams', 'bank_accounts'],
  'bank_accounts.list': ['bank_accounts'],
  'bank_accounts.get': ['bank_accounts'],
  'bank_account_balances.list': ['bank_accounts', 'imports', 'streams'],
  'import_recipes.list': ['imports'],
  'import_recipes.former': ['imports'],
  'open_items.get': ['reconciliations', 'streams', 'records'],
  'runs.list': ['runs'],
  'runs.get': ['runs'],
  'api_keys.list': ['api_keys'],
  'environments.list': ['api_keys'],
  'local_port.get': ['local_port'],
  'backups.list': ['backups', 'book'],
  'sync_remotes.list': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'imports', 'bank_accounts'],
  'syncs.get': ['sync'],
  'syncs.plan_lines': ['sync'],
  'sync_conflicts.list': ['sync'],
  'sync_conflicts.get': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'bank_accounts'],
  'sync_unsure.list': ['sync', 'bank_accounts'],
  'sync_runs.list': ['sync'],
  'sync_runs.undo_plan': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'imports', 'bank_accounts', 'backups'],
  'sync_runs.lines': ['sync'],
  'syncs.why': ['sync', 'records', 'matches', 'rules', 'reconciliations', 'streams', 'bank_accounts'],
  'book.condition': ['book'],
};

/** Reads whose `id` is that of a reconciliation. */
const OWN_BY_ID: ReadonlySet<OperationId> = new Set(['reconciliations.summary', 'reconciliations.get', 'proposals.agent_status']);

/** Whether a change of `areas` (of one reconciliation, or of the book when null) makes an answer old. */
export function isTouched(
  operation: OperationId,
  input: Readonly<Record<string, unknown>>,
  areas: readonly Area[],
  reconciliationId: number | null,
): boolean {
  const read = AREAS[operation];
  if (read !== undefined && !read.some((area) => areas.includes(area))) return false;
  const own = ownReconciliation(operation, input);
  return own === null || reconciliationId === null || own === reconciliationId || areas.includes('records') || areas.includes('streams');
}

function ownReconciliation(operation: OperationId, input: Readonly<Record<string, unknown>>): number | null {
  const given = OWN_BY_ID.has(operation) ? input['id'] : input['reconciliation_id'];
  return given === undefined || given === null ? null : Number(given);
}
