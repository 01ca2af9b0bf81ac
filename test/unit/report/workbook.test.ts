import { describe, expect, it } from 'vitest';
import { documentOf, reportWorkbook } from '../../../src-main/domain/report/index.ts';
import { sheetLibrary } from '../../../src-main/domain/statement/workbook/sheet-library.ts';
import { closedJune } from '../../support/close-report.ts';
import { longTest } from '../../support/long.ts';
import { officeProgram, recalculated } from '../../support/office.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

const bytes = reportWorkbook(documentOf(closedJune()));

const VERDICT = 'Not proved. No closing balance of the books is stated.';

/** Returns the markup of a part of a workbook. */
function partIn(workbook: Uint8Array, name: string): string {
  const parts = sheetLibrary().CFB.read(workbook, { type: 'buffer' }) as {
    readonly FullPaths: string[];
    readonly FileIndex: { readonly content: Uint8Array }[];
  };
  return new TextDecoder().decode(parts.FileIndex[parts.FullPaths.findIndex((each) => each.endsWith(name))]?.content);
}

describe('the workbook', () => {
  const cells = cellsOf(bytes);
  const found = (sheet: string, label: string): [string, string] | undefined =>
    [...(cells.get(sheet) ?? [])].map(([address, { v }]): [string, string] => [address, String(v)]).find(([, text]) => text === label);

  it('adds the items in formulas, and the statement from them', () => {
    const row = found('Statement', 'Adjusted bank balance')?.[0].slice(1);
    expect(cells.get('Statement')?.get(`D${row}`)).toMatchObject({ t: 'n', v: 12_715.79, f: expect.stringContaining("'Open items'!J8") });
    expect(cells.get('Open items')?.get('J8')).toMatchObject({ v: 2_710.3, f: 'SUM(J6:J7)' });
    const last = found('Statement', 'Unexplained')?.[0].slice(1);
    expect(cells.get('Statement')?.get(`D${last}`)).toMatchObject({
      v: 0,
      f: expect.stringMatching(/^ROUND\('Statement'!D\d+-'Statement'!D\d+,2\)$/),
    });
  });

  it('keeps what the bank states as a value, and adds receipts, payments and the verdict from the lines', () => {
    const row = (label: string) => found('Statement', label)?.[0].slice(1) ?? '';
    const at = (column: string, label: string) => cells.get('Statement')?.get(`${column}${row(label)}`);
    expect([at('B', 'As stated')?.t, at('B', 'As stated')?.f]).toEqual(['n', undefined]);
    expect(at('D', 'Balance per statement, 30/06/2026')?.f).toBe(`'Statement'!B${row('As stated')}`);
    expect(at('B', 'Receipts')?.f).toMatch(/^ROUND\(SUMIF\('All lines'!E\d+:E\d+,">0"\),2\)$/);
    expect(at('D', 'Payments')?.f).toMatch(/^ROUND\(SUMIF\('All lines'!E\d+:E\d+,"<0"\),2\)$/);
    expect(at('B', 'Unexplained')).toMatchObject({ v: VERDICT, f: expect.stringContaining('IF(AND(ROUND(') });
  });

  it('has dates as dates, amounts with the places of the currency, and sheets by section', () => {
    expect(cells.get('Open items')?.get('A6')).toMatchObject({ t: 'n', v: 46_199, z: 'dd/mm/yyyy' });
    expect(cells.get('Open items')?.get('J6')).toMatchObject({ t: 'n', v: 450, z: '#,##0.00' });
    expect([...cells.keys()]).toEqual([
      'Statement',
      'Open items',
      'Differences',
      'Matches',
      'By rule',
      'By hand',
      'Adjustments',
      'Exceptions',
      'Imports',
      'Sign-offs',
      'Changes',
      'Audit chain',
      'How to check',
      'All lines',
    ]);
  });

  it('says on every sheet what it belongs to', () => {
    for (const [name, sheet] of cells) {
      const head = [...sheet.values()]
        .slice(0, 20)
        .map(({ v }) => String(v))
        .join(' ');
      for (const text of [
        '40-12-88 71449302',
        'northgate-june.csv',
        'cash-book-june.csv',
        '01/06/2026 to 30/06/2026',
        'GBP',
        'Amira Patel',
        'closed',
      ]) {
        expect(`${name}: ${head}`).toContain(text);
      }
    }
  });

  const partOf = (name: string): string => partIn(bytes, name);
  const markups = [...cells.keys()].map((name, at) => [name, partOf(`worksheets/sheet${at + 1}.xml`)] as const);

  it('keeps the head of each list in sight, and repeats it on each page', () => {
    const names = partOf('xl/workbook.xml');
    const lists = markups.flatMap(([name, xml], at) => {
      const frozen = /<pane ySplit="(\d+)" topLeftCell="A(\d+)" activePane="bottomLeft" state="frozen"\/>/.exec(xml)?.[1];
      return frozen === undefined ? [] : [{ name, at, frozen }];
    });
    expect(lists.map(({ name, frozen }) => [name, frozen])).toEqual(
      expect.arrayContaining([
        ['Open items', '4'],
        ['Matches', '5'],
        ['All lines', expect.any(String)],
      ]),
    );
    for (const { name, at, frozen } of lists) {
      expect(names).toContain(`localSheetId="${at}">&apos;${name}&apos;!$${frozen}:$${frozen}<`);
    }
  });

  it('has no sheet wider than its page, and wraps what is longer', () => {
    const wide = markups.map(([name, xml]) => {
      const widths = [...xml.matchAll(/<col [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
      return [name, widths.length, Math.round(widths.reduce((sum, width) => sum + width, 0))] as const;
    });
    // A single column is not shrunk to the page.
    for (const [name, columns, width] of wide) expect([name, width <= (columns === 1 ? 100 : 175)]).toEqual([name, true]);
    const wraps = [...partOf('styles.xml').matchAll(/<xf [^>]*>(?:<alignment ([^>]*)\/>)?/g)].filter(([, look]) =>
      look?.includes('wrapText'),
    );
    expect(wraps).toHaveLength(1);
    // A row with a text of several lines is as high as they are, since not all programs find that by themselves.
    expect(markups[1]?.[1]).toMatch(/<row r="\d+"[^>]* ht="\d+"[^>]* customHeight="1"/);
    for (const [, xml] of markups) expect(xml).not.toMatch(/<pageMargins[^]*<mergeCells/);
  });

  it('prints on the paper of its notation', () => {
    const paperOf = (paper: 'A4' | 'Letter') => {
      const document = documentOf(closedJune());
      const notation = { ...document.identity.notation, paper };
      const sheet = reportWorkbook({ ...document, identity: { ...document.identity, notation } });
      return /<pageSetup paperSize="(\d+)" orientation="landscape" fitToWidth="1" fitToHeight="0"\/>/.exec(
        partIn(sheet, 'worksheets/sheet1.xml'),
      )?.[1];
    };
    expect([paperOf('A4'), paperOf('Letter')]).toEqual(['9', '1']);
  });
});

const office = officeProgram();
if (office !== null) {
  longTest('comes to the same figures when LibreOffice calculates it anew', () => {
    const sheets = recalculated(office, bytes);
    const figureOf = (label: string): number => Number(sheets.get('Statement')?.find((row) => row[0] === label)?.[3]);
    expect(figureOf('Adjusted bank balance')).toBe(12_715.79);
    expect(figureOf('Adjusted book balance')).toBe(12_715.79);
    expect(figureOf('Balance per books, 30/06/2026 (computed, not stated)')).toBe(12_661.65);
    expect(figureOf('Unexplained')).toBe(0);
    const numbers = new Set([...sheets.values()].flat(2).map(Number));
    for (const figure of [2_710.3, -1_275, 12.15, -30, 71.99, -1_381.16, 1_417.45]) expect(numbers).toContain(figure);
  });

  const changedBy = (pattern: RegExp, to: string): { unexplained: number; verdict: string | undefined; stated: number } => {
    const rows = recalculated(office, bytes, (xml) => xml.replace(pattern, to)).get('Statement');
    const of = (label: string) => rows?.find((row) => row[0] === label);
    const [unexplained, stated] = [of('Unexplained'), of('Balance per statement, 30/06/2026')];
    return { unexplained: Number(unexplained?.[3]), verdict: unexplained?.[1], stated: Number(stated?.[3]) };
  };
  const [STATED, CHANGED] = [11_280.49, 'Figures were changed since the report was made. They do not agree.'];

  longTest('says the verdict of the report while nothing is changed', () => {
    expect(changedBy(/^/, '')).toEqual({ unexplained: 0, verdict: VERDICT, stated: STATED });
  });

  longTest('takes the verdict back when an open item is changed by 10.00', () => {
    const changed = changedBy(/(<c r="J10"[^>]*>)<v>-1275<\/v>/, '$1<v>-1265</v>');
    expect(changed).toEqual({ unexplained: 10, verdict: CHANGED, stated: STATED });
  });

  longTest('ages the open items by formulas, which follow a changed item', () => {
    const agesOf = (change: (xml: string) => string) => {
      const rows = recalculated(office, bytes, change).get('Open items') ?? [];
      return rows.slice(rows.findIndex(([label]) => label?.startsWith('By age') === true) + 2).slice(0, 5);
    };
    const stored = agesOf((xml) => xml);
    const changed = agesOf((xml) => xml.replace(/(<c r="J10"[^>]*>)<v>-1275<\/v>/, '$1<v>-1265</v>'));
    const total = (rows: string[][], column: number) => Number(rows.at(-1)?.[column]);
    const formulas = [...(cellsOf(bytes).get('Open items') ?? [])].filter(([, { f }]) => /^(?:ROUND\(-?SUMIFS|COUNTIFS)/.test(f ?? ''));
    expect(formulas).toHaveLength(12);
    expect(stored.flat()).not.toContain('Err:508');
    expect([total(stored, 1), total(changed, 1)]).toEqual([
      formulas.reduce((sum, [at, { v }]) => (at.startsWith('B') ? sum + Number(v) : sum), 0),
      total(stored, 1),
    ]);
    expect(Math.round((total(changed, 3) - total(stored, 3)) * 100)).toBe(1_000);
  });

  longTest('takes the verdict back when a line is changed, and leaves what the bank states', () => {
    const [address, cell] = [...(cellsOf(bytes).get('All lines') ?? [])].find(([at, { t }]) => /^E\d+$/.test(at) && t === 'n') ?? [];
    const changed = changedBy(new RegExp(`(<c r="${address}"[^>]*>)<v>${String(cell?.v)}</v>`), `$1<v>${Number(cell?.v) + 10}</v>`);
    expect(changed).toEqual({ unexplained: 0, verdict: CHANGED, stated: STATED });
  });
}
