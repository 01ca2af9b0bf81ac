import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { some } from '../support/long.ts';
import type { TestBook } from '../support/books/backend.ts';
import { seededNumbers } from '../support/inputs/random-changes.ts';
import { expectEmpty, expectEqual, fill, recordsOf, twoBooks } from './two-books.ts';

const LINES = { ledger: [['L1', '2026-06-01', 1250, 'Invoice 1']], bank: [['B1', '2026-06-03', 1250, 'Transfer 1']] } as const;

type Said = Record<string, unknown>;

/** One object of each kind with two edits for each of its fields that change by themselves. */
interface Kind {
  readonly what: string;
  readonly edits: readonly (readonly [one: Said, other: Said])[];
  readonly edit: (book: TestBook, said: Said) => Promise<unknown>;
  readonly read: (book: TestBook) => Promise<unknown>;
}

const filters = (key: string) => ({ operand: 'and' as const, rules: [{ key, value: key }] });

async function ruleOf({ client }: TestBook) {
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  const [rule] = await client.get('rules.list', { reconciliation_id: reconciliation?.id ?? 0 });
  return rule;
}
const recordIn = async (book: TestBook) => (await recordsOf(book, 'ledger'))[0];
const reconciliationIn = async ({ client }: TestBook) => (await client.get('reconciliations.list', {})).data[0];
const accountIn = async ({ client }: TestBook) => (await client.get('bank_accounts.list', {})).find(({ name }) => name.startsWith('Acc'));
const propertyIn = async ({ client }: TestBook) => (await client.get('property_definitions.list', {}))[0];
const storyIn = async ({ client }: TestBook) => (await client.get('stories.list', {})).data[0];
const bankIn = async ({ client }: TestBook) => (await client.get('streams.list', {})).find(({ key }) => key === 'bank');

const KINDS: readonly Kind[] = [
  {
    what: 'record',
    edits: [
      [{ description: 'Invoice 1, corrected' }, { description: 'Invoice one' }],
      [{ amount: 1300 }, { amount: -1250 }],
      [{ date: '2026-06-05' }, { date: '2026-06-06' }],
      [{ value_date: '2026-06-07' }, { value_date: '2026-06-08' }],
      [{ external_id: 'L1a' }, { external_id: 'L1b' }],
      [{ metadata: { branch: 'North' } }, { metadata: { branch: 'South' } }],
    ],
    edit: async (book, said) => book.client.get('records.update', { id: (await recordIn(book))?.id ?? 0, ...said }),
    read: async (book) => {
      const record = await recordIn(book);
      const { date, value_date, amount, direction, description, external_id, metadata } = record ?? {};
      return { date, value_date, amount, direction, description, external_id, metadata };
    },
  },
  {
    what: 'data stream',
    edits: [
      [{ name: 'Current' }, { name: 'Giro' }],
      [{ description: 'Of the bank' }, { description: 'At the bank' }],
      [{ reference_field: 'external_id' }, { reference_field: 'description' }],
    ],
    edit: async ({ client }, said) => client.get('streams.update', { key: 'bank', ...said }),
    read: async (book) => {
      const { name, description, reference_field } = (await bankIn(book)) ?? {};
      return { name, description, reference_field };
    },
  },
  {
    what: 'rule',
    edits: [
      [{ description: 'By amount' }, { description: 'Amounts' }],
      [{ filters: filters('date') }, { filters: filters('description') }],
      [{ priority: 7 }, { priority: 8 }],
      [{ paused: true }, {}],
    ],
    edit: async (book, said) => book.client.get('rules.update', { id: (await ruleOf(book))?.id ?? 0, ...said }),
    read: async (book) => {
      const { description, filters: tree, priority, paused } = (await ruleOf(book)) ?? {};
      return { description, filters: tree, priority, paused };
    },
  },
  {
    what: 'reconciliation',
    edits: [
      [{ name: 'June 2026' }, { name: 'The June' }],
      [{ sign_convention: 'opposite' }, {}],
    ],
    edit: async (book, said) => book.client.get('reconciliations.update', { id: (await reconciliationIn(book))?.id ?? 0, ...said }),
    read: async (book) => {
      const { name, sign_convention } = (await reconciliationIn(book)) ?? {};
      return { name, sign_convention };
    },
  },
  {
    what: 'bank account',
    edits: [
      [{ name: 'Account 2' }, { name: 'Account 3' }],
      [{ currency: 'GBP' }, { currency: 'USD' }],
    ],
    edit: async (book, said) => book.client.get('bank_accounts.update', { id: (await accountIn(book))?.id ?? 0, ...said }),
    read: async (book) => {
      const { name, currency } = (await accountIn(book)) ?? {};
      return { name, currency };
    },
  },
  {
    what: 'property',
    edits: [
      [{ name: 'Shop' }, { name: 'Place' }],
      [{ optional: false }, {}],
    ],
    edit: async (book, said) => book.client.get('property_definitions.update', { id: (await propertyIn(book))?.id ?? 0, ...said }),
    read: async (book) => {
      const { name, optional } = (await propertyIn(book)) ?? {};
      return { name, optional };
    },
  },
  {
    what: 'story',
    edits: [
      [{ name: 'Month end' }, { name: 'Close' }],
      [{ links: [] }, {}],
    ],
    edit: async (book, said) => book.client.get('stories.update', { id: (await storyIn(book))?.id ?? 0, ...said }),
    read: async (book) => {
      const { name, links } = (await storyIn(book)) ?? {};
      return { name, links: links?.length };
    },
  },
];

async function synced() {
  const books = await twoBooks();
  const { client } = books.here;
  const { id } = await fill(books.here, LINES);
  await client.get('rules.create', { reconciliation_id: id, filters: filters('signed_amount'), description: 'A rule' });
  await client.get('stories.create', { name: 'Story', links: [{ reconciliation_id: id }] });
  await client.get('property_definitions.create', { data_stream_key: 'bank', key: 'branch', name: 'Branch', type: 'string' });
  await client.get('bank_accounts.create', { name: 'Account 1', currency: 'EUR' });
  expect(await books.sync()).toMatchObject({ ok: true, error: null });
  return books;
}

/** Every two fields, edited one here and one there, and the other way round. */
const crossed = ({ edits }: Kind) =>
  edits.flatMap((one, at) =>
    edits.slice(at + 1).flatMap((other) => [
      { here: one[0], there: other[0] },
      { here: other[1], there: one[1] },
    ]),
  );

for (const kind of KINDS) {
  test(`two edits of different fields of one ${kind.what} are merged, and both sides have both`, async () => {
    const books = await synced();
    const { here, there, sync, verify } = books;
    const states = new Set<string>();
    for (const said of some(crossed(kind), 3)) {
      await kind.edit(here, said.here);
      await kind.edit(there, said.there);
      // What both are to be: each side as it is, with what the other one said.
      const before = [await kind.read(here), await kind.read(there)];
      const preview = await sync({ preview: true });
      expect([await kind.read(here), await kind.read(there)]).toEqual(before);

      const result = await sync();

      expect({ said, ...result }).toMatchObject({ ok: true, error: null, conflicts: [], refused: [] });
      expect([preview.sent, preview.received]).toEqual([result.sent, result.received]);
      const both = await kind.read(here);
      states.add(JSON.stringify(both));
      expect(both).toEqual(await kind.read(there));
      const told: Said = { ...said.here, ...said.there };
      if (typeof told['amount'] === 'number') told['amount'] = Math.abs(told['amount']);
      if ('links' in told) told['links'] = 0;
      expect(both).toMatchObject(told);
      expectEmpty(await sync());
    }
    expect(states.size).toBeGreaterThan(0);
    expect(await verify()).toMatchObject({ ok: true, value: { equal: true } });
  });
}

for (const kind of some(KINDS, 2)) {
  test(`the same field of one ${kind.what} with different values stays a conflict`, async () => {
    const { here, there, sync } = await synced();
    const [one, other] = kind.edits[0] ?? [{}, {}];
    await kind.edit(here, { ...one, ...kind.edits[1]?.[0] });
    await kind.edit(there, other);
    const before = [await kind.read(here), await kind.read(there)];

    const result = await sync();

    expect(result.conflicts).toHaveLength(1);
    expect(result).toMatchObject({ ok: false, error: null, sent: { changes: 0 }, received: { changes: 0 } });
    expect([await kind.read(here), await kind.read(there)]).toEqual(before);
  });
}

test('metadata is merged member by member, and a member that went on one side goes on both', async () => {
  const books = await synced();
  const { here, there, sync } = books;
  const edit = async (book: TestBook, metadata: Said) =>
    book.client.get('records.update', { id: (await recordIn(book))?.id ?? 0, metadata });
  await edit(here, { branch: 'North', cost_centre: '100', keep: 'x' });
  await sync();

  await edit(here, { branch: 'South', cost_centre: '100', keep: 'x' });
  await edit(there, { branch: 'North', keep: 'x', project: 'P1' });

  expect(await sync()).toMatchObject({ ok: true, conflicts: [] });
  for (const book of [here, there]) expect((await recordIn(book))?.metadata).toEqual({ branch: 'South', keep: 'x', project: 'P1' });
  expectEmpty(await sync());
});

test('of links that know no fields, as an older book has them, such edits are a conflict, and after a sync they know them', async () => {
  const { here, there, sync } = await synced();
  const forget = (): void => {
    const book = new Sqlite(path.join(here.folder, 'book.sqlite'));
    book.exec('UPDATE sync_links SET agreed = NULL');
    book.close();
  };
  const record = KINDS[0];
  forget();
  await record?.edit(here, { description: 'Here' });
  await record?.edit(there, { amount: 5 });
  expect((await sync()).conflicts).toMatchObject([{ kind: 'record' }]);

  await record?.edit(here, { description: 'Invoice 1' });
  expect(await sync()).toMatchObject({ ok: true, received: { changes: 1 } });
  forget();
  expectEmpty(await sync());
  await record?.edit(here, { description: 'Here' });
  await record?.edit(there, { amount: 6 });
  expect(await sync()).toMatchObject({ ok: true, conflicts: [] });
});

test('a merge that breaks off between its halves is finished by the next sync, and neither edit is lost', async () => {
  const books = await synced();
  const { here, there, sync } = books;
  for (const kind of KINDS) {
    const [one, other] = [kind.edits[0]?.[0] ?? {}, kind.edits[1]?.[0] ?? {}];
    await kind.edit(here, one);
    await kind.edit(there, other);
  }
  // Reads go through, and whatever changes something there does not.
  const broken: typeof fetch = async (input, init) => {
    if ((init?.method ?? 'GET') !== 'GET') throw new TypeError('fetch failed');
    return fetch(input, init);
  };
  for (const _ of KINDS) expect((await sync({ fetch: broken })).error?.code).toBe('unreachable');

  expect(await sync()).toMatchObject({ ok: true, conflicts: [], refused: [] });
  for (const kind of KINDS) {
    const told: Said = { ...kind.edits[0]?.[0], ...kind.edits[1]?.[0] };
    if ('links' in told) told['links'] = 0;
    for (const book of [here, there]) expect({ kind: kind.what, said: await kind.read(book) }).toMatchObject({ said: told });
  }
  expectEmpty(await sync());
  await expectEqual(books);
});

test('a record that is matched and edited in different fields on both sides stays matched, and is the same on both', async () => {
  const books = await synced();
  const { here, there, sync } = books;
  const [ledger, bank] = [await recordIn(here), (await recordsOf(here, 'bank'))[0]];
  const reconciliation = await reconciliationIn(here);
  await here.client.get('matches.create', { reconciliation_id: reconciliation?.id ?? 0, record_ids: [ledger?.id ?? 0, bank?.id ?? 0] });
  await sync();
  for (const book of [here, there]) {
    const match = (await book.client.get('matches.list', { limit: 100 })).data[0];
    const open = (await recordIn(book))?.id ?? 0;
    await book.client.get('matches.remove', { id: match?.id ?? 0 });
    await book.client.get('records.update', { id: open, ...(book === here ? { description: 'Here' } : { date: '2026-06-09' }) });
    const records = [open, (await recordsOf(book, 'bank'))[0]?.id ?? 0];
    await book.client.get('matches.create', { reconciliation_id: (await reconciliationIn(book))?.id ?? 0, record_ids: records });
  }

  expect(await sync()).toMatchObject({ ok: true, conflicts: [], refused: [] });
  for (const book of [here, there])
    expect(await recordIn(book)).toMatchObject({ description: 'Here', date: '2026-06-09', status: 'reconciled' });
  expectEmpty(await sync());
  await expectEqual(books);
});

const FIELDS = ['date', 'value_date', 'description', 'amount', 'branch', 'project'] as const;
type Model = Record<(typeof FIELDS)[number], string | number>;

/** Merges by field as a person would; null where one field says two things. */
function expected(base: Model, ours: Model, theirs: Model): Model | null {
  const merged = { ...base };
  for (const field of FIELDS) {
    if (ours[field] !== base[field] && theirs[field] !== base[field] && ours[field] !== theirs[field]) return null;
    merged[field] = ours[field] === base[field] ? theirs[field] : ours[field];
  }
  return merged;
}

for (const seed of some([1, 2, 3, 4, 5, 6, 7, 8], 2)) {
  test(`random edits on both sides come to the merge field by field, or to a conflict where a field says two things, seed ${seed}`, async () => {
    const random = seededNumbers(seed);
    const roll = (count: number): number => Math.floor(random() * count);
    const books = await twoBooks();
    const { here, there, sync, resolve } = books;
    await fill(here, { ledger: [], bank: [] });
    const first: Model = { date: '2026-06-01', value_date: '2026-06-01', description: 'text 0', amount: 100, branch: 'b0', project: 'p0' };
    const wire = ({ branch, project, ...rest }: Model) => ({ ...rest, metadata: { branch, project } }) as { date: string; amount: number };
    const ids = Array.from({ length: 12 }, (_, place) => `line ${place}`);
    for (const external_id of ids)
      await here.client.get('records.create', { data_stream_key: 'bank', currency: 'EUR', external_id, ...wire(first) });
    await sync();
    const bases = new Map(ids.map((id) => [id, first]));
    const idsIn = async (book: TestBook) => new Map((await recordsOf(book)).map(({ external_id, id }) => [external_id ?? '', id]));
    const [idsHere, idsThere] = [await idsIn(here), await idsIn(there)];
    const edited = (model: Model): Model => {
      const next = { ...model };
      for (const field of FIELDS) {
        if (random() > 0.3) continue;
        const value = roll(3);
        next[field] = field === 'amount' ? 100 + value : field.endsWith('date') ? `2026-06-0${value + 1}` : `${field} ${value}`;
      }
      return next;
    };
    let [merges, conflicts] = [0, 0];
    for (let round = 0; round < 4; round += 1) {
      const wanted = new Map<string, Model>();
      const open = new Map<string, { readonly ours: Model; readonly theirs: Model }>();
      for (const id of ids) {
        const base = bases.get(id) ?? first;
        const [ours, theirs] = [edited(base), edited(base)];
        await here.client.get('records.update', { id: idsHere.get(id) ?? 0, ...wire(ours) });
        await there.client.get('records.update', { id: idsThere.get(id) ?? 0, ...wire(theirs) });
        const merged = expected(base, ours, theirs);
        if (merged === null) open.set(id, { ours, theirs });
        else wanted.set(id, merged);
      }
      const result = await sync();
      expect(result).toMatchObject({ error: null, refused: [] });
      expect(result.conflicts.map(({ what }) => ids.find((id) => what.includes(`${id} `))).toSorted()).toEqual([...open.keys()].toSorted());
      for (const { id, what } of result.conflicts) {
        const line = ids.find((each) => what.includes(`${each} `)) ?? '';
        const sides = open.get(line);
        const choice = random() < 0.5 ? 'keep_local' : 'take_remote';
        if (sides !== undefined) wanted.set(line, choice === 'keep_local' ? sides.ours : sides.theirs);
        await resolve(id, choice);
      }
      expect(await sync()).toMatchObject({ ok: true, conflicts: [] });
      for (const book of [here, there]) {
        for (const { external_id: id, date, value_date, description, amount, metadata } of await recordsOf(book))
          expect({ id, date, value_date, description, amount, ...metadata }).toEqual({ id, ...wanted.get(id ?? '') });
      }
      merges += ids.length - open.size;
      conflicts += open.size;
      for (const [id, model] of wanted) bases.set(id, model);
      expectEmpty(await sync());
    }
    expect(Math.min(merges, conflicts)).toBeGreaterThan(0);
    await expectEqual(books);
  });
}
