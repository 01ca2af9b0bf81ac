import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openPdf, type PdfGlyph, type PdfPage, type Statement } from '../../../../src-main/domain/statement/index.ts';
import { readPdfPages } from '../../../../src-main/imports/work/pdf-pages.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { success } from '../../../../src-shared/values/result.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { at, codesOf, linesOf, readBytes, right, row, statementOf } from '../../../support/inputs/pdf-statements.ts';
import { IS_LONG } from '../../../support/long.ts';
import { statementOf as statementOfText } from '../../../support/inputs/statements.ts';
import { type Cipher, type DrawnText, pdfOf, type PdfOptions, widthOf } from '../../../support/pdf-writer.ts';

/** A current account of two pages with a balance beside each line. */
function currentAccount(change: Readonly<Record<string, string>> = {}): DrawnText[][] {
  const said = (text: string): string => change[text] ?? text;
  const line = (y: number, date: string, text: string, out: string, into: string, balance: string): DrawnText[] => [
    ...row(y, [40, date], [110, text]),
    ...(out === '' ? [] : [right(400, y, said(out))]),
    ...(into === '' ? [] : [right(475, y, said(into))]),
    ...(balance === '' ? [] : [right(550, y, said(balance))]),
  ];
  const header = (y: number): DrawnText[] =>
    row(y, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]);
  return [
    [
      at(40, 40, 'Harbour Test Bank', { size: 12, isBold: true }),
      at(40, 60, 'Your statement 1 March 2026 to 31 March 2026'),
      at(40, 75, 'Currency: GBP  Account number 12345678'),
      ...header(100),
      ...line(115, '', 'Balance brought forward', '', '', '1,000.00'),
      ...line(130, '2 Mar', 'Card payment Corner Bakery 12.00', '12.50', '', '987.50'),
      at(110, 140, 'Ref 20.00 of 1 March'),
      ...line(155, '5 Mar', 'Salary Orchard Ltd', '', '2,000.00', ''),
      ...line(170, '', 'Rent', '850.00', '', '2,137.50'),
      ...line(185, '', 'Balance carried forward', '', '', '2,137.50'),
      at(280, 800, 'Page 1 of 2'),
    ],
    [
      ...header(60),
      ...line(75, '', 'Balance brought forward', '', '', '2,137.50'),
      ...line(90, '20 Mar', 'Water', '37.50', '', '2,100.00'),
      ...line(105, '31 Mar', 'Closing balance', '', '', '2,100.00'),
      at(280, 800, 'Page 2 of 2'),
    ],
  ];
}

const OF_CURRENT = ['2026-03-02 -12.50', '2026-03-05 2000.00', '2026-03-05 -850.00', '2026-03-20 -37.50'];

test('a file that is no PDF says that a given year is not used, and only then', () => {
  const csv = 'Date,Description,Amount,Currency\n2026-06-02,Rent,-5.00,GBP\n';
  expect(codesOf(statementOfText(csv, { answers: { year: '2024' } }))).toContain('year_not_used');
  expect(codesOf(statementOfText(csv))).not.toContain('year_not_used');
});

describe('a statement as PDF', () => {
  test('gives its lines, proved by the balance beside each of them', async () => {
    const statement = await statementOf(currentAccount());
    expect(linesOf(statement)).toEqual(OF_CURRENT);
    expect([statement.proof, statement.currency, statement.format]).toEqual(['proved', 'GBP', 'pdf']);
    expect([statement.openingBalanceMinor, statement.closingBalanceMinor]).toEqual([100_000, 210_000]);
  });

  test('takes a notice in smaller type below the last line of a page for no part of it, and its own words in smaller type for one', async () => {
    const [first = [], ...others] = currentAccount();
    const words = [
      at(110, 179, 'Flat 4', { size: 7 }),
      at(110, 198, 'Important information: overdrafts', { size: 7 }),
      at(110, 207, 'cost 39 %', { size: 7 }),
    ];
    const { lines, proof } = await statementOf([[...first.filter(({ y }) => y !== 185), ...words], ...others]);
    expect([lines[2]?.description, proof]).toEqual(['Rent Flat 4', 'proved']);
  });

  test('leads each line to its page and place', async () => {
    const statement = await statementOf(currentAccount());
    expect(statement.lines.map(({ metadata }) => metadata['pdf_place']?.split(' ')[0])).toEqual(['1', '1', '1', '2']);
    const [page, x, y, width, height] = (statement.lines[3]?.metadata['pdf_place'] ?? '').split(' ').map(Number);
    expect([page, x]).toEqual([2, 40]);
    expect(y).toBeGreaterThan(80);
    expect((y ?? 0) + (height ?? 0)).toBeLessThan(95);
    expect(width).toBeGreaterThan(400);
  });

  test.each<readonly [string, PdfOptions]>([
    ['with a form', { catalogue: '/AcroForm << /Fields [] >>' }],
    ['with a script that nobody runs', { catalogue: '/OpenAction << /S /JavaScript /JS (app.alert\\("x"\\)) >>' }],
  ])('is read alike: %s', async (_name, options) => {
    expect(linesOf(await statementOf(currentAccount(), options))).toEqual(OF_CURRENT);
  });

  test('says that attached files were not read', async () => {
    const names = '/Names << /EmbeddedFiles << /Names [(notes.txt) << /Type /Filespec /F (notes.txt) /UF (notes.txt) >>] >> >>';
    const statement = await statementOf(currentAccount(), { catalogue: names });
    expect(linesOf(statement)).toEqual(OF_CURRENT);
    expect(codesOf(statement)).toContain('attachments_left_out');
  });

  test('gives the places of its rows, and how its text runs, for the pages beside them', async () => {
    const { pages, lines } = await statementOf(currentAccount());
    expect(pages?.quarters).toEqual([0, 0]);
    expect(lines.map(({ row: number }) => pages?.places.get(number)?.page)).toEqual([1, 1, 1, 2]);
  });

  test('is read alike where each letter is placed by itself, drawn twice, or drawn in another order', async () => {
    const letters = currentAccount().map((page) =>
      page.flatMap((text) => {
        const size = text.size ?? 8;
        const { widths, whole } = spread(text.text, size);
        const x = text.isRight === true ? text.x - whole : text.x;
        return [...text.text].map((letter, index) => ({ ...text, isRight: false, text: letter, x: x + (widths[index] ?? 0) }));
      }),
    );
    const twice = currentAccount().map((page) => page.flatMap((text) => [text, { ...text, x: text.x + 0.25 }]));
    const shuffled = currentAccount().map((page) => page.toReversed());
    for (const pages of [letters, twice, shuffled]) {
      const statement = await statementOf(pages);
      expect(linesOf(statement)).toEqual(OF_CURRENT);
      expect(statement.proof).toBe('proved');
    }
  });

  test('leaves out what nobody sees on the page: white, unpainted and outside text, and a slanted watermark', async () => {
    const pages = currentAccount();
    const hidden = [
      { ...right(400, 150, '99.00'), grey: 1 },
      { ...right(400, 162, '98.00'), mode: 3 },
      right(400, 900, '97.00'),
      at(200, 300, 'SPECIMEN 55.00', { size: 40, angle: 40 }),
    ];
    const statement = await statementOf([[...(pages[0] ?? []), ...hidden], pages[1] ?? []]);
    expect(linesOf(statement)).toEqual(OF_CURRENT);
    expect(statement.proof).toBe('proved');
  });
});

function spread(text: string, size: number): { readonly widths: readonly number[]; readonly whole: number } {
  const widths: number[] = [];
  let whole = 0;
  for (const letter of text) {
    widths.push(whole);
    whole += widthOf(letter, size);
  }
  return { widths, whole };
}

describe('a PDF that its balances do not prove', () => {
  test('names the row at which a changed amount breaks them', async () => {
    const statement = await statementOf(currentAccount({ '850.00': '805.00' }));
    expect(statement.proof).toBe('broken');
    expect(statement.problems.find(({ code }) => code === 'balance_broken')?.message).toMatch(/page 1.*45\.00 too much/);
  });

  test('is broken where a page is missing, the last one as well', async () => {
    const [first = [], second = []] = currentAccount();
    const third = second.map((text) => ({ ...text, text: text.text.replace('Page 2 of 2', 'Page 3 of 3') }));
    const missing = await statementOf([
      first,
      third.map((text) => ({ ...text, text: text.text.replace('2,137.50', '1,999.00').replace('2,100.00', '1,961.50') })),
    ]);
    expect(missing.proof).toBe('broken');
    const lost = await statementOf([first]);
    expect(lost.proof).toBe('broken');
    expect(codesOf(lost)).toContain('page_missing');
  });

  test('proves no line that is behind its last balance', async () => {
    const [first = [], second = []] = currentAccount();
    const behind = [...second, ...row(120, [40, '31 Mar'], [110, 'Fee'], [400, '5.00', true])];
    const statement = await statementOf([first, behind]);
    expect(linesOf(statement)).toHaveLength(5);
    expect(statement.proof).not.toBe('proved');
  });

  test('asks which signs are meant where more than one reading holds', async () => {
    const line = (y: number, day: string, amount: string): DrawnText[] => row(y, [40, day], [110, 'Transfer'], [500, amount, true]);
    const statement = await statementOf([
      [
        at(40, 40, 'Statement 01.03.2026 to 31.03.2026 Currency: EUR'),
        ...row(60, [40, 'Date'], [110, 'Description'], [500, 'Amount', true]),
        ...row(75, [110, 'Opening balance'], [500, '100.00', true]),
        ...line(90, '02.03.2026', '50.00 CR'),
        ...line(105, '03.03.2026', '25.00'),
        ...line(120, '04.03.2026', '25.00-'),
        ...row(135, [110, 'Closing balance'], [500, '150.00', true]),
      ],
    ]);
    expect(statement.questions.map(({ about }) => about)).toEqual(['sign_model']);
  });
});

describe('a statement that was changed is not proved', () => {
  const amounts = ['12.50', '2,000.00', '850.00', '37.50'];
  const balances = ['987.50', '2,100.00'];

  test.each([...amounts, ...balances])('no digit of %s can change', async (figure) => {
    for (const [index, digit] of [...figure].entries()) {
      if (!/\d/.test(digit)) continue;
      const other = `${figure.slice(0, index)}${(Number(digit) + 3) % 10}${figure.slice(index + 1)}`;
      expect([other, (await statementOf(currentAccount({ [figure]: other }))).proof]).toEqual([other, 'broken']);
    }
  });

  test.each(amounts)('the side of %s cannot change', async (figure) => {
    const pages = currentAccount().map((page) =>
      page.map((text) => (text.text === figure ? { ...text, x: text.x === 400 ? 475 : 400 } : text)),
    );
    expect((await statementOf(pages)).proof).toBe('broken');
  });

  test('no line and no page can be lost', async () => {
    const [first = [], second = []] = currentAccount();
    for (const [page, y] of [
      [0, 130],
      [0, 155],
      [0, 170],
      [1, 90],
    ] as const) {
      const without = [first, second].map((texts, index) => texts.filter((text) => index !== page || text.y !== y));
      expect([page, y, (await statementOf(without)).proof]).toEqual([page, y, 'broken']);
    }
    for (const left of [[first], [second]]) expect((await statementOf(left)).proof).not.toBe('proved');
  });
});

describe('a day that was lost is not made up', () => {
  const header = row(60, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]);
  const ends = (body: readonly DrawnText[]): DrawnText[][] => [
    [
      at(40, 30, 'Statement 1 March 2026 to 31 March 2026 Currency: GBP'),
      ...header,
      ...row(75, [110, 'Opening balance'], [550, '100.00', true]),
      ...body,
      ...row(300, [110, 'Closing balance'], [550, '40.00', true]),
    ],
  ];
  /** Six lines of 10.00 out; `dates` and `balances` are empty where the paper leaves them out. */
  const lines = (dates: readonly string[], balances: readonly string[]): DrawnText[] =>
    dates.flatMap((date, index) => [
      ...row(95 + index * 15, [110, 'Transfer'], [400, '10.00', true]),
      ...(date === '' ? [] : [at(40, 95 + index * 15, date)]),
      ...(balances[index] === '' ? [] : [right(550, 95 + index * 15, balances[index] ?? '')]),
    ]);
  const each = ['90.00', '80.00', '70.00', '60.00', '50.00', '40.00'];
  const ofDays = ['', '80.00', '', '60.00', '', '40.00'];

  test.each<readonly [string, readonly string[], readonly string[]]>([
    ['each row has a date', ['2 Mar 26', '2 Mar 26', '3 Mar 26', '4 Mar 26', '5 Mar 26', '9 Mar 26'], each],
    ['each day has one date and one balance', ['2 Mar 26', '', '3 Mar 26', '', '5 Mar 26', ''], ofDays],
  ])('%s', async (_name, dates, balances) => {
    expect((await statementOf(ends(lines(dates, balances)))).proof).toBe('proved');
    for (const [index, date] of dates.entries()) {
      if (index === 0 || date === '') continue;
      for (const rest of ['', date.slice(date.indexOf(' ') + 1)]) {
        const statement = await statementOf(ends(lines(dates.with(index, rest), balances)));
        expect([date, rest, statement.proof]).toEqual([date, rest, 'unproved']);
        expect(statement.problems.find(({ code }) => code === 'lines_not_proved')?.message).toContain('its day is not sure');
      }
    }
  });
});

describe('a year that is not printed is asked for', () => {
  const pages = (days: readonly string[]): DrawnText[][] => [
    [
      at(40, 40, 'Harbour Test Bank Currency: GBP'),
      ...row(60, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]),
      ...row(75, [110, 'Opening balance'], [550, '100.00', true]),
      ...days.flatMap((day, index) => {
        const y = 95 + index * 15;
        return row(y, [40, day], [110, 'Transfer'], [400, '10.00', true], [550, `${90 - index * 10}.00`, true]);
      }),
      ...row(300, [110, 'Closing balance'], [550, `${100 - days.length * 10}.00`, true]),
    ],
  ];
  const made = { info: '/CreationDate (D:20240203101500Z)' };

  test('the year in which the file was made is offered and not taken', async () => {
    const { questions, lines, proof } = await statementOf(pages(['30 Dec', '2 Jan']), made);
    expect(questions.map(({ about, taken, choices }) => [about, taken, choices.map(({ value }) => value)])).toEqual([
      ['year', '', ['2024', '2023']],
    ]);
    expect([lines.length, proof]).toEqual([0, 'unproved']);
  });

  test.each([
    ['over the end of a year', ['30 Dec', '31 Dec', '2 Jan'], ['2023-12-30', '2023-12-31', '2024-01-02']],
    ['the newest line first', ['2 Jan', '30 Dec'], ['2024-01-02', '2023-12-30']],
    ['within a year', ['3 Mar', '29 Apr'], ['2024-03-03', '2024-04-29']],
    ['until December', ['30 Nov', '2 Dec'], ['2024-11-30', '2024-12-02']],
  ])('the answer is the year of the last transaction: %s', async (_name, written, days) => {
    const { statement } = await readBytes(pdfOf(pages(written)), null, '2024');
    expect(present(statement, 'statement').lines.map(({ day }) => isoFromDay(day))).toEqual(days);
    expect([statement?.proof, statement?.questions]).toEqual(['proved', []]);
  });

  test('a year that the file states is not overruled', async () => {
    const { statement } = await readBytes(pdfOf(currentAccount()), null, '2019');
    expect(linesOf(present(statement, 'statement'))).toEqual(OF_CURRENT);
  });
});

/** How a statement of three pages says where it begins and ends. */
interface Ends {
  readonly opening: string;
  readonly brought: string;
  readonly carried: string | null;
  readonly closing: string | null;
  readonly label: ((page: number) => string) | null;
  /** Whether the sums of both columns stand below the last line. */
  readonly hasSums?: boolean;
}

const LINES_OF_PAGE = [100, 112, 124];

/** A statement of three pages with three lines each: 10.00 out on each line, from 1,000.00 to 910.00. */
function threePages({ opening, brought, carried, closing, label, hasSums = false }: Ends): DrawnText[][] {
  const balance = (lines: number): string => (lines === 0 ? '1,000.00' : `${1_000 - lines * 10}.00`);
  const named = (y: number, words: string | null, lines: number): DrawnText[] =>
    words === null ? [] : row(y, [110, words], [550, balance(lines), true]);
  return [0, 1, 2].map((page) => [
    at(40, 30, page === 0 ? 'Statement 1 March 2026 to 31 March 2026 Currency: GBP' : 'Harbour Test Bank'),
    ...row(60, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]),
    ...named(80, page === 0 ? opening : brought, page * 3),
    ...LINES_OF_PAGE.flatMap((y, index) =>
      row(y, [40, `0${page * 3 + index + 1}.03.2026`], [110, 'Transfer'], [400, '10.00', true], [550, balance(page * 3 + index + 1), true]),
    ),
    ...(hasSums && page === 2 ? row(132, [110, 'Total'], [400, '90.00', true], [475, '0.00', true]) : []),
    ...named(140, page === 2 ? closing : carried, page * 3 + 3),
    ...(label === null ? [] : [at(280, 800, label(page + 1))]),
  ]);
}

const NUMBERED = (page: number): string => `Page ${page} of 3`;
const ENGLISH = { brought: 'Balance brought forward', carried: 'Balance carried forward', closing: 'Closing balance' };
const STATED: Ends = { ...ENGLISH, opening: 'Opening balance', label: null };

/** Statements whose ends the paper states, and those of which nothing says that they are whole. */
const WHOLE: readonly (readonly [string, Ends])[] = [
  ['opening and closing balance', STATED],
  ['balances brought and carried on numbered pages', { ...STATED, opening: ENGLISH.brought, closing: ENGLISH.carried, label: NUMBERED }],
  ['sums of both columns below the last line', { ...STATED, carried: null, closing: null, hasSums: true, label: NUMBERED }],
  ['numbers in two languages', { ...STATED, closing: ENGLISH.carried, label: (page) => `Page ${page} of / de 3` }],
  [
    'German words',
    { opening: 'Alter Saldo', brought: 'Übertrag von Seite 1', carried: 'Übertrag auf Seite 2', closing: 'Neuer Saldo', label: null },
  ],
];
const OPEN_ENDED: readonly (readonly [string, Ends])[] = [
  ['begins with a balance brought forward', { ...STATED, opening: ENGLISH.brought }],
  ['begins with Übertrag', { ...STATED, opening: 'Übertrag' }],
  ['ends with a balance beside a line', { ...STATED, carried: null, closing: null }],
  [
    'ends with a balance beside a line, on pages that are numbered to the last',
    { ...STATED, carried: null, closing: null, label: NUMBERED },
  ],
  [
    'ends with a balance beside a line, on pages without a last number',
    { ...STATED, carried: null, closing: null, label: (page) => `Page ${page}` },
  ],
];

/** Returns what a scanner, a printer or a split file loses: pages, headers, the head or the foot of pages. */
function partsOf(pages: readonly (readonly DrawnText[])[]): (readonly [string, readonly (readonly DrawnText[])[]])[] {
  const without = (page: number, isLost: (text: DrawnText) => boolean): DrawnText[][] =>
    pages.map((texts, index) => texts.filter((text) => index !== page || !isLost(text)));
  const kept = [1, 2, 3, 4, 5, 6].map((mask) => pages.filter((_, index) => (mask & (1 << index)) !== 0));
  return [
    ...kept.map((left, index) => [`pages of ${index + 1}`, left] as const),
    ...[0, 1, 2].flatMap((page) => [
      [`header of page ${page + 1}`, without(page, ({ y }) => y === 60)] as const,
      [`head of page ${page + 1}`, without(page, ({ y }) => y < 105)] as const,
      [`foot of page ${page + 1}`, without(page, ({ y }) => y > 105)] as const,
      [`first line of page ${page + 1}`, without(page, ({ y }) => y === 100)] as const,
    ]),
    ...[1, 2, 3].map((count) => [`last ${count} lines`, without(2, ({ y }) => LINES_OF_PAGE.slice(-count).includes(y))] as const),
    ['the end of the last page', without(2, ({ y }) => y > 105 && y < 800)],
    ['all lines', pages.map((texts) => texts.filter(({ y }) => !LINES_OF_PAGE.includes(y)))],
    ['all but the closing balance', pages.map((texts) => texts.filter(({ y }) => y < 80 || y > 130)).slice(2)],
  ];
}

describe('a part of a statement is not proved as the whole', () => {
  test.each(WHOLE)('proved as a whole: %s', async (_name, ends) => {
    const statement = await statementOf(threePages(ends));
    expect([statement.lines.length, statement.proof]).toEqual([9, 'proved']);
  });

  test.each(OPEN_ENDED)('lines are read and not proved: it %s', async (_name, ends) => {
    const statement = await statementOf(threePages(ends));
    expect([statement.lines.length, statement.proof]).toEqual([9, 'unproved']);
    expect(codesOf(statement)).toContain('lines_not_proved');
  });

  test.each([...WHOLE, ...OPEN_ENDED])('no part is proved: %s', async (_name, ends) => {
    for (const [lost, pages] of partsOf(threePages(ends))) {
      const { statement } = await readBytes(pdfOf(pages));
      const isShort = statement !== null && statement.lines.length < 9 && statement.proof === 'proved';
      expect([lost, isShort]).toEqual([lost, false]);
    }
  });

  test('lines that come to nothing cannot be lost where the file states what came in and went out', async () => {
    const line = (y: number, day: string, out: string, into: string, balance: string): DrawnText[] => [
      ...row(y, [40, day], [110, 'Transfer'], [550, balance, true]),
      ...(out === '' ? row(y, [475, into, true]) : row(y, [400, out, true])),
    ];
    const pages = (isCut: boolean): DrawnText[][] => [
      [
        at(40, 30, 'Statement 1 March 2026 to 31 March 2026 Currency: GBP'),
        ...row(45, [40, 'Payments in'], [250, '60.00', true]),
        ...row(55, [40, 'Payments out'], [250, '35.00', true]),
        ...row(80, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]),
        ...row(95, [110, 'Opening balance'], [550, '100.00', true]),
        ...line(110, '02.03.2026', '', '30.00', '130.00'),
        ...line(125, '03.03.2026', '5.00', '', '125.00'),
        ...(isCut ? [] : [...line(140, '04.03.2026', '', '30.00', '155.00'), ...line(155, '05.03.2026', '30.00', '', '125.00')]),
        ...row(170, [110, 'Closing balance'], [550, '125.00', true]),
      ],
    ];
    expect((await statementOf(pages(false))).proof).toBe('proved');
    const cut = await statementOf(pages(true));
    expect(cut.proof).toBe('unproved');
    expect(cut.problems.find(({ code }) => code === 'lines_not_proved')?.message).toContain('states sums (60.00 in, 35.00 out)');
  });

  test('an account that a list names is not lost with its page', async () => {
    const account = (name: string, first: string, last: string): DrawnText[] => [
      at(40, 40, `Account number ${name}`),
      ...row(60, [40, 'Date'], [110, 'Details'], [400, 'Paid out', true], [475, 'Paid in', true], [550, 'Balance', true]),
      ...row(80, [110, 'Opening balance'], [550, first, true]),
      ...row(100, [40, '03.03.2026'], [110, 'Transfer'], [400, '10.00', true], [550, last, true]),
      ...row(120, [110, 'Closing balance'], [550, last, true]),
    ];
    const list = [
      at(40, 40, 'Statement 1 March 2026 to 31 March 2026 Currency: GBP'),
      ...row(60, [40, 'Account'], [400, 'Opening', true], [550, 'Closing', true]),
      ...row(75, [40, 'Current 11111111'], [400, '100.00', true], [550, '90.00', true]),
      ...row(90, [40, 'Saver 22222222'], [400, '500.00', true], [550, '490.00', true]),
      ...row(105, [40, 'Total'], [400, '600.00', true], [550, '580.00', true]),
    ];
    const [one, other] = [account('11111111', '100.00', '90.00'), account('22222222', '500.00', '490.00')];
    expect((await statementOf([list, one, other])).proof).toBe('proved');
    for (const left of [one, other]) expect((await statementOf([list, left])).proof).toBe('unproved');
  });
});

describe('a PDF that cannot be read', () => {
  test('has more pages than a statement has', async () => {
    const read = await readBytes(pdfOf(Array.from({ length: 10_000 }, () => [])));
    expect([read.code, read.statement]).toEqual(['too_large', null]);
    expect(read.message).toContain('10000 pages');
  });

  test.each<Cipher>(['rc4', 'aes-128', 'aes-256'])(
    'asks for the password of %s, says when it is wrong, and opens with the right one',
    async (cipher) => {
      const bytes = pdfOf(currentAccount(), { password: 'spec1990', cipher });
      expect((await readBytes(bytes)).code).toBe('needs_password');
      expect((await readBytes(bytes, 'spec1991')).code).toBe('wrong_password');
      expect(linesOf(present((await readBytes(bytes, 'spec1990')).statement, 'statement'))).toEqual(OF_CURRENT);
    },
  );

  test('has letters that are mapped to no letters', async () => {
    const names = Array.from({ length: 95 }, (_, index) => `/uniE0${(index + 32).toString(16).toUpperCase()}`).join(' ');
    const { statement, message } = await readBytes(pdfOf(currentAccount(), { encoding: `<< /Differences [32 ${names}] >>` }));
    expect(statement).toBeNull();
    expect(message).toContain('The text of the PDF is broken');
  });

  test.each<readonly [string, () => Uint8Array, RegExp]>([
    ['a picture without text', () => pdfOf([[]]), /picture/],
    [
      'a picture over hidden text, with a few words beside it',
      () =>
        pdfOf([
          [
            at(40, 20, 'Page 1 of 1'),
            ...currentAccount()
              .flat()
              .map((text) => ({ ...text, mode: 3 })),
          ],
        ]),
      /picture/,
    ],
    [
      'a letter',
      () => pdfOf([[at(40, 40, 'Dear customer, your new card is on its way. It costs 12.00 a year.')]]),
      /does not look like an account statement/,
    ],
    ['a file that is cut off', () => pdfOf(currentAccount()).subarray(0, 700), /damaged|cut off|picture/],
  ])('says why: %s', async (_name, bytes, words) => {
    const read = await readBytes(bytes());
    expect(read.statement).toBeNull();
    expect(read.message).toMatch(words);
  });
});

test('no package draws pictures of pages: the lock file names no canvas', () => {
  const lock = readFileSync(path.resolve(import.meta.dirname, '../../../../package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, unknown>> };
  expect(packages).toHaveProperty(['node_modules/pdfjs-dist']);
  expect(Object.keys(packages).filter((name) => /canvas/i.test(name))).toEqual([]);
});

describe('layouts that differ', () => {
  const euro = (y: number, day: string, value: string, text: string, amount: string, balance: string): DrawnText[] =>
    row(y, [40, day], [95, value], [150, text], [470, amount, true], [550, balance, true]);

  test('Spanish: one signed column, decimal commas, the sum of a page carried over', async () => {
    const header = row(80, [40, 'F. Oper.'], [95, 'F. Valor'], [150, 'Concepto'], [470, 'Importe', true], [550, 'Saldo', true]);
    const statement = await statementOf([
      [
        at(40, 40, 'Extracto de cuenta del 01/02/2026 al 28/02/2026'),
        at(40, 55, 'Divisa: EUR  Cuenta 0000 0000 00 0000012345'),
        ...header,
        ...row(95, [150, 'SALDO ANTERIOR'], [550, '1.250,40', true]),
        ...euro(110, '03/02', '03/02', 'RECIBO LUZ', '-64,20', '1.186,20'),
        ...euro(125, '11/02', '12/02', 'TRANSFERENCIA A SU FAVOR', '1.500,00', '2.686,20'),
        ...euro(140, '27/02', '27/02', 'COMPRA TARJETA', '-86,20', '2.600,00'),
        ...row(155, [150, 'SALDO FINAL'], [550, '2.600,00', true]),
      ],
    ]);
    expect(linesOf(statement)).toEqual(['2026-02-03 -64.20', '2026-02-11 1500.00', '2026-02-27 -86.20']);
    expect([statement.proof, statement.currency]).toEqual(['proved', 'EUR']);
  });

  test('Spanish: months by name between slashes, the date once a day, columns without a balance', async () => {
    const statement = await statementOf([
      [
        at(40, 40, 'ESTADO DE CUENTA DEL 01/AGO/2025 AL 31/AGO/2025 MONEDA: MXN'),
        ...row(60, [40, 'SALDO ANTERIOR'], [300, '$ 1,000.00', true]),
        ...row(80, [40, 'FECHA'], [110, 'CONCEPTO'], [420, 'CARGOS', true], [520, 'ABONOS', true]),
        ...row(95, [40, '01/AGO'], [110, 'COMPRA TIENDA'], [420, '120.50', true]),
        ...row(107, [110, 'DEPOSITO EFECTIVO'], [520, '500.00', true]),
        ...row(119, [40, '14/AGO'], [110, 'SPEI ENVIADO'], [420, '79.50', true]),
        ...row(131, [110, 'TOTALES'], [420, '200.00', true], [520, '500.00', true]),
        ...row(143, [110, 'SALDO FINAL'], [520, '$ 1,300.00', true]),
      ],
    ]);
    expect(linesOf(statement)).toEqual(['2025-08-01 -120.50', '2025-08-01 500.00', '2025-08-14 -79.50']);
    expect([statement.proof, statement.currency]).toEqual(['proved', 'MXN']);
  });

  test('a card: a debt that payments with CR make smaller, days over the end of a year', async () => {
    const line = (y: number, day: string, text: string, amount: string): DrawnText[] => row(y, [40, day], [110, text], [540, amount, true]);
    const statement = await statementOf([
      [
        at(40, 40, 'Statement date 10 January 2026'),
        ...row(60, [40, 'Previous balance'], [250, '£300.00', true]),
        ...row(72, [40, 'New balance'], [250, '£120.75', true]),
        ...row(84, [40, 'Minimum payment'], [250, '£5.00', true], [300, 'Credit limit'], [500, '£4,000.00', true]),
        ...row(110, [40, 'Date'], [110, 'Description'], [540, 'Amount (£)', true]),
        ...line(125, '14 Dec', 'Payment received, thank you', '300.00CR'),
        ...line(140, '28 Dec', 'Grove Market', '100.50'),
        ...line(155, '02 Jan', 'Corner Bakery', '20.25'),
        ...row(170, [110, 'Total'], [540, '120.75', true]),
      ],
    ]);
    expect(linesOf(statement)).toEqual(['2025-12-14 300.00', '2025-12-28 -100.50', '2026-01-02 -20.25']);
    expect([statement.proof, statement.currency]).toEqual(['proved', 'GBP']);
    expect(statement.closingBalanceMinor).toBe(-12_075);
  });

  test('sections tell the sign, and a list of cheques repeats lines', async () => {
    const header = (y: number): DrawnText[] => row(y, [40, 'Date'], [110, 'Description'], [540, 'Amount', true]);
    const line = (y: number, day: string, text: string, amount: string): DrawnText[] => row(y, [40, day], [110, text], [540, amount, true]);
    const statement = await statementOf([
      [
        at(40, 40, 'Statement period 05/01/2026 to 05/31/2026'),
        at(40, 52, 'SPRINGFIELD ZZ 00000-0000'),
        ...row(70, [40, 'Beginning balance on 05/01/2026'], [400, '$500.00', true]),
        ...row(82, [40, 'Ending balance on 05/31/2026'], [400, '$610.00', true]),
        at(40, 110, 'Deposits and other credits', { isBold: true }),
        ...header(125),
        ...line(140, '05/04', 'Payroll', '400.00'),
        ...row(155, [110, 'Total deposits and other credits'], [540, '$400.00', true]),
        at(40, 180, 'Withdrawals and other debits', { isBold: true }),
        ...header(195),
        ...line(210, '05/06', 'Check 101', '240.00'),
        ...line(225, '05/20', 'Power company', '50.00'),
        at(40, 255, 'Summary of checks written', { isBold: true }),
        ...row(270, [40, 'Number'], [110, 'Date'], [240, 'Amount', true]),
        ...row(285, [40, '101'], [110, '05/06'], [240, '240.00', true]),
      ],
    ]);
    expect(linesOf(statement)).toEqual(['2026-05-04 400.00', '2026-05-06 -240.00', '2026-05-20 -50.00']);
    expect([statement.proof, statement.currency]).toEqual(['proved', 'USD']);
  });

  test('found once: payments of a broken statement in sections read as receipts', async () => {
    const header = (y: number): DrawnText[] => row(y, [40, 'Date'], [110, 'Description'], [540, 'Amount', true]);
    const line = (y: number, day: string, text: string, amount: string): DrawnText[] => row(y, [40, day], [110, text], [540, amount, true]);
    const statement = await statementOf([
      [
        at(40, 40, 'Statement period 05/01/2026 to 05/31/2026'),
        at(40, 52, 'SPRINGFIELD ZZ 00000-0000'),
        ...row(70, [40, 'Beginning balance on 05/01/2026'], [400, '$500.00', true]),
        ...row(82, [40, 'Ending balance on 05/31/2026'], [400, '$610.00', true]),
        at(40, 110, 'Deposits and other credits', { isBold: true }),
        ...header(125),
        ...line(140, '05/04', 'Payroll', '400.00'),
        at(40, 180, 'Withdrawals and other debits', { isBold: true }),
        ...header(195),
        ...line(210, '05/06', 'Check 101', '240.00'),
        ...line(225, '05/20', 'Power company', '57.00'),
      ],
    ]);
    expect(statement.proof).toBe('broken');
    expect(linesOf(statement)).toEqual(['2026-05-04 400.00', '2026-05-06 -240.00', '2026-05-20 -57.00']);
    expect(statement.problems.map(({ message }) => message).join()).toContain('lead to 603.00, 7.00 too little');
  });
});

/** Statements that are not part of the repository; these tests are registered where they lie beside it. */
const SAMPLES = path.resolve(import.meta.dirname, '../../../../../shared/samples/pdf');
const manifest = path.join(SAMPLES, 'MANIFEST.tsv');

interface SampleTruth {
  readonly expect: 'accept' | 'refuse' | 'accept-or-refuse';
  readonly accounts?: readonly { readonly lines: readonly { readonly date: string; readonly amount: number }[] }[];
}

/** Returns lines for the comparison; a date of which the file prints no year is compared without it. */
function comparable(lines: readonly { readonly date: string; readonly amount: number }[], isYearless: boolean): string[] {
  return lines.map(({ date, amount }) => `${isYearless ? date.slice(4) : date} ${amount}`).toSorted();
}

function registerSamples(): void {
  const [head = [], ...rows] = existsSync(manifest)
    ? readFileSync(manifest, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('\t'))
    : [];
  const passwords = new Map(rows.map((cells) => [cells[0] ?? '', cells[head.indexOf('password')] ?? '']));

  test.each([...passwords])('%s is read as it is, or not at all', async (file, password) => {
    const truth = JSON.parse(readFileSync(path.join(SAMPLES, 'truth', file.replace('.pdf', '.json')), 'utf8')) as SampleTruth;
    const { statement } = await readBytes(readFileSync(path.join(SAMPLES, file)), password === '' ? null : password);
    const wanted = (truth.accounts ?? []).flatMap(({ lines }) => lines);
    const isYearless = wanted.some(({ date }) => date.startsWith('XXXX'));
    const read = (statement?.lines ?? []).map(({ day, amountMinor, direction }) => ({
      date: isoFromDay(day),
      amount: direction === 'debit' ? -amountMinor : amountMinor,
    }));
    const isExact = comparable(read, isYearless).join() === comparable(wanted, isYearless).join();
    const outcome = statement === null ? 'refused' : `${isExact ? 'exact' : 'other'} ${statement.proof}`;
    // A file that prints no year is read when a person says it, and one that nothing closes is taken when a person agrees; what is no statement must not be proved by wrong lines.
    const unproved = ['refused', 'other unproved', 'other broken', 'exact unproved', 'exact broken'];
    const isOpenEnded = statement?.problems.some(({ message }) => message.includes('neither a closing balance nor the sums')) === true;
    const allowed =
      truth.expect === 'refuse' || isYearless || isOpenEnded ? unproved : ['exact proved', ...(truth.expect === 'accept' ? [] : unproved)];
    expect(allowed).toContain(outcome);
  });

  test.each([...passwords])('%s is proved no longer by other lines once a part of it is lost or changed', async (file, password) => {
    const text = await readPdfPages(readFileSync(path.join(SAMPLES, file)), password === '' ? null : password, () => undefined);
    const whole = text.ok ? openPdf(text, { filename: file, currency: null }) : null;
    const statement = whole?.ok === true ? whole.value.taken : null;
    if (!text.ok || statement?.proof !== 'proved') return;
    const wanted = linesOf(statement).toSorted().join();
    for (const [change, pages] of changesOf(text.value.pages, statement)) {
      const open = openPdf(success({ ...text.value, pages }), { filename: file, currency: null });
      const read = open.ok ? open.value.taken : null;
      const isWrong = read?.proof === 'proved' && linesOf(read).toSorted().join() !== wanted;
      expect([change, isWrong]).toEqual([change, false]);
    }
  });
}

/** Returns the pages of a statement with one thing lost or changed: lines, the last lines, the end of a page, a page, a digit of an amount. */
function changesOf(pages: readonly PdfPage[], statement: Statement): (readonly [string, readonly PdfPage[]])[] {
  const rows = statement.lines.map(({ row: number }) => number).toSorted((one, other) => one - other);
  const isIn = ({ x, y }: PdfGlyph, page: number, row: number): boolean => {
    const place = statement.pages?.places.get(row);
    if (place?.page !== page) return false;
    return x >= place.left - 1 && x <= place.left + place.width + 1 && y >= place.top && y <= place.top + place.height;
  };
  const mapped = (change: (glyph: PdfGlyph, page: number) => readonly PdfGlyph[]): PdfPage[] =>
    pages.map((page, index) => ({ ...page, glyphs: page.glyphs.flatMap((glyph) => change(glyph, index + 1)) }));
  const without = (lost: readonly number[]): PdfPage[] =>
    mapped((glyph, page) => (lost.some((row) => isIn(glyph, page, row)) ? [] : [glyph]));
  const some = rows.filter((_, index) => index % Math.ceil(rows.length / 6) === 0);
  const digits = some.flatMap((row) => {
    const figures = pages.flatMap((page, index) =>
      page.glyphs.filter((glyph) => /\d/.test(glyph.text) && isIn(glyph, index + 1, row)).toSorted((one, other) => one.x - other.x),
    );
    const last = figures.at(-1);
    return last === undefined ? [] : [[row, last] as const];
  });
  return [
    ...some.map((row) => [`line of row ${row}`, without([row])] as const),
    ...[1, 2, 3, 5].map((count) => [`last ${count} lines`, without(rows.slice(-count))] as const),
    ...(pages.length > 1 ? pages.map((_, index) => [`page ${index + 1}`, pages.filter((_page, at) => at !== index)] as const) : []),
    ...digits.map(([row, digit]) => {
      const other = { ...digit, text: String((Number(digit.text) + 3) % 10) };
      return [`digit in row ${row}`, mapped((glyph) => [glyph === digit ? other : glyph])] as const;
    }),
  ];
}

describe.each(existsSync(manifest) && IS_LONG ? [SAMPLES] : [])('samples beside the repository', () => {
  registerSamples();
});
