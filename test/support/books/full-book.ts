import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { packBook } from '../../../src-main/records/work/pack-stream.ts';
import { importRecipe } from '../../../src-shared/contract/imports/import-recipes.ts';
import { contract } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { testRandom } from './backend.ts';
import { bulkItem, sendBulk } from './bulk.ts';
import { ApiKeys } from '../../../src-main/book/operations/api-keys.ts';
import { continuousOf } from './continuous-book.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, numbered, setUpPair } from './lines.ts';
import { importHere, openQuietBook, type QuietBook } from './quiet-book.ts';
import { undoSteps } from './wipes.ts';

const FILE = `Date,Description,Reference,Amount
2026-06-02,Rent June,RENT-06,-1200.00
2026-06-04,Card takings,CT-0604,310.50
2026-06-04,Café takings,CT-0605,11.50
2026-06-05,Nothing,CT-0606,no amount
`;

/** Returns a book with rows in nearly every table, from people, files, clients and runs. Only Tieout itself wrote it. */
export async function fullBook(): Promise<QuietBook> {
  const book = openQuietBook();
  const { client } = book;
  const metadata = { order: 'A', weight: 7 };
  const { reconciliation, aIds } = await setUpPair(
    client,
    { a: [...numbered(9, () => ({ metadata })), { amount: 77 }, { amount: 90 }], b: [...numbered(9), { amount: 77 }, { amount: 95 }] },
    [BY_EXTERNAL_ID, BY_AMOUNT_PROPOSED],
  );
  await book.run(reconciliation.id);
  const { data } = await client.get('matches.list', {});
  await client.get('matches.remove', { id: present(data[0], 'match').id });
  const open = [present(aIds[10], 'line'), present(aIds[10], 'line') + 11];
  await client.get('matches.create', { reconciliation_id: reconciliation.id, record_ids: open, create_adjustment: true });
  await fillAround(book, reconciliation.id);
  imports(book);
  const { result, end } = importHere(book, {
    path: fileOf(book, 'undone.csv', FILE.replaceAll('06-0', '07-0')),
    streamKey: 'cash',
    acceptRejected: true,
    currency: 'GBP',
  });
  for (const step of undoSteps(book, present(result?.batch_id, JSON.stringify(end)))) assert(step.length > 0, 'an undo has steps');
  const items = [bulkItem({ external_id: 'B-1' }), bulkItem({ external_id: 'B-1' }), bulkItem({ amount: 'none' })];
  await sendBulk(book, { records: items, on_conflict: 'skip' });
  await client.get('records.mark_overdue', { id: present(aIds[9], 'line'), reconciliation_id: reconciliation.id });
  await client.get('runs.start', { id: reconciliation.id, mode: 'dry_run' });
  book.work();
  await continuousRun(book);
  packBook(book.jobDatabase, { isStopped: () => false, onProgress: () => undefined }, { fewest: 3, most: 100 });
  const free = book.database.connection
    .prepare('SELECT id FROM records WHERE id NOT IN (SELECT record_id FROM match_records)')
    .pluck()
    .get();
  await client.get('records.update', { id: free as number, amount: 4 });
  while (book.search.step());
  book.search.stateIndex(() => false);
  while (book.reconciledDays.step());
  return book;
}

function fileOf(book: QuietBook, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return file;
}

function imports(book: QuietBook): void {
  const file = fileOf(book, 'june.csv', FILE);
  for (let twice = 0; twice < 2; twice += 1) importHere(book, { path: file, streamKey: 'cash', acceptRejected: true, currency: 'GBP' });
}

async function fillAround({ client, database, clock }: QuietBook, reconciliationId: number): Promise<void> {
  for (const name of ['Current account', 'Spare account']) await client.get('bank_accounts.create', { name, currency: 'GBP' });
  await client.get('bank_account_balances.put', {
    bank_account_id: 1,
    date: '2026-06-30',
    balance_type: 'closing_ledger',
    amount_cents: 100_000,
  });
  await client.get('stories.create', { name: 'Quarter end', links: [{ reconciliation_id: reconciliationId }] });
  await client.get('property_definitions.create', { data_stream_key: 'bank', key: 'order_id', name: 'Order', type: 'string' });
  const { recipe } = contract['import_recipes.create'].example;
  const kept = await client.get('import_recipes.create', { recipe: { ...importRecipe.parse(recipe), name: 'Spare bank' } });
  await client.get('import_recipes.update', { id: kept.id, name: 'Other bank' });
  await client.get('exceptions.create', { reconciliation_id: reconciliationId, data_stream_id: 2 });
  await client.get('connections.create', { name: 'Clearing', engine: 'duckdb', address: 'nowhere.duckdb' });
  await client.get('views.create', { list: 'open', name: 'Old', filter: { search: 'age:>30' } });
  const issued = new ApiKeys(database, clock, testRandom()).issue('live', 'read', 'Spreadsheet');
  await client.get('api_keys.revoke', { id: issued.id });
  const rule = await client.get('rules.create', { reconciliation_id: reconciliationId, ...BY_EXTERNAL_ID });
  await client.get('rules.remove', { id: rule.id });
  await client.get('streams.create', { key: 'spare', name: 'Spare' });
}

async function continuousRun(book: QuietBook): Promise<void> {
  const continuous = continuousOf(book);
  await book.client.get('reconciliations.update', { id: 1, run_type: 'continuous' });
  continuous.wait();
  if (continuous.started() > 0) continuous.work();
}
