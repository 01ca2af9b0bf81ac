import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, expect, test, vi } from 'vitest';
import { statementLines } from '../../../src-main/commands/statement-text.ts';
import { ClosingContext, type Closing } from '../../../src-renderer/screens/close/close-context.ts';
import { StatementView } from '../../../src-renderer/screens/close/statement-view.tsx';
import type { Call, PeriodStatement, StatementLine, StatementRow } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { BY_EXTERNAL_ID, type LineInput, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { packChecked, packFaults } from '../../support/pack-checks.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

// The window reads its address as it loads.
vi.hoisted(() => {
  vi.stubGlobal('location', { hash: '' });
  vi.stubGlobal('window', { addEventListener: () => undefined });
});
// Other files of this worker run without a window.
afterAll(() => void vi.unstubAllGlobals());

type Balances = NonNullable<Call<'periods.create'>['balances']>;

interface Case {
  readonly name: string;
  readonly a: readonly LineInput[];
  readonly b: readonly LineInput[];
  readonly balances?: Balances;
  readonly bankSide?: 'a' | 'b' | null;
  /** Of two lines that a person ties. */
  readonly tie?: Omit<Call<'matches.create'>, 'reconciliation_id' | 'record_ids'>;
  readonly mark?: 'bank_error' | 'book_error';
  /** What the document is expected to say. */
  readonly outcome: PeriodStatement['document']['outcome'];
  readonly labels: readonly string[];
}

const gbp = (external_id: string, amount: number, date = '2026-06-10'): LineInput => ({ external_id, amount, date, currency: 'GBP' });
const stated = (side: 'bank' | 'books', opening: number, stated_closing?: number): Balances[number] => ({
  side,
  currency: 'GBP',
  opening,
  ...(stated_closing === undefined ? {} : { stated_closing }),
});
const both = (opening: number, closing: number): Balances => [stated('bank', opening, closing), stated('books', opening, closing)];
const many = (name: string, count: number): LineInput[] =>
  Array.from({ length: count }, (_, place) => gbp(`${name}-${place}`, 101 + place));

const CASES: readonly Case[] = [
  {
    name: 'agreeing',
    a: [gbp('M-1', 5_000)],
    b: [gbp('M-1', 5_000)],
    balances: both(10_000, 15_000),
    outcome: 'agree',
    labels: [],
  },
  {
    name: 'a stated balance that is off',
    a: [gbp('M-1', 5_000)],
    b: [gbp('M-1', 5_000)],
    balances: [stated('bank', 10_000, 15_100), stated('books', 10_000, 15_000)],
    outcome: 'differ',
    labels: ['Lines missing, or too many'],
  },
  {
    name: 'no balance stated for the last day',
    a: [gbp('M-1', 5_000)],
    b: [gbp('M-1', 5_000)],
    balances: [stated('bank', 0), stated('books', 0)],
    outcome: 'not_proved',
    labels: ['Balance per statement, 30/06/2026 (computed, not stated)', 'Balance per books, 30/06/2026 (computed, not stated)'],
  },
  {
    name: 'a balance that is not known',
    a: [gbp('M-1', 5_000)],
    b: [gbp('M-1', 5_000)],
    balances: [stated('bank', 0, 5_000)],
    outcome: 'unknown',
    labels: [],
  },
  {
    name: 'items of every group',
    a: [gbp('DEP', 7_000), { ...gbp('CHQ', 2_500), direction: 'debit' }, gbp('WRONG', 900)],
    b: [gbp('INT', 1_215), { ...gbp('CHG', 3_000), direction: 'debit' }],
    balances: [stated('bank', 0, -1_785), stated('books', 0, 5_400)],
    mark: 'book_error',
    outcome: 'agree',
    labels: [
      'Add: deposits in transit',
      'Less: outstanding payments',
      'Add: receipts not booked',
      'Less: payments not booked',
      'Book errors',
    ],
  },
  {
    name: 'a line that the bank has wrong',
    a: [],
    b: [gbp('WRONG', 900)],
    balances: [stated('bank', 0, 900), stated('books', 0, 0)],
    mark: 'bank_error',
    outcome: 'agree',
    labels: ['Bank errors'],
  },
  {
    name: 'more items than a group lists',
    a: many('DEP', 12),
    b: [],
    balances: [stated('bank', 0, 0), stated('books', 0, 1_278)],
    outcome: 'agree',
    labels: ['Add: deposits in transit', 'and 5 more'],
  },
  {
    name: 'a match that an adjustment made even',
    a: [gbp('T-1', 10_000)],
    b: [gbp('T-2', 9_100)],
    balances: [stated('bank', 0, 9_100), stated('books', 0, 10_000)],
    tie: { create_adjustment: true, difference_reason: { code: 'bank_charge', note: 'Seen on the advice' } },
    outcome: 'agree',
    labels: ['Match differences'],
  },
  {
    name: 'a match that the bank has wrong',
    a: [gbp('T-1', 10_000)],
    b: [gbp('T-2', 9_100)],
    balances: [stated('bank', 0, 9_100), stated('books', 0, 10_000)],
    tie: { difference_reason: { code: 'bank_error', note: null } },
    outcome: 'agree',
    labels: ['Bank errors'],
  },
  {
    name: 'no movement',
    a: [gbp('M-1', 5_000, '2026-05-10')],
    b: [gbp('M-1', 5_000, '2026-05-10')],
    balances: both(1_000, 1_000),
    outcome: 'agree',
    labels: [],
  },
  {
    name: 'no side a bank',
    a: [gbp('A-1', 700), gbp('M-1', 100)],
    b: [gbp('B-1', 300), gbp('M-1', 100)],
    balances: [stated('bank', 0, 800), stated('books', 0, 400)],
    bankSide: null,
    outcome: 'agree',
    labels: ['Add: receipts only on side B', 'Add: receipts only on side A'],
  },
];

async function bookOf({ a, b, balances = [], bankSide = 'b', tie, mark }: Case): Promise<QuietBook> {
  const book = openQuietBook();
  const { client } = book;
  const { reconciliation, aIds, bIds } = await setUpPair(client, { a: [...a], b: [...b] }, [BY_EXTERNAL_ID]);
  await book.run(reconciliation.id);
  if (tie !== undefined) await client.get('matches.create', { reconciliation_id: 1, record_ids: [...aIds, ...bIds], ...tie });
  if (mark !== undefined) {
    const record_id = present([...aIds, ...bIds].at(mark === 'book_error' ? a.length - 1 : -1), 'a line');
    await client.get('open_items.put', { id: 1, record_id, status: mark, owner: null, comment: null, expected_on: null });
  }
  const june = { from: '2026-06-01', to: '2026-06-30' };
  await client.get('periods.create', { reconciliation_id: 1, ...(bankSide === null ? {} : { bank_side: bankSide }), ...june, balances });
  return book;
}

/** A row as `Bank: label = amount`. */
type Said = string;

const said = (side: string, label: string, amount: string): Said =>
  `${side}: ${label.replaceAll('\u2212', '-').trim()} = ${amount.replaceAll('\u2212', '-').replaceAll(',', '').trim()}`;

/** All that every place has to say, from the document. */
function expected({ document: { sides, unexplained, decimal_places: places } }: PeriodStatement): Said[] {
  const written = (amount: number | null, unknown: string): string => (amount === null ? unknown : decimalText(amount, places));
  const text = ({ label, note }: Pick<StatementRow | StatementLine, 'label' | 'note'>): string =>
    note === null ? label : `${label} (${note})`;
  const rows = sides.flatMap(({ title, movement, balance, groups, adjusted }) => [
    ...[...movement, balance, adjusted].map((row) => said(title, text(row), written(row.amount, row.unknown))),
    ...groups.flatMap(({ label, amount, lines }) => [
      said(title, label, written(amount, '')),
      ...lines.map((line) => said(title, text(line), written(line.amount, ''))),
    ]),
  ]);
  return [...rows, said('', 'Unexplained', written(unexplained.amount, unexplained.unknown))].toSorted();
}

const AMOUNT = String.raw`-?[\d,]+\.\d\d|not known|not stated`;

function inCommand(statement: PeriodStatement): Said[] {
  const lines = statementLines(statement);
  const [left, right] = statement.document.sides.map(({ title }) => title);
  const from = lines.findIndex((line) => line.startsWith(left ?? '') && line.includes(`  ${right ?? ''}  `)) + 1;
  const to = lines.findIndex((line) => line.startsWith('Unexplained'));
  const middle = Math.max(...lines.slice(from, to).map((line) => line.search(new RegExp(`(${AMOUNT})( {4}|$)`))));
  const rows = lines
    .slice(from, to - 1)
    .flatMap((line) =>
      [...line.matchAll(new RegExp(String.raw`(\S.*?) {2,}(${AMOUNT})(?= {4}|$)`, 'g'))].map(({ 1: label = '', 2: amount = '', index }) =>
        said((index < middle / 2 ? left : right) ?? '', label.replace(/^\d\d\/\d\d /, '').replace(/ \(\d+\)$/, ''), amount),
      ),
    );
  const unexplained = lines[to] ?? '';
  return [...rows, said('', 'Unexplained', unexplained.slice(unexplained.lastIndexOf(': ') + 2))].toSorted();
}

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
const parts = (html: string, tag: string): string[] =>
  [...html.matchAll(new RegExp(`<${tag}[ >][^]*?</${tag}>`, 'g'))].map(([found]) => found);

/** The statement of the HTML report and of the pack, which have the same elements. */
function inHtml(html: string, titles: readonly string[]): Said[] {
  const statement = html.slice(html.indexOf('class="stm"'), html.indexOf('class="prf'));
  const columns = statement.split('class="hd"').slice(1);
  const rows = columns.flatMap((column, place) => {
    let group = '';
    return parts(column, 'tr').flatMap((row): Said[] => {
      const [label = '', first = '', second = ''] = parts(row, 'td').map((cell) =>
        plain(cell.replaceAll(/<a class="note"[^]*?<\/a>/g, '')),
      );
      const title = titles[place] ?? '';
      if (row.startsWith('<tr class="g"') && first === '') {
        group = label;
        return [];
      }
      if (!row.startsWith('<tr class="l"')) return [said(title, label, first)];
      const text = label.replace(/^\d\d\/\d\d ?/, '');
      return [said(title, text, first), ...(second === '' ? [] : [said(title, group, second)])];
    });
  });
  const moved = parts(html.slice(html.indexOf('Movement in the period')), 'table')[0] ?? '';
  const movement = parts(moved, 'tr')
    .slice(1)
    .flatMap((row) => {
      const [label = '', ...cells] = parts(row, 'td');
      return cells.map((cell, place) => {
        const note = plain(parts(cell, 'small')[0] ?? '');
        const amount = plain(cell.replace(/<small>[^]*?<\/small>/, ''));
        return amount === '' && note === ''
          ? ''
          : said(titles[place] ?? '', note === '' ? plain(label) : `${plain(label)} (${note})`, amount);
      });
    });
  const proof = html.slice(html.indexOf('class="prf'));
  const value = plain(/<b class="v">[^]*?<\/b>/.exec(proof)?.[0] ?? '');
  return [...rows, ...movement.filter((row) => row !== ''), said('', 'Unexplained', value)].toSorted();
}

/** The rows of a CSV file without line breaks in its cells. */
const csvRows = (text: string): string[][] =>
  text
    .split('\r\n')
    .map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(({ 1: quoted, 2: bare }) => quoted ?? bare ?? ''));

/** The statement of the CSV and of the workbook, as rows of cells. */
function inRows(rows: readonly (readonly string[])[], titles: readonly string[], isSheet: boolean): Said[] {
  const found: Said[] = [];
  const from = rows.findIndex(([first]) => first === titles[0]) + 1;
  const to = rows.findIndex(([first]) => first === 'Unexplained');
  let title = titles[0] ?? '';
  let group = '';
  for (const [first = '', second = '', third = '', fourth = ''] of rows.slice(from, to)) {
    if (first === titles[1]) title = first;
    else if (isSheet) {
      if (third !== '') found.push(said(title, second, third));
      if (fourth !== '') found.push(said(title, third === '' ? first : group, fourth));
      if (first !== '' && third === '' && fourth === '') group = first;
    } else if (first !== '') found.push(said(title, first, third === '' ? 'not known' : third));
  }
  const unexplained = rows[to]?.[isSheet ? 3 : 2] ?? '';
  const start = rows.findIndex(([first]) => first === 'Movement in the period') + 2;
  for (const [label = '', ...cells] of rows.slice(
    start,
    rows.findIndex(([first], place) => place > start && (first ?? '') === ''),
  )) {
    for (const [place, title_] of titles.entries()) {
      const [amount = '', note = ''] = cells.slice(2 * place);
      if (amount !== '' || note !== '') found.push(said(title_, note === '' ? label : `${label} (${note})`, amount));
    }
  }
  return [...found, said('', 'Unexplained', unexplained === '' ? 'not known' : unexplained)].toSorted();
}

function sheetRows(bytes: Uint8Array): string[][] {
  const rows: string[][] = [];
  for (const [address, { v, t }] of present(cellsOf(bytes).get('Statement'), 'sheet')) {
    const [, letters = 'A', digits = '1'] = /^([A-Z]+)(\d+)$/.exec(address) ?? [];
    const row = (rows[Number(digits) - 1] ??= []);
    row[letters.charCodeAt(0) - 65] = t === 'n' ? Number(v).toFixed(2) : String(v);
  }
  return Array.from(rows, (row) => Array.from(row ?? [], (cell) => cell ?? ''));
}

function inWindow(statement: PeriodStatement, isNeutral: boolean): Said[] {
  const closing = {
    statement,
    isNeutral,
    isLocked: true,
    noEntry: 'The period is closed.',
    looked: null,
    entering: null,
  } as unknown as Closing;
  const html = renderToStaticMarkup(
    <MantineProvider>
      <ClosingContext value={{ ...closing, statement: { ...statement, unexplained_causes: [], looked_at: null } }}>
        <StatementView />
      </ClosingContext>
    </MantineProvider>,
  );
  const [figures = '', band = ''] = html.split('data-testid="agree-band"');
  const sides = figures.split('<section').filter((part) => part.includes('data-testid="statement-row"'));
  const titles = ['', ...statement.document.sides.map(({ title }) => title)];
  const rowsOf = (part: string, title: string): Said[] =>
    part
      .split('data-testid="statement-row"')
      .slice(1)
      .map((row) => {
        const cells = row.slice(row.indexOf('>') + 1, row.indexOf('</div>')).replaceAll(/<time[^]*?<\/time>/g, '');
        const quiet = /<span class="quiet">([^]*?)<\/span>/;
        const note = plain(quiet.exec(cells)?.[1] ?? '');
        const text = plain(cells.replace(quiet, ' '));
        const amount = new RegExp(`(${AMOUNT.replace('-?', '\u2212?')})?$`).exec(text)?.[0] ?? '';
        const label = text.slice(0, text.length - amount.length).trim();
        const isCount = cells.includes('data-testid="figure"') && /^\d+$/.test(note);
        return said(title, note === '' || isCount ? label : `${label} (${note})`, amount);
      });
  const columns = sides.flatMap((side, place) => rowsOf(side, titles[place + 1] ?? ''));
  const value = plain(/data-testid="unexplained"[^>]*>([^<]*)</.exec(band)?.[1] ?? 'not known');
  return [...columns, said('', 'Unexplained', value)].toSorted();
}

test.each(CASES)('$name: window, command line, HTML, CSV, workbook and pack say the same', async (one) => {
  const { client } = await bookOf(one);
  const { statement } = await client.get('periods.get', { id: 1 });
  const { document } = statement;
  const titles = document.sides.map(({ title }) => title);
  const contentOf = async (format: Call<'periods.report'>['format']): Promise<Buffer> => {
    const { content, encoding } = await client.get('periods.report', { id: 1, format });
    return Buffer.from(content, encoding);
  };
  const list = expected(statement);
  expect(document.outcome).toBe(one.outcome);
  for (const label of one.labels) expect(list.some((row) => row.includes(`: ${label}`))).toBe(true);

  const pack = String(await contentOf('pack'));
  const csv = String(await contentOf('csv'));
  const html = String(await contentOf('html'));
  expect({
    window: inWindow(statement, one.bankSide === null),
    command: inCommand(statement),
    html: inHtml(html, titles),
    pack: inHtml(packChecked(pack).html, titles),
    csv: inRows(csvRows(csv), titles, false),
    xlsx: inRows(sheetRows(await contentOf('xlsx')), titles, true),
  }).toEqual({ window: list, command: list, html: list, pack: list, csv: list, xlsx: list });
  expect(packFaults(pack)).toEqual([]);
  const verdict = document.why === null ? document.verdict : `${document.verdict} ${document.why}`;
  for (const text of [plain(html), packChecked(pack).text.replaceAll(/\s+/g, ' '), csv]) expect(text).toContain(verdict);
});
