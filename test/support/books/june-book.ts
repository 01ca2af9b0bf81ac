import type { Printer } from '../../../src-main/platform/ports.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { CFP_BANK, CFP_BOOKS, CFP_BY_HAND } from '../cfp-june.ts';
import { openTestBook, type TestBook } from './backend.ts';

/** Notes on the open items of the worked example, by reference. */
const NOTES = {
  'CHG-Q2': { status: 'to_be_booked', comment: 'Post in July' },
  'INT-JUN': { status: 'to_be_booked', comment: 'Post in July' },
  'CHQ-1043': { status: 'outstanding', comment: 'Posted 12/06, supplier told' },
  'RCT-0629': { status: 'in_transit', comment: 'On the slip of 30/06' },
  'RCT-DEL': { status: 'in_transit', comment: 'Paid in 30/06 after hours' },
} as const;

/** Fee of the card machine in minor units. Its line at the bank has no text. */
const FEE = 4_520;

/** Reasons for differences between the sides of a match, by reference. */
const REASONS: Readonly<Record<string, { readonly code: 'book_error' | 'rounding'; readonly note: string }>> = {
  'INV-2214': { code: 'book_error', note: 'Digits transposed, invoice seen' },
  'INV-2230': { code: 'rounding', note: 'At the carrier' },
};

/** Returns the worked example, imported, reconciled, and matched by hand where a person would. Its June exists and is not signed. */
export async function juneBook(printer?: Printer): Promise<TestBook> {
  const book = await openTestBook(undefined, undefined, printer);
  const { client } = book;
  await book.importText('bank', CFP_BANK, { currency: 'GBP' });
  await book.importText('ledger', CFP_BOOKS, { currency: 'GBP' });
  await client.get('reconciliations.create', {
    name: 'Northgate current',
    run_type: 'batch',
    side_a_stream_ids: [2],
    side_b_stream_ids: [1],
  });
  await client.get('rules.create', {
    reconciliation_id: 1,
    description: 'Same reference, same amount',
    filters: {
      operand: 'and',
      rules: [
        { key: 'amount', value: 'amount' },
        { key: 'metadata.voucher', value: 'description' },
      ],
    },
  });
  await book.run(1);
  const { data: records } = await client.get('records.list', { limit: 100 });
  const referenceOf = ({ description, metadata }: (typeof records)[number]): string => String(metadata['voucher'] ?? description);
  const idsOf = (references: readonly string[]) => records.filter((record) => references.includes(referenceOf(record))).map(({ id }) => id);
  for (const references of CFP_BY_HAND) {
    const reason = REASONS[references[0] ?? ''];
    await client.get('matches.create', {
      reconciliation_id: 1,
      record_ids: idsOf(references),
      ...(reason === undefined ? {} : { difference_reason: reason }),
    });
  }
  const fees = records.filter(({ amount }) => amount === FEE).map(({ id }) => id);
  await client.get('matches.create', { reconciliation_id: 1, record_ids: fees });
  for (const [reference, note] of Object.entries(NOTES)) {
    const record_id = present(idsOf([reference])[0], reference);
    await client.get('open_items.put', { id: 1, record_id, owner: 'Amira Patel', expected_on: null, ...note });
  }
  const balances = [{ side: 'books' as const, currency: 'GBP', opening: 1_250_000, stated_closing: 1_266_165 }];
  await client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30', balances });
  return book;
}

/** Returns the same book with its June prepared, reviewed and closed. */
export async function closedJuneBook(printer?: Printer): Promise<TestBook> {
  const book = await juneBook(printer);
  await book.client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  await book.client.get('periods.review', { id: 1, by: 'Tom Whitfield' });
  await book.client.get('periods.close', { id: 1, by: 'Tom Whitfield' });
  return book;
}
