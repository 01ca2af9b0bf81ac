import { expect, test } from 'vitest';
import { currenciesApart, currenciesApartSentence } from '../../../src-renderer/format/shared-currency.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { addLines } from '../../support/books/lines.ts';

async function bookOf(currencyA: string, currencyB: string, rules: 'default' | 'currency' = 'default') {
  const book = openQuietBook();
  for (const key of ['bank', 'ledger']) await book.client.get('streams.create', { key, name: key });
  await addLines(book.client, 'bank', [{ amount: 100, currency: currencyA, external_id: 'r' }]);
  await addLines(book.client, 'ledger', [{ amount: 100, currency: currencyB, external_id: 'r' }]);
  const { reconciliation } = await book.client.get('reconciliations.set_up', {
    name: 'June',
    side_a_keys: ['bank'],
    side_b_keys: ['ledger'],
  });
  if (rules === 'currency') {
    const filters = {
      rules: [
        { key: 'currency', value: 'currency', operand: 'neq' },
        { key: 'amount', value: 'amount' },
      ],
    } as const;
    await book.client.get('rules.replace', { id: reconciliation.id, rules: [{ filters: { ...filters, rules: [...filters.rules] } }] });
  }
  return { book, id: reconciliation.id };
}

/** The run said "0 new matches", and never why. */
test('a run over sides that share no currency says so, with the currencies of both', async () => {
  const { book, id } = await bookOf('GBP', 'USD');
  expect(await book.run(id)).toMatchObject({ matches: 0, no_shared_currency: { side_a: ['GBP'], side_b: ['USD'] } });
  expect((await book.client.get('runs.list', { id })).data).toMatchObject([{ no_shared_currency: { side_a: ['GBP'], side_b: ['USD'] } }]);
  const apart = currenciesApart(await book.client.get('reconciliations.summary', { id }));
  expect(apart === null ? '' : currenciesApartSentence(apart)).toContain('Side A is in GBP, side B in USD.');
  await addLines(book.client, 'ledger', [{ amount: 5, currency: 'GBP', external_id: 's' }]);
  expect(await book.run(id)).toMatchObject({ no_shared_currency: null });
  expect(currenciesApart(await book.client.get('reconciliations.summary', { id }))).toBeNull();
});

test('a run says nothing where all is matched, one side is empty, or a rule compares the currencies', async () => {
  const same = await bookOf('GBP', 'GBP');
  expect(await same.book.run(same.id)).toMatchObject({ matches: 1, no_shared_currency: null });
  expect(await same.book.run(same.id)).toMatchObject({ matches: 0, no_shared_currency: null });
  const compared = await bookOf('GBP', 'USD', 'currency');
  expect(await compared.book.run(compared.id)).toMatchObject({ matches: 1, no_shared_currency: null });
  const [line] = (await same.book.client.get('records.list', { data_stream_key: 'bank' })).data;
  const [match] = (await same.book.client.get('matches.list', { reconciliation_id: same.id })).data;
  await same.book.client.get('matches.remove', { id: match?.id ?? 0 });
  await same.book.client.get('records.remove', { id: line?.id ?? 0 });
  expect(await same.book.run(same.id)).toMatchObject({ no_shared_currency: null });
});
