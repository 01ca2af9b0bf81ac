import { describe, expect, it, test } from 'vitest';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { openTestBook } from '../../support/books/backend.ts';
import { BY_AMOUNT_PROPOSED, numbered, setUpPair } from '../../support/books/lines.ts';
import { DamagedValue, JSON_COLUMNS, type JsonColumn, storedJson } from '../../../src-main/database/json-columns.ts';

const COLUMNS = Object.keys(JSON_COLUMNS) as JsonColumn[];

/** No column holds a bare word or a bare truth, and none holds text that is cut off. */
const BROKEN = ['', '{"operand":"and","ru', 'true', '"text"', '7', '{"0":[null]}[', 'null'];

describe.each(COLUMNS)('a broken value of %s', (column) => {
  it.each(BROKEN)('is refused by table, row and column: %s', (text) => {
    const [table = '', name = ''] = column.replace(/:.*/, '').split('.');
    const read = () => storedJson(column, text, 12);
    expect(read).toThrow(DamagedValue);
    expect(read).toThrow(`${table} 12, column ${name}: `);
  });

  it('is refused where it is a list in place of an object, or the other way round', () => {
    const isRefused = (text: string): boolean => {
      try {
        storedJson(column, text, 12);
        return false;
      } catch (error) {
        return error instanceof DamagedValue;
      }
    };
    expect(['[[{}]]', '{"a":[{}]}'].some(isRefused)).toBe(true);
  });
});

test('a null stays null, and the sentence names the member that does not fit', () => {
  expect(storedJson('import_batches.periods', null, 3)).toBeNull();
  expect(() => storedJson('import_batches.whose', '{"accounts":["1",2],"holders":[]}', 3)).toThrow(
    'import_batches 3, column whose: accounts.1 has another shape than Tieout writes',
  );
});

test('a value that is read and written back is the same text, with what an earlier Tieout did not write behind it', () => {
  const text = '{"to":null,"streams":[3,1]}';
  expect(JSON.stringify(storedJson('bank_accounts.deleted_links', text, 3))).toBe(text);
  expect(JSON.stringify(storedJson('runs.proposals', '{"nothing":"none","rules":0}', 3))).toBe(
    '{"nothing":"none","rules":0,"steps":[],"reasoning":null}',
  );
});

/** Each is read by an operation of the window. */
const READ_BY = [
  ['rules', 'filters', '{"rules":7}', 'rules.list'],
  ['rules', 'group_by', '{}', 'rules.list'],
  ['rules', 'commit_certainty', '["sure"]', 'rules.list'],
  ['rules', 'rollup', '{"many_side":"c"}', 'rules.list'],
  ['rules', 'max_difference', '{"minor":"1"}', 'rules.list'],
  ['runs', 'rule_summary', '{"1":{"matches":"many"}}', 'runs.list'],
  ['runs', 'no_shared_currency', '{"side_a":"EUR"}', 'runs.list'],
  ['runs', 'proposals', '{"rules":"none"}', 'runs.list'],
  ['records', 'metadata', '[]', 'records.list'],
  ['records', 'metadata', 'cut o', 'records.list'],
  ['jobs', 'result', '{"import_result":{}}', 'jobs.get'],
  ['undo_entries', 'steps', '[{"operation":1}]', 'undo.list'],
] as const;

test('a list that meets a broken value says which table, row and column, and that a backup helps', async () => {
  const book = await openTestBook();
  const pair = await setUpPair(book.client, { a: numbered(3), b: numbered(3) }, [BY_AMOUNT_PROPOSED]);
  await book.run(pair.reconciliation.id);
  await book.importText('bank', 'Date,Description,Amount\n2026-06-01,Rent,-10.00\n');
  const other = new Sqlite(path.join(book.folder, 'book.sqlite'));
  const said: Record<string, string> = {};
  for (const [table, column, value, operation] of READ_BY) {
    const row = other.prepare(`SELECT rowid AS id, ${column} AS was FROM ${table} ORDER BY rowid DESC LIMIT 1`).get() as {
      readonly id: number;
      readonly was: string | null;
    };
    const set = other.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`);
    set.run(value, row.id);
    const { id } = pair.reconciliation;
    const input = table === 'rules' ? { reconciliation_id: id } : table === 'runs' ? { id } : table === 'jobs' ? { id: row.id } : {};
    const { code, message } = await book.client.refusal(operation, input);
    set.run(row.was, row.id);
    said[`${table}.${column} ${value}`] =
      code === 'book_damaged' && message.includes(`${table} ${row.id}, column ${column}`) && /backup|restore/.test(message)
        ? 'told'
        : `${code}: ${message}`;
  }
  other.close();
  expect(said).toEqual(Object.fromEntries(READ_BY.map(([table, column, value]) => [`${table}.${column} ${value}`, 'told'])));
});
