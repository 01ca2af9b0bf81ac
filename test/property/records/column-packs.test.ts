import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '../../../src-main/database/database.ts';
import { inContentOrder } from '../../../src-main/domain/records/content.ts';
import { type Field, fieldOf } from '../../../src-main/domain/records/fields.ts';
import { bareRecords, pickRows, type RecordColumns, recordsOf } from '../../../src-main/domain/records/record-columns.ts';
import { VALUE, valueAt } from '../../../src-main/domain/records/value-column.ts';
import { dropPack } from '../../../src-main/records/store/column-packs.ts';
import { freeColumns } from '../../../src-main/records/work/engine-columns.ts';
import { freeRecords } from '../../../src-main/records/work/engine-input.ts';
import { packBook } from '../../../src-main/records/work/pack-stream.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { addLines, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { copiesOf, importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps, undoSteps } from '../../support/books/wipes.ts';
import { IS_LONG, runs } from '../../support/long.ts';

const NAMES = ['reference', 'description', 'external_id', 'metadata.order', 'metadata.a.b', 'metadata.none', 'value_date'];
const FIELDS = NAMES.map((name): Field => present(fieldOf(name), name));
const LIMITS = { fewest: 3, most: 25 };

interface Scene {
  readonly book: QuietBook;
  readonly reconciliationId: number;
  readonly streams: { readonly a: readonly number[]; readonly b: readonly number[] };
}

/** All that an engine can ask of columns. */
function tellOf(columns: RecordColumns) {
  const looks = columns.source.looks();
  return {
    bare: bareRecords(columns),
    records: recordsOf(columns),
    looks: Array.from(columns.places, (place) => looks[place]),
    values: FIELDS.map((field) => Array.from(columns.places, (place) => valueAt(columns.source.column(field), place))),
  };
}

function read({ database }: QuietBook, { reconciliationId, streams }: Scene, wanted: readonly Field[], doubted: number[] = []) {
  const asked = { reconciliationId, streams, fields: { a: wanted, b: wanted } };
  const control = { onProgress: () => undefined, isCancelled: () => false, onDoubt: (id: number) => doubted.push(id) };
  const { a, b } = present(freeColumns(database, asked, control), 'columns');
  return { a: tellOf(a), b: tellOf(b) };
}

function withoutPacks<T>({ connection }: Database, work: () => T): T {
  connection.exec('BEGIN; DELETE FROM column_packs');
  try {
    return work();
  } finally {
    connection.exec('ROLLBACK');
  }
}

const fieldOfName = (name: string): Field => present(FIELDS[NAMES.indexOf(name)], name);
/** What records may have to have to be read. */
const SETS = [[['metadata.order']], [['metadata.order', 'reference']], [['external_id'], ['metadata.a.b']], [['metadata.none']]].map(
  (sets) => sets.map((names) => names.map(fieldOfName)),
);

let checks = 0;

/** What need not be read has not what is to be filled, and is counted all the same; the rest is as if all were read. */
function checkFilled({ book: { database }, reconciliationId, streams }: Scene, toFill: (typeof SETS)[number]): void {
  const asked = { reconciliationId, streams, fields: { a: FIELDS, b: FIELDS } };
  const doubted: number[] = [];
  const control = { onProgress: () => undefined, isCancelled: () => false, onDoubt: (id: number) => doubted.push(id) };
  const whole = present(freeColumns(database, asked, control), 'columns');
  const some = present(freeColumns(database, { ...asked, toFill: { a: toFill, b: null } }, control), 'columns');
  expect(some.free).toBe(whole.a.count + whole.b.count);
  expect(whole.free).toBe(some.free);
  expect(tellOf(some.b)).toEqual(tellOf(whole.b));
  const ids = new Set(bareRecords(some.a).map(({ id }) => id));
  const rows = Int32Array.from(bareRecords(whole.a).keys()).filter((row) => ids.has(bareRecords(whole.a)[row]?.id ?? 0));
  expect(tellOf(some.a)).toEqual(tellOf(pickRows(whole.a, rows)));
  const lacks = (row: number, field: Field) => whole.a.source.column(field).kinds[whole.a.places[row] ?? 0] === VALUE.none;
  for (const [row, { id }] of bareRecords(whole.a).entries()) {
    if (!ids.has(id)) expect(toFill.every((fields) => fields.some((field) => lacks(row, field)))).toBe(true);
  }
  for (const id of doubted) database.write((write) => dropPack(write, id));
}

/** Columns from packs and from rows are the same, and those of the records as they are read whole. */
function check(scene: Scene): void {
  const { book, reconciliationId, streams } = scene;
  for (const wanted of [FIELDS, []]) {
    const doubted: number[] = [];
    const packed = read(book, scene, wanted, doubted);
    expect(packed).toEqual(withoutPacks(book.database, () => read(book, scene, wanted)));
    for (const id of doubted) book.database.write((write) => dropPack(write, id));
  }
  checkFilled(scene, present(SETS[(checks += 1) % SETS.length], 'fields'));
  const { a } = read(book, scene, []);
  expect(a.records).toEqual(inContentOrder(freeRecords(book.database, reconciliationId, streams.a)));
}

const line: fc.Arbitrary<LineInput> = fc.record(
  {
    amount: fc.integer({ min: 0, max: 3 }),
    date: fc.constantFrom('2026-06-10', '2026-06-11'),
    value_date: fc.constantFrom(null, '2026-06-10', '2026-06-12'),
    direction: fc.constantFrom('credit', 'debit'),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    description: fc.constantFrom('fee', ' fee ', 'Gebühr', 'Order 7'),
    metadata: fc.constantFrom(
      {},
      { order: 'A' },
      { order: ' A' },
      { order: 7 },
      { order: null, a: { b: 'deep' } },
      { 'a.b': 'dotted' },
      { order: ['x'] },
    ),
  },
  { requiredKeys: ['amount', 'direction', 'currency'] },
);

type Step =
  | { readonly kind: 'lines'; readonly stream: 'ledger' | 'bank'; readonly lines: readonly LineInput[] }
  | { readonly kind: 'import'; readonly stream: 'ledger' | 'bank'; readonly amounts: readonly number[] }
  | { readonly kind: 'edit' | 'delete' | 'match' | 'unmatch' | 'undo' | 'damage'; readonly pick: number }
  | { readonly kind: 'reset'; readonly stream: 'ledger' | 'bank' }
  | { readonly kind: 'reference'; readonly field: string | null }
  | { readonly kind: 'pack' };

const stream = fc.constantFrom('ledger' as const, 'bank' as const);
const pack: fc.Arbitrary<Step> = fc.constant({ kind: 'pack' });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: pack },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('lines' as const), stream, lines: fc.array(line, { minLength: 1, maxLength: 9 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      stream,
      amounts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 30 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('edit', 'delete', 'match', 'unmatch', 'undo', 'damage'),
      pick: fc.nat(),
    }) as fc.Arbitrary<Step>,
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), stream }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reference' as const),
      field: fc.constantFrom(null, 'description', 'external_id', 'metadata.order', 'metadata.a.b'),
    }),
  },
);

function idsOf({ book }: Scene, sql: string): number[] {
  return book.database.connection.prepare(sql).pluck().all() as number[];
}

const picked = (ids: readonly number[], pick: number): number | undefined => ids[pick % Math.max(1, ids.length)];
const FREE_OF = (streamId: number) =>
  `SELECT id FROM records r WHERE stream_id = ${streamId} AND NOT EXISTS (SELECT 1 FROM match_records m WHERE m.record_id = r.id) ORDER BY id`;

async function take(scene: Scene, next: Step, turn: number): Promise<void> {
  const { book, streams, reconciliationId } = scene;
  const { client, database } = book;
  switch (next.kind) {
    case 'pack':
      return packBook(book.jobDatabase, { isStopped: () => false, onProgress: () => undefined }, LIMITS);
    case 'lines':
      return void (await addLines(client, next.stream, next.lines));
    case 'import': {
      const file = path.join(book.folder, `${turn}.csv`);
      const rows = next.amounts.map(
        (amount, index) =>
          `2026-06-1${amount % 3},${amount === 2 ? 'fee' : `Line ${index}`},${amount}.00,${amount % 2 === 0 ? `o${amount}` : ''},${turn}-${index}`,
      );
      writeFileSync(file, `Date,Description,Amount,Order,External ID\n${rows.join('\n')}\n`);
      importHere(book, { path: file, currency: 'USD', streamKey: next.stream }, { onStep: () => check(scene) });
      return;
    }
    case 'edit': {
      const id = picked(idsOf(scene, FREE_OF(next.pick % 2 === 0 ? (streams.a[0] ?? 0) : (streams.b[0] ?? 0))), next.pick);
      if (id !== undefined)
        await client.get('records.update', {
          id,
          amount: next.pick % 5,
          value_date: next.pick % 2 === 0 ? null : '2026-06-13',
          metadata: { order: `edited ${next.pick % 3}` },
        });
      return;
    }
    case 'delete': {
      const id = picked(idsOf(scene, FREE_OF(streams.a[0] ?? 0)), next.pick);
      if (id !== undefined) await client.get('records.remove', { id });
      return;
    }
    case 'match': {
      const ids = [
        picked(idsOf(scene, FREE_OF(streams.a[0] ?? 0)), next.pick),
        picked(idsOf(scene, FREE_OF(streams.b[0] ?? 0)), next.pick),
      ];
      const record_ids = ids.filter((id) => id !== undefined);
      if (record_ids.length === 2) {
        await client
          .get('matches.create', { reconciliation_id: reconciliationId, record_ids, create_adjustment: true })
          .catch(() => undefined);
      }
      return;
    }
    case 'unmatch': {
      const id = picked(idsOf(scene, 'SELECT id FROM matches ORDER BY id'), next.pick);
      if (id !== undefined) await client.get('matches.remove', { id });
      return;
    }
    case 'undo': {
      const id = picked(idsOf(scene, 'SELECT id FROM import_batches WHERE id > 0 AND writing = 0 ORDER BY id'), next.pick);
      if (id !== undefined) for (const _ of undoSteps(book, id)) check(scene);
      return;
    }
    case 'reset': {
      for (const _ of operationSteps(book, next.stream, 'reset')) check(scene);
      return;
    }
    case 'reference':
      return void (await client.get('streams.update', { key: 'ledger', reference_field: next.field }).catch(() => undefined));
    default: {
      const rowid = picked(idsOf(scene, 'SELECT rowid FROM column_parts ORDER BY rowid'), next.pick);
      if (rowid !== undefined) {
        database.connection
          .prepare("UPDATE column_parts SET body = CAST(substr(body, 1, length(body) - 1) || x'ff' AS BLOB) WHERE rowid = ?")
          .run(rowid);
      }
    }
  }
}

const paired = copiesOf(async () => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: [], b: [] });
  return book;
});

test('whatever happens to records, columns from packs are those from rows', { timeout: 120_000 }, async () => {
  let packs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
      const book = await paired();
      const [ledger, bank] = book.database.connection.prepare('SELECT id FROM streams ORDER BY id').pluck().all() as number[];
      const scene: Scene = {
        book,
        reconciliationId: 1,
        streams: { a: [present(ledger, 'ledger')], b: [present(bank, 'bank')] },
      };
      for (const [turn, next] of steps.entries()) {
        await take(scene, next, turn);
        check(scene);
        packs = Math.max(packs, idsOf(scene, 'SELECT id FROM column_packs WHERE ready = 1').length);
      }
    }),
    { numRuns: runs(25, 3) },
  );
  expect(packs).toBeGreaterThan(IS_LONG ? 1 : 0);
});
