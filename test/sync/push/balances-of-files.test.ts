import { expect, test } from 'vitest';
import { some } from '../../support/long.ts';
import type { TestBook } from '../../support/books/backend.ts';
import { contentOf, expectEmpty, expectEqual, recordsOf, type TwoBooks, twoBooks } from '../two-books.ts';

const CSV = `Date,Description,Amount,Balance
2026-06-01,Opening deposit,100.00,1100.00
2026-06-12,Card takings,250.50,1350.50
2026-06-20,Rent,-400.00,950.50
2026-06-30,Interest,1.25,951.75
`;

const MT940 = `:20:STMT
:25:12345678
:28C:1/1
:60F:C260601EUR1000,00
:61:2606120612C250,50NMSCREF1//B1
:86:Card takings
:61:2606200620D400,00NMSCREF2//B2
:86:Rent
:62F:C260630EUR850,50
`;

const FILES = [
  ['CSV with a running balance', CSV],
  ['MT940 with its balances', MT940],
] as const;

async function filesOf({ client }: TestBook) {
  const { data } = await client.get('imported_files.list', { key: 'bank' });
  return data.map((file) => ({ ...file, id: 0 }));
}

async function coverageOf({ client }: TestBook) {
  const coverage = await client.get('coverage.of_stream', { key: 'bank' });
  return JSON.parse(JSON.stringify(coverage).replaceAll(/"import_batch_ids?":(\d+|\[[\d,]*\])/g, '"import_batch_id":0')) as unknown;
}

/** The close of June as that book works it out, without ids and times of its own. */
async function closeOf({ client }: TestBook) {
  const [reconciliation] = (await client.get('reconciliations.list', {})).data;
  const period = await client.get('periods.create', { reconciliation_id: reconciliation?.id ?? 0, from: '2026-06-01', to: '2026-06-30' });
  const close: unknown = await client.get('periods.get', { id: period.id });
  const own = /^(id|.*_ids?|created_at|imported_at|.*_hash)$/;
  return JSON.parse(JSON.stringify(close, (name, value: unknown) => (own.test(name) ? undefined : value))) as Record<string, unknown>;
}

async function filled(books: TwoBooks, text: string): Promise<void> {
  const { here } = books;
  await here.client.get('bank_accounts.create', { name: 'Current', currency: 'EUR' });
  const [account] = await here.client.get('bank_accounts.list', {});
  const bank = await here.client.get('streams.create', { key: 'bank', name: 'Bank', bank_account_id: account?.id ?? 0 });
  const ledger = await here.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  await here.client.get('records.create', { data_stream_key: 'ledger', date: '2026-06-12', amount: 25_050, currency: 'EUR' });
  await here.client.get('reconciliations.create', {
    name: 'June',
    run_type: 'batch',
    side_a_stream_ids: [ledger.id],
    side_b_stream_ids: [bank.id],
    sign_convention: 'same',
  });
  expect(await here.importText('bank', text, { currency: 'EUR' })).toMatchObject({ status: 'completed' });
}

for (const [what, text] of FILES) {
  test(`the second computer knows what a ${what} states: its balances, its days and its lines, and a second sync moves nothing`, async () => {
    const books = await twoBooks();
    const { here, there, sync } = books;
    await filled(books, text);
    const preview = await sync({ preview: true });
    const result = await sync();

    expect(result).toMatchObject({ ok: true, error: null, sent: { imports: 1, balances: 0 }, refused: [] });
    expect(preview.sent).toEqual(result.sent);
    expect(await filesOf(there)).toEqual(await filesOf(here));
    expect(await coverageOf(there)).toEqual(await coverageOf(here));
    const accounts = await Promise.all([here, there].map(({ client }) => client.get('bank_accounts.list', {})));
    const balances = await Promise.all(
      [here, there].map(async ({ client }, side) => {
        const all = await client.get('bank_account_balances.list', { bank_account_id: accounts[side]?.[0]?.id ?? 0 });
        return all.map(({ date, balance_type, amount_cents, import_batch_id: file }) => ({
          date,
          balance_type,
          amount_cents,
          isOfFile: file !== null,
        }));
      }),
    );
    expect(balances[0]).not.toEqual([]);
    expect(balances[1]).toEqual(balances[0]);
    const [file] = (await there.client.get('import_batches.list', { key: 'bank' })).data;
    const lines = await there.client.get('import_batches.records', { id: file?.id ?? 0 });
    expect(lines.data).toHaveLength((await recordsOf(here, 'bank')).length);
    const close = await closeOf(here);
    expect(JSON.stringify(close)).toContain(text === CSV ? '95175' : '85050');
    expect(await closeOf(there)).toEqual(close);
    expectEmpty(await sync());
    await expectEqual(books);
  });
}

test('a file that both computers imported is one file, whatever its name, and nothing of it moves', async () => {
  const books = await twoBooks();
  const { here, there, sync } = books;
  await filled(books, CSV);
  await there.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await there.importText('bank', CSV, { currency: 'EUR' });

  const result = await sync();

  expect(result).toMatchObject({ error: null, sent: { imports: 0 }, received: { imports: 0 } });
  expect(await filesOf(there)).toHaveLength(1);
  expect(await filesOf(here)).toHaveLength(1);
  expect((await sync()).sent.imports).toBe(0);
});

for (const side of some(['here', 'there'] as const, 2)) {
  test(`the undo of an import ${side} takes its lines and balances on the other side`, async () => {
    const books = await twoBooks();
    const { here, there, sync } = books;
    await filled(books, CSV);
    await sync();
    const book = side === 'here' ? here : there;
    const [file] = (await book.client.get('imported_files.list', { key: 'bank' })).data;
    expect(await book.client.get('import_batches.remove', { id: file?.id ?? 0, preview: false })).toMatchObject({ records: 4 });

    const result = await sync({ acceptDeletions: 1_000 });

    expect(result).toMatchObject({ ok: true, error: null, conflicts: [] });
    expect(result.deletions.list.map(({ resource }) => resource)).toContain('imports');
    for (const each of [here, there]) {
      expect(await recordsOf(each, 'bank')).toEqual([]);
      expect(await filesOf(each)).toEqual([]);
      const [account] = await each.client.get('bank_accounts.list', {});
      expect(await each.client.get('bank_account_balances.list', { bank_account_id: account?.id ?? 0 })).toEqual([]);
    }
    expectEmpty(await sync());
    expect(await contentOf(here)).toEqual(await contentOf(there));
  });
}

test('a file of which a line was edited on the other side before the undo waits for a person with that line alone', async () => {
  const books = await twoBooks();
  const { here, there, sync, resolve } = books;
  await filled(books, CSV);
  await sync();
  const rent = (await recordsOf(there, 'bank')).find(({ description }) => description === 'Rent');
  await there.client.get('records.update', { id: rent?.id ?? 0, description: 'Rent of the shop' });
  const [file] = (await here.client.get('imported_files.list', { key: 'bank' })).data;
  await here.client.get('import_batches.remove', { id: file?.id ?? 0, preview: false });

  const { conflicts } = await sync({ acceptDeletions: 1_000 });
  expect(conflicts).toHaveLength(1);
  expect((await recordsOf(there, 'bank')).map(({ description }) => description)).toEqual(['Rent of the shop']);
  expect(await filesOf(there)).toEqual([]);

  await resolve(conflicts[0]?.id ?? 0, 'take_remote');
  expect(await sync()).toMatchObject({ ok: true, conflicts: [] });
  for (const each of [here, there]) expect(await recordsOf(each, 'bank')).toHaveLength(1);
});

test('a file whose currency is corrected says so on the other side', async () => {
  const books = await twoBooks();
  const { here, there, sync } = books;
  await here.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await here.importText('bank', CSV, { currency: 'EUR' });
  await sync();
  const [file] = (await here.client.get('imported_files.list', { key: 'bank' })).data;
  await here.client.get('import_batches.correct_currency', { id: file?.id ?? 0, currency: 'GBP', preview: false });

  expect(await sync()).toMatchObject({ ok: true, error: null, conflicts: [] });
  const [theirs] = await filesOf(there);
  expect(theirs).toMatchObject({ currency: 'GBP' });
  expect(theirs?.balances.every(({ currency }) => currency === 'GBP')).toBe(true);
  expectEmpty(await sync());
});

const ASSUMED = 'Date,Description,Amount\n13/06/2026,Rent,40.00\n';

const notesOf = async (book: TestBook) => (await filesOf(book)).flatMap(({ problems }) => problems);

test('the second computer knows the notes of an import, such as what was assumed of the file', async () => {
  const { here, there, sync } = await twoBooks();
  await here.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await here.importText('bank', ASSUMED, { currency: 'EUR' });
  const notes = await notesOf(here);
  expect(notes.map(({ code }) => code)).toContain('signs_assumed');
  expect(await sync()).toMatchObject({ ok: true, sent: { imports: 1 } });
  expect(await notesOf(there)).toEqual(notes);
  expectEmpty(await sync());
});

test('a file comes without notes from a Tieout that does not say them', async () => {
  const { here, there, sync } = await twoBooks();
  await there.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await there.importText('bank', ASSUMED, { currency: 'EUR' });
  const withoutNotes: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (!String(input).includes('imported_files')) return answer;
    const text = (await answer.text()).replaceAll(/"problems":\[[^\]]*\],?/g, '');
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
  expect(await sync({ fetch: withoutNotes })).toMatchObject({ ok: true, received: { imports: 1 } });
  expect(await notesOf(there)).not.toEqual([]);
  expect(await notesOf(here)).toEqual([]);
  expect(await filesOf(here)).toHaveLength(1);
});

/** A stream that one side deleted with all its files, and that the person keeps. */
const KEPT: readonly (readonly [string, (books: TwoBooks) => Promise<void>])[] = [
  [
    'deleted there, kept for an edit here',
    async ({ here, there, sync, resolve }) => {
      await removeStream(there);
      await editLine(here);
      for (const { id } of (await sync({ acceptDeletions: 100 })).conflicts) await resolve(id, 'keep_local');
    },
  ],
  [
    'deleted here, kept for an edit there',
    async ({ here, there, sync, resolve }) => {
      await removeStream(here);
      await editLine(there);
      for (const { id } of (await sync({ acceptDeletions: 100 })).conflicts) await resolve(id, 'take_remote');
    },
  ],
  [
    'deleted there, taken over, undone and kept',
    async ({ here, there, sync, baseUrl, apiKey }) => {
      await removeStream(there);
      expect((await sync({ acceptDeletions: 100 })).error).toBeNull();
      expect(await filesOf(here).catch(() => [])).toEqual([]);
      const [remote] = (await here.client.get('sync_remotes.list', {})).remotes;
      expect(remote?.waiting).toBe(0);
      const [run] = (await here.client.get('sync_runs.list', { id: remote?.id ?? 0, limit: 1 })).data;
      await here.client.get('sync_runs.undo', { id: run?.id ?? 0 });
      const signal = new AbortController().signal;
      const order = { environment: 'live', baseUrl, apiKey, answers: { undone_sync: 'keep' }, acceptDeletions: 100, signal } as const;
      expect((await here.backend.sync.run({ ...order, note: () => {}, preview: false })).error).toBeNull();
    },
  ],
];

async function removeStream({ client }: TestBook): Promise<void> {
  for (const { id } of (await client.get('reconciliations.list', {})).data) await client.get('reconciliations.remove', { id });
  await client.call('streams.remove', { key: 'bank', async: false });
}

async function editLine(book: TestBook): Promise<void> {
  const [line] = await recordsOf(book, 'bank');
  await book.client.get('records.update', { id: line?.id ?? 0, description: 'Edited' });
}

test.each(KEPT)('a stream keeps the files that it came from: %s', async (_, keep) => {
  const books = await twoBooks();
  await filled(books, CSV);
  expect((await books.sync()).error).toBeNull();
  const files = await filesOf(books.here);
  await keep(books);
  expect((await books.sync({ acceptDeletions: 100 })).error).toBeNull();
  await books.sync({ acceptDeletions: 100 });
  expect(files).toHaveLength(1);
  for (const book of [books.here, books.there]) expect(await filesOf(book)).toMatchObject([{ sha256: files[0]?.sha256 }]);
});
