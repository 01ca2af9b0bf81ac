import { beforeEach, expect, test } from 'vitest';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { addLines, type LineInput, type Pair, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const gbp = (line: LineInput): LineInput => ({ currency: 'GBP', ...line });
const OPENINGS = [
  { side: 'bank' as const, currency: 'GBP', opening: 0 },
  { side: 'books' as const, currency: 'GBP', opening: 0 },
];
const JUNE = { from: '2026-06-01', to: '2026-06-30' };
const AMIRA = 'Amira Patel';
const BEN = 'Ben Ode';

let book: QuietBook;
let pair: Pair;

/** Ledger (books): x1 100, x2 200, only here 50. Bank: x1 100, x2 200, only there -30. x1 and x2 are matched. */
beforeEach(async () => {
  book = openQuietBook();
  pair = await setUpPair(book.client, {
    a: [
      { amount: 100, external_id: 'x1' },
      { amount: 200, external_id: 'x2' },
      { amount: 50, external_id: 'late', date: '2026-06-29' },
    ].map(gbp),
    b: [
      { amount: 100, external_id: 'x1' },
      { amount: 200, external_id: 'x2' },
      { amount: -30, external_id: 'fee' },
    ].map(gbp),
  });
  await book.run(1);
});

const REASON = 'Neither side states its balance';

const create = (more: object = {}) => book.client.get('periods.create', { reconciliation_id: 1, bank_side: 'b', ...JUNE, ...more });
const statementOf = async (id: number, currency?: string): Promise<PeriodStatement> =>
  (await book.client.get('periods.get', { id, currency })).statement;
const prepare = (id: number) => book.client.get('periods.prepare', { id, by: AMIRA });
const review = (id: number) => book.client.get('periods.review', { id, by: BEN });
const codesOf = ({ warnings }: PeriodStatement) => warnings.map(({ code }) => code);

test('without opening balances the figures that depend on them are null, and warnings name what is missing', async () => {
  const { id } = await create();
  const statement = await statementOf(id);
  expect(statement).toMatchObject({ adjusted_bank: null, adjusted_books: null, unexplained: null, bank: { opening: null, closing: null } });
  expect(codesOf(statement)).toEqual(['balance_unknown', 'balance_unknown']);
  await prepare(id);
  await review(id);
  const refused = await book.client.refusal('periods.close', { id, by: BEN });
  expect(refused).toEqual({
    code: 'unexplained_difference',
    message:
      'June 2026 cannot be closed while no balance of the bank is known, no balance of the books is known and 2 open items have no comment, unless a reason is given.',
  });
});

test('a change beneath a prepared period is listed, and putting it back clears it', async () => {
  const { id } = await create({ balances: OPENINGS });
  await prepare(id);
  const feeId = present(pair.bIds[2], 'fee');
  await book.client.get('records.update', { id: feeId, amount: 31, direction: 'debit' });
  await book.client.get('matches.remove', { id: 1 });
  const stale = await statementOf(id);
  expect(stale).toMatchObject({ stale: true, change_count: 2, state: 'prepared' });
  expect(stale.changes).toEqual([
    { kind: 'match', id: 1, at: expect.any(String) as string, by: 'app', before: { record_ids: [1, 4], reason: null }, after: null },
    {
      kind: 'record',
      id: feeId,
      at: expect.any(String) as string,
      by: 'app',
      before: expect.objectContaining({ amount: -30, date: '2026-06-10' }) as object,
      after: expect.objectContaining({ amount: -31 }) as object,
    },
  ]);
  expect((await book.client.get('periods.list', { reconciliation_id: 1 })).data[0]).toMatchObject({ stale: true });
  expect(await book.client.refusal('periods.review', { id, by: BEN })).toMatchObject({ code: 'period_stale' });
  await book.client.get('records.update', { id: feeId, amount: 30, direction: 'debit' });
  await book.client.get('matches.restore', { id: 1 });
  expect(await statementOf(id)).toMatchObject({ stale: false, changes: [], change_count: 0 });
  expect(await review(id)).toMatchObject({ state: 'reviewed', reviewed_by: BEN });
});

test('a deleted record stays visible as it was, and preparing again clears it', async () => {
  const { id } = await create({ balances: OPENINGS });
  await prepare(id);
  await book.client.get('records.remove', { id: present(pair.bIds[2], 'fee') });
  const { changes } = await statementOf(id);
  expect(changes).toMatchObject([{ kind: 'record', before: { amount: -30 }, after: null, by: 'app' }]);
  await prepare(id);
  expect(await statementOf(id)).toMatchObject({ stale: false, changes: [] });
});

test('the preparer may not review, and the order of signatures is kept', async () => {
  const { id } = await create({ balances: OPENINGS });
  expect(await book.client.refusal('periods.review', { id, by: BEN })).toMatchObject({ code: 'conflict' });
  await prepare(id);
  expect(await book.client.refusal('periods.review', { id, by: ' amira  PATEL' })).toEqual({
    code: 'reviewer_is_preparer',
    message: 'June 2026 was prepared by Amira Patel: another person has to review it.',
  });
  expect(await book.client.refusal('periods.close', { id, by: BEN })).toMatchObject({ code: 'conflict' });
  await review(id);
  expect(await book.client.refusal('periods.close', { id, by: BEN })).toEqual({
    code: 'unexplained_difference',
    message:
      'June 2026 cannot be closed while no closing balance of the bank is stated, no closing balance of the books is stated and 2 open items have no comment, unless a reason is given.',
  });
  expect(await book.client.get('periods.close', { id, by: BEN, unexplained_reason: REASON })).toMatchObject({
    state: 'closed',
    closed_by: BEN,
  });
  expect(await book.client.refusal('periods.prepare', { id, by: AMIRA })).toMatchObject({ code: 'period_closed' });
  expect(await book.client.refusal('periods.update', { id, to: '2026-06-29' })).toMatchObject({ code: 'period_closed' });
  expect(await book.client.refusal('periods.remove', { id })).toMatchObject({ code: 'period_closed' });
  await book.client.get('periods.reopen', { id, reason: 'A late fee' });
  const { sign_offs: signOffs } = await statementOf(id);
  expect(signOffs.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['prepare', null],
    ['review', null],
    ['close', REASON],
    ['reopen', 'A late fee'],
  ]);
  expect(new Set(signOffs.map(({ covering_hash: hash }) => hash)).size).toBe(1);
  expect(await book.client.refusal('periods.remove', { id })).toMatchObject({ code: 'conflict' });
  expect(auditEntries(book.database, 'period.').map(({ action }) => action)).toEqual([
    'period.created',
    'period.prepared',
    'period.reviewed',
    'period.closed',
    'period.reopened',
  ]);
});

test('periods follow one another; the default is the next month', async () => {
  await create();
  for (const [days, code] of [
    [{ from: '2026-06-30', to: '2026-07-31' }, 'period_overlaps'],
    [JUNE, 'period_overlaps'],
    [{ from: '2026-08-01', to: '2026-08-31' }, 'period_gap'],
    [{ from: '2026-07-31', to: '2026-07-01' }, 'validation_failed'],
  ] as const) {
    expect(await book.client.refusal('periods.create', { reconciliation_id: 1, ...days })).toMatchObject({ code });
  }
  expect(await book.client.get('periods.create', { reconciliation_id: 1 })).toMatchObject({ from: '2026-07-01', to: '2026-07-31' });
  const { data } = await book.client.get('periods.list', { reconciliation_id: 1, limit: 1 });
  expect(data.map(({ name }) => name)).toEqual(['July 2026']);
});

test('an entered balance carries over to the next period, and so do open items with their notes', async () => {
  const june = await create({
    balances: [
      { side: 'bank', opening: 10 },
      { side: 'books', opening: 10 },
    ],
  });
  const lateId = present(pair.aIds[2], 'late');
  await book.client.get('open_items.put', { id: 1, record_id: lateId, status: 'in_transit', owner: 'Ben', comment: 'Paid in on 30/06' });
  const july = await book.client.get('periods.create', { reconciliation_id: 1 });
  await addLines(book.client, 'bank', [gbp({ amount: 50, external_id: 'late', date: '2026-07-01' })]);
  const statement = await statementOf(july.id);
  expect(statement).toMatchObject({
    books: { opening: 360, closing: 360 },
    bank: { opening: 280, receipts: 50, closing: 330 },
    balance_sources: { bank: { opening: 'carried_forward' }, books: { opening: 'carried_forward' } },
    opening_difference: 0,
    unexplained: 0,
  });
  expect(statement.open_items.find(({ record_id: id }) => id === lateId)).toMatchObject({
    carried_forward: true,
    note: { status: 'in_transit', owner: 'Ben', comment: 'Paid in on 30/06', expected_on: null },
  });
  await prepare(june.id);
  await review(june.id);
  await book.client.get('periods.close', { id: june.id, by: BEN, unexplained_reason: REASON });
  const mark = { id: 1, record_id: lateId };
  expect(await book.client.refusal('open_items.put', { ...mark, status: 'book_error' })).toMatchObject({ code: 'period_closed' });
  expect(await book.client.get('open_items.put', { ...mark, status: 'disputed' })).toMatchObject({ status: 'disputed', by: 'app' });
  await book.run(1);
  expect((await statementOf(june.id)).stale).toBe(false);
});

test('an earlier period is reopened only after the closed one behind it, and none is put before it', async () => {
  const june = await create({ balances: OPENINGS });
  const july = await book.client.get('periods.create', { reconciliation_id: 1 });
  for (const { id } of [june, july]) {
    await prepare(id);
    await review(id);
    await book.client.get('periods.close', { id, by: BEN, unexplained_reason: REASON });
  }
  expect(await book.client.refusal('periods.reopen', { id: june.id, reason: 'x' })).toEqual({
    code: 'period_closed',
    message: 'July 2026 is closed and goes on from June 2026: reopen July 2026 first.',
  });
  const may = { reconciliation_id: 1, from: '2026-05-01', to: '2026-05-31' };
  expect(await book.client.refusal('periods.create', may)).toMatchObject({ code: 'period_closed' });
});

test('each currency has a statement of its own, and none is added to another', async () => {
  await addLines(book.client, 'ledger', [{ amount: 7, currency: 'JPY' }]);
  const { id } = await create({
    balances: [...OPENINGS, { side: 'books', currency: 'JPY', opening: 3 }, { side: 'bank', currency: 'JPY', opening: 3 }],
  });
  const first = await statementOf(id);
  expect(first).toMatchObject({ currency: 'GBP', decimal_places: 2, books: { receipts: 350 } });
  expect(codesOf(first)).toEqual(['other_currency', 'closing_not_stated', 'closing_not_stated']);
  expect(first.currencies).toMatchObject([
    { currency: 'GBP', decimal_places: 2, unexplained: 0, agrees: false },
    { currency: 'JPY', decimal_places: 0, unexplained: 0, agrees: false },
  ]);
  expect(await statementOf(id, 'jpy')).toMatchObject({
    currency: 'JPY',
    decimal_places: 0,
    books: { opening: 3, receipts: 7 },
    open_item_count: 1,
  });
  expect(await book.client.refusal('periods.get', { id, currency: 'USD' })).toMatchObject({ code: 'unknown_reference' });
  const unnamed = { id, balances: [{ side: 'bank', opening: 1 }] };
  expect(await book.client.refusal('periods.update', unnamed)).toMatchObject({ errors: [{ path: 'balances.0.currency' }] });
  await book.client.get('periods.update', { id, balances: [{ side: 'bank', currency: 'JPY', opening: 4 }] });
  await prepare(id);
  await review(id);
  expect(await book.client.refusal('periods.close', { id, by: BEN })).toMatchObject({
    code: 'unexplained_difference',
    message: expect.stringContaining('1 is unexplained (JPY)'),
  });
  expect(await book.client.get('periods.close', { id, by: BEN, unexplained_reason: 'One yen' })).toMatchObject({ state: 'closed' });
});

test('amounts of a ledger with the opposite sign are turned, and without a bank the sides are neutral', async () => {
  await book.client.get('reconciliations.update', { id: 1, sign_convention: 'opposite' });
  const { id } = await create({ bank_side: null });
  const statement = await statementOf(id);
  expect(statement.bank_side).toBeNull();
  // Side A is in the slot of the bank, so side B is turned.
  expect(statement).toMatchObject({ bank: { receipts: 350, payments: 0 }, books: { receipts: 30, payments: -300 } });
  expect(statement.warnings[0]?.message).toContain('side A');
  await book.client.get('periods.update', { id, bank_side: 'b' });
  expect(await statementOf(id)).toMatchObject({
    bank_side: 'b',
    bank: { receipts: 300, payments: -30 },
    books: { receipts: 0, payments: -350 },
  });
});

test('another environment sees nothing of it', async () => {
  const { id } = await create();
  const dispatch = (operation: string, input: object) =>
    book.dispatch(operation, input, { environmentId: 2, environment: 'test', permission: 'read_write', surface: 'app', actor: 'app' });
  for (const operation of ['periods.get', 'periods.remove', 'periods.open_items']) {
    expect(await dispatch(operation, { id })).toMatchObject({ error: { code: 'not_found' } });
  }
  expect(await dispatch('periods.list', {})).toMatchObject({ value: { data: [] } });
});

test('a reconciliation that is deleted takes its periods, sign-offs and notes with it', async () => {
  const { id } = await create({ balances: OPENINGS });
  await prepare(id);
  await book.client.get('open_items.put', { id: 1, record_id: present(pair.aIds[2], 'late'), comment: 'On its way' });
  await book.client.get('reconciliations.remove', { id: 1 });
  const tables = ['reconciliation_periods', 'period_balances', 'coverings', 'sign_offs', 'open_item_notes'];
  const rows = (table: string): unknown => book.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect(tables.map(rows)).toEqual([0, 0, 0, 0, 0]);
});

test('a month without a line is closed with a reason only, even where both balances are stated', async () => {
  const june = await create({ balances: OPENINGS.map((balance) => ({ ...balance, stated_closing: balance.side === 'bank' ? 270 : 350 })) });
  await prepare(june.id);
  await review(june.id);
  await book.client.get('periods.close', { id: june.id, by: BEN, unexplained_reason: REASON });
  const balances = [
    { side: 'bank' as const, currency: 'GBP', stated_closing: 270 },
    { side: 'books' as const, currency: 'GBP', stated_closing: 350 },
  ];
  const { id } = await book.client.get('periods.create', { reconciliation_id: 1, balances });
  const explain = { status: 'outstanding' as const, comment: 'Seen' };
  for (const { record_id } of (await statementOf(id)).open_items) await book.client.get('open_items.put', { id: 1, record_id, ...explain });
  const statement = await statementOf(id);
  expect(statement).toMatchObject({ agrees: true, doubts: [], explained_item_count: 2, unexplained_item_count: 0 });
  const texts = ['no line of the bank is in July 2026', 'no line of the books is in July 2026'];
  expect(statement.undone).toEqual([{ step: 'files', currency: 'GBP', texts }]);
  expect(statement.document.undone).toBe(`1 step of the close is not done: ${texts.join(' and ')}.`);
  await prepare(id);
  await review(id);
  expect(await book.client.refusal('periods.close', { id, by: BEN })).toEqual({
    code: 'unexplained_difference',
    message: `July 2026 cannot be closed while ${texts.join(' and ')}, unless a reason is given.`,
  });
  await book.client.get('periods.close', { id, by: BEN, unexplained_reason: 'The account was not used' });
  const closed = await statementOf(id);
  expect(closed.document).toMatchObject({
    undone: `1 step of the close was not done: ${texts.join(' and ')}.`,
    reason: 'Ben Ode closed it for this reason: The account was not used',
  });
  expect(closed.sign_offs.at(-1)?.figures[0]?.undone).toEqual(statement.undone);
});

test('a closed period shows the steps that were not done when it was closed, and one of an earlier Tieout shows none of them', async () => {
  const { id } = await create({ balances: OPENINGS });
  await prepare(id);
  await review(id);
  await book.client.get('periods.close', { id, by: BEN, unexplained_reason: REASON });
  const stepsOf = async () => (await statementOf(id)).undone.map(({ step }) => step);
  expect(await stepsOf()).toEqual(['balances', 'explained', 'agree']);
  for (const { record_id } of (await statementOf(id)).open_items)
    await book.client.get('open_items.put', { id: 1, record_id, comment: 'Too late' });
  expect(await statementOf(id)).toMatchObject({ unexplained_item_count: 0 });
  expect(await stepsOf()).toEqual(['balances', 'explained', 'agree']);
  book.database.connection.exec("UPDATE sign_offs SET figures = json_remove(figures, '$[0].undone')");
  await book.run(1);
  expect(await stepsOf()).toEqual(['balances', 'agree']);
});
