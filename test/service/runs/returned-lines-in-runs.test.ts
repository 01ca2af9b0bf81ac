import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { insertPreset } from '../../../src-main/reconciliations/operations/reconciliation-sides.ts';
import type { Match } from '../../../src-shared/contract/index.ts';
import { PRESETS, type Preset } from '../../../src-shared/contract/rules/rules.ts';
import { startContinuous } from '../../support/books/continuous-book.ts';
import { addLines, BY_AMOUNT, setUpPair } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

function importRows(book: QuietBook, name: string, rows: readonly string[]): void {
  const file = path.join(book.folder, name);
  writeFileSync(file, `Date,Description,Amount\n${rows.join('\n')}\n`);
  expect(importHere(book, { path: file, currency: 'USD', streamKey: 'bank', acceptTarget: true }).end).toEqual({ end: 'completed' });
}

/** A ledger that has a payment of the amount of the line that came back, and one that did not. */
async function bookOf(preset: Preset | null) {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(
    book.client,
    {
      a: [
        { amount: -4_520, date: '2026-06-01', description: 'Gas company invoice GAS-1' },
        { amount: -1_234, date: '2026-06-02', description: 'Water company invoice WATER-7' },
      ],
      b: [],
    },
    preset === null ? [BY_AMOUNT] : [],
  );
  const { id } = reconciliation;
  if (preset !== null) book.database.write((write) => insertPreset(write, id, 7, preset));
  const names = async (): Promise<string[]> => {
    const { data } = await book.client.get('matches.list', { reconciliation_id: id, limit: 100 });
    const texts = await Promise.all(data.map((match) => nameOf(match)));
    return texts.toSorted();
  };
  const nameOf = async (match: Match): Promise<string> => {
    const { data } = await book.client.get('records.list', { reconciliation_match_id: match.id });
    return `${match.status}: ${data
      .map(({ description }) => description)
      .toSorted()
      .join(' + ')}`;
  };
  return { ...book, book, id, names };
}

const RETURNED = ['2026-06-01,Gas company GAS-1,-45.20', '2026-06-03,RETOURE Gas company,45.20'];
const TOGETHER = 'proposed: Gas company GAS-1 + RETOURE Gas company';
/** The likelihood of such a proposal by preset. Rules of conditions have none. */
const LIKELIHOOD_OF_RETURN: Readonly<Record<Preset, unknown>> = { evidence: expect.closeTo(0.95, 2), amount_and_date: null };
const TIED = 'Gas company GAS-1 + Gas company invoice GAS-1';

test.each(PRESETS)('%s: a line and its return are proposed together, and not matched with the other side before', async (preset) => {
  const { book, client, id, names, run } = await bookOf(preset);
  importRows(book, 'june.csv', [...RETURNED, '2026-06-02,Water company WATER-7,-12.34']);
  const ended = await run(id);
  expect(ended).toMatchObject({ status: 'completed', error_message: null });
  expect((await names()).filter((name) => name.includes('Gas'))).toEqual([TOGETHER]);
  expect((await names()).some((name) => name.endsWith('Water company WATER-7 + Water company invoice WATER-7'))).toBe(true);
  const { data } = await client.get('matches.list', { reconciliation_id: id, limit: 100 });
  const together = data.find(({ explanation }) => explanation[0] === 'A line and its return');
  expect(together).toMatchObject({
    status: 'proposed',
    difference: 0,
    explanation: ['A line and its return', '45.20 both ways, on one side', 'Returned 2 days later'],
  });
  expect(together?.likelihood).toEqual(LIKELIHOOD_OF_RETURN[preset]);
  expect(ended.rule_summary[String(together?.reconciliation_rule_id)]).toMatchObject({ proposed: expect.any(Number) as number });

  // What a person rejects is no longer held back.
  await client.call('matches.remove', { id: String(together?.id) });
  await run(id);
  expect((await names()).filter((name) => name.includes('RETOURE'))).toEqual([]);
  expect((await names()).some((name) => name.endsWith(TIED))).toBe(true);
});

test('a line and its return are the less likely the more lines have the amount', async () => {
  const { book, client, id, run } = await bookOf('evidence');
  importRows(book, 'june.csv', [...RETURNED, '2026-06-11,Bakery,-45.20', '2026-06-19,Book shop,-45.20']);
  await run(id);
  const { data } = await client.get('matches.list', { reconciliation_id: id, limit: 100 });
  const together = data.find(({ explanation }) => explanation[0] === 'A line and its return');
  expect(together?.likelihood).toBeCloseTo(19 / (19 + 3), 2);
});

test('confirmed, both leave the open lines together', async () => {
  const { book, client, id, names, run } = await bookOf('evidence');
  importRows(book, 'june.csv', RETURNED);
  await run(id);
  const { data } = await client.get('matches.list', { reconciliation_id: id, limit: 100 });
  await client.call('matches.confirm', { id: String(data.find(({ explanation }) => explanation[0] === 'A line and its return')?.id) });
  await run(id);
  expect(await names()).toContain('matched: Gas company GAS-1 + RETOURE Gas company');
  const open = await client.get('records.list', { data_stream_key: 'bank', reconciliation_id: id, status: 'unreconciled', limit: 10 });
  expect(open.data).toEqual([]);
});

test('rules of a person may match returned lines, before and after the default ones', async () => {
  const own = await bookOf(null);
  importRows(own.book, 'june.csv', RETURNED);
  await own.run(own.id);
  expect(await own.names()).toEqual([`matched: ${TIED}`]);
  for (const priority of [1, 99]) {
    const { book, client, id, names, run } = await bookOf('evidence');
    await client.get('rules.create', { ...BY_AMOUNT, reconciliation_id: id, priority });
    importRows(book, 'june.csv', RETURNED);
    await run(id);
    expect(await names()).toEqual([`matched: ${TIED}`]);
  }
});

test('an incremental run finds the same as a full one', async () => {
  const { book, client, id, names } = await bookOf('amount_and_date');
  await client.get('reconciliations.update', { id, run_type: 'continuous' });
  const next = (): void => {
    startContinuous(book, id);
    expect(book.work()).toEqual({ end: 'completed' });
  };
  importRows(book, 'return.csv', ['2026-06-03,RETOURE Gas company,45.20', '2026-06-05,Else,-7.00']);
  next();
  expect(await names()).toEqual([]);
  // The line that it takes back comes later.
  importRows(book, 'original.csv', ['2026-06-01,Gas company GAS-1,-45.20']);
  next();
  expect(await names()).toEqual([TOGETHER]);
  await addLines(client, 'ledger', [{ amount: -4_520, date: '2026-06-02', description: 'Another invoice' }]);
  next();
  expect(await names()).toEqual([TOGETHER]);
});
