import { expect, test } from 'vitest';
import type { TestBook } from '../../support/books/backend.ts';
import { expectEmpty, expectEqual, recordsOf, twoBooks } from '../two-books.ts';

const CSV = `Date,Description,Amount,Balance
2026-06-01,STANDING ORDER RENT 06/26,-1200.00,800.00
2026-06-02,TRANSFER IN ADA LTD,452.10,1252.10
2026-06-03,CARD 1234 BOOKSHOP,-19.99,1232.11
2026-06-05,DIRECT DEBIT POWER,-64.50,1167.61
`;

const line = ([day, amount, id, name]: readonly string[]): string =>
  `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
const OFX = `OFXHEADER:100
DATA:OFXSGML
VERSION:102

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20260601<DTEND>20260605
${[
  ['20260601', '-1200.00', 'F1', 'Rent June'],
  ['20260602', '452.10', 'F2', 'Ada Ltd, invoice 7'],
  ['20260603', '-19.99', 'F3', 'The Bookshop'],
  ['20260605', '-64.50', 'F4', 'Electricity'],
]
  .map(line)
  .join('\n')}
</BANKTRANLIST><LEDGERBAL><BALAMT>1167.61<DTASOF>20260605</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
`;

const filesOf = async ({ client }: TestBook) => (await client.get('imported_files.list', { key: 'bank' })).data;
const linesIn = async ({ client }: TestBook, id: number) => (await client.get('imported_files.lines', { id })).record_ids.length;

async function twoExports() {
  const books = await twoBooks();
  for (const [book, text] of [
    [books.here, CSV],
    [books.there, OFX],
  ] as const) {
    await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
    expect(await book.importText('bank', text, { currency: 'EUR' })).toMatchObject({ status: 'completed' });
  }
  return books;
}

for (const choice of ['same', 'both'] as const) {
  test(`a CSV here and an OFX there of the same days: no line and no file moves before a person decided, then both sides are right: ${choice}`, async () => {
    const books = await twoExports();
    const { here, there, sync, resolve } = books;
    for (const result of [await sync({ preview: true }), await sync()]) {
      const overlaps = result.conflicts.filter(({ kind }) => kind === 'overlap');
      expect(overlaps.map(({ local }) => local.includes('STANDING ORDER'))).toEqual([true, false, false, false]);
      expect(overlaps.map(({ remote }) => remote.includes('Rent June'))).toEqual([true, false, false, false]);
      expect(result).toMatchObject({ sent: { records: 0, imports: 0 }, received: { records: 0, imports: 0 } });
      expect(result.remote.cannot_move.filter(({ resource }) => resource === 'imports')).toHaveLength(2);
    }
    for (const book of [here, there]) expect([(await recordsOf(book)).length, (await filesOf(book)).length]).toEqual([4, 1]);

    for (const { id, kind } of (await sync()).conflicts) await resolve(id, kind === 'overlap' ? choice : 'nothing else is asked');
    expect(await sync()).toMatchObject({ ok: true, error: null, sent: { imports: 1 }, received: { imports: 1 } });

    const each = choice === 'same' ? 4 : 8;
    for (const book of [here, there]) {
      expect(await recordsOf(book)).toHaveLength(each);
      const lines = await Promise.all((await filesOf(book)).map(({ id }) => linesIn(book, id)));
      // Lines that are the same stay with the file that brought them to their side.
      expect(lines.toSorted()).toEqual(choice === 'same' ? [0, 4] : [4, 4]);
    }
    expectEmpty(await sync());
    await expectEqual(books);
  });
}

test('the words of a second export that the book took for the same lines are listed as what stays here', async () => {
  const books = await twoBooks();
  const { here, there, sync } = books;
  await here.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await here.importText('bank', CSV, { currency: 'EUR' });
  await here.importText('bank', OFX, { currency: 'EUR', answers: { overlap: 'same' } });
  const result = await sync();
  expect(result).toMatchObject({ ok: true, sent: { records: 4, imports: 2 } });
  expect(result.remote.cannot_move).toMatchObject([{ resource: 'imports', name: 'Other words of 4 lines' }]);
  expect(await recordsOf(there)).toHaveLength(4);
  expectEmpty(await sync());
});
