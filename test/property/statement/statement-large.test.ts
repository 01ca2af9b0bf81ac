import * as fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type FileSource, readLarge, readStatement } from '../../../src-main/domain/statement/read.ts';
import { readGrid, RowSplitter } from '../../../src-main/domain/statement/text/grid.ts';
import { FileCheck } from '../../../src-main/domain/statement/proof/balance-chain.ts';
import { TextCounts } from '../../../src-main/domain/collections/text-counts.ts';
import type { GridRow } from '../../../src-main/domain/statement/model/grid-row.ts';
import type { ReadOptions } from '../../../src-main/domain/statement/model/read-options.ts';
import type { RejectedRow, StatementLine } from '../../../src-main/domain/statement/model/statement.ts';
import type { ChainStep } from '../../../src-main/domain/statement/proof/chain.ts';
import { checkedWhole } from '../../support/references/chain-reference.ts';
import { papaRows } from '../../support/references/papa-rows.ts';
import { IS_LONG, runs } from '../../support/long.ts';

const quiet = { onProgress: (): void => undefined, isCancelled: (): boolean => false };

function sourceOf(bytes: Uint8Array, stretch: number): FileSource {
  return {
    byteLength: bytes.length,
    head: bytes,
    *stretches() {
      for (let at = 0; at < bytes.length; at += stretch) yield bytes.subarray(at, at + stretch);
    },
  };
}

/** What a file read in stretches says, in the form of one that is read whole; null where it must be read whole. */
function readInStretches(bytes: Uint8Array, stretch: number, options: ReadOptions): unknown {
  const large = readLarge(sourceOf(bytes, stretch), options, quiet);
  if (!large.ok || large.value === null) return large.ok ? null : large;
  const lines: StatementLine[] = [];
  const rejected: RejectedRow[] = [];
  const read = large.value.read(quiet, (built) => {
    for (const one of built) {
      if (one.line !== null) lines.push(one.line);
      else if (one.rejected !== null) rejected.push(one.rejected);
    }
  });
  return read.ok ? { ok: true, value: { ...read.value, lines, rejected } } : read;
}

/** What is read both ways; nothing of a file that must be read whole. */
function bothWays(bytes: Uint8Array, stretch: number, options: ReadOptions): readonly [inStretches: unknown, whole: unknown] {
  const inStretches = readInStretches(bytes, stretch, options);
  return [inStretches, inStretches === null ? null : readStatement(bytes, options, quiet)];
}

const cell = fc.oneof(
  fc.constantFrom('', '2026-06-01', '31/12/2026', '30.02.2026', '15 Jun 2026', '1,234.56', '-1.234,56', '£7', '12.00 CR', 'GBP', 'credit'),
  fc.constantFrom(
    'Date',
    'Value date',
    'Amount',
    'Paid In',
    'Paid Out',
    'Balance',
    'Type',
    'Details',
    'ID',
    'Opening balance',
    'Total',
    'Status',
    'Pending',
  ),
  fc.constantFrom('"', '""', '"open', 'a"b', '"a,b"', '"a" ', '"x"y"', '"two\nlines"', '"q""q"', ' "', 'é', 'ﬁ'),
  fc.constantFrom('"SIA "Alfa" Riga"', '"SIA "Alfa""', '""Alfa" SIA"', '"Nr "1", 2"', '"Nr "1"; 2"', 'SIA "Alfa"'),
  fc.string({ maxLength: 8 }),
);
const text = fc
  .tuple(
    fc.array(fc.array(cell, { maxLength: 6 }), { maxLength: 12 }),
    fc.constantFrom(',', ';', '\t'),
    fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'),
  )
  .map(([rows, between, end]) => rows.map((cells) => cells.join(between)).join(end));

test('rows split in stretches are those of the whole text', () => {
  const broken = text.map((each) => each.replaceAll(/\r+\n?/g, '\n'));
  fc.assert(
    fc.property(broken, fc.integer({ min: 1, max: 9 }), fc.constantFrom(',', ';'), (whole, stretch, delimiter) => {
      const grid = readGrid(whole, delimiter, { onShare: () => undefined, isCancelled: () => false });
      const splitter = new RowSplitter(delimiter);
      const rows: GridRow[] = [];
      for (let at = 0; at < whole.length; at += stretch) expect(splitter.push(whole.slice(at, at + stretch), false, rows)).toBeNull();
      expect(splitter.push('', true, rows)).toBeNull();
      expect(grid).toEqual({ ok: true, value: { rows, problems: splitter.problems } });
    }),
    { numRuns: runs(1_500) },
  );
});

const whole = (content: string, delimiter: string) => readGrid(content, delimiter, { onShare: () => undefined, isCancelled: () => false });

test('rows whose quotation marks stand as they should are those that Papa Parse finds', () => {
  const tidy = fc.oneof(
    fc.constantFrom('', 'a', '1.00', '"a,b;c"', '"two\nlines"', '"q""q"', '""', '"""all"""', '"a" ', 'é'),
    fc.string({ maxLength: 6 }).filter((content) => !content.includes('"')),
  );
  const rows = fc.array(fc.array(tidy, { minLength: 1, maxLength: 5 }), { maxLength: 9 });
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t'), fc.boolean(), (cells, delimiter, hasEnd) => {
      const content = `${cells.map((row) => row.join(delimiter)).join('\n')}${hasEnd ? '\n' : ''}`.replaceAll('\r', '');
      expect(whole(content, delimiter)).toEqual({ ok: true, value: { rows: papaRows(content, delimiter), problems: [] } });
    }),
    { numRuns: runs(1_500) },
  );
});

/** Tables whose cells stand in quotation marks and hold marks unescaped, between letters and at their end. */
const strayMarks = fc
  .record({
    rows: fc.array(
      fc.array(
        fc.oneof(
          fc.stringMatching(/^[a-z1-9]{1,3}$/),
          fc
            .tuple(fc.stringMatching(/^[a-z]{1,3}$/), fc.stringMatching(/^[a-z]{1,2}$/), fc.constantFrom('', ' b', '; c', ' "d" e', ' "f"'))
            .map(([before, name, behind]) => `${before} "${name}"${behind}`),
        ),
        { minLength: 4, maxLength: 4 },
      ),
      { minLength: 1, maxLength: 6 },
    ),
    isEnded: fc.boolean(),
  })
  .map(({ rows, isEnded }) => {
    const end = isEnded ? ';' : '';
    const lines = [['Date', 'Payee', 'Details', 'Amount'], ...rows].map((cells) => `${cells.map((each) => `"${each}"`).join(';')}${end}\n`);
    return { content: lines.join(''), rows: rows.map((cells) => [...cells, ...(isEnded ? [''] : [])]) };
  });

test('quotation marks inside of cells are read as meant, in stretches as in whole', () => {
  fc.assert(
    fc.property(strayMarks, fc.integer({ min: 1, max: 40 }), ({ content, rows }, stretch) => {
      const read = whole(content, ';');
      expect(read.ok && read.value.rows.slice(1).map(({ cells }) => cells)).toEqual(rows);
      const [inStretches, atOnce] = bothWays(new TextEncoder().encode(content), stretch, { filename: 'marks.csv', currency: null });
      expect(inStretches).toEqual(atOnce);
    }),
    { numRuns: runs(600) },
  );
});

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A statement with balances, repeated headers, totals, texts below rows and rows that read as nothing, as banks write them. */
const statement = fc
  .record({
    preamble: fc.constantFrom(
      '',
      'Account,123\n',
      'Opening balance,,,,100.00\n\n',
      'Period,2026-01-01,2026-06-30\n',
      'Opening balance 30.11.2025,,,,100.00\n',
    ),
    header: fc.constantFrom('Date,Details,Amount,Balance,Status', 'Date,Details,Paid In,Paid Out,Balance', 'Datum,Text,Debit,Credit,Saldo'),
    rows: fc.array(
      fc.record({
        day: fc.integer({ min: 1, max: 28 }),
        month: fc.integer({ min: 1, max: 12 }),
        details: fc.constantFrom('Rent', 'Fee', 'Total', 'Closing balance', '"a, b"', ''),
        minor: fc.integer({ min: -50_000, max: 50_000 }),
        status: fc.constantFrom('', 'Completed', 'Pending', '12.00', '1.234'),
        kind: fc.constantFrom('row', 'row', 'row', 'row', 'row', 'text', 'blank', 'header', 'bad', 'total', 'sum', 'unnamed'),
      }),
      { maxLength: 25 },
    ),
    notation: fc.constantFrom('iso', 'slashed', 'yearless', 'named'),
    fault: fc.integer({ min: -1, max: 12 }),
    isReversed: fc.boolean(),
  })
  .map(({ preamble, header, rows, notation, fault, isReversed }) => {
    let balance = 10_000;
    let since = 0;
    const money = (minor: number) => (minor / 100).toFixed(2);
    const lines = rows.map(({ day, month, details, minor, status, kind }, index) => {
      const date = {
        iso: `2026-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
        slashed: `${day}/${month}/2026`,
        yearless: `${month}-${day}`,
        named: `${day} ${MONTHS[month - 1]}`,
      }[notation];
      if (kind === 'blank') return '';
      if (kind === 'header') return header;
      if (kind === 'text') return `,${details} goes on,,,`;
      if (kind === 'total') return `Total,,${money(minor)},,`;
      if (kind === 'sum' || kind === 'unnamed') {
        const sum = money(since);
        if (kind === 'sum') since = 0;
        return kind === 'sum' ? `${date},Subtotal,${sum},,` : `,,${sum},,`;
      }
      balance += minor + (index === fault ? 1 : 0);
      since += minor;
      if (kind === 'bad') return `${date},${details},x,,`;
      if (!header.includes('Paid')) return `${date},${details},${money(minor)},${money(balance)},${status}`;
      return `${date},${details},${minor > 0 ? money(minor) : ''},${minor > 0 ? '' : money(-minor)},${money(balance)}`;
    });
    return `${preamble}${header}\n${(isReversed ? lines.toReversed() : lines).join('\n')}\n`;
  });

test('a file read in stretches says what it says when it is read whole', () => {
  const names = fc.constantFrom('statement.csv', 'from 2026-07-31.csv');
  fc.assert(
    fc.property(fc.oneof(text, statement, statement), fc.integer({ min: 1, max: 200 }), names, (content, stretch, filename) => {
      const [inStretches, whole] = bothWays(new TextEncoder().encode(content), stretch, { filename, currency: null });
      expect(inStretches).toEqual(whole);
    }),
    { numRuns: runs(2_000) },
  );
});

/** Rows of two accounts in one table, with balances of each, and a fault in some of them. */
const twoAccounts = fc
  .record({
    rows: fc.array(fc.record({ isOther: fc.boolean(), minor: fc.integer({ min: -500, max: 500 }), isNamed: fc.boolean() }), {
      maxLength: 14,
    }),
    hasBalances: fc.boolean(),
    fault: fc.integer({ min: -1, max: 12 }),
  })
  .map(({ rows, hasBalances, fault }) => {
    const balances = [1000, 5000];
    const lines = rows.map(({ isOther, minor, isNamed }, index) => {
      const at = isOther ? 1 : 0;
      balances[at] = (balances[at] ?? 0) + minor + (index === fault ? 1 : 0);
      const account = isNamed || index !== fault ? `GB00BANK0000000${at}` : '';
      const day = String(1 + Math.floor(index / 2)).padStart(2, '0');
      return `2026-06-${day},${account},Line,${(minor / 100).toFixed(2)}${hasBalances ? `,${((balances[at] ?? 0) / 100).toFixed(2)}` : ''}`;
    });
    return `Date,IBAN,Details,Amount${hasBalances ? ',Balance' : ''}\nOpening balance,,,,10.00\n${lines.join('\n')}\n`;
  });

test('so do its accounts, together and each by itself', () => {
  const accounts = fc.constantFrom(null, 'GB00BANK00000000', 'GB00BANK00000001');
  fc.assert(
    fc.property(twoAccounts, fc.integer({ min: 1, max: 200 }), accounts, (content, stretch, account) => {
      const [inStretches, whole] = bothWays(new TextEncoder().encode(content), stretch, { filename: 'two.csv', currency: 'GBP', account });
      expect(inStretches).toEqual(whole);
    }),
    { numRuns: runs(600) },
  );
});

test('so does every file that lies beside the tests', () => {
  const fixtures = path.resolve(import.meta.dirname, '../../fixtures');
  const files = readdirSync(fixtures, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const file of files) {
    const bytes = readFileSync(path.join(file.parentPath, file.name));
    const [inStretches, whole] = bothWays(bytes, 4_001, { filename: file.name, currency: null });
    expect(inStretches).toEqual(whole);
  }
  expect(files.length).toBeGreaterThan(0);
});

test('letters that are not UTF-8 far down in a file turn all of it into the code page that its beginning speaks for', () => {
  const rows = Array.from(
    { length: IS_LONG ? 40_000 : 15_000 },
    (_, index) => `2026-06-${String((index % 28) + 1).padStart(2, '0')},Line ${index},${index}.50`,
  );
  const bytes = Buffer.from(`Date,Details,Amount\n${rows.join('\n')}\n2026-06-30,Caf\u00e9,-1.00\n`, 'latin1');
  const options = { filename: 'late.csv', currency: 'GBP' };
  const read = readInStretches(bytes, 65_536, options);
  expect(read).toMatchObject({ ok: true, value: { dialect: { encoding: 'windows-1252' }, rows: rows.length + 1 } });
  expect(read).toEqual(readStatement(bytes, options, quiet));
});

test('a NUL character far down in a file is named by row and column', () => {
  const rows = Array.from({ length: 40_000 }, (_, index) => `2026-06-01,"Line\n${index}",1.00\n`).join('');
  const bytes = new TextEncoder().encode(`Date,Details,Amount\n${rows}2026-06-02,a\0,2.00\n`);
  const options = { filename: 'nul.csv', currency: 'GBP' };
  expect(readInStretches(bytes, 65_536, options)).toMatchObject({ ok: false, error: { code: 'binary_file', row: 80_002, column: '2' } });
});

test('a quotation mark that is not closed within a cell, and a line without end, are named and not held', () => {
  const options = { filename: 'giant.csv', currency: null };
  const beginning = 'Date,Details,Amount\n2026-06-01,Rent,-900.00\n';
  const cellTooLong = new TextEncoder().encode(`${beginning}2026-06-02,"${'a'.repeat(1_200_000)}",1.00\n`);
  // The row is looked through again with each stretch.
  const stretch = IS_LONG ? 65_536 : 1_048_576;
  expect(readInStretches(cellTooLong, stretch, options)).toMatchObject({ ok: false, error: { code: 'too_large', row: 3, column: '2' } });
  const rowTooLong = new TextEncoder().encode(`${beginning}${'b,'.repeat(4_300_000)}`);
  expect(readInStretches(rowTooLong, stretch, options)).toMatchObject({ ok: false, error: { code: 'too_large', row: 3 } });
});

const minor = fc.integer({ min: -3, max: 3 });
const step = fc.record({
  row: fc.nat({ max: 99 }),
  day: fc.option(fc.integer({ min: 1, max: 3 }), { nil: null, freq: 4 }),
  signed: fc.option(minor, { nil: null, freq: 6 }),
  balance: fc.option(minor, { nil: null, freq: 3 }),
  group: fc.constantFrom('a', 'a', 'b'),
});
const anchor = fc.option(fc.record({ minor, row: fc.nat({ max: 99 }), firm: fc.boolean() }), { nil: null });

test('balances followed both ways at once say what whole lists say', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), anchor, anchor, (steps: readonly ChainStep[], opening, closing) => {
      const check = new FileCheck();
      for (const one of steps) check.add(one);
      const { breaks, ...expected } = checkedWhole(steps, { opening, closing });
      expect(check.result({ opening, closing }).check).toEqual({ ...expected, broken: breaks.length, firstBreak: breaks[0] ?? null });
    }),
    { numRuns: runs(5_000) },
  );
});

test('texts are counted as a map counts them', () => {
  const counts = new TextCounts();
  const expected = new Map<string, number>();
  const wrong: string[] = [];
  for (let index = 0; index < 60_000; index += 1) {
    // Most are there once or twice, some some hundred times.
    const word = index % 10 === 0 ? `fee ${index % 70}` : `id ${(index * 7919) % 40_000}`;
    expected.set(word, (expected.get(word) ?? 0) + 1);
    if (counts.add(word) !== expected.get(word)) wrong.push(word);
  }
  expect(wrong).toEqual([]);
});
