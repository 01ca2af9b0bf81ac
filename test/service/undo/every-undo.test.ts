import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INVERSES } from '../../../src-main/backend/inverses.ts';
import type { Backend } from '../../../src-main/backend/types.ts';
import { contract, type Operation, type OperationId, OPERATION_IDS, type UndoEntry } from '../../../src-shared/contract/index.ts';
import { createParityBook, type ParityBook, PREPARATIONS } from '../../contract/parity-book.ts';

let book: ParityBook;
beforeAll(async () => {
  book = await createParityBook();
});
afterAll(() => book.remove());

/** Writes that are not taken back by undo, and why. */
const NOT_UNDONE: Readonly<Record<string, readonly string[]>> = {
  'It takes back or does again itself.': [
    'undo.take_back',
    'undo.redo',
    'matches.restore',
    'matches.undo_create',
    'confirmations.undo',
    'rejections.undo',
    'rules.restore',
    'separations.restore',
    'evidence.restore_alias',
    'bank_accounts.restore',
    'views.restore',
    'import_recipes.restore',
    'runs.undo',
    'sync_runs.undo',
    'backups.restore',
    'book.start_anew',
  ],
  'It deletes what can be brought in again, and says before what goes.': [
    'import_batches.remove',
    'streams.remove',
    'streams.reset',
    'records.remove',
    'reconciliations.remove',
    'exceptions.remove',
    'stories.remove',
    'property_definitions.remove',
    'imported_files.remove',
    'import_recipes.remove',
    'sync_remotes.remove',
    'api_keys.revoke',
  ],
  'It begins something that is deleted where it is shown: taking it back would take along what came in since.': [
    'streams.create',
    'records.create',
    'reconciliations.create',
    'reconciliations.set_up',
    'exceptions.create',
    'stories.create',
    'property_definitions.create',
    'import_recipes.create',
    'imported_files.create',
    'imported_files.update',
    'imported_files.add_lines',
    'api_keys.issue',
    'sync_remotes.create',
    'backups.create',
  ],
  'It is a signature: a period is reopened with a reason.': ['periods.prepare', 'periods.review', 'periods.close', 'periods.reopen'],
  'It has a way back of its own on its screen.': [
    'rules.activate',
    'rules.replace',
    'evidence.keep',
    'evidence.relearn',
    'stories.update',
    'property_definitions.update',
    'bank_account_balances.put_many',
    'reconciliations.mark_overdue',
    'local_port.update',
    'sync_remotes.update',
    'sync_remotes.answer',
  ],
  'It changes nothing that a person sees, or asks a job to begin or to end.': [
    'bulk_requests.create',
    'bulk_requests.cancel',
    'bulk_requests.retry',
    'rules.preview',
    'rules.backtest',
    'rules.backtest_unsaved',
    'rules.cancel_backtests',
    'proposals.create',
    'runs.rehearse',
    'runs.cancel',
    'jobs.cancel',
    'sync_remotes.probe',
    'syncs.start',
    'syncs.cancel',
    'syncs.retry',
  ],
};

/** Written by the job at its end, when it is known what there is to take back. */
const BY_JOBS = new Set<string>(['runs.start', 'imports.start']);

it('names the inverse of each write in the contract, or says here why there is none', () => {
  const named = OPERATION_IDS.filter((id) => (contract[id] as Operation).inverse !== undefined);
  expect(Object.keys(INVERSES).toSorted()).toEqual(named.filter((id) => !BY_JOBS.has(id)).toSorted());
  const writes = OPERATION_IDS.filter((id) => (contract[id] as Operation).permission === 'read_write');
  expect([...named, ...Object.values(NOT_UNDONE).flat()].toSorted()).toEqual(writes.toSorted());
});

const LISTS: readonly (readonly [OperationId, Readonly<Record<string, unknown>>])[] = [
  ['book.overview', {}],
  ['notation.get', {}],
  ['views.list', {}],
  ['streams.list', {}],
  ['records.list', { data_stream_key: 'bank' }],
  ['records.list', { data_stream_key: 'ledger' }],
  ['reconciliations.list', {}],
  ['rules.list', { reconciliation_id: 1 }],
  ['rules.list', { reconciliation_id: 2 }],
  ['matches.list', {}],
  ['separations.list', { reconciliation_id: 1 }],
  ['evidence.get', { id: 1 }],
  ['periods.list', {}],
  ['open_items.get', { id: 1, record_id: 1 }],
  ['exceptions.list', {}],
  ['bank_accounts.list', {}],
  ['bank_account_balances.list', { bank_account_id: 1 }],
  ['import_batches.list', { key: 'bank' }],
  ['import_recipes.list', {}],
  ['sync_conflicts.list', { id: 1 }],
  ['sync_unsure.list', { id: 1 }],
];

/** Who wrote something when is no part of what it says. */
const MARKS = new Set(['updated_at', 'created_at', 'decided_at', 'at', 'by', 'confirmed_by', 'version']);

/** What people see of the book, without the times. */
async function picture(backend: Backend, isWithoutIds: boolean): Promise<unknown> {
  const caller = backend.ownCaller('live', 'app');
  const answers = await Promise.all(LISTS.map(async ([operation, input]) => backend.dispatch(operation, input, caller)));
  const isHidden = (name: string): boolean => MARKS.has(name) || (isWithoutIds && (name === 'id' || name === 'adjustment_record_id'));
  // The stream of adjustments stays once there was one, and is empty.
  const isEmptyStream = (value: unknown): boolean => JSON.stringify(value).includes('"key":"adjustments"');
  return JSON.parse(JSON.stringify(answers), (name, value: unknown) => {
    if (isHidden(name)) return undefined;
    return Array.isArray(value) ? value.filter((member) => member === null || Array.isArray(member) || !isEmptyStream(member)) : value;
  });
}

async function call(backend: Backend, operation: OperationId, input: object) {
  const outcome = await backend.dispatch(operation, input, backend.ownCaller('live', 'app'));
  if (!outcome.ok) throw new Error(`${operation}: ${outcome.error.message}`);
  return outcome;
}

/** Inputs where the example of the contract changes nothing. */
const INPUTS: Partial<Record<OperationId, object>> = {
  'import_batches.correct_currency': { id: 1, currency: 'EUR', preview: false },
};
/** What needs a book with learned evidence: `test/service/evidence` has them. */
const NEEDS_EVIDENCE = new Set<OperationId>(['confirmations.create', 'evidence.remove_alias']);
/** What comes back, or is done again, under another id. */
const NEW_IDS = new Set<OperationId>([
  'records.split',
  'matches.create',
  'rules.create',
  'rules.take_preset',
  'periods.create',
  'periods.remove',
  'bank_accounts.create',
  'views.create',
  'bank_account_balances.remove',
]);

describe('undo leaves the book as it was, and redo as it was left', () => {
  it.each((Object.keys(INVERSES) as OperationId[]).filter((id) => !NEEDS_EVIDENCE.has(id)))('%s', async (id) => {
    const backend = await book.open();
    const seen = async (): Promise<unknown> => picture(backend, NEW_IDS.has(id));
    try {
      for (const [operation, input] of PREPARATIONS[id] ?? []) await call(backend, operation, input);
      const before = await seen();
      const { example, inverse }: Operation = contract[id];
      const { meta } = await call(backend, id, INPUTS[id] ?? example);
      const done = await seen();
      expect(done).not.toEqual(before);
      const { undo } = (await call(backend, 'undo.list', {})).value as { undo: UndoEntry[] };
      expect(undo[0]).toMatchObject({ id: meta?.undo?.id, label: meta?.undo?.label, can_redo: true });
      expect(meta?.undo?.label).toMatch(/^[A-Z“].{8,}$/);
      expect(inverse).toBeDefined();
      await call(backend, 'undo.take_back', {});
      expect(await seen()).toEqual(before);
      await call(backend, 'undo.redo', {});
      expect(await seen()).toEqual(done);
      await call(backend, 'undo.take_back', {});
      expect(await seen()).toEqual(before);
    } finally {
      await backend.close();
    }
  });
});
