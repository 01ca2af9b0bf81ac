import { expect } from 'vitest';
import { openTestBook } from '../../support/books/backend.ts';
import { longTest, quickTest } from '../../support/long.ts';
import { packData, packFaults } from '../../support/pack-checks.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

/** Of so many lines one stands in the books alone. */
const OPEN_EVERY = 500;

/** A statement or a cash book of June, its lines told apart by their references. */
function fileOf(isBank: boolean, lines: number): string {
  const rows = ['Date,Reference,Description,Amount'];
  for (let line = 1; line <= lines; line += 1) {
    if (isBank && line % OPEN_EVERY === 0) continue;
    const day = String(1 + (line % 30)).padStart(2, '0');
    rows.push(`${day}/06/2026,REF-${line},Line ${line},${line % 3 === 0 ? '-' : ''}${line}.25`);
  }
  return `${rows.join('\n')}\n`;
}

/** Reports a month of so many lines a side in a book with `others`, and asks for something else meanwhile; answers what was answered in which order. */
async function reported(lines: number, others = 0): Promise<string[]> {
  const book = await openTestBook();
  const { client } = book;
  await book.importText('bank', fileOf(true, lines), { currency: 'GBP' });
  await book.importText('ledger', fileOf(false, lines), { currency: 'GBP' });
  if (others > 0) await book.importText('others', fileOf(false, others), { currency: 'GBP' });
  await client.get('reconciliations.create', { name: 'Large', run_type: 'batch', side_a_stream_ids: [2], side_b_stream_ids: [1] });
  const filters = {
    operand: 'and' as const,
    rules: [
      { key: 'amount', value: 'amount' },
      { key: 'metadata.reference', value: 'metadata.reference' },
    ],
  };
  await client.get('rules.create', { reconciliation_id: 1, description: 'Same reference', filters });
  await book.run(1);
  const balances = (['bank', 'books'] as const).map((side) => ({ side, opening: 0 }));
  await client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30', bank_side: 'b', balances });
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  const answered: string[] = [];
  const pack = client.get('periods.report', { id: 1, format: 'pack' }).then((report) => {
    answered.push('report');
    return report;
  });
  await client.get('bank_accounts.list', {});
  answered.push('accounts');
  const { content } = await pack;
  const open = lines / OPEN_EVERY;
  expect(packData(content)).toMatchObject({
    records: { length: 2 * lines - open },
    open_items: { length: open },
    sign_offs: [{ kind: 'prepare', stands: true }],
  });
  expect(packFaults(content)).toEqual([]);
  const workbook = await client.get('periods.report', { id: 1, format: 'xlsx' });
  const cells = cellsOf(Buffer.from(workbook.content, workbook.encoding)).get('Open items');
  expect([...(cells?.values() ?? [])].filter(({ v }) => String(v).startsWith('REF-'))).toHaveLength(open);
  const page = (await client.get('periods.report', { id: 1, format: 'html' })).content;
  expect(page).toContain('computed, not stated');
  expect(page.length).toBeLessThan(content.length / 4);
  expect(book.log.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  return answered;
}

quickTest('a month of some lines is reported whole, in every format', async () => {
  expect(await reported(OPEN_EVERY)).toHaveLength(2);
});

longTest(
  'a book of more than 20,000 lines is reported from another thread, and the service answers meanwhile',
  { timeout: 120_000 },
  async () => {
    expect(await reported(1_500, 18_000)).toEqual(['accounts', 'report']);
  },
);
