import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';

const pad = (text: string): string => text.padEnd(94);
const entry = (code: string, trace: string): string =>
  pad(
    `6${code}231380104${'12345678'.padEnd(17)}${'5000'.padStart(10, '0')}${'ID-1'.padEnd(15)}${'Jane Doe'.padEnd(22)}  1${trace.padStart(15, '0')}`,
  );

function file(date: string, records: readonly string[]): string {
  const count = String(records.length);
  const hash = String(23_138_010 * records.filter((record) => record.startsWith('6')).length);
  const debits = String(5_000 * records.filter((record) => record.startsWith('6')).length);
  return [
    pad(`101 121042882 121042882${date}1200A094101Bank                   Company`),
    pad(`5225${'Company'.padEnd(16)}${''.padEnd(20)}1234567890PPDRENT      ${''.padEnd(6)}${date}   1121042880000001`),
    ...records,
    pad(`8225${count.padStart(6, '0')}${hash.padStart(10, '0')}${debits.padStart(12, '0')}${'0'.padStart(12, '0')}1234567890`),
    pad(`9000001000001${count.padStart(8, '0')}${hash.padStart(10, '0')}${debits.padStart(12, '0')}${'0'.padStart(12, '0')}`),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** Its sums are those of the codes, as the control records of the file state them; so an entry and its return have one direction and do not take each other back. */
test('a returned entry keeps its reason in words and the direction of its code', async () => {
  const book = openQuietBook();
  const imported = (name: string, text: string) => {
    const to = path.join(book.folder, name);
    writeFileSync(to, text);
    return importHere(book, { path: to }).result;
  };
  expect(imported('june.ach', file('260602', [entry('27', '1'), entry('27', '2')]))).toMatchObject({ kept: 2, proof: 'proved' });
  const returned = [entry('26', '9'), pad(`799R01${'2'.padStart(15, '0')}`)];
  expect(imported('returns.ach', file('260604', returned))).toMatchObject({ kept: 1, problems: [] });
  const { data } = await book.client.get('records.list', { data_stream_key: 'bank', limit: 10 });
  expect(data.find(({ metadata }) => metadata['return_reason'] === 'R01')).toMatchObject({
    amount: 5_000,
    direction: 'debit',
    reverses_record_id: null,
    reversal_reason: 'There was not enough money (R01)',
  });
});
