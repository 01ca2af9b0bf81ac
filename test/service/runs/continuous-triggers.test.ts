import { describe, expect, test } from 'vitest';
import { dueRuns } from '../../../src-main/runs/store/due-runs.ts';
import { LONGEST_WAIT_MS } from '../../../src-main/runs/work/continuous-runs.ts';
import { continuousBook } from '../../support/books/continuous-book.ts';
import { addLines, BY_AMOUNT, numbered, proposeRule } from '../../support/books/lines.ts';

describe('events that start a run', () => {
  const MATCHED_LINES = { a: numbered(3), b: numbered(3) };
  /** Something is free on both sides, and a first run has been. */
  const ready = () =>
    continuousBook({ a: [...numbered(2), { amount: 7, external_id: 'a' }], b: [...numbered(2), { amount: 9, external_id: 'b' }] });
  type Ready = Awaited<ReturnType<typeof ready>>;

  const STARTS: Readonly<Record<string, readonly ['record_created' | 'rule_activated', (on: Ready) => Promise<unknown>]>> = {
    'a new record': ['record_created', ({ add }) => add('bank', 'c')],
    'a changed record': ['record_created', ({ client, pair }) => client.get('records.update', { id: pair.aIds[2] ?? 0, amount: 8 })],
    'a deleted record': [
      'record_created',
      async ({ client, add }) => {
        const [added] = await add('bank', 'c');
        await client.get('records.remove', { id: added?.id ?? 0 });
      },
    ],
    'a bulk request': [
      'record_created',
      async ({ book, client }) => {
        await client.get('bulk_requests.create', { records: [{ data_stream_key: 'bank', date: '2026-06-01', amount: 5 }] });
        expect(dueRuns(book.database)).toEqual([]);
        book.bulk.step();
      },
    ],
    'a bulk request that is undone': [
      'record_created',
      async ({ book, client }) => {
        await client.get('bulk_requests.create', { records: [{ data_stream_key: 'bank', date: '2026-06-01', amount: 5 }] });
        book.bulk.step();
        book.database.connection.exec('DELETE FROM due_runs');
        await client.get('import_batches.remove', { id: 1 });
      },
    ],
    'a stream that is reset': [
      'record_created',
      async ({ book, client, pair }) => {
        const other = await client.get('streams.create', { key: 'other', name: 'Other' });
        await addLines(client, 'other', numbered(1));
        await client.get('reconciliations.update', { id: pair.reconciliation.id, side_a_stream_ids: [1, other.id] });
        book.database.connection.exec('DELETE FROM due_runs');
        const operation = await client.get('streams.reset', { key: 'other' });
        book.workOperation(operation.id);
      },
    ],
    'a new rule': ['rule_activated', ({ client, id }) => client.get('rules.create', { reconciliation_id: id, ...BY_AMOUNT })],
    'a changed rule': ['rule_activated', ({ client }) => client.get('rules.update', { id: 1, outcome: 'propose' })],
    'a deleted rule': [
      'rule_activated',
      async ({ book, client, id }) => {
        const { id: ruleId } = await client.get('rules.create', { reconciliation_id: id, ...BY_AMOUNT });
        book.database.connection.exec('DELETE FROM due_runs');
        await client.get('rules.remove', { id: ruleId });
      },
    ],
    'a rule that comes back': [
      'rule_activated',
      async ({ book, client }) => {
        await client.get('rules.remove', { id: 1 });
        book.database.connection.exec('DELETE FROM due_runs');
        await client.get('rules.restore', { id: 1 });
      },
    ],
    'an activated rule': [
      'rule_activated',
      async ({ book, client, id }) => {
        const ruleId = proposeRule(book.database, id);
        expect(dueRuns(book.database)).toEqual([]);
        await client.get('rules.activate', { id: ruleId });
      },
    ],
    'rules replaced, after a new record': [
      'rule_activated',
      async ({ client, id, add }) => {
        await add('bank', 'c');
        await client.get('rules.replace', { id, rules: [BY_AMOUNT] });
      },
    ],
    'another sign convention': [
      'record_created',
      ({ client, id }) => client.get('reconciliations.update', { id, sign_convention: 'opposite' }),
    ],
    'another stream on a side': [
      'record_created',
      async ({ client, id }) => {
        const other = await client.get('streams.create', { key: 'other', name: 'Other' });
        await client.get('reconciliations.update', { id, side_a_stream_ids: [1, other.id] });
      },
    ],
    'another reference of a stream': [
      'record_created',
      ({ client }) => client.get('streams.update', { key: 'bank', reference_field: 'description' }),
    ],
    'a metadata field with a type': [
      'record_created',
      ({ client }) => client.get('property_definitions.create', { data_stream_key: 'bank', key: 'fee', name: 'Fee', type: 'number' }),
    ],
  };

  test.each(Object.entries(STARTS))('%s', async (_name, [trigger, act]) => {
    const on = await ready();
    expect(dueRuns(on.book.database)).toEqual([]);
    await act(on);
    expect(dueRuns(on.book.database)).toMatchObject([{ reconciliation_id: on.id, cause: trigger }]);
    on.wait();
    expect(await on.current()).toMatchObject({ kind: 'continuous', trigger });
  });

  const NOTHING: Readonly<Record<string, (on: Ready) => Promise<unknown>>> = {
    'a match by hand and its undo': async ({ client, pair, id }) => {
      const ids = [pair.aIds[2] ?? 0, pair.bIds[2] ?? 0];
      const made = await client.get('matches.create', { reconciliation_id: id, record_ids: ids });
      await client.get('matches.undo_create', { id: made.id });
    },
    'a match taken apart': async ({ client, id }) => {
      const [match] = (await client.get('matches.list', { reconciliation_id: id })).data;
      await client.get('matches.remove', { id: match?.id ?? 0 });
    },
    'another name': ({ client, id }) => client.get('reconciliations.update', { id, name: 'July' }),
    'another name of a stream': ({ client }) => client.get('streams.update', { key: 'bank', name: 'The bank' }),
    'another description of a rule': ({ client }) => client.get('rules.update', { id: 1, description: 'Numbers' }),
    'a dismissed rule': async ({ book, client, id }) => client.get('rules.dismiss', { id: proposeRule(book.database, id) }),
    'a bulk request of duplicates alone': async ({ book, client }) => {
      const records = [{ data_stream_key: 'bank', date: '2026-06-10', amount: 100, external_id: 'x1' }];
      await client.get('bulk_requests.create', { records });
      book.bulk.step();
    },
    'a record of another stream': async ({ client }) => {
      await client.get('streams.create', { key: 'other', name: 'Other' });
      await addLines(client, 'other', numbered(1));
    },
    'a dry run': async ({ book, client, id }) => {
      await client.get('runs.start', { id, mode: 'dry_run' });
      book.work();
    },
    'an overdue mark': ({ client, pair, id }) => client.get('records.mark_overdue', { id: pair.aIds[2] ?? 0, reconciliation_id: id }),
  };

  test.each(Object.entries(NOTHING))('not: %s', async (_name, act) => {
    const on = await ready();
    await act(on);
    expect(dueRuns(on.book.database)).toEqual([]);
    on.wait(LONGEST_WAIT_MS);
    expect(on.started()).toBe(0);
  });

  test('a deleted reconciliation leaves nothing due', async () => {
    const { book, client, id, add, wait, started } = await continuousBook(MATCHED_LINES);
    await add('ledger', 'x9');
    await add('bank', 'x9');
    wait(1);
    await client.get('reconciliations.remove', { id });
    expect(dueRuns(book.database)).toEqual([]);
    wait(LONGEST_WAIT_MS);
    expect(started()).toBe(0);
  });
});
