import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';

/** `total_credits` of a file in several currencies was the sum of euros and yen. */

it('the totals of a file in several currencies are those of its main currency, in the result and in its batch', async () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'mixed.csv');
  const rows = ['2026-06-01,Sale,500.00,EUR', '2026-06-02,Sale,7000,JPY', '2026-06-03,Rent,-20.00,EUR', '2026-06-04,Fee,-1.250,KWD'];
  writeFileSync(file, `Date,Text,Amount,Currency\n${rows.join('\n')}\n`);
  const { result } = importHere(book, { path: file, streamKey: 'bank' });
  const own = { currency: 'EUR', decimal_places: 2, total_credits: 50_000, total_debits: 2_000 };
  const totals = [
    { currency: 'EUR', decimal_places: 2, credits: 50_000, debits: 2_000 },
    { currency: 'JPY', decimal_places: 0, credits: 7_000, debits: 0 },
    { currency: 'KWD', decimal_places: 3, credits: 0, debits: 1_250 },
  ];
  expect(result).toMatchObject({ ...own, kept: 4, totals });
  expect((await book.client.get('import_batches.list', { key: 'bank' })).data).toMatchObject([{ ...own, net_amount: 48_000, totals }]);
});
