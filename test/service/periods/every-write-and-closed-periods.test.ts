import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openJobs } from '../../../src-main/book/store/jobs.ts';
import { contract, type Operation, type OperationId } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { createParityBook, type ParityBook, PREPARATIONS } from '../../contract/parity-book.ts';
import { testFolder } from '../../support/books/backend.ts';
import { workOff } from '../../support/books/bulk.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { drawn } from '../../support/long.ts';
import { dumpBook } from '../../support/faults/failing-statements.ts';

type Input = Readonly<Record<string, unknown>>;
type Call = readonly [OperationId, Input];

/**
 * `statement`: it changes what the statement of an open June says. `book`: it changes something else that the book keeps. `nothing`: it only looks, or
 * keeps its work outside of the book. `refused`: it needs another Tieout, or a book that is gone.
 */
type Effect = 'statement' | 'book' | 'nothing' | 'refused';

interface Case {
  /** Done before the period is signed; without it what the example needs. */
  readonly before?: readonly Call[];
  /** Without it the example of the contract. */
  readonly input?: Input;
  /** What stands in the book before that, which only a run could write. */
  readonly sql?: string;
  /** What the operation starts is not worked on, or what was done before it. */
  readonly isLeftOpen?: boolean;
  readonly isBeforeLeftOpen?: boolean;
  readonly effect: Effect;
}

/** The whole of an input, field by field: what is sent beside the fields that name the thing, and what it does. */
const each = (named: Input, fields: Readonly<Record<string, readonly [unknown, Effect, Omit<Case, 'effect'>?]>>): Case[] =>
  Object.entries(fields).map(([field, [value, effect, more]]) => ({
    ...more,
    effect,
    input: { ...named, [field]: value, ...more?.input },
  }));

const LINE = { data_stream_key: 'bank', date: '2026-06-20', amount: 45, currency: 'GBP', description: 'Found' };
const SPARE: Call = ['records.create', { ...LINE, data_stream_key: 'spare', external_id: 'spare-1' }];
const CONFIRMED: Call = ['matches.confirm', { id: 1 }];
/** What a file states of June. */
const IN_POUNDS = {
  currency: 'GBP',
  periods: [{ account: null, date_start: '2026-06-01', date_end: '2026-06-30', opening_balance: 0, closing_balance: 125_000 }],
  balances: [{ date: '2026-06-30', balance_type: 'closing_ledger', amount: 125_000, currency: 'GBP' }],
};
const LINKED: Call = ['streams.update', { key: 'bank', bank_account_id: 1 }];
/** The proposal is so likely that it is confirmed together with others. */
const LIKELY = 'UPDATE matches SET likelihood = 2000 WHERE id = 1';
const SIGNED: readonly Call[] = PREPARATIONS['periods.reopen'] ?? [];

/** Every operation that writes, with inputs that take effect. */
const CASES: Readonly<Partial<Record<OperationId, Case | readonly Case[]>>> = {
  'streams.create': { effect: 'book' },
  'streams.update': each(
    { key: 'bank' },
    {
      name: ['Renamed', 'book'],
      description: ['Ours', 'book'],
      reference_field: ['metadata.order_id', 'statement'],
      bank_account_id: [1, 'statement'],
      read_by: ['value_date', 'book'],
      batch_lines: ['parts', 'book'],
    },
  ),
  'streams.remove': [{ effect: 'book' }, { input: { key: 'bank' }, before: [['reconciliations.remove', { id: 2 }]], effect: 'refused' }],
  'streams.reset': [{ effect: 'book' }, { input: { key: 'bank' }, effect: 'statement' }],
  'records.create': { input: LINE, effect: 'statement' },
  'records.update': each(
    { id: 1 },
    {
      date: ['2026-06-21', 'statement'],
      value_date: ['2026-06-22', 'book'],
      amount: [7, 'statement'],
      direction: ['debit', 'statement'],
      currency: ['EUR', 'statement'],
      decimal_places: [3, 'statement'],
      description: ['Another', 'statement'],
      external_id: ['another', 'book'],
      metadata: [{ order_id: 'O-9' }, 'book'],
    },
  ),
  'records.remove': { input: { id: 1 }, effect: 'statement' },
  'records.split': { input: { id: 1, amount: 1 }, effect: 'statement' },
  'records.mark_overdue': { effect: 'book' },
  'records.clear_overdue': { before: [['records.mark_overdue', { id: 1, reconciliation_id: 1 }]], effect: 'book' },
  'bulk_requests.create': { effect: 'statement' },
  'bulk_requests.cancel': {
    before: [['bulk_requests.create', { records: [LINE] }]],
    isBeforeLeftOpen: true,
    isLeftOpen: true,
    input: { id: 3 },
    effect: 'book',
  },
  'bulk_requests.retry': {
    before: [
      ['bulk_requests.create', { records: [LINE] }],
      ['bulk_requests.cancel', { id: 3 }],
    ],
    isBeforeLeftOpen: true,
    input: { id: 3 },
    effect: 'statement',
  },
  'reconciliations.mark_overdue': { effect: 'book' },
  'exceptions.create': { effect: 'book' },
  'exceptions.update_many': each(
    { ids: [1] },
    { status: ['investigating', 'book'], assignee: ['Ann', 'book'], comment: ['Asked', 'book'] },
  ),
  'exceptions.update': each(
    { id: 1 },
    {
      title: ['Lost', 'book'],
      description: ['Since May', 'book'],
      status: ['investigating', 'book'],
      assignee: ['Ann', 'book'],
      comment: ['Asked', 'book'],
    },
  ),
  'exceptions.remove': { effect: 'book' },
  'import_batches.correct_currency': [{ effect: 'nothing' }, { input: { id: 1, currency: 'EUR', preview: false }, effect: 'statement' }],
  'import_batches.remove': [{ effect: 'nothing' }, { input: { id: 1, preview: false }, effect: 'statement' }],
  'reconciliations.create': { effect: 'book' },
  'reconciliations.update': each(
    { id: 1 },
    {
      name: ['Another', 'book'],
      run_type: ['continuous', 'book'],
      side_a_stream_ids: [[2, 3], 'statement', { before: [SPARE] }],
      side_b_stream_ids: [[1, 3], 'statement', { before: [SPARE] }],
      sign_convention: ['opposite', 'statement'],
    },
  ),
  'reconciliations.remove': [{ effect: 'book' }, { input: { id: 1 }, effect: 'statement' }],
  'reconciliations.set_up': { effect: 'book' },
  'rules.create': { effect: 'book' },
  'rules.update': [
    ...each(
      { id: 1 },
      { filters: [{ rules: [{ key: 'date', value: 'date' }] }, 'book'], priority: [77, 'book'], description: ['x', 'book'] },
    ),
    ...each({ id: 1 }, { outcome: ['match', 'book'], commit_certainty: [['unique'], 'book'], paused: [true, 'book'] }),
    { input: { id: 1, cardinality: 'many_to_one', group_by: ['date'], rollup: { group_by_kind: 'identifier' } }, effect: 'book' },
    {
      before: [['rules.take_preset', { id: 1, preset: 'evidence' }]],
      input: { id: 4, method: 'evidence', budget: 7, max_difference: { minor: 100 } },
      effect: 'book',
    },
  ],
  'rules.replace': { effect: 'book' },
  'rules.take_preset': { effect: 'book' },
  'rules.remove': { effect: 'book' },
  'rules.activate': { effect: 'book' },
  'rules.dismiss': { effect: 'book' },
  'rules.restore': { effect: 'book' },
  'rules.reorder': { effect: 'book' },
  'rules.preview': { effect: 'nothing' },
  'rules.backtest': { effect: 'nothing' },
  'rules.backtest_unsaved': { effect: 'nothing' },
  'rules.cancel_backtests': { effect: 'nothing' },
  'proposals.create': { effect: 'book' },
  'runs.start': { input: { id: 1 }, before: [['rules.update', { id: 1, outcome: 'match' }]], effect: 'statement' },
  'runs.undo': { effect: 'book' },
  'undo.take_back': { input: {}, before: [['bank_accounts.update', { id: 2, name: 'Another' }]], effect: 'book' },
  'undo.redo': {
    before: [
      ['bank_accounts.update', { id: 2, name: 'Another' }],
      ['undo.take_back', {}],
    ],
    effect: 'book',
  },
  'runs.rehearse': { effect: 'book' },
  'runs.cancel': {
    before: [['runs.start', { id: 1 }]],
    isBeforeLeftOpen: true,
    isLeftOpen: true,
    input: { id: 1, run_id: 3 },
    effect: 'book',
  },
  'periods.create': { effect: 'book' },
  'periods.update': each(
    { id: 1 },
    {
      from: ['2026-05-31', 'statement'],
      to: ['2026-06-29', 'statement'],
      bank_side: ['a', 'statement'],
      balances: [[{ side: 'books', currency: 'GBP', opening: 1_250_000 }], 'statement'],
    },
  ),
  'periods.remove': { effect: 'statement' },
  'periods.prepare': { effect: 'statement' },
  'periods.review': { effect: 'statement' },
  'periods.close': { effect: 'statement' },
  'periods.reopen': { effect: 'statement' },
  'open_items.put_many': { input: { id: 1, changes: [{ record_ids: [1], status: 'bank_error' }] }, effect: 'statement' },
  'open_items.put': each(
    { id: 1, record_id: 1 },
    {
      status: ['bank_error', 'statement'],
      owner: ['Amira Patel', 'book', { input: { status: 'open' } }],
      comment: ['Paid in', 'statement', { input: { status: 'open' } }],
      expected_on: ['2026-07-03', 'book', { input: { status: 'open' } }],
    },
  ),
  'matches.create': { effect: 'statement' },
  'matches.confirm': { effect: 'statement' },
  'matches.remove': [
    { before: [CONFIRMED], effect: 'statement' },
    { input: { id: 1 }, effect: 'statement' },
  ],
  'matches.restore': [
    { before: [CONFIRMED, ['matches.remove', { id: 1 }]], effect: 'statement' },
    { input: { id: 1 }, before: [['matches.remove', { id: 1 }]], effect: 'statement' },
  ],
  'matches.undo_create': { effect: 'statement' },
  'confirmations.create': { sql: LIKELY, effect: 'statement' },
  'confirmations.undo': { sql: LIKELY, before: [['confirmations.create', { id: 1, least_likelihood: 0.99 }]], effect: 'statement' },
  'rejections.create': { effect: 'statement' },
  'rejections.undo': { before: [['rejections.create', { id: 1, match_ids: [1] }]], effect: 'statement' },
  'evidence.relearn': {
    before: [
      ['rules.take_preset', { id: 1, preset: 'evidence' }],
      ['runs.start', { id: 1 }],
    ],
    effect: 'book',
  },
  'evidence.remove_alias': { effect: 'book' },
  'evidence.restore_alias': { before: [['evidence.remove_alias', { id: 1, a: 'J SWIFT', b: 'SWIFT LOGISTICS' }]], effect: 'book' },
  'evidence.keep': { effect: 'book' },
  'separations.clear': { effect: 'book' },
  'separations.restore': { effect: 'book' },
  'matches.suggest_sums': { effect: 'nothing' },
  'import_recipes.create': { effect: 'book' },
  'import_recipes.update': each({ id: 1 }, { name: ['Renamed', 'book'] }),
  'import_recipes.restore': { effect: 'book' },
  'import_recipes.remove': { effect: 'book' },
  'imported_files.create': { input: { ...contract['imported_files.create'].example, ...IN_POUNDS }, effect: 'statement' },
  'imported_files.update': each(
    { id: 1 },
    {
      currency: ['EUR', 'book'],
      opening_balance: [5, 'statement'],
      closing_balance: [6, 'statement'],
      proof: ['broken', 'book'],
      totals: [[{ currency: 'GBP', decimal_places: 2, credits: 1, debits: 1 }], 'book'],
      date_range_start: ['2026-05-01', 'book'],
      date_range_end: ['2026-07-01', 'book'],
      periods: [IN_POUNDS.periods, 'statement'],
      balances: [IN_POUNDS.balances, 'statement'],
    },
  ),
  'imported_files.add_lines': { effect: 'book' },
  'imported_files.remove': { effect: 'book' },
  'imports.document': { effect: 'refused' },
  'imports.parts': { effect: 'nothing' },
  'imports.preview': { isLeftOpen: true, effect: 'nothing' },
  'imports.start': { effect: 'statement' },
  'lists.export': { effect: 'nothing' },
  'jobs.cancel': { before: [['runs.start', { id: 1 }]], isBeforeLeftOpen: true, isLeftOpen: true, input: { id: 5 }, effect: 'book' },
  'book.update': each({}, { name: ['Ours', 'book'], is_sample: [true, 'book'], status_explains: [true, 'book'] }),
  'bank_accounts.create': { effect: 'book' },
  'bank_accounts.update': each({ id: 1 }, { name: ['Another', 'book'], currency: ['EUR', 'statement', { before: [LINKED] }] }),
  'bank_accounts.remove': [{ effect: 'book' }, { before: [LINKED], input: { id: 1, streams_to: 'none' }, effect: 'statement' }],
  'bank_accounts.restore': { effect: 'book' },
  'bank_account_balances.put': { before: [LINKED], effect: 'statement' },
  'bank_account_balances.remove': { before: [LINKED], effect: 'statement' },
  'bank_account_balances.put_many': {
    before: [LINKED],
    input: { bank_account_id: 1, balances: [{ date: '2026-06-30', balance_type: 'closing_ledger', amount_cents: 5 }] },
    effect: 'statement',
  },
  'stories.create': { effect: 'book' },
  'stories.update': each({ id: 1 }, { name: ['Another', 'book'], links: [[{ reconciliation_id: 2 }], 'book'] }),
  'stories.remove': { effect: 'book' },
  'property_definitions.create': { effect: 'book' },
  'property_definitions.update': each({ id: 1 }, { name: ['Another', 'book'], optional: [false, 'book'] }),
  'property_definitions.remove': { effect: 'book' },
  'api_keys.issue': { effect: 'book' },
  'api_keys.revoke': { effect: 'book' },
  'connections.create': { effect: 'book' },
  'connections.update': each({ id: 1 }, { name: ['Renamed', 'book'], address: ['other.duckdb', 'book'], password: ['secret', 'nothing'] }),
  'connections.remove': { effect: 'book' },
  'connections.restore': { effect: 'book' },
  'connections.try': { effect: 'refused' },
  'table_runs.plan': { effect: 'refused' },
  'table_runs.start': { effect: 'book' },
  'table_runs.cancel': { effect: 'refused' },
  'views.create': { effect: 'book' },
  'views.update': each({ id: 1 }, { name: ['Renamed', 'book'], filter: [{ search: '>5' }, 'book'] }),
  'views.remove': { effect: 'book' },
  'views.restore': { effect: 'book' },
  'notation.update': each({}, { days: ['dmy', 'book'], decimal: ['.', 'book'], week: ['monday', 'book'], paper: ['A4', 'book'] }),
  'local_port.update': each(
    {},
    {
      enabled: [true, 'book'],
      port: [8_123, 'book'],
      host_names: [['books.example'], 'book'],
      allowed_origins: [['https://addin.example.com'], 'book'],
      address: ['127.0.0.2', 'book'],
      sentence: ['other machines', 'book'],
    },
  ),
  'book.start_anew': { effect: 'refused' },
  'books.open': { effect: 'refused' },
  'books.create': { effect: 'refused' },
  'books.move': { effect: 'refused' },
  'books.forget': { effect: 'nothing' },
  'backups.check': { effect: 'refused' },
  'book.check': { effect: 'refused' },
  'backups.create': { effect: 'nothing' },
  'backups.restore': { effect: 'refused' },
  'sync_remotes.probe': { effect: 'refused' },
  'sync_remotes.create': { effect: 'refused' },
  'sync_remotes.update': each(
    { id: 1 },
    {
      name: ['Branch', 'book'],
      every_minutes: [60, 'book'],
      when_online: [true, 'book'],
      base_url: ['http://127.0.0.1:1/v1', 'refused'],
      api_key: ['key', 'refused'],
    },
  ),
  'sync_remotes.answer': { effect: 'refused' },
  'sync_remotes.remove': { effect: 'book' },
  'syncs.start': { effect: 'refused' },
  'sync_runs.undo': { effect: 'refused' },
  'syncs.cancel': { effect: 'refused' },
  'syncs.retry': { effect: 'refused' },
  'sync_conflicts.choose': { effect: 'book' },
  'sync_unsure.settle': { effect: 'book' },
};

const WRITING = Object.values<Operation>(contract).filter(({ method }) => method !== 'GET');
const casesOf = (id: OperationId): readonly Case[] => [CASES[id] ?? []].flat() as readonly Case[];

test('every operation of the contract that writes is tried', () => {
  expect(Object.keys(CASES).toSorted()).toEqual(WRITING.map(({ id }) => id).toSorted());
});

let parity: ParityBook;
beforeAll(async () => {
  parity = await createParityBook();
}, 60_000);
afterAll(() => parity.remove());

const CSV = 'Date,Description,Reference,Amount\n2026-06-11,Fee,F-1,-2.50\n2026-06-12,Sale,S-1,80.00\n';

function copied(): QuietBook {
  const folder = testFolder();
  cpSync(parity.folder, folder, { recursive: true });
  return openQuietBook(folder);
}

function tokenOf(book: QuietBook, file: string): string {
  const chosen = book.files.register(file);
  assert(chosen.ok, 'the file was just written');
  return chosen.value.token;
}

/** Does all work that waits. */
function finish(book: QuietBook): void {
  workOff(book);
  while (openJobs(book.database).length > 0) book.work();
}

async function carriedOut(book: QuietBook, id: OperationId, input: Input, isLeftOpen = false): Promise<string> {
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, CSV);
  if (id === 'imports.start') {
    const { result, end } = importHere(book, {
      path: file,
      streamKey: String(input['stream_key']),
      currency: 'GBP',
      answers: { overlap: 'new' },
    });
    return (result?.batch_id ?? null) === null ? `refused: ${JSON.stringify({ end, result })}` : 'done';
  }
  const token = 'file_token' in input ? { file_token: tokenOf(book, file) } : {};
  const outcome = await book.client.call(id, { ...input, ...token } as never);
  if (!isLeftOpen) finish(book);
  return outcome.ok ? 'done' : `${outcome.error.code}: ${outcome.error.message}`;
}

/** What a person reads on the statement of June; that it is gone where it is. */
async function statementOf(book: QuietBook): Promise<unknown> {
  const answer = await book.client.call('periods.get', { id: 1 });
  if (!answer.ok) return answer.error.code;
  // What may be said otherwise of the same figures: causes, proposals, and who works on an item.
  const {
    sign_offs: _signed,
    reconciliation: _name,
    warnings: _warnings,
    looked_at: _looked,
    unexplained_causes: _causes,
    explained_item_count: _explained,
    unexplained_item_count: _bare,
    ...said
  } = answer.value.statement;
  // Which files are missing of an open period is said like a warning; a closed one keeps what was said when it was closed.
  const isClosed = answer.value.state === 'closed';
  const undone = said.undone.filter(({ step }) => isClosed || step !== 'files');
  const sides = said.document.sides.map(({ account: _account, ...side }) => side);
  const items = said.open_items.map(({ causes: _of, note, expected_on: _on, late: _late, reason: _reason, match_id: _match, ...item }) => ({
    ...item,
    status: note?.status ?? 'open',
  }));
  const document = { ...said.document, sides, undone: isClosed ? said.document.undone : undone.length };
  return { ...said, undone, document, open_items: items };
}

const KEPT_OF_WORK = [
  'jobs',
  'audit_log',
  'content_state',
  'content_digests',
  'content_pending',
  'column_packs',
  'column_parts',
  'column_state',
];
const bookOf = (book: QuietBook) => JSON.stringify(dumpBook(book.database, KEPT_OF_WORK));

const ALL = WRITING.flatMap(({ id }) => casesOf(id as OperationId).map((one) => ({ id: id as OperationId, one })));
const nameOf = ({ id, one }: (typeof ALL)[number]) => `${id} ${JSON.stringify(one.input ?? 'as in its example')}`;

async function prepared({ id, one }: (typeof ALL)[number], before = one.before ?? PREPARATIONS[id] ?? []) {
  const book = copied();
  if (one.sql !== undefined) book.database.connection.exec(one.sql);
  for (const [operation, input] of before)
    expect([operation, await carriedOut(book, operation, input, one.isBeforeLeftOpen)]).toEqual([operation, 'done']);
  const input: Input = one.input ?? (contract[id] as Operation).example;
  return { book, act: () => carriedOut(book, id, input, one.isLeftOpen) };
}

test.each(drawn(ALL, 40, nameOf).map((tried) => [nameOf(tried), tried] as const))(
  'it takes effect on an open period as described here: %s',
  async (_name, tried) => {
    const { book, act } = await prepared(tried);
    const [statement, whole] = [await statementOf(book), bookOf(book)];
    const outcome = await act();
    const isSaidOtherwise = JSON.stringify(await statementOf(book)) !== JSON.stringify(statement);
    const effect = isSaidOtherwise ? 'statement' : bookOf(book) === whole ? 'nothing' : 'book';
    const isRefused = tried.one.effect === 'refused';
    const wanted = { outcome, isRefused, effect: isRefused ? 'nothing' : tried.one.effect };
    expect({ outcome, isRefused: outcome !== 'done', effect }).toEqual(wanted);
  },
);

/** What is done with signatures: the period is signed when it is tried. */
const SIGNING: ReadonlySet<string> = new Set(['periods.prepare', 'periods.review', 'periods.close', 'periods.reopen']);
/** Reopening is the one way to change a closed period: with a reason, by name. */
const REOPENING: OperationId = 'periods.reopen';

test.each(
  drawn(
    ALL.filter(({ id }) => id !== REOPENING),
    70,
    nameOf,
  ).map((tried) => [nameOf(tried), tried] as const),
)('a closed period is the same before and after: %s', async (_name, tried) => {
  const calls = SIGNING.has(tried.id) ? [] : (tried.one.before ?? PREPARATIONS[tried.id] ?? []);
  // A period is not closed while something is under way.
  const [early, late] = tried.one.isBeforeLeftOpen === true ? [[], calls] : [calls, []];
  const { book, act } = await prepared(tried, early);
  for (const [operation, input] of [...SIGNED, ...late])
    expect([operation, await carriedOut(book, operation, input, true)]).toEqual([operation, 'done']);
  const statement = await statementOf(book);
  expect(statement).toMatchObject({ stale: false, changes: [] });
  const outcome = await act();
  expect([outcome, await statementOf(book)]).toEqual([outcome, statement]);
});

test('every field of an operation that changes a part of something is tried', () => {
  const untried = WRITING.filter(({ method }) => method === 'PATCH' || method === 'PUT').flatMap(({ id, input }) => {
    const tried = new Set(
      casesOf(id as OperationId).flatMap((one) => Object.keys(one.input ?? (contract[id as OperationId] as Operation).example)),
    );
    assert(input instanceof z.ZodObject, `${id} takes an object`);
    return Object.keys(input.shape)
      .filter((field) => !tried.has(field))
      .map((field) => `${id} ${field}`);
  });
  expect(untried).toEqual([]);
});
