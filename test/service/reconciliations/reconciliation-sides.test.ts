import { describe, expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { failEachStatement } from '../../support/faults/failing-statements.ts';
import { addLines, BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { currenciesApart, currenciesApartSentence } from '../../../src-renderer/format/unbalanced.ts';

/** Streams 1 `ledger`, 2 `bank`, 3 `till` and 4 `card` with lines that pair by external id; reconciliation of 1 with 2 and 3. */
async function book(rules = [BY_EXTERNAL_ID]) {
  const quiet = openQuietBook();
  const { client } = quiet;
  const { reconciliation, aIds, bIds } = await setUpPair(client, { a: numbered(3), b: numbered(2) }, rules);
  for (const key of ['till', 'card']) await client.get('streams.create', { key, name: `The ${key}` });
  const till = await addLines(client, 'till', [{ amount: 300, external_id: 'x3' }]);
  const { id } = reconciliation;
  await client.get('reconciliations.update', { id, side_b_stream_ids: [2, 3] });
  const sides = async () => {
    const found = await client.get('reconciliations.get', { id });
    return [found.side_a_streams.map((stream) => stream.id), found.side_b_streams.map((stream) => stream.id)];
  };
  const change = (a?: readonly (number | string)[], b?: readonly (number | string)[]) => ({
    id,
    ...(a === undefined ? {} : { side_a_stream_ids: [...a] }),
    ...(b === undefined ? {} : { side_b_stream_ids: [...b] }),
  });
  return { quiet, client, id, aIds, bIds, tillId: present(till[0], 'line of the till').id, sides, change };
}

describe('streams of a reconciliation', () => {
  test('are added, taken out and moved; a side that is not named stays', async () => {
    const { quiet, client, sides, change } = await book();
    expect(await sides()).toEqual([[1], [2, 3]]);
    const answered = await client.get('reconciliations.update', change(['4', 1, 4]));
    expect(answered.side_a_streams.map((stream) => stream.key)).toEqual(['ledger', 'card']);
    expect(await sides()).toEqual([
      [1, 4],
      [2, 3],
    ]);
    await client.get('reconciliations.update', change([1, 3], [4]));
    expect(await sides()).toEqual([[1, 3], [4]]);
    await client.get('reconciliations.update', change([4], [1]));
    expect(await sides()).toEqual([[4], [1]]);
    expect(firstBrokenAuditEntry(quiet.database)).toBeNull();
  });

  test('are refused as at create, each wrong one at its place', async () => {
    const { client, sides, change, quiet } = await book();
    const faults = async (a?: readonly number[], b?: readonly number[]) => {
      const { code, errors } = await client.refusal('reconciliations.update', change(a, b));
      return [code, ...(errors ?? []).map((fault) => [fault.path, fault.code])];
    };
    const both = 'stream_on_both_sides';
    expect(await faults([1, 3])).toEqual(['validation_failed', ['side_a_stream_ids.1', both]]);
    expect(await faults(undefined, [4, 1])).toEqual(['validation_failed', ['side_b_stream_ids.1', both]]);
    expect(await faults([4, 1], [1])).toEqual(['validation_failed', ['side_b_stream_ids.0', both]]);
    expect(await faults([9], [2, 8])).toEqual([
      'unknown_reference',
      ['side_a_stream_ids.0', 'unknown_reference'],
      ['side_b_stream_ids.1', 'unknown_reference'],
    ]);
    expect(await faults([])).toEqual(['validation_failed', ['side_a_stream_ids', 'too_small']]);
    expect(await faults(Array.from({ length: 101 }, () => 1))).toEqual(['validation_failed', ['side_a_stream_ids', 'too_big']]);
    const other = await quiet.testEnvironment.get('streams.create', { key: 'bank', name: 'Other' });
    expect(await client.refusal('reconciliations.update', change([other.id]))).toMatchObject({
      code: 'unknown_reference',
      message: `There is no account with the id ${other.id} in this environment.`,
    });
    expect(await sides()).toEqual([[1], [2, 3]]);
  });

  test('stay while their records are matched, on the side where they are', async () => {
    const { quiet, client, id, aIds, sides, change } = await book();
    await quiet.run(id);
    const refused = await client.refusal('reconciliations.update', { ...change(undefined, [4]), name: 'Not to be' });
    const words = 'matched in this reconciliation. Take those matches apart first.';
    expect(refused).toEqual({
      code: 'stream_has_matches',
      message: `The account bank (Bank) cannot leave side B: 2 of its records are ${words} The account till (The till) cannot leave side B: one of its records is ${words}`,
      errors: [
        {
          path: 'side_b_stream_ids',
          code: 'stream_has_matches',
          message: `The account bank (Bank) cannot leave side B: 2 of its records are ${words}`,
        },
        {
          path: 'side_b_stream_ids',
          code: 'stream_has_matches',
          message: `The account till (The till) cannot leave side B: one of its records is ${words}`,
        },
      ],
    });
    expect((await client.refusal('reconciliations.update', change([1, 3], [2]))).errors).toMatchObject([{ path: 'side_b_stream_ids' }]);
    expect(await sides()).toEqual([[1], [2, 3]]);
    expect((await client.get('reconciliations.get', { id })).name).toBe('June');
    const held = (await client.get('records.get', { id: aIds[2] ?? 0 })).matched_records[0];
    expect(held?.data_stream_key).toBe('till');
    const matches = (await client.get('matches.list', { reconciliation_id: id })).data;
    await client.get('matches.remove', { id: matches[0]?.id ?? 0 });
    await client.get('reconciliations.update', change(undefined, [2]));
    expect(await sides()).toEqual([[1], [2]]);
  });

  test('that leave take their proposals and overdue marks along; those of others stay', async () => {
    const { quiet, client, id, tillId, aIds, bIds, change } = await book([BY_AMOUNT_PROPOSED]);
    await quiet.run(id);
    for (const recordId of [tillId, bIds[0] ?? 0]) {
      await client.get('records.mark_overdue', { id: recordId, reconciliation_id: id });
    }
    const proposals = async () => (await client.get('matches.list', { reconciliation_id: id })).data.map((match) => match.status);
    expect(await proposals()).toEqual(['proposed', 'proposed', 'proposed']);
    await client.get('reconciliations.update', change(undefined, [2]));
    expect(await proposals()).toEqual(['proposed', 'proposed']);
    expect((await client.get('records.get', { id: tillId })).overdue).toEqual([]);
    expect((await client.get('records.get', { id: bIds[0] ?? 0 })).overdue).toMatchObject([{ reconciliation_id: id }]);
    const entry = quiet.database.connection.prepare('SELECT detail FROM audit_log ORDER BY id DESC LIMIT 1').pluck().get() as string;
    expect(JSON.parse(entry)).toMatchObject({
      change: { sides: { a: [1], b: [2], added: [], removed: [3], droppedProposals: 1, droppedOverdueMarks: 1 } },
    });
    // Its counterpart is free again, for everyone.
    const made = await client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[2] ?? 0, bIds[1] ?? 0] });
    expect(made.status).toBe('matched');
    expect((await client.refusal('matches.create', { reconciliation_id: id, record_ids: [aIds[0] ?? 0, tillId] })).errors).toMatchObject([
      { path: 'record_ids.1', code: 'record_of_other_stream' },
    ]);
  });

  test('that left are no way back for a match that was taken apart', async () => {
    const { client, id, aIds, tillId, change } = await book();
    const made = await client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[2] ?? 0, tillId] });
    await client.get('matches.remove', { id: made.id });
    await client.get('reconciliations.update', change(undefined, [2]));
    const gone =
      'The match cannot be brought back: the account of some of its lines has left its side of the reconciliation. Put it back first.';
    expect(await client.refusal('matches.restore', { id: made.id })).toEqual({ code: 'conflict', message: gone });
    await client.get('reconciliations.update', change([1, 3]));
    expect(await client.refusal('matches.restore', { id: made.id })).toEqual({ code: 'conflict', message: gone });
    await client.get('reconciliations.update', change([1], [2, 3]));
    expect(await client.get('matches.restore', { id: made.id })).toMatchObject({ id: made.id, status: 'matched' });
  });

  test('are not changed while a run is going; the same ones are no change', async () => {
    const { quiet, client, id, sides, change } = await book();
    const started = await client.get('runs.start', { id });
    expect(await client.refusal('reconciliations.update', change([4]))).toEqual({
      code: 'run_in_progress',
      message: `Run ${started.id} of this reconciliation is in progress: wait for it, or cancel it first.`,
    });
    await client.get('reconciliations.update', { ...change([1], [3, 2]), name: 'July' });
    quiet.work();
    expect(await sides()).toEqual([[1], [2, 3]]);
    expect((await client.get('reconciliations.get', { id })).name).toBe('July');
  });

  test('a story whose shared stream leaves shows no connection', async () => {
    const { client, id, change } = await book();
    const next = await client.get('reconciliations.create', {
      name: 'Till',
      run_type: 'batch',
      side_a_stream_ids: [3],
      side_b_stream_ids: [4],
    });
    const links = [{ reconciliation_id: id }, { reconciliation_id: next.id, shared_data_stream_id: 3 }];
    const story = await client.get('stories.create', { name: 'Quarter', links });
    const shared = async () => (await client.get('stories.get', { id: story.id })).links.map((link) => link.shared_data_stream_id);
    expect(await shared()).toEqual([null, 3]);
    await client.get('reconciliations.update', change(undefined, [2]));
    expect(await shared()).toEqual([null, null]);
    await client.get('reconciliations.update', change(undefined, [2, 3]));
    expect(await shared()).toEqual([null, 3]);
  });

  test('change as a whole or not at all, whichever statement fails', async () => {
    const { quiet, client, id, tillId, change } = await book([BY_AMOUNT_PROPOSED]);
    await quiet.run(id);
    await client.get('records.mark_overdue', { id: tillId, reconciliation_id: id });
    const act = () => client.call('reconciliations.update', { ...change([1, 4], [2]), name: 'Other', sign_convention: 'opposite' });
    const { outcomes, isUnchanged } = await failEachStatement(quiet.database, act, 40);
    expect(outcomes.length).toBeGreaterThan(8);
    expect(outcomes.slice(0, -1)).toEqual(outcomes.slice(1).map(() => 'storage_full'));
    expect(outcomes.at(-1)).toBe('done');
    expect(isUnchanged).toEqual([...outcomes.slice(1).map(() => true), false]);
  });
});

test('a reconciliation is deleted with everything that refers to it; records and streams stay', async () => {
  const { quiet, client, id, aIds, bIds, tillId } = await book([BY_EXTERNAL_ID, BY_AMOUNT_PROPOSED]);
  await quiet.run(id);
  const matches = (await client.get('matches.list', { reconciliation_id: id })).data;
  await client.get('matches.remove', { id: matches[0]?.id ?? 0 });
  await client.get('records.mark_overdue', { id: tillId, reconciliation_id: id });
  await client.get('exceptions.create', { reconciliation_id: id, data_stream_id: 3 });
  await client.get('rules.remove', { id: 1 });
  const dryRun = await client.get('runs.start', { id, mode: 'dry_run' });
  expect(await client.refusal('reconciliations.remove', { id })).toEqual({
    code: 'run_in_progress',
    message: 'A run of this reconciliation is in progress: wait for it, or cancel it first.',
  });
  quiet.work();
  expect((await client.get('runs.get', { id, run_id: dryRun.id })).status).toBe('completed');
  expect(await client.get('reconciliations.remove', { id })).toBeNull();
  const tables = ['rules', 'runs', 'matches', 'match_records', 'dissolved_matches', 'separations', 'overdue_records', 'exceptions'];
  for (const table of [...tables, 'reconciliations', 'reconciliation_streams', 'run_exclusions', 'removed_rules', 'would_be_matches']) {
    expect([table, quiet.database.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get()]).toEqual([table, 0]);
  }
  for (const recordId of [...aIds, ...bIds, tillId]) {
    expect(await client.get('records.get', { id: recordId })).toMatchObject({ status: 'unreconciled', matched_records: [], overdue: [] });
  }
  expect(await client.get('streams.list', {})).toHaveLength(4);
});

describe('found once: sides without shared currency', () => {
  async function bookOf(currencyA: string, currencyB: string, rules: 'default' | 'currency' = 'default') {
    const book = openQuietBook();
    for (const key of ['bank', 'ledger']) await book.client.get('streams.create', { key, name: key });
    await addLines(book.client, 'bank', [{ amount: 100, currency: currencyA, external_id: 'r' }]);
    await addLines(book.client, 'ledger', [{ amount: 100, currency: currencyB, external_id: 'r' }]);
    const { reconciliation } = await book.client.get('reconciliations.set_up', {
      name: 'June',
      side_a_keys: ['bank'],
      side_b_keys: ['ledger'],
    });
    if (rules === 'currency') {
      const filters = {
        rules: [
          { key: 'currency', value: 'currency', operand: 'neq' },
          { key: 'amount', value: 'amount' },
        ],
      } as const;
      await book.client.get('rules.replace', { id: reconciliation.id, rules: [{ filters: { ...filters, rules: [...filters.rules] } }] });
    }
    return { book, id: reconciliation.id };
  }

  /** The run said "0 new matches", and never why. */
  test('a run over sides that share no currency says so, with the currencies of both', async () => {
    const { book, id } = await bookOf('GBP', 'USD');
    expect(await book.run(id)).toMatchObject({ matches: 0, no_shared_currency: { side_a: ['GBP'], side_b: ['USD'] } });
    expect((await book.client.get('runs.list', { id })).data).toMatchObject([{ no_shared_currency: { side_a: ['GBP'], side_b: ['USD'] } }]);
    const apart = currenciesApart(await book.client.get('reconciliations.summary', { id }));
    expect(apart === null ? '' : currenciesApartSentence(apart)).toContain('Side A is in GBP, side B in USD.');
    await addLines(book.client, 'ledger', [{ amount: 5, currency: 'GBP', external_id: 's' }]);
    expect(await book.run(id)).toMatchObject({ no_shared_currency: null });
    expect(currenciesApart(await book.client.get('reconciliations.summary', { id }))).toBeNull();
  });

  test('a run says nothing where all is matched, one side is empty, or a rule compares the currencies', async () => {
    const same = await bookOf('GBP', 'GBP');
    expect(await same.book.run(same.id)).toMatchObject({ matches: 1, no_shared_currency: null });
    expect(await same.book.run(same.id)).toMatchObject({ matches: 0, no_shared_currency: null });
    const compared = await bookOf('GBP', 'USD', 'currency');
    expect(await compared.book.run(compared.id)).toMatchObject({ matches: 1, no_shared_currency: null });
    const [line] = (await same.book.client.get('records.list', { data_stream_key: 'bank' })).data;
    const [match] = (await same.book.client.get('matches.list', { reconciliation_id: same.id })).data;
    await same.book.client.get('matches.remove', { id: match?.id ?? 0 });
    await same.book.client.get('records.remove', { id: line?.id ?? 0 });
    expect(await same.book.run(same.id)).toMatchObject({ no_shared_currency: null });
  });
});

describe('found once: sign convention changed', () => {
  test('another sign convention recalculates the differences of existing matches', async () => {
    const book = openQuietBook();
    const { reconciliation, aIds, bIds } = await setUpPair(
      book.client,
      { a: [{ amount: 100 }, { amount: 40 }, { amount: 7 }], b: [{ amount: -90 }, { amount: 400, decimal_places: 3 }, { amount: 7 }] },
      [{ filters: { rules: [{ key: 'amount', value: 'amount' }] }, outcome: 'propose' }],
    );
    const { id } = reconciliation;
    for (const place of [0, 1]) {
      await book.client.get('matches.create', { reconciliation_id: id, record_ids: [aIds[place] ?? 0, bIds[place] ?? 0] });
    }
    await book.run(id);
    const differences = async () => (await book.client.get('matches.list', {})).data.map((match) => match.difference).toReversed();
    expect(await differences()).toEqual([190, 0, 0]);
    await book.client.get('reconciliations.update', { id, sign_convention: 'opposite' });
    expect(await differences()).toEqual([10, 800, 14]);
    await book.client.get('reconciliations.update', { id, sign_convention: 'any' });
    expect(await differences()).toEqual([10, 0, 0]);
    await book.client.get('reconciliations.update', { id, name: 'Same as ever' });
    expect(await differences()).toEqual([10, 0, 0]);
  });
});
