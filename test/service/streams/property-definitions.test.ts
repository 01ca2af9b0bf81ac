import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { PROPERTY_TYPES } from '../../../src-shared/contract/streams/property-definitions.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { openTestBook } from '../../support/books/backend.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const ORDER = { data_stream_key: 'bank', key: 'order_id', name: 'Order', type: 'string' } as const;

async function book() {
  const opened = openQuietBook();
  await opened.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await opened.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  return opened;
}

test('create and get: every field is there, and a property is optional unless it says otherwise', async () => {
  const { client } = await book();
  const created = await client.get('property_definitions.create', { ...ORDER, name: ' Order ' });
  expect(created).toEqual({ id: 1, ...ORDER, optional: true });
  expect(await client.get('property_definitions.get', { id: '1' })).toEqual(created);
  for (const type of PROPERTY_TYPES) {
    const input = { ...ORDER, key: `of type.${type}`, type, optional: false };
    expect(await client.get('property_definitions.create', input)).toMatchObject(input);
  }
});

test('the list is a bare array in the order made, of all streams or of one', async () => {
  const { client } = await book();
  for (const [data_stream_key, key] of [
    ['ledger', 'b'],
    ['bank', 'z'],
    ['bank', 'a'],
    ['ledger', 'a'],
  ] as const) {
    await client.get('property_definitions.create', { ...ORDER, data_stream_key, key });
  }
  const keys = async (input: { data_stream_key?: string }) =>
    (await client.get('property_definitions.list', input)).map((each) => `${each.data_stream_key} ${each.key}`);
  expect(await keys({})).toEqual(['ledger b', 'bank z', 'bank a', 'ledger a']);
  expect(await keys({ data_stream_key: 'bank' })).toEqual(['bank z', 'bank a']);
  await client.get('streams.create', { key: 'empty', name: 'Empty' });
  expect(await keys({ data_stream_key: 'empty' })).toEqual([]);
});

test('a list of a stream that is not there is not found, so that a typo is never an empty sheet', async () => {
  const { client } = await book();
  expect(await client.refusal('property_definitions.list', { data_stream_key: 'bnak' })).toEqual({
    code: 'not_found',
    message: 'There is no account bnak in this environment.',
  });
});

test('a key is unique in a stream', async () => {
  const { client } = await book();
  await client.get('property_definitions.create', ORDER);
  await client.get('property_definitions.create', { ...ORDER, data_stream_key: 'ledger' });
  expect(await client.refusal('property_definitions.create', { ...ORDER, type: 'number' })).toMatchObject({
    code: 'key_taken',
    message: 'The account bank has a property with the key order_id already: change that one, or choose another key.',
    errors: [{ path: 'key', code: 'key_taken' }],
  });
  expect(await client.get('property_definitions.list', { data_stream_key: 'bank' })).toMatchObject([{ type: 'string' }]);
});

test.each([
  [{ data_stream_key: 'none' }, 'unknown_reference', 'data_stream_key', 'unknown_reference'],
  [{ type: 'money' }, 'validation_failed', 'type', 'wrong_value'],
  [{ key: '' }, 'validation_failed', 'key', 'too_small'],
  [{ key: 'x'.repeat(101) }, 'validation_failed', 'key', 'too_big'],
  [{ name: '  ' }, 'validation_failed', 'name', 'too_small'],
  [{ optional: 'yes' }, 'validation_failed', 'optional', 'wrong_type'],
  [{ id: 4 }, 'read_only_field', 'id', 'read_only_field'],
  [{ colour: 'red' }, 'unknown_field', 'colour', 'unknown_field'],
])('create refuses %o', async (fault, code, path, fieldCode) => {
  const { client, database } = await book();
  expect(await client.refusal('property_definitions.create', { ...ORDER, ...fault })).toMatchObject({
    code,
    errors: [{ path, code: fieldCode }],
  });
  expect(await client.get('property_definitions.list', {})).toEqual([]);
  expect(auditEntries(database, 'property_definition.')).toEqual([]);
});

test.each(['data_stream_key', 'key', 'name', 'type'])('create needs %s', async (field) => {
  const { client } = await book();
  const whole: Record<string, unknown> = ORDER;
  const { [field]: _, ...rest } = whole;
  expect(await client.refusal('property_definitions.create', rest)).toMatchObject({
    code: 'validation_failed',
    errors: [{ path: field }],
  });
});

test('update takes name and optional alone', async () => {
  const { client, database } = await book();
  const created = await client.get('property_definitions.create', ORDER);
  expect(await client.get('property_definitions.update', { id: 1 })).toEqual(created);
  expect(await client.get('property_definitions.update', { id: 1, name: 'Order number' })).toEqual({ ...created, name: 'Order number' });
  const changed = await client.get('property_definitions.update', { id: 1, optional: false });
  expect(changed).toEqual({ ...created, name: 'Order number', optional: false });
  for (const fault of [{ key: 'other' }, { type: 'number' }, { data_stream_key: 'ledger' }]) {
    expect(await client.refusal('property_definitions.update', { id: 1, ...fault })).toMatchObject({
      code: 'read_only_field',
      errors: [{ path: Object.keys(fault)[0], code: 'read_only_field' }],
    });
  }
  expect(await client.get('property_definitions.get', { id: 1 })).toEqual(changed);
  expect(auditEntries(database, 'property_definition.').map((entry) => [entry.action, entry.detail])).toEqual([
    ['property_definition.created', { property_definition_id: 1, ...ORDER, optional: true }],
    ['property_definition.updated', { property_definition_id: 1, change: { name: 'Order number' } }],
    ['property_definition.updated', { property_definition_id: 1, change: { optional: false } }],
  ]);
  expect(firstBrokenAuditEntry(database)).toBeNull();
});

test('delete leaves the metadata of records', async () => {
  const { client, database } = await book();
  await client.get('property_definitions.create', ORDER);
  const metadata = { order_id: 'O-1' };
  await client.get('records.create', { data_stream_key: 'bank', date: '2026-06-30', amount: 1, metadata });
  expect(await client.get('property_definitions.remove', { id: 1 })).toBeNull();
  expect(await client.get('property_definitions.list', {})).toEqual([]);
  expect(await client.get('records.get', { id: 1 })).toMatchObject({ metadata });
  expect(await client.get('property_definitions.create', ORDER)).toMatchObject({ id: 2, key: 'order_id' });
  expect(auditEntries(database, 'property_definition.deleted')).toMatchObject([
    { detail: { property_definition_id: 1, data_stream_key: 'bank', key: 'order_id', type: 'string' } },
  ]);
});

test("another environment's definition is one that does not exist", async () => {
  const { client, testEnvironment } = await book();
  const created = await client.get('property_definitions.create', ORDER);
  expect(await testEnvironment.get('property_definitions.list', {})).toEqual([]);
  for (const operation of ['property_definitions.get', 'property_definitions.update', 'property_definitions.remove'] as const) {
    expect(await testEnvironment.refusal(operation, { id: 1 })).toEqual({
      code: 'not_found',
      message: 'There is no property definition 1 in this environment.',
    });
  }
  expect(await testEnvironment.refusal('property_definitions.create', { ...ORDER, key: 'mine' })).toMatchObject({
    code: 'unknown_reference',
  });
  expect(await client.get('property_definitions.get', { id: 1 })).toEqual(created);
});

test('each change is told after it', async () => {
  const opened = await openTestBook();
  await opened.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const before = opened.events.length;
  await opened.client.get('property_definitions.create', ORDER);
  await opened.client.get('property_definitions.update', { id: 1, optional: false });
  await opened.client.get('property_definitions.update', { id: 1 });
  await opened.client.refusal('property_definitions.create', ORDER);
  await opened.client.get('property_definitions.remove', { id: 1 });
  const told = opened.events.slice(before).map((event) => (event.kind === 'changed' ? event.areas : []));
  expect(told).toEqual([['streams'], ['streams'], ['streams']]);
});
