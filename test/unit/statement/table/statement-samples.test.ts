import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../src-main/domain/statement/model/statement.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText } from '../../../../src-shared/values/money.ts';
import { readText } from '../../../support/inputs/statements.ts';

/** Real bank files that are not part of the repository; the table is registered where they lie beside it. */
const samples = path.resolve(import.meta.dirname, '../../../../../shared/samples');
const manifest = path.join(samples, 'MANIFEST.tsv');

/** Files whose figures we read otherwise, and why. */
const READ_OTHERWISE: Readonly<Record<string, Partial<Figures>>> = {
  // The manifest counts the lines of the file; one of the 74 is text without date and amount, which a note names.
  'csv/b2y__test_delimiter_tab.csv': { transactions: 73 },
  // The manifest has their value dates; the days of lines are the entry dates.
  'mt940/wol__betterplace_sepa_mt9401.sta': { to: '2007-09-04' },
  'mt940/cmx__mt940-deutsche_bank.txt': { from: '2002-11-02' },
  'mt940/cmx__mt940-windows-line-breaks.txt': { from: '2002-11-02' },
  'mt940/wol__jejik_abnamro.sta': { from: '2011-05-23' },
  'mt940/wol__self-provided_multiline.sta': { to: '2022-12-20' },
  // 30 February is no day: the booking date beside it is taken, and a note says so.
  'mt940/wol__self-provided_february_30.sta': { from: '2016-03-01', to: '2016-03-01' },
  // Missing, empty and impossible dates: each is rejected by name.
  'ofx/ofp__fail_nice_date_missing.ofx': { transactions: 0 },
  // Records without a date or an amount, and one of an account without a name.
  'qif/mgu__missing_fields.qif': { rejected: 3 },
  // Its transaction codes mean neither credit nor debit; the manifest sums them as nothing.
  'nacha/ach__file_parsing_missing_file_control.txt': { transactions: 0 },
  // Five accounts, of which one states balances: the file has no opening and closing balance of its own.
  'bai2/bai__sample4-continuations-newline-delimited.txt': { opening: '', closing: '' },
  // A third entry has an amount that is none.
  'nacha/ach__crasher_4.ach': { rejected: 1 },
};

const FORMATS = new Set(['csv', 'recon', 'ofx', 'qif', 'camt053', 'mt940', 'bai2', 'nacha', 'xlsx']);

interface Figures {
  readonly file: string;
  readonly transactions: number;
  readonly credits: string;
  readonly debits: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly opening: string;
  readonly closing: string;
  readonly rejected: number;
}

/** A figure at the head of a cell: `2345.56 (newest row)` says 2345.56; a remark alone says nothing. */
function figure(cell: string, currency: string): string {
  const found = /^-?\d+(?:[.,]\d+)?/.exec(cell)?.[0].replace(',', '.');
  if (found === undefined) return '';
  const places = decimalPlacesOf(currency);
  const [whole = '0', written = ''] = found.split('.');
  const fraction = written.replace(/0+$/, '');
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
}

/** No rows where the files are not there: then nothing is registered. */
function rowsOfManifest(): readonly Figures[] {
  if (!existsSync(manifest)) return [];
  const rows = readFileSync(manifest, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  return rows.flatMap((cells) => {
    const [
      ,
      format,
      file = '',
      ,
      ,
      ,
      ,
      count = '',
      credits = '',
      debits = '',
      currency = '',
      from = '',
      to = '',
      opening = '',
      closing = '',
    ] = cells;
    if (!FORMATS.has(format ?? '') || count === '' || credits === '') return [];
    // Where several currencies or balances stand in one cell, the first is that of the file or says nothing of it.
    const unit = currency === '' ? 'EUR' : (currency.split('/')[0] ?? '');
    const text = (cell: string): string => (cell.includes(' / ') ? '' : figure(cell, unit));
    const day = (cell: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(cell) ? cell : '');
    return [
      {
        file,
        transactions: Number(count),
        credits: text(credits),
        debits: text(debits),
        currency: unit,
        from: day(from),
        to: day(to),
        opening: text(opening),
        closing: text(closing),
        rejected: 0,
        ...READ_OTHERWISE[file],
      },
    ];
  });
}

function total(statement: Statement, direction: 'credit' | 'debit'): string {
  const lines = statement.lines.filter((line) => line.direction === direction);
  const places = lines.reduce((finest, line) => Math.max(finest, line.decimalPlaces), decimalPlacesOf(statement.currency));
  const minor = lines.reduce((sum, line) => sum + line.amountMinor * 10 ** (places - line.decimalPlaces), 0);
  return decimalText(minor, places);
}

function balance(minor: number | null, statement: Statement): string {
  return minor === null ? '' : decimalText(minor, decimalPlacesOf(statement.currency));
}

function read(file: string, currency: string | null) {
  return readText(readFileSync(path.join(samples, file)), { filename: path.basename(file), currency });
}

const figures = rowsOfManifest();

describe('the table of real files', () => {
  it('takes the figure at the head of a cell', () => {
    expect(figure('2345.56 (newest row)', 'HUF')).toBe('2345.56');
    expect(figure('10', 'EUR')).toBe('10.00');
    expect(figure('97.960', 'JOD')).toBe('97.960');
    expect(figure('date must be asked for', 'EUR')).toBe('');
  });

  for (const wanted of figures.filter((one) => one.transactions > 0)) {
    it(`${wanted.file}: ${wanted.transactions} transactions`, () => {
      const outcome = read(wanted.file, wanted.currency);
      if (!outcome.ok) throw new Error(outcome.error.message);
      const statement = outcome.value;
      const days = statement.lines.map((line) => line.day);
      expect({
        file: wanted.file,
        transactions: statement.lines.length,
        rejected: statement.rejectedRows,
        credits: total(statement, 'credit'),
        debits: total(statement, 'debit'),
        currency: statement.currency,
        from: wanted.from === '' ? '' : isoFromDay(Math.min(...days)),
        to: wanted.to === '' ? '' : isoFromDay(Math.max(...days)),
        opening: wanted.opening === '' ? '' : balance(statement.openingBalanceMinor, statement),
        closing: wanted.closing === '' ? '' : balance(statement.closingBalanceMinor, statement),
      }).toEqual(wanted);
    });
  }

  for (const { file } of figures.filter((one) => one.transactions === 0)) {
    it(`${file}: nothing to import, or refused with a sentence`, () => {
      const outcome = read(file, null);
      const sentence = outcome.ok ? null : outcome.error.message;
      expect(sentence ?? 'Read.').toMatch(/^[A-Z].*\.$/);
      expect(!outcome.ok || outcome.value.lines.length === 0 || outcome.value.rejectedRows > 0).toBe(true);
    });
  }
});
