import * as fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { CsvTable, listShapeOf } from '../../../src-main/transport/csv/csv-list.ts';
import { csvLines } from '../../../src-shared/values/csv.ts';
import { contract, type Operation } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';

describe('a cell', () => {
  test.each([
    [null, ''],
    [undefined, ''],
    ['', ''],
    ['Rent', 'Rent'],
    ['=1+1', "'=1+1"],
    ['+44 20', "'+44 20"],
    ['-5', "'-5"],
    ['@sum', "'@sum"],
    ['a=1', 'a=1'],
    [-5, '-5'],
    [0, '0'],
    [true, 'true'],
    [['a', 1], '"[""a"",1]"'],
    [{ a: '=x' }, '"{""a"":""=x""}"'],
  ])('of %j is %j', (value, expected) => {
    expect(csvLines([[value]])).toBe(`${expected}\r\n`);
  });

  test('is quoted where RFC 4180 asks for it, and where blanks would get lost', () => {
    expect(csvLines([['a', 'b,c', 'say "x"', 'two\nlines', ' spaced ']])).toBe('a,"b,c","say ""x""","two\nlines"," spaced "\r\n');
    expect(csvLines([])).toBe('');
  });

  test('is read back as it was written, whatever it holds', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rows) => {
        const text = csvLines(rows, { escapeFormulae: false });
        expect(Papa.parse(text, { newline: '\r\n', delimiter: ',' }).data.slice(0, -1)).toEqual(rows);
      }),
    );
  });
});

describe('the table of a list', () => {
  const shape = present(listShapeOf(contract['records.list']), 'list of records');

  test('has the fields in the order of the contract, and the members of metadata in its place, sorted', () => {
    const header = new CsvTable(shape, ['metadata.b', 'metadata.a,b', 'metadata.__proto__']).header();
    expect(header).toContain(',description,metadata.__proto__,"metadata.a,b",metadata.b,status,');
    expect(header.startsWith('id,amount,direction,date,data_stream_key,currency,')).toBe(true);
  });

  test('gives no member to another, nor what every object has', () => {
    const table = new CsvTable(shape, ['metadata.a', 'metadata.toString']);
    const cells = (metadata: unknown) =>
      table
        .lines([{ id: 1, metadata }])
        .split(',')
        .slice(8, 10);
    expect(cells({ a: '=x' })).toEqual(["'=x", '']);
    expect(cells({ toString: 'own' })).toEqual(['', 'own']);
  });

  test('refuses an item whose member has no column', () => {
    expect(() => new CsvTable(shape, []).lines([{ id: 1, metadata: { late: 1 } }])).toThrow('metadata.late has no column');
  });
});

test('lists are told from the rest by their answers', () => {
  const lists = Object.values<Operation>(contract).filter((spec) => listShapeOf(spec) !== null);
  expect(lists.every((spec) => spec.method === 'GET' && spec.surface === 'public')).toBe(true);
  expect(lists.map((spec) => spec.id)).toEqual(
    expect.arrayContaining([
      'streams.list',
      'records.list',
      'import_batches.list',
      'import_batches.records',
      'bulk_requests.list',
      'reconciliations.list',
      'runs.list',
      'rules.list',
      'matches.list',
      'stories.list',
      'exceptions.list',
      'bank_accounts.list',
      'bank_account_balances.list',
      'property_definitions.list',
    ]),
  );
  for (const id of ['records.get', 'streams.get', 'bulk_requests.get'] as const) expect(listShapeOf(contract[id])).toBeNull();
});
