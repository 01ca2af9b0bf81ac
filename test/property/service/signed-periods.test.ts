import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contract, type PeriodStatement } from '../../../src-shared/contract/index.ts';
import { openJobs } from '../../../src-main/book/store/jobs.ts';
import { workOff } from '../../support/books/bulk.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { seededNumbers } from '../../support/inputs/random-changes.ts';
import { runs } from '../../support/long.ts';

const CLOSED = 1;
const PREPARED = 2;
const OTHERS = 3;
const DAYS = ['2026-05-20', '2026-06-03', '2026-06-12', '2026-06-29', '2026-06-30', '2026-07-01', '2026-07-09', '2026-08-02'] as const;

/** Chooses at random. */
interface Choice {
  readonly of: <T>(items: readonly T[]) => T;
  /** An id that may be there. */
  readonly id: (most: number) => number;
  readonly day: () => string;
  readonly amount: () => number;
}

function choiceFrom(seed: number): Choice {
  const random = seededNumbers(seed);
  const of = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  return { of, id: (most) => 1 + Math.floor(random() * most), day: () => of(DAYS), amount: () => of([100, 200, -30, 50, 75, -75, 300]) };
}

type OperationId = keyof typeof contract;
type Input = (choice: Choice) => Readonly<Record<string, unknown>>;

const stream = (choice: Choice) => choice.of(['ledger', 'bank', 'bank', 'spare']);
const record = (choice: Choice) => choice.id(24);
const line = (choice: Choice) => ({
  data_stream_key: stream(choice),
  date: choice.day(),
  amount: choice.amount(),
  currency: choice.of(['GBP', 'GBP', 'EUR']),
});
const period = (choice: Choice) => choice.of([CLOSED, PREPARED, OTHERS]);

const day = (choice: Choice) => choice.of([choice.day(), '2026-07-20', '2026-07-21']);
const fileOf = (choice: Choice, [first, last]: readonly (string | undefined)[]) => ({
  source: 'csv_upload',
  filename: 'taken-over.csv',
  format: 'csv',
  sha256: 'a'.repeat(64),
  byte_length: 100,
  kept: 1,
  skipped: 0,
  rejected: 0,
  recipe: null,
  accounts: [],
  holders: [],
  created_at: '2026-07-01T09:00:00.000Z',
  currency: choice.of(['GBP', 'EUR']),
  opening_balance: choice.amount(),
  closing_balance: choice.amount(),
  proof: 'unproved',
  totals: [],
  date_range_start: null,
  date_range_end: null,
  periods: [{ account: null, date_start: first, date_end: last, opening_balance: choice.amount(), closing_balance: choice.amount() }],
  balances: [{ date: last, balance_type: 'closing_ledger', amount: choice.amount(), currency: 'GBP' }],
});
const importedFile = (choice: Choice) => fileOf(choice, [day(choice), day(choice)].toSorted());

/** An input that is likely to be taken, for each operation that may touch what a period is computed from. */
const TRIED: Readonly<Partial<Record<OperationId, Input>>> = {
  'streams.update': (choice) => ({
    key: stream(choice),
    ...choice.of<object>([
      { name: 'Renamed' },
      { bank_account_id: choice.of([1, 2, null]) },
      { read_by: choice.of(['date', 'value_date']) },
    ]),
  }),
  'streams.remove': (choice) => ({ key: stream(choice) }),
  'streams.reset': (choice) => ({ key: stream(choice) }),
  'records.create': line,
  'records.update': (choice) => ({
    id: record(choice),
    ...choice.of<object>([
      { date: choice.day() },
      { amount: Math.abs(choice.amount()) },
      { description: 'Changed' },
      { metadata: { ref: 'R9' } },
    ]),
  }),
  'records.split': (choice) => ({ id: record(choice), amount: choice.id(9) }),
  'records.remove': (choice) => ({ id: record(choice) }),
  'records.mark_overdue': (choice) => ({ id: record(choice), reconciliation_id: 1, overdue_at: '2026-06-30T12:00:00Z' }),
  'bulk_requests.create': (choice) => ({ records: [line(choice), line(choice), line(choice)], on_conflict: 'skip' }),
  'bulk_requests.cancel': (choice) => ({ id: choice.id(5) }),
  'bulk_requests.retry': (choice) => ({ id: choice.id(5) }),
  'exceptions.create': (choice) => ({ reconciliation_id: 1, record_id: record(choice) }),
  'import_batches.correct_currency': (choice) => ({ id: choice.id(6), currency: choice.of(['EUR', 'GBP']), preview: false }),
  'import_batches.remove': (choice) => ({ id: choice.id(6), preview: false }),
  'imported_files.create': (choice) => ({ ...importedFile(choice), data_stream_key: stream(choice) }),
  'imported_files.update': (choice) => {
    const { balances, periods, opening_balance, closing_balance } = importedFile(choice);
    return { id: choice.id(9), ...choice.of<object>([{ balances }, { periods }, { opening_balance, closing_balance }]) };
  },
  'imported_files.add_lines': (choice) => ({ id: choice.id(3), record_ids: [record(choice)] }),
  'imported_files.remove': (choice) => ({ id: choice.id(9) }),
  'reconciliations.update': (choice) => ({
    id: choice.id(3),
    ...choice.of<object>([
      { sign_convention: choice.of(['same', 'opposite']) },
      { side_a_stream_ids: choice.of([[1], [1, 3], [3]]) },
      { side_b_stream_ids: choice.of([[2], [2, 3]]) },
      { name: 'Renamed' },
    ]),
  }),
  'reconciliations.remove': (choice) => ({ id: choice.of([1, 2, 3, 3, 3]) }),
  'rules.replace': (choice) => ({
    id: choice.id(3),
    rules: [choice.of([BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, { filters: { rules: [{ key: 'amount', value: 'amount' }] } }])],
  }),
  'runs.start': (choice) => ({ id: choice.id(3) }),
  'runs.undo': (choice) => ({ id: choice.id(3), run_id: choice.id(5) }),
  'undo.take_back': (choice) => (choice.of([true, false]) ? {} : { id: choice.id(9) }),
  'undo.redo': () => ({}),
  'periods.create': (choice) => ({ reconciliation_id: choice.id(3), ...choice.of([{}, { from: '2026-05-01', to: '2026-05-31' }]) }),
  'periods.update': (choice) => ({
    id: period(choice),
    ...choice.of<object>([
      { to: '2026-06-29' },
      { bank_side: choice.of(['a', 'b', null]) },
      { balances: [{ side: 'books', currency: 'GBP', opening: choice.amount() }] },
    ]),
  }),
  'periods.remove': (choice) => ({ id: choice.id(5) }),
  'periods.prepare': () => ({ id: OTHERS, by: 'Amira Patel' }),
  'periods.review': () => ({ id: OTHERS, by: 'Ben Ode' }),
  'periods.close': () => ({ id: OTHERS, by: 'Ben Ode', unexplained_reason: 'Tried' }),
  'periods.reopen': () => ({ id: OTHERS, reason: 'Tried' }),
  'open_items.put_many': (choice) => ({
    id: choice.id(3),
    changes: [
      { record_ids: [record(choice), record(choice)], status: choice.of(['open', 'bank_error', 'book_error', 'timing']) },
      { record_ids: [record(choice)], comment: choice.of(['Seen', null]) },
    ],
  }),
  'open_items.put': (choice) => ({
    id: choice.id(3),
    record_id: record(choice),
    status: choice.of(['open', 'bank_error', 'book_error', 'timing']),
  }),
  'matches.create': (choice) => ({
    reconciliation_id: choice.id(3),
    record_ids: [record(choice), record(choice)],
    ...choice.of<object>([
      {},
      {},
      { create_adjustment: true, difference_reason: { code: 'bank_charge' } },
      { difference_reason: { code: 'bank_error' } },
    ]),
  }),
  'matches.confirm': (choice) => ({ id: choice.id(30) }),
  'matches.remove': (choice) => ({ id: choice.id(30) }),
  'matches.restore': (choice) => ({ id: choice.id(30) }),
  'matches.undo_create': (choice) => ({ id: choice.id(30) }),
  'confirmations.create': (choice) => ({ id: choice.id(3), least_likelihood: 0.5 }),
  'confirmations.undo': (choice) => ({ id: choice.id(3), match_ids: Array.from({ length: 30 }, (_, at) => at + 1) }),
  'rejections.create': (choice) => ({ id: choice.id(3), search: choice.of(['', '>50', 'likely:unknown']) }),
  'rejections.undo': (choice) => ({ id: choice.id(3), match_ids: Array.from({ length: 30 }, (_, at) => at + 1) }),
  'separations.clear': (choice) => ({ id: choice.id(5) }),
  'separations.restore': (choice) => ({ id: choice.id(5) }),
  'evidence.keep': (choice) => ({ id: choice.id(30) }),
  'imports.start': (choice) => ({
    key: stream(choice),
    rows: [1, 2, 3].map(() => `${choice.day()},${choice.of(['Fee', 'Sale'])},${choice.amount() / 100}`),
  }),
  'bank_accounts.update': (choice) => ({
    id: choice.id(2),
    ...choice.of<object>([{ name: 'Renamed' }, { currency: choice.of(['GBP', 'EUR']) }]),
  }),
  'bank_accounts.remove': (choice) => ({ id: choice.id(2), streams_to: 'none' }),
  'bank_accounts.restore': (choice) => ({ id: choice.id(2) }),
  'bank_account_balances.put': (choice) => ({
    bank_account_id: choice.id(2),
    date: choice.day(),
    balance_type: choice.of(['closing_ledger', 'opening_ledger']),
    amount_cents: choice.amount(),
  }),
  'bank_account_balances.remove': (choice) => ({ id: choice.id(3) }),
  'bank_account_balances.put_many': (choice) => ({
    bank_account_id: choice.id(2),
    balances: [{ date: choice.day(), balance_type: 'closing_ledger', amount_cents: choice.amount() }],
  }),
  'property_definitions.create': (choice) => ({
    data_stream_key: stream(choice),
    key: 'ref',
    name: 'Reference',
    type: choice.of(['string', 'number']),
  }),
  'property_definitions.remove': (choice) => ({ id: choice.id(3) }),
};

/** Operations that change something, but nothing that a period is computed from: settings, rules, words about records, and what only looks. */
const ELSEWHERE: readonly string[] = [
  'streams.create',
  'records.clear_overdue',
  'reconciliations.mark_overdue',
  'exceptions.update',
  'exceptions.update_many',
  'exceptions.remove',
  'reconciliations.create',
  'reconciliations.set_up',
  'rules.create',
  'rules.update',
  'rules.take_preset',
  'rules.remove',
  'rules.activate',
  'rules.dismiss',
  'rules.restore',
  'rules.reorder',
  'rules.preview',
  'rules.backtest',
  'rules.backtest_unsaved',
  'rules.cancel_backtests',
  'proposals.create',
  'runs.rehearse',
  'runs.cancel',
  'evidence.relearn',
  'evidence.remove_alias',
  'evidence.restore_alias',
  'matches.suggest_sums',
  'sync_remotes.probe',
  'sync_remotes.create',
  'sync_remotes.update',
  'sync_remotes.answer',
  'sync_runs.undo',
  'sync_remotes.remove',
  'syncs.start',
  'syncs.cancel',
  'syncs.retry',
  'sync_conflicts.choose',
  'sync_unsure.settle',
  'import_recipes.create',
  'import_recipes.update',
  'import_recipes.restore',
  'import_recipes.remove',
  'imports.document',
  'imports.parts',
  'imports.preview',
  'lists.export',
  'jobs.cancel',
  'book.update',
  'bank_accounts.create',
  'stories.create',
  'stories.update',
  'stories.remove',
  'property_definitions.update',
  'api_keys.issue',
  'api_keys.revoke',
  'local_port.update',
  'notation.update',
  'connections.create',
  'connections.update',
  'connections.remove',
  'connections.restore',
  'connections.try',
  'table_runs.plan',
  'table_runs.start',
  'table_runs.cancel',
  'views.create',
  'views.update',
  'views.remove',
  'views.restore',
  'book.start_anew',
  'books.open',
  'books.create',
  'books.move',
  'books.forget',
  'backups.check',
  'book.check',
  'backups.create',
  'backups.restore',
];

test('every operation that changes something is tried, or is known to change nothing beneath a period', () => {
  const changing = Object.values(contract).filter(({ method }) => method !== 'GET');
  expect([...Object.keys(TRIED), ...ELSEWHERE].toSorted()).toEqual(changing.map(({ id }) => id).toSorted());
});

const gbp = (given: LineInput): LineInput => ({ currency: 'GBP', ...given });
const copy = copiesOf(async () => {
  const book = openQuietBook();
  const { client } = book;
  const a = [
    { amount: 100, external_id: 'x1' },
    { amount: 200, external_id: 'x2' },
    { amount: 50, external_id: 'late', date: '2026-06-29' },
    { amount: 75, external_id: 'july', date: '2026-07-02' },
  ];
  const b = [
    { amount: 100, external_id: 'x1' },
    { amount: 200, external_id: 'x2' },
    { amount: -30, external_id: 'fee' },
    { amount: 50, external_id: 'arrived', date: '2026-07-01' },
  ];
  await setUpPair(client, { a: a.map(gbp), b: b.map(gbp) });
  await client.get('streams.create', { key: 'spare', name: 'Spare' });
  for (const name of ['Current', 'Deposit']) await client.get('bank_accounts.create', { name, currency: 'GBP' });
  await client.get('streams.update', { key: 'bank', bank_account_id: 1 });
  storedFile(book, 'bank', ['2026-06-08,Sale,5.00', '2026-06-25,Fee,-2.00']);
  for (const name of ['Second', 'Third']) {
    await client.get('reconciliations.create', {
      name,
      run_type: 'batch',
      side_a_stream_ids: [1],
      side_b_stream_ids: [2],
      sign_convention: 'same',
    });
  }
  for (const id of [1, 2, 3]) await client.get('rules.replace', { id, rules: [BY_EXTERNAL_ID] });
  for (const id of [1, 2, 3]) await book.run(id);
  const balances = (['bank', 'books'] as const).map((side) => ({ side, currency: 'GBP', opening: 0 }));
  for (const reconciliation of [1, 2, 3]) {
    await client.get('periods.create', {
      reconciliation_id: reconciliation,
      from: '2026-06-01',
      to: '2026-06-30',
      bank_side: 'b',
      balances,
    });
  }
  for (const id of [CLOSED, PREPARED]) await client.get('periods.prepare', { id, by: 'Amira Patel' });
  await client.get('periods.review', { id: CLOSED, by: 'Ben Ode' });
  await client.get('periods.close', { id: CLOSED, by: 'Ben Ode', unexplained_reason: 'Nothing is stated' });
  return book;
});

/** What adds lines and ties them comes more often, so that there is something to change. */
const DRAWN = [
  ...Object.keys(TRIED),
  'imported_files.create',
  'imported_files.update',
  'imported_files.remove',
  'records.create',
  'records.create',
  'runs.start',
  'runs.start',
  'matches.create',
  'matches.create',
  'matches.create',
] as readonly OperationId[];

let files = 0;
const taken = new Set<string>();

function storedFile(book: QuietBook, key: string, rows: readonly string[]): boolean {
  files += 1;
  const file = path.join(book.folder, `file-${files}.csv`);
  writeFileSync(file, ['Date,Description,Amount', ...rows, ''].join('\n'));
  const steps = files % 2 === 0 ? { wholeBytes: 1 } : {};
  return (
    (importHere(book, { path: file, streamKey: key, currency: 'GBP', answers: { overlap: 'same' } }, steps).result?.batch_id ?? null) !==
    null
  );
}

/** Carries an operation out with all that it starts; answers whether it was taken. */
async function carriedOut(book: QuietBook, id: OperationId, input: Readonly<Record<string, unknown>>): Promise<boolean> {
  if (id === 'imports.start') return storedFile(book, String(input['key']), input['rows'] as string[]);
  const done = await book.client.call(id, input as never);
  workOff(book);
  while (openJobs(book.database).length > 0) book.work();
  return done.ok;
}

/** The document without the names of the accounts, which may change; of an open period its figures alone. */
function documentOf({ state, document }: PeriodStatement): unknown {
  const sides = document.sides.map(({ account: _account, ...side }) => side);
  if (state === 'closed') return { ...document, sides };
  const amounts = sides.map(({ movement, balance, groups, adjusted }) => ({
    movement: movement.map(({ amount }) => amount),
    groups: groups.map(({ name, amount }) => ({ name, amount })),
    ends: [balance.amount, adjusted.amount],
  }));
  return { amounts, unexplained: document.unexplained.amount };
}

/** What a person reads on a statement: all of its figures and lines, but for what is said of them and what they may come from. */
function readOff(statement: PeriodStatement): unknown {
  const {
    stale: _,
    changes: _changes,
    change_count: _count,
    warnings: _warnings,
    unexplained_causes: _causes,
    looked_at: _looked,
    sign_offs: _signed,
    reconciliation: _name,
    proposed_item_count: _proposed,
    proposal_count: _proposals,
    explained_item_count: _explained,
    unexplained_item_count: _bare,
    undone,
    ...said
  } = statement;
  const items = said.open_items.map(
    ({ causes: _of, note: _note, expected_on: _on, late: _late, reason: _reason, match_id: _match, ...item }) => item,
  );
  const { ageing: _ageing, balance_sources: _sources, ...figures } = said;
  // People may do more of an open period's steps; those of a closed one stay as it was closed.
  const steps = statement.state === 'closed' ? { undone } : {};
  // Who states a balance may change, and of an open period where lines are missing; the balances themselves may not.
  const sideOf = ({ breaks, closing_balance: { stated, computed }, ...side }: PeriodStatement['bank']) => ({
    ...side,
    closing_balance: { stated, computed },
    ...(statement.state === 'closed' ? { breaks } : {}),
  });
  return {
    ...figures,
    ...steps,
    document: documentOf(statement),
    bank: sideOf(figures.bank),
    books: sideOf(figures.books),
    open_items: items,
  };
}

const statementOf = async (book: QuietBook, id: number) => (await book.client.get('periods.get', { id })).statement;

test.each(Array.from({ length: runs(60, 15) }, (_, at) => [at + 1]))(
  'whatever is done, a closed period stays as it is, and a prepared one says what changed (seed %i)',
  { timeout: 60_000 },
  async (seed) => {
    const book = await copy();
    const choice = choiceFrom(seed);
    const [closed, prepared] = [await statementOf(book, CLOSED), await statementOf(book, PREPARED)];
    const done: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      const id = choice.of(DRAWN);
      const input = TRIED[id]?.(choice) ?? {};
      const isTaken = await carriedOut(book, id, input);
      if (isTaken) taken.add(id);
      done.push(`${isTaken ? 'taken' : 'refused'}: ${id} ${JSON.stringify(input)}`);
      const now = await statementOf(book, CLOSED);
      expect({ done, said: readOff(now), stale: now.stale, changes: now.changes }).toEqual({
        done,
        said: readOff(closed),
        stale: false,
        changes: [],
      });
      if (!(await book.client.call('periods.get', { id: PREPARED })).ok) continue;
      const other = await statementOf(book, PREPARED);
      const isSame = JSON.stringify(readOff(other)) === JSON.stringify(readOff(prepared));
      expect({ done, listed: isSame || (other.stale && other.change_count > 0) }).toEqual({ done, listed: true });
      expect(other.stale).toBe(other.change_count > 0);
    }
  },
);

test('nearly all of them were taken at some time', () => {
  const never = Object.keys(TRIED).filter((id) => !taken.has(id));
  expect({ never, isFew: never.length <= Object.keys(TRIED).length / 3 }).toMatchObject({ isFew: true });
});
