import { describe, expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { openTestBook, type TestClient } from '../../support/books/backend.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const NOW = '2026-07-01T09:00:00.000Z';

/** Streams 1 to 5, and reconciliations 1 (streams 1 | 2), 2 (2 | 3), 3 (3 | 4) and 4 (2 | 4, 5). */
async function fill(client: TestClient) {
  for (let id = 1; id <= 5; id += 1) await client.get('streams.create', { key: `s${id}`, name: `Stream ${id}` });
  for (const [a, b] of [
    [[1], [2]],
    [[2], [3]],
    [[3], [4]],
    [[2], [4, 5]],
  ]) {
    const name = `From ${a?.join()} to ${b?.join()}`;
    await client.get('reconciliations.create', { name, run_type: 'batch', side_a_stream_ids: a ?? [], side_b_stream_ids: b ?? [] });
  }
}

async function book() {
  const opened = openQuietBook();
  await fill(opened.client);
  return opened;
}

const CHAIN = [
  { reconciliation_id: '1', position: 1, role: 'origin' as const },
  { reconciliation_id: '2', position: 2, role: 'continuation' as const, shared_data_stream_id: '2' },
  { reconciliation_id: '3', position: 3, role: 'continuation' as const, shared_data_stream_id: '3' },
];

describe('a story', () => {
  test('has every field, its links with names and streams', async () => {
    const { client } = await book();
    const created = await client.get('stories.create', { name: ' Month end ', links: CHAIN });
    const stream = (id: number) => ({ id, name: `Stream ${id}` });
    expect(created).toEqual({
      id: 1,
      name: 'Month end',
      created_at: NOW,
      links: [
        {
          id: 1,
          position: 1,
          role: 'origin',
          reconciliation_id: 1,
          reconciliation_name: 'From 1 to 2',
          shared_data_stream_id: null,
          shared_data_stream_name: null,
          side_a_streams: [stream(1)],
          side_b_streams: [stream(2)],
        },
        {
          id: 2,
          position: 2,
          role: 'continuation',
          reconciliation_id: 2,
          reconciliation_name: 'From 2 to 3',
          shared_data_stream_id: 2,
          shared_data_stream_name: 'Stream 2',
          side_a_streams: [stream(2)],
          side_b_streams: [stream(3)],
        },
        {
          id: 3,
          position: 3,
          role: 'continuation',
          reconciliation_id: 3,
          reconciliation_name: 'From 3 to 4',
          shared_data_stream_id: 3,
          shared_data_stream_name: 'Stream 3',
          side_a_streams: [stream(3)],
          side_b_streams: [stream(4)],
        },
      ],
    });
    expect(await client.get('stories.get', { id: '1' })).toEqual(created);
  });

  test('may be without links, and a reconciliation may be in several', async () => {
    const { client } = await book();
    expect(await client.get('stories.create', { name: 'Empty' })).toMatchObject({ links: [] });
    expect(await client.get('stories.create', { name: 'Empty too', links: [] })).toMatchObject({ links: [] });
    for (const name of ['One', 'Other']) {
      expect(await client.get('stories.create', { name, links: CHAIN.slice(0, 1) })).toMatchObject({ links: [{ reconciliation_id: 1 }] });
    }
  });

  test('position and role follow from the place; given positions order the chain', async () => {
    const { client } = await book();
    const plain = await client.get('stories.create', {
      name: 'Plain',
      links: [
        { reconciliation_id: 1, shared_data_stream_id: null },
        { reconciliation_id: 2, shared_data_stream_id: 2 },
      ],
    });
    expect(plain.links.map((link) => [link.position, link.role, link.reconciliation_id])).toEqual([
      [1, 'origin', 1],
      [2, 'continuation', 2],
    ]);
    const turned = await client.get('stories.create', { name: 'Turned', links: CHAIN.toReversed() });
    expect(turned.links.map((link) => [link.position, link.reconciliation_id, link.shared_data_stream_id])).toEqual([
      [1, 1, null],
      [2, 2, 2],
      [3, 3, 3],
    ]);
  });

  test('the list is newest first, of one moment the one made last first', async () => {
    const { client, clock } = await book();
    for (const name of ['First', 'Second']) await client.get('stories.create', { name, links: CHAIN });
    clock.advance(1);
    const third = await client.get('stories.create', { name: 'Third', links: CHAIN.slice(0, 2) });
    const { data, ...rest } = await client.get('stories.list', {});
    expect(rest).toEqual({});
    expect(data.map((story) => [story.name, story.links.length])).toEqual([
      ['Third', 2],
      ['Second', 3],
      ['First', 3],
    ]);
    expect(data[0]).toEqual(third);
  });

  test('update renames, or replaces the chain, or changes nothing', async () => {
    const { client, database } = await book();
    const created = await client.get('stories.create', { name: 'Month end', links: CHAIN });
    expect(await client.get('stories.update', { id: 1, name: 'Quarter end' })).toEqual({ ...created, name: 'Quarter end' });
    const links = [{ reconciliation_id: 4 }, { reconciliation_id: 3, shared_data_stream_id: 4 }];
    const replaced = await client.get('stories.update', { id: 1, links });
    expect(replaced).toMatchObject({
      id: 1,
      name: 'Quarter end',
      created_at: NOW,
      links: [
        { position: 1, reconciliation_id: 4, side_b_streams: [{ id: 4 }, { id: 5 }] },
        { position: 2, reconciliation_id: 3, shared_data_stream_id: 4 },
      ],
    });
    expect(await client.get('stories.update', { id: 1 })).toEqual(replaced);
    expect(await client.get('stories.update', { id: 1, name: 'Bare', links: [] })).toEqual({ ...created, name: 'Bare', links: [] });
    expect(auditEntries(database, 'story.').map((entry) => [entry.action, entry.detail])).toMatchObject([
      ['story.created', { story_id: 1, name: 'Month end', links: [{ reconciliationId: 1, sharedStreamId: null }, {}, {}] }],
      ['story.updated', { story_id: 1, change: { name: 'Quarter end' } }],
      ['story.updated', { story_id: 1, change: { links: [{ reconciliationId: 4 }, { reconciliationId: 3, sharedStreamId: 4 }] } }],
      ['story.updated', { story_id: 1, change: { name: 'Bare', links: [] } }],
    ]);
    expect(firstBrokenAuditEntry(database)).toBeNull();
  });

  test('a refused update leaves name and chain as they were', async () => {
    const { client } = await book();
    const created = await client.get('stories.create', { name: 'Month end', links: CHAIN });
    await client.refusal('stories.update', { id: 1, name: 'Lost', links: [{ reconciliation_id: 9 }] });
    await client.refusal('stories.update', { id: 1, name: 'Lost', links: CHAIN.slice(1) });
    expect(await client.get('stories.get', { id: 1 })).toEqual(created);
  });

  test('delete unlinks; the reconciliations stay', async () => {
    const { client, database } = await book();
    await client.get('stories.create', { name: 'Month end', links: CHAIN });
    const kept = await client.get('stories.create', { name: 'Kept', links: CHAIN });
    expect(await client.get('stories.remove', { id: 1 })).toBeNull();
    expect(await client.get('stories.list', {})).toEqual({ data: [kept] });
    expect(await client.get('reconciliations.get', { id: 1 })).toMatchObject({ name: 'From 1 to 2' });
    expect(auditEntries(database, 'story.deleted')).toMatchObject([
      { detail: { story_id: 1, name: 'Month end', reconciliation_ids: [1, 2, 3] } },
    ]);
  });

  test("another environment's story or reconciliation is one that does not exist", async () => {
    const { client, testEnvironment } = await book();
    await client.get('stories.create', { name: 'Month end', links: CHAIN });
    expect(await testEnvironment.get('stories.list', {})).toEqual({ data: [] });
    for (const operation of ['stories.get', 'stories.update', 'stories.remove'] as const) {
      expect(await testEnvironment.refusal(operation, { id: 1 })).toEqual({
        code: 'not_found',
        message: 'There is no reconciliation story 1 in this environment.',
      });
    }
    expect(await testEnvironment.refusal('stories.create', { name: 'Mine', links: CHAIN.slice(0, 1) })).toMatchObject({
      code: 'unknown_reference',
    });
    expect(await testEnvironment.get('stories.list', {})).toEqual({ data: [] });
  });

  test('each change is told after it', async () => {
    const opened = await openTestBook();
    await fill(opened.client);
    const before = opened.events.length;
    await opened.client.get('stories.create', { name: 'Month end', links: CHAIN });
    await opened.client.get('stories.update', { id: 1, name: 'Other' });
    await opened.client.get('stories.update', { id: 1 });
    await opened.client.refusal('stories.create', { name: 'Wrong', links: CHAIN.slice(1) });
    await opened.client.get('stories.remove', { id: 1 });
    const told = opened.events.slice(before).map((event) => (event.kind === 'changed' ? event.areas : []));
    expect(told).toEqual([['reconciliations'], ['reconciliations'], ['reconciliations']]);
  });
});

interface WrongLinks {
  readonly what: string;
  readonly links: readonly object[];
  readonly code: string;
  readonly path: string;
  readonly fault: string;
  readonly message: string;
}
const WRONG: readonly WrongLinks[] = [
  {
    what: 'a reconciliation that is not there',
    links: [{ reconciliation_id: 9 }],
    code: 'unknown_reference',
    path: 'links.0.reconciliation_id',
    fault: 'unknown_reference',
    message: 'links.0.reconciliation_id is 9, but there is no such reconciliation in this environment.',
  },
  {
    what: 'a stream that is not there',
    links: [{ reconciliation_id: 1 }, { reconciliation_id: 2, shared_data_stream_id: 9 }],
    code: 'unknown_reference',
    path: 'links.1.shared_data_stream_id',
    fault: 'unknown_reference',
    message: 'links.1.shared_data_stream_id is 9, but there is no such account in this environment.',
  },
  {
    what: 'a gap',
    links: [{ reconciliation_id: 1 }, { reconciliation_id: 2, position: 3, shared_data_stream_id: 2 }],
    code: 'invalid_story',
    path: 'links.1.position',
    fault: 'position_gap',
    message: 'links.1.position is 3, but 2 links stand at the positions 1 to 2 without gaps.',
  },
  {
    what: 'a single link that is not the first',
    links: [{ reconciliation_id: 1, position: 2 }],
    code: 'invalid_story',
    path: 'links.0.position',
    fault: 'position_gap',
    message: 'links.0.position is 2, but a single link stands at position 1.',
  },
  {
    what: 'a position twice',
    links: [
      { reconciliation_id: 1, position: 1 },
      { reconciliation_id: 2, position: 1, shared_data_stream_id: 2 },
    ],
    code: 'invalid_story',
    path: 'links.1.position',
    fault: 'position_repeated',
    message: 'links.1.position is 1, as that of another link: give each position once.',
  },
  {
    what: 'an origin that is not the first',
    links: [{ reconciliation_id: 1 }, { reconciliation_id: 2, role: 'origin', shared_data_stream_id: 2 }],
    code: 'invalid_story',
    path: 'links.1.role',
    fault: 'role_mismatch',
    message: 'links.1.role is origin, but the link at position 2 is a continuation.',
  },
  {
    what: 'a first link that continues',
    links: [{ reconciliation_id: 1, role: 'continuation' }],
    code: 'invalid_story',
    path: 'links.0.role',
    fault: 'role_mismatch',
    message: 'links.0.role is continuation, but the link at position 1 is the origin.',
  },
  {
    what: 'an origin with a shared stream',
    links: [{ reconciliation_id: 1, shared_data_stream_id: 1 }],
    code: 'invalid_story',
    path: 'links.0.shared_data_stream_id',
    fault: 'shared_stream_of_origin',
    message: 'links.0.shared_data_stream_id is given, but the origin of a story continues nothing: leave it out.',
  },
  {
    what: 'a continuation without a shared stream',
    links: [{ reconciliation_id: 1 }, { reconciliation_id: 2 }],
    code: 'invalid_story',
    path: 'links.1.shared_data_stream_id',
    fault: 'required',
    message: 'links.1.shared_data_stream_id is required: name an account that reconciliations 2 and 1 both use.',
  },
  {
    what: 'a stream of this reconciliation alone',
    links: [{ reconciliation_id: 1 }, { reconciliation_id: 2, shared_data_stream_id: 3 }],
    code: 'invalid_story',
    path: 'links.1.shared_data_stream_id',
    fault: 'stream_not_shared',
    message:
      'links.1.shared_data_stream_id is 3, but that is no account of reconciliation 1: name one that this and the previous reconciliation both use.',
  },
  {
    what: 'a stream of the previous reconciliation alone',
    links: [{ reconciliation_id: 1 }, { reconciliation_id: 2, shared_data_stream_id: 1 }],
    code: 'invalid_story',
    path: 'links.1.shared_data_stream_id',
    fault: 'stream_not_shared',
    message:
      'links.1.shared_data_stream_id is 1, but that is no account of reconciliation 2: name one that this and the previous reconciliation both use.',
  },
  {
    what: 'a stream of neither',
    links: [{ reconciliation_id: 1 }, { reconciliation_id: 2, shared_data_stream_id: 5 }],
    code: 'invalid_story',
    path: 'links.1.shared_data_stream_id',
    fault: 'stream_not_shared',
    message:
      'links.1.shared_data_stream_id is 5, but that is no account of reconciliation 2 nor of 1: name one that this and the previous reconciliation both use.',
  },
  {
    what: 'a stream of the link two before',
    links: [
      { reconciliation_id: 4 },
      { reconciliation_id: 2, shared_data_stream_id: 2 },
      { reconciliation_id: 3, shared_data_stream_id: 4 },
    ],
    code: 'invalid_story',
    path: 'links.2.shared_data_stream_id',
    fault: 'stream_not_shared',
    message:
      'links.2.shared_data_stream_id is 4, but that is no account of reconciliation 2: name one that this and the previous reconciliation both use.',
  },
];

test.each(WRONG)('create and update refuse $what', async ({ links, code, path, fault, message }) => {
  const { client } = await book();
  await client.get('stories.create', { name: 'Month end' });
  const refusal = { code, message, errors: [{ path, code: fault, message }] };
  expect(await client.refusal('stories.create', { name: 'Wrong', links })).toEqual(refusal);
  expect(await client.refusal('stories.update', { id: 1, links })).toEqual(refusal);
  expect((await client.get('stories.list', {})).data).toMatchObject([{ id: 1, links: [] }]);
});

test('all faults are listed, under the path of the request whatever the positions', async () => {
  const { client } = await book();
  const links = [
    { reconciliation_id: 9, position: 2, role: 'origin' },
    { reconciliation_id: 1, position: 1, shared_data_stream_id: 1 },
  ];
  const refused = await client.refusal('stories.create', { name: 'Wrong', links });
  expect(refused.code).toBe('invalid_story');
  expect(refused.errors?.map((fault) => [fault.path, fault.code])).toEqual([
    ['links.1.shared_data_stream_id', 'shared_stream_of_origin'],
    ['links.0.reconciliation_id', 'unknown_reference'],
    ['links.0.role', 'role_mismatch'],
    ['links.0.shared_data_stream_id', 'required'],
  ]);
  expect(refused.message).toBe(refused.errors?.[0]?.message);
});

test.each([
  [{ links: CHAIN }, 'validation_failed', 'name', 'required'],
  [{ name: 'A', links: {} }, 'validation_failed', 'links', 'wrong_type'],
  [{ name: 'A', links: [{ position: 1 }] }, 'validation_failed', 'links.0.reconciliation_id', undefined],
  [{ name: 'A', links: [{ reconciliation_id: 1, position: 0 }] }, 'validation_failed', 'links.0.position', 'too_small'],
  [{ name: 'A', links: [{ reconciliation_id: 1, role: 'middle' }] }, 'validation_failed', 'links.0.role', 'wrong_value'],
  [{ name: 'A', links: [{ reconciliation_id: 1, name: 'x' }] }, 'unknown_field', 'links.0.name', 'unknown_field'],
  [{ name: 'A', links: Array.from({ length: 101 }, () => ({ reconciliation_id: 1 })) }, 'validation_failed', 'links', 'too_big'],
])('%j is refused by the schema', async (input, code, path, fault) => {
  const { client } = await book();
  const refused = await client.refusal('stories.create', input);
  expect(refused).toMatchObject({ code, errors: [{ path, ...(fault === undefined ? {} : { code: fault }) }] });
  expect(await client.get('stories.list', {})).toEqual({ data: [] });
});

describe('a reconciliation that is deleted leaves its stories', () => {
  async function withStories(client: TestClient) {
    await client.get('stories.create', { name: 'Month end', links: CHAIN });
    await client.get('stories.create', {
      name: 'Through 2',
      links: [
        { reconciliation_id: 1 },
        { reconciliation_id: 2, shared_data_stream_id: 2 },
        { reconciliation_id: 4, shared_data_stream_id: 2 },
      ],
    });
    await client.get('stories.create', { name: 'Without 2', links: CHAIN.slice(0, 1) });
  }
  const chain = async (client: TestClient, id: number) =>
    (await client.get('stories.get', { id })).links.map((link) => [
      link.position,
      link.role,
      link.reconciliation_id,
      link.shared_data_stream_id,
    ]);

  test('in the middle: the gap closes, and what connects nothing any more is no longer shown as a connection', async () => {
    const { client, database } = await book();
    await withStories(client);
    await client.get('reconciliations.remove', { id: 2 });
    expect(await chain(client, 1)).toEqual([
      [1, 'origin', 1, null],
      [2, 'continuation', 3, null],
    ]);
    expect(await chain(client, 2), 'reconciliations 1 and 4 both use stream 2').toEqual([
      [1, 'origin', 1, null],
      [2, 'continuation', 4, 2],
    ]);
    expect(await chain(client, 3)).toEqual([[1, 'origin', 1, null]]);
    expect(auditEntries(database, 'reconciliation.deleted')).toMatchObject([{ detail: { reconciliation_id: 2, story_ids: [1, 2] } }]);
  });

  test('at the front: the next one is the origin, and shares nothing', async () => {
    const { client } = await book();
    await withStories(client);
    await client.get('reconciliations.remove', { id: 1 });
    expect(await chain(client, 1)).toEqual([
      [1, 'origin', 2, null],
      [2, 'continuation', 3, 3],
    ]);
    expect(await chain(client, 3)).toEqual([]);
  });

  test('a reconciliation that stands twice in a chain leaves both places', async () => {
    const { client } = await book();
    const back = (id: number) => ({ reconciliation_id: id, shared_data_stream_id: 2 });
    await client.get('stories.create', { name: 'Back', links: [{ reconciliation_id: 1 }, back(2), back(1), back(4), back(1)] });
    await client.get('reconciliations.remove', { id: 1 });
    expect(await chain(client, 1)).toEqual([
      [1, 'origin', 2, null],
      [2, 'continuation', 4, 2],
    ]);
  });
});

test('a stream that a reconciliation gave up connects nothing, until it is back', async () => {
  const { client, database } = await book();
  const created = await client.get('stories.create', { name: 'Month end', links: CHAIN.slice(0, 2) });
  database.connection.exec('DELETE FROM reconciliation_streams WHERE reconciliation_id = 1 AND stream_id = 2');
  expect(await client.get('stories.get', { id: 1 })).toMatchObject({
    links: [{ side_b_streams: [] }, { role: 'continuation', shared_data_stream_id: null, shared_data_stream_name: null }],
  });
  database.connection.exec("INSERT INTO reconciliation_streams VALUES (1, 2, 'b')");
  expect(await client.get('stories.get', { id: 1 })).toEqual(created);
});
