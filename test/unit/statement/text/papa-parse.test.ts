import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { decodeText } from '../../../../src-main/domain/statement/read.ts';
import { findDelimiter, readGrid, unifyLineEnds } from '../../../../src-main/domain/statement/text/grid.ts';
import { drawn } from '../../../support/long.ts';
import { papaRows } from '../../../support/references/papa-rows.ts';

function ownRows(text: string, delimiter: string) {
  const grid = readGrid(text, delimiter, { onShare: () => undefined, isCancelled: () => false });
  return grid.ok ? grid.value.rows : grid.error.message;
}

const cellsOf = (rows: ReturnType<typeof ownRows>) => (typeof rows === 'string' ? rows : rows.map(({ cells }) => cells));

/** Above each stands a header of three columns. */
it.each([
  [
    'a;"open;1\nb;2\n',
    [
      ['a', 'open', '1'],
      ['b', '2'],
    ],
    [['a', 'open;1\nb;2']],
  ],
  ['"SIA "Alfa"";1;x\n', [['SIA "Alfa"', '1', 'x']], [['SIA "Alfa"";1;x']]],
  ['"No "1"; 2";1;x\n', [['No "1"; 2', '1', 'x']], [['No "1', '2', '1', 'x']]],
  ['"a"x;b\n', [['"a"x', 'b']], [['a"x;b']]],
])('%j is read differently from Papa Parse', (text, own, papa) => {
  const table = `Name;Sum;Sign\n${text}`;
  expect([ownRows, papaRows].map((read) => cellsOf(read(table, ';')).slice(1))).toEqual([own, papa]);
});

/** Real bank files that are not part of the repository; looked at where they lie beside it. */
const samples = path.resolve(import.meta.dirname, '../../../../../shared/samples');
const tables = existsSync(samples)
  ? readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:csv|tsv|tab|txt)$/i.test(file))
  : [];

it('the rows of all samples are those of Papa Parse', () => {
  for (const file of drawn(tables, 20, (name) => name)) {
    const decoded = decodeText(readFileSync(path.join(samples, file)));
    if (!decoded.ok) continue;
    const text = unifyLineEnds(decoded.value.text);
    const delimiter = findDelimiter(text);
    expect([file, ownRows(text, delimiter)]).toEqual([file, papaRows(text, delimiter)]);
  }
});
