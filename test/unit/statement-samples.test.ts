import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../src-main/domain/statement/types.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText } from '../../src-shared/values/money.ts';
import { readText } from '../support/statements.ts';

/** Real bank files that are not part of the repository; the table is registered where they lie beside it. */
const samples = path.resolve(import.meta.dirname, '../../../shared/samples');
const manifest = path.join(samples, 'MANIFEST.tsv');

/** Files whose figures we read otherwise, and why. */
const READ_OTHERWISE: Readonly<Record<string, number>> = {
  // The manifest counts the lines of the file; one of the 74 is text without date and amount, which a note names.
  'csv/b2y__test_delimiter_tab.csv': 73,
};

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
}

/** A figure at the head of a cell: `2345.56 (newest row)` says 2345.56; a remark alone says nothing. */
function figure(cell: string, currency: string): string {
  const found = /^-?\d+(?:\.\d+)?/.exec(cell)?.[0];
  if (found === undefined) return '';
  const places = decimalPlacesOf(currency);
  const [whole = '0', fraction = ''] = found.split('.');
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
    if ((format !== 'csv' && format !== 'recon') || count === '' || credits === '') return [];
    const unit = currency === '' ? 'EUR' : currency;
    const text = (cell: string): string => figure(cell, unit);
    return [
      {
        file,
        transactions: READ_OTHERWISE[file] ?? Number(count),
        credits: text(credits),
        debits: text(debits),
        currency: unit,
        from,
        to,
        opening: text(opening),
        closing: text(closing),
      },
    ];
  });
}

function total(statement: Statement, direction: 'credit' | 'debit'): string {
  const minor = statement.lines.filter((line) => line.direction === direction).reduce((sum, line) => sum + line.amountMinor, 0);
  return decimalText(minor, decimalPlacesOf(statement.currency));
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
      }).toEqual({ ...wanted, rejected: 0 });
    });
  }

  for (const { file } of figures.filter((one) => one.transactions === 0)) {
    it(`${file}: refused with a sentence`, () => {
      expect(read(file, null)).toMatchObject({ ok: false, error: { message: expect.stringMatching(/^[A-Z].+\.$/) } });
    });
  }
});
