import { expect, test } from 'vitest';
import type { Match, RuleBody } from '../../../src-shared/contract/index.ts';
import { numbered, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

/** Looks at everything that can change beside the records of a match: a declared type, the reference of a stream, signs. */
const RULE: RuleBody = {
  filters: {
    rules: [
      { key: 'metadata.no', value: 'metadata.no' },
      { key: 'reference', value: 'reference' },
      { key: 'signed_amount', value: 'signed_amount' },
    ],
  },
};

async function scene(rule: RuleBody = RULE) {
  const book = openQuietBook();
  const lines = numbered(2, (index) => ({ description: `Pay ${index}`, metadata: { no: String(index + 1), code: `c${index}` } }));
  const pair = await setUpPair(book.client, { a: lines, b: lines }, []);
  for (const key of ['ledger', 'bank']) {
    await book.client.get('streams.update', { key, reference_field: 'metadata.code' });
    await book.client.get('property_definitions.create', { data_stream_key: key, key: 'no', name: 'No', type: 'number' });
  }
  await book.client.get('rules.replace', { id: pair.reconciliation.id, rules: [rule] });
  await book.run(pair.reconciliation.id);
  return { book, ...pair };
}

const matches = async ({ client }: QuietBook) => (await client.get('matches.list', {})).data;
const reasonOf = ({ id, group_key, explanation }: Match) => ({ id, group_key, explanation });
const stored = (book: QuietBook) => book.database.connection.prepare('SELECT explanation, group_key FROM matches ORDER BY id').raw().all();
const EXPECTED = {
  id: 1,
  group_key: '1.00|c0|1.00',
  explanation: ['No 1.00 USD equals 1.00 USD.', 'Reference c0 is equal on both sides.', 'Signed amount 1.00 USD equals 1.00 USD.'],
};

test('the reason of a match is not stored, and is given wherever a match is shown', async () => {
  const { book, reconciliation } = await scene();
  expect(stored(book)).toEqual([
    ['', null],
    ['', null],
  ]);
  const listed = await matches(book);
  expect(listed.map(reasonOf).at(-1)).toEqual(EXPECTED);
  expect(reasonOf(await book.client.get('matches.get', { id: 1 }))).toEqual(EXPECTED);
  const window = await book.client.get('matches.window', { reconciliation_id: reconciliation.id, offset: 0, limit: 10 });
  expect(window.data.map(({ match }) => match)).toEqual(listed);
});

test('it stays what the run saw, whatever becomes of rules, definitions, references and signs', async () => {
  const { book, reconciliation } = await scene();
  const before = (await matches(book)).map(reasonOf);
  for (const definition of await book.client.get('property_definitions.list', {})) {
    await book.client.get('property_definitions.remove', { id: definition.id });
    await book.client.get('property_definitions.create', {
      data_stream_key: definition.data_stream_key,
      key: 'no',
      name: 'No',
      type: 'string',
    });
  }
  for (const key of ['ledger', 'bank']) await book.client.get('streams.update', { key, reference_field: 'description' });
  await book.client.get('reconciliations.update', { id: reconciliation.id, sign_convention: 'opposite' });
  await book.client.get('rules.replace', { id: reconciliation.id, rules: [{ filters: { rules: [{ key: 'amount', value: 'amount' }] } }] });
  expect((await matches(book)).map(reasonOf)).toEqual(before);
});

test('a match of many records gives the same reason while it exists, and after it was separated and restored', async () => {
  const book = openQuietBook();
  const store = (index: number) => ({ amount: 100 + index, description: `Sale ${index % 2}`, metadata: { payout: 'P1' } });
  const rule: RuleBody = {
    cardinality: 'many_to_one',
    group_by: ['metadata.payout'],
    rollup: { group_by_kind: 'identifier' },
    filters: {
      rules: [
        { key: 'amount', value: 'amount' },
        { key: 'description', value: 'description', operand: 'neq' },
      ],
    },
  };
  const lines = { a: numbered(3, store), b: [{ amount: 303, external_id: 'bank', description: 'Payout', metadata: {} }] };
  const { a, reconciliation } = await setUpPair(book.client, lines, [rule]);
  await book.run(reconciliation.id);
  expect(stored(book)).toEqual([['', null]]);
  const expected = {
    id: 1,
    group_key: 'P1',
    explanation: [
      '3 records of payout P1 sum to 3.03 USD.',
      'Amount 3.03 USD equals 3.03 USD.',
      'Description Sale 0 on side A differs from description Payout on side B; the other 2 fit as well.',
    ],
  };
  expect((await matches(book)).map(reasonOf)).toEqual([expected]);
  await book.client.get('matches.remove', { id: 1 });
  await book.client.get('records.update', { id: a[0]?.id ?? 0, description: 'Other' });
  expect(reasonOf(await book.client.get('matches.restore', { id: 1 }))).toEqual(expected);
});

test('a separated match returns with its former reason, although its record was changed meanwhile', async () => {
  const { book, a } = await scene();
  await book.client.get('matches.remove', { id: 1 });
  await book.client.get('records.update', { id: a[0]?.id ?? 0, metadata: { no: '9', code: 'z' } });
  expect(reasonOf(await book.client.get('matches.restore', { id: 1 }))).toEqual(EXPECTED);
});

test('a proposal that was confirmed and undone gives the same reason after a later run with other rules', async () => {
  const { book, reconciliation } = await scene({ ...RULE, outcome: 'propose' });
  const proposed = (await matches(book)).map(reasonOf);
  expect(reasonOf(await book.client.get('matches.confirm', { id: 1 }))).toEqual(EXPECTED);
  const other: RuleBody = { filters: { rules: [{ key: 'external_id', value: 'external_id' }] }, outcome: 'propose' };
  await book.client.get('rules.replace', { id: reconciliation.id, rules: [other] });
  await book.run(reconciliation.id);
  await book.client.get('matches.undo_create', { id: 1 });
  const after = await book.client.get('matches.get', { id: 1 });
  expect(after).toMatchObject({ status: 'proposed', ...proposed.at(-1) });
});

test('a proposal that a manual match displaced returns with its reason', async () => {
  const { book, reconciliation, aIds, bIds } = await scene({ ...RULE, outcome: 'propose' });
  const manual = await book.client.get('matches.create', {
    reconciliation_id: reconciliation.id,
    record_ids: [aIds[0] ?? 0, bIds[1] ?? 0],
  });
  expect((await matches(book)).map((match) => match.id)).toEqual([manual.id]);
  await book.client.get('matches.undo_create', { id: manual.id });
  expect((await matches(book)).map(reasonOf).at(-1)).toEqual(EXPECTED);
});
