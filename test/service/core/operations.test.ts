import { describe, expect, test } from 'vitest';
import { addLines, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const NOWHERE = 'in this environment.';

describe('streams', () => {
  test('create, list, get and update', async () => {
    const { client } = openQuietBook();
    const created = await client.get('streams.create', {
      key: 'bank.eur-1',
      name: ' Bank ',
      description: 'Main',
      reference_field: 'metadata.order_id',
    });
    expect(created).toEqual({
      key: 'bank.eur-1',
      name: 'Bank',
      id: 1,
      description: 'Main',
      type: 'api',
      bank_account_id: null,
      currency: null,
      reference_field: 'metadata.order_id',
      read_by: 'booking_date',
      batch_lines: 'entry',
      record_count: 0,
    });
    await client.get('streams.create', { key: 'another', name: 'Another' });
    expect((await client.get('streams.list', {})).map((stream) => stream.key)).toEqual(['bank.eur-1', 'another']);
    const changed = await client.get('streams.update', { key: 'bank.eur-1', name: 'New', description: null });
    expect(changed).toEqual({ ...created, name: 'New', description: null });
    expect(await client.get('streams.get', { key: 'bank.eur-1' })).toEqual(changed);
    expect(await client.get('streams.update', { key: 'bank.eur-1' })).toEqual(changed);
  });

  test('refusals', async () => {
    const { client } = openQuietBook();
    await client.get('streams.create', { key: 'bank', name: 'Bank' });
    expect(await client.refusal('streams.create', { key: 'bank', name: 'Again' })).toMatchObject({
      code: 'key_taken',
      message: 'An account with the key bank exists already: choose another key, or use that account.',
      errors: [{ path: 'key', code: 'key_taken' }],
    });
    expect(await client.refusal('streams.create', { key: 'adjustments', name: 'Mine' })).toMatchObject({
      code: 'reserved_key',
      message: 'The key adjustments is reserved for Tieout: choose another one.',
      errors: [{ path: 'key' }],
    });
    for (const operation of ['streams.get', 'streams.update'] as const) {
      expect(await client.refusal(operation, { key: 'none' })).toEqual({
        code: 'not_found',
        message: `There is no account none ${NOWHERE}`,
      });
    }
  });
});

describe('records', () => {
  async function bank() {
    const book = openQuietBook();
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    const create = (input: object) =>
      book.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-30', amount: 1, ...input });
    const refused = (input: object) =>
      book.client.refusal('records.create', { data_stream_key: 'bank', date: '2026-06-30', amount: 1, ...input });
    return { ...book, create, refused };
  }

  test('a record has every field, with defaults', async () => {
    const { create, client } = await bank();
    const record = await create({ amount: 1_250 });
    expect(record).toEqual({
      id: 1,
      amount: 1_250,
      direction: 'credit',
      date: '2026-06-30',
      value_date: null,
      other_files: [],
      data_stream_key: 'bank',
      currency: 'USD',
      decimal_places: 2,
      description: null,
      metadata: {},
      status: 'unreconciled',
      external_id: null,
      matched_records: [],
      matched_records_total: 0,
      days_unreconciled: 1,
      overdue: [],
      import_batch_id: null,
      reverses_record_id: null,
      reversed_by_record_id: null,
      reversal_reason: null,
      created_at: '2026-07-01T09:00:00.000Z',
    });
    expect(await client.get('records.get', { id: 1 })).toEqual(record);
    expect(await create({ currency: 'jpy' })).toMatchObject({ currency: 'JPY', decimal_places: 0 });
    expect(await create({ currency: 'kwd' })).toMatchObject({ decimal_places: 3 });
    expect(await create({ date: '2026-07-09' })).toMatchObject({ days_unreconciled: 0 });
  });

  test.each([
    [{ amount: 5 }, 5, 'credit'],
    [{ amount: -5 }, 5, 'debit'],
    [{ amount: 5, direction: 'debit' }, 5, 'debit'],
    [{ amount: 0, direction: 'debit' }, 0, 'debit'],
    [{ amount: Number.MAX_SAFE_INTEGER }, Number.MAX_SAFE_INTEGER, 'credit'],
    [{ amount: -Number.MAX_SAFE_INTEGER }, Number.MAX_SAFE_INTEGER, 'debit'],
  ])('the sign rule: %j', async (input, amount, direction) => {
    const { create } = await bank();
    expect(await create(input)).toMatchObject({ amount, direction });
  });

  test.each([
    [{ amount: 0 }, 'amount is 0, so its direction cannot be told from the sign: add direction.'],
    [{ amount: -1, direction: 'credit' }, 'amount is negative although direction is given: send the magnitude, or leave direction out.'],
  ])('the sign rule refuses %j', async (input, message) => {
    const { refused } = await bank();
    expect(await refused(input)).toMatchObject({ code: 'validation_failed', message, errors: [{ path: 'amount' }] });
  });

  test('a change keeps the direction unless it says otherwise', async () => {
    const { create, client } = await bank();
    const { id } = await create({ amount: -5 });
    expect(await client.get('records.update', { id, amount: 7 })).toMatchObject({ amount: 7, direction: 'debit' });
    expect(await client.get('records.update', { id, direction: 'credit' })).toMatchObject({ amount: 7, direction: 'credit' });
    expect(await client.get('records.update', { id, amount: -8 })).toMatchObject({ amount: 8, direction: 'debit' });
    expect(await client.get('records.update', { id, amount: 0 })).toMatchObject({ amount: 0, direction: 'debit' });
    const all = { date: '2026-01-02', currency: 'eur', decimal_places: 3, description: 'D', external_id: 'E', metadata: { k: [1] } };
    expect(await client.get('records.update', { id, ...all })).toMatchObject({ ...all, currency: 'EUR' });
    expect(await client.get('records.update', { id, description: null, external_id: null })).toMatchObject({
      description: null,
      external_id: null,
    });
  });

  test('an external id is unique in a stream, and may be in another', async () => {
    const { create, refused, client } = await bank();
    const first = await create({ external_id: 'E-1' });
    const words = 'external_id E-1 exists already in the account bank: use another one, or change that record.';
    expect(await refused({ external_id: 'E-1' })).toMatchObject({ code: 'key_taken', message: words, errors: [{ path: 'external_id' }] });
    await client.get('streams.create', { key: 'other', name: 'Other' });
    await create({ data_stream_key: 'other', external_id: 'E-1' });
    const second = await create({ external_id: 'E-2' });
    expect(await client.refusal('records.update', { id: second.id, external_id: 'E-1' })).toMatchObject({
      code: 'key_taken',
      message: words,
    });
    expect(await client.get('records.update', { id: first.id, external_id: 'E-1' })).toMatchObject({ external_id: 'E-1' });
    await client.get('records.remove', { id: first.id });
    await create({ external_id: 'E-1' });
  });

  test('filters narrow, bounds are inclusive, and names that do not exist are refused', async () => {
    const { create, client } = await bank();
    for (let day = 1; day <= 5; day += 1) {
      await create({
        amount: day % 2 === 0 ? -day * 10 : day * 10,
        date: `2026-06-0${day}`,
        currency: day === 5 ? 'EUR' : 'USD',
        external_id: `e${day}`,
      });
    }
    const found = async (filter: object) =>
      (await client.get('records.list', { sort: 'date', ...filter })).data.map((record) => Number(record.external_id?.slice(1)));
    expect(await found({})).toEqual([1, 2, 3, 4, 5]);
    expect(await found({ date_from: '2026-06-02', date_to: '2026-06-04' })).toEqual([2, 3, 4]);
    expect(await found({ amount_min: 20, amount_max: 40 })).toEqual([2, 3, 4]);
    expect(await found({ direction: 'debit' })).toEqual([2, 4]);
    expect(await found({ currency: 'eur' })).toEqual([5]);
    expect(await found({ external_id: 'e3' })).toEqual([3]);
    expect(await found({ status: 'matched' })).toEqual([]);
    expect(await found({ status: 'unmatched', data_stream_key: 'bank' })).toEqual([1, 2, 3, 4, 5]);
    expect(await client.refusal('records.list', { data_stream_key: 'none' })).toEqual({
      code: 'not_found',
      message: `There is no account none ${NOWHERE}`,
    });
    expect(await client.refusal('records.list', { reconciliation_id: 9 })).toEqual({
      code: 'unknown_reference',
      message: `There is no reconciliation 9 ${NOWHERE}`,
      errors: [{ path: 'reconciliation_id', code: 'unknown_reference', message: `There is no reconciliation 9 ${NOWHERE}` }],
    });
    expect(await client.refusal('records.list', { reconciliation_match_id: 9 })).toEqual({
      code: 'unknown_reference',
      message: `There is no reconciliation match 9 ${NOWHERE}`,
      errors: [{ path: 'reconciliation_match_id', code: 'unknown_reference', message: `There is no reconciliation match 9 ${NOWHERE}` }],
    });
    expect(await client.refusal('records.list', { side: 'a' })).toMatchObject({
      message: 'side goes with reconciliation_id: add it, or leave side out.',
    });
  });

  test('refusals: unknown stream, unknown record, reconciled record', async () => {
    const book = openQuietBook();
    const { client } = book;
    expect(await client.refusal('records.create', { data_stream_key: 'none', date: '2026-06-30', amount: 1 })).toMatchObject({
      code: 'unknown_reference',
      message: `There is no account none in this environment: create it first.`,
    });
    for (const operation of ['records.get', 'records.update', 'records.remove'] as const) {
      expect(await client.refusal(operation, { id: 77 })).toEqual({ code: 'not_found', message: `There is no record 77 ${NOWHERE}` });
    }
    const { reconciliation, aIds } = await setUpPair(client, { a: numbered(1), b: numbered(1) });
    await book.run(reconciliation.id);
    for (const operation of ['records.update', 'records.remove'] as const) {
      expect(await client.refusal(operation, { id: aIds[0] })).toEqual({
        code: 'record_reconciled',
        message: expect.stringMatching(/^“.+” of .+ is reconciled: unmatch it first\.$/),
      });
    }
  });

  test('status refers to the named reconciliation, else to any', async () => {
    const book = openQuietBook();
    const { client } = book;
    const { reconciliation, aIds } = await setUpPair(client, { a: numbered(2), b: numbered(2) });
    const other = await client.get('reconciliations.set_up', { name: 'Other', side_a_keys: ['ledger'], side_b_keys: ['bank'] });
    await book.run(reconciliation.id);
    const shown = async (input: object) => (await client.get('records.list', { data_stream_key: 'ledger', sort: 'amount', ...input })).data;
    expect((await shown({})).map((record) => [record.status, record.days_unreconciled])).toEqual([
      ['reconciled', null],
      ['reconciled', null],
    ]);
    const elsewhere = await shown({ reconciliation_id: other.reconciliation.id });
    expect(elsewhere.map((record) => [record.status, record.days_unreconciled, record.matched_records])).toEqual([
      ['unreconciled', 21, []],
      ['unreconciled', 21, []],
    ]);
    expect(await shown({ reconciliation_id: other.reconciliation.id, status: 'reconciled' })).toEqual([]);
    expect(await shown({ reconciliation_id: reconciliation.id, status: 'reconciled', side: 'a' })).toHaveLength(2);
    expect(await shown({ reconciliation_id: reconciliation.id, side: 'b' })).toEqual([]);
    expect((await client.get('records.get', { id: aIds[0] ?? 0 })).matched_records).toMatchObject([
      { external_id: 'x1', data_stream_key: 'bank', reconciliation_id: reconciliation.id, reconciliation_name: 'June' },
    ]);
  });

  test('a record in a large match shows a hundred of its partners and their number', async () => {
    const book = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: [{ amount: 1 }], b: numbered(120) });
    const match = await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [...aIds, ...bIds] });
    expect(match.record_count).toBe(121);
    const record = await book.client.get('records.get', { id: aIds[0] ?? 0 });
    expect([record.matched_records.length, record.matched_records_total]).toEqual([100, 120]);
    expect(record.matched_records.some((partner) => partner.id === record.id)).toBe(false);
    const members = await book.client.get('records.list', { reconciliation_match_id: match.id, limit: 100 });
    expect([members.data.length, members.has_more]).toEqual([100, true]);
  });
});

describe('reconciliations', () => {
  test('create, list, get, update and remove; records stay', async () => {
    const book = openQuietBook();
    const { client } = book;
    const { reconciliation, aIds } = await setUpPair(client, { a: numbered(2), b: numbered(2) });
    expect(reconciliation).toMatchObject({ name: 'June', run_type: 'batch', current_run: null, last_run: null, sign_convention: 'same' });
    expect([reconciliation.side_a_streams, reconciliation.side_b_streams]).toMatchObject([
      [{ key: 'ledger', record_count: 2 }],
      [{ key: 'bank' }],
    ]);
    await book.run(reconciliation.id);
    const { id } = reconciliation;
    expect(
      await client.get('reconciliations.update', { id, name: 'July', run_type: 'continuous', sign_convention: 'opposite' }),
    ).toMatchObject({
      name: 'July',
      run_type: 'continuous',
      sign_convention: 'opposite',
    });
    expect((await client.get('reconciliations.list', {})).data).toEqual([await client.get('reconciliations.get', { id })]);
    expect(await client.get('reconciliations.remove', { id })).toBeNull();
    expect((await client.get('matches.list', {})).total_count).toBe(0);
    expect(await client.get('records.get', { id: aIds[0] ?? 0 })).toMatchObject({ status: 'unreconciled' });
    for (const operation of [
      'reconciliations.get',
      'reconciliations.update',
      'reconciliations.remove',
      'reconciliations.summary',
      'runs.start',
      'runs.list',
    ] as const) {
      expect(await client.refusal(operation, { id })).toEqual({
        code: 'not_found',
        message: `There is no reconciliation ${id} ${NOWHERE}`,
      });
    }
  });

  test('refusals: unknown streams and a stream on both sides', async () => {
    const { client } = openQuietBook();
    const { a } = await setUpPair(client, { a: numbered(1), b: [] });
    expect(a).toHaveLength(1);
    const create = (sideA: number[], sideB: number[]) =>
      client.refusal('reconciliations.create', { name: 'X', side_a_stream_ids: sideA, side_b_stream_ids: sideB });
    expect(await create([1], [9])).toMatchObject({
      code: 'unknown_reference',
      message: 'There is no account with the id 9 in this environment.',
      errors: [{ path: 'side_b_stream_ids.0' }],
    });
    const both = (stream: string) => `The account ${stream} cannot be on both sides of a reconciliation: take it off one of them.`;
    expect(await create([1, 2], [2])).toMatchObject({
      code: 'validation_failed',
      message: both('2'),
      errors: [{ path: 'side_b_stream_ids.0', code: 'stream_on_both_sides' }],
    });
    expect((await create([9, 1, 8], [1, 9])).errors?.map((fault) => [fault.path, fault.code])).toEqual([
      ['side_a_stream_ids.0', 'unknown_reference'],
      ['side_a_stream_ids.2', 'unknown_reference'],
      ['side_b_stream_ids.1', 'unknown_reference'],
      ['side_b_stream_ids.0', 'stream_on_both_sides'],
    ]);
    const setUp = (sideA: string[], sideB: string[]) =>
      client.refusal('reconciliations.set_up', { name: 'X', side_a_keys: sideA, side_b_keys: sideB });
    expect(await setUp(['ledger'], ['bank', 'ledger'])).toMatchObject({
      code: 'validation_failed',
      message: both('ledger'),
      errors: [{ path: 'side_b_keys.1', code: 'stream_on_both_sides' }],
    });
    expect(await setUp(['none'], ['bank'])).toMatchObject({
      code: 'unknown_reference',
      message: 'There is no account none in this environment: import a file into it first, or check the key.',
      errors: [{ path: 'side_a_keys.0', code: 'unknown_reference' }],
    });
  });

  test.each([
    ['same', [{ amount: 100, external_id: 'r' }], [{ amount: 100, external_id: 'r' }], { same: 1, opposite: 0, assumed: false }],
    ['opposite', [{ amount: -100, external_id: 'r' }], [{ amount: 100, external_id: 'r' }], { same: 0, opposite: 1, assumed: false }],
    ['opposite', [{ amount: -100 }, { amount: -70 }], [{ amount: 100 }, { amount: 70 }], { same: 0, opposite: 2, assumed: false }],
    ['same', [{ amount: 100 }], [], { same: 0, opposite: 0, assumed: true }],
  ] as const)('set_up decides %s from the data', async (convention, a, b, evidence) => {
    const { client } = openQuietBook();
    await setUpPair(client, { a, b });
    for (const key of ['ledger', 'bank']) await client.get('streams.update', { key, reference_field: 'external_id' });
    const made = await client.get('reconciliations.set_up', { name: 'Settled', side_a_keys: ['ledger'], side_b_keys: ['bank'] });
    expect(made.sign_evidence).toEqual(evidence);
    expect(made.reconciliation).toMatchObject({ sign_convention: convention, run_type: 'batch' });
    const rules = await client.get('rules.list', { reconciliation_id: made.reconciliation.id });
    expect(rules.map((rule) => [rule.priority, rule.source, rule.outcome, rule.method])).toEqual([[10, 'default', 'match', 'evidence']]);
    const told = await client.get('reconciliations.set_up', {
      name: 'Told',
      side_a_keys: ['ledger'],
      side_b_keys: ['bank'],
      sign_convention: 'opposite',
    });
    expect(told).toMatchObject({
      reconciliation: { sign_convention: 'opposite' },
      sign_evidence: { same: 0, opposite: 0, assumed: false },
    });
  });

  test('set_up takes a ledger with literal debit and credit columns for the opposite of a bank', async () => {
    const book = openQuietBook();
    await setUpPair(book.client, { a: [], b: [] });
    book.database.connection.exec("UPDATE streams SET literal_debit_credit = 1 WHERE key = 'ledger'");
    const made = await book.client.get('reconciliations.set_up', { name: 'Settled', side_a_keys: ['ledger'], side_b_keys: ['bank'] });
    expect(made).toMatchObject({ reconciliation: { sign_convention: 'opposite' }, sign_evidence: { assumed: true } });
  });
});

describe('rules', () => {
  test('create, list, get, update and remove', async () => {
    const { client } = openQuietBook();
    const { reconciliation } = await setUpPair(client, { a: [], b: [] });
    const place = { reconciliation_id: reconciliation.id };
    const [first] = await client.get('rules.list', place);
    expect(first).toMatchObject({
      priority: 10,
      source: 'user',
      status: 'active',
      outcome: 'match',
      cardinality: 'one_to_one',
      group_by: [],
      rollup: null,
    });
    expect(first?.commit_certainty).toEqual(['unique', 'best', 'interchangeable']);
    const second = await client.get('rules.create', { ...place, ...BY_EXTERNAL_ID, description: 'Again', commit_certainty: ['unique'] });
    expect(second).toMatchObject({ priority: 20, description: 'Again', commit_certainty: ['unique'] });
    expect(await client.get('rules.update', { id: second.id, priority: 1, outcome: 'propose', description: null })).toEqual({
      ...second,
      priority: 1,
      outcome: 'propose',
      description: null,
    });
    expect((await client.get('rules.list', place)).map((rule) => rule.id)).toEqual([second.id, first?.id]);
    expect(await client.get('rules.get', { id: second.id })).toMatchObject({ priority: 1 });
    await client.get('rules.remove', { id: second.id });
    for (const operation of ['rules.get', 'rules.update', 'rules.remove'] as const) {
      expect(await client.refusal(operation, { id: second.id })).toEqual({
        code: 'not_found',
        message: `There is no rule ${second.id} ${NOWHERE}`,
      });
    }
  });

  test('replace is all or none, and refusals name the place', async () => {
    const { client } = openQuietBook();
    const { reconciliation } = await setUpPair(client, { a: [], b: [] });
    const place = { reconciliation_id: reconciliation.id };
    const before = await client.get('rules.list', place);
    const nonsense = { filters: { rules: [{ key: 'no such field', value: 'amount' }] } };
    const refused = await client.refusal('rules.replace', { id: reconciliation.id, rules: [BY_EXTERNAL_ID, nonsense] });
    expect(refused.code).toBe('invalid_rule');
    expect(refused.message).toMatch(/^Rule 2: /);
    expect(refused.errors?.[0]?.path).toMatch(/^rules\.1\./);
    expect(await client.get('rules.list', place)).toEqual(before);
    expect((await client.refusal('rules.create', { ...place, ...nonsense })).code).toBe('invalid_rule');
    expect((await client.refusal('rules.update', { id: before[0]?.id, ...nonsense })).code).toBe('invalid_rule');
    const replaced = await client.get('rules.replace', {
      id: reconciliation.id,
      rules: [BY_EXTERNAL_ID, { ...BY_EXTERNAL_ID, priority: 5 }],
    });
    expect(replaced.map((rule) => rule.priority)).toEqual([5, 10]);
    const unknown = { code: 'unknown_reference', message: `There is no reconciliation 99 ${NOWHERE}` };
    expect(await client.refusal('rules.list', { reconciliation_id: 99 })).toMatchObject(unknown);
    expect(await client.refusal('rules.create', { reconciliation_id: 99, ...BY_EXTERNAL_ID })).toMatchObject(unknown);
    expect((await client.refusal('rules.replace', { id: 99, rules: [BY_EXTERNAL_ID] })).code).toBe('not_found');
    expect((await client.refusal('runs.rehearse', { id: reconciliation.id, rules: [nonsense] })).message).toMatch(/^Rule 1: /);
  });
});

test('resources of another environment are answered exactly like missing ones', async () => {
  const book = openQuietBook();
  const { reconciliation, aIds, bIds } = await setUpPair(book.client, { a: numbered(3), b: numbered(2) });
  const match = await book.client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[0] ?? 0, bIds[0] ?? 0] });
  const run = await book.run(reconciliation.id);
  const [rule] = await book.client.get('rules.list', { reconciliation_id: reconciliation.id });
  const other = book.testEnvironment;
  for (const [operation, input] of [
    ['streams.get', { key: 'bank' }],
    ['streams.update', { key: 'bank', name: 'X' }],
    ['records.get', { id: aIds[1] }],
    ['records.update', { id: aIds[1], amount: 1 }],
    ['records.remove', { id: aIds[1] }],
    ['reconciliations.get', { id: reconciliation.id }],
    ['reconciliations.summary', { id: reconciliation.id }],
    ['reconciliations.remove', { id: reconciliation.id }],
    ['rules.get', { id: rule?.id }],
    ['rules.remove', { id: rule?.id }],
    ['runs.start', { id: reconciliation.id }],
    ['runs.get', { id: reconciliation.id, run_id: run.id }],
    ['matches.get', { id: match.id }],
    ['matches.remove', { id: match.id }],
    ['matches.undo_create', { id: match.id }],
    ['lines.window', { reconciliation_id: reconciliation.id, side: 'a' }],
    ['jobs.get', { id: 1 }],
  ] as const) {
    expect([operation, (await other.refusal(operation, input)).code]).toEqual([operation, 'not_found']);
  }
  expect(await other.get('streams.list', {})).toEqual([]);
  expect((await other.get('records.list', {})).data).toEqual([]);
  expect((await other.get('matches.list', {})).total_count).toBe(0);
  expect((await other.get('reconciliations.list', {})).data).toEqual([]);
  // The same key may stand in both.
  await other.get('streams.create', { key: 'bank', name: 'Test bank' });
  const [mine] = await addLines(other, 'bank', [{ amount: 1, external_id: 'x1' }]);
  expect((await other.get('records.list', {})).data).toEqual([mine]);
  const refused = await book.client.refusal('matches.create', { reconciliation_id: reconciliation.id, record_ids: [aIds[2], mine?.id] });
  expect(refused.errors).toMatchObject([{ path: 'record_ids.1', code: 'record_not_found' }]);
});
