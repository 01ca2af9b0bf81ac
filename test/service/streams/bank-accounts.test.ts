import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const NOW = '2026-07-01T09:00:00.000Z';

test('create and get: every field is there', async () => {
  const { client } = openQuietBook();
  const created = await client.get('bank_accounts.create', { name: ' Current ', currency: 'EUR' });
  expect(created).toEqual({ id: 1, name: 'Current', currency: 'EUR', created_at: NOW, updated_at: NOW });
  expect(await client.get('bank_accounts.get', { id: '1' })).toEqual(created);
  expect(await client.get('bank_accounts.create', { name: 'No currency' })).toMatchObject({ id: 2, currency: null });
  expect(await client.get('bank_accounts.create', { name: 'Null currency', currency: null })).toMatchObject({ id: 3, currency: null });
});

test('the list is by name without regard to case, of equal names by id', async () => {
  const { client } = openQuietBook();
  for (const name of ['beta', 'Zeta', 'alpha', 'Beta', 'Gamma']) await client.get('bank_accounts.create', { name });
  const listed = await client.get('bank_accounts.list', {});
  expect(listed.map((account) => [account.id, account.name])).toEqual([
    [3, 'alpha'],
    [1, 'beta'],
    [4, 'Beta'],
    [5, 'Gamma'],
    [2, 'Zeta'],
  ]);
});

test.each([
  [{ currency: 'eur' }, 'currency must be a three-letter ISO 4217 code in upper case, such as EUR'],
  [{ currency: 'EURO' }, 'currency must be a three-letter ISO 4217 code in upper case, such as EUR'],
  [{ currency: '' }, 'currency must be a three-letter ISO 4217 code in upper case, such as EUR'],
  [{ name: '' }, 'name must have at least 1 character'],
  [{ name: 'x'.repeat(256) }, 'name must have at most 255 characters'],
])('create and update refuse %o', async (fault, words) => {
  const { client, database } = openQuietBook();
  await client.get('bank_accounts.create', { name: 'Current' });
  for (const [operation, input] of [
    ['bank_accounts.create', { name: 'Other', ...fault }],
    ['bank_accounts.update', { id: 1, ...fault }],
  ] as const) {
    expect(await client.refusal(operation, input)).toMatchObject({
      code: 'validation_failed',
      message: `The input is not valid: ${words}.`,
      errors: [{ path: Object.keys(fault)[0] }],
    });
  }
  expect(await client.get('bank_accounts.list', {})).toHaveLength(1);
  expect(auditEntries(database, 'bank_account.')).toHaveLength(1);
});

test('create needs a name, and takes neither an id nor what it does not know', async () => {
  const { client } = openQuietBook();
  expect(await client.refusal('bank_accounts.create', {})).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'name', code: 'required' }],
  });
  expect(await client.refusal('bank_accounts.create', { name: 'A', id: 5 })).toMatchObject({ code: 'read_only_field' });
  expect(await client.refusal('bank_accounts.create', { name: 'A', iban: 'X' })).toMatchObject({ code: 'unknown_field' });
});

test('update changes what it names and the time; a change that names nothing changes nothing', async () => {
  const { client, clock, database } = openQuietBook();
  const created = await client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  clock.advance(1_000);
  expect(await client.get('bank_accounts.update', { id: 1 })).toEqual(created);
  const renamed = await client.get('bank_accounts.update', { id: 1, name: 'Deposit' });
  expect(renamed).toEqual({ ...created, name: 'Deposit', updated_at: '2026-07-01T09:00:01.000Z' });
  expect(await client.get('bank_accounts.update', { id: 1, currency: null })).toEqual({ ...renamed, currency: null });
  expect(await client.get('bank_accounts.get', { id: 1 })).toEqual({ ...renamed, currency: null });
  expect(auditEntries(database, 'bank_account.').map((entry) => [entry.action, entry.detail])).toEqual([
    ['bank_account.created', { bank_account_id: 1, name: 'Current', currency: 'EUR' }],
    ['bank_account.updated', { bank_account_id: 1, change: { name: 'Deposit' } }],
    ['bank_account.updated', { bank_account_id: 1, change: { currency: null } }],
  ]);
  expect(firstBrokenAuditEntry(database)).toBeNull();
});

const BALANCE = { date: '2026-06-30', balance_type: 'other', amount_cents: 1 } as const;

test('delete takes its balances along', async () => {
  const { client, database } = openQuietBook();
  await client.get('bank_accounts.create', { name: 'Current' });
  await client.get('bank_accounts.create', { name: 'Other' });
  await client.get('bank_account_balances.put', { bank_account_id: 1, ...BALANCE });
  const kept = await client.get('bank_account_balances.put', { bank_account_id: 2, ...BALANCE });
  expect(await client.get('bank_accounts.remove', { id: 1 })).toBeNull();
  expect((await client.get('bank_accounts.list', {})).map((account) => account.id)).toEqual([2]);
  expect(await client.get('bank_account_balances.list', { bank_account_id: 2 })).toEqual([kept]);
  const gone = { code: 'not_found', message: 'There is no bank account 1 in this environment.' };
  expect(await client.refusal('bank_accounts.get', { id: 1 })).toEqual(gone);
  expect(await client.refusal('bank_accounts.update', { id: 1, name: 'Back' })).toEqual(gone);
  expect(await client.refusal('bank_accounts.remove', { id: 1 })).toEqual(gone);
  for (const refusal of [
    await client.refusal('bank_account_balances.list', { bank_account_id: 1 }),
    await client.refusal('bank_account_balances.put', { bank_account_id: 1, ...BALANCE }),
    await client.refusal('streams.create', { key: 'feed', name: 'Feed', bank_account_id: 1 }),
  ]) {
    expect(refusal.code).toBe('unknown_reference');
  }
  expect(auditEntries(database, 'bank_account.deleted')).toMatchObject([
    { actor: 'app', environment_id: 1, detail: { bank_account_id: 1, name: 'Current', currency: null, balances: 1 } },
  ]);
});

test('a linked account cannot be deleted, unless the request says where the stream goes', async () => {
  const { client } = openQuietBook();
  await client.get('bank_accounts.create', { name: 'Current' });
  for (let index = 1; index <= 7; index += 1) {
    await client.get('streams.create', { key: `feed-${index}`, name: 'Feed', bank_account_id: 1 });
  }
  expect(await client.refusal('bank_accounts.remove', { id: 1 })).toEqual({
    code: 'bank_account_in_use',
    message:
      'Bank account 1 is linked to the accounts feed-1, feed-2, feed-3, feed-4, feed-5 and 2 more: link them to another bank account first, or say by streams_to where they go.',
  });
  for (let index = 2; index <= 7; index += 1) await client.get('streams.update', { key: `feed-${index}`, bank_account_id: null });
  expect(await client.refusal('bank_accounts.remove', { id: 1 })).toMatchObject({
    message: 'Bank account 1 is linked to the account feed-1: link it to another bank account first, or say by streams_to where it goes.',
  });
  expect(await client.get('bank_accounts.get', { id: 1 })).toMatchObject({ name: 'Current' });
  await client.get('streams.update', { key: 'feed-1', bank_account_id: null });
  expect(await client.get('bank_accounts.remove', { id: 1 })).toBeNull();
});

/** Accounts 1 and 2; streams `one` and `two` are linked to the first, which has a balance. */
async function bookOfTwo() {
  const book = openQuietBook();
  for (const name of ['Current', 'Deposit']) await book.client.get('bank_accounts.create', { name, currency: 'EUR' });
  for (const key of ['one', 'two']) await book.client.get('streams.create', { key, name: key, bank_account_id: 1 });
  await book.client.get('bank_account_balances.put', { bank_account_id: 1, ...BALANCE });
  const links = async () => (await book.client.get('streams.list', {})).map(({ bank_account_id: id }) => id);
  return { ...book, links };
}

test.each([
  ['none', null],
  ['2', 2],
] as const)('deleted with streams_to %s, an account is restored with its balances and its streams', async (streamsTo, to) => {
  const { client, clock, database, links } = await bookOfTwo();
  const before = await client.get('bank_accounts.get', { id: 1 });
  const balances = await client.get('bank_account_balances.list', { bank_account_id: 1 });
  clock.advance(1_000);
  expect(await client.get('bank_accounts.remove', { id: 1, streams_to: streamsTo })).toBeNull();
  expect(await links()).toEqual([to, to]);
  clock.advance(1_000);
  expect(await client.get('bank_accounts.restore', { id: 1 })).toEqual(before);
  expect(await links()).toEqual([1, 1]);
  expect(await client.get('bank_accounts.get', { id: 1 })).toEqual(before);
  expect(await client.get('bank_account_balances.list', { bank_account_id: 1 })).toEqual(balances);
  expect(await client.refusal('bank_accounts.restore', { id: 1 })).toEqual({
    code: 'not_found',
    message: 'There is no deleted bank account 1 in this environment.',
  });
  expect(
    auditEntries(database, 'bank_account.')
      .slice(2)
      .map((entry) => [entry.action, entry.detail]),
  ).toEqual([
    [
      'bank_account.deleted',
      { bank_account_id: 1, name: 'Current', currency: 'EUR', balances: 1, streams: ['one', 'two'], streams_to: to },
    ],
    ['bank_account.restored', { bank_account_id: 1, name: 'Current', streams: ['one', 'two'] }],
  ]);
  expect(firstBrokenAuditEntry(database)).toBeNull();
});

test('streams that went elsewhere since stay there when the account comes back', async () => {
  const { client, links } = await bookOfTwo();
  await client.get('bank_accounts.remove', { id: 1, streams_to: 'none' });
  await client.get('streams.update', { key: 'two', bank_account_id: 2 });
  await client.get('bank_accounts.restore', { id: 1 });
  expect(await links()).toEqual([1, 2]);
});

test('where streams go must be another account of the environment, and a bank feed needs one', async () => {
  const { client, links, testEnvironment } = await bookOfTwo();
  for (const to of [1, 9] as const) {
    expect(await client.refusal('bank_accounts.remove', { id: 1, streams_to: to })).toMatchObject({
      code: 'unknown_reference',
      message: `There is no other bank account ${to} in this environment to link the accounts to: check streams_to.`,
      errors: [{ path: 'streams_to' }],
    });
  }
  expect(await client.refusal('bank_accounts.remove', { id: 1, streams_to: 'nowhere' })).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: 'streams_to' }],
  });
  await client.get('streams.create', { key: 'feed', name: 'Feed', type: 'bank_feed', bank_account_id: 1 });
  expect(await client.refusal('bank_accounts.remove', { id: 1, streams_to: 'none' })).toEqual({
    code: 'bank_account_in_use',
    message: 'The account feed is fed from a bank, so it needs a bank account: link it to another one.',
  });
  expect(await testEnvironment.refusal('bank_accounts.restore', { id: 1 })).toMatchObject({ code: 'not_found' });
  expect(await links()).toEqual([1, 1, 1]);
  await client.get('bank_accounts.remove', { id: 1, streams_to: 2 });
  expect(await links()).toEqual([2, 2, 2]);
  expect(await testEnvironment.refusal('bank_accounts.restore', { id: 1 })).toMatchObject({ code: 'not_found' });
});

test('balances of statements move with their stream', async () => {
  const book = await openTestBook();
  const sta = ':20:A\r\n:25:1\r\n:28C:1/1\r\n:60F:C260601EUR10,00\r\n:61:2606010601D4,00NTRFX\r\n:62F:C260601EUR6,00\r\n-\r\n';
  await book.importText('bank', sta, { bank_account_name: 'Current' });
  await book.client.get('bank_accounts.create', { name: 'Other', currency: 'EUR' });
  const said = await book.client.get('bank_account_balances.list', { bank_account_id: 1 });
  expect(said.length).toBeGreaterThan(0);
  const ofAccount = (id: number) => said.map((balance) => ({ ...balance, bank_account_id: id }));
  const shown = (id: number) => book.client.get('bank_account_balances.list', { bank_account_id: id });
  await book.client.get('bank_accounts.remove', { id: 1, streams_to: 2 });
  expect(await shown(2)).toEqual(ofAccount(2));
  await book.client.get('bank_accounts.restore', { id: 1 });
  expect([await shown(1), await shown(2)]).toEqual([said, []]);
});

test("another environment's account is one that does not exist", async () => {
  const { client, testEnvironment } = openQuietBook();
  await client.get('bank_accounts.create', { name: 'Current' });
  expect(await testEnvironment.get('bank_accounts.list', {})).toEqual([]);
  for (const operation of ['bank_accounts.get', 'bank_accounts.update', 'bank_accounts.remove'] as const) {
    expect(await testEnvironment.refusal(operation, { id: 1 })).toEqual({
      code: 'not_found',
      message: 'There is no bank account 1 in this environment.',
    });
  }
  expect(await testEnvironment.refusal('streams.create', { key: 'feed', name: 'Feed', bank_account_id: 1 })).toMatchObject({
    code: 'unknown_reference',
  });
  expect(await client.get('bank_accounts.get', { id: 1 })).toMatchObject({ name: 'Current' });
});

test('each change is told after it', async () => {
  const book = await openTestBook();
  await book.client.get('bank_accounts.create', { name: 'Current' });
  await book.client.get('bank_accounts.update', { id: 1, name: 'Deposit' });
  await book.client.get('bank_accounts.update', { id: 1 });
  await book.client.refusal('bank_accounts.remove', { id: 2 });
  await book.client.get('bank_accounts.remove', { id: 1 });
  await book.client.get('bank_accounts.restore', { id: 1 });
  await book.client.get('bank_accounts.remove', { id: 1, streams_to: 'none' });
  expect(book.events.map((event) => (event.kind === 'changed' ? event.areas : []))).toEqual([
    ['bank_accounts'],
    ['bank_accounts'],
    ['bank_accounts'],
    ['bank_accounts', 'streams'],
    ['bank_accounts', 'streams'],
  ]);
});

test('a stream is linked to an account when it is made, and later', async () => {
  const { client, database } = openQuietBook();
  await client.get('bank_accounts.create', { name: 'Current' });
  await client.get('bank_accounts.create', { name: 'Deposit' });
  const feed = await client.get('streams.create', { key: 'feed', name: 'Feed', type: 'bank_feed', bank_account_id: '1' });
  expect(feed).toMatchObject({ type: 'bank_feed', bank_account_id: 1 });
  const changed = await client.get('streams.update', { key: 'feed', bank_account_id: 2 });
  expect(changed).toEqual({ ...feed, bank_account_id: 2 });
  expect(await client.get('streams.update', { key: 'feed', name: 'New name' })).toMatchObject({ bank_account_id: 2 });
  await client.get('streams.create', { key: 'manual', name: 'Manual' });
  expect(await client.get('streams.update', { key: 'manual', bank_account_id: 1 })).toMatchObject({ bank_account_id: 1 });
  expect(await client.get('streams.update', { key: 'manual', bank_account_id: null })).toMatchObject({ bank_account_id: null });
  expect(auditEntries(database, 'stream.').map((entry) => entry.detail)).toMatchObject([
    { key: 'feed', bank_account_id: 1 },
    { key: 'feed', change: { bank_account_id: 2 } },
    { key: 'feed', change: { name: 'New name' } },
    { key: 'manual', bank_account_id: null },
    { key: 'manual', change: { bank_account_id: 1 } },
    { key: 'manual', change: { bank_account_id: null } },
  ]);
});

test('a bank feed needs an account, and an account must be there', async () => {
  const { client } = openQuietBook();
  await client.get('bank_accounts.create', { name: 'Current' });
  const needed = {
    code: 'validation_failed',
    message: 'An account of type bank_feed needs bank_account_id: create the bank account first and give its id.',
    errors: [{ path: 'bank_account_id', code: 'required' }],
  };
  expect(await client.refusal('streams.create', { key: 'feed', name: 'Feed', type: 'bank_feed' })).toMatchObject(needed);
  expect(await client.refusal('streams.create', { key: 'feed', name: 'Feed', type: 'bank_feed', bank_account_id: null })).toMatchObject(
    needed,
  );
  const unknown = {
    code: 'unknown_reference',
    message: 'There is no bank account 9 in this environment: create it first, or check bank_account_id.',
    errors: [{ path: 'bank_account_id', code: 'unknown_reference' }],
  };
  expect(await client.refusal('streams.create', { key: 'feed', name: 'Feed', bank_account_id: 9 })).toMatchObject(unknown);
  expect(await client.get('streams.list', {})).toEqual([]);
  await client.get('streams.create', { key: 'feed', name: 'Feed', type: 'bank_feed', bank_account_id: 1 });
  expect(await client.refusal('streams.update', { key: 'feed', bank_account_id: null, name: 'Lost' })).toMatchObject(needed);
  expect(await client.refusal('streams.update', { key: 'feed', bank_account_id: 9, name: 'Lost' })).toMatchObject(unknown);
  expect(await client.refusal('streams.update', { key: 'feed', bank_account_id: 'one' })).toMatchObject({ code: 'validation_failed' });
  expect(await client.get('streams.get', { key: 'feed' })).toMatchObject({ name: 'Feed', bank_account_id: 1 });
});

test('an update whose members are all undefined changes nothing, neither of an account nor of a stream', async () => {
  const { client, database } = openQuietBook();
  await client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  await client.get('streams.create', { key: 'bank', name: 'Bank', type: 'bank' });
  const before = auditEntries(database, 'bank_account.').length;
  expect(await client.get('bank_accounts.update', { id: 1, name: undefined, currency: undefined })).toMatchObject({ currency: 'EUR' });
  expect(await client.get('streams.update', { key: 'bank', name: undefined })).toMatchObject({ name: 'Bank' });
  expect(auditEntries(database, 'bank_account.')).toHaveLength(before);
});
