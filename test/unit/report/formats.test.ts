import { describe, expect, it } from 'vitest';
import {
  documentOf,
  packHtml,
  reportCsv,
  reportHtml,
  reportWorkbook,
  type Section,
  type Table,
} from '../../../src-main/domain/report/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { inNotation, type Notation } from '../../../src-shared/values/notation.ts';
import { closedJune } from '../../support/close-report.ts';
import { packChecked } from '../../support/pack-checks.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

/** The figures of the worked example, in minor units. */
const FIGURES = [1_266_165, 271_030, -127_500, 1_271_579, 1_215, -3_000, 7_199, 1_128_049, -138_116];
const READABLE = ['12,661.65', '2,710.30', '−1,275.00', '12,715.79', '12.15', '−30.00', '71.99', '11,280.49', '−1,381.16', '0.00'];

const june = closedJune();
const document = documentOf(june);

function sectionOf(name: string): Section {
  return present(
    document.sections.find((section) => section.name === name),
    name,
  );
}

function tableOf(name: string, place = 0): Table {
  const tables = sectionOf(name).blocks.filter((block) => block.kind === 'table');
  return present(tables[place], `a table of ${name}`);
}

describe('the document', () => {
  it('has the statement of the worked example', () => {
    const block = present(
      sectionOf('Statement').blocks.find((each) => each.kind === 'statement'),
      'statement',
    );
    expect(
      block.statement.sides.map(({ balance, groups, adjusted }) => [
        balance.amount,
        groups.map(({ section, amount }) => [section, amount]),
        adjusted.amount,
      ]),
    ).toEqual([
      [
        1_128_049,
        [
          ['1.1', 271_030],
          ['1.2', -127_500],
        ],
        1_271_579,
      ],
      [
        1_266_165,
        [
          ['1.3', 1_215],
          ['1.4', -3_000],
          ['2', 7_199],
        ],
        1_271_579,
      ],
    ]);
    const { verdict, why, outcome, unexplained } = block.statement;
    expect([verdict, why, outcome, unexplained.amount]).toEqual([
      'Not proved.',
      'No closing balance of the books is stated.',
      'not_proved',
      0,
    ]);
  });

  it('has a section for everything, each on a number of its own', () => {
    expect(document.sections.map(({ number, name, count }) => [number, name, count])).toEqual([
      [null, 'Statement', null],
      ['1', 'Open items', 5],
      ['2', 'Differences', 2],
      ['3', 'Matches', 15],
      ['4', 'By hand', 4],
      ['5', 'Adjustments', 4],
      ['6', 'Exceptions', 1],
      ['7', 'Imports', 2],
      ['8', 'Sign-offs', 4],
      ['9', 'Changes', 2],
      ['10', 'Audit chain', 12],
      ['11', 'How to check', null],
      ['12', 'All lines', 37],
    ]);
  });

  it('adds every total from the rows that it names', () => {
    for (const { blocks } of document.sections) {
      for (const table of blocks.flatMap((block) => (block.kind === 'table' ? [block] : []))) {
        const sum = (rows: readonly Table['groups'][number]['rows'][number][], column: number): number =>
          rows.reduce((total, { cells }) => total + Number(cells[column] ?? 0), 0);
        const all = table.groups.flatMap(({ rows }) => rows);
        for (const { rows, totals } of table.groups) {
          for (const cell of totals.flatMap(({ cells }) => cells)) expect(cell.value).toBe(sum(rows, cell.column));
        }
        for (const cell of table.totals.flatMap(({ cells }) => cells)) expect(cell.value).toBe(sum(all, cell.column));
      }
    }
  });

  it('counts matches by rule and certainty, and lists each with its lines', () => {
    expect(tableOf('Matches').groups[0]?.rows.map(({ cells }) => cells)).toEqual([
      ['Same reference, same amount', 'unique', 'by the rule', 10, -17_315, -17_315, 0],
      ['Same amount and day, no reference on either side', 'unique', 'by the rule', 1, -4_520, -4_520, 0],
      ['Same reference, amount within 0.02', 'unique', 'proposed, confirmed one by one', 1, -6_431, -6_430, -1],
      ['Matched by hand', '', 'by hand', 3, -91_900, -99_100, 7_200],
    ]);
    const last = tableOf('Matches', 1).groups.at(-1)?.rows.slice(-3);
    expect(last?.map(({ cells, isContinued }) => [cells[0], cells[3], cells[7], cells[8], isContinued])).toEqual([
      [15, 90_000, 30_000, null, false],
      [null, null, 25_000, null, true],
      [null, null, 35_000, 0, true],
    ]);
  });

  it('puts the journal between book balance and adjusted balance', () => {
    expect(sectionOf('Adjustments').blocks[1]).toEqual({
      kind: 'sentences',
      items: [{ lead: null, text: 'Balance per books 12,661.65 + 54.14 from these entries = adjusted book balance 12,715.79.' }],
    });
    expect(tableOf('Adjustments').totals[0]?.cells.map(({ value }) => value)).toEqual([11_416, 11_416]);
  });
});

describe('the same figures in every format', () => {
  it('HTML and pack have them as people read them', () => {
    const page = reportHtml(document);
    const html = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
    for (const figure of READABLE) expect(html).toContain(`>${figure}<`);
    expect(packChecked(packHtml(june)).shown).toEqual(expect.arrayContaining(READABLE));
  });

  it('CSV has them as programs read them', () => {
    const csv = reportCsv(document);
    for (const figure of ['12661.65', '2710.30', '-1275.00', '12715.79', '12.15', '-30.00', '71.99'])
      expect(csv).toContain(`,${figure}\r\n`);
    expect(csv).toContain('2026-06-13,CHQ-1043');
  });

  it('XLSX has them as numbers', () => {
    const cells = cellsOf(reportWorkbook(document));
    const numbers = new Set([...cells.values()].flatMap((sheet) => [...sheet.values()].map(({ v }) => v)));
    for (const figure of FIGURES) expect(numbers).toContain(figure / 100);
  });

  it('is the same bytes for the same report', () => {
    expect(reportHtml(documentOf(closedJune()))).toBe(reportHtml(document));
    expect(packHtml(closedJune())).toBe(packHtml(june));
    expect(Buffer.compare(reportWorkbook(document), reportWorkbook(documentOf(closedJune())))).toBe(0);
  });
});

describe('the page', () => {
  it('refers to nothing outside itself and runs nothing', () => {
    const page = reportHtml(document);
    expect(page).not.toMatch(/https?:|src=|url\(|@import|<script|<link|<iframe|<img/);
    expect(page).toContain("default-src 'none'");
    expect([...page.matchAll(/href="([^"]*)"/g)].every(([, target]) => target?.startsWith('#s'))).toBe(true);
  });

  it('names account, number, both sources, period, currency, preparer and state in the margins of every page', () => {
    const margins = /@page\{.*?\n:root/s.exec(reportHtml(document))?.[0] ?? '';
    for (const text of [
      'Northgate Bank Business Current',
      '40-12-88 71449302',
      'northgate-june.csv',
      'cash-book-june.csv',
      '01/06/2026 to 30/06/2026, GBP',
      'Prepared by Amira Patel',
      'CLOSED',
    ]) {
      expect(margins).toContain(text);
    }
  });

  it('leads from each note number to a section that is there', () => {
    const page = reportHtml(document);
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(page).toContain(`id="${target}"`);
  });
});

describe('in another notation', () => {
  const american: Notation = { days: 'mdy', decimal: ',', groups: '.', lakhs: false, week: 0, paper: 'Letter' };
  const written = inNotation(american, () => {
    // Its sentences are written when it is made.
    const period = closedJune();
    const made = documentOf(period);
    return { html: reportHtml(made), csv: reportCsv(made), workbook: reportWorkbook(made), pack: packHtml(period, made) };
  });

  it('every page has its days, its marks and its paper, and none of another notation', () => {
    const { html } = written;
    expect(html).toContain('06/30/2026');
    expect(html).toContain('12.715,79');
    expect(html).toContain('@page{size:Letter portrait');
    expect(html).not.toMatch(/30\/06\/2026|12,715\.79|size:A4/);
  });

  it('the pack checks itself, and shows the same figures', () => {
    const { checks, text } = packChecked(written.pack);
    expect(checks.flatMap(({ faults }) => faults)).toEqual([]);
    expect(text).toContain('12.715,79');
    expect(text).toContain('06/30/2026');
    expect(text).not.toMatch(/30\/06\/2026|12,715\.79/);
  });

  it('the workbook prints on its paper and shows its days; the CSV is for programs and stays as it is', () => {
    const cells = [...cellsOf(written.workbook).values()].flatMap((sheet) => [...sheet.values()]);
    const formats = new Set(cells.map(({ z }) => z));
    expect(formats).toContain('mm/dd/yyyy');
    expect(formats).not.toContain('dd/mm/yyyy');
    expect(written.csv).toContain('12715.79');
    expect(written.csv).toContain('2026-06-13');
  });
});
