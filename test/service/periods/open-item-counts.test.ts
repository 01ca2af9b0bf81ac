import { expect, test } from 'vitest';
import { statementLines } from '../../../src-main/commands/statement-text.ts';
import type { Call } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { openText, ofWhichText } from '../../../src-renderer/format/counts.ts';
import { BY_AMOUNT_PROPOSED, BY_EXTERNAL_ID, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { packChecked } from '../../support/pack-checks.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

const line = (external_id: string, amount: number): LineInput => ({ external_id, amount });

/** Three pairs that are matched, two that are proposed, and lines of which nobody knows the counterpart. */
const LINES = {
  a: [line('M-1', 100), line('M-2', 200), line('M-3', 300), line('P-1', 401), line('P-2', 502), line('A-1', 603)],
  b: [line('M-1', 100), line('M-2', 200), line('M-3', 300), line('Q-1', 401), line('Q-2', 502), line('B-1', 704), line('B-2', 805)],
};
const OPEN = 7;
const PROPOSED = 4;

async function bookWithProposals() {
  const book = openQuietBook();
  const { reconciliation } = await setUpPair(book.client, LINES, [BY_EXTERNAL_ID, BY_AMOUNT_PROPOSED]);
  await book.run(reconciliation.id);
  const { id } = await book.client.get('periods.create', { reconciliation_id: reconciliation.id, from: '2026-06-01', to: '2026-06-30' });
  return { ...book, id, reconciliationId: reconciliation.id };
}

type Book = Awaited<ReturnType<typeof bookWithProposals>>;

/** What each place says is open, and of that proposed. */
const PLACES: readonly (readonly [string, (book: Book) => Promise<readonly [number, number]>])[] = [
  [
    'Home',
    async ({ client }) => {
      const row = present((await client.get('book.home', {})).rows[0], 'row');
      expect(row.open_by_age.reduce((sum, count) => sum + count, 0)).toBe(row.open);
      expect(row.matched + row.open).toBe(row.records);
      return [row.open, row.proposed];
    },
  ],
  [
    'the summary of the reconciliation',
    async ({ client, reconciliationId: id }) => {
      const { side_a: a, side_b: b } = await client.get('reconciliations.summary', { id });
      expect([a.unmatched, b.unmatched]).toEqual([a.open, b.open]);
      return [a.open + b.open, a.proposed + b.proposed];
    },
  ],
  [
    'the lists of open lines',
    async ({ client, reconciliationId: reconciliation_id }) => {
      const pages = await Promise.all((['a', 'b'] as const).map((side) => client.get('lines.window', { reconciliation_id, side })));
      const lines = pages.flatMap(({ data }) => data);
      return [lines.length, lines.filter(({ match_status: status }) => status === 'proposed').length];
    },
  ],
  [
    'the statement',
    async ({ client, id }) => {
      const { statement } = await client.get('periods.get', { id });
      expect(statement.ageing.reduce((sum, { count }) => sum + count, 0)).toBe(statement.open_item_count);
      return [statement.open_item_count, statement.proposed_item_count];
    },
  ],
  [
    'the pages of open items',
    async ({ client, id }) => {
      const { data, total_count: open, proposed_count: proposed } = await client.get('periods.open_items', { id });
      expect(data.filter(({ reason }) => reason === 'proposed')).toHaveLength(proposed);
      return [open, proposed];
    },
  ],
  [
    'the search for rules',
    async ({ client, reconciliationId: id }) => {
      const { unmatched_count: open } = await client.get('proposals.agent_status', { id });
      return [open, PROPOSED];
    },
  ],
];

test.each(PLACES)('%s shows the number of open items and of proposed ones', async (_place, ask) => {
  expect(await ask(await bookWithProposals())).toEqual([OPEN, PROPOSED]);
});

const SAID = `${OPEN} items, of which ${PROPOSED} proposed`;

test.each<readonly [Call<'periods.report'>['format'], (content: Buffer) => string]>([
  ['html', String],
  ['csv', String],
  ['pack', (content) => packChecked(String(content)).text],
  [
    'xlsx',
    (content) =>
      [...(cellsOf(content).get('1 Open items') ?? cellsOf(content).get('Open items') ?? [])].map(([, cell]) => String(cell.v)).join('\n'),
  ],
])('the report as %s shows it as well', async (format, textOf) => {
  const { client, id } = await bookWithProposals();
  const { content, encoding } = await client.get('periods.report', { id, format });
  expect(textOf(Buffer.from(content, encoding))).toContain(SAID);
});

test('the command line and the window say it in the same words', async () => {
  const { client, id } = await bookWithProposals();
  const { statement } = await client.get('periods.get', { id });
  expect(statementLines(statement)).toContain(`Open items: ${OPEN}, of which ${PROPOSED} proposed`);
  expect(openText(OPEN, PROPOSED)).toBe(`${OPEN} open, of which ${PROPOSED} proposed`);
  expect([openText(OPEN, 0), ofWhichText('3 items', 0)]).toEqual([`${OPEN} open`, '3 items']);
});

test('a proposal that is decided moves its lines from the open ones to the matched ones, in every place', async () => {
  const book = await bookWithProposals();
  const { data } = await book.client.get('matches.list', { reconciliation_id: book.reconciliationId, status: 'proposed' });
  await book.client.get('matches.confirm', { id: present(data[0], 'proposal').id });
  for (const [place, ask] of PLACES.slice(0, 5)) expect([place, await ask(book)]).toEqual([place, [OPEN - 2, PROPOSED - 2]]);
});
