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
    'connections.restore',
    'import_recipes.restore',
    'runs.undo',
    'sync_runs.undo',
    'backups.restore',
    'book.start_anew',
    'books.open',
    'books.create',
    'books.move',
    'books.forget',
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
    'table_runs.start',
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
    'connections.try',
    'table_runs.plan',
    'table_runs.cancel',
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
  ['connections.list', {}],
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
  'connections.create',
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

type Foreign = readonly [OperationId, Readonly<Record<string, unknown>>];
interface Made {
  readonly id: number;
  readonly part: { readonly id: number };
  readonly added_rule_ids: readonly number[];
}

/** A write of another program on what a write has made. */
const ON_MADE: Partial<Record<OperationId, (made: Made) => Foreign>> = {
  'rules.create': ({ id }) => ['rules.update', { id, description: 'Of a program' }],
  'rules.take_preset': ({ added_rule_ids: ids }) => ['rules.update', { id: ids[0], description: 'Of a program' }],
  'periods.create': ({ id }) => ['periods.update', { id, balances: [{ side: 'books', currency: 'GBP', opening: 5 }] }],
  'records.split': ({ part }) => ['records.update', { id: part.id, description: 'Of a program' }],
  'connections.create': ({ id }) => ['connections.update', { id, name: 'Of a program' }],
  'views.create': ({ id }) => ['views.update', { id, name: 'Of a program' }],
  'bank_accounts.create': ({ id }) => [
    'bank_account_balances.put',
    { bank_account_id: id, date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 1 },
  ],
};

const balanceOf = (amount: number): Foreign => [
  'bank_account_balances.put',
  { bank_account_id: 1, date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: amount },
];
const overdueAt = (at: string): Foreign => ['records.mark_overdue', { id: 1, reconciliation_id: 1, overdue_at: at }];

/** A write of another program on the same field. */
const ON_SAME_FIELD: Partial<Record<OperationId, Foreign>> = {
  'rules.update': ['rules.update', { id: 1, description: 'Of a program' }],
  'rules.reorder': ['rules.reorder', { id: 1, rule_ids: [1, 3] }],
  'periods.update': ['periods.update', { id: 1, balances: [{ side: 'books', currency: 'GBP', opening: 7 }] }],
  'open_items.put_many': ['open_items.put_many', { id: 1, changes: [{ record_ids: [1], owner: 'A program' }] }],
  'open_items.put': ['open_items.put_many', { id: 1, changes: [{ record_ids: [1], comment: 'Of a program' }] }],
  'streams.update': ['streams.update', { key: 'bank', name: 'Of a program' }],
  'reconciliations.update': ['reconciliations.update', { id: 1, name: 'Of a program' }],
  'records.update': ['records.update', { id: 1, description: 'Of a program' }],
  'records.mark_overdue': overdueAt('2026-06-29T12:00:00Z'),
  'records.clear_overdue': overdueAt('2026-06-29T12:00:00Z'),
  'exceptions.update': ['exceptions.update', { id: 1, status: 'resolved' }],
  'exceptions.update_many': ['exceptions.update', { id: 1, status: 'resolved' }],
  'book.update': ['book.update', { name: 'Of a program' }],
  'notation.update': ['notation.update', { days: 'mdy' }],
  'views.update': ['views.update', { id: 1, name: 'Of a program' }],
  'connections.update': ['connections.update', { id: 1, name: 'Of a program' }],
  'import_recipes.update': ['import_recipes.update', { id: 1, name: 'Of a program' }],
  'import_batches.correct_currency': ['import_batches.correct_currency', { id: 1, currency: 'USD', preview: false }],
  'bank_accounts.update': ['bank_accounts.update', { id: 1, name: 'Of a program' }],
  'bank_account_balances.put': balanceOf(99_900),
  'bank_account_balances.remove': balanceOf(99_900),
  'sync_conflicts.choose': ['sync_conflicts.choose', { id: 1, choice: 'take_remote' }],
  'sync_unsure.settle': ['sync_unsure.settle', { id: 1, choice: '7' }],
};

/** A write of another program on another field of the same thing. */
const ON_OTHER_FIELD: Partial<Record<OperationId, Foreign>> = {
  'rules.update': ['rules.update', { id: 1, outcome: 'match' }],
  'periods.update': ['periods.update', { id: 1, balances: [{ side: 'books', currency: 'GBP', stated_closing: 9 }] }],
  'open_items.put_many': ['open_items.put_many', { id: 1, changes: [{ record_ids: [1], comment: 'Of a program' }] }],
  'open_items.put': ['open_items.put_many', { id: 1, changes: [{ record_ids: [1], expected_on: '2026-07-05' }] }],
  'streams.update': ['streams.update', { key: 'bank', description: 'Of a program' }],
  'reconciliations.update': ['reconciliations.update', { id: 1, sign_convention: 'opposite' }],
  'records.update': ['records.update', { id: 1, value_date: '2026-06-09' }],
  'exceptions.update': ['exceptions.update', { id: 1, comment: 'Of a program' }],
  'exceptions.update_many': ['exceptions.update', { id: 1, comment: 'Of a program' }],
  'book.update': ['book.update', { is_sample: true }],
  'notation.update': ['notation.update', { week: 'sunday' }],
  'views.update': ['views.update', { id: 1, filter: { search: '>7' } }],
  'connections.update': ['connections.update', { id: 1, address: 'other.duckdb' }],
  'bank_account_balances.put': ['bank_accounts.update', { id: 1, name: 'Of a program' }],
};

/** Undo of these brings back what is gone, on which nobody can write, or keeps by itself what was changed since. */
const NOTHING_TO_OVERWRITE = new Set<OperationId>([
  'matches.create',
  'matches.confirm',
  'matches.remove',
  'confirmations.create',
  'rejections.create',
  'separations.clear',
  'evidence.remove_alias',
  'rules.remove',
  'rules.dismiss',
  'periods.remove',
  'views.remove',
  'connections.remove',
  'bank_accounts.remove',
]);

/** Decisions of a sync that is not made yet: the audit log has what comes of them. */
const NOT_IN_THE_LOG = new Set<OperationId>(['sync_conflicts.choose', 'sync_unsure.settle']);

async function asProgram(backend: Backend, [operation, input]: Foreign) {
  const caller = { ...backend.ownCaller('live', 'app'), surface: contract[operation].surface, actor: 'key:1' };
  const outcome = await backend.dispatch(operation, input, caller);
  if (!outcome.ok) throw new Error(`${operation}: ${outcome.error.message}`);
}

/** Opens a book in which a write was made; answers how its undo is called. */
async function written(id: OperationId) {
  const backend = await book.open();
  for (const [operation, input] of PREPARATIONS[id] ?? []) await call(backend, operation, input);
  const { example }: Operation = contract[id];
  const { value, meta } = await call(backend, id, INPUTS[id] ?? example);
  const ask = async (operation: OperationId, input: object) => backend.dispatch(operation, input, backend.ownCaller('live', 'app'));
  return { backend, made: value as Made, undoId: meta?.undo?.id, ask };
}

describe('undo does not write over what another program wrote since', () => {
  it('has a case of each write with an inverse', () => {
    const cases = [...Object.keys(ON_MADE), ...Object.keys(ON_SAME_FIELD), ...NOTHING_TO_OVERWRITE];
    expect(cases.toSorted()).toEqual(Object.keys(INVERSES).toSorted());
  });

  it.each([...Object.keys(ON_MADE), ...Object.keys(ON_SAME_FIELD)] as OperationId[])('%s is refused', async (id) => {
    const { backend, made, undoId, ask } = await written(id);
    try {
      const foreign = ON_SAME_FIELD[id] ?? ON_MADE[id]?.(made);
      if (foreign === undefined) throw new Error('no case');
      await asProgram(backend, foreign);
      const since = await picture(backend, false);
      const refused = await ask('undo.take_back', { id: undoId });
      expect(refused).toMatchObject({
        ok: false,
        error: {
          code: 'changed_since',
          message: expect.stringContaining(NOT_IN_THE_LOG.has(id) ? 'it was left at' : 'The last change is by “'),
        },
      });
      expect(await picture(backend, false)).toEqual(since);
      const errors = refused.ok ? [] : (refused.error.errors ?? []);
      const choices = errors.filter((error) => error.path === 'if_changed').map(({ code }) => code);
      // What somebody has written on is not deleted, even on request.
      expect(choices).toEqual(ON_MADE[id] === undefined ? ['overwrite', 'skip'] : ['skip']);
      const mayOverwrite = choices.includes('overwrite');
      // An answer to a question that showed something else is asked again.
      const unseen = await ask('undo.take_back', { id: undoId, if_changed: 'overwrite', seen: 'something else' });
      expect(unseen).toMatchObject({ ok: false, error: { code: 'changed_since' } });
      expect(await picture(backend, false)).toEqual(since);
      const seen = errors.find((error) => error.path === 'seen')?.code;
      const again = await ask('undo.take_back', { id: undoId, if_changed: 'overwrite', ...(seen === undefined ? {} : { seen }) });
      expect(again.ok).toBe(mayOverwrite);
      if (mayOverwrite) return;
      expect(await ask('undo.take_back', { id: undoId, if_changed: 'skip' })).toMatchObject({ ok: true });
      expect(await picture(backend, false)).toEqual(since);
      expect(await ask('undo.take_back', { id: undoId })).toMatchObject({ ok: false, error: { code: 'not_found' } });
    } finally {
      await backend.close();
    }
  });

  // A write of the window itself ends what can be done again.
  const ofPrograms = (Object.keys(ON_SAME_FIELD) as OperationId[]).filter(
    (id) => contract[(ON_SAME_FIELD[id] as Foreign)[0]].surface === 'public',
  );
  it.each(ofPrograms)('%s is not done again over it', async (id) => {
    const { backend, undoId, ask } = await written(id);
    try {
      await call(backend, 'undo.take_back', { id: undoId });
      await asProgram(backend, ON_SAME_FIELD[id] as Foreign);
      const since = await picture(backend, false);
      expect(await ask('undo.redo', {})).toMatchObject({ ok: false, error: { code: 'changed_since' } });
      expect(await picture(backend, false)).toEqual(since);
    } finally {
      await backend.close();
    }
  });

  it.each(['undo.take_back', 'undo.redo'] as const)('%s asks again about what was changed while it asked', async (again) => {
    const { backend, ask } = await written('records.update');
    const write = async (description: string) => asProgram(backend, ['records.update', { id: 1, description }]);
    const seenIn = (outcome: Awaited<ReturnType<typeof ask>>) =>
      outcome.ok ? undefined : outcome.error.errors?.find((error) => error.path === 'seen')?.code;
    try {
      if (again === 'undo.redo') await call(backend, 'undo.take_back', {});
      await write('Shown in the question');
      const first = seenIn(await ask(again, {}));
      await write('Written while it asked');
      const since = await picture(backend, false);
      const second = await ask(again, { if_changed: 'overwrite', seen: first });
      expect(second).toMatchObject({ ok: false, error: { code: 'changed_since', message: expect.stringContaining('while it asked') } });
      expect(await picture(backend, false)).toEqual(since);
      expect(await ask(again, { if_changed: 'overwrite', seen: seenIn(second) })).toMatchObject({ ok: true });
    } finally {
      await backend.close();
    }
  });

  it.each(Object.keys(ON_OTHER_FIELD) as OperationId[])('%s leaves another field as the program wrote it', async (id) => {
    const foreign = ON_OTHER_FIELD[id] as Foreign;
    const alone = await book.open();
    const { backend, undoId } = await written(id);
    try {
      for (const [operation, input] of PREPARATIONS[id] ?? []) await call(alone, operation, input);
      await asProgram(alone, foreign);
      await asProgram(backend, foreign);
      await call(backend, 'undo.take_back', { id: undoId });
      expect(await picture(backend, false)).toEqual(await picture(alone, false));
    } finally {
      await backend.close();
      await alone.close();
    }
  });
});

describe('found once: a match came back over another amount of a line, and left a difference of which nobody was told', () => {
  const TAKEN: readonly (readonly [OperationId, lines: readonly number[], 'undo.take_back' | 'undo.redo'])[] = [
    ['matches.create', [1, 7], 'undo.redo'],
    ['matches.remove', [3, 9], 'undo.take_back'],
  ];

  it.each(TAKEN)('%s of lines %j by %s', async (id, [line = 0], again) => {
    const { backend, ask } = await written(id);
    try {
      if (again === 'undo.redo') await call(backend, 'undo.take_back', {});
      await asProgram(backend, ['records.update', { id: line, amount: 99_900 }]);
      const since = await picture(backend, false);
      const refused = await ask(again, {});
      const words =
        'Now the amount of “Line \\d” is £999\\.00; it was left at £\\d\\.00\\. The last change is by “.* does not match lines whose amounts';
      expect(refused).toMatchObject({
        ok: false,
        error: { code: 'changed_since', message: expect.stringMatching(words), errors: [{ code: 'skip' }] },
      });
      expect(await ask(again, { if_changed: 'overwrite' })).toMatchObject({ ok: false });
      expect(await picture(backend, false)).toEqual(since);
      expect(await ask(again, { if_changed: 'skip' })).toMatchObject({ ok: true });
      expect(await picture(backend, false)).toEqual(since);
    } finally {
      await backend.close();
    }
  });
});

it('found once: undo said of what is gone that it can be deleted where it is shown', async () => {
  const { backend, undoId, ask } = await written('bank_account_balances.put');
  try {
    await asProgram(backend, ['bank_accounts.remove', { id: 1 }]);
    const refused = await ask('undo.take_back', { id: undoId });
    const message = expect.stringMatching(/It is gone now\. .*Nothing of it is left to change\.$/u);
    expect(refused).toMatchObject({ ok: false, error: { code: 'changed_since', message, errors: [{ code: 'skip' }] } });
  } finally {
    await backend.close();
  }
});

it('found once: undo said that the balances of a period is another one, and no amount', async () => {
  const { backend, undoId, ask } = await written('periods.update');
  try {
    await asProgram(backend, ['periods.update', { id: 1, balances: [{ side: 'books', currency: 'GBP', opening: 700 }] }]);
    expect(await ask('undo.take_back', { id: undoId })).toMatchObject({
      ok: false,
      error: {
        message: expect.stringMatching(/Now the opening balance of the books in GBP is £7\.00; it was left at £[\d.,]+\. The last/u),
      },
    });
  } finally {
    await backend.close();
  }
});
