import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvLines, FORMULA_BUT_NUMBER } from '../../src-shared/values/csv.ts';
import { codeUnder } from '../architecture/sources.ts';
import { runCli, serveCli, temporaryFolder } from '../support/processes/run-cli.ts';

/** A spreadsheet may run each of these; the last ones hide the beginning from the eye. */
const FORMULAS = [
  '=1+1',
  '+44 20 7946',
  '-cmd|x',
  '-2+3',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '＝1+1',
  '＋1',
  '－1',
  '＠x',
  '﹦1',
  ' =1+1',
  '  \t=1+1',
  '\u00a0=1',
  '\u3000＝1',
  '\ufeff=1',
  '\u200b=1',
  '\u0000=1',
];
const HARMLESS = ['', 'Rent', 'a=1', '1-2', ' Rent', '(5.00)', '5', "'=1", 'a\tb', '−5'];

const cellOf = (value: unknown, escapeFormulae?: RegExp | false) =>
  Papa.parse<string[]>(csvLines([[value, 'x']], escapeFormulae === undefined ? {} : { escapeFormulae }), { newline: '\r\n' }).data[0]?.[0];

describe('a cell', () => {
  it.each(FORMULAS)('%j is text to a spreadsheet', (text) => {
    expect([cellOf(text), cellOf(text, FORMULA_BUT_NUMBER), cellOf(text, false)]).toEqual([`'${text}`, `'${text}`, text]);
  });

  it.each(HARMLESS)('%j stays as it is', (text) => {
    expect([cellOf(text), cellOf(text, FORMULA_BUT_NUMBER)]).toEqual([text, text]);
  });

  it('is left alone where it is a number: typed as one, or written as one in a file for people', () => {
    expect([cellOf(-5), cellOf(-5.25), cellOf('-5')]).toEqual(['-5', '-5.25', "'-5"]);
    const written = ['-5', '-12.50', '-1,234.50', '-1.234,50'];
    expect(written.map((text) => cellOf(text, FORMULA_BUT_NUMBER))).toEqual(written);
    expect(['-5-3', '- 5', '-', '-.5e1', '-5%', '-5\n'].map((text) => cellOf(text, FORMULA_BUT_NUMBER)?.[0])).toEqual(
      Array.from({ length: 6 }, () => "'"),
    );
  });
});

it('cells are written in one place alone', () => {
  const writers = codeUnder('src-main', 'src-renderer', 'src-shared').filter(({ text }) => /unparse\(|replaceAll\('"', '""'\)/.test(text));
  // The workbook quotes a text of its own within a formula, which is no cell that came in a file.
  // The warehouse quotes the names of tables and columns, which are SQL, and a link for a sheet the texts of a query.
  expect(writers.map(({ file }) => file)).toEqual([
    'src-main/domain/report/report-workbook.ts',
    'src-main/warehouse/engine.ts',
    'src-shared/values/csv.ts',
    'src-shared/values/sheet-link.ts',
  ]);
});

it('neither /v1 nor --matches-out writes a formula that came in a file', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'bank.csv');
  const rows = ['=HYPERLINK("x")', '＝1+1', ' @x', '-7', '-7+1'].map(
    (id, index) => `2026-06-0${index + 1},${index + 1}.00,"${id.replaceAll('"', '""')}",GBP`,
  );
  writeFileSync(file, ['Date,Amount,external_id,Currency', ...rows, ''].join('\n'));
  const book = path.join(folder, 'book');
  for (const stream of ['bank', 'ledger']) {
    expect((await runCli('import', file, '--data', book, '--stream', stream, '--json')).exitCode).toBe(0);
  }
  const out = path.join(folder, 'matches.csv');
  const sides = ['--a', 'ledger', '--b', 'bank', '--sign', 'same'];
  expect((await runCli('reconcile', '--data', book, ...sides, '--matches-out', out, '--json')).exitCode).toBe(0);
  const ids = Papa.parse<Record<string, string>>(readFileSync(out, 'utf8'), { header: true, skipEmptyLines: true }).data.map(
    (row) => row['external_id'],
  );
  expect(new Set(ids)).toEqual(new Set([`'=HYPERLINK("x")`, "'＝1+1", "'@x", '-7', "'-7+1"]));

  const { printed, stop } = await serveCli(book);
  const answer = await fetch(`${printed.base_url}/records?data_stream_key=bank`, {
    headers: { 'x-api-key': printed.api_key, accept: 'text/csv' },
  });
  const listed = Papa.parse<Record<string, string>>(await answer.text(), { header: true, skipEmptyLines: true }).data.map(
    (row) => row['external_id'],
  );
  expect(new Set(listed)).toEqual(new Set([`'=HYPERLINK("x")`, "'＝1+1", "'@x", "'-7", "'-7+1"]));
  await stop('SIGTERM');
});
